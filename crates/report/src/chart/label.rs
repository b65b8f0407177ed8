//! Words inside a plot, placed where they cover nothing.

use super::series::Colour;
use super::svg::{Area, LINE, text_width};

/// Words at a point of a plot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Label {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) text: String,
    /// Of words that are drawn even where they cover points, the colour; others are left out there.
    pub(super) needed: Option<Colour>,
    /// Instead of the text, where that has no room.
    pub(super) short: String,
}

impl Label {
    pub(crate) fn new(x: f64, y: f64, text: impl Into<String>) -> Label {
        Label { x, y, text: text.into(), needed: None, short: String::new() }
    }

    pub(crate) fn needed(self, colour: Colour, short: impl Into<String>) -> Label {
        Label { needed: Some(colour), short: short.into(), ..self }
    }
}

/// Distance of words from their point.
const OFFSET: f64 = 9.0;
/// How much wider the needed words are, which are bold.
const BOLD: f64 = 1.12;
/// What a label may cover before it is left out: points of lines, sampled.
const COVERED_MAX: usize = 1;

/// Where labels and marks already are.
pub(super) struct Occupied {
    pub(super) bounds: Area,
    pub(super) areas: Vec<Area>,
    /// Marks and samples of lines, in pixels.
    pub(super) points: Vec<(f64, f64)>,
}

impl Occupied {
    /// The place for words at a point that covers the fewest points; `None` where all are taken.
    pub(super) fn place(&mut self, at: (f64, f64), text: &str, is_needed: bool) -> Option<Area> {
        let width = text_width(text) * if is_needed { BOLD } else { 1.0 };
        let candidates = candidate_areas(at, width);
        let free = candidates.into_iter().filter(|area| {
            self.bounds.encloses(area) && !self.areas.iter().any(|taken| taken.overlaps(area))
        });
        let covered = |area: &Area| self.points.iter().filter(|point| area.holds(**point)).count();
        let (cost, best) = free.map(|area| (covered(&area), area)).min_by_key(|(cost, _)| *cost)?;
        if !is_needed && cost > COVERED_MAX {
            return None;
        }
        self.areas.push(best);
        Some(best)
    }
}

/// Around a point, the usual places first: right and left, then further away.
fn candidate_areas((x, y): (f64, f64), width: f64) -> Vec<Area> {
    let area = |left: f64, middle: f64| Area {
        left,
        top: middle - LINE / 2.0,
        right: left + width,
        bottom: middle + LINE / 2.0,
    };
    let rows = [-1.0, 1.0, 0.0, -2.0, 2.0, -3.5, 3.5, -5.0, 5.0];
    let beside = |row: f64| {
        let middle = y + row * (LINE / 2.0 + OFFSET * 0.6);
        let centre = x - width / 2.0;
        let aside = [x + OFFSET, x - OFFSET - width];
        let all = if row == 0.0 { aside.to_vec() } else { [&aside[..], &[centre]].concat() };
        all.into_iter().map(move |left| area(left, middle))
    };
    rows.into_iter().flat_map(beside).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_never_overlap_and_stay_inside() {
        let bounds = Area { left: 0.0, top: 0.0, right: 300.0, bottom: 100.0 };
        let mut occupied = Occupied { bounds, areas: Vec::new(), points: vec![(290.0, 50.0)] };
        let placed: Vec<Area> = (0..30)
            .filter_map(|place| {
                let at = (f64::from(place) * 10.0, 50.0);
                occupied.place(at, "depth 64", place % 2 == 0)
            })
            .collect();
        assert!(placed.len() > 3, "{placed:?}");
        for (place, one) in placed.iter().enumerate() {
            assert!(bounds.encloses(one));
            assert!(!placed[place + 1..].iter().any(|other| other.overlaps(one)));
        }
    }
}
