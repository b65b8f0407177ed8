//! `first-touch`: is the first access to a block slower than the later ones? A volume made from a
//! snapshot fetches a block at its first read (Amazon EBS: from S3), a thin volume allocates one at
//! its first write.

use record::{TargetKind, Trial};
use stats::Estimate;

use super::check::*;
use crate::evidence::reread::{Cause, find_rereads};
use crate::words::Clauses;

pub(super) static CHECK: Check = Check {
    id: FindingId::FirstTouch,
    method: Some(|| {
        let (on_device, on_file) = (SLOWER_MIN, SLOWER_ON_FILE_MIN);
        FirstTouchMethod { on_device, on_file, clear_min: CLEAR_MIN }.into()
    }),
    run: |subject, finding| check(subject.measured, finding),
};

/// Ratio of the first write to the next (methodology, section 5, row 10).
const SLOWER_MIN: f64 = 1.2;
/// On a file, marking reserved blocks as written takes 1.2 to 1.6 times (ext4 over a virtual disk
/// of 1.5 GB/s).
const SLOWER_ON_FILE_MIN: f64 = 2.0;
/// Minimum of the lower end of the interval.
const CLEAR_MIN: f64 = 1.05;
/// Where the interval ends below this, a slower first write is excluded.
const EXCLUDED_MAX: f64 = 3.0;

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let reads = check_reads(measured, finding);
    let mut second = FindingBuilder::new(Some(label("remedy-write-volume-once")));
    match check_writes(measured, &mut second) {
        Some(writes) => Ok(merge_halves((finding, reads), (second, writes))),
        None => reads,
    }
}

/// The worse of the two, with the evidence of both; a half that could not look hides nothing.
fn merge_halves(
    (finding, reads): (&mut FindingBuilder, Outcome),
    (mut second, writes): (FindingBuilder, Message),
) -> Message {
    let reads = finding.settle(reads);
    let seen = |half: &FindingBuilder| half.status != Status::NotObservable;
    let is_first_worse = match (seen(finding), seen(&second)) {
        (true, false) => true,
        (false, true) => false,
        _ => finding.status >= second.status,
    };
    if !is_first_worse {
        std::mem::swap(finding, &mut second);
    }
    finding.evidence.append(&mut second.evidence);
    let clauses = if is_first_worse { vec![reads, writes] } else { vec![writes, reads] };
    Clauses { clauses }.into()
}

fn check_reads(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    if measured.layout.is_some() {
        return Err(label("first-touch-of-own-blocks"));
    }
    let reread = find_rereads(measured)?;
    finding.evidence.push(reread.to_evidence());
    finding.evidence.extend(reread.later_evidence());
    match reread.cause(measured) {
        Cause::None => return Ok(label("first-touch-read-as-fast")),
        Cause::Cache(_) => return Err(label("first-touch-read-beside-cache")),
        Cause::Filled => {}
    }
    finding.evidence.push(reread.cell_evidence());
    let counts = |role| !matches!(role, CellRole::Trial | CellRole::Disturbed);
    for cell in measured.cells.iter().filter(|cell| counts(cell.role) && cell.job.mix.reads()) {
        let name = Message::from_text(&cell.name);
        finding.mark_cell(
            cell,
            Status::Warning,
            Evidence::text(name, label("first-touch-read-in-cell")),
        );
    }
    finding.status = finding.status.max(Status::Note);
    Ok(FirstReadSlower { times: reread.speedup() }.into())
}

fn check_writes(measured: &Measured, finding: &mut FindingBuilder) -> Option<Message> {
    let on_file = measured.target()?.kind != TargetKind::BlockDevice;
    let slower_min = if on_file { SLOWER_ON_FILE_MIN } else { SLOWER_MIN };
    let mut ratios = Vec::new();
    for (scattered, what) in
        [(false, label("first-touch-large-writes")), (true, label("first-touch-small-writes"))]
    {
        let Some(ratio) = first_write_ratio(measured, scattered) else { continue };
        let (times, places) = (ratio.value, ratio.n);
        let value: Message = match ratio.interval() {
            Some((low, high)) => FirstWriteTimes { times, low, high, places }.into(),
            None => FirstWriteTimesOfFew { times, places }.into(),
        };
        finding.add_figure(what, value, ratio.value);
        ratios.push(ratio);
    }
    if ratios.is_empty() {
        return None;
    }
    let is_slower = |ratio: &&Estimate| {
        ratio.value > slower_min && ratio.interval().is_some_and(|(low, _)| low > CLEAR_MIN)
    };
    let excluded = |ratio: &Estimate| ratio.interval().is_some_and(|(_, high)| high < EXCLUDED_MAX);
    let most = ratios.iter().filter(is_slower).map(|ratio| ratio.value).reduce(f64::max);
    let (status, summary) = match most {
        Some(times) if on_file => (Status::Note, FirstWriteSlowerOnFile { times }.into()),
        Some(times) => (Status::Note, FirstWriteSlower { times }.into()),
        None if ratios.iter().all(excluded) => (Status::Ok, label("first-touch-write-as-fast")),
        None => (Status::NotObservable, label("first-touch-uneven")),
    };
    finding.status = status;
    Some(summary)
}

fn first_write_ratio(measured: &Measured, scattered: bool) -> Option<Estimate> {
    let time = |pass: u32, round: u32| {
        let trial = Trial::Touch { pass, round, scattered };
        let cell = measured.cells.iter().find(|cell| cell.trial == Some(trial))?;
        Some(cell).filter(|cell| is_complete(cell)).map(seconds_per_byte)
    };
    let rounds = 1..=measured.cells.len() as u32;
    let ratios: Vec<f64> =
        rounds.filter_map(|round| Some(time(1, round)? / time(2, round)?)).collect();
    (!ratios.is_empty()).then(|| stats::geometric_mean_of_few(&ratios))
}

fn is_complete(cell: &Cell) -> bool {
    let stop = &cell.job.stop;
    let done = |count: Option<u64>, is: u64| count.is_none_or(|most| is >= most);
    done(stop.bytes.map(|bytes| bytes.0), cell.ledger.write_bytes.0)
        && done(stop.operations, cell.ledger.write_ops)
}

fn seconds_per_byte(cell: &Cell) -> f64 {
    1.0 / cell.bytes_per_second().max(f64::MIN_POSITIVE)
}

messages! {
    FirstTouchMethod = "check-first-touch-method" {
        on_device: f64, on_file: f64, clear_min: f64,
    };
    FirstReadSlower = "first-touch-read-slower" { times: f64 };
    FirstWriteTimes = "first-touch-write-times" { times: f64, low: f64, high: f64, places: u64 };
    FirstWriteTimesOfFew = "first-touch-write-times-of-few" { times: f64, places: u64 };
    FirstWriteSlowerOnFile = "first-touch-write-slower-on-file" { times: f64 };
    FirstWriteSlower = "first-touch-write-slower" { times: f64 };
}

#[cfg(test)]
mod tests {
    mod halves {
        use super::super::*;

        fn finding(status: Status) -> FindingBuilder {
            let evidence = vec![Evidence::text(
                message::Message::from_text("a half"),
                message::Message::from_text("seen"),
            )];
            FindingBuilder { status, evidence, ..FindingBuilder::new(None) }
        }

        #[test]
        fn what_one_half_saw_is_not_hidden_by_the_other() {
            use Status::{NotObservable, Note, Ok, Warning};
            for (reads, writes, told) in [
                (NotObservable, Note, Note),
                (Warning, NotObservable, Warning),
                (Ok, NotObservable, Ok),
                (NotObservable, NotObservable, NotObservable),
                (Warning, Note, Warning),
                (Ok, Note, Note),
            ] {
                let (mut both, second) = (finding(reads), finding(writes));
                let halves = (
                    std::result::Result::Ok(message::Message::from_text("reads")),
                    message::Message::from_text("writes"),
                );
                let summary = merge_halves((&mut both, halves.0), (second, halves.1));
                assert_eq!(both.status, told);
                assert!(summary.text().contains("reads") && summary.text().contains("writes"));
                assert_eq!(both.evidence.len(), 2);
            }
        }
    }

    mod reads {
        use super::super::*;
        use record::Finding;

        fn check_reads(record: &Measured) -> Finding {
            let mut finding = FindingBuilder::new(None);
            let outcome = super::super::check_reads(record, &mut finding);
            finding.finish(FindingId::FirstTouch, outcome)
        }

        use crate::evidence::reread;
        use crate::testing::sample_record;

        fn read_only() -> Measured {
            Measured { layout: None, ..sample_record() }
        }

        #[test]
        fn blocks_that_are_fetched_once_are_found() {
            let mut record = read_only();
            reread::add(&mut record, &[(6_000, 600), (5_800, 610), (6_100, 590)]);
            let finding = check_reads(&record);
            assert_eq!(finding.status, Status::Warning, "{finding:#?}");
            assert!(
                finding.summary.text().contains("takes 9.91 times"),
                "{}",
                finding.summary.text()
            );
            assert!(finding.cells.contains(&"randread-4k-qd1".to_owned()));
            assert!(!finding.cells.contains(&"randwrite-4k-qd1".to_owned()));
        }

        #[test]
        fn plain_disks_and_caches_are_not() {
            let check = |first, again, status| {
                let mut record = read_only();
                reread::add(&mut record, &[(first, again); 3]);
                assert_eq!(check_reads(&record).status, status, "{first} {again}");
            };
            check(600, 590, Status::Ok);
            check(600, 450, Status::Ok);
            check(100, 30, Status::NotObservable);
            check(9_000, 12, Status::NotObservable);
        }

        #[test]
        fn blocks_of_our_own_say_nothing() {
            let mut record = sample_record();
            reread::add(&mut record, &[(6_000, 600); 3]);
            assert_eq!(check_reads(&record).status, Status::NotObservable);
            assert_eq!(check_reads(&read_only()).status, Status::NotObservable);
        }
    }

    mod writes {
        use super::super::*;
        use record::Finding;

        fn check_writes(record: &Measured) -> Option<Finding> {
            let mut finding = FindingBuilder::new(None);
            let summary = super::super::check_writes(record, &mut finding)?;
            Some(finding.finish(FindingId::FirstTouch, Ok(summary)))
        }

        use crate::testing::sample_record;
        use record::CellRole;

        /// Adds four places, each written twice; the first pass is `slower` times as slow.
        fn touched(record: &mut Measured, scattered: bool, slower: f64, noise: f64) {
            for round in 1..=4_u32 {
                let wobble = 1.0 + noise * (f64::from(round) - 2.5) / 1.5;
                place(record, round, scattered, slower * wobble);
            }
        }

        fn place(record: &mut Measured, round: u32, scattered: bool, slower: f64) {
            let sample = record.cell("seqwrite-1m").unwrap().clone();
            for pass in 1..=2 {
                let mut cell = sample.clone();
                cell.name = format!("touch-{}", record.cells.len());
                cell.role = CellRole::Trial;
                cell.trial = Some(Trial::Touch { pass, round, scattered });
                let rate = &mut cell.totals.write.as_mut().unwrap().bytes_per_second;
                *rate /= if pass == 1 { slower } else { 1.0 };
                record.cells.push(cell);
            }
        }

        fn status(kind: TargetKind, slower: f64, noise: f64) -> Option<Status> {
            let mut record = sample_record();
            record.targets[0].kind = kind;
            touched(&mut record, false, slower, noise);
            check_writes(&record).map(|finding| finding.status)
        }

        #[test]
        fn a_device_that_allocates_is_found_and_a_file_must_show_more() {
            let (device, folder) = (TargetKind::BlockDevice, TargetKind::Directory);
            assert_eq!(status(device, 1.0, 0.02), Some(Status::Ok));
            assert_eq!(status(device, 1.35, 0.02), Some(Status::Note));
            assert_eq!(status(folder, 1.35, 0.02), Some(Status::Ok));
            assert_eq!(status(folder, 3.0, 0.05), Some(Status::Note));
            let mut uneven = sample_record();
            for (round, slower) in [(1, 6.0), (2, 0.2), (3, 3.0), (4, 0.4)] {
                place(&mut uneven, round, false, slower);
            }
            assert_eq!(check_writes(&uneven).unwrap().status, Status::NotObservable);
            assert_eq!(check_writes(&sample_record()), None, "no trial");
        }

        #[test]
        fn scattered_writes_count_of_themselves_and_unfinished_places_do_not() {
            let mut record = sample_record();
            record.targets[0].kind = TargetKind::BlockDevice;
            touched(&mut record, false, 1.0, 0.02);
            touched(&mut record, true, 2.5, 0.02);
            let finding = check_writes(&record).unwrap();
            assert_eq!(finding.status, Status::Note);
            assert!(finding.summary.text().contains("2.50 times"), "{}", finding.summary.text());
            let scattered = |cell: &&mut Cell| {
                matches!(cell.trial, Some(Trial::Touch { scattered: true, pass: 2, .. }))
            };
            for cell in record.cells.iter_mut().filter(scattered) {
                cell.job.stop.operations = Some(cell.ledger.write_ops + 1);
            }
            assert_eq!(check_writes(&record).unwrap().status, Status::Ok);
        }
    }
}
