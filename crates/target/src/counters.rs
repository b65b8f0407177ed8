//! The kernel's counters: what the process was charged, what the devices served, what the host
//! did meanwhile.

use std::path::Path;
use std::time::Instant;

use record::{Layer, LayerCounters, ProcessCounters, SystemCounters};
use units::{Bytes, Nanos};

use crate::roots::Roots;

/// `/sys/block/X/stat` counts in 512-byte units, whatever the sector size.
const STAT_SECTOR: u64 = 512;

/// The counters at one instant.
#[derive(Debug, Clone)]
pub struct CounterSnapshot {
    at: Instant,
    process: Option<ProcessCounters>,
    layers: Vec<(String, Vec<u64>)>,
    system: Option<SystemSnapshot>,
}

#[derive(Debug, Clone, Copy)]
struct SystemSnapshot {
    total: u64,
    idle: u64,
    steal: u64,
    own_cpu: u64,
    pressure_io: Option<u64>,
    pressure_cpu: Option<u64>,
}

/// What changed between two snapshots.
#[derive(Debug, Clone)]
pub struct CounterDeltas {
    /// Time between them.
    pub elapsed: Nanos,
    /// This process; `None` where `/proc/self/io` may not be read.
    pub process: Option<ProcessCounters>,
    /// The devices, in the order of the stack.
    pub layers: Vec<LayerCounters>,
    /// The host.
    pub system: Option<SystemCounters>,
}

impl CounterSnapshot {
    /// Reads the counters of this process, of the devices of `stack` and of the host.
    #[must_use]
    pub fn take(stack: &[Layer], roots: &Roots) -> Self {
        let layers = stack
            .iter()
            .filter_map(|layer| {
                let name = layer.name.replace('/', "!");
                let path = roots.sys.join("class/block").join(name).join("stat");
                Some((layer.name.clone(), read_numbers(&path)?))
            })
            .collect();
        Self {
            at: Instant::now(),
            process: read_process_counters(roots),
            layers,
            system: read_system_snapshot(roots),
        }
    }

    /// The first eleven fields of each device's `stat` as differences, in the order of
    /// Documentation/block/stat.rst: read requests, merges, sectors, ms; the same of writes;
    /// requests in flight; ms busy; ms in queue.
    #[must_use]
    pub fn device_statistics(&self, earlier: &Self) -> Vec<(String, [u64; 11])> {
        let difference = |(name, now): &(String, Vec<u64>)| {
            let (_, then) = earlier.layers.iter().find(|(other, _)| other == name)?;
            let field = |i: usize| {
                let value = |values: &[u64]| values.get(i).copied().unwrap_or(0);
                value(now).saturating_sub(value(then))
            };
            Some((name.clone(), std::array::from_fn(field)))
        };
        self.layers.iter().filter_map(difference).collect()
    }

    /// What changed since `earlier`.
    #[must_use]
    pub fn deltas_since(&self, earlier: &Self) -> CounterDeltas {
        let process = self.process.zip(earlier.process).map(|(now, then)| ProcessCounters {
            read_bytes: Bytes(now.read_bytes.0.saturating_sub(then.read_bytes.0)),
            write_bytes: Bytes(now.write_bytes.0.saturating_sub(then.write_bytes.0)),
        });
        let layers = self
            .layers
            .iter()
            .filter_map(|(name, now)| {
                let (_, then) = earlier.layers.iter().find(|(other, _)| other == name)?;
                Some(subtract_layer_counters(name, now, then))
            })
            .collect();
        let system = self.system.zip(earlier.system).map(|(now, then)| now.deltas_since(&then));
        CounterDeltas { elapsed: Nanos::from(self.at - earlier.at), process, layers, system }
    }
}

/// The fields of `stat`, in the order of Documentation/block/stat.rst.
fn subtract_layer_counters(name: &str, now: &[u64], then: &[u64]) -> LayerCounters {
    let pair = |i: usize| (now.get(i).copied().unwrap_or(0), then.get(i).copied().unwrap_or(0));
    // A counter that fell belongs to a device that was made anew.
    let count = |i: usize| {
        let (now, then) = pair(i);
        now.saturating_sub(then)
    };
    // The kernel keeps times in 32 bits: a busy disk's go round within days.
    let time_ms = |i: usize| {
        let (now, then) = pair(i);
        u64::from((now as u32).wrapping_sub(then as u32))
    };
    LayerCounters {
        name: name.to_owned(),
        read_ops: count(0),
        read_bytes: Bytes(count(2).saturating_mul(STAT_SECTOR)),
        write_ops: count(4),
        write_bytes: Bytes(count(6).saturating_mul(STAT_SECTOR)),
        flush_ops: count(15),
        merges: count(1) + count(5),
        queue_ms: time_ms(10),
        busy_ms: time_ms(9),
    }
}

fn read_numbers(path: &Path) -> Option<Vec<u64>> {
    let text = std::fs::read_to_string(path).ok()?;
    text.split_whitespace().map(|word| word.parse().ok()).collect()
}

fn read_process_counters(roots: &Roots) -> Option<ProcessCounters> {
    let text = std::fs::read_to_string(roots.proc.join("self/io")).ok()?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().parse().ok().map(Bytes)
    };
    Some(ProcessCounters { read_bytes: field("read_bytes:")?, write_bytes: field("write_bytes:")? })
}

fn read_system_snapshot(roots: &Roots) -> Option<SystemSnapshot> {
    let text = std::fs::read_to_string(roots.proc.join("stat")).ok()?;
    let ticks = sum_cpu_ticks(&text, allowed_cpus())?;
    let per_tick = 1_000_000_000 / rustix::param::clock_ticks_per_second().max(1);
    let field = |i: usize| ticks[i].saturating_mul(per_tick);
    Some(SystemSnapshot {
        total: (0..CPU_TICK_FIELDS).map(field).sum(),
        idle: field(3) + field(4),
        steal: field(7),
        own_cpu: own_cpu_ns(),
        pressure_io: read_pressure(&roots.proc.join("pressure/io")),
        pressure_cpu: read_pressure(&roots.proc.join("pressure/cpu")),
    })
}

/// user nice system idle iowait irq softirq steal; guest time is within user.
const CPU_TICK_FIELDS: usize = 8;

/// The times of `/proc/stat` over those processors that this process may use: in a container, or
/// under `taskset`, the others can neither help nor hinder it. Over all of them where none of its
/// own is listed.
fn sum_cpu_ticks(stat: &str, allowed: impl Fn(usize) -> bool) -> Option<[u64; CPU_TICK_FIELDS]> {
    let fields = |words: std::str::SplitWhitespace<'_>| {
        let mut ticks = [0; CPU_TICK_FIELDS];
        ticks.iter_mut().zip(words).for_each(|(tick, word)| *tick = word.parse().unwrap_or(0));
        ticks
    };
    let lines = stat.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?.strip_prefix("cpu")?, words))
    });
    let mut all = None;
    let mut own: Option<[u64; CPU_TICK_FIELDS]> = None;
    for (processor, words) in lines {
        match processor.parse() {
            Err(_) => all = Some(fields(words)),
            Ok(number) if allowed(number) => {
                let sum = own.get_or_insert([0; CPU_TICK_FIELDS]);
                sum.iter_mut().zip(fields(words)).for_each(|(sum, tick)| *sum += tick);
            }
            Ok(_) => {}
        }
    }
    own.or(all)
}

/// Which processors this process, and not merely the calling thread, may use.
fn allowed_cpus() -> impl Fn(usize) -> bool {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(Some(rustix::process::getpid())).ok();
    move |processor| processor < CpuSet::MAX_CPU && set.is_some_and(|set| set.is_set(processor))
}

/// `some avg10=0.00 avg60=0.00 avg300=0.00 total=12345`, in microseconds.
fn read_pressure(path: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with("some"))?;
    Some(line.rsplit_once("total=")?.1.trim().parse::<u64>().ok()? * 1_000)
}

fn own_cpu_ns() -> u64 {
    // SAFETY: `usage` is plain data that getrusage fills in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    let ns = |t: libc::timeval| t.tv_sec as u64 * 1_000_000_000 + t.tv_usec as u64 * 1_000;
    ns(usage.ru_utime) + ns(usage.ru_stime)
}

impl SystemSnapshot {
    fn deltas_since(&self, then: &Self) -> SystemCounters {
        let less = |a: u64, b: u64| Nanos(a.saturating_sub(b));
        let pressure = |now: Option<u64>, then: Option<u64>| now.zip(then).map(|(a, b)| less(a, b));
        SystemCounters {
            cpu_total: less(self.total, then.total),
            cpu_idle: less(self.idle, then.idle),
            cpu_steal: less(self.steal, then.steal),
            cpu_self: less(self.own_cpu, then.own_cpu),
            pressure_io: pressure(self.pressure_io, then.pressure_io),
            pressure_cpu: pressure(self.pressure_cpu, then.pressure_cpu),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_fields_are_where_the_kernel_puts_them() {
        let then = [0_u64; 17];
        let now: Vec<u64> = (1..=17).collect();
        let difference = subtract_layer_counters("x", &now, &then);
        assert_eq!(difference.read_ops, 1);
        assert_eq!(difference.merges, 2 + 6);
        assert_eq!(difference.read_bytes, Bytes(3 * 512));
        assert_eq!(difference.write_ops, 5);
        assert_eq!(difference.write_bytes, Bytes(7 * 512));
        assert_eq!(difference.busy_ms, 10);
        assert_eq!(difference.queue_ms, 11);
        assert_eq!(difference.flush_ops, 16);
        // Kernels before 4.18 have eleven fields: no flushes, no panic.
        assert_eq!(subtract_layer_counters("x", &now[..11], &then[..11]).flush_ops, 0);
    }

    #[test]
    fn times_go_round_and_devices_are_made_anew() {
        let mut then = [1000_u64; 17];
        let mut now = then;
        (then[10], now[10]) = (u64::from(u32::MAX) - 9, 20);
        (then[2], now[2]) = (5000, 8);
        let difference = subtract_layer_counters("x", &now, &then);
        assert_eq!(difference.queue_ms, 30);
        assert_eq!(difference.read_bytes, Bytes(0));
    }

    #[test]
    fn processors_that_this_process_may_not_use_do_not_count() {
        let stat = "cpu  11 22 33 44 55 66 77 88 0 0\n\
                    cpu0 1 2 3 4 5 6 7 8 0 0\n\
                    cpu2 10 20 30 40 50 60 70 80 0 0\n\
                    intr 5 6\n";
        assert_eq!(sum_cpu_ticks(stat, |n| n == 2), Some([10, 20, 30, 40, 50, 60, 70, 80]));
        assert_eq!(sum_cpu_ticks(stat, |_| true), Some([11, 22, 33, 44, 55, 66, 77, 88]));
        // None of its own is listed: a recorded tree, or a foreign one.
        assert_eq!(sum_cpu_ticks("cpu 1 2 3 4 5 6 7 8", |_| true), Some([1, 2, 3, 4, 5, 6, 7, 8]));
        assert_eq!(sum_cpu_ticks(stat, |n| n == 7), Some([11, 22, 33, 44, 55, 66, 77, 88]));
        assert_eq!(sum_cpu_ticks("intr 1\n", |_| true), None);
    }

    #[test]
    fn recorded_counters_are_read_through_the_roots() {
        let tree = crate::testing::Tree::of(
            "sys/dev/block/8:0 -> ../../class/block/sda\n\
             sys/dev/block/9:0 -> ../../class/block/md0\n\
             sys/class/block/sda/dev = 8:0\n\
             sys/class/block/sda/size = 4096\n\
             sys/class/block/sda/stat = 10 0 80 1 0 0 0 0 0 2 3 0 0 0 0 0 0\n\
             sys/class/block/md0/dev = 9:0\n\
             sys/class/block/md0/size = 4096\n\
             sys/class/block/md0/stat = 10 0 0 1 0 0 0 0 0 2 3 0 0 0 0 0 0\n\
             sys/class/block/md0/slaves/sda -> ../../sda\n",
        );
        let stack = crate::describe_stack("9:0", &tree.roots);
        let before = CounterSnapshot::take(&stack, &tree.roots);
        let stat = "20 0 160 4 0 0 0 0 0 5 6 0 0 0 0 3 0\n";
        std::fs::write(tree.roots.sys.join("class/block/md0/stat"), stat).unwrap();
        let difference = CounterSnapshot::take(&stack, &tree.roots).deltas_since(&before);
        let names: Vec<&str> = difference.layers.iter().map(|l| l.name.as_str()).collect();
        assert_eq!(names, ["md0", "sda"]);
        assert_eq!(difference.layers[0].read_bytes, Bytes(160 * 512));
        assert_eq!(difference.layers[0].flush_ops, 3);
        assert_eq!(difference.layers[1].read_ops, 0);
        assert!(difference.process.is_none() && difference.system.is_none());
    }

    #[test]
    fn what_this_process_reads_is_charged_and_served() {
        let folder = crate::testing::on_disk();
        let path = folder.path().join("file");
        let length: usize = 4 << 20;
        let written = std::fs::File::create(&path).unwrap();
        std::io::Write::write_all(&mut &written, &vec![7; length]).unwrap();
        written.sync_all().unwrap();
        crate::drop_file_cache(&written);

        let roots = Roots::host();
        let info = crate::describe_target(&path, &roots).unwrap();
        let before = CounterSnapshot::take(&info.stack, &roots);
        assert_eq!(std::fs::read(&path).unwrap().len(), length);
        let difference = CounterSnapshot::take(&info.stack, &roots).deltas_since(&before);
        assert!(difference.elapsed.0 > 0);
        let process = difference.process.unwrap();
        assert!(process.read_bytes.0 >= length as u64, "{process:?}");
        let system = difference.system.unwrap();
        assert!(system.cpu_self.0 > 0 && system.cpu_idle <= system.cpu_total, "{system:?}");
        let names: Vec<&str> = difference.layers.iter().map(|l| l.name.as_str()).collect();
        let stack: Vec<&str> = info.stack.iter().map(|l| l.name.as_str()).collect();
        assert_eq!(names, stack);
        for layer in &difference.layers {
            assert!(layer.read_bytes.0 >= length as u64, "{layer:?}");
        }
    }
}
