//! Every metric with its type and its help, and the text formats.

use std::fmt;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet, prometheus_text, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;

use super::samples::{Sample, Value};
use MetricType::{Counter, Gauge, Histogram, Info};

/// Name without the suffix of its type (`_total`, `_info`), type, and help: without quotation marks
/// and backslashes, because OpenMetrics texts are not escaped.
#[rustfmt::skip]
pub(super) const METRICS: &[(&str, MetricType, &str)] = &[
    ("truedisk_watch", Info, "Source of the figures, and the version of truedisk"),
    ("truedisk_watch_seconds", Counter, "Time watched"),
    ("truedisk_watch_missing_requests", Counter,
        "Requests that are counted and are missing in the latency histograms"),
    ("truedisk_disk_operations", Counter, "Requests that completed, after merging"),
    ("truedisk_disk_bytes", Counter, "Bytes read or written"),
    ("truedisk_disk_request_seconds", Counter,
        "Latencies of all requests added up; by the operations it is the mean latency"),
    ("truedisk_disk_latency_seconds", Histogram,
        "Latency of requests: whole, in the queue before the driver, and in the device; absent \
         where the source has means only"),
    ("truedisk_disk_outstanding_request_seconds", Counter,
        "Outstanding requests by time; its rate is the mean number of outstanding requests"),
    ("truedisk_disk_busy_seconds", Counter,
        "Time with at least one request outstanding. It is no measure of load: a disk that is \
         busy all the time may do ten times as much"),
    ("truedisk_disk_errors", Counter, "Requests that ended with an error"),
    ("truedisk_disk_verdict", Gauge,
        "1 for the verdict on the last ten intervals, at the end on the whole watch; 0 for others"),
    ("truedisk_disk_used_ratio", Gauge,
        "Rate as a share of the most that this disk gave within the bound in its stored run"),
    ("truedisk_disk_limit_operations_per_second", Gauge,
        "The limit behind the used share, for operations of the size that is seen now"),
    ("truedisk_waiter_wait_seconds", Counter,
        "Latencies of a control group's requests added up, of the 20 series with the longest"),
    ("truedisk_waiter_bytes", Counter, "Bytes that a control group read or wrote, of the same 20"),
    ("truedisk_known_limit_operations_per_second", Gauge,
        "The most within the bound, in the newest stored run with this load; with floor true the \
         disk may do more"),
    ("truedisk_known_unloaded_latency_seconds", Gauge,
        "Mean latency with the fewest requests outstanding, in the same run"),
    ("truedisk_known_measured_timestamp_seconds", Gauge,
        "When the same run began, in seconds since 1970"),
];

#[derive(Debug)]
struct SamplesCollector(Arc<Vec<Sample>>);

impl Collector for SamplesCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        for (name, kind, help) in METRICS {
            let mut samples = self.0.iter().filter(|sample| sample.metric == *name).peekable();
            if samples.peek().is_none() {
                continue;
            }
            let mut metric = encoder.encode_descriptor(name, help, None, *kind)?;
            for Sample { labels, value, .. } in samples {
                if *kind == Info {
                    metric.encode_info(labels)?;
                    continue;
                }
                let mut series = metric.encode_family(labels)?;
                match value {
                    Value::Histogram { sum, count, buckets } => {
                        series.encode_histogram::<NoLabelSet>(*sum, *count, buckets, None)?;
                    }
                    Value::Number(number) if *kind == Counter => {
                        series.encode_counter::<NoLabelSet, _, u64>(number, None)?;
                    }
                    Value::Number(number) => series.encode_gauge(number)?,
                }
            }
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextFormat {
    /// OpenMetrics 1.0.
    OpenMetrics,
    /// The Prometheus text format 0.0.4.
    Prometheus,
}

impl TextFormat {
    pub(super) const fn content_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Prometheus => prometheus_text::CONTENT_TYPE,
        }
    }

    pub(super) fn encode(self, samples: Arc<Vec<Sample>>) -> Result<String, fmt::Error> {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(SamplesCollector(samples)));
        let mut out = String::new();
        match self {
            Self::OpenMetrics => text::encode(&mut out, &registry)?,
            Self::Prometheus => prometheus_text::encode(&mut out, &registry)?,
        }
        Ok(out)
    }
}
