//! The truth checks: one file each, one finding each.

mod burst;
mod client_bound;
mod compressible;
mod content;
mod coverage;
mod dedup;
mod device_cache;
mod explain;
mod first_touch;
mod flush;
mod host_cache;
mod idle_latency;
mod impossible;
mod link_bound;
mod little;
mod misaligned;
mod neighbour;
mod not_settled;
mod os_throttle;
mod page_cache;
mod pauses;
mod provider_limit;
mod reread;
mod short_stroke;
mod stall;
mod unwritten;
mod working_set;
mod zero_blocks;

pub(crate) use burst::{bytes_written, disk_capacity, write_cache_max};
pub use explain::{Explanation, explain};
pub use neighbour::is_disturbed;
pub use not_settled::has_drifted;

use std::borrow::Cow;

use record::{
    Cell, CellRole, Evidence, Finding, FindingId, Judgement, Measured, Status, TargetInfo,
};

/// A truth check: a pure function, and what it is shown.
#[derive(Clone, Copy)]
enum Check {
    /// Only cells whose figures count: no trials, and nothing that was measured again.
    Figures(fn(&Measured) -> Finding),
    /// Everything: what was tried out for it, beside the figures.
    Trials(fn(&Measured) -> Finding),
    /// Those cells, and what was judged before.
    JudgedFigures(fn(&Measured, &Judgement) -> Finding),
    /// Everything, and what was judged before: curves, a platter, the findings of earlier checks.
    Judged(fn(&Measured, &Judgement) -> Finding),
}
use Check::{Figures, Judged, JudgedFigures, Trials};

/// Every check, in the order in which findings are shown.
const CHECKS: &[Check] = &[
    Figures(page_cache::check),
    Figures(unwritten::check),
    Figures(zero_blocks::check),
    Trials(host_cache::check),
    Trials(device_cache::check),
    Trials(first_touch::check),
    Trials(compressible::check),
    Trials(dedup::check),
    Trials(flush::check),
    Figures(impossible::check),
    Figures(client_bound::check),
    Figures(little::check),
    Figures(os_throttle::check),
    Figures(link_bound::check),
    Figures(neighbour::check),
    Figures(stall::check),
    Figures(not_settled::check),
    Figures(coverage::check),
    Trials(idle_latency::check),
    Trials(misaligned::check),
    JudgedFigures(short_stroke::check),
    // These hold what they see against what the others found: they are last.
    Judged(provider_limit::check),
    Judged(burst::check),
];

/// Runs every check on the record.
#[must_use]
pub fn run_checks(record: &Measured, judgement: &Judgement) -> Vec<Finding> {
    let decides = |cell: &Cell| {
        !matches!(cell.role, CellRole::Disturbed | CellRole::Trial) && !is_superseded(cell, record)
    };
    let deciding = match record.cells.iter().all(decides) {
        true => Cow::Borrowed(record),
        false => {
            let cells = record.cells.iter().filter(|cell| decides(cell)).cloned().collect();
            Cow::Owned(Measured { cells, ..record.clone() })
        }
    };
    let mut judgement = judgement.clone();
    judgement.findings.clear();
    for check in CHECKS {
        let finding = match check {
            Figures(check) => check(&deciding),
            Trials(check) => check(record),
            JudgedFigures(check) => check(&deciding, &judgement),
            Judged(check) => check(record, &judgement),
        };
        judgement.findings.push(match finding.id {
            FindingId::Neighbour => neighbour::add_repeated_probes(record, finding),
            _ => finding,
        });
    }
    judgement.findings
}

/// Whether a probe was measured again with more workers, because it had too few.
fn is_superseded(cell: &Cell, record: &Measured) -> bool {
    let job = &cell.job;
    let again = |other: &Cell| {
        let more = &other.job;
        other.role == CellRole::Probe
            && more.workers > job.workers
            && (more.depth, more.mix, more.block_size) == (job.depth, job.mix, job.block_size)
            && more.pacing == job.pacing
            && strip_number(&other.name) == strip_number(&cell.name)
    };
    cell.role == CellRole::Probe && record.cells.iter().any(again)
}

/// The name of a cell without the number that it got because the name existed.
fn strip_number(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((stem, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => stem,
        _ => name,
    }
}

/// Collects what a check sees, cell by cell, and keeps the worst.
struct FindingBuilder {
    id: FindingId,
    status: Status,
    cells: Vec<String>,
    evidence: Vec<Evidence>,
}

impl FindingBuilder {
    fn new(id: FindingId) -> Self {
        Self { id, status: Status::Ok, cells: Vec::new(), evidence: Vec::new() }
    }

    /// Counts `cell` as touched with `status`. Cells of a lesser status are dropped when a worse
    /// one comes, so that the list names those that the status is about.
    fn mark_cell(&mut self, cell: &Cell, status: Status, evidence: Evidence) {
        if status > self.status {
            self.status = status;
            self.cells.clear();
        }
        if status == self.status && !self.cells.contains(&cell.name) {
            self.cells.push(cell.name.clone());
        }
        self.evidence.push(evidence);
    }

    /// Adds a fact that is about the whole run.
    fn raise_status(&mut self, status: Status, evidence: Evidence) {
        self.status = self.status.max(status);
        self.evidence.push(evidence);
    }

    fn add_fact(&mut self, evidence: Evidence) {
        self.evidence.push(evidence);
    }

    fn finish(self, summary: String, remedy: Option<&str>) -> Finding {
        let touched = !matches!(self.status, Status::Ok | Status::NotObservable);
        Finding {
            id: self.id,
            status: self.status,
            summary,
            evidence: self.evidence,
            cells: self.cells,
            remedy: remedy.filter(|_| touched).map(str::to_owned),
        }
    }
}

/// Whether somebody else used the disk or the processors, by the cells of a record alone.
pub(crate) fn check_neighbours(record: &Measured) -> Finding {
    neighbour::check(record)
}

pub(crate) fn not_observable(id: FindingId, why: &str) -> Finding {
    Finding {
        id,
        status: Status::NotObservable,
        summary: why.to_owned(),
        evidence: Vec::new(),
        cells: Vec::new(),
        remedy: None,
    }
}

/// The topmost device and its own mean number of requests outstanding. Evidence beside the
/// generator's count: it counts the parts of split requests, and what others sent.
fn device_queue(cell: &Cell) -> Option<(&str, f64)> {
    let ledger = &cell.ledger;
    let device = ledger.layers.first().filter(|d| d.busy_ms > 0 && ledger.elapsed.0 > 0)?;
    Some((&device.name, device.queue_ms as f64 / ledger.elapsed.as_millis_f64()))
}

/// Whether most operations were answered above the device, by memory or because nothing is there;
/// or by the page cache, whichever way that is known.
fn is_answered_by_memory(cell: &Cell, record: &Measured) -> bool {
    let in_memory = |target: &TargetInfo| target.file_system.as_ref().is_some_and(|fs| fs.memory);
    let ledger = &cell.ledger;
    let asked = ledger.read_ops.saturating_add(ledger.write_ops);
    record.target().is_some_and(in_memory)
        || page_cache::has_answered(record)
        || ledger.layers.first().is_some_and(|top| {
            top.read_ops.saturating_add(top.write_ops).saturating_add(top.merges) < asked / 2
        })
}

/// Seconds of a cell, never zero.
fn elapsed_s(cell: &Cell) -> f64 {
    cell.elapsed.as_secs_f64().max(1e-9)
}

/// `3 cells`, `1 cell`.
fn format_cell_count(count: usize) -> String {
    if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_record_is_judged_without_a_claim() {
        let mut record = crate::testing::sample_record();
        record.cells.clear();
        for finding in crate::judge(&record).findings {
            assert!(matches!(finding.status, Status::Ok | Status::NotObservable), "{finding:?}");
            assert!(finding.cells.is_empty());
        }
    }

    #[test]
    fn a_plain_run_raises_nothing() {
        for finding in crate::judge(&crate::testing::sample_record()).findings {
            assert!(finding.status < Status::Warning, "{finding:#?}");
        }
    }

    #[test]
    fn weird_cells_do_not_panic() {
        let mut record = crate::testing::sample_record();
        for cell in &mut record.cells {
            cell.elapsed = units::Nanos(0);
            cell.intervals.clear();
            cell.ticks = record::TickSeries::default();
            cell.totals = record::Directions::default();
            cell.ledger = record::Ledger::default();
        }
        let judgement = crate::judge(&record);
        assert_eq!(judgement.findings.len(), CHECKS.len());
    }

    fn of(record: &Measured, id: FindingId) -> Finding {
        crate::judge(record).findings.into_iter().find(|finding| finding.id == id).unwrap()
    }

    #[test]
    fn probes_that_were_measured_again_decide_nothing_and_are_counted() {
        let mut record = record::fixture::open_loop_limit_record().measured;
        assert_eq!(of(&record, FindingId::Neighbour).status, Status::Ok);
        let probe = record.cells.last_mut().unwrap();
        let lag_ns = probe.totals.read.as_ref().unwrap().latency_ns.clone();
        probe.open_loop = Some(record::OpenLoop {
            started: 1,
            held: 0,
            unstarted: 0,
            lag_ns,
            generator_late: true,
        });
        probe.ledger.layers[0].read_bytes.0 *= 2;
        let name = probe.name.clone();
        assert_eq!(of(&record, FindingId::ClientBound).status, Status::Invalid);
        assert_eq!(of(&record, FindingId::Neighbour).status, Status::Warning);

        record.cells.last_mut().unwrap().role = CellRole::Disturbed;
        assert_eq!(of(&record, FindingId::ClientBound).status, Status::Ok);
        let finding = of(&record, FindingId::Neighbour);
        assert_eq!((finding.status, &finding.cells[..]), (Status::Note, &[name][..]));
        assert_eq!(finding.summary, "1 probe was disturbed, and measured again");
        assert!(finding.remedy.is_none());
        let judgement = crate::judge(&record);
        assert_eq!(judgement.verdict.unwrap().trust, record::Trust::Sound);
    }

    #[test]
    fn two_jobs_that_were_measured_again_are_one_probe() {
        let mut record = record::fixture::two_job_limit_record().measured;
        for cell in &mut record.cells[..4] {
            cell.role = CellRole::Disturbed;
        }
        let finding = of(&record, FindingId::Neighbour);
        assert!(finding.summary.contains("2 probes were disturbed"), "{finding:#?}");
        assert_eq!(finding.cells.len(), 4);
    }

    #[test]
    fn probes_with_too_few_workers_decide_nothing_once_there_were_more() {
        let mut record = record::fixture::limit_record().measured;
        let at = record.cells.iter().position(|cell| cell.job.depth.0 == 64).unwrap();
        let mut more = record.cells[at].clone();
        record.cells[at].cpu.system = record.cells[at].elapsed;
        record.cells[at].ledger.layers[0].queue_ms /= 2;
        assert_eq!(of(&record, FindingId::ClientBound).status, Status::Warning);
        more.name.push_str("-2");
        more.job.workers = 2;
        record.cells.push(more.clone());
        assert_eq!(of(&record, FindingId::ClientBound).status, Status::Ok);
        // Another depth, or other jobs of the same depth, are other probes.
        let last = record.cells.last_mut().unwrap();
        last.name = "randread-4k-qd64+1".to_owned();
        assert_eq!(of(&record, FindingId::ClientBound).status, Status::Warning);
        let last = record.cells.last_mut().unwrap();
        (last.name, last.job.depth.0) = (more.name, 65);
        assert_eq!(of(&record, FindingId::ClientBound).status, Status::Warning);
    }

    /// A seeded stream of awkward numbers: zero, one, huge, and anything between.
    struct Awkward(u64);

    impl Awkward {
        fn draw(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
            let x = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
            match x % 5 {
                0 => 0,
                1 => 1,
                2 => u64::MAX,
                _ => x >> (x % 60),
            }
        }

        fn bytes(&mut self) -> units::Bytes {
            units::Bytes(self.draw())
        }

        fn spoil(&mut self, cell: &mut Cell) {
            cell.elapsed.0 = self.draw();
            cell.job.depth.0 = self.draw() as u32;
            cell.job.block_size = self.bytes();
            cell.job.span.length = self.bytes();
            cell.job.interval.0 = self.draw();
            cell.ticks.tick.0 = self.draw();
            let keep = (self.draw() % 40) as usize;
            cell.intervals.truncate(keep);
            if let Some(read) = &mut cell.totals.read {
                read.ops = self.draw();
                read.iops = self.draw() as f64;
                read.bytes_per_second = self.draw() as f64;
                read.latency_ns.max = self.draw();
                read.latency_ns.histogram.count = self.draw();
                read.latency_ns.percentiles.values_mut().for_each(|p| *p = self.draw());
            }
            if let Some(series) = &mut cell.ticks.directions.write {
                series.ops.iter_mut().for_each(|n| *n = self.draw());
            }
            (cell.achieved_depth.counted, cell.achieved_depth.little) =
                (self.draw() as f64, self.draw() as f64);
            (cell.cpu.user.0, cell.cpu.system.0) = (self.draw(), self.draw());
            cell.cpu.threads = self.draw() as u32;
            let ledger = &mut cell.ledger;
            ledger.elapsed.0 = self.draw();
            (ledger.read_ops, ledger.read_bytes) = (self.draw(), self.bytes());
            (ledger.write_ops, ledger.write_bytes) = (self.draw(), self.bytes());
            for layer in &mut ledger.layers {
                (layer.read_ops, layer.read_bytes) = (self.draw(), self.bytes());
                (layer.write_bytes, layer.queue_ms) = (self.bytes(), self.draw());
            }
            ledger.residency = Some(record::Residency {
                pages: self.draw(),
                cached_before: self.draw(),
                cached_after: self.draw(),
                ..record::Residency::default()
            });
            ledger.system = Some(record::SystemCounters {
                cpu_total: units::Nanos(self.draw()),
                cpu_idle: units::Nanos(self.draw()),
                cpu_steal: units::Nanos(self.draw()),
                cpu_self: units::Nanos(self.draw()),
                ..record::SystemCounters::default()
            });
        }
    }

    /// What holds for every finding, whatever the record.
    fn sound(record: &Measured) {
        let judgement = crate::judge(record);
        assert_eq!(judgement.findings.len(), CHECKS.len());
        let mut ids: Vec<_> = judgement.findings.iter().map(|f| f.id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), CHECKS.len(), "one finding per id");
        for finding in &judgement.findings {
            assert!(!finding.summary.is_empty(), "{finding:?}");
            let known = |name: &String| record.cells.iter().any(|c| c.name == *name);
            assert!(finding.cells.iter().all(known), "{finding:?}");
            if finding.status >= Status::Warning {
                assert!(!finding.evidence.is_empty() && finding.remedy.is_some(), "{finding:?}");
            }
        }
    }

    #[test]
    fn awkward_records_are_judged_without_panic() {
        let plain = crate::testing::sample_record();
        for seed in 0..200 {
            let mut record = plain.clone();
            let mut awkward = Awkward(seed);
            for cell in &mut record.cells {
                awkward.spoil(cell);
            }
            if seed % 3 == 0 {
                record.targets[0].stack.clear();
            }
            if seed % 5 == 0 {
                record.targets.clear();
            }
            sound(&record);
        }
    }
}
