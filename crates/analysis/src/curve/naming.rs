//! What workloads are called.

use units::Bytes;
use workload::{Access, Mix};

/// For programs (`randread-4k`, `read-1m`) and for people (`random read 4k`, `sequential read 1m`).
pub fn curve_name(access: &Access, mix: Mix, block_size: Bytes) -> (String, String) {
    let size = block_size.to_compact();
    let (short, long) = match access {
        Access::Sequential => ("", "sequential "),
        _ => ("rand", "random "),
    };
    let (verb, words) = match mix {
        Mix::Read => ("read", "read"),
        Mix::Write => ("write", "write"),
        Mix::Trim => ("trim", "trim"),
        Mix::TrimWrite => ("trimwrite", "trim and write"),
        Mix::Mixed { read_percent } => {
            let order = long.strip_prefix("random ").unwrap_or(long);
            let words = format!("{order}{read_percent}/{} mix {size}", 100 - read_percent);
            return (format!("{short}rw{read_percent}-{size}"), words);
        }
    };
    (format!("{short}{verb}-{size}"), format!("{long}{words} {size}"))
}

/// `random read`.
pub(crate) fn workload_name(access: &Access, mix: Mix) -> String {
    let size = Bytes::kib(4);
    let name = curve_name(access, mix, size).1;
    name.strip_suffix(&format!(" {}", size.to_compact())).unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workloads_have_names_for_programs_and_for_people() {
        let check = |access: Access, mix, size, short: &str, long: &str| {
            let (name, label) = curve_name(&access, mix, Bytes::kib(size));
            assert_eq!((name.as_str(), label.as_str()), (short, long));
        };
        let mixed = Mix::Mixed { read_percent: 75 };
        check(Access::Random, Mix::Read, 4, "randread-4k", "random read 4k");
        check(Access::Sequential, Mix::Write, 1024, "write-1m", "sequential write 1m");
        check(Access::Random, mixed, 8, "randrw75-8k", "75/25 mix 8k");
        check(Access::Sequential, mixed, 8, "rw75-8k", "sequential 75/25 mix 8k");
    }
}
