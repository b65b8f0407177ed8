//! What makes a block the one that was written: the options of fio as a seal.

use fio::options::engine::Engine;
use fio::options::parse::WRITES;
use fio::options::pattern::PatternOptions;
use fio::options::verify::{VerifyLayout, VerifyMethod, VerifyOptions};
use fio::plan::Section;
use workload::{Seal, SealLayout, SealMethod};

/// One seed, so that a job can verify what another wrote.
const SEAL_SEED: u64 = 0x7D15C;

pub(super) fn choose_method(section: &Section) -> Option<SealMethod> {
    let options = &section.options.verify;
    // A pattern without a method is compared.
    let pattern = options.pattern.as_ref().map(|_| SealMethod::Pattern);
    let method = map_method(options.method).or(pattern)?;
    // As in fio: what a null engine reads is nothing, and is not compared.
    Some(match section.options.engine.engine {
        Engine::Null => SealMethod::Null,
        _ => method,
    })
}

pub(super) fn build_seal(
    options: &VerifyOptions,
    method: SealMethod,
    sizes: &PatternOptions,
) -> Seal {
    let (pattern, offsets) = match &options.pattern {
        Some(pattern) => (pattern.bytes.clone(), &pattern.offsets[..]),
        None => (Vec::new(), &[][..]),
    };
    Seal {
        method,
        layout: match options.layout {
            VerifyLayout::Fio => SealLayout::Fio,
            VerifyLayout::Fio341 => SealLayout::Fio341,
            VerifyLayout::Own => SealLayout::Own,
        },
        interval: choose_interval(options.interval, sizes),
        header_offset: options.offset as u32,
        pattern,
        pattern_offsets: offsets.iter().map(|at| *at as u32).collect(),
        pattern_interval: options.pattern_interval as u32,
        seed: Some(SEAL_SEED),
        writes_before: 0,
    }
}

/// The interval divides all writes: the one asked for, if it does, else their greatest common
/// divisor, where fio takes that of the smallest and the largest. Blocks of any length have one
/// header each: 0.
fn choose_interval(asked: u64, sizes: &PatternOptions) -> u32 {
    if sizes.bs_unaligned {
        return 0;
    }
    let least = sizes.min_bs(WRITES);
    let mut all = vec![least, sizes.max_bs(WRITES)];
    all.extend(sizes.bssplit[WRITES].iter().map(|share| share.size));
    let common = all.iter().fold(0, |a, b| greatest_common_divisor(a, *b));
    let asked = if asked == 0 { least } else { asked.min(least) };
    let interval = if common.is_multiple_of(asked.max(1)) { asked } else { common };
    u32::try_from(interval).unwrap_or(0)
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

fn map_method(method: VerifyMethod) -> Option<SealMethod> {
    Some(match method {
        VerifyMethod::None => return None,
        VerifyMethod::Null => SealMethod::Null,
        VerifyMethod::Md5 => SealMethod::Md5,
        VerifyMethod::Crc7 => SealMethod::Crc7,
        VerifyMethod::Crc16 => SealMethod::Crc16,
        VerifyMethod::Crc32 => SealMethod::Crc32,
        VerifyMethod::Crc32c => SealMethod::Crc32c,
        VerifyMethod::Crc64 => SealMethod::Crc64,
        VerifyMethod::Sha1 => SealMethod::Sha1,
        VerifyMethod::Sha256 => SealMethod::Sha256,
        VerifyMethod::Sha512 => SealMethod::Sha512,
        VerifyMethod::Sha3_224 => SealMethod::Sha3_224,
        VerifyMethod::Sha3_256 => SealMethod::Sha3_256,
        VerifyMethod::Sha3_384 => SealMethod::Sha3_384,
        VerifyMethod::Sha3_512 => SealMethod::Sha3_512,
        VerifyMethod::Xxhash => SealMethod::XxHash,
        VerifyMethod::Pattern => SealMethod::Pattern,
        VerifyMethod::PatternHeader => SealMethod::PatternHeader,
        VerifyMethod::HeaderOnly => SealMethod::Meta,
    })
}

#[cfg(test)]
mod tests {
    use fio::options::sizes::SizeRange;

    use super::*;

    #[test]
    fn the_interval_divides_all_writes() {
        let check = |asked, (least, most), expected| {
            let mut sizes = PatternOptions::default();
            sizes.bsrange[WRITES] = Some(SizeRange { min: least, max: most });
            assert_eq!(choose_interval(asked, &sizes), expected, "{asked} {least} {most}");
        };
        check(0, (4096, 4096), 4096);
        check(1024, (4096, 8192), 1024);
        check(0, (4096, 65_536), 4096);
        check(8192, (4096, 65_536), 4096);
        check(1000, (4096, 6144), 2048);
    }
}
