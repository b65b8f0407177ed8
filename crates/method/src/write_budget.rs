//! How much a run writes: the announcement before the first byte, and the bound `--max-written`.
//! The bound limits the operations that a job may start, so it holds however fast the disk is. It
//! counts the layout and the writes of cells; the file system's own writes come on top.

use message::{Message, Names, messages};
use record::reasons::{CellsCutShort, CellsLeftOut, MaxWritten};
use record::{Cell, Completion};
use units::{Bytes, Nanos};
use workload::Job;

use crate::defaults::SPAN_MIN;
use crate::error::{MethodError, refuse};
use crate::request::{LayoutBudget, MeasureRequest};

/// Of all that may be written, the share of the layout is one in this many, unless a size was
/// asked for: what is laid out cannot be measured with.
const LAYOUT_DIVISOR: u64 = 2;
/// Of what may still be written, the share of one cell is one in this many: the cells after it are
/// to be measured, too.
const CELL_DIVISOR: u64 = 4;
const OPERATIONS_MIN: u64 = 16;
/// A cell is cut short when it took less than this share of its time.
const WHOLE_SHARE: f64 = 0.9;

#[derive(Debug)]
pub(crate) struct WriteBudget {
    max: Bytes,
    left: Bytes,
    cut_short: u64,
    left_out: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Allowance {
    Whole,
    /// It ends sooner, by bytes, if the disk is fast.
    Bounded,
    TooLittle,
}

impl WriteBudget {
    pub(crate) fn new(max: Bytes) -> Self {
        Self { max, left: max, cut_short: 0, left_out: 0 }
    }

    pub(crate) fn bound_jobs(&mut self, jobs: &mut [Job]) -> Allowance {
        let writing = jobs.iter().filter(|job| job.mix.sends_data()).count() as u64;
        let share = Bytes(self.left.0 / CELL_DIVISOR / writing.max(1));
        let mut allowance = Allowance::Whole;
        for job in jobs.iter_mut().filter(|job| job.mix.sends_data()) {
            let largest = job.max_block_size().0.max(1);
            // Of sizes that differ, each worker ends with the operation that passes its part.
            let beyond = if job.sizes.is_plain() { 0 } else { largest * u64::from(job.depth.0) };
            let allowed = share.0.saturating_sub(beyond) / largest;
            let by_bytes = job.stop.bytes.map(|bytes| bytes.0.div_ceil(largest));
            let wanted = by_bytes.into_iter().chain(job.stop.operations).min().unwrap_or(u64::MAX);
            if wanted <= allowed {
                continue;
            }
            if allowed < OPERATIONS_MIN.max(u64::from(job.depth.0)) {
                self.left_out += 1;
                return Allowance::TooLittle;
            }
            // Reads of a mix count as well: their share is exact only of the whole.
            job.stop.bytes = Some(Bytes(allowed * largest));
            allowance = Allowance::Bounded;
        }
        allowance
    }

    pub(crate) fn spend(&mut self, allowance: Allowance, cells: &[Cell]) {
        // The ledger of each of them is that of all together.
        self.spend_on_layout(cells.first().map_or(Bytes(0), |cell| cell.ledger.write_bytes));
        let is_cut = |cell: &Cell| {
            let time = cell.job.stop.time.filter(|_| cell.job.stop.bytes.is_some());
            time.is_some_and(|time| (cell.elapsed.0 as f64) < WHOLE_SHARE * time.0 as f64)
        };
        // One that ended within its warm-up has no figure, and is in no table.
        let has_figure = |cell: &Cell| cell.totals.iter().next().is_some();
        match allowance {
            Allowance::Bounded if !cells.iter().all(has_figure) => self.left_out += 1,
            Allowance::Bounded if cells.iter().any(is_cut) => self.cut_short += 1,
            _ => {}
        }
    }

    pub(crate) fn spend_on_layout(&mut self, written: Bytes) {
        self.left.0 = self.left.0.saturating_sub(written.0);
    }

    pub(crate) fn describe_shortfall(&self) -> Option<Message> {
        let (cut_short, left_out) = (self.cut_short, self.left_out);
        let cut = (cut_short > 0).then(|| CellsCutShort { cells: cut_short }.into());
        let left = (left_out > 0).then(|| CellsLeftOut { cells: left_out }.into());
        let cells = Names(cut.into_iter().chain(left).collect());
        let max = self.max.to_compact();
        (!cells.0.is_empty()).then(|| MaxWritten { max, cells }.into())
    }
}

/// How a run ended: one that is whole but for what the bound cost is partial.
pub(crate) fn bounded_completion(
    budget: Option<&WriteBudget>,
    completion: &Completion,
) -> Completion {
    match (completion, budget.and_then(WriteBudget::describe_shortfall)) {
        (Completion::Complete, Some(reason)) => Completion::Partial { reason, failed: false },
        _ => completion.clone(),
    }
}

/// The largest test file, or part of a device, that may be laid out: `usual` without a bound.
pub(crate) fn max_layout_size(ask: &MeasureRequest, usual: Bytes) -> Result<Bytes, MethodError> {
    let Some(max) = ask.max_written else { return Ok(usual) };
    if let Some(size) = ask.size.filter(|size| *size > max) {
        let what = format!("--size {size} alone is more than --max-written {max}");
        let least = Bytes(size.0.saturating_mul(LAYOUT_DIVISOR));
        return refuse(what, larger_budget_hint(least));
    }
    let share = Bytes(max.0 / LAYOUT_DIVISOR / Bytes::MIB * Bytes::MIB);
    if ask.size.is_none() && share < SPAN_MIN {
        let least = Bytes(SPAN_MIN.0 * LAYOUT_DIVISOR);
        let what = format!("--max-written {max} is too little: {SPAN_MIN} are laid out at least");
        return refuse(what, larger_budget_hint(least));
    }
    Ok(usual.min(share))
}

fn larger_budget_hint(least: Bytes) -> String {
    format!("use --max-written {} or more", least.to_compact())
}

/// What a run is about to write, said before the first byte.
pub(crate) fn describe_writes(
    ask: &MeasureRequest,
    room: &LayoutBudget,
    what: impl Into<Message>,
) -> Message {
    let (what, time) = (what.into(), room.budget);
    let announcement: Message = match (room.measures_writes, ask.max_written.or(room.known_writes))
    {
        (false, _) => ThenReads { what, time }.into(),
        (true, Some(max)) => ThenWritesUpTo { what, max, time }.into(),
        (true, None) => {
            // The speed is unknown before the run, so one is given as an example.
            let gigabytes = time.as_secs_f64().round() as u64;
            ThenWrites { what, time, gigabytes }.into()
        }
    };
    match room.name.clone() {
        Some(preset) => OfPreset { preset, announcement }.into(),
        None => announcement,
    }
}

pub(crate) fn describe_writes_on_hosts(ask: &MeasureRequest, room: &LayoutBudget) -> Message {
    let (size, path) = (ask.size.unwrap_or(room.size), ask.path.display().to_string());
    describe_writes(ask, room, InTestFiles { size, path })
}

messages! {
    InTestFile = "announce-test-file" { size: Bytes, path: String };
    InTestFiles = "announce-test-files" { size: Bytes, path: String };
    OverTarget = "announce-over" { size: Bytes, path: String };
    ThenReads = "announce-then-reads" { what: Message, time: Nanos };
    ThenWritesUpTo = "announce-then-writes-up-to" { what: Message, max: Bytes, time: Nanos };
    ThenWrites = "announce-then-writes" { what: Message, time: Nanos, gigabytes: u64 };
    OfPreset = "announce-of-preset" { preset: String, announcement: Message };
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use units::{Depth, Seed};
    use workload::{BlockSizes, Mix, Sizes};

    use super::*;

    fn ask(size: Option<Bytes>, max_written: Option<Bytes>) -> MeasureRequest {
        MeasureRequest {
            path: PathBuf::from("/srv/data"),
            size,
            read_only: false,
            destroy_data_on: None,
            max_written,
            seed: Seed(1),
            command: record::CommandLine::default(),
            version: "0".to_owned(),
        }
    }

    #[test]
    fn half_of_what_may_be_written_is_laid_out() {
        let check = |size, max, expected: Result<Bytes, &str>| match (
            max_layout_size(&ask(size, max), Bytes::gib(4)),
            expected,
        ) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected),
            (Err(error), Err(hint)) => {
                assert_eq!(error.kind(), units::ErrorKind::WrongRequest);
                assert!(error.hint().unwrap().contains(hint), "{error}");
            }
            (found, _) => panic!("{size:?} {max:?}: {found:?}"),
        };
        let mib = Bytes::mib;
        check(None, None, Ok(Bytes::gib(4)));
        check(None, Some(Bytes::gib(100)), Ok(Bytes::gib(4)));
        check(None, Some(mib(100)), Ok(mib(50)));
        check(None, Some(mib(32)), Ok(mib(16)));
        check(None, Some(mib(31)), Err("--max-written 32m"));
        check(Some(mib(64)), Some(mib(64)), Ok(mib(32)));
        check(Some(mib(64)), Some(mib(63)), Err("--max-written 128m"));
    }

    #[test]
    fn a_cell_gets_a_quarter_of_what_is_left_in_whole_operations() {
        let mut budget = WriteBudget::new(Bytes::mib(64));
        let of = |mix, depth| Job { mix, depth: Depth(depth), ..Job::base() };
        let mut bounded = |mut jobs: Vec<Job>| (budget.bound_jobs(&mut jobs), jobs);
        let (allowance, jobs) = bounded(vec![of(Mix::Write, 32)]);
        assert_eq!((allowance, jobs[0].stop.bytes), (Allowance::Bounded, Some(Bytes::mib(16))));
        // Reads are free, and two jobs share.
        let (allowance, jobs) = bounded(vec![of(Mix::Read, 1)]);
        assert_eq!((allowance, jobs[0].stop.bytes), (Allowance::Whole, None));
        let mixed = Mix::Mixed { read_percent: 75 };
        let (_, jobs) = bounded(vec![of(Mix::Read, 1), of(Mix::Write, 1), of(mixed, 1)]);
        let bounds: Vec<_> = jobs.iter().map(|job| job.stop.bytes).collect();
        assert_eq!(bounds, [None, Some(Bytes::mib(8)), Some(Bytes::mib(8))]);
        // Who wants less is not bounded.
        let mut little = of(Mix::Write, 1);
        little.stop.operations = Some(4096);
        assert_eq!(bounded(vec![little]).0, Allowance::Whole);
        let mut large = of(Mix::Write, 8);
        large.block_size = Bytes::mib(1);
        assert_eq!(bounded(vec![large.clone()]).0, Allowance::Bounded);
        large.depth = Depth(17);
        assert_eq!(bounded(vec![large]).0, Allowance::TooLittle);
        let mut several = of(Mix::Write, 16);
        several.sizes = BlockSizes { write: Sizes::Fixed(Bytes::kib(64)), ..BlockSizes::default() };
        let (_, jobs) = bounded(vec![several]);
        assert_eq!(jobs[0].stop.bytes, Some(Bytes::mib(15)));
        budget.spend_on_layout(Bytes::mib(63));
        let mut jobs = [of(Mix::Write, 65)];
        assert_eq!(budget.bound_jobs(&mut jobs), Allowance::TooLittle);
        let said = budget.describe_shortfall().unwrap();
        assert_eq!(said, "--max-written 64m: 2 cells were left out");
    }

    #[test]
    fn the_announcement_says_what_is_known_and_what_depends_on_the_disk() {
        let room = |measures_writes| LayoutBudget {
            block_sizes: Vec::new(),
            size: Bytes::gib(4),
            layout: Nanos::secs(15),
            budget: Nanos::secs(60),
            measures_writes,
            known_writes: None,
            name: None,
        };
        let said = |max, writes| {
            let what = OverTarget { size: Bytes::gib(4), path: "/srv/data".to_owned() };
            describe_writes(&ask(None, max), &room(writes), what).text().to_string()
        };
        let open = said(None, true);
        assert!(
            open.starts_with("writes over the first 4 GiB of /srv/data, then reads and writes"),
            "{open}"
        );
        assert!(open.contains("up to 60 GB (limit: --max-written SIZE)"), "{open}");
        assert_eq!(open.matches("/srv/data").count(), 1, "{open}");
        assert!(said(Some(Bytes::gib(5)), true).contains("at most 5 GiB and "));
        assert!(said(None, false).contains("then only reads: at most "));
    }
}
