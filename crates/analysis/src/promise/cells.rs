//! Which cells count for a promise.

use record::{Cell, CellRole, Measured, PromisedWhat};
use workload::{Access, Direction, Mix, Pacing};

use super::ItemJudge;
use crate::support::{find_doubt, is_of_earlier_level, prefer_supported};

impl<'a> ItemJudge<'a> {
    pub(super) fn valid_cells(&self) -> impl Iterator<Item = &'a Cell> {
        let valid = self.matching_cells().filter(|cell| !self.judgement.is_invalid(&cell.name));
        self.prefer_undisturbed(valid)
    }

    /// Of the newest level; where a burst is promised, what was seen of that counts too.
    fn prefer_undisturbed(
        &self,
        cells: impl Iterator<Item = &'a Cell>,
    ) -> impl Iterator<Item = &'a Cell> {
        let is_of_level =
            |cell: &&Cell| self.item.burst.is_some() || !is_of_earlier_level(self.judgement, cell);
        let undisturbed = |cell: &&Cell| find_doubt(self.judgement, &cell.name).is_none();
        prefer_supported(&Vec::from_iter(cells.filter(is_of_level)), undisturbed).into_iter()
    }

    pub(super) fn matching_cells(&self) -> impl Iterator<Item = &'a Cell> {
        let random = self.item.what == PromisedWhat::Iops;
        cells_of_direction(self.measured, self.way).filter(move |cell| match cell.job.access {
            Access::Random => true,
            // Sequential operations may be merged: they say nothing of operations.
            Access::Sequential => !random,
            _ => false,
        })
    }

    pub(super) fn lone_cell(&self) -> Option<&'a Cell> {
        let alone = cells_of_direction(self.measured, self.way)
            .filter(|cell| cell.job.depth.0 == 1 && cell.job.access == Access::Random);
        self.prefer_undisturbed(alone).next()
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
