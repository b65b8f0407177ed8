//! A run over many hosts, in the words that the terminal and the page share: what each host gave,
//! how their starts and their ends met, and what is missing.

use record::{Cell, Fleet, FleetCell, FleetHost, FleetSpan, HostCell, HostClock, Record, Window};
use stats::LatencyHistogram;
use units::{Iops, Nanos, Ratio};

use crate::words::{count_words, layer_words, or_dash};

pub(crate) struct FleetReport {
    /// `8 hosts on one shared target, each on a part of its own`.
    pub(crate) title: String,
    pub(crate) degraded: Vec<String>,
    /// Which cell the shares are of, for people; empty where nothing was measured.
    pub(crate) cell: String,
    pub(crate) shares: Vec<HostShare>,
    pub(crate) met: Vec<CellTiming>,
    pub(crate) hosts: Vec<HostRow>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HostShare {
    pub(crate) host: String,
    /// IOPS; `-` of a host that gave none.
    pub(crate) iops: String,
    pub(crate) share: String,
    pub(crate) depth: String,
    /// Mean, p50, p99 of total latency of all reads and writes; `-` where the sample is too small.
    pub(crate) latency: [String; 3],
    /// When it began, from the first host's begin.
    pub(crate) began: String,
    /// `slowest`, `lost later`.
    pub(crate) note: String,
    /// Its mean latency in nanoseconds, by which the slow ones are found.
    pub(crate) mean_ns: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CellTiming {
    pub(crate) cell: String,
    /// `8`, `7 of 8`.
    pub(crate) hosts: String,
    pub(crate) skew: String,
    pub(crate) error: String,
    /// When the first host was done, from the first begin, and the IOPS until then.
    pub(crate) first_done: String,
    pub(crate) first_iops: String,
    /// The same of the last.
    pub(crate) last_done: String,
    pub(crate) last_iops: String,
    /// `h3, 1.31 x`.
    pub(crate) slowest: String,
    /// `without h3`, `2 hosts had no share`.
    pub(crate) note: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HostRow {
    pub(crate) name: String,
    pub(crate) labels: String,
    pub(crate) system: String,
    pub(crate) target: String,
    /// `+1000.0 s ±0.1 ms`.
    pub(crate) clock: String,
    pub(crate) round_trip: String,
    pub(crate) record: String,
    pub(crate) note: String,
}

pub(crate) fn build_fleet_report(record: &Record) -> Option<FleetReport> {
    let fleet = record.measured.fleet.as_ref()?;
    let main = analysis::fleet::main_cell(&record.measured, record.judgement_or_default(), fleet);
    let cells = record.measured.cells.iter();
    let met = cells.filter_map(|cell| Some(build_cell_timing(fleet.cell(&cell.name)?, fleet)));
    Some(FleetReport {
        title: fleet_title(fleet),
        degraded: record.judgement_or_default().degraded.iter().map(ToString::to_string).collect(),
        cell: main.map(|(cell, _)| cell.name.clone()).unwrap_or_default(),
        shares: main.map(|(cell, met)| build_shares(cell, met, fleet)).unwrap_or_default(),
        met: met.collect(),
        hosts: fleet.hosts.iter().map(build_host_row).collect(),
    })
}

/// `limit of /mnt/san on 8 hosts`: where a run over many hosts was, after its path.
pub(crate) fn hosts_suffix(record: &Record) -> String {
    let fleet = record.measured.fleet.as_ref();
    fleet.map(|fleet| format!(" on {}", fleet.describe_hosts())).unwrap_or_default()
}

fn fleet_title(fleet: &Fleet) -> String {
    let how = match fleet.span {
        FleetSpan::Own if analysis::fleet::is_one_storage(fleet) => {
            " on the same storage, each in a file of its own"
        }
        FleetSpan::Own => ", each with a target of its own",
        FleetSpan::Shared => " on one target, each on all of it",
        FleetSpan::Split => " on one target, each on a part of its own",
    };
    format!("{}{how}", fleet.describe_hosts())
}

fn build_shares(cell: &Cell, met: &FleetCell, fleet: &Fleet) -> Vec<HostShare> {
    let total = cell.iops();
    let first = fleet.host_cells(&cell.name).map(|(_, part)| part.began_ns).min().unwrap_or(0);
    let of = |host: &FleetHost| {
        let part = host.cell(&cell.name);
        let iops = part.map(|part| part.cell.iops());
        let share = iops.filter(|_| total > 0.0).map(|iops| Ratio(iops / total));
        let summary = part.map(|part| summarize_latency(&part.cell));
        let (mean_ns, latency) = summary.unwrap_or_else(|| (0.0, [(); 3].map(|()| "-".to_owned())));
        HostShare {
            host: host.name.clone(),
            iops: or_dash(iops.map(Iops)),
            share: or_dash(share),
            depth: or_dash(part.map(|part| part.cell.job.depth)),
            latency,
            began: or_dash(part.map(|part| Nanos(part.began_ns.abs_diff(first)))),
            note: part.map_or_else(|| absence_words(host, met), |part| share_note(host, part, met)),
            mean_ns,
        }
    };
    fleet.hosts.iter().map(of).collect()
}

fn share_note(host: &FleetHost, part: &HostCell, met: &FleetCell) -> String {
    let slowest = met.slowest.as_ref().filter(|slowest| slowest.host == host.name);
    let mut notes: Vec<String> = Vec::new();
    notes.extend(slowest.map(|_| "slowest".to_owned()));
    notes.extend(part.cell.error.as_ref().map(|error| format!("failed: {}", error.message)));
    notes.extend(host.lost.as_ref().map(|_| "lost later".to_owned()));
    notes.join(", ")
}

fn absence_words(host: &FleetHost, met: &FleetCell) -> String {
    let words = match &host.lost {
        Some(_) => "lost",
        None if met.idle.contains(&host.name) => "no share: the depth is too small",
        None => "gave nothing",
    };
    words.to_owned()
}

/// Mean, p50 and p99 of a host's reads and writes together; where it did neither, of all it did.
pub(crate) fn summarize_latency(cell: &Cell) -> (f64, [String; 3]) {
    let mut whole = LatencyHistogram::new();
    let data = cell.data_directions().next().is_some();
    let totals = cell.totals.iter().map(|(_, totals)| totals);
    let counted: Vec<_> = if data { cell.data_directions().collect() } else { totals.collect() };
    for totals in counted {
        let summary = totals.response_ns.as_ref().unwrap_or(&totals.latency_ns);
        // A damaged histogram was refused when the record was read.
        let _ = whole.merge_sparse(&summary.histogram);
    }
    let percentile = |p: f64| {
        let supported = stats::percentile_supported(p, whole.count());
        or_dash(whole.quantile(p / 100.0).filter(|_| supported).map(Nanos))
    };
    let mean = whole.mean_ns();
    let shown = or_dash(mean.map(|mean| Nanos(mean.round() as u64)));
    (mean.unwrap_or(0.0), [shown, percentile(50.0), percentile(99.0)])
}

fn build_cell_timing(met: &FleetCell, fleet: &Fleet) -> CellTiming {
    let missing = fleet.missing_hosts(met);
    let (there, away) = (met.hosts.len(), missing.len());
    let mut notes = Vec::new();
    if away > 0 {
        notes.push(format!("without {}", abbreviate_hosts(&missing)));
    }
    if !met.idle.is_empty() {
        let idle: Vec<&str> = met.idle.iter().map(String::as_str).collect();
        notes.push(format!("no share for {}", abbreviate_hosts(&idle)));
    }
    let rate = |window: &Window| {
        let data = [&window.rates.read, &window.rates.write].into_iter().flatten();
        Iops(data.map(|rate| rate.iops).sum()).to_string()
    };
    let end = |window: &Window| Nanos(window.start.0.saturating_add(window.length.0)).to_string();
    let slowest = met.slowest.as_ref().map(|slowest| {
        let times = slowest.mean_ns / slowest.median_ns.max(1.0);
        format!("{}, {times:.2} x", slowest.host)
    });
    CellTiming {
        cell: met.cell.clone(),
        hosts: if away > 0 { format!("{there} of {}", there + away) } else { there.to_string() },
        skew: or_dash((there > 1).then_some(met.skew)),
        error: or_dash((there > 1).then(|| format!("±{}", met.skew_error))),
        first_done: or_dash(met.first_done.as_ref().map(end)),
        first_iops: or_dash(met.first_done.as_ref().map(rate)),
        last_done: end(&met.last_done),
        last_iops: rate(&met.last_done),
        slowest: or_dash(slowest),
        note: notes.join("; "),
    }
}

fn abbreviate_hosts(hosts: &[&str]) -> String {
    const NAMED: usize = 3;
    let told = hosts.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match hosts.len().saturating_sub(NAMED) {
        0 => told,
        more => format!("{told} and {more} more"),
    }
}

fn build_host_row(host: &FleetHost) -> HostRow {
    let environment = &host.environment;
    let mut system: Vec<String> = Vec::new();
    if !environment.kernel.is_empty() {
        system.push(environment.kernel.clone());
    }
    if environment.cpus > 0 {
        system.push(count_words(environment.cpus as usize, "processor"));
    }
    let labels: Vec<String> = host.labels.iter().map(|(key, of)| format!("{key}={of}")).collect();
    let target = host.target.as_ref().map(|target| {
        let device = target.top_device().map(|layer| format!(" ({})", layer_words(layer)));
        format!("{}{}", target.path, device.unwrap_or_default())
    });
    let clock = host.clock.as_ref();
    HostRow {
        name: host.name.clone(),
        labels: labels.join(" "),
        system: system.join(", "),
        target: target.unwrap_or_default(),
        clock: clock.map(clock_words).unwrap_or_default(),
        round_trip: clock.map(|clock| clock.round_trip.to_string()).unwrap_or_default(),
        record: host.record.clone().unwrap_or_default(),
        note: host.lost.as_ref().map(|lost| lost.reason.to_string()).unwrap_or_default(),
    }
}

/// `+1000 s ±0.1 ms`, and how far it moved.
fn clock_words(clock: &HostClock) -> String {
    let sign = |ns: i64| if ns < 0 { "-" } else { "+" };
    let offset = Nanos(clock.offset_ns.unsigned_abs());
    let mut words = format!("{}{offset} ±{}", sign(clock.offset_ns), clock.error);
    if let Some(drift) = clock.drift_ns {
        let moved = Nanos(drift.unsigned_abs());
        words.push_str(&format!(", moved {}{moved}", sign(drift)));
    }
    words
}
