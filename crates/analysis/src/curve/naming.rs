//! What workloads are called.

use message::{Message, messages};
use units::{Bytes, Depth};
use workload::{Access, Mix};

/// For programs (`randread-4k`, `read-1m`) and for people (`random read 4k`, `sequential read 1m`).
pub fn curve_name(access: &Access, mix: Mix, block_size: Bytes) -> (String, Message) {
    let block_size = block_size.to_compact();
    let order = if *access == Access::Sequential { "" } else { "rand" };
    let verb = match mix {
        Mix::Read => "read".to_owned(),
        Mix::Write => "write".to_owned(),
        Mix::Trim => "trim".to_owned(),
        Mix::TrimWrite => "trimwrite".to_owned(),
        Mix::Mixed { read_percent } => format!("rw{read_percent}"),
    };
    let name = format!("{order}{verb}-{block_size}");
    (name, WorkloadOfSize { workload: workload_name(access, mix), block_size }.into())
}

/// `random read`.
pub fn workload_name(access: &Access, mix: Mix) -> Message {
    let order = if *access == Access::Sequential { "sequential" } else { "random" };
    match mix {
        Mix::Read => WorkloadRead { order }.into(),
        Mix::Write => WorkloadWrite { order }.into(),
        Mix::Trim => WorkloadTrim { order }.into(),
        Mix::TrimWrite => WorkloadTrimWrite { order }.into(),
        Mix::Mixed { read_percent } => {
            let reads = u32::from(read_percent);
            WorkloadMix { order, reads, writes: 100 - reads }.into()
        }
    }
}

/// `random read 4k beside random write 4k`.
pub fn describe_beside(first: Message, second: Message) -> Message {
    WorkloadBeside { first, second }.into()
}

messages! {
    /// `order`, here and below, is `random` or `sequential`: the words choose by it.
    WorkloadRead = "workload-read" { order: &'static str };
    WorkloadWrite = "workload-write" { order: &'static str };
    WorkloadTrim = "workload-trim" { order: &'static str };
    WorkloadTrimWrite = "workload-trim-write" { order: &'static str };
    WorkloadMix = "workload-mix" { order: &'static str, reads: u32, writes: u32 };
    WorkloadOfSize = "workload-of-size" { workload: Message, block_size: String };
    /// Two jobs at the same time.
    WorkloadBeside = "workload-beside" { first: Message, second: Message };
    WorkloadAtDepth = "workload-at-depth" { workload: Message, depth: Depth };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workloads_have_names_for_programs_and_for_people() {
        let check = |access: Access, mix, size, short: &str, long: &str| {
            let (name, label) = curve_name(&access, mix, Bytes::kib(size));
            assert_eq!((name.as_str(), label.text()), (short, long));
        };
        let mixed = Mix::Mixed { read_percent: 75 };
        check(Access::Random, Mix::Read, 4, "randread-4k", "random read 4k");
        check(Access::Sequential, Mix::Write, 1024, "write-1m", "sequential write 1m");
        check(Access::Random, mixed, 8, "randrw75-8k", "75/25 mix 8k");
        check(Access::Sequential, mixed, 8, "rw75-8k", "sequential 75/25 mix 8k");
    }
}
