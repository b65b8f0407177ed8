//! Which cells are of the same job.

use message::{Message, label, messages};
use record::{Cell, CellRole, Record};
use units::{Bytes, Depth, Iops};
use workload::{Job, Pacing};

use crate::curve_name;

/// Everything in which jobs must agree to be compared; payload and kernel interface are listed as
/// differences.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JobKey {
    /// The base job with the parts that must agree.
    job: Job,
    beside: Option<Message>,
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
                | CellRole::Replay
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

    /// What differs, as the other has it: `depth 32`, `no O_DIRECT`.
    pub(super) fn list_differences(&self, other: &Self) -> Vec<Message> {
        let (mine, theirs) = (&self.job, &other.job);
        let size = theirs.block_size;
        let direct = if theirs.direct {
            label("compare-key-with-direct")
        } else {
            label("compare-key-no-direct")
        };
        let all: [(bool, Message); 13] = [
            (mine.access != theirs.access, label("compare-key-other-order")),
            (mine.mix != theirs.mix, curve_name(&theirs.access, theirs.mix, size).1),
            (mine.block_size != size, BlocksOf { size }.into()),
            (mine.sizes != theirs.sizes, label("compare-key-other-sizes")),
            (mine.depth != theirs.depth, AtDepth { depth: theirs.depth }.into()),
            (mine.pacing != theirs.pacing, label("compare-key-other-pacing")),
            (mine.caps != theirs.caps, label("compare-key-other-rate-cap")),
            (mine.think != theirs.think, label("compare-key-other-pauses")),
            (mine.sync != theirs.sync, label("compare-key-other-syncs")),
            (mine.durable != theirs.durable, label("compare-key-other-durability")),
            (mine.trim != theirs.trim, label("compare-key-other-trim")),
            (mine.direct != theirs.direct, direct),
            (self.beside != other.beside, label("compare-key-other-job-beside")),
        ];
        all.into_iter().filter(|(differs, _)| *differs).map(|(_, words)| words).collect()
    }

    pub(super) fn is_closed(&self) -> bool {
        self.job.pacing == Pacing::Closed && self.job.caps.is_none() && self.job.think.is_none()
    }
}

/// Without the depth: `random read 4k`, `commit 4k`.
pub(super) fn describe_workload(cell: &Cell) -> Message {
    let job = &cell.job;
    let size = job.block_size.to_compact();
    let plain: Message = match job.pacing {
        Pacing::Spaced { .. } => ReadAfterPause { size }.into(),
        _ if job.sync.is_some() => Commit { size }.into(),
        _ => curve_name(&job.access, job.mix, job.block_size).1,
    };
    match job.pacing {
        Pacing::Open { rate, .. } => WithArrivals { workload: plain, rate }.into(),
        _ => plain,
    }
}

/// `random read 4k, depth 64`.
pub(super) fn describe_cell(cell: &Cell, record: &Record) -> Message {
    let mut label = describe_workload(cell);
    let paced = matches!(cell.job.pacing, Pacing::Spaced { .. } | Pacing::Open { .. });
    if !paced && cell.job.sync.is_none() {
        label = WithDepth { workload: label, depth: cell.job.depth }.into();
    }
    if !cell.job.direct {
        label = WithoutDirect { cell: label }.into();
    }
    if let Some(other) = cell.beside.as_ref().and_then(|name| record.measured.cell(name)) {
        label = Beside { cell: label, other: describe_workload(other) }.into();
    }
    label
}

messages! {
    BlocksOf = "compare-key-blocks-of" { size: Bytes };
    AtDepth = "compare-key-at-depth" { depth: Depth };
    ReadAfterPause = "compare-key-read-after-pause" { size: String };
    Commit = "compare-key-commit" { size: String };
    WithArrivals = "compare-key-with-arrivals" { workload: Message, rate: Iops };
    WithDepth = "compare-key-with-depth" { workload: Message, depth: Depth };
    WithoutDirect = "compare-key-without-direct" { cell: Message };
    Beside = "compare-key-beside" { cell: Message, other: Message };
}
