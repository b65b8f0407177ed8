//! Which cells are of the same job.

use record::{Cell, CellRole, Record};
use workload::{Job, Pacing};

use crate::curve_name;

/// Everything in which jobs must agree to be compared; payload and kernel interface are listed as
/// differences.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JobKey {
    /// The base job with the parts that must agree.
    job: Job,
    beside: Option<String>,
}

impl JobKey {
    /// `None` of a cell that only serves another.
    pub(super) fn from_cell(cell: &Cell, record: &Record) -> Option<Self> {
        let counts = matches!(
            cell.role,
            CellRole::Main
                | CellRole::Ladder
                | CellRole::Idle
                | CellRole::Probe
                | CellRole::Point
                | CellRole::Interference
                | CellRole::Step
        ) && cell.step.as_ref().is_none_or(|step| !step.discarded);
        let job = &cell.job;
        let beside =
            cell.beside.as_ref().and_then(|name| record.measured.cell(name)).map(describe_workload);
        let job = Job {
            access: job.access.clone(),
            mix: job.mix,
            block_size: job.block_size,
            sizes: job.sizes.clone(),
            depth: job.depth,
            pacing: job.pacing,
            caps: job.caps,
            think: job.think,
            sync: job.sync,
            durable: job.durable,
            trim: job.trim,
            direct: job.direct,
            ..Job::base()
        };
        counts.then_some(Self { job, beside })
    }

    /// What differs, in words of the other: `depth 32`, `no O_DIRECT`.
    pub(super) fn list_differences(&self, other: &Self) -> Vec<String> {
        let (mine, theirs) = (&self.job, &other.job);
        let size = theirs.block_size;
        let direct = if theirs.direct { "O_DIRECT" } else { "no O_DIRECT" };
        let all = [
            (mine.access != theirs.access, "another order of the blocks".to_owned()),
            (mine.mix != theirs.mix, curve_name(&theirs.access, theirs.mix, size).1.to_string()),
            (mine.block_size != size, format!("blocks of {}", size.to_compact())),
            (mine.sizes != theirs.sizes, "other sizes of operations".to_owned()),
            (mine.depth != theirs.depth, format!("depth {}", theirs.depth)),
            (mine.pacing != theirs.pacing, "another pacing".to_owned()),
            (mine.caps != theirs.caps, "another rate cap".to_owned()),
            (mine.think != theirs.think, "other pauses".to_owned()),
            (mine.sync != theirs.sync, "other syncs".to_owned()),
            (mine.durable != theirs.durable, "another durability of writes".to_owned()),
            (mine.trim != theirs.trim, "another kind of trim".to_owned()),
            (mine.direct != theirs.direct, direct.to_owned()),
            (self.beside != other.beside, "another job beside it".to_owned()),
        ];
        all.into_iter().filter(|(differs, _)| *differs).map(|(_, words)| words).collect()
    }

    pub(super) fn is_closed(&self) -> bool {
        self.job.pacing == Pacing::Closed && self.job.caps.is_none() && self.job.think.is_none()
    }
}

/// Without the depth: `random read 4k`, `commit 4k`.
pub(super) fn describe_workload(cell: &Cell) -> String {
    let job = &cell.job;
    let size = job.block_size.to_compact();
    let plain = match job.pacing {
        Pacing::Spaced { .. } => format!("read {size} after a pause"),
        _ if job.sync.is_some() => format!("commit {size}"),
        _ => curve_name(&job.access, job.mix, job.block_size).1.to_string(),
    };
    match job.pacing {
        Pacing::Open { rate, .. } => format!("{plain}, {rate} arrivals/s"),
        _ => plain,
    }
}

/// `random read 4k, depth 64`.
pub(super) fn describe_cell(cell: &Cell, record: &Record) -> String {
    let mut words = describe_workload(cell);
    let paced = matches!(cell.job.pacing, Pacing::Spaced { .. } | Pacing::Open { .. });
    if !paced && cell.job.sync.is_none() {
        words.push_str(&format!(", depth {}", cell.job.depth));
    }
    if !cell.job.direct {
        words.push_str(", no O_DIRECT");
    }
    if let Some(other) = cell.beside.as_ref().and_then(|name| record.measured.cell(name)) {
        words.push_str(&format!(", beside {}", describe_workload(other)));
    }
    words
}
