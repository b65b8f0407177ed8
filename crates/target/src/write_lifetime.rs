//! How long written data is expected to live: a hint to the device.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

/// fcntl(2), since Linux 4.13: F_LINUX_SPECIFIC_BASE + 12.
const F_SET_RW_HINT: libc::c_int = 1036;

/// An expected life time of data; `RWH_WRITE_LIFE_*` of fcntl(2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteLifetime {
    None = 1,
    Short = 2,
    Medium = 3,
    Long = 4,
    Extreme = 5,
}

/// Tells the kernel how long data in `file` is expected to live.
pub fn set_lifetime_hint(file: &File, lifetime: WriteLifetime) -> io::Result<()> {
    call_hint(file, F_SET_RW_HINT, lifetime as u64).map(|_| ())
}

fn call_hint(file: &File, call: libc::c_int, mut value: u64) -> io::Result<u64> {
    // SAFETY: both calls take a pointer to 64 bits, which outlive them, and keep none.
    let result = unsafe { libc::fcntl(file.as_raw_fd(), call, &raw mut value) };
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
        assert_eq!(call_hint(&file, F_GET_RW_HINT, 9).unwrap(), 0, "none was given");
        for lifetime in [WriteLifetime::None, WriteLifetime::Short, WriteLifetime::Extreme] {
            set_lifetime_hint(&file, lifetime).unwrap();
            assert_eq!(call_hint(&file, F_GET_RW_HINT, 9).unwrap(), lifetime as u64);
        }
    }
}
