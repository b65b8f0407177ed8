//! Processor time that control groups withhold from this process.

use record::CpuThrottle;
use units::Nanos;

use crate::control_groups::{ControlGroup, find_own_groups};
use crate::identity::Mount;
use crate::roots::{Roots, read_lossy, read_number};

/// Since the groups were made: of each group of this process, and of those above.
pub(crate) fn read_cpu_throttles(roots: &Roots, table: &[Mount]) -> Vec<CpuThrottle> {
    let groups = find_own_groups("cpu", roots, table);
    groups.iter().filter_map(read_group_throttle).collect()
}

/// What was withheld meanwhile, by the group that withheld most; else by the one that allows least.
pub(crate) fn find_worst_throttle(
    now: &[CpuThrottle],
    then: &[CpuThrottle],
) -> Option<CpuThrottle> {
    let differences = now.iter().filter_map(|now| {
        let then = then.iter().find(|then| then.cgroup == now.cgroup)?;
        let throttled = Nanos(now.throttled.0.saturating_sub(then.throttled.0));
        let throttled_periods = now.throttled_periods.saturating_sub(then.throttled_periods);
        let quota_cpus = now.quota_cpus.or(then.quota_cpus);
        (quota_cpus.is_some() || throttled_periods > 0).then(|| CpuThrottle {
            quota_cpus,
            throttled_periods,
            throttled,
            ..now.clone()
        })
    });
    differences.max_by(|one, other| {
        let allowed = |throttle: &CpuThrottle| throttle.quota_cpus.unwrap_or(f64::INFINITY);
        one.throttled.cmp(&other.throttled).then(allowed(other).total_cmp(&allowed(one)))
    })
}

/// `None` where the group has no counters, as the topmost one.
fn read_group_throttle(group: &ControlGroup) -> Option<CpuThrottle> {
    let text = read_lossy(&group.folder.join("cpu.stat"));
    let field = |name: &str| -> Option<u64> {
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(key, _)| *key == name)?.1.trim().parse().ok()
    };
    let (quota_us, period_us) = read_quota(group)?;
    let throttled_ns = if group.is_v1 {
        field("throttled_time")?
    } else {
        field("throttled_usec")?.saturating_mul(1_000)
    };
    Some(CpuThrottle {
        cgroup: group.name.clone(),
        quota_cpus: quota_us.map(|quota_us| quota_us as f64 / period_us.max(1) as f64),
        period: Nanos(period_us.saturating_mul(1_000)),
        throttled_periods: field("nr_throttled")?,
        throttled: Nanos(throttled_ns),
    })
}

/// In microseconds: what the group may use (`None`: unlimited) in each period.
fn read_quota(group: &ControlGroup) -> Option<(Option<u64>, u64)> {
    if group.is_v1 {
        let period_us = read_number(&group.folder.join("cpu.cfs_period_us"))?;
        // -1: unlimited.
        return Some((read_number(&group.folder.join("cpu.cfs_quota_us")), period_us));
    }
    let text = read_lossy(&group.folder.join("cpu.max"));
    let (quota, period) = text.trim().split_once(' ')?;
    Some((quota.parse().ok(), period.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::read_mounts;
    use crate::testing::Tree;

    fn read(roots: &Roots) -> Vec<CpuThrottle> {
        read_cpu_throttles(roots, &read_mounts(roots))
    }

    const V2: &str = "\
        proc/self/cgroup = 0::/box/inner\n\
        proc/self/mountinfo = 30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n\
        sys/fs/cgroup/cpu.stat = usage_usec 5\n\
        sys/fs/cgroup/box/cpu.max = 20000 100000\n\
        sys/fs/cgroup/box/cpu.stat = nr_throttled 0\n\
        sys/fs/cgroup/box/inner/cpu.max = max 100000\n";

    fn write(tree: &Tree, path: &str, text: &str) {
        std::fs::write(tree.roots.sys.join("fs/cgroup").join(path), text).unwrap();
    }

    #[test]
    fn the_group_that_withheld_most_is_told() {
        let tree = Tree::of(V2);
        let stat = |periods: u32, us: u64| {
            format!("usage_usec 9\nnr_periods 99\nnr_throttled {periods}\nthrottled_usec {us}\n")
        };
        write(&tree, "box/cpu.stat", &stat(10, 800_000));
        write(&tree, "box/inner/cpu.stat", &stat(0, 0));
        let then = read(&tree.roots);
        write(&tree, "box/cpu.stat", &stat(30, 2_400_000));
        let now = read(&tree.roots);
        let expected = CpuThrottle {
            cgroup: "/box".to_owned(),
            quota_cpus: Some(0.2),
            period: Nanos::millis(100),
            throttled_periods: 20,
            throttled: Nanos::millis(1_600),
        };
        assert_eq!(find_worst_throttle(&now, &then), Some(expected.clone()));
        let still = CpuThrottle { throttled_periods: 0, throttled: Nanos::ZERO, ..expected };
        assert_eq!(find_worst_throttle(&now, &now), Some(still));
        // The quota of the inner group is the smaller one.
        write(&tree, "box/inner/cpu.max", "10000 100000\n");
        let now = read(&tree.roots);
        let tightest = find_worst_throttle(&now, &now).unwrap();
        assert_eq!((tightest.cgroup.as_str(), tightest.quota_cpus), ("/box/inner", Some(0.1)));
    }

    #[test]
    fn without_a_quota_nothing_is_told() {
        let tree = Tree::of(V2);
        write(&tree, "box/inner/cpu.stat", "nr_throttled 0\nthrottled_usec 0\n");
        write(&tree, "box/cpu.max", "max 100000\n");
        let now = read(&tree.roots);
        assert_eq!(now.len(), 1);
        assert_eq!(find_worst_throttle(&now, &now), None);
        assert!(read(&Roots::under(std::path::Path::new("/nowhere"))).is_empty());
    }

    #[test]
    fn version_1_counts_nanoseconds() {
        let tree = Tree::of(
            "proc/self/cgroup = 5:cpu,cpuacct:/box\n\
             proc/self/mountinfo = 30 1 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
             sys/fs/cgroup/cpu/box/cpu.cfs_quota_us = 150000\n\
             sys/fs/cgroup/cpu/box/cpu.cfs_period_us = 50000\n",
        );
        write(&tree, "cpu/box/cpu.stat", "nr_periods 9\nnr_throttled 7\nthrottled_time 1600\n");
        let throttle = &read(&tree.roots)[0];
        assert_eq!((throttle.throttled, throttle.quota_cpus), (Nanos(1600), Some(3.0)));
        write(&tree, "cpu/box/cpu.cfs_quota_us", "-1\n");
        assert_eq!(read(&tree.roots)[0].quota_cpus, None);
    }
}
