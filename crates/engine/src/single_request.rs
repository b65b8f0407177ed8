//! Single requests: one at a time, by the caller's own thread, for callers that report each while
//! the next one waits. Between the two readings of the clock lie the calls that are measured, and
//! nothing else.

use std::fs::File;
use std::io;
use std::num::NonZeroU64;
use std::os::fd::AsRawFd as _;
use std::sync::Arc;

use rustix::fs::{Advice, fadvise};
use units::Bytes;
use workload::{Direction, DurableWrites, SyncKind, TrimKind};

use crate::arena::Arena;
use crate::backend::{
    Backend, Blocking, Libaio, Perform, Request, Simulated, SimulatedDevice, SyscallFamily,
    SyscallMode, sync_file,
};
use crate::clock::Clock;
use crate::target::{Target, TargetMedium};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SingleOptions {
    /// Through Linux's older asynchronous interface, waited for one at a time.
    pub submitted: bool,
    /// RWF_NOWAIT: what would block fails with EAGAIN.
    pub nowait: bool,
    /// RWF_HIPRI: completion is polled for, where the device can be.
    pub hipri: bool,
    /// Every write waits until it is durable, by a flag of its own.
    pub durable: Option<DurableWrites>,
    /// Before each request its range is dropped from the page cache; not timed.
    pub forget: bool,
    /// fdatasync after each write, as part of its time.
    pub settle: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reply {
    /// Clock reading just before the call.
    pub began_ns: u64,
    /// Clock reading just after it, and after the sync where there is one.
    pub ended_ns: u64,
    /// Bytes moved, or the system's error number.
    pub moved: Result<u32, i32>,
}

#[derive(Debug, thiserror::Error)]
pub enum SingleRequestError {
    #[error("cannot {attempt}: {source}")]
    Arm {
        /// `allocate a buffer`, `set up asynchronous I/O`.
        attempt: &'static str,
        source: io::Error,
    },
    #[error("the page cache of this target cannot be dropped: {0}")]
    Forget(io::Error),
    #[error("the kernel does not take this request: {0}")]
    Submit(io::Error),
    #[error("fdatasync failed: {0}")]
    Settle(io::Error),
}

enum SingleBackend {
    Blocking(Blocking),
    Submitted(Libaio),
    Simulated(SimulatedDevice),
    Nothing,
}

/// Makes requests of one size on one target, one at a time.
pub struct SingleRequester {
    backend: SingleBackend,
    file: Option<Arc<File>>,
    options: SingleOptions,
    arena: Arena,
    size: Bytes,
    clock: Clock,
}

// SAFETY: the addresses inside are those of memory that it owns and that does not move with it;
// between two calls no request is outstanding.
unsafe impl Send for SingleRequester {}

impl SingleRequester {
    /// For requests of `size`, at least 1 byte and less than 2 GiB, on `target`; fails when the
    /// system gives no memory or no context.
    pub fn new(
        target: &Target,
        size: Bytes,
        options: SingleOptions,
        clock: &Clock,
    ) -> Result<Self, SingleRequestError> {
        let arm = |attempt| move |source| SingleRequestError::Arm { attempt, source };
        let arena = Arena::new(size.0 as usize).map_err(arm("allocate a buffer"))?;
        let (backend, file) = match &target.medium {
            TargetMedium::File(file) => {
                let backend = open_backend(file, options);
                (backend.map_err(arm("set up asynchronous I/O"))?, Some(file.clone()))
            }
            TargetMedium::Simulated(device) => (SingleBackend::Simulated(device.clone()), None),
            TargetMedium::Null => (SingleBackend::Nothing, None),
            TargetMedium::Name(_) | TargetMedium::Socket(_) => {
                return Err(arm("read or write a name")(io::ErrorKind::InvalidInput.into()));
            }
        };
        Ok(Self { backend, file, options, arena, size, clock: *clock })
    }

    /// The memory that is written from and read into.
    pub fn buffer(&mut self) -> &mut [u8] {
        let size = self.size.0 as usize;
        &mut self.arena.as_mut_slice()[..size]
    }

    /// The time on the clock that stamps replies: the device's own where it is simulated.
    pub fn now(&self) -> u64 {
        match &self.backend {
            SingleBackend::Simulated(device) => device.now_ns(),
            _ => self.clock.now(),
        }
    }

    /// Lets the virtual clock of a simulated device pass until `until_ns`; `false` of any other.
    pub fn advance_virtual_clock(&mut self, until_ns: u64) -> bool {
        let SingleBackend::Simulated(device) = &self.backend else { return false };
        Simulated::new(device, 1, None).sleep(&self.clock, until_ns);
        true
    }

    /// Asks the kernel not to read ahead in this range, which it is free to do all the same.
    pub fn disable_readahead(&self, offset: Bytes, length: Bytes) -> io::Result<()> {
        self.advise(offset, length, Advice::Random)
    }

    fn advise(&self, offset: Bytes, length: Bytes, advice: Advice) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        Ok(fadvise(&**file, offset.0, NonZeroU64::new(length.0), advice)?)
    }

    /// Reads or writes at `offset` and waits for it. A failure of the request itself is in the
    /// reply; an error is one of dropping the cache before, submitting, or syncing after.
    pub fn request(
        &mut self,
        direction: Direction,
        offset: Bytes,
    ) -> Result<Reply, SingleRequestError> {
        if self.options.forget {
            let dropped = self.advise(offset, self.size, Advice::DontNeed);
            dropped.map_err(SingleRequestError::Forget)?;
        }
        let request = Request {
            direction,
            target: 0,
            offset: offset.0,
            buffer: self.arena.pointer_at(0),
            length: self.size.0 as u32,
            ioprio: 0,
        };
        let settles = self.options.settle && direction == Direction::Write;
        if let SingleBackend::Simulated(device) = &self.backend {
            return request_simulated(device, &request, settles, &self.clock);
        }
        let began_ns = self.clock.now();
        let result = match &mut self.backend {
            SingleBackend::Blocking(backend) => Ok(backend.perform(&request)),
            SingleBackend::Submitted(backend) => complete_one(backend, &request),
            SingleBackend::Simulated(_) | SingleBackend::Nothing => Ok(request.length as i32),
        };
        let result = result.map_err(SingleRequestError::Submit)?;
        if let Some(file) = self.file.as_ref().filter(|_| settles && result >= 0) {
            let error = sync_file(file.as_raw_fd(), SyncKind::Fdatasync);
            if error < 0 {
                return Err(SingleRequestError::Settle(io::Error::from_raw_os_error(-error)));
            }
        }
        Ok(Reply { began_ns, ended_ns: self.clock.now(), moved: to_moved(result) })
    }
}

/// Bytes, or an error number.
fn to_moved(result: i32) -> Result<u32, i32> {
    u32::try_from(result).map_err(|_| -result)
}

fn open_backend(file: &File, options: SingleOptions) -> io::Result<SingleBackend> {
    let flags =
        i32::from(options.nowait) * libc::RWF_NOWAIT + i32::from(options.hipri) * libc::RWF_HIPRI;
    let write_flags = SyscallMode::durability_flags(options.durable);
    let (files, sync) = (vec![file.as_raw_fd()], SyncKind::Fdatasync);
    if options.submitted {
        let mut backend = Libaio::new(1, files, sync, flags | write_flags)?;
        backend.read_flags = flags;
        return Ok(SingleBackend::Submitted(backend));
    }
    // Writes that wait for durability need the call that takes flags.
    let is_plain = flags == 0 && write_flags == 0;
    let calls = if is_plain { SyscallFamily::Psync } else { SyscallFamily::Pvsync2(flags) };
    let mode = SyscallMode { sync, trim: TrimKind::Discard, write_flags, device: false };
    Ok(SingleBackend::Blocking(Blocking { files, calls, mode }))
}

#[inline]
fn complete_one<B: Backend>(backend: &mut B, request: &Request) -> io::Result<i32> {
    backend.queue(0, request);
    loop {
        backend.submit_and_wait()?;
        if let Some((_, result)) = backend.reap() {
            return Ok(result);
        }
    }
}

fn request_simulated(
    device: &SimulatedDevice,
    request: &Request,
    settle: bool,
    clock: &Clock,
) -> Result<Reply, SingleRequestError> {
    let mut backend = Simulated::new(device, 1, None);
    let began_ns = backend.now(clock);
    let result = complete_one(&mut backend, request).map_err(SingleRequestError::Submit)?;
    if settle && result >= 0 {
        let sync = Request { direction: Direction::Sync, length: 0, ..*request };
        complete_one(&mut backend, &sync).map_err(SingleRequestError::Settle)?;
    }
    Ok(Reply { began_ns, ended_ns: backend.now(clock), moved: to_moved(result) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulated::{DeviceModel, Medium};
    use std::io::Write as _;
    use workload::TargetLimits;

    const SIZE: Bytes = Bytes::kib(4);

    fn of(file: File, length: u64) -> Target {
        let limits = TargetLimits { size: Bytes(length), offset_align: Bytes(1), writable: true };
        Target::new(file, limits, Bytes(4096))
    }

    fn with(target: &Target, manner: SingleOptions) -> SingleRequester {
        SingleRequester::new(target, SIZE, manner, &Clock::monotonic()).unwrap()
    }

    #[test]
    fn every_way_reads_and_writes_the_bytes_that_were_meant() {
        let mut file = tempfile::tempfile_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        file.write_all(&[7; 4096]).unwrap();
        file.write_all(&[9; 4096]).unwrap();
        let target = of(file, 8192);
        let plain = SingleOptions::default();
        let ways = [
            plain,
            SingleOptions { forget: true, settle: true, ..plain },
            SingleOptions { submitted: true, ..plain },
            SingleOptions { submitted: true, durable: Some(DurableWrites::Data), ..plain },
            SingleOptions { hipri: true, durable: Some(DurableWrites::DataAndMetadata), ..plain },
        ];
        for (number, manner) in ways.into_iter().enumerate() {
            let mut single = with(&target, manner);
            single.disable_readahead(Bytes(0), Bytes(8192)).unwrap();
            let reply = single.request(Direction::Read, SIZE).unwrap();
            assert_eq!(reply.moved, Ok(4096), "{manner:?}");
            assert!(reply.ended_ns > reply.began_ns);
            assert!(single.buffer().iter().all(|byte| *byte == 9), "{manner:?}");
            single.buffer().fill(number as u8 + 20);
            assert_eq!(single.request(Direction::Write, Bytes(0)).unwrap().moved, Ok(4096));
            single.buffer().fill(0);
            single.request(Direction::Read, Bytes(0)).unwrap();
            assert!(single.buffer().iter().all(|byte| *byte == number as u8 + 20), "{manner:?}");
        }
    }

    #[test]
    fn a_short_read_and_a_failure_are_in_the_reply() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(5000).unwrap();
        let target = of(File::open(file.path()).unwrap(), 5000);
        let mut single = with(&target, SingleOptions::default());
        assert_eq!(single.request(Direction::Read, SIZE).unwrap().moved, Ok(904));
        assert_eq!(single.request(Direction::Write, SIZE).unwrap().moved, Err(libc::EBADF));
    }

    #[test]
    fn what_cannot_be_forgotten_says_so() {
        let (reader, _writer) = io::pipe().unwrap();
        let file = File::from(std::os::fd::OwnedFd::from(reader));
        let target = of(file, 0);
        let mut single = with(&target, SingleOptions { forget: true, ..SingleOptions::default() });
        let error = single.request(Direction::Read, Bytes(0)).unwrap_err();
        assert!(matches!(error, SingleRequestError::Forget(_)), "{error}");
    }

    #[test]
    fn a_simulated_device_is_waited_for_in_its_own_time() {
        let medium = Medium::Ram { service_ns: 90_000, bytes_per_second: 1e12 };
        let law = DeviceModel::new(1 << 30, medium);
        let target = Target::simulated(SimulatedDevice::new(law, 1), Bytes::gib(1));
        let mut single = with(&target, SingleOptions::default());
        let reply = single.request(Direction::Read, Bytes(0)).unwrap();
        let took = reply.ended_ns - reply.began_ns;
        assert!((90_000..91_000).contains(&took), "{took}");
        let until = single.now() + 1_000_000_000;
        assert!(single.advance_virtual_clock(until));
        assert_eq!(single.now(), until);
    }
}
