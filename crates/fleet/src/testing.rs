//! What the fuzzing of everything that is read from the network has in common.
//!
//! `cargo xtask fuzz --seconds 600 fleet` does it for ten minutes;
//! without it, each target is fuzzed for two seconds.

use lab::fuzz::{Fuzzer, JSON_TOKENS, Random};

/// All the memory that the process may have: the tests run beside each other in one. Each may
/// unpack the largest parcel, and make a record of it.
const MEMORY_MAX: u64 = 4 << 30;

/// Jobs of fio as they travel: they touch nothing.
pub(crate) const JOBS: &str = r#"{"sources":[{"file":true,"stonewall":false,"defaults":[
    {"name":"ioengine","value":"null"},{"name":"size","value":"1m"},{"name":"numjobs","value":"2"}],
    "jobs":[{"name":"a","above":3,"own":[{"name":"rw","value":"randread"},
    {"name":"iodepth","value":"16"}]},{"name":"b","above":3,"own":[{"name":"stonewall"}]}]}]}"#;

/// Changes `seeds` at random and gives each change to `case`, for as long as is asked.
pub(crate) fn fuzz(name: &str, seeds: &[Vec<u8>], case: &mut dyn FnMut(&mut Random, &[u8])) {
    let fuzzer = Fuzzer {
        name,
        seeds,
        tokens: JSON_TOKENS,
        seconds: "FLEET_FUZZ_SECONDS",
        memory_max: MEMORY_MAX,
    };
    fuzzer.run(case);
}
