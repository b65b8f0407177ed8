//! `truedisk model`: what a plan or a disk gives, as tables or JSON.

use std::fmt::Display;

use message::{Message, messages};
use model::{Hdd, IoDirection, LimitingFactor, Order, PLANS, Plan, REFERENCE_DEVICES, Rates};
use record::{Cell, CellRole, Finding, Judgement, Record, Status};
use report::Sheet;
use serde_json::{Value, json};
use units::{Bytes, BytesPerSecond, Iops, Nanos};
use workload::{Access, Mix};

use crate::args::{ModelArgs, Sizes};
use crate::exit::{Exit, Failure, Outcome};
use crate::output::{open_json, write_json};
use crate::terminal::{say, tell};
use crate::{promise, terminal};

const DEFAULT_BLOCK_SIZES: [Bytes; 5] =
    [Bytes::kib(4), Bytes::kib(16), Bytes::kib(64), Bytes::kib(256), Bytes::mib(1)];
/// Positions on the disk, as shares of its space.
const SURFACE_POSITIONS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// The innermost radius over the outermost: a convention for disks of 3.5 inches.
const INNER_RADIUS_RATIO: f64 = 0.5;
const HDD_EXAMPLE: &str = "truedisk model hdd --rpm 7200 --seek 8.5ms --bs 4k,64k";
const DEFAULT_TRACK_SEEK: Nanos = Nanos::millis(1);

pub(crate) fn run(args: &ModelArgs) -> Outcome {
    if let Some((flag, what)) = args.first_unused_flag() {
        return Err(Failure::wrong(format_args!("{flag} is for {what}"))
            .hint("leave it out, or name one of those that `truedisk model` lists"));
    }
    let json = open_json(&args.json)?;
    let against = args.against.as_deref().map(record::store::load_record).transpose();
    let against = against.map_err(|error| {
        Failure::wrong(error).hint("name a record: truedisk check --json FILE writes one")
    })?;
    let (sheet, document) = match args.plan.as_deref() {
        None => list_plans(),
        Some("ladder") => ladder_sheet(against.as_ref()),
        Some("hdd") => hdd_sheet(args, against.as_ref())?,
        Some(text) => plan_sheet(args, &promise::find_plan(text)?, against.as_ref()),
    };
    if let Some(file) = json {
        return write_json(file, &document);
    }
    terminal::print(&sheet.render(terminal::style()))?;
    Ok(Exit::Done)
}

fn list_plans() -> (Sheet, Value) {
    let mut sheet = Sheet::new(&say("models-title"));
    let row = |example: &str, what: String| vec![example.to_owned(), what];
    let mut rows: Vec<Vec<String>> =
        PLANS.iter().map(|entry| row(&entry.example(), plan_words(entry))).collect();
    rows.push(row("./plans.toml:nhp-5k", say("model-own-plan")));
    rows.push(row("hdd --rpm 7200 --seek 8.5ms", say("model-hdd")));
    rows.push(row("ladder", say("model-ladder")));
    sheet.add_table("", &[say("head-for-example"), say("head-what")], rows, 2);
    sheet.add_paragraph(&say("model-as-of"));
    let entry = |entry: &model::PlanEntry| {
        let (name, what, example) = (entry.name, entry.what, entry.example());
        json!({"name": name, "what": what, "example": example})
    };
    (sheet, json!({"plans": PLANS.iter().map(entry).collect::<Vec<_>>()}))
}

/// What a plan is; most are called by the names of their providers alone.
fn plan_words(entry: &model::PlanEntry) -> String {
    let id = format!("plan-what-{}", entry.name.replace(':', "-"));
    let words = Message::find(&id).unwrap_or_else(|| Message::from_text(entry.what));
    tell(words)
}

fn ladder_sheet(against: Option<&Record>) -> (Sheet, Value) {
    let mut sheet = Sheet::new(&say("ladder-title"));
    let mut rows: Vec<(f64, Vec<String>)> = REFERENCE_DEVICES
        .iter()
        .map(|rung| {
            let class = match rung.class {
                "rotating disk" => say("ladder-rotating-disk"),
                "volume in a cloud" => say("ladder-cloud-volume"),
                class => class.to_owned(),
            };
            let latency = match rung.latency.strip_prefix("below ") {
                Some(time) => tell(BelowTime { time: time.to_owned() }),
                None => figure(rung.latency),
            };
            let kind = match rung.kind {
                "measured" => say("ladder-measured"),
                "sold" => say("ladder-sold"),
                _ => say("ladder-computed"),
            };
            let text = [class, rung.example.to_owned(), figure(Iops(rung.iops)), latency, kind];
            (rung.iops, text.to_vec())
        })
        .collect();
    let load = ModelLoad { order: Order::Random, way: IoDirection::Read, against };
    let most = load.measured_iops(Bytes::kib(4));
    if let Some(most) = most {
        let at = rows.partition_point(|(iops, _)| *iops <= most);
        let (of, kind) = (say("ladder-this-record"), say("ladder-measured"));
        let text = ["->".to_owned(), of, figure(Iops(most)), String::new(), kind];
        rows.insert(at, (most, text.to_vec()));
    }
    let rows = rows.into_iter().map(|(_, row)| row).collect();
    let head = [say("head-class"), say("head-example"), "IOPS".to_owned(), say("axis-latency")];
    sheet.add_table("", &[head.to_vec(), vec![String::new()]].concat(), rows, 2);
    sheet.add_paragraph(&say("ladder-note"));
    let mut sources: Vec<String> = Vec::new();
    for rung in REFERENCE_DEVICES {
        let source = format!("{} ({})", rung.url, rung.date);
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    sheet.add_sources(&sources);
    (sheet, json!({"ladder": REFERENCE_DEVICES, "measured": most}))
}

/// A kind of load, and the record whose cells stand beside it.
#[derive(Clone, Copy)]
struct ModelLoad<'a> {
    order: Order,
    way: IoDirection,
    against: Option<&'a Record>,
}

impl<'a> ModelLoad<'a> {
    fn title(self) -> String {
        match (self.order, self.way) {
            (Order::Random, IoDirection::Read) => say("model-random-reads"),
            (Order::Random, IoDirection::Write) => say("model-random-writes"),
            (Order::Sequential, IoDirection::Read) => say("model-sequential-reads"),
            (Order::Sequential, IoDirection::Write) => say("model-sequential-writes"),
        }
    }

    /// The valid cells of the record with this load.
    fn cells(self) -> impl Iterator<Item = &'a Cell> {
        use CellRole::{Ladder, Main, Point, Probe};
        let mix = if self.way == IoDirection::Write { Mix::Write } else { Mix::Read };
        let access = if self.order == Order::Random { Access::Random } else { Access::Sequential };
        let is_invalid = |finding: &&Finding| finding.status == Status::Invalid;
        let cells = self.against.into_iter().flat_map(|record| {
            record.measured.cells.iter().map(move |cell| (record.judgement_or_default(), cell))
        });
        let fits = move |judgement: &Judgement, cell: &Cell| {
            cell.job.mix == mix
                && cell.job.access == access
                && cell.job.sync.is_none()
                && cell.beside.is_none()
                && matches!(cell.role, Main | Ladder | Probe | Point)
                && !judgement.severe_findings(&cell.name).iter().any(is_invalid)
        };
        cells.filter(move |(judgement, cell)| fits(judgement, cell)).map(|(_, cell)| cell)
    }

    /// The highest IOPS of a block size, at any depth.
    fn measured_iops(self, size: Bytes) -> Option<f64> {
        self.cells().filter(|cell| cell.job.block_size == size).map(Cell::iops).reduce(f64::max)
    }

    fn measured_column(self, size: Bytes) -> Option<String> {
        self.against?;
        Some(self.measured_iops(size).map_or_else(|| "-".to_owned(), |iops| figure(Iops(iops))))
    }

    fn measured_title(self) -> Option<String> {
        self.against.map(|_| say("head-measured-iops"))
    }
}

fn plan_sheet(args: &ModelArgs, plan: &Plan, against: Option<&Record>) -> (Sheet, Value) {
    let order = if args.sequential { Order::Sequential } else { Order::Random };
    let way = if args.write { IoDirection::Write } else { IoDirection::Read };
    let load = ModelLoad { order, way, against };
    let mut sheet = Sheet::new(&plan.title);
    plan.notes.iter().for_each(|note| sheet.add_paragraph(&tell(note)));
    sheet.add_paragraph(&tell(Counting { accounting: plan.accounting.describe() }));
    if let Some(tolerance) = plan.tolerance.filter(|t| t.of_time < 1.0) {
        let (share, of_time) = (tolerance.share * 100.0, (tolerance.of_time * 1e4).round() / 100.0);
        let (share, of_time) = (figure(format!("{share:.0}")), figure(of_time));
        sheet.add_paragraph(&tell(ProviderTolerance { share, of_time }));
    }
    let sizes = block_sizes(args);
    let rows = sizes.iter().map(|&size| {
        let base = plan.base_rates(size, order, way);
        let burst = plan.burst_rates(size, order, way);
        let mut row = vec![size.to_compact()];
        row.extend(rate_columns(&base));
        row.extend(
            burst.map_or_else(|| ["-", "-"].map(str::to_owned), |rates| rate_columns(&rates)),
        );
        row.push(limit_name(base.ruler));
        row.extend(load.measured_column(size));
        row
    });
    let (iops, rate) = ("IOPS".to_owned(), "MB/s".to_owned());
    let first = [say("head-block"), iops, rate.clone(), say("head-burst"), rate, say("head-limit")];
    let head: Vec<String> = first.into_iter().chain(load.measured_title()).collect();
    sheet.add_table(&load.title(), &head, rows.collect(), 0);
    add_burst_table(&mut sheet, plan, &sizes, load);
    let sources: Vec<String> =
        plan.sources.iter().map(|s| format!("{} ({})", s.url, s.date)).collect();
    sheet.add_sources(&sources);
    (sheet, plan_json(plan, &sizes, load))
}

fn add_burst_table(sheet: &mut Sheet, plan: &Plan, sizes: &[Bytes], load: ModelLoad<'_>) {
    if plan.burst.is_none() {
        return;
    }
    let mut rows = Vec::new();
    for &size in sizes {
        for phase in plan.phases(size, load.order, load.way) {
            let from = format_seconds(phase.from);
            let time = match phase.until.map(format_seconds) {
                Some(until) => tell(PhaseTime { from, until }),
                None => tell(PhaseOn { from }),
            };
            let [iops, rate] = rate_columns(&phase.rates);
            let kind = if phase.burst { say("model-burst") } else { say("model-always") };
            rows.push(vec![size.to_compact(), time, iops, rate, kind]);
        }
    }
    let (iops, rate) = ("IOPS".to_owned(), "MB/s".to_owned());
    let head = [say("head-block"), say("head-time"), iops, rate, String::new()];
    sheet.add_table(&say("model-over-time"), &head, rows, 1);
    if let Some(time) = plan.refills_in().map(format_seconds) {
        sheet.add_paragraph(&tell(RefillTime { time }));
    }
}

fn plan_json(plan: &Plan, sizes: &[Bytes], load: ModelLoad<'_>) -> Value {
    let ModelLoad { order, way, .. } = load;
    let size = |&size: &Bytes| {
        json!({
            "block_size": size,
            "base": rates_json(&plan.base_rates(size, order, way)),
            "burst": plan.burst_rates(size, order, way).as_ref().map(rates_json),
            "phases": plan.phases(size, order, way).iter().map(|phase| json!({
                "from_seconds": phase.from,
                "until_seconds": phase.until,
                "burst": phase.burst,
                "rates": rates_json(&phase.rates),
            })).collect::<Vec<_>>(),
            "measured_iops": load.measured_iops(size),
        })
    };
    json!({
        "plan": plan,
        "order": order,
        "way": way,
        "sizes": sizes.iter().map(size).collect::<Vec<_>>(),
        "refills_in_seconds": plan.refills_in(),
    })
}

/// Rates with `null` where there is no limit: JSON has no infinity.
fn rates_json(rates: &Rates) -> Value {
    match rates.iops.is_finite() {
        true => json!(rates),
        false => json!({"iops": null, "bytes_per_second": null, "ruler": rates.ruler}),
    }
}

fn hdd_sheet(args: &ModelArgs, against: Option<&Record>) -> Result<(Sheet, Value), Failure> {
    let missing =
        |flag: &str| Failure::wrong(format_args!("hdd: {flag} is missing")).hint(HDD_EXAMPLE);
    let seek = args.seek.ok_or_else(|| missing("--seek TIME"))?;
    let stretch = match (args.size, args.capacity) {
        (Some(size), Some(capacity)) => size.0 as f64 / capacity.0 as f64,
        _ => 1.0,
    };
    let disk = Hdd {
        rpm: args.rpm.ok_or_else(|| missing("--rpm NUMBER"))?,
        seek,
        track: args.track.unwrap_or(DEFAULT_TRACK_SEEK.min(seek)),
        controller: args.controller.unwrap_or(Nanos::ZERO),
        rate: args.rate.map(BytesPerSecond::from_mb),
        stretch,
    };
    let disk = disk.validate().map_err(|error| Failure::wrong(error).hint(HDD_EXAMPLE))?;
    let load = ModelLoad { order: Order::Random, way: IoDirection::Read, against };
    let mut sheet = Sheet::new(&tell(HddTitle { rpm: figure(disk.rpm), seek }));
    sheet.add_paragraph(&say("hdd-formula"));
    if stretch < 1.0 {
        let percent = (stretch * 1e5).round() / 1e3;
        let words = HddStretch { share: figure(percent), track: disk.track, seek };
        sheet.add_paragraph(&tell(words));
    }
    let sizes = block_sizes(args);
    let millis = |seconds: f64| figure(format!("{:.2}", seconds * 1e3));
    let rows = sizes.iter().map(|&size| {
        let time = disk.service_time(size);
        let mut row = vec![size.to_compact()];
        let parts = [time.seek, time.rotation, time.transfer, time.controller, time.total()];
        row.extend(parts.map(millis));
        row.push(figure(Iops(time.iops())));
        row.push(format_rate(time.iops() * size.0 as f64));
        row.extend(load.measured_column(size));
        row
    });
    let parts = [
        "head-block",
        "head-seek-ms",
        "head-rotation",
        "head-transfer",
        "head-controller",
        "head-all-ms",
    ];
    let mut head: Vec<String> = parts.iter().map(|id| say(id)).collect();
    head.extend(["IOPS", "MB/s"].map(str::to_owned));
    head.extend(load.measured_title());
    sheet.add_table(&say("hdd-table"), &head, rows.collect(), 0);
    add_surface_table(&mut sheet, &disk);
    sheet.add_sources(&[
        "Bryant and O'Hallaron, Computer Systems, chapter 6 (2003)".to_owned(),
        "Ruemmler and Wilkes, An introduction to disk drive modeling, IEEE Computer 27:3 (1994)"
            .to_owned(),
    ]);
    let size = |&size: &Bytes| {
        let time = disk.service_time(size);
        let measured = load.measured_iops(size);
        json!({"block_size": size, "seconds": time, "iops": time.iops(),
               "measured_iops": measured})
    };
    Ok((sheet, json!({"hdd": disk, "sizes": sizes.iter().map(size).collect::<Vec<_>>()})))
}

fn add_surface_table(sheet: &mut Sheet, disk: &Hdd) {
    let Some(rate) = disk.rate else { return };
    let row = |&at: &f64| {
        let share = model::surface_rate(at, INNER_RADIUS_RATIO);
        vec![format!("{:.0} %", at * 100.0), format_rate(rate.0 * share)]
    };
    let rows = SURFACE_POSITIONS.iter().map(row).collect();
    sheet.add_table(&say("hdd-surface"), &[say("head-at"), "MB/s".to_owned()], rows, 0);
}

fn block_sizes(args: &ModelArgs) -> Vec<Bytes> {
    if args.bs.is_empty() {
        return DEFAULT_BLOCK_SIZES.to_vec();
    }
    args.bs.iter().flat_map(|Sizes(sizes)| sizes.clone()).collect()
}

fn rate_columns(rates: &Rates) -> [String; 2] {
    if rates.iops.is_finite() {
        [figure(Iops(rates.iops)), format_rate(rates.bytes_per_second)]
    } else {
        [say("model-no-limit"), say("model-no-limit")]
    }
}

pub(crate) fn format_rate(rate: f64) -> String {
    figure(BytesPerSecond(rate).to_string().trim_end_matches(" MB/s"))
}

/// A number in the punctuation of the language.
pub(crate) fn figure(value: impl Display) -> String {
    terminal::language().punctuate(&value.to_string())
}

fn limit_name(ruler: LimitingFactor) -> String {
    match ruler {
        LimitingFactor::Operations => say("model-limit-operations"),
        LimitingFactor::Bytes => say("model-limit-bytes"),
        LimitingFactor::Nothing => say("tile-none"),
    }
}

/// `1,895 s`, with hours where that is long.
fn format_seconds(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    if seconds >= 7200.0 {
        tell(Hours { seconds: whole, hours: figure(format!("{:.1}", seconds / 3600.0)) })
    } else {
        tell(Seconds { seconds: whole })
    }
}

messages! {
    BelowTime = "ladder-below-time" { time: String };
    Counting = "promise-counting" { accounting: Message };
    ProviderTolerance = "model-tolerance" { share: String, of_time: String };
    PhaseTime = "model-phase" { from: String, until: String };
    PhaseOn = "model-phase-on" { from: String };
    RefillTime = "model-refill" { time: String };
    HddTitle = "hdd-title" { rpm: String, seek: Nanos };
    HddStretch = "hdd-stretch" { share: String, track: Nanos, seek: Nanos };
    Hours = "model-hours" { seconds: u64, hours: String };
    Seconds = "model-seconds" { seconds: u64 };
}
