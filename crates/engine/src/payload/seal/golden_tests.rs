//! Blocks as version 1 wrote them. If one of these fails, targets that were written before can no
//! longer be verified: make a new version instead.
//!
//! The vectors come from a second implementation of the format, in Python, from its table.

use crate::payload::seal::tests::{odd_pattern, plan, sealed, settings};
use workload::SealMethod as Method;

use crate::payload::seal::SealSettings;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn fields_are_where_the_table_says() {
    let plan = plan(SealSettings { seed: 0x0102_0304_0506_0708, ..settings(Method::Sha512) });
    let block = sealed(&plan, 1000, 0x1112_1314_1516_1718, 0x2122_2324_2526_2728);
    assert_eq!(hex(&block[..4]), hex(b"tdsl"));
    assert_eq!(block[4..8], crc32c::crc32c(&block[8..120]).to_le_bytes());
    assert_eq!(hex(&block[8..16]), "010a7800e8030000");
    assert_eq!(hex(&block[16..40]), "080706050403020118171615141312112827262524232221");
    assert_eq!(hex(&block[40..56]), "07ca9a3b000000000300000000000000");
    use sha2::Digest as _;
    assert_eq!(block[56..120], *sha2::Sha512::digest(&block[120..]));
}

#[test]
fn a_small_block() {
    let block = sealed(&plan(settings(Method::Crc32c)), 96, 8192, 7);
    assert_eq!(hex(&block), SMALL);
    assert_eq!(plan(settings(Method::Crc32c)).check(&block, 8192, Some(7)), Ok(()));
}
const SMALL: &str = "\
    7464736c4f6e140601013c00600000002a0000000000000000200000000000000700000000000000\
    07ca9a3b000000000300000000000000872b24fe527f7ac4f51cad3321b232bf61a93d7de4047d65\
    639ef954c90549a5f6f27c53b283b41d";

#[test]
fn whole_blocks() {
    // Method, interval, header offset, pattern body, CRC-32 of the block of 8192 bytes.
    for (method, interval, header_offset, pattern, expected) in BLOCKS {
        let mut settings = SealSettings { interval, header_offset, ..settings(method) };
        if pattern {
            settings.pattern = odd_pattern();
        }
        let found = crc32fast::hash(&sealed(&plan(settings), 8192, 12_288, 7));
        assert_eq!(found, expected, "{method:?} {interval} {header_offset} {pattern}");
    }
}
const BLOCKS: [(Method, u32, u32, bool, u32); 21] = [
    (Method::Crc32c, 0, 0, false, 0x7792_5195),
    (Method::Crc32, 0, 0, false, 0xAF5B_B885),
    (Method::Crc16, 0, 0, false, 0x27B9_0783),
    (Method::Crc64, 0, 0, false, 0xE871_045A),
    (Method::Crc7, 0, 0, false, 0xEEE5_CD0D),
    (Method::Md5, 0, 0, false, 0x708C_A024),
    (Method::Sha1, 0, 0, false, 0x7CB7_42FE),
    (Method::Sha224, 0, 0, false, 0x5000_1132),
    (Method::Sha256, 0, 0, false, 0xECD6_9BAA),
    (Method::Sha512, 0, 0, false, 0xE1B7_B6CA),
    (Method::XxHash, 0, 0, false, 0xF930_BFA9),
    (Method::Meta, 0, 0, false, 0xFC27_D845),
    (Method::Pattern, 0, 0, false, 0x9593_1093),
    (Method::PatternHeader, 0, 0, false, 0x73AA_C399),
    (Method::Null, 0, 0, false, 0x15FC_557D),
    (Method::Crc32c, 512, 0, false, 0x3F4C_065D),
    (Method::Crc32c, 1024, 300, false, 0x3BCC_AE80),
    (Method::Md5, 2048, 500, true, 0x0479_792D),
    (Method::XxHash, 0, 4000, true, 0x9019_0922),
    (Method::PatternHeader, 512, 13, true, 0x2536_A6DA),
    (Method::Null, 0, 0, true, 0x9593_1093),
];
