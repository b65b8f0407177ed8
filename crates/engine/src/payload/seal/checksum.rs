//! Checksums of bodies, one per method.

use crc::{CRC_7_MMC, CRC_16_ARC, CRC_64_XZ, Crc, Digest, Table};
use sha2::Digest as _;
use workload::SealMethod as Method;

pub(crate) const CHECKSUM_BYTES_MAX: usize = 64;

/// CRCs by table, 16 bytes a step.
static CRC7: Crc<u8, Table<16>> = Crc::<u8, Table<16>>::new(&CRC_7_MMC);
static CRC16: Crc<u16, Table<16>> = Crc::<u16, Table<16>>::new(&CRC_16_ARC);
static CRC64: Crc<u64, Table<16>> = Crc::<u64, Table<16>>::new(&CRC_64_XZ);

pub(crate) enum Checksum {
    None,
    /// Castagnoli, as in RFC 3720.
    Crc32c(u32),
    /// Of Ethernet and zip.
    Crc32(crc32fast::Hasher),
    /// Of SD cards, in the low bits of a byte.
    Crc7(Digest<'static, u8, Table<16>>),
    Crc16(Digest<'static, u16, Table<16>>),
    Crc64(Digest<'static, u64, Table<16>>),
    Md5(md5::Md5),
    Sha1(sha1::Sha1),
    Sha224(sha2::Sha224),
    Sha256(sha2::Sha256),
    Sha512(sha2::Sha512),
    Sha3_224(sha3::Sha3_224),
    Sha3_256(sha3::Sha3_256),
    Sha3_384(sha3::Sha3_384),
    Sha3_512(sha3::Sha3_512),
    /// XXH64 with seed 0.
    XxHash(twox_hash::XxHash64),
}

impl Checksum {
    #[inline]
    pub(crate) const fn length(method: Method) -> usize {
        match method {
            Method::Meta | Method::Pattern | Method::PatternHeader | Method::Null => 0,
            Method::Crc7 => 1,
            Method::Crc16 => 2,
            Method::Crc32c | Method::Crc32 => 4,
            Method::Crc64 | Method::XxHash => 8,
            Method::Md5 => 16,
            Method::Sha1 => 20,
            Method::Sha224 => 28,
            Method::Sha256 => 32,
            Method::Sha3_224 => 28,
            Method::Sha3_256 => 32,
            Method::Sha3_384 => 48,
            Method::Sha512 | Method::Sha3_512 => 64,
        }
    }

    #[inline]
    pub(crate) fn new(method: Method) -> Self {
        match method {
            Method::Meta | Method::Pattern | Method::PatternHeader | Method::Null => Self::None,
            Method::Crc32c => Self::Crc32c(0),
            Method::Crc32 => Self::Crc32(crc32fast::Hasher::new()),
            Method::Crc7 => Self::Crc7(CRC7.digest()),
            Method::Crc16 => Self::Crc16(CRC16.digest()),
            Method::Crc64 => Self::Crc64(CRC64.digest()),
            Method::Md5 => Self::Md5(md5::Md5::new()),
            Method::Sha1 => Self::Sha1(sha1::Sha1::new()),
            Method::Sha224 => Self::Sha224(sha2::Sha224::new()),
            Method::Sha256 => Self::Sha256(sha2::Sha256::new()),
            Method::Sha512 => Self::Sha512(sha2::Sha512::new()),
            Method::Sha3_224 => Self::Sha3_224(sha3::Sha3_224::new()),
            Method::Sha3_256 => Self::Sha3_256(sha3::Sha3_256::new()),
            Method::Sha3_384 => Self::Sha3_384(sha3::Sha3_384::new()),
            Method::Sha3_512 => Self::Sha3_512(sha3::Sha3_512::new()),
            Method::XxHash => Self::XxHash(twox_hash::XxHash64::with_seed(0)),
        }
    }

    #[inline]
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::None => {}
            Self::Crc32c(crc) => *crc = crc32c::crc32c_append(*crc, bytes),
            Self::Crc32(hasher) => hasher.update(bytes),
            Self::Crc7(digest) => digest.update(bytes),
            Self::Crc16(digest) => digest.update(bytes),
            Self::Crc64(digest) => digest.update(bytes),
            Self::Md5(digest) => digest.update(bytes),
            Self::Sha1(digest) => digest.update(bytes),
            Self::Sha224(digest) => digest.update(bytes),
            Self::Sha256(digest) => digest.update(bytes),
            Self::Sha512(digest) => digest.update(bytes),
            Self::Sha3_224(digest) => digest.update(bytes),
            Self::Sha3_256(digest) => digest.update(bytes),
            Self::Sha3_384(digest) => digest.update(bytes),
            Self::Sha3_512(digest) => digest.update(bytes),
            Self::XxHash(hasher) => std::hash::Hasher::write(hasher, bytes),
        }
    }

    /// The checksum at the start of the array.
    #[inline]
    pub(crate) fn finish(self) -> [u8; CHECKSUM_BYTES_MAX] {
        let mut out = [0; CHECKSUM_BYTES_MAX];
        let mut put = |bytes: &[u8]| out[..bytes.len()].copy_from_slice(bytes);
        match self {
            Self::None => {}
            Self::Crc32c(crc) => put(&crc.to_le_bytes()),
            Self::Crc32(hasher) => put(&hasher.finalize().to_le_bytes()),
            Self::Crc7(digest) => put(&digest.finalize().to_le_bytes()),
            Self::Crc16(digest) => put(&digest.finalize().to_le_bytes()),
            Self::Crc64(digest) => put(&digest.finalize().to_le_bytes()),
            Self::Md5(digest) => put(&digest.finalize()),
            Self::Sha1(digest) => put(&digest.finalize()),
            Self::Sha224(digest) => put(&digest.finalize()),
            Self::Sha256(digest) => put(&digest.finalize()),
            Self::Sha512(digest) => put(&digest.finalize()),
            Self::Sha3_224(digest) => put(&digest.finalize()),
            Self::Sha3_256(digest) => put(&digest.finalize()),
            Self::Sha3_384(digest) => put(&digest.finalize()),
            Self::Sha3_512(digest) => put(&digest.finalize()),
            Self::XxHash(hasher) => put(&std::hash::Hasher::finish(&hasher).to_le_bytes()),
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of a text that is taken in parts of `part` bytes.
    fn sum(method: Method, text: &[u8], part: usize) -> String {
        let mut sum = Checksum::new(method);
        text.chunks(part).for_each(|part| sum.update(part));
        let length = Checksum::length(method);
        let out = sum.finish();
        assert!(out[length..].iter().all(|&byte| byte == 0));
        out[..length].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn check_values() {
        // Of "123456789": CRCs as in the catalogue that crc-catalog repeats, digests by Python's
        // hashlib, XXH64 by a second implementation from its specification. Numbers are
        // little-endian here.
        let check = |method: Method, expected: &str| {
            for cut in [9, 5, 1] {
                assert_eq!(sum(method, b"123456789", cut), expected, "{method:?}");
            }
        };
        check(Method::Crc32c, "839206e3");
        check(Method::Crc32, "2639f4cb");
        check(Method::Crc16, "3dbb");
        check(Method::Crc64, "fa3919dfbbc95d99");
        check(Method::Crc7, "75");
        check(Method::XxHash, "83aee640db41b88c");
        check(Method::Md5, "25f9e794323b453885f5181f1b624d0b");
        check(Method::Sha1, "f7c3bc1d808e04732adf679965ccc34ca7ae3441");
        check(Method::Sha224, "9b3e61bf29f17c75572fae2e86e17809a4513d07c8a18152acf34521");
        check(Method::Sha256, "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225");
        check(
            Method::Sha512,
            "d9e6762dd1c8eaf6d61b3c6192fc408d4d6d5f1176d0c29169bc24e71c3f274a\
             d27fcd5811b313d681f7e55ec02d73d499c95455b6b5bb503acf574fba8ffe85",
        );
        check(Method::Meta, "");
        // The first vector of the specification of XXH64.
        assert_eq!(sum(Method::XxHash, b"", 1), "99e9d85137db46ef");
    }

    #[test]
    fn long_bodies_may_be_cut_anywhere() {
        let bytes: Vec<u8> = (0..3000_u32).map(|i| ((i * i) >> 3) as u8).collect();
        for (method, _) in Method::NAMES {
            let whole = sum(method, &bytes, bytes.len());
            for cut in [1, 63, 64, 700] {
                assert_eq!(sum(method, &bytes, cut), whole, "{method:?} {cut}");
            }
        }
    }
}
