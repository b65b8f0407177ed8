//! `truedisk agent` and `truedisk fleet`: many hosts, as namespaces of this machine, on a real
//! NATS server.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's helpers may fail the test")]
#![allow(clippy::print_stdout, reason = "figures, for whoever runs it with --nocapture")]

#[path = "../support/mod.rs"]
mod support;

#[path = "../support/field.rs"]
mod field;

#[path = "../support/token.rs"]
mod token;

mod exchanged;
mod failures;
mod fio;
mod here;
mod launching;
mod refusals;
mod shared;
mod stream;
