//! A run over many hosts, in the words that the terminal and the page share: what each host gave,
//! how their starts and their ends met, and what is missing.

use message::{Language, Message, Names, Render as _, label, messages};
use record::{
    Cell, Fleet, FleetCell, FleetHost, FleetSpan, FleetWave, FleetWaves, HostCell, HostClock,
    Record, Window,
};
use stats::LatencyHistogram;
use units::{Iops, Nanos, Ratio};

use crate::words::{cell_label, layer_words, or_dash, say};

pub(crate) struct FleetReport {
    /// `8 hosts on one shared target, each on a part of its own`.
    pub(crate) title: String,
    pub(crate) degraded: Vec<String>,
    /// The name of the cell that the shares are of; empty where nothing was measured.
    pub(crate) cell: String,
    /// The same for people: `random read 4k, depth 64`.
    pub(crate) label: String,
    pub(crate) shares: Vec<HostShare>,
    pub(crate) met: Vec<CellTiming>,
    pub(crate) hosts: Vec<HostRow>,
    pub(crate) waves: Vec<WaveRow>,
}

/// Hosts that measured at the same time, where not all did.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WaveRow {
    pub(crate) number: String,
    pub(crate) hosts: String,
    pub(crate) from: String,
    pub(crate) to: String,
    /// The widest spread of starts, with its interval: `350 us (120 us .. 580 us)`.
    pub(crate) skew: String,
    pub(crate) record: String,
    /// `Wave 2, 50 hosts: 12,345 IOPS ...`.
    pub(crate) line: String,
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
    pub(crate) is_slowest: bool,
}

impl FleetReport {
    /// Hosts without an operation, then the slowest one, then the others by their mean latency.
    pub(crate) fn slowest_first(&self) -> Vec<&HostShare> {
        let mut shares: Vec<&HostShare> = self.shares.iter().collect();
        let key = |share: &HostShare| (share.mean_ns <= 0.0, share.is_slowest);
        shares.sort_by(|a, b| key(b).cmp(&key(a)).then(b.mean_ns.total_cmp(&a.mean_ns)));
        shares
    }
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

/// The report of a run over many hosts, in a language.
pub(crate) fn build_fleet_report(record: &Record, language: Language) -> Option<FleetReport> {
    let fleet = record.measured.fleet.as_ref()?;
    if let Some(waves) = &fleet.waves {
        return Some(build_waves_report(record, fleet, waves, language));
    }
    let main = analysis::fleet::main_cell(&record.measured, record.judgement_or_default(), fleet);
    let cells = record.measured.cells.iter();
    let met =
        cells.filter_map(|cell| Some(build_cell_timing(fleet.cell(&cell.name)?, fleet, language)));
    Some(FleetReport {
        title: fleet_title(fleet).render(language),
        degraded: record
            .judgement_or_default()
            .degraded
            .iter()
            .map(|why| why.render(language))
            .collect(),
        cell: main.map(|(cell, _)| cell.name.clone()).unwrap_or_default(),
        label: main.map(|(cell, _)| cell_label(cell).render(language)).unwrap_or_default(),
        shares: main
            .map(|(cell, met)| build_shares((cell, met), fleet, language))
            .unwrap_or_default(),
        met: met.collect(),
        hosts: fleet.hosts.iter().map(|host| build_host_row(host, language)).collect(),
        waves: Vec::new(),
    })
}

/// Whether hosts did not all measure at the same time: then there are no totals, and each wave has
/// a record of its own with the answer to what was asked.
pub(crate) fn has_waves(record: &Record) -> bool {
    record.measured.fleet.as_ref().is_some_and(|fleet| fleet.waves.is_some())
}

fn build_waves_report(
    record: &Record,
    fleet: &Fleet,
    waves: &FleetWaves,
    language: Language,
) -> FleetReport {
    let figures = analysis::fleet::list_wave_figures(fleet);
    let label = |part: &HostCell| {
        let job = &part.cell.job;
        analysis::curve_name(&job.access, job.mix, job.block_size).1.render(language)
    };
    let first = figures.first().map(|(_, part)| label(part)).unwrap_or_default();
    let shares = figures.iter().map(|(host, part)| {
        let own = Some(label(part)).filter(|own| *own != first);
        let lost = host.lost.as_ref().map(|_| say("fleet-note-lost-later", language));
        let (mean_ns, latency) = summarize_latency(&part.cell);
        HostShare {
            host: host.name.clone(),
            iops: language.punctuate(&Iops(part.cell.iops()).to_string()),
            share: "-".to_owned(),
            depth: part.cell.job.depth.to_string(),
            latency: latency.map(|value| language.punctuate(&value)),
            began: "-".to_owned(),
            note: own.into_iter().chain(lost).collect::<Vec<_>>().join(", "),
            mean_ns,
            is_slowest: false,
        }
    });
    let title = TitleInWaves {
        title: fleet_title(fleet),
        waves: waves.begun.len(),
        most: waves.hosts_max(),
    };
    let degraded = &record.judgement_or_default().degraded;
    FleetReport {
        title: title.render(language),
        degraded: degraded.iter().map(|why| why.render(language)).collect(),
        cell: String::new(),
        label: first.clone(),
        shares: shares.collect(),
        met: Vec::new(),
        hosts: fleet.hosts.iter().map(|host| build_host_row(host, language)).collect(),
        waves: (1..).zip(&waves.begun).map(|(n, wave)| build_wave_row(n, wave, language)).collect(),
    }
}

fn build_wave_row(number: usize, wave: &FleetWave, language: Language) -> WaveRow {
    let figure = |value: String| language.punctuate(&value);
    let hosts = record::describe_host_count(wave.hosts.len());
    let starts = wave.starts.as_ref();
    WaveRow {
        number: number.to_string(),
        hosts: wave.hosts.len().to_string(),
        from: figure(wave.started.to_string()),
        to: figure(wave.ended.to_string()),
        skew: figure(or_dash(starts.map(|of| format!("{} ({} .. {})", of.skew, of.min, of.max)))),
        record: wave.record.clone().unwrap_or_default(),
        line: WaveLine { wave: number, hosts, answer: wave.headline.clone() }.render(language),
    }
}

/// `limit of /mnt/san on 8 hosts`: where a run over many hosts was, after its path.
pub(crate) fn located_path(record: &Record, path: &str) -> Message {
    match &record.measured.fleet {
        Some(fleet) => PathOnHosts { path: path.to_owned(), hosts: fleet.describe_hosts() }.into(),
        None => Message::from_text(path),
    }
}

fn fleet_title(fleet: &Fleet) -> Message {
    let hosts = fleet.describe_hosts();
    match fleet.span {
        FleetSpan::Own if analysis::fleet::is_one_storage(fleet) => {
            TitleSameStorage { hosts }.into()
        }
        FleetSpan::Own => TitleOwn { hosts }.into(),
        FleetSpan::Shared => TitleShared { hosts }.into(),
        FleetSpan::Split => TitleSplit { hosts }.into(),
    }
}

fn build_shares(
    (cell, met): (&Cell, &FleetCell),
    fleet: &Fleet,
    language: Language,
) -> Vec<HostShare> {
    let figure = |value: String| language.punctuate(&value);
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
            iops: figure(or_dash(iops.map(Iops))),
            share: figure(or_dash(share)),
            depth: or_dash(part.map(|part| part.cell.job.depth)),
            latency: latency.map(figure),
            began: figure(or_dash(part.map(|part| Nanos(part.began_ns.abs_diff(first))))),
            note: match part {
                Some(part) => share_note((host, part), met, language),
                None => absence_words(host, met).render(language),
            },
            mean_ns,
            is_slowest: met.slowest.as_ref().is_some_and(|slowest| slowest.host == host.name),
        }
    };
    fleet.hosts.iter().map(of).collect()
}

fn share_note(
    (host, part): (&FleetHost, &HostCell),
    met: &FleetCell,
    language: Language,
) -> String {
    let slowest = met.slowest.as_ref().filter(|slowest| slowest.host == host.name);
    let failed = |error: &record::CellError| -> Message {
        NoteFailed { error: error.message.clone() }.into()
    };
    let notes = [
        slowest.map(|_| label("fleet-note-slowest")),
        part.cell.error.as_ref().map(failed),
        host.lost.as_ref().map(|_| label("fleet-note-lost-later")),
    ];
    let notes = notes.into_iter().flatten().map(|note| note.render(language));
    notes.collect::<Vec<_>>().join(", ")
}

fn absence_words(host: &FleetHost, met: &FleetCell) -> Message {
    match &host.lost {
        Some(_) => label("fleet-note-lost"),
        None if met.idle.contains(&host.name) => label("fleet-note-no-share"),
        None => label("fleet-note-nothing"),
    }
}

/// Mean, p50 and p99 of a host's reads and writes together; where it did neither, of all it did.
pub(crate) fn summarize_latency(cell: &Cell) -> (f64, [String; 3]) {
    let data = cell.data_directions().next().is_some();
    let totals = cell.totals.iter().map(|(_, totals)| totals);
    let counted: Vec<_> = if data { cell.data_directions().collect() } else { totals.collect() };
    let whole: LatencyHistogram = counted
        .into_iter()
        .map(|of| &of.response_ns.as_deref().unwrap_or(&of.latency_ns).histogram)
        .collect();
    let percentile = |p: f64| {
        let supported = stats::percentile_supported(p, whole.count());
        or_dash(whole.quantile(p / 100.0).filter(|_| supported).map(Nanos))
    };
    let mean = whole.mean_ns();
    let shown = or_dash(mean.map(|mean| Nanos(mean.round() as u64)));
    (mean.unwrap_or(0.0), [shown, percentile(50.0), percentile(99.0)])
}

fn build_cell_timing(met: &FleetCell, fleet: &Fleet, language: Language) -> CellTiming {
    let missing = fleet.missing_hosts(met);
    let (there, away) = (met.hosts.len(), missing.len());
    let mut notes: Vec<Message> = Vec::new();
    if away > 0 {
        notes.push(Without { hosts: abbreviate_hosts(&missing) }.into());
    }
    if !met.idle.is_empty() {
        let idle: Vec<&str> = met.idle.iter().map(String::as_str).collect();
        notes.push(NoShareFor { hosts: abbreviate_hosts(&idle) }.into());
    }
    let notes: Vec<String> = notes.into_iter().map(|note| note.render(language)).collect();
    let figure = |value: String| language.punctuate(&value);
    let rate = |window: &Window| {
        let data = [&window.rates.read, &window.rates.write].into_iter().flatten();
        Iops(data.map(|rate| rate.iops).sum()).to_string()
    };
    let end = |window: &Window| Nanos(window.start.0.saturating_add(window.length.0)).to_string();
    let slowest = met.slowest.as_ref().map(|slowest| {
        let times = slowest.mean_ns / slowest.median_ns.max(1.0);
        format!("{}, {} x", slowest.host, language.punctuate(&format!("{times:.2}")))
    });
    CellTiming {
        cell: met.cell.clone(),
        hosts: match away {
            0 => there.to_string(),
            away => CountOf { part: there, all: there + away }.render(language),
        },
        skew: figure(or_dash((there > 1).then_some(met.skew))),
        error: figure(or_dash((there > 1).then(|| format!("±{}", met.skew_error)))),
        first_done: figure(or_dash(met.first_done.as_ref().map(end))),
        first_iops: figure(or_dash(met.first_done.as_ref().map(rate))),
        last_done: figure(end(&met.last_done)),
        last_iops: figure(rate(&met.last_done)),
        slowest: or_dash(slowest),
        note: notes.join("; "),
    }
}

fn abbreviate_hosts(hosts: &[&str]) -> Message {
    const NAMED: usize = 3;
    let names: Names = hosts.iter().take(NAMED).copied().collect();
    match hosts.len().saturating_sub(NAMED) {
        0 => HostNames { names }.into(),
        more => HostNamesAndMore { names, more }.into(),
    }
}

fn build_host_row(host: &FleetHost, language: Language) -> HostRow {
    let environment = &host.environment;
    let mut system: Vec<String> = Vec::new();
    if !environment.kernel.is_empty() {
        system.push(environment.kernel.clone());
    }
    if environment.cpus > 0 {
        system.push(Processors { count: environment.cpus }.render(language));
    }
    let labels: Vec<String> = host.labels.iter().map(|(key, of)| format!("{key}={of}")).collect();
    let target = host.target.as_ref().map(|target| {
        let words = |layer| format!(" ({})", layer_words(layer).render(language));
        let device = target.top_device().map(words);
        format!("{}{}", target.path, device.unwrap_or_default())
    });
    let clock = host.clock.as_ref();
    HostRow {
        name: host.name.clone(),
        labels: labels.join(" "),
        system: system.join(", "),
        target: target.unwrap_or_default(),
        clock: clock.map(|clock| clock_words(clock, language)).unwrap_or_default(),
        round_trip: clock
            .map(|clock| language.punctuate(&clock.round_trip.to_string()))
            .unwrap_or_default(),
        record: host.record.clone().unwrap_or_default(),
        note: host.lost.as_ref().map(|lost| (&lost.reason).render(language)).unwrap_or_default(),
    }
}

/// `+1000 s ±0.1 ms`, and how far it moved.
fn clock_words(clock: &HostClock, language: Language) -> String {
    let sign = |ns: i64| if ns < 0 { "-" } else { "+" };
    let offset = Nanos(clock.offset_ns.unsigned_abs());
    let figure = |value: String| language.punctuate(&value);
    let offset = figure(format!("{}{offset} ±{}", sign(clock.offset_ns), clock.error));
    match clock.drift_ns {
        Some(drift) => {
            let by = figure(format!("{}{}", sign(drift), Nanos(drift.unsigned_abs())));
            ClockMoved { offset, by }.render(language)
        }
        None => offset,
    }
}

messages! {
    PathOnHosts = "path-on-hosts" { path: String, hosts: Message };
    TitleSameStorage = "fleet-title-same-storage" { hosts: Message };
    TitleOwn = "fleet-title-own" { hosts: Message };
    TitleShared = "fleet-title-shared" { hosts: Message };
    TitleSplit = "fleet-title-split" { hosts: Message };
    TitleInWaves = "fleet-title-in-waves" { title: Message, waves: usize, most: usize };
    WaveLine = "wave-line" { wave: usize, hosts: Message, answer: Message };
    NoteFailed = "fleet-note-failed" { error: String };
    Without = "fleet-without" { hosts: Message };
    NoShareFor = "fleet-no-share-for" { hosts: Message };
    CountOf = "count-of" { part: usize, all: usize };
    HostNames = "fleet-names" { names: Names };
    HostNamesAndMore = "fleet-names-and-more" { names: Names, more: usize };
    Processors = "fleet-processors" { count: u32 };
    ClockMoved = "fleet-clock-moved" { offset: String, by: String };
}
