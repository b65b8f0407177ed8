//! What is true of totals, whatever the hosts gave.

use std::borrow::Cow;
use std::sync::Arc;

use proptest::prelude::*;
use record::{
    Cell, CellError, CellRole, DirectionInterval, Finding, FleetHost, FleetSpan, HostCell,
    Interval, Measured, Pause, PauseKind, PerDirection, Status, TickSeries, Ticks, Trust,
};
use record::{FindingId, fixture};
use stats::LatencyHistogram;
use units::Nanos;

use super::*;
use crate::summarise_latency;

const INTERVAL: u64 = 100_000_000;
const TICK: u64 = 10_000_000;

/// What one host did: when each operation completed, from its begin, and how long it took.
type Operations = Vec<(u64, u64)>;

/// The cell of a host whose reads completed so.
fn cell_of(operations: &[(u64, u64)], elapsed: u64) -> Cell {
    let mut cell = fixture::ssd_record().measured.cell("randread-4k-qd4").unwrap().clone();
    let slots = elapsed.div_ceil(INTERVAL);
    let ticks = usize::try_from(elapsed / TICK).unwrap();
    let mut series = Ticks { ops: vec![0; ticks], latency_sum_ns: vec![0; ticks] };
    cell.intervals.clear();
    for slot in 0..slots {
        let within = |at: u64| (at / INTERVAL).min(slots - 1) == slot;
        let mut histogram = LatencyHistogram::new();
        operations.iter().filter(|op| within(op.0)).for_each(|op| histogram.record(op.1));
        let counted = DirectionInterval {
            ops: histogram.count(),
            bytes: histogram.count() * 4096,
            total: histogram.to_sparse(),
            submission: None,
            response: None,
            comparable: None,
        };
        let directions = PerDirection { read: Some(Box::new(counted)), ..PerDirection::default() };
        let start = slot * INTERVAL;
        let length = Nanos(INTERVAL.min(elapsed - start));
        cell.intervals.push(Interval { start: Nanos(start), length, directions });
    }
    let mut whole = LatencyHistogram::new();
    for &(at, latency) in operations {
        whole.record(latency);
        if let Some(tick) = series.ops.get_mut(usize::try_from(at / TICK).unwrap()) {
            *tick += 1;
            series.latency_sum_ns[usize::try_from(at / TICK).unwrap()] += latency;
        }
    }
    let seconds = elapsed as f64 / 1e9;
    let read = cell.totals.read.as_mut().unwrap();
    read.ops = whole.count();
    read.bytes = whole.count() * 4096;
    read.iops = whole.count() as f64 / seconds;
    read.bytes_per_second = read.bytes as f64 / seconds;
    read.latency_ns = summarise_latency(&whole);
    cell.elapsed = Nanos(elapsed);
    cell.ledger.read_ops = whole.count();
    cell.ledger.read_bytes = units::Bytes(whole.count() * 4096);
    cell.achieved_depth.counted = whole.sum_ns() as f64 / elapsed as f64;
    cell.achieved_depth.little = cell.achieved_depth.counted;
    let directions = PerDirection { read: Some(Box::new(series)), ..PerDirection::default() };
    cell.ticks = TickSeries { tick: Nanos(TICK), directions };
    cell
}

fn host_cell(operations: &[(u64, u64)], began_ns: i64, elapsed: u64) -> HostCell {
    HostCell { began_ns, cell: Box::new(cell_of(operations, elapsed)) }
}

/// `count` operations, spread evenly, each of the same length.
fn even(count: u64, elapsed: u64, latency: u64) -> Operations {
    (0..count).map(|place| ((2 * place + 1) * elapsed / (2 * count), latency)).collect()
}

const NAMES: [&str; 8] = ["h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8"];

fn merge(given: &[HostCell]) -> Result<MergedCell, MergeError> {
    merge_with(given, &mut |host| {
        let place = NAMES.iter().position(|name| *name == host);
        Ok(Cow::Borrowed(&given[place.unwrap()]))
    })
}

fn merge_with<'a>(
    given: &[HostCell],
    load: &mut dyn FnMut(&str) -> Result<Cow<'a, HostCell>, String>,
) -> Result<MergedCell, MergeError> {
    let parts: Vec<HostPart<'_>> = given
        .iter()
        .zip(NAMES)
        .map(|(given, host)| HostPart { host, host_cell: given, clock_error: Nanos::micros(100) })
        .collect();
    let mut job = given.first().map(|given| given.cell.job.clone()).unwrap();
    job.name = "randread-4k-total".to_owned();
    job.depth.0 *= u32::try_from(given.len()).unwrap();
    let total = TotalJob {
        job: &job,
        role: CellRole::Probe,
        planned: Nanos::secs(9),
        idle: Vec::new(),
        missing: Vec::new(),
    };
    merge_thin_cells(&total, &parts, load)
}

fn ops(cell: &Cell) -> Vec<u64> {
    cell.intervals.iter().map(|i| i.directions.read.as_ref().map_or(0, |d| d.ops)).collect()
}

/// Operations of up to four hosts within a second.
fn hosts() -> impl Strategy<Value = Vec<Operations>> {
    let operation = (0_u64..1_000_000_000, 1_u64..1 << 38);
    prop::collection::vec(prop::collection::vec(operation, 0..60), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn parts_without_their_series_come_to_the_same_total(
        hosts in hosts(),
        began in prop::collection::vec(-900_000_000_i64..900_000_000, 5),
        elapsed in prop::collection::vec(1_000_000_000_u64..2_000_000_000, 5),
    ) {
        let given: Vec<HostCell> = hosts
            .iter()
            .zip(began.iter().zip(&elapsed))
            .map(|(operations, (began, elapsed))| host_cell(operations, *began, *elapsed))
            .collect();
        let thin: Vec<HostCell> = given.iter().cloned().map(thin_host_cell).collect();
        let mut loaded = Vec::new();
        let merged = merge_with(&thin, &mut |host| {
            loaded.push(host.to_owned());
            let place = NAMES.iter().position(|name| *name == host);
            Ok(Cow::Borrowed(&given[place.unwrap()]))
        });
        // Bit for bit; some intervals of so few operations are no numbers.
        prop_assert_eq!(format!("{:?}", merged.unwrap()), format!("{:?}", merge(&given).unwrap()));
        prop_assert_eq!(&loaded[..], &NAMES[..given.len()]);
    }

    #[test]
    fn a_total_is_that_of_all_samples_together(
        hosts in hosts(),
        began in prop::collection::vec(-2_000_000_i64..2_000_000, 5),
    ) {
        let given: Vec<HostCell> = hosts
            .iter()
            .zip(&began)
            .map(|(operations, began)| host_cell(operations, *began, 1_000_000_000))
            .collect();
        let total = merge(&given).unwrap();
        let mut whole = LatencyHistogram::new();
        hosts.iter().flatten().for_each(|operation| whole.record(operation.1));
        let read = total.cell.totals.read.as_ref().unwrap();
        let (mine, theirs) = (&read.latency_ns.histogram, whole.to_sparse());
        prop_assert_eq!(&mine.index, &theirs.index);
        prop_assert_eq!(&mine.counts, &theirs.counts);
        prop_assert_eq!((mine.min_ns, mine.max_ns), (theirs.min_ns, theirs.max_ns));
        prop_assert!((mine.sum_ns - theirs.sum_ns).abs() <= 1e-9 * theirs.sum_ns);
        prop_assert_eq!(&read.latency_ns.percentiles, &summarise_latency(&whole).percentiles);
        prop_assert_eq!(read.ops, whole.count());
        prop_assert_eq!(read.bytes, whole.count() * 4096);
        prop_assert_eq!(ops(&total.cell).iter().sum::<u64>(), whole.count());
        let of_intervals: u64 = total.cell.intervals.iter()
            .filter_map(|interval| Some(interval.directions.read.as_ref()?.total.count))
            .sum();
        prop_assert_eq!(of_intervals, whole.count());
        let length: u64 = total.cell.intervals.iter().map(|interval| interval.length.0).sum();
        prop_assert_eq!(length, total.cell.elapsed.0);
    }

    #[test]
    fn the_order_of_the_hosts_and_their_grouping_do_not_matter(hosts in hosts()) {
        let given: Vec<HostCell> =
            hosts.iter().map(|operations| host_cell(operations, 0, 1_000_000_000)).collect();
        let mut turned = given.clone();
        turned.reverse();
        let (a, b) = (merge(&given).unwrap().cell, merge(&turned).unwrap().cell);
        prop_assert_eq!(&a.totals.read.as_ref().unwrap().latency_ns.histogram.counts,
            &b.totals.read.as_ref().unwrap().latency_ns.histogram.counts);
        prop_assert_eq!(ops(&a), ops(&b));
        prop_assert_eq!(a.ticks, b.ticks);
    }

    #[test]
    fn a_window_holds_what_completed_in_it(
        counts in prop::collection::vec(100_u64..5_000, 2..5),
        late in 0_i64..300_000_000,
        ended in 600_000_000_u64..1_000_000_000,
    ) {
        // Evenly spread, so that the number in any window is known.
        let given: Vec<HostCell> = counts.iter().enumerate().map(|(place, &count)| {
            let (began, elapsed) = match place {
                0 => (late, 1_000_000_000),
                1 => (0, ended),
                _ => (0, 1_000_000_000),
            };
            host_cell(&even(count, elapsed, 50_000), began, elapsed)
        }).collect();
        let total = merge(&given).unwrap();
        let window = total.fleet_cell.first_done.as_ref().unwrap();
        prop_assert_eq!(window.length.0, ended - late.unsigned_abs());
        let truth: f64 = counts.iter().enumerate().map(|(place, &count)| {
            let elapsed = if place == 1 { ended } else { 1_000_000_000 };
            count as f64 * window.length.0 as f64 / elapsed as f64
        }).sum();
        let rate = window.rates.read.as_ref().unwrap();
        // A tick at either edge, and an operation of each host.
        let slack = counts.iter().map(|count| 2.0 + *count as f64 / 200.0).sum::<f64>();
        prop_assert!((rate.ops - truth).abs() <= slack, "{} {truth} {slack}", rate.ops);
        prop_assert!((total.cell.iops() - rate.iops).abs() < 1e-6);
        let all = total.fleet_cell.last_done.rates.read.unwrap();
        prop_assert!((all.ops - counts.iter().sum::<u64>() as f64).abs() < 1e-6);
    }
}

#[test]
fn hosts_that_ran_together_add_up() {
    let second = 1_000_000_000;
    let given = [
        host_cell(&even(1000, second, 400_000), 0, second),
        host_cell(&even(3000, second, 200_000), 300_000, second),
    ];
    let total = merge(&given).unwrap();
    assert_eq!(total.cell.name, "randread-4k-total");
    assert!((total.cell.iops() / 4000.0 - 1.0).abs() < 0.001, "{}", total.cell.iops());
    assert_eq!(total.fleet_cell.skew, Nanos::micros(300));
    assert_eq!(total.fleet_cell.skew_error, Nanos::micros(200));
    assert_eq!(total.cell.started, Nanos::secs(9));
    assert_eq!(total.cell.elapsed, Nanos(second + 300_000));
    // 0.4 and 0.6 outstanding, by counting and by Little.
    assert!((total.cell.achieved_depth.counted - 1.0).abs() < 0.001);
    assert!((total.cell.achieved_depth.little - 1.0).abs() < 0.001);
    assert_eq!(total.cell.ledger.read_ops, 4000);
    assert!(total.cell.ledger.layers.is_empty(), "devices of two hosts may be one");
    let slowest = total.fleet_cell.slowest.unwrap();
    assert_eq!((slowest.host.as_str(), slowest.mean_ns), ("h1", 400_000.0));
    assert_eq!(slowest.median_ns, 300_000.0);
    assert_eq!(ops(&total.cell), [[400; 10].as_slice(), &[0]].concat());
    let rate = total.cell.confidence.iops.read.as_ref().unwrap();
    assert!(rate.interval().is_some_and(|(low, high)| low <= 4000.0 && high >= 3999.0), "{rate:?}");
}

#[test]
fn a_deeper_queue_does_not_make_a_host_the_slowest() {
    let second = 1_000_000_000;
    let slowest = |shares: &[(u32, u64)]| {
        let given: Vec<HostCell> = shares
            .iter()
            .map(|&(depth, latency)| {
                let mut given = host_cell(&even(100, second, latency), 0, second);
                given.cell.job.depth.0 = depth;
                given
            })
            .collect();
        merge(&given).unwrap().fleet_cell.slowest.map(|slowest| slowest.host)
    };
    assert_eq!(slowest(&[(2, 9_000), (1, 5_000), (1, 6_000)]).as_deref(), Some("h3"));
    assert_eq!(slowest(&[(1, 9_000), (1, 5_000), (1, 6_000)]).as_deref(), Some("h1"));
    assert_eq!(slowest(&[(2, 9_000), (1, 5_000)]), None, "nobody to hold it against");
}

#[test]
fn a_host_that_began_a_slot_later_is_laid_a_slot_later() {
    let given = [
        host_cell(&even(1000, 1_000_000_000, 1_000), 0, 1_000_000_000),
        host_cell(&even(500, 1_000_000_000, 1_000), 205_000_000, 1_000_000_000),
    ];
    let total = merge(&given).unwrap();
    let mut truth = vec![100, 100];
    truth.extend([150; 8]);
    truth.extend([50, 50, 0]);
    assert_eq!(ops(&total.cell), truth);
    assert_eq!(total.cell.intervals.last().unwrap().length, Nanos::millis(5));
    // Ticks are those of the common time only: 205 ms are 21 ticks, to the nearest.
    let ticks = &total.cell.ticks.directions.read.as_ref().unwrap().ops;
    assert_eq!(ticks.len(), 79);
    assert!(ticks.iter().all(|count| *count == 15), "{ticks:?}");
}

#[test]
fn pauses_of_hosts_at_the_same_time_are_one_pause() {
    let pause = |start, length| Pause {
        start: Nanos::millis(start),
        length: Nanos::millis(length),
        kind: PauseKind::Stopped,
    };
    let mut given: Vec<HostCell> = [0, 50_000_000, 0]
        .map(|began_ns| host_cell(&even(1000, 1_000_000_000, 1_000), began_ns, 1_000_000_000))
        .into();
    given[0].cell.pauses = vec![pause(100, 400), pause(700, 100)];
    given[1].cell.pauses = vec![pause(100, 50)];
    given[2].cell.pauses = vec![pause(300, 300)];
    assert_eq!(merge(&given).unwrap().cell.pauses, [pause(100, 500), pause(700, 100)]);
}

#[test]
fn rates_are_those_of_the_time_in_which_all_ran() {
    let second = 1_000_000_000;
    let given = [
        host_cell(&even(1000, second, 1_000), 0, second),
        host_cell(&even(250, second / 4, 1_000), 0, second / 4),
    ];
    let total = merge(&given).unwrap();
    let first = total.fleet_cell.first_done.as_ref().unwrap();
    assert_eq!((first.start, first.length), (Nanos(0), Nanos(second / 4)));
    assert!((total.cell.iops() - 2000.0).abs() < 10.0, "{}", total.cell.iops());
    let last = total.fleet_cell.last_done.rates.read.unwrap();
    assert!((last.iops - 1250.0).abs() < 1e-6);
    assert_eq!(total.cell.totals.read.as_ref().unwrap().ops, 1250, "nothing is lost");
}

#[test]
fn a_host_that_failed_at_once_does_not_make_a_rate_of_nothing() {
    let second = 1_000_000_000;
    let mut failed = host_cell(&even(3, second / 100, 1_000), 0, second / 100);
    let message = "cannot read: input/output error".to_owned();
    failed.cell.error = Some(CellError { message, errno: Some(5) });
    let given = [host_cell(&even(1000, second, 1_000), 0, second), failed];
    let total = merge(&given).unwrap();
    assert_eq!(total.fleet_cell.first_done, None);
    assert!((total.cell.iops() - 1003.0).abs() < 1e-6, "{}", total.cell.iops());
    let error = total.cell.error.unwrap();
    assert_eq!(
        (error.message.as_str(), error.errno),
        ("h2: cannot read: input/output error", Some(5))
    );
}

#[test]
fn a_part_that_contradicts_itself_is_refused_by_name() {
    let good = || host_cell(&even(100, 1_000_000_000, 1_000), 0, 1_000_000_000);
    let check = |spoil: &dyn Fn(&mut HostCell), reason: &str| {
        let mut bad = good();
        spoil(&mut bad);
        let error = merge(&[good(), bad]).unwrap_err().to_string();
        assert!(error.contains("host 'h2'") && error.contains(reason), "{error}");
    };
    check(&|bad| bad.began_ns = i64::MIN, "from the planned instant");
    check(&|bad| bad.cell.elapsed.0 = u64::MAX, "it lasted");
    check(&|bad| bad.cell.totals.read.as_mut().unwrap().ops = 99, "99 operations, but 100");
    check(&|bad| bad.cell.totals.read.as_mut().unwrap().ops = u64::MAX, "more than can be");
    check(&|bad| bad.cell.achieved_depth.counted = f64::NAN, "no number");
    check(&|bad| bad.cell.intervals[3].start.0 = u64::MAX, "after its end");
    check(
        &|bad| bad.cell.intervals[0].directions.read.as_mut().unwrap().total.counts[0] = 7,
        "histogram is damaged",
    );
    check(
        &|bad| {
            bad.cell.totals.read.as_mut().unwrap().latency_ns.histogram.sum_ns = f64::MAX;
        },
        "beyond its maximum",
    );
    let nobody = TotalJob {
        job: &good().cell.job,
        role: CellRole::Probe,
        planned: Nanos(0),
        idle: Vec::new(),
        missing: Vec::new(),
    };
    assert!(matches!(merge_cells(&nobody, &[]), Err(MergeError::NoHosts { .. })));
    let (one, part) =
        (good(), |given| HostPart { host: "h1", host_cell: given, clock_error: Nanos(0) });
    let twice = merge_cells(&nobody, &[part(&one), part(&one)]).unwrap_err();
    assert!(twice.to_string().contains("twice"), "{twice}");
}

#[test]
fn a_thinned_part_keeps_every_operation_of_its_whole_slots() {
    let given = host_cell(&even(1234, 1_000_000_000, 5_000), 7, 1_000_000_000);
    let thin = thin_host_cell(given.clone());
    assert!(thin.cell.intervals.is_empty());
    assert_eq!(thin.cell.ticks.tick, Nanos(INTERVAL));
    let ticks = thin.cell.ticks.directions.read.as_ref().unwrap();
    assert_eq!((ticks.ops.len(), ticks.ops.iter().sum::<u64>()), (10, 1234));
    assert_eq!((thin.began_ns, &thin.cell.totals), (7, &given.cell.totals));
}

fn judged(spoil: impl Fn(&mut Measured)) -> record::Judgement {
    let mut record = fixture::fleet_record().measured;
    spoil(&mut record);
    crate::judge(&record)
}

fn status(judgement: &record::Judgement, id: FindingId) -> (Status, &str) {
    let finding = judgement.findings.iter().find(|finding| finding.id == id).unwrap();
    (finding.status, finding.summary.text())
}

#[test]
fn a_plain_run_over_hosts_has_no_warning_and_says_who_is_slow() {
    let judgement = judged(|_| ());
    let verdict = judgement.verdict.as_ref().unwrap();
    for finding in &judgement.findings {
        assert!(finding.status < Status::Warning, "{finding:#?}");
    }
    // Three probes of it confirm no load: only the headline is open.
    assert_eq!(verdict.trust, Trust::Caution, "{}", verdict.headline.text());
    assert!(verdict.headline.text().contains("Uncertain"), "{}", verdict.headline.text());
    assert!(verdict.headline.text().contains("4 hosts at once"), "{}", verdict.headline.text());
    assert!(verdict.class.is_none(), "a class is one of single devices");
    let said = message::texts(&verdict.meaning).join("\n");
    assert!(said.contains("The slowest host is host-c"), "{said}");
    assert!(said.contains("began within 350 us of each other"), "{said}");
    assert!(judgement.degraded.is_empty());
}

fn find_finding(host: &mut FleetHost, id: FindingId) -> &mut Finding {
    Arc::make_mut(host.findings.iter_mut().find(|finding| finding.id == id).unwrap())
}

#[test]
fn the_worst_host_speaks_and_is_named() {
    let judgement = judged(|record| {
        let host = &mut record.fleet.as_mut().unwrap().hosts[2];
        let found = find_finding(host, FindingId::PageCache);
        found.status = Status::Invalid;
        found.summary = message::Message::from_text("reads came from memory");
        found.cells = vec!["randread-4k-qd8".to_owned(), "no such cell".to_owned()];
    });
    let (status, summary) = status(&judgement, FindingId::PageCache);
    assert_eq!(status, Status::Invalid);
    assert_eq!(summary, "host-c, of 4 hosts: reads came from memory");
    assert_eq!(
        judgement.severe_findings("randread-4k-qd8").len(),
        1,
        "the total is spoiled with it"
    );
    assert_eq!(judgement.verdict.unwrap().trust, Trust::Broken);
}

#[test]
fn nothing_is_ok_on_behalf_of_a_host_that_was_not_looked_at() {
    let judgement = judged(fixture::lose_host);
    let (found, summary) = status(&judgement, FindingId::PageCache);
    assert_eq!(found, Status::NotObservable);
    assert!(summary.contains("host-b") && summary.contains("the other hosts: ok"), "{summary}");
    let unseen = message::texts(&judgement.verdict.as_ref().unwrap().not_seen).join("\n");
    assert_eq!(unseen.matches("no findings of host-b").count(), 1, "{unseen}");
    assert!(unseen.contains("unwritten, page-cache, "), "{unseen}");
    // What is seen of the total needs no host.
    assert_eq!(status(&judgement, FindingId::Coverage).0, Status::Ok);
    let judgement = judged(|record| {
        let fleet = record.fleet.as_mut().unwrap();
        fleet.hosts.iter_mut().for_each(|host| host.findings.clear());
    });
    assert_eq!(status(&judgement, FindingId::ClientBound).0, Status::NotObservable);
}

#[test]
fn a_run_that_lost_a_host_is_degraded_and_never_sound() {
    let judgement = judged(fixture::lose_host);
    let verdict = judgement.verdict.clone().unwrap();
    assert_eq!(verdict.trust, Trust::Caution);
    let degraded = judgement.degraded.clone();
    assert_eq!(degraded.len(), 1, "{degraded:?}");
    assert!(
        degraded[0].text().starts_with("host-b was lost 12.3 s into the run, in randread-4k-qd16")
    );
    assert!(
        degraded[0].text().ends_with("silent for 5 s; 4 of 6 totals are without it"),
        "{degraded:?}"
    );
    assert!(
        verdict.headline.text().contains("Degraded: host-b was lost"),
        "{}",
        verdict.headline.text()
    );
    let judgement = judged(|record| {
        let fleet = record.fleet.as_mut().unwrap();
        fleet.events.push("the coordinator was killed".to_owned());
        fleet.hosts[3].record = None;
    });
    let degraded = judgement.degraded;
    assert_eq!(degraded.len(), 2, "{degraded:?}");
    assert!(degraded[1].text().contains("come from host-d"), "{degraded:?}");
    let judgement = judged(|record| {
        let fleet = record.fleet.as_mut().unwrap();
        fleet.events.push("host-d: its own record is not here: no answer".to_owned());
        fleet.hosts[3].record = None;
    });
    assert_eq!(judgement.degraded.len(), 1, "said once");
}

#[test]
fn the_other_hosts_of_a_run_are_no_neighbours() {
    let with = |served: u64| {
        let judgement = judged(|record| {
            let total = record.cells[1].clone();
            let fleet = record.fleet.as_mut().unwrap();
            let host = &mut fleet.hosts[0];
            let found = find_finding(host, FindingId::Neighbour);
            found.status = Status::Warning;
            found.cells = vec![total.name.clone()];
            let part = host.cells.iter_mut().find(|part| part.cell.name == total.name).unwrap();
            part.cell.ledger.layers[0].read_bytes.0 = total.ledger.read_bytes.0 * served / 100;
        });
        status(&judgement, FindingId::Neighbour).0
    };
    assert_eq!(with(100), Status::Ok, "the device of containers on one server serves them all");
    assert_eq!(with(150), Status::Warning, "half as much again is other load");
}

#[test]
fn servers_with_targets_of_their_own_are_judged_each_for_itself() {
    let judgement = judged(|record| {
        let fleet = record.fleet.as_mut().unwrap();
        fleet.span = FleetSpan::Own;
        find_finding(&mut fleet.hosts[1], FindingId::Burst).status = Status::Warning;
    });
    let (status, summary) = status(&judgement, FindingId::Burst);
    assert_eq!(status, Status::Warning);
    assert!(summary.starts_with("host-b, of 4 hosts"), "{summary}");
    let verdict = judgement.verdict.unwrap();
    assert!(verdict.good_for.is_empty(), "{:?}", verdict.good_for);
    assert!(
        verdict.headline.text().contains("each with its own target"),
        "{}",
        verdict.headline.text()
    );
}

#[test]
fn windows_that_lie_apart_are_told() {
    let judgement = judged(|record| {
        let met = &mut record.fleet.as_mut().unwrap().cells[4];
        met.first_done.as_mut().unwrap().length = Nanos::millis(600);
    });
    let said = message::texts(&judgement.verdict.unwrap().meaning).join("\n");
    assert!(said.contains("In randread-4k-qd64 not all hosts ran all the time"), "{said}");
    assert!(judgement.degraded.is_empty());
}

#[test]
fn a_total_of_hosts_that_never_ran_together_is_degraded() {
    let judgement = judged(|record| {
        record.fleet.as_mut().unwrap().cells[4].first_done = None;
    });
    let [why] = &judgement.degraded[..] else { panic!("{:?}", judgement.degraded) };
    let words = "in randread-4k-qd64 all hosts hardly ever ran at the same time";
    assert!(why.text().starts_with(words), "{}", why.text());
    let verdict = judgement.verdict.unwrap();
    assert_eq!(verdict.trust, record::Trust::Caution);
    assert!(verdict.headline.text().contains(words), "{}", verdict.headline.text());
}
