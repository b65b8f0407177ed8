//! `truedisk agent` and `truedisk fleet`: many hosts, as namespaces of this machine, on a real
//! NATS server.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's helpers may fail the test")]
#![allow(clippy::print_stdout, reason = "figures, for a run with --nocapture")]

mod support;

mod fleet {
    /// Tests run in the order of their names. One that measures alone waits until all others have
    /// ended, and keeps the next ones waiting meanwhile: these are the first.
    mod alone {
        mod fio_sums;
        mod others;
        mod shared;
        mod slow_disks;
    }
    mod exchanged;
    mod failures;
    mod fio;
    mod launching;
    mod many;
    mod permissions;
    mod refusals;
    mod replay;
    mod stream;
    mod waves;
}
