//! Which cells count for a promise.

use record::{Cell, CellRole, Judgement, Measured, Promise, Promised, PromisedWhat};
use workload::{Access, Direction, Mix, Pacing};

use crate::support::{find_doubt, is_of_earlier_level, prefer_supported};

pub(super) struct ItemJudge<'a> {
    pub(super) measured: &'a Measured,
    pub(super) judgement: &'a Judgement,
    pub(super) promise: &'a Promise,
    pub(super) item: &'a Promised,
    pub(super) way: Direction,
}

impl<'a> ItemJudge<'a> {
    /// Those that could show what is promised.
    pub(super) fn matching_cells(&self) -> Vec<&'a Cell> {
        let random = self.item.what == PromisedWhat::Iops;
        let matches = |cell: &&Cell| match cell.job.access {
            Access::Random => true,
            // Sequential operations may be merged: they say nothing of operations.
            Access::Sequential => !random,
            _ => false,
        };
        cells_of_direction(self.measured, self.way).filter(matches).collect()
    }

    /// One random operation at a time.
    pub(super) fn cells_alone(&self) -> Vec<&'a Cell> {
        let is_alone = |cell: &&Cell| cell.job.depth.0 == 1 && cell.job.access == Access::Random;
        cells_of_direction(self.measured, self.way).filter(is_alone).collect()
    }

    pub(super) fn valid_cells(&self) -> impl Iterator<Item = &'a Cell> {
        let mut valid = self.matching_cells();
        valid.retain(|cell| !self.judgement.is_invalid(&cell.name));
        self.choose_supported(valid).into_iter()
    }

    pub(super) fn lone_cell(&self) -> Option<&'a Cell> {
        self.choose_supported(self.cells_alone()).first().copied()
    }

    /// Those of the newest level, where undisturbed ones are: where a burst is promised, what was
    /// seen of that counts too.
    fn choose_supported(&self, mut cells: Vec<&'a Cell>) -> Vec<&'a Cell> {
        let has_burst = self.item.burst.is_some();
        cells.retain(|cell| has_burst || !is_of_earlier_level(self.judgement, cell));
        prefer_supported(&cells, |cell| find_doubt(self.judgement, &cell.name).is_none())
    }
}

fn cells_of_direction(measured: &Measured, way: Direction) -> impl Iterator<Item = &Cell> {
    use CellRole::{Ladder, Main, Point, Probe};
    measured.cells.iter().filter(move |cell| {
        cell.job.mix == pure_mix(way)
            && matches!(cell.role, Main | Ladder | Probe | Point)
            && cell.job.sync.is_none()
            && cell.beside.is_none()
            && cell.error.is_none()
            && cell.job.pacing == Pacing::Closed
    })
}

pub(super) const fn pure_mix(way: Direction) -> Mix {
    match way {
        Direction::Write => Mix::Write,
        _ => Mix::Read,
    }
}

pub(super) fn bytes_in_flight(cell: &Cell) -> u64 {
    u64::from(cell.job.depth.0).saturating_mul(cell.job.block_size.0)
}
