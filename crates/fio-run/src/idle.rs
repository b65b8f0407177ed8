//! `--idle-prof`: idle time of processors by the kernel's account. fio's unit of work does not
//! exist.

use fio::results::Idleness;
use target::Roots;

/// Extent of `--idle-prof`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdleProfile {
    /// All processors together.
    System,
    /// Each processor, too.
    EachProcessor,
}

/// Idle and total ticks of each processor.
pub(super) struct CpuTicks(Vec<(u64, u64)>);

impl CpuTicks {
    /// Empty if `/proc/stat` cannot be read.
    pub(super) fn read(roots: &Roots) -> Self {
        let text = std::fs::read_to_string(roots.proc.join("stat")).unwrap_or_default();
        Self(parse_proc_stat(&text))
    }

    pub(super) fn idle_since(&self, before: &Self, asked: IdleProfile) -> Idleness {
        let share = |(idle, all): (u64, u64)| idle as f64 * 100.0 / all.max(1) as f64;
        let since: Vec<(u64, u64)> = self
            .0
            .iter()
            .zip(&before.0)
            .map(|(now, then)| (now.0.saturating_sub(then.0), now.1.saturating_sub(then.1)))
            .collect();
        let all = since.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let percpu = match asked {
            IdleProfile::System => Vec::new(),
            IdleProfile::EachProcessor => since.into_iter().map(share).collect(),
        };
        Idleness { system: share(all), percpu, unit: (0.0, 0.0) }
    }
}

/// The lines `cpu0 user nice system idle iowait irq softirq steal ...` of `/proc/stat`.
fn parse_proc_stat(text: &str) -> Vec<(u64, u64)> {
    let line = |line: &str| {
        let rest = line.strip_prefix("cpu").filter(|rest| !rest.starts_with(' '))?;
        let ticks: Vec<u64> = rest.split(' ').skip(1).filter_map(|t| t.parse().ok()).collect();
        // Waiting for a disk is idle time.
        let idle = ticks.get(3)? + ticks.get(4)?;
        Some((idle, ticks.iter().take(8).sum()))
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idling_is_told_for_all_and_for_each() {
        let before = CpuTicks(parse_proc_stat(
            "cpu  9 9 9 9\ncpu0 0 0 0 0 0 0 0 0 0\ncpu1 5 0 0 5 0 0 0 0\n",
        ));
        let after = "cpu  9\ncpu0 25 0 25 40 10 0 0 0 7\ncpu1 5 0 0 105 0 0 0 0\nintr 5\n";
        let after = CpuTicks(parse_proc_stat(after));
        let idle = after.idle_since(&before, IdleProfile::EachProcessor);
        assert_eq!((idle.system, idle.percpu), (75.0, vec![50.0, 100.0]));
        assert!(after.idle_since(&before, IdleProfile::System).percpu.is_empty());
    }
}
