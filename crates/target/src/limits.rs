//! Bounds on files of our own.

use units::Bytes;

/// The least test file: small file systems deserve an answer, too.
pub(crate) const SIZE_MIN: Bytes = Bytes::mib(16);
/// The header keeps 1 MiB to itself, so that the measured span starts aligned to any stripe.
pub(crate) const HEADER: Bytes = Bytes::mib(1);

/// The largest file that this process may write (`ulimit -f`); `None` without a limit.
pub fn file_size_limit() -> Option<Bytes> {
    rustix::process::getrlimit(rustix::process::Resource::Fsize).current.map(Bytes)
}
