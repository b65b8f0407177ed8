//! The writing half of `first-touch`: is the first write of a block slower than the next?
//!
//! A thin volume allocates when it is first written, and a growing database pays for it. Each
//! fresh place was written twice, milliseconds apart: the ratios of the two passes, place by
//! place, are what counts. On a file the file system has its own part in a first write (its blocks
//! were reserved, and are marked as written), so more is asked of the ratio there, and the words
//! say whose cost it is. Blind spot: places that somebody wrote before this run and never gave
//! back are no longer fresh to the device.

use record::{Cell, Evidence, Finding, FindingId, Measured, Status, TargetKind, Trial};
use stats::Estimate;

use super::super::FindingBuilder;

/// A first write that takes so many times as long counts as slower (methodology, section 5,
/// row 10).
pub(in crate::checks) const SLOWER_MIN: f64 = 1.2;
/// The same on a file: marking reserved blocks as written costs as well. Measured on ext4 over a
/// virtual disk of 1.5 GB/s: 1.2 to 1.6 times.
pub(in crate::checks) const SLOWER_ON_FILE_MIN: f64 = 2.0;
/// What the interval must keep off 1.
pub(in crate::checks) const CLEAR_MIN: f64 = 1.05;
/// A first write that takes three times as long would have shown.
pub(in crate::checks) const EXCLUDED_MAX: f64 = 3.0;

/// What the writes say; `None` where no fresh place was written.
pub(super) fn check_writes(record: &Measured) -> Option<Finding> {
    let target = record.target()?;
    let on_file = target.kind != TargetKind::BlockDevice;
    let least = if on_file { SLOWER_ON_FILE_MIN } else { SLOWER_MIN };
    let compared: Vec<(bool, Estimate)> = [false, true]
        .into_iter()
        .filter_map(|scattered| Some((scattered, first_write_ratio(record, scattered)?)))
        .collect();
    if compared.is_empty() {
        return None;
    }
    let mut tally = FindingBuilder::new(FindingId::FirstTouch);
    compared.iter().for_each(|(scattered, ratio)| tally.add_fact(ratio_fact(*scattered, ratio)));
    let is_slower = |ratio: &Estimate| {
        ratio.value > least && ratio.interval().is_some_and(|(low, _)| low > CLEAR_MIN)
    };
    let excluded = |ratio: &Estimate| ratio.interval().is_some_and(|(_, high)| high < EXCLUDED_MAX);
    let most = compared.iter().filter(|(_, ratio)| is_slower(ratio));
    let most = most.map(|(_, ratio)| ratio.value).reduce(f64::max);
    let summary = match most {
        Some(most) => {
            tally.status = Status::Note;
            let whose =
                if on_file { "the file system's own part is in it" } else { "it allocates" };
            format!("the first write of a block takes {most:.1} times as long as the next: {whose}")
        }
        None if compared.iter().all(|(_, ratio)| excluded(ratio)) => {
            "the first write of a block is as fast as the next".to_owned()
        }
        None => {
            tally.status = Status::NotObservable;
            "the places differ too much from each other to compare first writes with later ones; \
             a longer run shows it"
                .to_owned()
        }
    };
    Some(tally.finish(summary, Some("write the whole volume once before its speed matters")))
}

/// How many times as long the first pass took as the second.
fn first_write_ratio(record: &Measured, scattered: bool) -> Option<Estimate> {
    let time = |pass: u32, round: u32| {
        let trial = Trial::Touch { pass, round, scattered };
        let cell = record.cells.iter().find(|cell| cell.trial == Some(trial))?;
        Some(cell).filter(|cell| is_complete(cell)).map(seconds_per_byte)
    };
    let rounds = 1..=record.cells.len() as u32;
    let ratios: Vec<f64> =
        rounds.filter_map(|round| Some(time(1, round)? / time(2, round)?)).collect();
    (!ratios.is_empty()).then(|| stats::ratio_of_few(&ratios))
}

/// Whether the pass came to the end of its place.
fn is_complete(cell: &Cell) -> bool {
    let stop = &cell.job.stop;
    let done = |count: Option<u64>, is: u64| count.is_none_or(|most| is >= most);
    done(stop.bytes.map(|bytes| bytes.0), cell.ledger.write_bytes.0)
        && done(stop.operations, cell.ledger.write_ops)
}

fn seconds_per_byte(cell: &Cell) -> f64 {
    1.0 / cell.bytes_per_second().max(f64::MIN_POSITIVE)
}

fn ratio_fact(scattered: bool, ratio: &Estimate) -> Evidence {
    let interval = match ratio.interval() {
        Some((low, high)) => format!("{low:.2} to {high:.2}, "),
        None => String::new(),
    };
    let what = if scattered { "scattered small writes" } else { "large sequential writes" };
    let value = format!(
        "the first took {:.2} times as long as the second ({interval}{} places)",
        ratio.value, ratio.n
    );
    Evidence::figure(what, value, ratio.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample_record;
    use record::CellRole;

    /// Adds four places, each written twice; the first pass is so many times as slow.
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
        assert!(finding.summary.contains("2.5 times"), "{}", finding.summary);
        let scattered = |cell: &&mut Cell| {
            matches!(cell.trial, Some(Trial::Touch { scattered: true, pass: 2, .. }))
        };
        for cell in record.cells.iter_mut().filter(scattered) {
            cell.job.stop.operations = Some(cell.ledger.write_ops + 1);
        }
        assert_eq!(check_writes(&record).unwrap().status, Status::Ok);
    }
}
