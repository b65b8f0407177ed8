//! How long what is written to a file is expected to live: a hint to the device.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

/// fcntl(2), since Linux 4.13: F_LINUX_SPECIFIC_BASE + 12.
const F_SET_RW_HINT: libc::c_int = 1036;

/// An expected life time of data; `RWH_WRITE_LIFE_*` of fcntl(2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteLifetime {
    /// None in particular.
    None = 1,
    /// Short.
    Short = 2,
    /// Longer than short.
    Medium = 3,
    /// Longer than medium.
    Long = 4,
    /// Longer than long.
    Extreme = 5,
}

/// Tells the kernel how long what is written to `file`, by whomever, is expected to live.
///
/// # Errors
/// The system's own, where the kernel or what the file is on takes no such hint.
pub fn set_lifetime_hint(file: &File, lifetime: WriteLifetime) -> io::Result<()> {
    set_hint(file, F_SET_RW_HINT, lifetime as u64).map(|_| ())
}

fn set_hint(file: &File, what: libc::c_int, mut value: u64) -> io::Result<u64> {
    // SAFETY: both calls take a pointer to 64 bits, which outlive them, and keep none.
    let result = unsafe { libc::fcntl(file.as_raw_fd(), what, &raw mut value) };
    if result == 0 { Ok(value) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_disk;

    /// The same, + 11.
    const F_GET_RW_HINT: libc::c_int = 1035;

    #[test]
    fn the_kernel_knows_the_hint_afterwards() {
        let folder = on_disk();
        let file = File::create(folder.path().join("hinted")).unwrap();
        assert_eq!(set_hint(&file, F_GET_RW_HINT, 9).unwrap(), 0, "none was given");
        for lifetime in [WriteLifetime::None, WriteLifetime::Short, WriteLifetime::Extreme] {
            set_lifetime_hint(&file, lifetime).unwrap();
            assert_eq!(set_hint(&file, F_GET_RW_HINT, 9).unwrap(), lifetime as u64);
        }
    }
}
