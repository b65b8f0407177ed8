//! Where a worker runs, and with what standing: applied by the worker's own thread.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::FileTypeExt as _;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use workload::{IoClass, IoPriority, Placement};

/// ioprio_set(2): one process (or thread).
const IOPRIO_WHO_PROCESS: libc::c_int = 1;
/// set_mempolicy(2): take memory from this node while it has some.
const MPOL_PREFERRED: libc::c_int = 1;
/// The lowest of SCHED_FIFO, which is above every niceness.
const FIFO_PRIORITY: libc::c_int = 1;
/// While it is open, idle processors sleep no deeper than lets them wake within the microseconds
/// written to it.
const LATENCY_REQUEST: &str = "/dev/cpu_dma_latency";
/// What requests of an ordinary thread have.
const PLAIN_IO_PRIORITY: IoPriority = IoPriority { class: IoClass::BestEffort, level: 4 };

/// Applies `placement` to the calling thread, worker `worker` of its job, before it asks for
/// memory.
pub(crate) fn apply_placement(
    placement: &Placement,
    worker: u64,
) -> Result<(), (&'static str, io::Error)> {
    let failed = |attempt: &'static str| move |error: io::Error| (attempt, error);
    if !placement.cpus.is_empty() {
        pin_thread(placement, worker).map_err(failed("use the processors asked for"))?;
    }
    if let Some(node) = placement.numa_node {
        prefer_numa_node(node).map_err(failed("prefer memory of the NUMA node"))?;
    }
    if let Some(priority) = placement.io_priority {
        set_io_priority(priority).map_err(failed("set the I/O priority"))?;
    }
    if let Some(nice) = placement.nice {
        set_nice(nice).map_err(failed("set the niceness"))?;
    }
    Ok(())
}

/// Gives the calling thread real-time priority (SCHED_FIFO), so that it starts operations at their
/// times. It must not spin: nothing else would run on its processor. The priority of its I/O stays
/// that of an ordinary thread. The error is a note: why this host does not permit it.
pub(crate) fn set_realtime_priority() -> Result<(), String> {
    let note = |why: &dyn std::fmt::Display| {
        format!("other programs may delay the replay: its thread has no real-time priority ({why})")
    };
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        return Err(note(&"one processor"));
    }
    // SAFETY: this call takes numbers only; 0 is the calling thread.
    let io_priority = unsafe { libc::syscall(libc::SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0) };
    // SAFETY: as above.
    let niceness = unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
    // Where none is set, the kernel gives 0 or that of an ordinary thread.
    let is_plain = [0, i64::from(PLAIN_IO_PRIORITY.ioprio())].contains(&io_priority);
    if niceness > 0 || !is_plain {
        return Err(note(&"it was started with nice or ionice"));
    }
    set_io_priority(PLAIN_IO_PRIORITY).and_then(|()| set_fifo()).map_err(|error| note(&error))
}

/// Keeps idle processors awake while the returned file is open: it asks the kernel that none takes
/// time to wake (PM QoS). On a VM, 1 % of the wakes of a thread of real-time priority were later
/// than 88 to 200 us on processors that sleep, and than 38 to 46 us on those that are awake.
/// The error is a note: why this host does not permit it.
pub(crate) fn keep_processors_awake() -> Result<File, String> {
    let ask = || {
        let mut file = File::options().write(true).open(LATENCY_REQUEST)?;
        if !file.metadata()?.file_type().is_char_device() {
            return Err(io::Error::other("no device"));
        }
        file.write_all(&0_i32.to_ne_bytes())?;
        Ok(file)
    };
    ask().map_err(|error| {
        format!(
            "idle processors may wake late: they cannot be kept awake ({LATENCY_REQUEST}: {error})"
        )
    })
}

fn set_fifo() -> io::Result<()> {
    // SAFETY: a structure of numbers; musl's has more of them than glibc's.
    let mut priority: libc::sched_param = unsafe { std::mem::zeroed() };
    priority.sched_priority = FIFO_PRIORITY;
    // SAFETY: the kernel reads the numbers, which outlive the call; 0 is the calling thread.
    check_result(i64::from(unsafe {
        libc::sched_setscheduler(
            0,
            libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK,
            &raw const priority,
        )
    }))
}

/// Changes of processor where there are more workers than processors.
#[derive(Debug)]
pub(crate) struct CpuRotation {
    processors: Vec<usize>,
    place: usize,
}

impl CpuRotation {
    /// Over the processors that this thread may use; `None` when there is only one.
    pub(crate) fn new(place: usize) -> Option<Self> {
        let allowed = sched_getaffinity(None).ok()?;
        let processors: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&c| allowed.is_set(c)).collect();
        (processors.len() > 1).then_some(Self { processors, place })
    }

    pub(crate) fn move_thread(&self, index: i64) {
        let number = self.place.wrapping_add(index.unsigned_abs() as usize);
        let mut set = CpuSet::new();
        set.set(self.processors[number % self.processors.len()]);
        // A processor may have been taken away meanwhile: then it stays where it is.
        let _ = sched_setaffinity(None, &set);
    }
}

fn pin_thread(placement: &Placement, worker: u64) -> io::Result<()> {
    let mut set = CpuSet::new();
    let most = CpuSet::MAX_CPU as u32;
    let mut add = |cpu: u32| {
        if cpu >= most {
            let text = format!("processor {cpu} is beyond the {most} that Linux numbers");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        set.set(cpu as usize);
        Ok(())
    };
    if placement.one_cpu_each {
        add(placement.cpus[worker as usize % placement.cpus.len()])?;
    } else {
        placement.cpus.iter().try_for_each(|&cpu| add(cpu))?;
    }
    Ok(sched_setaffinity(None, &set)?)
}

fn prefer_numa_node(node: u32) -> io::Result<()> {
    let bits = u64::BITS;
    if node >= bits {
        return Err(io::Error::from_raw_os_error(libc::EINVAL));
    }
    let mask = 1_u64 << node;
    // SAFETY: the kernel reads one 64-bit mask, which outlives the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_set_mempolicy,
            MPOL_PREFERRED,
            &raw const mask,
            // The kernel reads one bit less than this number.
            u64::from(bits) + 1,
        )
    };
    check_result(result)
}

fn set_io_priority(priority: IoPriority) -> io::Result<()> {
    let value = libc::c_int::from(priority.ioprio());
    // SAFETY: the call takes numbers only; 0 is the calling thread.
    check_result(unsafe { libc::syscall(libc::SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, value) })
}

fn set_nice(nice: i8) -> io::Result<()> {
    // SAFETY: the call takes numbers only; 0 is the calling thread: Linux keeps niceness per
    // thread.
    check_result(i64::from(unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, i32::from(nice)) }))
}

fn check_result(result: libc::c_long) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;
    use workload::IoClass;

    /// Applies on a thread of its own, and looks there.
    fn on_a_thread<T: Send + 'static>(
        placement: Placement,
        worker: u64,
        look: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, (&'static str, io::Error)> {
        let work = move || apply_placement(&placement, worker).map(|()| look());
        std::thread::spawn(work).join().unwrap()
    }

    fn processors() -> Vec<u32> {
        let set = rustix::thread::sched_getaffinity(None).unwrap();
        (0..1024).filter(|&cpu| set.is_set(cpu as usize)).collect()
    }

    #[test]
    fn workers_run_where_they_are_put() {
        let all = processors();
        let last = *all.last().unwrap();
        let one = Placement { cpus: vec![last], ..Placement::default() };
        assert_eq!(on_a_thread(one, 0, processors).unwrap(), [last]);
        let each = Placement { cpus: all.clone(), one_cpu_each: true, ..Placement::default() };
        for worker in 0..3_usize {
            let expected = all[worker % all.len()];
            assert_eq!(on_a_thread(each.clone(), worker as u64, processors).unwrap(), [expected]);
        }
        let (attempt, _) =
            on_a_thread(Placement { cpus: vec![5000], ..Placement::default() }, 0, || ())
                .unwrap_err();
        assert!(attempt.contains("processors"));
    }

    #[test]
    fn members_of_a_crowd_change_places_in_step() {
        let all = processors();
        if all.len() < 2 {
            return;
        }
        let at = |place: usize, index: i64| {
            let look = move || {
                CpuRotation::new(place).unwrap().move_thread(index);
                processors()
            };
            on_a_thread(Placement::default(), 0, look).unwrap()
        };
        for index in 0..3 {
            for place in 0..3 {
                assert_eq!(at(place, index), [all[(place + index as usize) % all.len()]]);
            }
        }
    }

    #[test]
    fn a_thread_has_real_time_priority_or_says_why_not() {
        let look = || {
            let result = set_realtime_priority();
            // SAFETY: these calls take numbers only.
            let policy = unsafe { libc::sched_getscheduler(0) };
            // SAFETY: as above.
            let io = unsafe { libc::syscall(libc::SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0) };
            (result, policy, io)
        };
        let (result, policy, io) = on_a_thread(Placement::default(), 0, look).unwrap();
        match result {
            Ok(()) => {
                assert_eq!(policy, libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK);
                assert_eq!(io, i64::from(PLAIN_IO_PRIORITY.ioprio()));
            }
            Err(note) => assert!(note.contains("no real-time priority"), "{note}"),
        }
    }

    #[test]
    fn idle_processors_are_kept_awake_or_it_says_why_not() {
        let held = match keep_processors_awake() {
            Ok(held) => held,
            Err(note) => return assert!(note.contains("/dev/cpu_dma_latency: "), "{note}"),
        };
        let mut asked_us = [0xFF; 4];
        File::open(LATENCY_REQUEST).unwrap().read_exact(&mut asked_us).unwrap();
        assert_eq!(i32::from_ne_bytes(asked_us), 0);
        drop(held);
    }

    #[test]
    fn standing_is_set_for_the_thread_alone() {
        let priority = IoPriority { class: IoClass::Idle, level: 7 };
        let placement =
            Placement { nice: Some(7), io_priority: Some(priority), ..Placement::default() };
        // SAFETY: these calls take numbers only.
        let look = || unsafe {
            (
                libc::getpriority(libc::PRIO_PROCESS, 0),
                libc::syscall(libc::SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0),
            )
        };
        let before = look();
        let (nice, io) = on_a_thread(placement, 0, look).unwrap();
        assert_eq!((nice, io), (7, priority.ioprio().into()));
        assert_eq!(look(), before, "the test's own thread is as it was");
    }
}
