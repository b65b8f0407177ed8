//! The NVMe command that reads a log page of a disk (Get Log Page, by the kernel's passthrough).

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

/// `NVME_IOCTL_ADMIN_CMD` of linux/nvme_ioctl.h: `_IOWR('N', 0x41, struct nvme_admin_cmd)`.
const ADMIN_COMMAND: libc::Ioctl = 0xC048_4E41_u32 as libc::Ioctl;
const GET_LOG_PAGE: u8 = 0x02;
const TIMEOUT_MS: u32 = 1000;

/// `struct nvme_passthru_cmd` of linux/nvme_ioctl.h: 72 bytes.
#[repr(C)]
#[derive(Default)]
struct Command {
    opcode: u8,
    flags: u8,
    reserved: u16,
    namespace: u32,
    words_2_3: [u32; 2],
    metadata: u64,
    address: u64,
    metadata_length: u32,
    data_length: u32,
    words_10_15: [u32; 6],
    timeout_ms: u32,
    result: u32,
}

/// A log page of `N` bytes.
pub(crate) struct LogPage<const N: usize> {
    pub(crate) id: u8,
    pub(crate) namespace: u32,
    /// Units of four bytes that are asked for, less one.
    pub(crate) words: u16,
}

pub(crate) fn read_log_page<const N: usize>(file: &File, of: &LogPage<N>) -> io::Result<[u8; N]> {
    // Twice the room: EBS's page is asked for with one word more than its bytes.
    let mut page = [[0_u8; N]; 2];
    let mut command = Command {
        opcode: GET_LOG_PAGE,
        namespace: of.namespace,
        address: page.as_mut_ptr() as u64,
        data_length: N as u32,
        words_10_15: [u32::from(of.id) | (u32::from(of.words) << 16), 0, 0, 0, 0, 0],
        timeout_ms: TIMEOUT_MS,
        ..Command::default()
    };
    // SAFETY: the command has the kernel's layout and outlives the call; it names `page`, which
    // has more than the length it says and outlives the call, too. A file that is no NVMe device
    // refuses the request by its number, without looking at the argument.
    let status = unsafe { libc::ioctl(file.as_raw_fd(), ADMIN_COMMAND, &raw mut command) };
    match status {
        0 => Ok(page[0]),
        status if status < 0 => Err(io::Error::last_os_error()),
        status => Err(io::Error::other(format!("NVMe status {status:#x}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_has_the_size_that_its_number_says() {
        assert_eq!(std::mem::size_of::<Command>(), (ADMIN_COMMAND as usize >> 16) & 0x3FFF);
    }

    #[test]
    fn a_file_has_no_page_and_makes_no_noise() {
        let folder = tempfile::tempdir().unwrap();
        let file = File::create(folder.path().join("x")).unwrap();
        assert!(read_log_page(&file, &LogPage::<512> { id: 2, namespace: 1, words: 127 }).is_err());
    }
}
