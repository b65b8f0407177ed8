//! The truth checks: one file each with the specification (`CHECK`) and the function. To add a
//! check, add its file, its id in `record::FindingId`, and its name in `checks!`.

mod backlog;
mod burst;
mod check;
mod client_bound;
mod compressible;
mod coverage;
mod dedup;
mod device_cache;
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
mod provider_limit;
mod short_stroke;
mod stall;
mod unwritten;
mod zero_blocks;

use std::borrow::Cow;

use record::{Cell, CellRole, Finding, FindingId, Judgement, Measured};

pub use check::Check;
use check::Subject;
pub use neighbour::is_disturbed;
pub(crate) use neighbour::judge_neighbours;
pub use not_settled::{has_drifted, is_unsteady};

use crate::preset::reads_memory_on_purpose;

macro_rules! checks {
    ($($list:ident: $($check:ident)*;)*) => {
        $(static $list: &[&Check] = &[$(&$check::CHECK),*];)*
    };
}

// In the order in which findings are shown; those that look at others' findings come after them.
checks! {
    CELL_CHECKS:
        unwritten page_cache zero_blocks host_cache device_cache first_touch compressible dedup
        flush impossible client_bound backlog little os_throttle link_bound neighbour stall
        not_settled coverage idle_latency misaligned short_stroke;
    CURVE_CHECKS: provider_limit burst;
}

/// Checks that apply to operations on small files, which are no cells: the others would say
/// nothing.
const SMALL_FILE_CHECKS: [FindingId; 2] = [FindingId::PageCache, FindingId::NotSettled];

pub fn explain(id: FindingId) -> &'static Check {
    list_checks().find(|check| check.id == id).unwrap_or(CELL_CHECKS[0])
}

/// All of them, as their findings are shown.
pub(crate) fn list_checks() -> impl Iterator<Item = &'static Check> {
    CELL_CHECKS.iter().chain(CURVE_CHECKS).copied()
}

/// Runs every check on measurements of which no curves are built.
pub fn run_checks(measured: &Measured) -> Vec<Finding> {
    let findings = run_cell_checks(measured, &Judgement::default());
    let mut judgement = Judgement { findings, ..Judgement::default() };
    judgement.findings.extend(run_curve_checks(measured, &judgement));
    judgement.findings
}

/// Runs the checks that look at cells, with the rotation that was judged before. Their findings
/// say which cells a curve may use.
pub(crate) fn run_cell_checks(measured: &Measured, judgement: &Judgement) -> Vec<Finding> {
    run_list(CELL_CHECKS, measured, judgement)
}

/// Runs the checks that look at curves, with these and the findings of the cells.
pub(crate) fn run_curve_checks(measured: &Measured, judgement: &Judgement) -> Vec<Finding> {
    run_list(CURVE_CHECKS, measured, judgement)
}

fn run_list(checks: &[&Check], measured: &Measured, judgement: &Judgement) -> Vec<Finding> {
    let counts = |cell: &Cell| {
        !matches!(cell.role, CellRole::Disturbed | CellRole::Trial)
            && !is_superseded(cell, measured)
            && !reads_memory_on_purpose(measured, cell)
    };
    let figures = match measured.cells.iter().all(counts) {
        true => Cow::Borrowed(measured),
        false => {
            let cells = measured.cells.iter().filter(|cell| counts(cell)).cloned().collect();
            Cow::Owned(Measured { cells, ..measured.clone() })
        }
    };
    let mut judgement = judgement.clone();
    let known = judgement.findings.len();
    let small_files = measured.metadata.is_some();
    let applies = |check: &&&Check| !small_files || SMALL_FILE_CHECKS.contains(&check.id);
    for check in checks.iter().filter(applies) {
        let subject = Subject { figures: &figures, measured, judgement: &judgement };
        let finding = check.judge(&subject);
        judgement.findings.push(finding);
    }
    judgement.findings.split_off(known)
}

/// Whether a probe was measured again with more workers.
fn is_superseded(cell: &Cell, measured: &Measured) -> bool {
    let job = &cell.job;
    let again = |other: &Cell| {
        let more = &other.job;
        other.role == CellRole::Probe
            && more.workers > job.workers
            && (more.depth, more.mix, more.block_size) == (job.depth, job.mix, job.block_size)
            && more.pacing == job.pacing
            && strip_number(&other.name) == strip_number(&cell.name)
    };
    cell.role == CellRole::Probe && measured.cells.iter().any(again)
}

/// The name of a cell without the number that made it unique.
fn strip_number(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((stem, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use record::Status;

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
        assert_eq!(judgement.findings.len(), FindingId::ALL.len());
    }

    fn of(record: &Measured, id: FindingId) -> Finding {
        crate::judge(record).findings.into_iter().find(|finding| finding.id == id).unwrap()
    }

    #[test]
    fn probes_that_were_measured_again_decide_nothing_and_are_counted() {
        let mut record = record::fixture::open_loop_limit_record().measured;
        assert_eq!(of(&record, FindingId::Neighbour).status, Status::Ok);
        let mut repeated = record.cells.last().unwrap().clone();
        repeated.name.push_str("-2");
        let probe = record.cells.last_mut().unwrap();
        let lag_ns = probe.totals.read.as_ref().unwrap().latency_ns.clone();
        probe.open_loop = Some(Box::new(record::OpenLoop {
            started: 1,
            lag_ns,
            generator_late: true,
            ..record::OpenLoop::default()
        }));
        probe.ledger.layers[0].read_bytes.0 *= 2;
        let name = probe.name.clone();
        assert_eq!(of(&record, FindingId::ClientBound).status, Status::Invalid);
        assert_eq!(of(&record, FindingId::Neighbour).status, Status::Warning);

        record.cells.last_mut().unwrap().role = CellRole::Disturbed;
        assert_eq!(of(&record, FindingId::Neighbour).status, Status::Ok, "it was cut short");
        record.cells.push(repeated);
        assert_eq!(of(&record, FindingId::ClientBound).status, Status::Ok);
        let finding = of(&record, FindingId::Neighbour);
        assert_eq!((finding.status, &finding.cells[..]), (Status::Note, &[name][..]));
        assert_eq!(finding.summary, "1 probe was disturbed, and measured again");
        assert!(finding.remedy.is_none());
        let judgement = crate::judge(&record);
        assert!(judgement.findings.iter().all(|finding| finding.status < Status::Warning));
    }

    #[test]
    fn two_jobs_that_were_measured_again_are_one_probe() {
        let mut record = record::fixture::two_job_limit_record().measured;
        for cell in &mut record.cells[..4] {
            cell.role = CellRole::Disturbed;
        }
        let finding = of(&record, FindingId::Neighbour);
        assert!(finding.summary.text().contains("2 probes were disturbed"), "{finding:#?}");
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
        assert_eq!(judgement.findings.len(), FindingId::ALL.len());
        let mut ids: Vec<_> = judgement.findings.iter().map(|f| f.id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), FindingId::ALL.len(), "one finding per id");
        for finding in &judgement.findings {
            assert!(!finding.summary.text().is_empty(), "{finding:?}");
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

    #[test]
    fn every_finding_is_explained_in_full() {
        for id in FindingId::ALL {
            let text = explain(id);
            assert_eq!(text.id, id);
            let question = text.question();
            assert!(question.text().ends_with('?') && question.text().len() <= 78, "{id}");
            for part in [text.meaning(), text.method(), text.remedy(), text.blind_spot()] {
                assert!(part.text().len() > 40 && part.text().ends_with('.'), "{id}: {part:?}");
                assert!(
                    !part.text().contains("  ") && !part.text().contains('\n'),
                    "{id}: {part:?}"
                );
            }
            let order: Vec<Status> = text.statuses().map(|(status, _)| status).collect();
            assert!(order.is_sorted() && order.first() == Some(&Status::Ok), "{id}: {order:?}");
            assert!(order.windows(2).all(|pair| pair[0] != pair[1]), "{id}: {order:?}");
        }
    }

    #[test]
    fn the_statuses_of_judged_records_are_among_those_explained() {
        let mut spoiled = crate::testing::sample_record();
        for cell in &mut spoiled.cells {
            cell.ledger.layers[0].read_bytes.0 /= 3;
            cell.achieved_depth.counted /= 2.0;
        }
        let mut empty = crate::testing::sample_record();
        empty.cells.clear();
        empty.targets.clear();
        for record in [crate::testing::sample_record(), spoiled, empty] {
            for finding in crate::judge(&record).findings {
                let mut can = explain(finding.id).statuses();
                let known = can.any(|(status, _)| status == finding.status);
                assert!(known, "{}: {} is not explained", finding.id, finding.status);
            }
        }
    }

    /// The words of each check without its tests, and of what decides for it.
    fn source(id: FindingId) -> String {
        let files: &[&str] = match id {
            FindingId::PageCache => &[include_str!("checks/page_cache.rs")],
            FindingId::Unwritten => &[include_str!("checks/unwritten.rs")],
            FindingId::ZeroBlocks => &[include_str!("checks/zero_blocks.rs")],
            FindingId::HostCache => &[include_str!("checks/host_cache.rs")],
            FindingId::DeviceCache => &[include_str!("checks/device_cache.rs")],
            FindingId::Compressible => {
                &[include_str!("checks/compressible.rs"), include_str!("evidence/contents.rs")]
            }
            FindingId::Dedup => {
                &[include_str!("checks/dedup.rs"), include_str!("evidence/contents.rs")]
            }
            FindingId::Flush => &[include_str!("checks/flush.rs")],
            FindingId::FirstTouch => &[include_str!("checks/first_touch.rs")],
            FindingId::Burst => &[include_str!("checks/burst.rs")],
            FindingId::ProviderLimit => &[include_str!("checks/provider_limit.rs")],
            FindingId::NotSettled => &[include_str!("checks/not_settled.rs")],
            FindingId::Neighbour => &[include_str!("checks/neighbour.rs")],
            FindingId::ClientBound => &[include_str!("checks/client_bound.rs")],
            FindingId::LinkBound => &[include_str!("checks/link_bound.rs")],
            FindingId::OsThrottle => &[include_str!("checks/os_throttle.rs")],
            FindingId::IdleLatency => &[include_str!("checks/idle_latency.rs")],
            FindingId::Misaligned => &[include_str!("checks/misaligned.rs")],
            FindingId::ShortStroke => &[include_str!("checks/short_stroke.rs")],
            FindingId::Impossible => &[include_str!("checks/impossible.rs")],
            FindingId::Coverage => &[include_str!("checks/coverage.rs")],
            FindingId::Little => &[include_str!("checks/little.rs")],
            FindingId::Stall => &[include_str!("checks/stall.rs")],
            FindingId::Backlog => &[include_str!("checks/backlog.rs")],
        };
        let code = |file: &&str| file.split("#[cfg(test)]").next().unwrap_or(file).to_owned();
        files.iter().map(code).collect()
    }

    /// A status that a check can raise stands in its source by name, and none that it cannot; `ok`
    /// is where every check begins.
    #[test]
    fn every_status_that_a_check_can_raise_is_explained_and_no_other() {
        use Status::{Invalid, NotObservable, Note, Ok, Warning};
        for id in FindingId::ALL {
            let source = source(id);
            let raised = |status: Status| match status {
                Status::Ok => true,
                Status::NotObservable => {
                    let signs = ["Err(", "ok_or", "Status::NotObservable"];
                    signs.iter().any(|sign| source.contains(sign))
                }
                Status::Note => source.contains("Status::Note"),
                Status::Warning => source.contains("Status::Warning"),
                Status::Invalid => source.contains("Status::Invalid"),
            };
            let all = [Ok, NotObservable, Note, Warning, Invalid];
            let raised: Vec<Status> = all.into_iter().filter(|s| raised(*s)).collect();
            let explained: Vec<Status> = explain(id).statuses().map(|(s, _)| s).collect();
            assert_eq!(explained, raised, "{id}: explained, and in the source");
        }
    }

    #[test]
    fn thresholds_are_those_of_the_code() {
        let found = |id| explain(id).method();
        let check = |id, words: &str| {
            let text = found(id);
            assert!(text.text().contains(words), "{words} is missing in: {text:?}");
        };
        check(FindingId::PageCache, &page_cache::SERVED_MIN.to_string());
        check(FindingId::Dedup, &crate::evidence::contents::FASTER_MIN.to_string());
        check(FindingId::Stall, &stall::GAP_MIN.to_string());
    }
}
