//! The results page of the benchmark of GNOME Disks, as text: a label of the page to a line.

use std::fmt::Write as _;

use record::{Cell, DirectionTotals};
use units::{Bytes, group_digits};

use workload::Mix;

use super::result::PresetResult;
use super::select;

/// From here on a transfer; below, an access.
const TRANSFER_BYTES_MIN: Bytes = Bytes::mib(1);

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Samples {
    pub(crate) size: u64,
    /// Mean of the bytes per second of each read, and how many reads.
    pub(crate) reads: Option<(f64, u64)>,
    /// The same of writes; absent where nothing was written.
    pub(crate) writes: Option<(f64, u64)>,
    /// Mean access time in seconds, and of how many.
    pub(crate) access: Option<(f64, u64)>,
}

pub(crate) fn render(samples: &Samples) -> String {
    let Samples { size, reads, writes, access } = samples;
    let mut text = String::new();
    let grouped = group_digits(*size);
    let mebibytes = *size as f64 / f64::from(1 << 20);
    let _ = writeln!(text, "Sample Size: {mebibytes:.1} MiB ({grouped} bytes)");
    for (label, rate) in [("Read", reads), ("Write", writes)] {
        if let Some((mean, count)) = rate {
            let (mean, count) = (format_size(*mean), count_samples(*count as usize));
            let _ = writeln!(text, "Average {label} Rate: {mean}/s ({count})");
        }
    }
    if let Some((seconds, count)) = access {
        let count = count_samples(*count as usize);
        let _ = writeln!(text, "Average Access Time: {:.2} msec ({count})", seconds * 1000.0);
    }
    text
}

/// The text of a preset: large transfers one at a time, and small random reads.
pub(super) fn render_preset(result: &PresetResult<'_>) -> String {
    let of = |mix: Mix, large: bool| {
        let mut steps =
            select::single_job_steps(result).filter_map(|step| select::median_pass(&step));
        steps.find(|cell| {
            let job = &cell.job;
            job.mix == mix && job.depth.0 == 1 && (job.block_size >= TRANSFER_BYTES_MIN) == large
        })
    };
    let (read, write) = (of(Mix::Read, true), of(Mix::Write, true));
    let access = of(Mix::Read, false).and_then(|cell| cell.totals.read.as_ref());
    let samples = Samples {
        size: read.or(write).map_or(0, |cell| cell.job.block_size.0),
        reads: read.and_then(mean_rate),
        writes: write.and_then(mean_rate),
        access: access.map(|totals| (totals.latency_ns.mean / 1e9, totals.ops)),
    };
    render(&samples)
}

/// The mean of the rates of single transfers, and their number: larger than the rate of all of
/// them together. A write takes as long as it and its sync.
///
/// Which sync followed which write is not recorded: every sync is taken to follow every write, as
/// often as each occurs. That is the mean of the pairs where they do not depend on each other.
fn mean_rate(cell: &Cell) -> Option<(f64, u64)> {
    let totals = cell.data_directions().next()?;
    let transfers = latency_samples(totals)?;
    let syncs = match &cell.totals.sync {
        Some(syncs) => latency_samples(syncs)?,
        None => vec![(0.0, 1.0)],
    };
    let block = cell.job.block_size.0 as f64;
    let (mut rates, mut pairs) = (0.0, 0.0);
    for (transfer, count) in &transfers {
        for (sync, of_syncs) in &syncs {
            // GNOME Disks has microseconds; no transfer takes less than one.
            let time = (transfer + sync).max(1000.0);
            rates += count * of_syncs * block * 1e9 / time;
            pairs += count * of_syncs;
        }
    }
    (pairs > 0.0).then(|| (rates / pairs, totals.ops))
}

/// How long operations took, in nanoseconds, and how many took so long.
fn latency_samples(totals: &DirectionTotals) -> Option<Vec<(f64, f64)>> {
    let histogram = totals.latency_ns.histogram.to_histogram().ok()?;
    let middle = |low: u64, high: u64| f64::midpoint(low as f64, high as f64);
    Some(histogram.buckets().map(|(low, high, n)| (middle(low, high), n as f64)).collect())
}

/// GLib's `g_format_size`: powers of 1000 with one digit behind the point.
fn format_size(bytes: f64) -> String {
    let bytes = bytes.floor();
    if bytes < 1000.0 {
        return format!("{bytes:.0} bytes");
    }
    let units = [("EB", 1e18), ("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    let fits = units.into_iter().find(|(_, factor)| bytes >= *factor);
    let (unit, factor) = fits.unwrap_or(("kB", 1e3));
    format!("{:.1} {unit}", bytes / factor)
}

/// `1 sample`, `3 samples`.
fn count_samples(count: usize) -> String {
    format!("{count} sample{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_those_of_the_page() {
        let samples = Samples {
            size: 10_485_760,
            reads: Some((2.7e9, 100)),
            writes: Some((450.25e6, 1)),
            access: Some((0.000_052, 1000)),
        };
        let golden = "Sample Size: 10.0 MiB (10,485,760 bytes)\n\
                      Average Read Rate: 2.7 GB/s (100 samples)\n\
                      Average Write Rate: 450.2 MB/s (1 sample)\n\
                      Average Access Time: 0.05 msec (1000 samples)\n";
        assert_eq!(render(&samples), golden);
        let none = Samples { writes: None, access: None, ..samples };
        assert_eq!(render(&none).lines().count(), 2);
    }

    #[test]
    fn what_a_person_copies_from_the_page_can_be_read() {
        let samples =
            Samples { size: 1 << 20, reads: Some((813.2, 2)), writes: None, access: None };
        let text = render(&samples);
        let line = text.lines().find_map(|line| line.strip_prefix("Average Read Rate: ")).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words, ["813", "bytes/s", "(2", "samples)"]);
    }
}
