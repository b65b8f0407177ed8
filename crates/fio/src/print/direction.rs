//! The block of one direction of a job: rates, latencies, percentiles, windows.

use std::fmt::Write;

use workload::{IoprioParts, decode_ioprio};

use super::figures::Moments;
use super::latency::{format_moments, render_histogram_percentiles};
use super::numbers::{Scale, format_real};
use crate::results::bytes_per_second;
use crate::results::{DirectionResult, PriorityResult, ReportOptions, Samples};

/// Whether anything of this direction is shown.
pub(super) fn has_run(direction: &DirectionResult) -> bool {
    direction.runtime_ms > 0 && (direction.ops > 0 || direction.bytes > 0)
}

/// The lines of one direction; `group_rate` is that of its whole group, in bytes per second.
pub(super) fn render_direction(
    name: &str,
    direction: &DirectionResult,
    display: &ReportOptions,
    group_rate: u64,
) -> String {
    let mut out = format_rate_line(name, direction, Scale::from(display));
    let latencies = display.latencies(direction);
    for (name, shown) in &latencies {
        out.push_str(&format_moments(name, &Moments::from_histogram(&shown.histogram)));
    }
    let (kind, priorities) = display.priorities(direction);
    let name_priority = |of: &PriorityResult| {
        let IoprioParts { class, level, hint } = decode_ioprio(of.ioprio);
        format!("{kind} prio {class}/{level}/{hint}")
    };
    for (of, shown) in &priorities {
        let name = format!("    {}", name_priority(of));
        out.push_str(&format_moments(&name, &Moments::from_histogram(&shown.histogram)));
    }
    for (name, shown) in latencies.iter().filter(|(_, shown)| shown.percentiles) {
        out.push_str(&render_histogram_percentiles(
            name,
            &display.percentile_list,
            &shown.histogram,
        ));
    }
    let all: u64 = priorities.iter().map(|(_, shown)| shown.histogram.count()).sum();
    for (of, shown) in priorities.iter().filter(|(_, shown)| shown.percentiles) {
        let share = shown.histogram.count() as f64 * 100.0 / all as f64;
        let name = format!("{} ({share:.2}% of IOs)", name_priority(of));
        let list = &display.percentile_list;
        out.push_str(&render_histogram_percentiles(&name, list, &shown.histogram));
    }
    out.push_str(&format_bw_line(&direction.bw, display.kb_base.bytes(), group_rate));
    out.push_str(&format_iops_line(&direction.iops));
    out
}

pub(super) fn format_rate_line(name: &str, direction: &DirectionResult, scale: Scale) -> String {
    let rate = |n| bytes_per_second(n, direction.runtime_ms);
    format!(
        "  {name}: IOPS={}, BW={}({}/{}msec)\n",
        scale.format_count(rate(direction.ops)),
        scale.format_rate_pair(rate(direction.bytes)),
        scale.format_size(direction.bytes),
        direction.runtime_ms,
    )
}

/// Windows of bandwidth in KiB/s. fio divides by `kb_base` when they get large, and then writes
/// MiB in either base.
pub(super) fn format_bw_line(bw: &Samples, kb_base: u32, group_rate: u64) -> String {
    if bw.samples == 0 {
        return String::new();
    }
    let share = if group_rate == 0 { 100.0 } else { bw.mean * 100.0 * 1024.0 / group_rate as f64 };
    let (base, small) = if kb_base == 1000 { (1000, "kB") } else { (1024, "KiB") };
    let large = bw.mean > (base * base) as f64;
    let (divisor, unit) = if large { (base, "MiB") } else { (1, small) };
    format!(
        "   bw ({unit:>5}/s): min={:5}, max={:5}, per={:.2}%, avg={}, stdev={}, samples={}\n",
        bw.min / divisor,
        bw.max / divisor,
        share.min(100.0),
        format_real(bw.mean / divisor as f64),
        format_real(bw.dev / divisor as f64),
        bw.samples,
    )
}

pub(super) fn format_iops_line(iops: &Samples) -> String {
    let mut out = String::new();
    if iops.samples > 0 {
        let _ = writeln!(
            out,
            "   iops        : min={:5}, max={:5}, avg={}, stdev={}, samples={}",
            iops.min,
            iops.max,
            format_real(iops.mean),
            format_real(iops.dev),
            iops.samples,
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(min: u64, max: u64, mean: f64, dev: f64, samples: u64) -> Samples {
        Samples { min, max, mean, dev, samples }
    }

    #[test]
    fn windows_have_the_units_of_fio() {
        let check = |kb_base, bw, group_rate, expected: &str| {
            assert_eq!(format_bw_line(&bw, kb_base, group_rate), format!("{expected}\n"));
        };
        let steady = |n: u64| samples(n, n, n as f64, 0.0, 1);
        check(
            1024,
            steady(1_026_048),
            1,
            concat!(
                "   bw (  KiB/s): min=1026048, max=1026048, ",
                "per=100.00%, avg=1026048.00, stdev= 0.00, samples=1"
            ),
        );
        check(
            1024,
            steady(1_056_768),
            1,
            concat!(
                "   bw (  MiB/s): min= 1032, max= 1032, ",
                "per=100.00%, avg=1032.00, stdev= 0.00, samples=1"
            ),
        );
        check(
            1000,
            steady(1_026_048),
            1,
            concat!(
                "   bw (  MiB/s): min= 1026, max= 1026, ",
                "per=100.00%, avg=1026.05, stdev= 0.00, samples=1"
            ),
        );
        check(
            1000,
            samples(52272, 53896, 53084.0, 1148.34, 2),
            1,
            concat!(
                "   bw (   kB/s): min=52272, max=53896, per=100.00%, avg=53084.00, stdev=1148.34, ",
                "samples=2"
            ),
        );
        let rate = bytes_per_second(9971 * 4096, 1001);
        check(
            1024,
            samples(36488, 36488, 36488.0, 0.0, 1),
            rate,
            concat!(
                "   bw (  KiB/s): min=36488, max=36488, per=91.58%, avg=36488.00, stdev= 0.00, ",
                "samples=1"
            ),
        );
        assert_eq!(format_bw_line(&Samples::default(), 1024, 1), "");
        assert_eq!(format_iops_line(&Samples::default()), "");
    }

    #[test]
    fn mixed_windows_add_up() {
        // Measured with fio 3.33, unified_rw_reporting=both.
        let read = samples(36096, 43664, 40104.0, 2896.099446, 5);
        let write = samples(35848, 43296, 40072.0, 2886.464966, 5);
        let mut both = Samples::default();
        both.add(&read);
        both.add(&write);
        assert_eq!((both.min, both.max, both.samples), (71944, 86960, 10));
        assert!((both.mean - 80176.0).abs() < 1e-6);
        assert!((both.dev - 2725.930789).abs() < 1e-5, "{}", both.dev);
        let mut alone = read;
        alone.add(&Samples::default());
        assert_eq!(alone, read);
    }

    #[test]
    fn two_priorities_have_lines_of_their_own() {
        let display = crate::options::job::JobOptions::default().report;
        let one = |ioprio: u16, latencies: &[u64]| {
            let mut histogram = stats::LatencyHistogram::new();
            latencies.iter().for_each(|ns| histogram.record(*ns));
            PriorityResult { ioprio, clat: histogram.clone(), lat: histogram }
        };
        let text = |prios: Vec<PriorityResult>| {
            let direction = DirectionResult { prios, ..DirectionResult::default() };
            render_direction("read", &direction, &display, 1)
        };
        let both = text(vec![one(0x4005, &[100, 200, 300]), one(0x2000, &[50])]);
        for line in [
            "\n    clat prio 2/5/0 (nsec): min=100, max=300, ",
            "\n    clat prio 1/0/0 (nsec): min=50, max=50, ",
            "\n    clat prio 2/5/0 (75.00% of IOs) percentiles (nsec):\n",
            "\n    clat prio 1/0/0 (25.00% of IOs) percentiles (nsec):\n",
        ] {
            assert!(both.contains(line), "{line}: {both}");
        }
        assert!(!text(vec![one(0x4005, &[100]), one(0, &[])]).contains("prio"), "one has all");
    }
}
