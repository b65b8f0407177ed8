//! `truedisk agent` and `truedisk fleet`: many hosts, as namespaces of this machine, on a real
//! NATS server.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's helpers may fail the test")]
#![allow(clippy::print_stdout, reason = "figures, for a run with --nocapture")]

mod support;

mod fleet {
    mod exchanged;
    mod failures;
    mod fio;
    mod launching;
    mod many;
    mod others;
    mod permissions;
    mod refusals;
    mod replay;
    mod shared;
    mod slow_disks;
    mod stream;
    mod waves;
}
