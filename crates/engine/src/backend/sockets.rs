//! Blocks over a connection.

use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use rustix::net::sockopt::{Timeout, set_socket_timeout};
use workload::Direction;

use super::interface::{Request, to_completion_result};
use super::one_at_a_time::Perform;

/// What fio sends last, over any connection.
pub const LINK_CLOSE: [u8; 8] = *b"knil\x89\0\0\0";
/// Begins what fio puts at the end of a datagram: this, the number of the datagram, its length.
const DATAGRAM_MARK: u64 = 0x6573_7571_6e55_6563;
const DATAGRAM_TAIL: usize = 24;
/// A call without data comes back after this time, so that a job can end.
const CALL_MAX: Duration = Duration::from_millis(100);
/// The other end is lost after as many calls without data, a minute.
const SILENT_CALLS_MAX: u32 = 600;

/// One end of a connection.
#[derive(Debug)]
pub(crate) struct SocketEnd {
    pub(crate) socket: OwnedFd,
    pub(crate) datagrams: bool,
    sent: AtomicU64,
    expected: AtomicU64,
    is_closed: AtomicBool,
    /// Calls without data since the last data.
    silent_calls: AtomicU32,
    /// Datagrams that were missing between others.
    pub(crate) dropped: AtomicU64,
}

impl SocketEnd {
    pub(crate) fn new(socket: OwnedFd, datagrams: bool) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&socket, false)?;
        for way in [Timeout::Recv, Timeout::Send] {
            set_socket_timeout(&socket, way, Some(CALL_MAX))?;
        }
        let [sent, expected, dropped] = [0; 3].map(AtomicU64::new);
        let (is_closed, silent_calls) = Default::default();
        Ok(Self { socket, datagrams, sent, expected, is_closed, silent_calls, dropped })
    }

    /// The `result` of a call, but an error after a minute without data.
    fn check_silence(&self, result: i32) -> i32 {
        let is_silent = result == -libc::EAGAIN;
        let calls = if is_silent { self.silent_calls.load(Ordering::Relaxed) + 1 } else { 0 };
        self.silent_calls.store(calls, Ordering::Relaxed);
        if calls < SILENT_CALLS_MAX { result } else { -libc::ETIMEDOUT }
    }

    fn number_datagram(&self, block: &mut [u8]) {
        let length = block.len() as u64;
        let Some(tail) = block.last_chunk_mut::<DATAGRAM_TAIL>() else { return };
        let number = self.sent.fetch_add(1, Ordering::Relaxed);
        for (part, value) in tail.chunks_exact_mut(8).zip([DATAGRAM_MARK, number, length]) {
            part.copy_from_slice(&value.to_le_bytes());
        }
    }

    fn count_dropped(&self, block: &[u8]) {
        let Some(tail) = block.last_chunk::<DATAGRAM_TAIL>() else { return };
        let word = |at: usize| tail[at..].first_chunk().map_or(0, |part| u64::from_le_bytes(*part));
        if word(0) != DATAGRAM_MARK || word(16) != block.len() as u64 {
            return;
        }
        let expected = self.expected.swap(word(8).wrapping_add(1), Ordering::Relaxed);
        self.dropped.fetch_add(word(8).saturating_sub(expected), Ordering::Relaxed);
    }
}

#[derive(Debug)]
pub(crate) struct Sockets<S> {
    end: Arc<SocketEnd>,
    /// Each block is answered by one of the same length.
    answers: bool,
    is_stopped: S,
}

impl<S: Fn() -> bool> Sockets<S> {
    pub(crate) fn new(end: Arc<SocketEnd>, answers: bool, is_stopped: S) -> Self {
        Self { end, answers, is_stopped }
    }

    /// Bytes received; 0 after what closes the connection; a negative error number.
    fn receive(&self, block: &mut [u8]) -> i32 {
        if self.end.is_closed.load(Ordering::Relaxed) {
            return 0;
        }
        let flags = if self.end.datagrams { 0 } else { libc::MSG_WAITALL };
        // SAFETY: the kernel writes no more than the length of the slice, which is exclusive.
        let moved = to_completion_result(unsafe {
            let socket = self.end.socket.as_raw_fd();
            libc::recv(socket, block.as_mut_ptr().cast(), block.len(), flags)
        });
        let came = match moved {
            0 => return -libc::ECONNRESET,
            _ => block.get(..moved.max(0) as usize).unwrap_or_default(),
        };
        if self.end.datagrams {
            self.end.count_dropped(came);
        }
        // It follows the part of a block that its sender did not finish.
        let Some(data) = came.strip_suffix(&LINK_CLOSE) else {
            return self.end.check_silence(moved);
        };
        self.end.is_closed.store(true, Ordering::Relaxed);
        data.len() as i32
    }

    fn send(&self, block: &mut [u8]) -> i32 {
        let mut flags = libc::MSG_NOSIGNAL;
        if self.end.datagrams {
            self.end.number_datagram(block);
        } else if !self.answers {
            flags |= libc::MSG_MORE; // as fio
        }
        // SAFETY: the kernel reads no more than the length of the slice.
        let send = || unsafe {
            let socket = self.end.socket.as_raw_fd();
            to_completion_result(libc::send(socket, block.as_ptr().cast(), block.len(), flags))
        };
        self.end.check_silence(match send() {
            // Of an earlier datagram: nobody has to receive them.
            refused if self.end.datagrams && refused == -libc::ECONNREFUSED => send(),
            result => result,
        })
    }

    /// The length of `block`; 0 where the connection ended; a negative error number.
    fn move_whole(&self, move_part: impl Fn(&Self, &mut [u8]) -> i32, block: &mut [u8]) -> i32 {
        let mut moved = 0;
        while moved < block.len() {
            match move_part(self, &mut block[moved..]) {
                result if result == -libc::EAGAIN && !(self.is_stopped)() => {}
                result if result <= 0 => return result,
                more => moved += more as usize,
            }
        }
        moved as i32
    }
}

impl<S: Fn() -> bool> Perform for Sockets<S> {
    fn perform(&self, request: &Request) -> i32 {
        // SAFETY: the buffer is valid and exclusive for `length` bytes until this call returns
        // (contract of `Backend`).
        let block =
            unsafe { std::slice::from_raw_parts_mut(request.buffer, request.length as usize) };
        match (request.direction, self.answers) {
            (Direction::Read, false) => self.receive(block),
            (Direction::Write, false) => self.send(block),
            (Direction::Read, true) => match self.move_whole(Self::receive, block) {
                ended if ended <= 0 => ended,
                _ => self.move_whole(Self::send, block),
            },
            (Direction::Write, true) => match self.move_whole(Self::send, block) {
                ended if ended <= 0 => ended,
                _ => self.move_whole(Self::receive, block),
            },
            (Direction::Sync | Direction::Trim, _) => -libc::EINVAL,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::{UnixDatagram, UnixStream};

    fn sockets(end: impl Into<OwnedFd>, datagrams: bool) -> Sockets<impl Fn() -> bool> {
        let end = SocketEnd::new(end.into(), datagrams).unwrap();
        Sockets::new(Arc::new(end), false, || false)
    }

    #[test]
    fn missing_datagrams_are_counted() {
        let (one, other) = UnixDatagram::pair().unwrap();
        let (sender, receiver) = (sockets(one, true), sockets(other, true));
        let mut block = [7; 512];
        for number in [0, 1, 4, 5, 9, 10] {
            sender.end.sent.store(number, Ordering::Relaxed);
            assert_eq!(sender.send(&mut block), 512);
            assert_eq!(receiver.receive(&mut block), 512);
        }
        assert_eq!(receiver.end.dropped.load(Ordering::Relaxed), 2 + 3);
        assert_eq!(sender.send(&mut LINK_CLOSE.clone()), 8);
        assert_eq!(receiver.receive(&mut block), 0);
    }

    #[test]
    fn an_end_that_says_so_is_told_from_a_lost_one() {
        let check = |sent: &[u8], expected: [i32; 2]| {
            let (one, other) = UnixStream::pair().unwrap();
            assert_eq!(sockets(one, false).send(&mut sent.to_vec()), sent.len() as i32);
            let receiver = sockets(other, false);
            let results = expected.map(|_| receiver.receive(&mut [0; 16]));
            assert_eq!(results, expected, "{sent:?}");
        };
        let part = [&[7; 5][..], &LINK_CLOSE].concat();
        check(&LINK_CLOSE, [0, 0]);
        check(&part, [5, 0]);
        check(&part[..9], [9, -libc::ECONNRESET]);
    }

    #[test]
    fn a_silent_end_is_lost_in_the_end() {
        let (one, _silent) = UnixStream::pair().unwrap();
        let receiver = sockets(one, false);
        let before = SILENT_CALLS_MAX - 2;
        receiver.end.silent_calls.store(before, Ordering::Relaxed);
        let results = [(); 2].map(|()| receiver.receive(&mut [0; 16]));
        assert_eq!(results, [-libc::EAGAIN, -libc::ETIMEDOUT]);
    }
}
