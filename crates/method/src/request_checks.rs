//! Whether operations fit: into memory, into the target, and into what is measured of it.

use units::Bytes;

use crate::error::{MethodError, refuse};

/// The least blocks that are measured: fewer are no workload of any order.
const BLOCKS_MIN: u64 = 4;

pub(crate) fn check_memory(sizes: &[Bytes], depth: u32, most: Bytes) -> Result<(), MethodError> {
    for &size in sizes {
        let memory = Bytes(size.0.saturating_mul(u64::from(depth)));
        if memory > most {
            let size = size.to_compact();
            let what = format!("{depth} operations of {size} at the same time need {memory}");
            return refuse(what, format!("stay below {most}"));
        }
    }
    Ok(())
}

pub(crate) fn check_block_sizes(
    sizes: &[Bytes],
    sector: Bytes,
    span: Bytes,
) -> Result<(), MethodError> {
    let sector = sector.max(Bytes(1));
    for &size in sizes {
        if size.0 % sector.0 != 0 {
            let what =
                format!("a block size of {size} is not a multiple of the sector of {sector}");
            return refuse(what, format!("use multiples of {sector}"));
        }
        if size.0.saturating_mul(BLOCKS_MIN) > span.0 {
            let what = format!("blocks of {size} are too large for the {span} that are measured");
            return refuse(what, "measure more: --size");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of the refusal; none where it fits.
    fn refused(result: Result<(), MethodError>) -> String {
        result.map_or_else(
            |error| {
                assert!(error.kind() == units::ErrorKind::WrongRequest && error.hint().is_some());
                error.to_string()
            },
            |()| String::new(),
        )
    }

    #[test]
    fn memory_is_that_of_all_operations_together() {
        let check = |size, depth| refused(check_memory(&[Bytes(512), size], depth, Bytes::gib(1)));
        assert_eq!(check(Bytes::mib(1), 1024), "");
        assert!(check(Bytes::mib(1), 1025).contains("1025 operations of 1m"));
        assert!(check(Bytes(u64::MAX), u32::MAX).contains("at the same time need"));
    }

    #[test]
    fn blocks_are_whole_sectors_and_several_fit() {
        let check = |size, sector| {
            refused(check_block_sizes(&[Bytes(size)], Bytes(sector), Bytes::mib(16)))
        };
        assert_eq!(check(4096, 4096), "");
        assert_eq!(check(4 << 20, 512), "");
        assert_eq!(check(513, 0), "");
        assert!(check(512, 4096).contains("not a multiple of the sector of 4 KiB"));
        assert!(check((4 << 20) + 512, 512).contains("too large for the 16 MiB"));
        assert!(check(u64::MAX, 1).contains("too large"));
    }
}
