//! The kernel's counters of the process, the devices and the host.

use std::path::Path;
use std::time::Instant;

use record::{CpuThrottle, IoLimit, Layer, LayerCounters, ProcessCounters, SystemCounters};
use units::{Bytes, Nanos};

use crate::cpu_throttle::{find_worst_throttle, read_cpu_throttles};
use crate::environment::io_limits::read_io_limits;
use crate::identity::read_mounts;
use crate::roots::Roots;

/// `/sys/block/X/stat` counts in 512-byte units, whatever the sector size.
const STAT_SECTOR: u64 = 512;

#[derive(Debug, Clone)]
pub struct CounterSnapshot {
    at: Instant,
    process: Option<ProcessCounters>,
    /// The fields of each device's `stat`, by its name.
    layers: Vec<(String, Vec<u64>)>,
    system: Option<SystemCounters>,
    cpu_throttles: Vec<CpuThrottle>,
    /// Those on the devices of the stack.
    io_limits: Vec<IoLimit>,
}

#[derive(Debug, Clone)]
pub struct CounterDeltas {
    pub elapsed: Nanos,
    /// This process; `None` where `/proc/self/io` may not be read.
    pub process: Option<ProcessCounters>,
    /// The devices, in the order of the stack.
    pub layers: Vec<LayerCounters>,
    pub system: Option<SystemCounters>,
    /// `None` where no control group limits processor time.
    pub cpu_throttle: Option<CpuThrottle>,
    /// Those of both snapshots, each once.
    pub io_limits: Vec<IoLimit>,
}

impl CounterSnapshot {
    /// Reads the counters of this process, of the devices of `stack` and of the host.
    pub fn take(stack: &[Layer], roots: &Roots) -> Self {
        let statistics = |layer: &Layer| {
            let name = layer.name.replace('/', "!");
            let path = roots.sys.join("class/block").join(name).join("stat");
            Some((layer.name.clone(), read_numbers(&path)?))
        };
        let table = read_mounts(roots);
        let mut io_limits = read_io_limits(roots, &table);
        io_limits.retain(|limit| stack.iter().any(|layer| layer.device == limit.device));
        Self {
            at: Instant::now(),
            process: read_process_counters(roots),
            layers: stack.iter().filter_map(statistics).collect(),
            system: read_system_counters(roots),
            cpu_throttles: read_cpu_throttles(roots, &table),
            io_limits,
        }
    }

    fn layers_since<'a>(
        &'a self,
        earlier: &'a Self,
    ) -> impl Iterator<Item = (&'a String, &'a [u64], &'a [u64])> {
        self.layers.iter().filter_map(|(name, now)| {
            let (_, then) = earlier.layers.iter().find(|(other, _)| other == name)?;
            Some((name, now.as_slice(), then.as_slice()))
        })
    }

    /// The first eleven fields of each device's `stat` as differences.
    pub fn device_statistics(&self, earlier: &Self) -> Vec<(String, [u64; 11])> {
        let layers = self.layers_since(earlier);
        let count = |now, then| std::array::from_fn(|i| subtract_field(now, then, i));
        layers.map(|(name, now, then)| (name.clone(), count(now, then))).collect()
    }

    pub fn deltas_since(&self, earlier: &Self) -> CounterDeltas {
        let process = self.process.zip(earlier.process).map(|(now, then)| ProcessCounters {
            read_bytes: Bytes(now.read_bytes.0.saturating_sub(then.read_bytes.0)),
            write_bytes: Bytes(now.write_bytes.0.saturating_sub(then.write_bytes.0)),
        });
        let layers = self.layers_since(earlier);
        let layers = layers.map(|(name, now, then)| subtract_layer_counters(name, now, then));
        let system = self.system.zip(earlier.system);
        let changed = self.io_limits.iter().filter(|limit| !earlier.io_limits.contains(limit));
        CounterDeltas {
            elapsed: Nanos::from(self.at - earlier.at),
            process,
            layers: layers.collect(),
            system: system.map(|(now, then)| subtract_system_counters(&now, &then)),
            cpu_throttle: find_worst_throttle(&self.cpu_throttles, &earlier.cpu_throttles),
            io_limits: earlier.io_limits.iter().chain(changed).cloned().collect(),
        }
    }
}

/// What field `i` counted: 0 for one that fell, of a device that was made anew.
fn subtract_field(now: &[u64], then: &[u64], i: usize) -> u64 {
    let value = |values: &[u64]| values.get(i).copied().unwrap_or(0);
    value(now).saturating_sub(value(then))
}

/// The fields of `stat`, in the order of Documentation/block/stat.rst.
fn subtract_layer_counters(name: &str, now: &[u64], then: &[u64]) -> LayerCounters {
    let count = |i: usize| subtract_field(now, then, i);
    // The kernel keeps times in 32 bits: a busy disk's go round within days.
    let time_ms = |i: usize| {
        let value = |values: &[u64]| values.get(i).map_or(0, |value| *value as u32);
        u64::from(value(now).wrapping_sub(value(then)))
    };
    LayerCounters {
        name: name.to_owned(),
        read_ops: count(0),
        read_bytes: Bytes(count(2).saturating_mul(STAT_SECTOR)),
        write_ops: count(4),
        write_bytes: Bytes(count(6).saturating_mul(STAT_SECTOR)),
        flush_ops: count(15),
        merges: count(1) + count(5),
        // Field 10 has the time of flushes twice: it is within that of writes.
        queue_ms: time_ms(3) + time_ms(7) + time_ms(14),
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

/// Times since the boot, that of this process since its start.
fn read_system_counters(roots: &Roots) -> Option<SystemCounters> {
    let text = std::fs::read_to_string(roots.proc.join("stat")).ok()?;
    let ticks = sum_cpu_ticks(&text, allowed_cpus())?;
    let per_tick = 1_000_000_000 / rustix::param::clock_ticks_per_second().max(1);
    let field = |i: usize| ticks[i].saturating_mul(per_tick);
    Some(SystemCounters {
        cpu_total: Nanos((0..CPU_TICK_FIELDS).map(field).sum()),
        cpu_idle: Nanos(field(3) + field(4)),
        cpu_steal: Nanos(field(7)),
        cpu_self: own_cpu_time(),
        pressure_io: read_pressure(roots, "io", "some"),
        pressure_cpu: read_pressure(roots, "cpu", "some"),
    })
}

/// Ticks of all processors since the boot, as [`CPU_TICK_FIELDS`] names them.
pub fn read_cpu_ticks(roots: &Roots) -> Option<[u64; CPU_TICK_FIELDS]> {
    sum_cpu_ticks(&std::fs::read_to_string(roots.proc.join("stat")).ok()?, |_| false)
}

/// user nice system idle iowait irq softirq steal; guest time is within user.
pub const CPU_TICK_FIELDS: usize = 8;

/// Over the processors that this process may use; over all where none of its own is listed.
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

/// The processors of this process, not merely of the calling thread.
fn allowed_cpus() -> impl Fn(usize) -> bool {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(Some(rustix::process::getpid())).ok();
    move |processor| processor < CpuSet::MAX_CPU && set.is_some_and(|set| set.is_set(processor))
}

/// The pressure on a resource (`io`, `cpu`) since the boot, of a kind: `some` or `full`. A line is
/// `some avg10=0.00 avg60=0.00 avg300=0.00 total=12345`, in microseconds.
pub fn read_pressure(roots: &Roots, resource: &str, kind: &str) -> Option<Nanos> {
    let text = std::fs::read_to_string(roots.proc.join("pressure").join(resource)).ok()?;
    let line = text.lines().find(|line| line.split(' ').next() == Some(kind))?;
    Some(Nanos(line.rsplit_once("total=")?.1.trim().parse::<u64>().ok()? * 1_000))
}

fn own_cpu_time() -> Nanos {
    // SAFETY: `usage` is plain data that getrusage fills in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    let ns = |t: libc::timeval| t.tv_sec as u64 * 1_000_000_000 + t.tv_usec as u64 * 1_000;
    Nanos(ns(usage.ru_utime) + ns(usage.ru_stime))
}

fn subtract_system_counters(now: &SystemCounters, then: &SystemCounters) -> SystemCounters {
    let less = |a: Nanos, b: Nanos| Nanos(a.0.saturating_sub(b.0));
    let pressure = |now: Option<Nanos>, then: Option<Nanos>| Some(less(now?, then?));
    SystemCounters {
        cpu_total: less(now.cpu_total, then.cpu_total),
        cpu_idle: less(now.cpu_idle, then.cpu_idle),
        cpu_steal: less(now.cpu_steal, then.cpu_steal),
        cpu_self: less(now.cpu_self, then.cpu_self),
        pressure_io: pressure(now.pressure_io, then.pressure_io),
        pressure_cpu: pressure(now.pressure_cpu, then.pressure_cpu),
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
        assert_eq!(difference.queue_ms, 4 + 8 + 15);
        assert_eq!(difference.flush_ops, 16);
        // Kernels before 4.18 have eleven fields: no flushes, no panic.
        assert_eq!(subtract_layer_counters("x", &now[..11], &then[..11]).flush_ops, 0);
    }

    #[test]
    fn times_go_round_and_devices_are_made_anew() {
        let mut then = [1000_u64; 17];
        let mut now = then;
        (then[3], now[3]) = (u64::from(u32::MAX) - 9, 20);
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
    fn limits_of_both_snapshots_are_kept() {
        let tree = crate::testing::Tree::of(
            "proc/self/cgroup = 0::/box\n\
             proc/self/mountinfo = 30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\\n\n\
             sys/fs/cgroup/box/io.max = 8:0 riops=100\n\
             sys/dev/block/8:0 -> ../../class/block/sda\n\
             sys/class/block/sda/dev = 8:0\n\
             sys/class/block/sda/size = 4096\n",
        );
        let stack = crate::describe_stack("8:0", &tree.roots);
        let limits = |text: Option<&str>| {
            let before = CounterSnapshot::take(&stack, &tree.roots);
            if let Some(text) = text {
                std::fs::write(tree.roots.sys.join("fs/cgroup/box/io.max"), text).unwrap();
            }
            let deltas = CounterSnapshot::take(&stack, &tree.roots).deltas_since(&before);
            let rate = |limit: &IoLimit| limit.read_iops.unwrap().0;
            Vec::from_iter(deltas.io_limits.iter().map(rate))
        };
        assert_eq!(limits(None), [100.0]);
        assert_eq!(limits(Some("8:0 riops=300\n")), [100.0, 300.0]);
        assert_eq!(limits(Some("")), [300.0], "lifted");
        assert_eq!(limits(Some("9:0 riops=300\n")), [0.0; 0], "of another device");
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
