//! Which cells are of the same job.

use record::{Cell, CellRole, Record};
use units::{Bytes, Depth};
use workload::{
    Access, BlockSizes, Caps, DurableWrites, Mix, Pacing, SyncPolicy, ThinkTime, TrimKind,
};

use crate::curve_name;

/// Everything in which jobs must agree to be compared; payload and kernel interface are listed as
/// differences.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JobKey {
    access: Access,
    mix: Mix,
    block_size: Bytes,
    sizes: BlockSizes,
    depth: Depth,
    pacing: Pacing,
    caps: Caps,
    think: Option<ThinkTime>,
    sync: Option<SyncPolicy>,
    durable: Option<DurableWrites>,
    trim: TrimKind,
    direct: bool,
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
        counts.then(|| Self {
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
            beside,
        })
    }

    /// What differs, in words of the other: `depth 32`, `no O_DIRECT`.
    pub(super) fn list_differences(&self, other: &Self) -> Vec<String> {
        let mut all = Vec::new();
        let mut say = |differs: bool, words: String| {
            if differs {
                all.push(words);
            }
        };
        say(self.access != other.access, "another order of the blocks".to_owned());
        say(self.mix != other.mix, curve_name(&other.access, other.mix, other.block_size).1);
        say(
            self.block_size != other.block_size,
            format!("blocks of {}", other.block_size.to_compact()),
        );
        say(self.sizes != other.sizes, "other sizes of operations".to_owned());
        say(self.depth != other.depth, format!("depth {}", other.depth));
        say(self.pacing != other.pacing, "another pacing".to_owned());
        say(self.caps != other.caps, "another rate cap".to_owned());
        say(self.think != other.think, "other pauses".to_owned());
        say(self.sync != other.sync, "other syncs".to_owned());
        say(self.durable != other.durable, "another durability of writes".to_owned());
        say(self.trim != other.trim, "another kind of trim".to_owned());
        let direct = if other.direct { "O_DIRECT" } else { "no O_DIRECT" };
        say(self.direct != other.direct, direct.to_owned());
        say(self.beside != other.beside, "another job beside it".to_owned());
        all
    }

    pub(super) fn is_closed(&self) -> bool {
        self.pacing == Pacing::Closed && self.caps.is_none() && self.think.is_none()
    }

    pub(super) const fn depth(&self) -> u32 {
        self.depth.0
    }
}

/// Without the depth: `random read 4k`, `commit 4k`.
pub(super) fn describe_workload(cell: &Cell) -> String {
    let job = &cell.job;
    let size = job.block_size.to_compact();
    let plain = match job.pacing {
        Pacing::Spaced { .. } => format!("read {size} after a pause"),
        _ if job.sync.is_some() => format!("commit {size}"),
        _ => curve_name(&job.access, job.mix, job.block_size).1,
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
