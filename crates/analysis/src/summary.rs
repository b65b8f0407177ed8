//! From raw histograms and series to the figures of a cell.

use record::{Cell, Confidence, LatencySummary};
use stats::{
    LatencyHistogram, SparseHistogram, mean_of_series, percentile_estimates, percentile_supported,
    ratio_of_series,
};
use units::Nanos;
use workload::Statistic;

use crate::pauses::{running_intervals, running_ticks};

/// Given wherever the sample supports them.
pub const PERCENTILES: [f64; 6] = [50.0, 90.0, 95.0, 99.0, 99.9, 99.99];

/// The figures of a latency distribution; only percentiles that the sample supports.
pub fn summarise_latency(histogram: &LatencyHistogram) -> LatencySummary {
    let percentiles = PERCENTILES
        .iter()
        .filter(|&&p| percentile_supported(p, histogram.count()))
        .filter_map(|&p| Some((format!("p{p}"), histogram.quantile(p / 100.0)?)))
        .collect();
    LatencySummary {
        mean: histogram.mean_ns().unwrap_or(0.0),
        stddev: histogram.stddev_ns().unwrap_or(0.0),
        min: histogram.min_ns().unwrap_or(0),
        max: histogram.max_ns().unwrap_or(0),
        percentiles,
        histogram: histogram.to_sparse(),
    }
}

/// A figure of a distribution; `None` where the number of its samples does not support it.
pub fn histogram_statistic(histogram: &LatencyHistogram, statistic: Statistic) -> Option<Nanos> {
    let ns = match statistic {
        Statistic::Mean => histogram.mean_ns().map(|mean| mean.round() as u64),
        Statistic::Max => histogram.max_ns(),
        Statistic::Percentile(p) => {
            histogram.quantile(p / 100.0).filter(|_| percentile_supported(p, histogram.count()))
        }
    };
    ns.map(Nanos)
}

/// The 95 % intervals of a cell's figures, from its series.
pub fn compute_confidence(cell: &Cell) -> Confidence {
    let mut confidence = Confidence::default();
    let per_second = 1e9 / cell.ticks.tick.0.max(1) as f64;
    for (direction, ticks) in cell.ticks.directions.iter() {
        let Some(totals) = cell.totals.get(direction) else { continue };
        let running = |series: &[u64]| -> Vec<f64> {
            running_ticks(cell, series).into_iter().map(|(_, n)| n as f64).collect()
        };
        let (ops, sums) = (running(&ticks.ops), running(&ticks.latency_sum_ns));
        // The ticks are whole, the cell is not: the figure is that of the whole cell.
        let rate = mean_of_series(&ops).map(|ops| ops * per_second).recentred(totals.iops);
        confidence.iops.set(direction, rate);
        let mean = ratio_of_series(&sums, &ops).recentred(totals.latency_ns.mean);
        confidence.mean_latency_ns.set(direction, mean);
        let intervals: Vec<SparseHistogram> = running_intervals(cell)
            .filter_map(|i| Some(i.directions.get(direction)?.total.clone()))
            .collect();
        if let Ok(whole) = totals.latency_ns.histogram.to_histogram() {
            let percentiles = percentile_estimates(&intervals, &whole, &PERCENTILES);
            confidence.percentiles_ns.set(direction, percentiles.into_iter().collect());
        }
    }
    confidence
}
