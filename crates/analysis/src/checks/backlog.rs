//! `backlog`: did the disk keep up with the rate that was asked for? Probes of a search do not
//! count: they go beyond the limit on purpose.

use workload::{Arrivals, Direction, Pacing};

use super::check::*;

pub(super) static CHECK: Check = Check {
    id: FindingId::Backlog,
    method: Some(|| BacklogMethod { missing_max: MISSING_MAX }.into()),
    run: |subject, finding| Ok(check(subject.figures, finding)),
};

/// Share of the operations asked for (methodology of open-loop search).
const MISSING_MAX: Ratio = Ratio(0.01);

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Message {
    let mut worst: Option<(f64, &Cell, Message)> = None;
    let mut asked_any = false;
    for cell in measured.cells.iter().filter(|cell| is_figure(cell)) {
        let Some(asked) = count_asked(cell) else { continue };
        asked_any = true;
        let done: u64 = Direction::ALL
            .into_iter()
            .filter_map(|direction| cell.totals.get(direction))
            .map(|totals| totals.ops)
            .sum();
        let missing = asked - done as f64;
        if missing <= asked * MISSING_MAX.0 + f64::from(cell.job.depth.0) {
            continue;
        }
        let share = missing / asked;
        let backlog = describe_backlog(cell, asked, missing);
        finding.mark(cell, Status::Warning, &backlog, share);
        if worst.as_ref().is_none_or(|(worst_share, ..)| share > *worst_share) {
            worst = Some((share, cell, backlog));
        }
    }
    match worst {
        Some((_, cell, backlog)) => {
            let (cell, jobs) = (cell.name.clone(), finding.cells.len());
            match jobs {
                1 => BacklogOfOne { cell, backlog }.into(),
                _ => BacklogOfSeveral { jobs, cell, backlog }.into(),
            }
        }
        None if asked_any => label("backlog-none"),
        None => label("backlog-no-rate"),
    }
}

fn is_figure(cell: &Cell) -> bool {
    !matches!(cell.role, CellRole::Probe | CellRole::Contrast) && cell.elapsed.0 > 0
}

/// Random arrivals are counted: their number differs from the rate.
fn count_asked(cell: &Cell) -> Option<f64> {
    match (cell.job.pacing, &cell.open_loop) {
        (Pacing::Open { rate, arrivals: Arrivals::Constant }, Some(_)) => {
            Some(rate.0 * cell.elapsed.as_secs_f64())
        }
        (Pacing::Open { .. }, Some(open)) => Some(open.started as f64 + open.unstarted as f64),
        _ => None,
    }
}

fn describe_backlog(cell: &Cell, asked: f64, missing: f64) -> Message {
    let seconds = cell.elapsed.as_secs_f64();
    let behind = Nanos((cell.elapsed.0 as f64 * missing / asked) as u64);
    BacklogInCell {
        asked_rate: Iops(asked / seconds),
        done_rate: Iops((asked - missing) / seconds),
        missing: missing.round() as u64,
        asked: asked.round() as u64,
        behind,
    }
    .into()
}

messages! {
    BacklogMethod = "check-backlog-method" { missing_max: Ratio };
    BacklogInCell = "backlog-in-cell" {
        asked_rate: Iops, done_rate: Iops, missing: u64, asked: u64, behind: Nanos,
    };
    BacklogOfOne = "backlog-of-one" { cell: String, backlog: Message };
    BacklogOfSeveral = "backlog-of-several" { jobs: usize, cell: String, backlog: Message };
}

#[cfg(test)]
mod tests {
    use record::OpenLoop;

    use super::*;
    use crate::testing::{cell_mut, sample_record};

    /// A cell of 10 s that asked for 2,000 operations a second.
    fn record(arrivals: Arrivals, done: u64, unstarted: u64) -> Measured {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd16");
        cell.elapsed = Nanos::secs(10);
        cell.job.pacing = Pacing::Open { rate: Iops(2000.0), arrivals };
        let read = cell.totals.read.as_mut().unwrap();
        read.ops = done;
        let lag_ns = read.latency_ns.clone();
        cell.open_loop = Some(Box::new(OpenLoop {
            started: done + 16,
            held: unstarted,
            unstarted,
            lag_ns,
            ..OpenLoop::default()
        }));
        record
    }

    #[test]
    fn a_rate_beyond_the_disk_leaves_a_backlog() {
        let check = |arrivals, done, unstarted, expected: Result<&str, &str>| {
            let finding = CHECK.judge_alone(&record(arrivals, done, unstarted));
            let (status, words) = match expected {
                Ok(words) => (Status::Ok, words),
                Err(words) => (Status::Warning, words),
            };
            assert_eq!((finding.status, finding.summary.text()), (status, words));
            assert_eq!(finding.remedy.is_some(), expected.is_err());
        };
        let kept = Ok("the rate that was asked for was kept");
        let late = "randread-4k-qd16: asked for 2,000/s, done 1,500/s: 5,000 of 20,000 operations \
                    are missing, and the last waited 2.50 s";
        check(Arrivals::Constant, 15_000, 4984, Err(late));
        // It ended with its file, which came later than asked for.
        check(Arrivals::Constant, 15_000, 0, Err(late));
        check(Arrivals::Constant, 19_990, 0, kept);
        check(Arrivals::Constant, 19_790, 194, kept);
        check(Arrivals::Poisson, 15_000, 4984, Err(late));
        // Fewer came than the rate says.
        check(Arrivals::Poisson, 19_700, 0, kept);
    }

    #[test]
    fn loops_without_a_plan_and_probes_have_no_backlog() {
        assert_eq!(CHECK.judge_alone(&sample_record()).summary, "no rate was asked for");
        let mut probe = record(Arrivals::Poisson, 15_000, 4984);
        cell_mut(&mut probe, "randread-4k-qd16").role = CellRole::Probe;
        assert_eq!(CHECK.judge_alone(&probe).status, Status::Ok);
    }

    #[test]
    fn the_worst_of_several_cells_leads() {
        let mut several = record(Arrivals::Poisson, 15_000, 4984);
        let mut worse = several.cells.iter().find(|cell| cell.open_loop.is_some()).unwrap().clone();
        worse.name = "b".to_owned();
        worse.totals.read.as_mut().unwrap().ops = 1000;
        several.cells.push(worse);
        let finding = CHECK.judge_alone(&several);
        assert_eq!(finding.cells, ["randread-4k-qd16", "b"]);
        assert!(finding.summary.text().starts_with("2 jobs did not keep their rate; the worst: "));
        assert!(
            finding.summary.text().contains("worst: b: asked for 2,000/s, done 100/s"),
            "{}",
            finding.summary.text()
        );
    }
}
