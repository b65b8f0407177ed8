//! Checksums as fio 3.33 stores them behind its header. Some are not what their name says; the
//! bytes are fio's contract with the data that it wrote.
//!
//! CRC-32 is the one of `cksum`, without its final inversion; CRC-32C has no final inversion
//! either. SHA-1 has its words in the byte order of the host. `sha256` is the last block that is
//! hashed, padding included, with the low byte of each word of the state in its first 8 bytes: 8 of
//! 32 bytes of the digest, of a message whose length is little-endian. `sha512` has no digest: it
//! is the buffer of a hash that is never finished, so that only the first and the last 128 bytes of
//! the body are compared. fio 3.41 finishes it: the digest, and what the last block that is hashed
//! has behind its first 64 bytes.

use crc::{CRC_32_CKSUM, CRC_64_REDIS, Crc, Table};
use sha2::Digest;
use sha2::block_api::compress256;
use workload::{SealLayout, SealMethod as Method};

use super::checksum::Checksum;

pub(crate) const SUM_BYTES_MAX: usize = 128;

static CRC32: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_CKSUM);
static CRC64: Crc<u64, Table<16>> = Crc::<u64, Table<16>>::new(&CRC_64_REDIS);

/// Bytes that the checksum takes behind the header.
pub(crate) const fn sum_bytes(method: Method) -> usize {
    match method {
        Method::XxHash => 4,
        Method::Sha256 => 64,
        Method::Sha512 => 128,
        _ => Checksum::length(method),
    }
}

/// Which header of fio's an interval has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeaderVersion {
    Fio333,
    Fio341,
}

impl HeaderVersion {
    pub(super) fn of_layout(layout: SealLayout) -> Self {
        if layout == SealLayout::Fio341 { Self::Fio341 } else { Self::Fio333 }
    }

    /// Length of the header without the checksum of the body.
    pub(super) const fn fixed_bytes(self) -> usize {
        match self {
            Self::Fio333 => 40,
            Self::Fio341 => 48,
        }
    }

    /// Length of the header with its checksum; 0 for methods without one.
    pub(super) const fn header_bytes(self, method: Method) -> usize {
        if method.has_header() { self.fixed_bytes() + sum_bytes(method) } else { 0 }
    }

    /// Where the bytes of the header's own checksum end.
    pub(super) const fn covered_bytes(self) -> usize {
        self.fixed_bytes() - 4
    }
}

/// A stored checksum; of a `sha512` of a short body, fio leaves the rest of its place as it is.
#[derive(Debug, Clone)]
pub(crate) struct StoredSum {
    bytes: [u8; SUM_BYTES_MAX],
    length: usize,
}

impl StoredSum {
    /// Of a body in parts.
    #[inline]
    pub(super) fn of(version: HeaderVersion, method: Method, parts: &[&[u8]]) -> Self {
        let mut sum = Self { bytes: [0; SUM_BYTES_MAX], length: 0 };
        match method {
            Method::Crc32c => {
                let crc = parts.iter().fold(0, |crc, part| crc32c::crc32c_append(crc, part));
                sum.put(&(!crc).to_le_bytes());
            }
            Method::Crc32 => {
                let mut digest = CRC32.digest();
                parts.iter().for_each(|part| digest.update(part));
                sum.put(&(!digest.finalize()).to_le_bytes());
            }
            Method::Crc64 => {
                let mut digest = CRC64.digest();
                parts.iter().for_each(|part| digest.update(part));
                sum.put(&digest.finalize().to_le_bytes());
            }
            Method::XxHash => {
                let mut hasher = twox_hash::XxHash32::with_seed(1);
                parts.iter().for_each(|part| std::hash::Hasher::write(&mut hasher, part));
                sum.put(&hasher.finish_32().to_le_bytes());
            }
            Method::Sha256 => sum.put(&last_block_of_sha256(parts)),
            Method::Sha512 if version == HeaderVersion::Fio341 => sum.put(&finish_sha512(parts)),
            Method::Sha512 => sum.put_buffer_of_sha512(parts),
            _ => {
                let mut checksum = Checksum::new(method);
                parts.iter().for_each(|part| checksum.update(part));
                sum.put(&checksum.finish()[..Checksum::length(method)]);
                if method == Method::Sha1 {
                    sum.bytes[..20]
                        .as_chunks_mut::<4>()
                        .0
                        .iter_mut()
                        .for_each(|word| word.reverse());
                }
            }
        }
        sum
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn put(&mut self, bytes: &[u8]) {
        self.length = bytes.len();
        self.bytes[..bytes.len()].copy_from_slice(bytes);
    }

    /// The first 128 bytes of the body, and over them what is behind its last whole 128.
    fn put_buffer_of_sha512(&mut self, parts: &[&[u8]]) {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let rest = length % SUM_BYTES_MAX;
        self.length = length.min(SUM_BYTES_MAX);
        copy_from_parts(parts, 0, &mut self.bytes[..length.min(SUM_BYTES_MAX)]);
        copy_from_parts(parts, length - rest, &mut self.bytes[..rest]);
    }
}

/// The digest of `parts`, and the end of the last block that is hashed, padding included.
fn finish_sha512(parts: &[&[u8]]) -> [u8; SUM_BYTES_MAX] {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let (rest, bits) = (length % SUM_BYTES_MAX, (length as u128 * 8).to_be_bytes());
    let mut last = [0; SUM_BYTES_MAX];
    // With less room than that the padding goes into a block of its own.
    if rest < SUM_BYTES_MAX - bits.len() {
        copy_from_parts(parts, length - rest, &mut last[..rest]);
        last[rest] = 0x80;
    }
    last[SUM_BYTES_MAX - bits.len()..].copy_from_slice(&bits);
    let mut digest = sha2::Sha512::new();
    parts.iter().for_each(|part| digest.update(part));
    last[..64].copy_from_slice(&digest.finalize());
    last
}

/// Copies the bytes of `parts` from byte `start` on.
fn copy_from_parts(parts: &[&[u8]], start: usize, mut out: &mut [u8]) {
    let mut skip = start;
    for part in parts {
        let from = skip.min(part.len());
        skip -= from;
        let count = (part.len() - from).min(out.len());
        let (now, later) = std::mem::take(&mut out).split_at_mut(count);
        now.copy_from_slice(&part[from..from + count]);
        out = later;
    }
}

const SHA256_START: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

fn last_block_of_sha256(parts: &[&[u8]]) -> [u8; 64] {
    let (mut state, mut block, mut filled, mut length) = (SHA256_START, [0_u8; 64], 0, 0_u64);
    for part in parts {
        length += part.len() as u64;
        let (head, rest) = part.split_at(part.len().min((64 - filled) % 64));
        block[filled..filled + head.len()].copy_from_slice(head);
        filled += head.len();
        if filled == 64 {
            compress256(&mut state, &[block]);
            filled = 0;
        }
        let (blocks, tail) = rest.as_chunks::<64>();
        compress256(&mut state, blocks);
        block[filled..filled + tail.len()].copy_from_slice(tail);
        filled += tail.len();
    }
    block[filled] = 0x80;
    block[filled + 1..].fill(0);
    if filled >= 56 {
        compress256(&mut state, &[block]);
        block.fill(0);
    }
    block[56..].copy_from_slice(&(length * 8).to_le_bytes());
    compress256(&mut state, &[block]);
    for (byte, word) in block.iter_mut().zip(state) {
        *byte = word as u8;
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As fio 3.33 stored them, with verify=METHOD, bs=512, of the first block of a file: the body
    /// is `fill_random` of that seed.
    #[test]
    fn sums_that_fio_wrote() {
        let check = |method, expected: &str| {
            let mut block = vec![0; 512];
            crate::payload::seal::fio_layout::fill_random(0x00a4_cc01_c509_543c, &mut block);
            // The header is that of fio 3.33.
            let body = &block[40 + sum_bytes(method)..];
            let sum = StoredSum::of(HeaderVersion::Fio333, method, &[body]);
            let hex: String = sum.as_slice().iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(hex.starts_with(expected), "{method:?}: {hex}");
            assert_eq!(sum.as_slice().len(), sum_bytes(method), "{method:?}");
        };
        SUMS.iter().for_each(|(method, expected)| check(*method, expected));
    }
    const SUMS: [(Method, &str); 14] = [
        (Method::Md5, "e22c56267c85948a21eb619b2f796104"),
        (Method::Crc64, "466e32dccb148491"),
        (Method::Crc32, "f6a50572"),
        (Method::Crc32c, "41661e24"),
        (Method::Crc16, "d137"),
        (Method::Crc7, "71"),
        (Method::XxHash, "02baa411"),
        (Method::Sha1, "d8d0a88d6e7828ebea04353d4db910c6b4f34ee4"),
        (Method::Sha256, "f4e9825c675a91801c7204ec6a0109f08413b2de5c020f908000000000000000"),
        (Method::Sha512, "a8c0282362c7a13ffc20bd3413ab725fa4e1e5577572149f1c69e32b948cde2c"),
        (Method::Sha3_224, "f58e4f2f289fb4b3721bfd479a56d7f2974e831aeb0225be2a725fe1"),
        (Method::Sha3_256, "75bdaa69e2218fc2300b39a564f356757fb24e2ee176517804a36f913654773d"),
        (Method::Sha3_384, "f64a31abfa1699ddb048cb4a0e7e66b1bd35fea1914590d838c474babb7be0fe"),
        (Method::Sha3_512, "4318de45fcb36a89dd6d113560451bb28c5326b5e55f0638cc3ee479afe0fe54"),
    ];

    proptest! {
        #[test]
        fn bodies_may_be_in_parts(
            bytes in prop::collection::vec(any::<u8>(), 1..400),
            first: prop::sample::Index,
            second: prop::sample::Index,
        ) {
            let (low, high) = (first.index(bytes.len()), second.index(bytes.len()));
            let (low, high) = (low.min(high), low.max(high));
            let parts = [&bytes[..low], &bytes[low..high], &bytes[high..]];
            for (method, _) in Method::NAMES {
                for version in [HeaderVersion::Fio333, HeaderVersion::Fio341] {
                    let whole = StoredSum::of(version, method, &[&bytes]);
                    let cut = StoredSum::of(version, method, &parts);
                    prop_assert_eq!(cut.as_slice(), whole.as_slice());
                }
            }
        }
    }
}
