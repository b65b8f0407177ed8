//! Where IOPS stop rising, or fall.

use super::evidence::{Evidence, LevelSummary};

/// A doubling that adds less than this adds nothing worth the latency (methodology 2.8 b).
const RISE_MIN: f64 = 0.03;
/// A fall must exceed this many standard errors: the level with the most IOPS is the luckiest too.
const FALL_ERRORS_MIN: f64 = 3.0;
/// A rise must exceed this many standard errors: two of them are seen by chance once in fifty.
const RISE_ERRORS_MIN: f64 = 2.0;
/// Levels with this share of the most IOPS are as good: less could not be told apart from noise.
const AS_GOOD_SHARE: f64 = 0.015;
/// The width of a bracket (ln) around the most IOPS that is narrow enough: a curve still rising
/// in proportion to a third of the depth loses 2 to 3 % over it.
const PEAK_WIDTH: f64 = 0.09;
/// One step of the ramp, when looking back over all levels (ln 1.8).
const STEP_MIN: f64 = 0.588;

/// Whether IOPS rose too little over two ramp steps in a row, up to the deepest level.
pub(crate) fn has_stopped_rising(levels: &[LevelSummary]) -> bool {
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

pub(crate) fn peak_level(levels: &[LevelSummary]) -> Option<&LevelSummary> {
    best_levels(levels).first().copied()
}

/// The levels with about the most IOPS, ascending: held against the mean of all that are close to
/// the most, because the most itself is partly luck.
fn best_levels(levels: &[LevelSummary]) -> Vec<&LevelSummary> {
    let top = levels.iter().map(|l| l.tried.iops).fold(0.0, f64::max);
    let close = || levels.iter().filter(|l| l.tried.iops >= top * (1.0 - RISE_MIN));
    let mean = close().map(|l| l.tried.iops).sum::<f64>() / close().count().max(1) as f64;
    close().filter(|l| l.tried.iops >= mean * (1.0 - AS_GOOD_SHARE)).collect()
}

pub(crate) fn is_falling(shallow: &LevelSummary, deep: &LevelSummary) -> bool {
    let noise = FALL_ERRORS_MIN * shallow.iops_error.hypot(deep.iops_error);
    deep.tried.iops < shallow.tried.iops * (1.0 - RISE_MIN.max(noise))
}

pub(crate) fn is_rising(known: &Evidence<'_>, shallow: &LevelSummary, deep: &LevelSummary) -> bool {
    let noise = RISE_ERRORS_MIN * known.iops_error(shallow, deep);
    deep.tried.iops > shallow.tried.iops * (1.0 + RISE_MIN.max(noise))
}

/// The shallowest level that `deep` does not clearly exceed.
pub(crate) fn find_as_good<'k>(
    known: &'k Evidence<'_>,
    deep: &LevelSummary,
) -> Option<&'k LevelSummary> {
    let mut shallower = known.levels.iter().filter(|level| level.x < deep.x);
    shallower.find(|level| !is_rising(known, level, deep))
}

/// The level to probe next when IOPS fall beyond the level with the most of them.
pub(crate) fn narrow_peak(known: &Evidence<'_>) -> Option<usize> {
    let levels = &known.levels;
    let best = best_levels(levels);
    let (first, last) = (*best.first()?, *best.last()?);
    if !levels.last().is_some_and(|deepest| is_falling(first, deepest)) {
        return None;
    }
    let before = levels.iter().rfind(|l| l.x < first.x);
    let after = levels.iter().find(|l| l.x > last.x);
    // Two equal levels may have the peak between them; three are a plateau.
    let neighbours = !levels.iter().any(|l| l.x > first.x && l.x < last.x);
    let inside = (best.len() == 2 && neighbours).then_some((first, last));
    [after.map(|l| (last, l)), inside, before.map(|l| (l, first))]
        .into_iter()
        .flatten()
        .filter(|(shallow, deep)| deep.x - shallow.x > 2.0 * PEAK_WIDTH)
        .max_by(|a, b| (a.1.x - a.0.x).total_cmp(&(b.1.x - b.0.x)))
        .and_then(|(shallow, deep)| known.grid.between(shallow.tried.level, deep.tried.level))
}
