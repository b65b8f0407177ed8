//! Where IOPS stop rising, or fall.

use super::evidence::{Evidence, Level};

/// A doubling that adds less than this adds nothing worth the latency (methodology 2.8 b).
const RISE_MIN: f64 = 0.03;
/// A fall must exceed this many standard errors: the level with the most IOPS is the luckiest too.
const NOISE: f64 = 3.0;
/// A rise must exceed this many standard errors: two of them are seen by chance once in fifty.
const CLEARLY: f64 = 2.0;
/// Levels with this share of the most IOPS are as good: less could not be told apart from noise.
const AS_GOOD: f64 = 0.015;
/// The width of a bracket (ln) around the most IOPS that is narrow enough: a curve still rising
/// in proportion to a third of the depth loses 2 to 3 % over it.
const PEAK_WIDTH: f64 = 0.09;
/// What counts as one step of the ramp when looking back over all levels (ln 1.8).
const STEP_MIN: f64 = 0.588;

/// Whether IOPS rose too little over two ramp steps in a row, up to the deepest level.
pub(crate) fn stopped_rising(levels: &[Level]) -> bool {
    let Some(mut deep) = levels.last() else { return false };
    for _ in 0..2 {
        let Some(shallow) = levels.iter().rfind(|l| deep.x - l.x >= STEP_MIN) else {
            return false;
        };
        if deep.tried.iops > shallow.tried.iops * (1.0 + RISE_MIN) {
            return false;
        }
        deep = shallow;
    }
    true
}

/// The shallowest of the levels with about the most IOPS.
pub(crate) fn most(levels: &[Level]) -> Option<&Level> {
    best(levels).first().copied()
}

/// The levels with about the most IOPS, ascending.
///
/// They are held against the mean of all that are close to the most, because the most itself is
/// partly luck.
fn best(levels: &[Level]) -> Vec<&Level> {
    let top = levels.iter().map(|l| l.tried.iops).fold(0.0, f64::max);
    let close = || levels.iter().filter(|l| l.tried.iops >= top * (1.0 - RISE_MIN));
    let mean = close().map(|l| l.tried.iops).sum::<f64>() / close().count().max(1) as f64;
    close().filter(|l| l.tried.iops >= mean * (1.0 - AS_GOOD)).collect()
}

/// Whether `deep` has clearly fewer IOPS than `shallow`.
pub(crate) fn falls(shallow: &Level, deep: &Level) -> bool {
    let noise = NOISE * shallow.iops_error.hypot(deep.iops_error);
    deep.tried.iops < shallow.tried.iops * (1.0 - RISE_MIN.max(noise))
}

/// Whether `deep` has clearly more IOPS than `shallow`.
pub(crate) fn rises(known: &Evidence<'_>, shallow: &Level, deep: &Level) -> bool {
    let noise = CLEARLY * known.iops_error(shallow, deep);
    deep.tried.iops > shallow.tried.iops * (1.0 + RISE_MIN.max(noise))
}

/// The shallowest level that `deep` does not clearly exceed.
pub(crate) fn as_good_as<'k>(known: &'k Evidence<'_>, deep: &Level) -> Option<&'k Level> {
    let shallower = known.levels.iter().filter(|level| level.x < deep.x);
    shallower.into_iter().find(|level| !rises(known, level, deep))
}

/// The level to probe next when IOPS fall beyond the level with the most of them; `None` once
/// that one is narrowed down, or nothing falls.
pub(crate) fn narrow_peak(known: &Evidence<'_>) -> Option<usize> {
    let levels = &known.levels;
    let best = best(levels);
    let (first, last) = (*best.first()?, *best.last()?);
    if !levels.last().is_some_and(|deepest| falls(first, deepest)) {
        return None;
    }
    let before = levels.iter().rfind(|l| l.x < first.x);
    let after = levels.iter().find(|l| l.x > last.x);
    // Two equal levels may have the peak between them; three are a plateau, of which only the
    // edges are worth narrowing.
    let neighbours = !levels.iter().any(|l| l.x > first.x && l.x < last.x);
    let inside = (best.len() == 2 && neighbours).then_some((first, last));
    [after.map(|l| (last, l)), inside, before.map(|l| (l, first))]
        .into_iter()
        .flatten()
        .filter(|(shallow, deep)| deep.x - shallow.x > 2.0 * PEAK_WIDTH)
        .max_by(|a, b| (a.1.x - a.0.x).total_cmp(&(b.1.x - b.0.x)))
        .and_then(|(shallow, deep)| known.grid.between(shallow.tried.level, deep.tried.level))
}
