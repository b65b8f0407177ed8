//! `truedisk model`: what a plan or a disk gives, as tables or JSON.

use model::{Hdd, LADDER, LIST, Order, Plan, Rates, Ruler, Way};
use record::{Cell, CellRole, Record};
use report::Sheet;
use serde_json::{Value, json};
use units::{Bytes, BytesPerSecond, Iops, Nanos};
use workload::{Access, Mix};

use crate::args::ModelArgs;
use crate::{Failure, Outcome, promise, terminal};

/// Wrong request.
const WRONG: u8 = 2;
/// Sizes that are shown unless others are asked for.
const SIZES: [Bytes; 5] =
    [Bytes::kib(4), Bytes::kib(16), Bytes::kib(64), Bytes::kib(256), Bytes::mib(1)];
/// A share of the space at which the rate of a disk is shown.
const SURFACE: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// The innermost radius over the outermost: a convention for disks of 3.5 inches, which is stated
/// where it is used.
const INNER: f64 = 0.5;
/// Track-to-track time unless one is given.
const TRACK: Nanos = Nanos::millis(1);

/// Tells what was asked.
pub(crate) fn model(args: &ModelArgs) -> Outcome {
    let name = args.plan.as_deref();
    if let Some(flag) = args.of_a_disk().filter(|_| name != Some("hdd")) {
        let hint = Some("truedisk model hdd --rpm 7200 --seek 8.5ms".to_owned());
        return Err(Failure::new(format!("{flag} is for 'hdd' only"), hint, WRONG));
    }
    let against = match &args.against {
        Some(path) => Some(
            record::store::load(path)
                .map_err(|error| Failure::new(error.to_string(), None, WRONG))?,
        ),
        None => None,
    };
    let (sheet, document) = match name {
        None => list(),
        Some("ladder") => ladder(against.as_ref()),
        Some("hdd") => disk(args, against.as_ref())?,
        Some(text) => volume(args, &promise::plan(text)?, against.as_ref()),
    };
    if args.json {
        let text = serde_json::to_string_pretty(&document);
        let text = text.map_err(|error| Failure::new(error.to_string(), None, 1))? + "\n";
        terminal::print_json(&text)?;
    } else {
        terminal::print(&sheet.text(terminal::style()))?;
    }
    Ok(0)
}

fn list() -> (Sheet, Value) {
    let mut sheet = Sheet::new("Plans and models");
    let row = |example: &str, what: &str| vec![example.to_owned(), what.to_owned()];
    let mut rows: Vec<Vec<String>> =
        LIST.iter().map(|entry| row(entry.example, entry.what)).collect();
    rows.push(row("./plans.toml:nhp-5k", "a plan of your own"));
    rows.push(row("hdd --rpm 7200 --seek 8.5ms", "a rotating disk by its data sheet"));
    rows.push(row("ladder", "what typical devices give"));
    sheet.table("", &["for example", "what"], rows, 2);
    sheet.line("AWS volumes take as-of=YYYY-MM-DD for the limits of that day.");
    let entry = |entry: &model::Entry| {
        let (name, what, example) = (entry.name, entry.what, entry.example);
        json!({"name": name, "what": what, "example": example})
    };
    (sheet, json!({"plans": LIST.iter().map(entry).collect::<Vec<_>>()}))
}

fn ladder(against: Option<&Record>) -> (Sheet, Value) {
    let mut sheet = Sheet::new("Random reads of 4 KiB a second: what typical devices give");
    let mut rows: Vec<(f64, Vec<String>)> = LADDER
        .iter()
        .map(|rung| {
            let iops = Iops(rung.iops).to_string();
            let text = [rung.class, rung.example, &iops, rung.latency, rung.kind];
            (rung.iops, text.map(str::to_owned).to_vec())
        })
        .collect();
    let most = against.and_then(|record| {
        let cells = cells(record, Order::Random, Way::Read);
        cells.filter(|c| c.job.block_size == Bytes::kib(4)).map(Cell::iops).reduce(f64::max)
    });
    if let Some(most) = most {
        let at = rows.partition_point(|(iops, _)| *iops <= most);
        let text = ["->", "THIS RECORD", &Iops(most).to_string(), "", "measured"];
        rows.insert(at, (most, text.map(str::to_owned).to_vec()));
    }
    let rows = rows.into_iter().map(|(_, row)| row).collect();
    sheet.table("", &["class", "example", "IOPS", "latency", ""], rows, 2);
    sheet.line(
        "Measured: medians of users' submissions to iocost-benchmarks, one to four drives of a \
         model on hosts that differ. Sold: by the provider's own words. Use them as bands.",
    );
    let mut sources: Vec<String> = Vec::new();
    for rung in LADDER {
        let source = format!("{} ({})", rung.url, rung.date);
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    sheet.sources(&sources);
    (sheet, json!({"ladder": LADDER, "measured": most}))
}

fn volume(args: &ModelArgs, plan: &Plan, against: Option<&Record>) -> (Sheet, Value) {
    let order = if args.sequential { Order::Sequential } else { Order::Random };
    let way = if args.write { Way::Write } else { Way::Read };
    let mut sheet = Sheet::new(&plan.title);
    plan.notes.iter().for_each(|note| sheet.line(note));
    sheet.line(&format!("Counting: {}.", plan.accounting.words()));
    if let Some(tolerance) = plan.tolerance.filter(|t| t.of_time < 1.0) {
        let (share, of_time) = (tolerance.share * 100.0, (tolerance.of_time * 1e4).round() / 100.0);
        sheet.line(&format!(
            "Kept, by the provider: {share:.0} % of it for {of_time} % of the time."
        ));
    }
    let sizes = sizes(args);
    let rows = sizes.iter().map(|&size| {
        let mut row = vec![size.compact()];
        row.extend(words(&plan.base_rates(size, order, way)));
        match plan.burst_rates(size, order, way) {
            Some(rates) => row.extend(words(&rates)),
            None => row.extend(["-".to_owned(), "-".to_owned()]),
        }
        row.push(rules(plan.base_rates(size, order, way).ruler).to_owned());
        row.extend(against.map(|record| beside(record, order, way, size)));
        row
    });
    let mut head = vec!["block", "IOPS", "MB/s", "burst", "MB/s", "limit"];
    head.extend(against.map(|_| "measured IOPS"));
    let title = format!("{}, over block size", workload_words(order, way));
    sheet.table(&title, &head, rows.collect(), 0);
    over_time(&mut sheet, plan, &sizes, order, way);
    let sources: Vec<String> =
        plan.sources.iter().map(|s| format!("{} ({})", s.url, s.date)).collect();
    sheet.sources(&sources);
    (sheet, volume_json(plan, &sizes, order, way, against))
}

/// The phases of each size: what there is until the burst ends, and after it.
fn over_time(sheet: &mut Sheet, plan: &Plan, sizes: &[Bytes], order: Order, way: Way) {
    if plan.burst.is_none() {
        return;
    }
    let mut rows = Vec::new();
    for &size in sizes {
        for phase in plan.phases(size, order, way) {
            let until = phase.until.map_or_else(|| "on".to_owned(), seconds);
            let [iops, rate] = words(&phase.rates);
            let kind = if phase.burst { "burst" } else { "always" };
            rows.push(vec![
                size.compact(),
                format!("{} to {until}", seconds(phase.from)),
                iops,
                rate,
                kind.to_owned(),
            ]);
        }
    }
    let title = "Over time, from a full bucket, under a load that takes all it gets";
    sheet.table(title, &["block", "time", "IOPS", "MB/s", ""], rows, 1);
    if let Some(refill) = plan.refills_in() {
        sheet.line(&format!("At rest an empty one is full again after {}.", seconds(refill)));
    }
}

fn volume_json(
    plan: &Plan,
    sizes: &[Bytes],
    order: Order,
    way: Way,
    against: Option<&Record>,
) -> Value {
    let size = |&size: &Bytes| {
        json!({
            "block_size": size,
            "base": finite(&plan.base_rates(size, order, way)),
            "burst": plan.burst_rates(size, order, way).as_ref().map(finite),
            "phases": plan.phases(size, order, way).iter().map(|phase| json!({
                "from_seconds": phase.from,
                "until_seconds": phase.until,
                "burst": phase.burst,
                "rates": finite(&phase.rates),
            })).collect::<Vec<_>>(),
            "measured_iops": against.and_then(|record| measured(record, order, way, size)),
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
fn finite(rates: &Rates) -> Value {
    match rates.iops.is_finite() {
        true => json!(rates),
        false => json!({"iops": null, "bytes_per_second": null, "ruler": rates.ruler}),
    }
}

fn disk(args: &ModelArgs, against: Option<&Record>) -> Result<(Sheet, Value), Failure> {
    let missing = |flag: &str| {
        let hint = Some("truedisk model hdd --rpm 7200 --seek 8.5ms --bs 4k,64k".to_owned());
        Failure::new(format!("hdd: {flag} is missing"), hint, WRONG)
    };
    let seek = args.seek.ok_or_else(|| missing("--seek TIME"))?;
    let stretch = match (args.span, args.capacity) {
        (Some(span), Some(capacity)) => span.0 as f64 / capacity.0 as f64,
        _ => 1.0,
    };
    let disk = Hdd {
        rpm: args.rpm.ok_or_else(|| missing("--rpm NUMBER"))?,
        seek,
        track: args.track.unwrap_or(TRACK.min(seek)),
        controller: args.controller.unwrap_or(Nanos::ZERO),
        rate: args.rate.map(BytesPerSecond::mb),
        stretch,
    };
    let disk = disk.checked().map_err(|e| Failure::new(e.to_string(), None, WRONG))?;
    let mut sheet = Sheet::new(&format!("Rotating disk, {} rpm, {seek} average seek", disk.rpm));
    sheet.line("One random operation at a time: seek + half a rotation + transfer + controller.");
    if stretch < 1.0 {
        let percent = (stretch * 1e5).round() / 1e3;
        sheet.line(&format!(
            "The arm moves over {percent} % of the surface only: seek = {} + ({seek} - {0}) x \
             sqrt({percent} %).",
            disk.track
        ));
    }
    let sizes = sizes(args);
    let millis = |seconds: f64| format!("{:.2}", seconds * 1e3);
    let rows = sizes.iter().map(|&size| {
        let time = disk.service_time(size);
        let mut row = vec![size.compact()];
        row.extend(
            [time.seek, time.rotation, time.transfer, time.controller, time.all()].map(millis),
        );
        row.push(Iops(time.iops()).to_string());
        row.push(rate_words(time.iops() * size.0 as f64));
        row.extend(against.map(|record| beside(record, Order::Random, Way::Read, size)));
        row
    });
    let mut head =
        vec!["block", "seek ms", "rotation", "transfer", "control", "all ms", "IOPS", "MB/s"];
    head.extend(against.map(|_| "measured IOPS"));
    sheet.table("Random, one at a time", &head, rows.collect(), 0);
    surface(&mut sheet, &disk);
    sheet.sources(&[
        "Bryant and O'Hallaron, Computer Systems, chapter 6 (2003)".to_owned(),
        "Ruemmler and Wilkes, An introduction to disk drive modeling, IEEE Computer 27:3 (1994)"
            .to_owned(),
    ]);
    let size = |&size: &Bytes| {
        let time = disk.service_time(size);
        json!({"block_size": size, "seconds": time, "iops": time.iops(),
               "measured_iops": against.and_then(|r| measured(r, Order::Random, Way::Read, size))})
    };
    Ok((sheet, json!({"hdd": disk, "sizes": sizes.iter().map(size).collect::<Vec<_>>()})))
}

/// What the zones of a disk give in sequence.
fn surface(sheet: &mut Sheet, disk: &Hdd) {
    let Some(rate) = disk.rate else { return };
    let row = |&at: &f64| {
        let share = model::surface_rate(at, INNER);
        vec![format!("{:.0} %", at * 100.0), rate_words(rate.0 * share)]
    };
    let rows = SURFACE.iter().map(row).collect();
    let title = "Sequential, over the surface (an innermost radius of half the outermost)";
    sheet.table(title, &["at", "MB/s"], rows, 0);
}

fn sizes(args: &ModelArgs) -> Vec<Bytes> {
    if args.bs.is_empty() { SIZES.to_vec() } else { args.bs.clone() }
}

fn words(rates: &Rates) -> [String; 2] {
    if rates.iops.is_finite() {
        [Iops(rates.iops).to_string(), rate_words(rates.bytes_per_second)]
    } else {
        ["no limit".to_owned(), "no limit".to_owned()]
    }
}

fn rate_words(rate: f64) -> String {
    BytesPerSecond(rate).to_string().trim_end_matches(" MB/s").to_owned()
}

const fn rules(ruler: Ruler) -> &'static str {
    match ruler {
        Ruler::Operations => "operations",
        Ruler::Bytes => "bytes",
        Ruler::Nothing => "none",
    }
}

const fn workload_words(order: Order, way: Way) -> &'static str {
    match (order, way) {
        (Order::Random, Way::Read) => "Random reads",
        (Order::Random, Way::Write) => "Random writes",
        (Order::Sequential, Way::Read) => "Sequential reads, merged",
        (Order::Sequential, Way::Write) => "Sequential writes, merged",
    }
}

/// `1,895 s`, with hours where that is long.
fn seconds(seconds: f64) -> String {
    let whole = units::grouped(seconds.round() as u64);
    if seconds >= 7200.0 {
        format!("{whole} s ({:.1} h)", seconds / 3600.0)
    } else {
        format!("{whole} s")
    }
}

/// Cells of a record that are like the model's load.
fn cells(record: &Record, order: Order, way: Way) -> impl Iterator<Item = &Cell> {
    let mix = if way == Way::Write { Mix::Write } else { Mix::Read };
    let access = if order == Order::Random { Access::Random } else { Access::Sequential };
    record.measured.cells.iter().filter(move |cell| {
        use CellRole::{Ladder, Main, Point, Probe};
        let invalid = |f: &&record::Finding| f.status == record::Status::Invalid;
        cell.job.mix == mix
            && cell.job.access == access
            && cell.job.sync.is_none()
            && cell.beside.is_none()
            && matches!(cell.role, Main | Ladder | Probe | Point)
            && !record.judged().marks(&cell.name).iter().any(invalid)
    })
}

/// The most of a size that was measured, whatever the depth.
fn measured(record: &Record, order: Order, way: Way, size: Bytes) -> Option<f64> {
    let cells = cells(record, order, way).filter(|cell| cell.job.block_size == size);
    cells.map(Cell::iops).reduce(f64::max)
}

fn beside(record: &Record, order: Order, way: Way, size: Bytes) -> String {
    measured(record, order, way, size).map_or_else(|| "-".to_owned(), |iops| Iops(iops).to_string())
}
