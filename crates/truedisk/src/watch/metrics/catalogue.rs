//! Every metric, with its name, its type, its help, and where its samples come from.

use std::fmt;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet, prometheus_text, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;
use watch::{KnownCurve, Verdict, WaiterName};
use workload::Direction;

use super::figures::{DirectionFigures, DiskFigures, Figures, LatencyBuckets};

type Labels = Vec<(&'static str, String)>;

enum Value<'a> {
    Count(u64),
    Number(f64),
    Buckets(&'a LatencyBuckets),
}

pub(super) struct Metric {
    /// Without the suffix that the type adds: `_total`, `_info`.
    pub(super) name: &'static str,
    pub(super) kind: MetricType,
    /// In OpenMetrics nothing in it is escaped: no quotation marks, no backslashes.
    help: &'static str,
    samples: fn(&Figures) -> Vec<(Labels, Value<'_>)>,
}

const VERDICTS: [Verdict; 5] = [
    Verdict::NotBottleneck,
    Verdict::Saturated,
    Verdict::Capped,
    Verdict::Slow,
    Verdict::CannotTell,
];

pub(super) static METRICS: &[Metric] = &[
    Metric {
        name: "truedisk_watch",
        kind: MetricType::Info,
        help: "Source of the figures, and the version of truedisk",
        samples: |figures| {
            let version = env!("CARGO_PKG_VERSION").to_owned();
            vec![(vec![("source", figures.source.to_owned()), ("version", version)], Value::Count(1))]
        },
    },
    Metric {
        name: "truedisk_watch_seconds",
        kind: MetricType::Counter,
        help: "Time watched",
        samples: |figures| vec![(Vec::new(), Value::Number(figures.seconds))],
    },
    Metric {
        name: "truedisk_watch_missing_requests",
        kind: MetricType::Counter,
        help: "Requests that are counted and are missing in the latency histograms",
        samples: |figures| vec![(Vec::new(), Value::Count(figures.missing_requests))],
    },
    Metric {
        name: "truedisk_disk_operations",
        kind: MetricType::Counter,
        help: "Requests that completed, after merging",
        samples: |figures| by_direction(figures, |of| Some(Value::Count(of.operations))),
    },
    Metric {
        name: "truedisk_disk_bytes",
        kind: MetricType::Counter,
        help: "Bytes read or written",
        samples: |figures| {
            by_direction(figures, |of| {
                (of.direction != Direction::Sync).then_some(Value::Count(of.bytes))
            })
        },
    },
    Metric {
        name: "truedisk_disk_request_seconds",
        kind: MetricType::Counter,
        help: "Latencies of all requests added up; by the operations it is the mean latency",
        samples: |figures| {
            by_direction(figures, |of| of.latency_seconds.value().copied().map(Value::Number))
        },
    },
    Metric {
        name: "truedisk_disk_latency_seconds",
        kind: MetricType::Histogram,
        help: "Latency of requests: whole, in the queue before the driver, and in the device; \
               absent where the source has means only",
        samples: list_histograms,
    },
    Metric {
        name: "truedisk_disk_outstanding_request_seconds",
        kind: MetricType::Counter,
        help: "Outstanding requests by time; its rate is the mean number of outstanding requests",
        samples: |figures| {
            by_disk(figures, |disk| disk.outstanding_seconds.map(Value::Number))
        },
    },
    Metric {
        name: "truedisk_disk_busy_seconds",
        kind: MetricType::Counter,
        help: "Time with at least one request outstanding. It is no measure of load: a disk that \
               is busy all the time may do ten times as much",
        samples: |figures| by_disk(figures, |disk| disk.busy_seconds.map(Value::Number)),
    },
    Metric {
        name: "truedisk_disk_errors",
        kind: MetricType::Counter,
        help: "Requests that ended with an error",
        samples: |figures| by_disk(figures, |disk| disk.errors.map(Value::Count)),
    },
    Metric {
        name: "truedisk_disk_verdict",
        kind: MetricType::Gauge,
        help: "1 for the verdict on the last ten intervals, at the end on the whole watch; 0 for \
               the other verdicts",
        samples: list_verdicts,
    },
    Metric {
        name: "truedisk_disk_used_ratio",
        kind: MetricType::Gauge,
        help: "Rate as a share of the most that this disk gave within the bound in its stored run \
               with this load",
        samples: |figures| by_limit(figures, |used| used.share().0),
    },
    Metric {
        name: "truedisk_disk_limit_operations_per_second",
        kind: MetricType::Gauge,
        help: "The limit behind the used share, for operations of the size that is seen now",
        samples: |figures| by_limit(figures, |used| used.limit.0),
    },
    Metric {
        name: "truedisk_waiter_wait_seconds",
        kind: MetricType::Counter,
        help: "Latencies of a control group's requests added up, of the 20 series with the longest",
        samples: |figures| by_waiter(figures, |waiter| Value::Number(waiter.waited_ns as f64 / 1e9)),
    },
    Metric {
        name: "truedisk_waiter_bytes",
        kind: MetricType::Counter,
        help: "Bytes that a control group read or wrote, of the same 20",
        samples: |figures| by_waiter(figures, |waiter| Value::Count(waiter.bytes)),
    },
    Metric {
        name: "truedisk_known_limit_operations_per_second",
        kind: MetricType::Gauge,
        help: "The most within the bound, in the newest stored run with this load; with floor true \
               the disk may do more",
        samples: |figures| by_curve(figures, |curve| Some(curve.limit.0)),
    },
    Metric {
        name: "truedisk_known_unloaded_latency_seconds",
        kind: MetricType::Gauge,
        help: "Mean latency with the fewest requests outstanding, in the same run",
        samples: |figures| {
            by_curve(figures, |curve| Some(curve.unloaded_mean()?.as_secs_f64()))
        },
    },
    Metric {
        name: "truedisk_known_measured_timestamp_seconds",
        kind: MetricType::Gauge,
        help: "When the same run began, in seconds since 1970",
        samples: |figures| by_curve(figures, |curve| Some(curve.measured.as_second() as f64)),
    },
];

fn device_labels(device: &str) -> Labels {
    vec![("device", device.to_owned())]
}

fn by_disk(
    figures: &Figures,
    value: impl Fn(&DiskFigures) -> Option<Value<'static>>,
) -> Vec<(Labels, Value<'static>)> {
    let sample = |disk: &DiskFigures| Some((device_labels(&disk.name), value(disk)?));
    figures.disks.iter().filter_map(sample).collect()
}

fn list_directions(figures: &Figures) -> impl Iterator<Item = (Labels, &DirectionFigures)> {
    figures.disks.iter().flat_map(|disk| {
        disk.directions.iter().map(|of| {
            let direction = match of.direction {
                Direction::Read => "read",
                Direction::Write => "write",
                Direction::Sync => "flush",
                Direction::Trim => "trim",
            };
            let mut labels = device_labels(&disk.name);
            labels.push(("direction", direction.to_owned()));
            (labels, of)
        })
    })
}

fn by_direction(
    figures: &Figures,
    value: impl Fn(&DirectionFigures) -> Option<Value<'static>>,
) -> Vec<(Labels, Value<'static>)> {
    list_directions(figures).filter_map(|(labels, of)| Some((labels, value(of)?))).collect()
}

fn list_histograms(figures: &Figures) -> Vec<(Labels, Value<'_>)> {
    let mut samples = Vec::new();
    for (labels, of) in list_directions(figures) {
        for (part, buckets) in of.parts() {
            let Some(buckets) = buckets else { continue };
            let mut labels = labels.clone();
            labels.push(("part", part.to_owned()));
            samples.push((labels, Value::Buckets(buckets)));
        }
    }
    samples
}

fn list_verdicts(figures: &Figures) -> Vec<(Labels, Value<'_>)> {
    let mut samples = Vec::new();
    for disk in &figures.disks {
        let Some(verdict) = disk.verdict else { continue };
        for other in VERDICTS {
            let mut labels = device_labels(&disk.name);
            labels.push(("verdict", other.name().to_owned()));
            samples.push((labels, Value::Count(u64::from(other == verdict))));
        }
    }
    samples
}

fn by_limit(
    figures: &Figures,
    value: fn(&watch::LimitUse) -> f64,
) -> Vec<(Labels, Value<'static>)> {
    let sample = |disk: &DiskFigures| {
        let used = disk.used.as_ref()?;
        let mut labels = device_labels(&disk.name);
        labels.push(("load", used.curve.text().to_owned()));
        labels.push(("bound", used.bound.to_string()));
        Some((labels, Value::Number(value(used))))
    };
    figures.disks.iter().filter_map(sample).collect()
}

fn by_waiter(
    figures: &Figures,
    value: fn(&watch::Waiter) -> Value<'static>,
) -> Vec<(Labels, Value<'static>)> {
    let sample = |waiter: &watch::Waiter| {
        // Paths of groups begin with a slash.
        let group = match &waiter.who {
            WaiterName::Group(path) => path.clone(),
            WaiterName::Writeback => "writeback".to_owned(),
            WaiterName::Others => "others".to_owned(),
        };
        let mut labels = device_labels(&waiter.device);
        labels.push(("group", group));
        (labels, value(waiter))
    };
    figures.waiters.iter().map(sample).collect()
}

fn by_curve(
    figures: &Figures,
    value: fn(&KnownCurve) -> Option<f64>,
) -> Vec<(Labels, Value<'static>)> {
    let sample = |(device, curve): &(String, KnownCurve)| {
        let mut labels = device_labels(device);
        labels.extend([
            ("load", curve.label.text().to_owned()),
            ("block_size_bytes", curve.block_size.0.to_string()),
            ("read_percent", (curve.read_share.0 * 100.0).round().to_string()),
            ("bound", curve.bound.to_string()),
            ("floor", curve.is_floor().to_string()),
        ]);
        Some((labels, Value::Number(value(curve)?)))
    };
    figures.known.iter().filter_map(sample).collect()
}

#[derive(Debug)]
struct FiguresCollector(Arc<Figures>);

impl Collector for FiguresCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        METRICS.iter().try_for_each(|metric| encode_metric(&mut encoder, metric, &self.0))
    }
}

fn encode_metric(
    encoder: &mut DescriptorEncoder<'_>,
    metric: &Metric,
    figures: &Figures,
) -> fmt::Result {
    let samples = (metric.samples)(figures);
    if samples.is_empty() {
        return Ok(());
    }
    let mut all = encoder.encode_descriptor(metric.name, metric.help, None, metric.kind)?;
    for (labels, value) in samples {
        if metric.kind == MetricType::Info {
            all.encode_info(&labels)?;
            continue;
        }
        let mut one = all.encode_family(&labels)?;
        match (value, metric.kind) {
            (Value::Buckets(of), _) => {
                let (sum, buckets) = (of.sum_ns as f64 / 1e9, of.in_seconds());
                one.encode_histogram::<NoLabelSet>(sum, of.count, &buckets, None)?;
            }
            (Value::Count(count), MetricType::Counter) => {
                one.encode_counter::<NoLabelSet, _, u64>(&count, None)?;
            }
            (Value::Number(number), MetricType::Counter) => {
                one.encode_counter::<NoLabelSet, _, u64>(&number, None)?;
            }
            (Value::Count(count), _) => one.encode_gauge(&(count as f64))?,
            (Value::Number(number), _) => one.encode_gauge(&number)?,
        }
    }
    Ok(())
}

fn registry_of(figures: Arc<Figures>) -> Registry {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(FiguresCollector(figures)));
    registry
}

pub(super) const OPENMETRICS_TYPE: &str = "application/openmetrics-text";

/// Content type and text in OpenMetrics 1.0.
pub(super) fn encode_openmetrics(
    figures: Arc<Figures>,
) -> Result<(&'static str, String), fmt::Error> {
    let mut out = String::new();
    text::encode(&mut out, &registry_of(figures))?;
    Ok(("application/openmetrics-text; version=1.0.0; charset=utf-8", out))
}

/// Content type and text in the Prometheus text format 0.0.4.
pub(super) fn encode_prometheus(
    figures: Arc<Figures>,
) -> Result<(&'static str, String), fmt::Error> {
    let mut out = String::new();
    prometheus_text::encode(&mut out, &registry_of(figures))?;
    Ok((prometheus_text::CONTENT_TYPE, out))
}
