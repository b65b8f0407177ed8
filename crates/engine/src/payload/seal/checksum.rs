//! Checksums of bodies behind one trait, so that each method gets code of its own.

use crc::{CRC_7_MMC, CRC_16_ARC, CRC_64_XZ, Crc, Table};
use sha2::Digest as _;

use workload::SealMethod as Method;

/// Bytes of the longest checksum.
pub(crate) const CHECKSUM_BYTES_MAX: usize = 64;

/// A checksum in the making.
pub(crate) trait Checksum: Sized {
    /// Its length in bytes.
    const BYTES: usize;
    /// Of nothing yet.
    fn new() -> Self;
    /// Takes the next bytes.
    fn update(&mut self, bytes: &[u8]);
    /// Puts it at the start of `out`.
    fn finish(self, out: &mut [u8; CHECKSUM_BYTES_MAX]);
}

/// Something to be done with the checksum of a method, chosen once.
pub(crate) trait ChecksumTask {
    type Out;
    fn run<S: Checksum>(self) -> Self::Out;
}

/// Runs `job` with the checksum of `method`.
#[inline]
pub(crate) fn run_with_checksum<J: ChecksumTask>(method: Method, job: J) -> J::Out {
    match method {
        Method::Crc32c => job.run::<Crc32c>(),
        Method::Crc32 => job.run::<Crc32>(),
        Method::Crc16 => job.run::<Crc16>(),
        Method::Crc64 => job.run::<Crc64>(),
        Method::Crc7 => job.run::<Crc7>(),
        Method::Md5 => job.run::<Md5>(),
        Method::Sha1 => job.run::<Sha1>(),
        Method::Sha224 => job.run::<Sha224>(),
        Method::Sha256 => job.run::<Sha256>(),
        Method::Sha512 => job.run::<Sha512>(),
        Method::XxHash => job.run::<XxHash>(),
        Method::Meta | Method::Pattern | Method::PatternHeader | Method::Null => {
            job.run::<NoChecksum>()
        }
    }
}

/// No checksum.
pub(crate) struct NoChecksum;

impl Checksum for NoChecksum {
    const BYTES: usize = 0;
    #[inline]
    fn new() -> Self {
        Self
    }
    #[inline]
    fn update(&mut self, _bytes: &[u8]) {}
    #[inline]
    fn finish(self, _out: &mut [u8; CHECKSUM_BYTES_MAX]) {}
}

/// CRC-32C (Castagnoli), as in RFC 3720.
pub(crate) struct Crc32c(u32);

impl Checksum for Crc32c {
    const BYTES: usize = 4;
    #[inline]
    fn new() -> Self {
        Self(0)
    }
    #[inline]
    fn update(&mut self, bytes: &[u8]) {
        self.0 = crc32c::crc32c_append(self.0, bytes);
    }
    #[inline]
    fn finish(self, out: &mut [u8; CHECKSUM_BYTES_MAX]) {
        out[..4].copy_from_slice(&self.0.to_le_bytes());
    }
}

/// CRC-32 of Ethernet and zip.
pub(crate) struct Crc32(crc32fast::Hasher);

impl Checksum for Crc32 {
    const BYTES: usize = 4;
    #[inline]
    fn new() -> Self {
        Self(crc32fast::Hasher::new())
    }
    #[inline]
    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
    #[inline]
    fn finish(self, out: &mut [u8; CHECKSUM_BYTES_MAX]) {
        out[..4].copy_from_slice(&self.0.finalize().to_le_bytes());
    }
}

/// XXH64 with seed 0.
pub(crate) struct XxHash(twox_hash::XxHash64);

impl Checksum for XxHash {
    const BYTES: usize = 8;
    #[inline]
    fn new() -> Self {
        Self(twox_hash::XxHash64::with_seed(0))
    }
    #[inline]
    fn update(&mut self, bytes: &[u8]) {
        std::hash::Hasher::write(&mut self.0, bytes);
    }
    #[inline]
    fn finish(self, out: &mut [u8; CHECKSUM_BYTES_MAX]) {
        out[..8].copy_from_slice(&std::hash::Hasher::finish(&self.0).to_le_bytes());
    }
}

/// A CRC by table, 16 bytes a step.
macro_rules! by_table {
    ($name:ident, $table:ident, $word:ty, $algorithm:ident, $what:literal) => {
        static $table: Crc<$word, Table<16>> = Crc::<$word, Table<16>>::new(&$algorithm);

        #[doc = $what]
        pub(crate) struct $name(crc::Digest<'static, $word, Table<16>>);

        impl Checksum for $name {
            const BYTES: usize = size_of::<$word>();
            #[inline]
            fn new() -> Self {
                Self($table.digest())
            }
            #[inline]
            fn update(&mut self, bytes: &[u8]) {
                self.0.update(bytes);
            }
            #[inline]
            fn finish(self, out: &mut [u8; CHECKSUM_BYTES_MAX]) {
                out[..Self::BYTES].copy_from_slice(&self.0.finalize().to_le_bytes());
            }
        }
    };
}

by_table!(Crc7, CRC7, u8, CRC_7_MMC, "CRC-7 of SD cards, in the low bits of a byte.");
by_table!(Crc16, CRC16, u16, CRC_16_ARC, "CRC-16/ARC.");
by_table!(Crc64, CRC64, u64, CRC_64_XZ, "CRC-64/XZ.");

/// A digest of RustCrypto's.
macro_rules! by_digest {
    ($name:ident, $digest:ty, $bytes:literal, $what:literal) => {
        #[doc = $what]
        pub(crate) struct $name($digest);

        impl Checksum for $name {
            const BYTES: usize = $bytes;
            #[inline]
            fn new() -> Self {
                Self(<$digest>::new())
            }
            #[inline]
            fn update(&mut self, bytes: &[u8]) {
                self.0.update(bytes);
            }
            #[inline]
            fn finish(self, out: &mut [u8; CHECKSUM_BYTES_MAX]) {
                out[..$bytes].copy_from_slice(&self.0.finalize());
            }
        }
    };
}

by_digest!(Md5, md5::Md5, 16, "MD5.");
by_digest!(Sha1, sha1::Sha1, 20, "SHA-1.");
by_digest!(Sha224, sha2::Sha224, 28, "SHA-224.");
by_digest!(Sha256, sha2::Sha256, 32, "SHA-256.");
by_digest!(Sha512, sha2::Sha512, 64, "SHA-512.");

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums the text in one go, or cut in two, or byte by byte.
    struct Of<'a>(&'a [u8], usize);

    impl ChecksumTask for Of<'_> {
        type Out = String;
        fn run<S: Checksum>(self) -> String {
            let (mut sum, mut out) = (S::new(), [0; CHECKSUM_BYTES_MAX]);
            self.0.chunks(self.1).for_each(|part| sum.update(part));
            sum.finish(&mut out);
            assert!(out[S::BYTES..].iter().all(|&byte| byte == 0));
            out[..S::BYTES].iter().map(|byte| format!("{byte:02x}")).collect()
        }
    }

    #[test]
    fn check_values() {
        // Of "123456789": CRCs as in the catalogue that crc-catalog repeats, digests by Python's
        // hashlib, XXH64 by a second implementation from its specification. Numbers are
        // little-endian here.
        let check = |method: Method, expected: &str| {
            for cut in [9, 5, 1] {
                assert_eq!(
                    run_with_checksum(method, Of(b"123456789", cut)),
                    expected,
                    "{method:?}"
                );
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
        assert_eq!(run_with_checksum(Method::XxHash, Of(b"", 1)), "99e9d85137db46ef");
    }

    #[test]
    fn long_bodies_may_be_cut_anywhere() {
        let bytes: Vec<u8> = (0..3000_u32).map(|i| ((i * i) >> 3) as u8).collect();
        for method in Method::ALL {
            let whole = run_with_checksum(method, Of(&bytes, bytes.len()));
            for cut in [1, 63, 64, 700] {
                assert_eq!(run_with_checksum(method, Of(&bytes, cut)), whole, "{method:?} {cut}");
            }
        }
    }
}
