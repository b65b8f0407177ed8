//! One host's part of a total on the common clock. Parts come over the network: a damaged one is
//! refused with the name of its host, and none makes the sums run over.

use record::{Cell, HostCell};
use stats::SparseHistogram;
use units::Nanos;

/// 2^50 are 10 million a second for three years. A thousand hosts of them still fit into a sum.
const OPS_MAX: u64 = 1 << 50;
/// The longest cell, and the farthest begin from the planned instant: a week.
const TIME_MAX: u64 = 7 * 24 * 3600 * 1_000_000_000;

#[derive(Debug, Clone, Copy)]
pub struct HostPart<'a> {
    pub host: &'a str,
    /// Its series may be left out: [`super::thin_host_cell`].
    pub host_cell: &'a HostCell,
    /// How wrong its clock can be at most, held against the coordinator's.
    pub clock_error: Nanos,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    #[error("no host gave anything to cell '{cell}'")]
    NoHosts { cell: String },
    #[error("what host '{host}' gave to cell '{cell}' cannot be used: {what}")]
    Damaged { host: String, cell: String, what: String },
}

impl MergeError {
    pub(super) fn damaged(host: &str, cell: &str, what: String) -> Self {
        Self::Damaged { host: host.to_owned(), cell: cell.to_owned(), what }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedPart<'a> {
    pub(super) host: &'a str,
    pub(super) cell: &'a Cell,
    pub(super) clock_error: Nanos,
    /// Its begin, from the planned instant.
    pub(super) began_ns: i128,
    /// Its begin and its end, in nanoseconds from the first host's begin.
    pub(super) begin: u64,
    pub(super) end: u64,
}

/// Ascending by name.
pub(super) fn place_parts<'a>(
    name: &str,
    parts: &[HostPart<'a>],
) -> Result<Vec<PlacedPart<'a>>, MergeError> {
    let first = parts.iter().map(|part| part.host_cell.began_ns).min();
    let Some(first) = first else {
        return Err(MergeError::NoHosts { cell: name.to_owned() });
    };
    let place = |part: &HostPart<'a>| {
        check_host_cell(part.host_cell)
            .map_err(|what| MergeError::damaged(part.host, name, what))?;
        let begin = part.host_cell.began_ns.abs_diff(first);
        let cell = &part.host_cell.cell;
        let end = begin + cell.elapsed.0;
        let (host, clock_error) = (part.host, part.clock_error);
        let began_ns = i128::from(part.host_cell.began_ns);
        Ok(PlacedPart { host, cell, clock_error, began_ns, begin, end })
    };
    let mut all: Vec<PlacedPart<'a>> = parts.iter().map(place).collect::<Result<_, _>>()?;
    all.sort_by_key(|part| part.host);
    match all.windows(2).find(|pair| pair[0].host == pair[1].host) {
        Some(pair) => Err(MergeError::damaged(pair[0].host, name, "it is there twice".to_owned())),
        None => Ok(all),
    }
}

/// Whether it can be added up.
pub(super) fn check_host_cell(given: &HostCell) -> Result<(), String> {
    let cell = &given.cell;
    if given.began_ns.unsigned_abs() > TIME_MAX {
        return Err(format!("it began {} ns from the planned instant", given.began_ns));
    }
    if cell.elapsed.0 > TIME_MAX {
        return Err(format!("it lasted {}", cell.elapsed));
    }
    let depth = cell.achieved_depth;
    let outside = depth.outside_latencies.unwrap_or(0.0);
    if ![depth.counted, depth.little, outside].into_iter().all(f64::is_finite) {
        return Err("its achieved depth is no number".to_owned());
    }
    for (direction, totals) in cell.totals.iter() {
        if totals.ops > OPS_MAX {
            return Err(format!("{} {}s are more than can be", totals.ops, direction.name()));
        }
        let latency = &totals.latency_ns.histogram;
        if latency.count != 0 && latency.count != totals.ops {
            let counted = latency.count;
            return Err(format!("{} operations, but {counted} latencies", totals.ops));
        }
        let more = [&totals.response_ns, &totals.comparable_ns, &totals.submission_ns];
        let more = more.into_iter().flatten().map(|summary| &summary.histogram);
        for histogram in std::iter::once(latency).chain(more) {
            check_histogram(histogram)?;
        }
    }
    if let Some(open) = &cell.open_loop {
        check_histogram(&open.lag_ns.histogram)?;
    }
    cell.intervals.iter().try_for_each(|interval| {
        if interval.start.0 > cell.elapsed.0 {
            return Err(format!("an interval begins at {}, after its end", interval.start));
        }
        interval.directions.iter().try_for_each(|(_, counted)| {
            let more = [&counted.submission, &counted.response, &counted.comparable];
            let more = more.into_iter().flatten();
            std::iter::once(&counted.total).chain(more).try_for_each(check_histogram)
        })
    })
}

/// Whether a histogram can be added to others without running over.
fn check_histogram(histogram: &SparseHistogram) -> Result<(), String> {
    if histogram.count > OPS_MAX {
        return Err(format!("a histogram of {} samples", histogram.count));
    }
    histogram.validate().map_err(|error| error.to_string())?;
    // One part in a thousand for the rounding of the sum.
    let most = histogram.count as f64 * histogram.max_ns as f64 * 1.001;
    if histogram.sum_ns > most || !histogram.sum_of_squares.is_finite() {
        return Err(format!("a histogram whose sum {} is beyond its maximum", histogram.sum_ns));
    }
    Ok(())
}
