//! The whole comparison in a line or two.

use message::{Message, Names, label, messages};
use record::compare::{Basis, CellComparison, Comparison, Outcome, Pair, Side};
use units::Iops;

use super::effect::count_runs;

pub(super) fn write_headlines(comparison: &mut Comparison) {
    let headlines: Vec<Message> =
        comparison.pairs.iter().map(|pair| pair_headline(pair, comparison)).collect();
    for (pair, headline) in comparison.pairs.iter_mut().zip(headlines) {
        pair.headline = headline;
    }
}

fn pair_headline(pair: &Pair, comparison: &Comparison) -> Message {
    let b = comparison.sides.get(pair.b).map_or("B", |side| side.label.as_str());
    let all: Vec<&CellComparison> = pair.cells.iter().chain(&pair.limits).collect();
    let weak = |cell: &&CellComparison| {
        cell.main_figure().is_some_and(|main| main.effect.basis != Basis::BetweenRuns)
    };
    let mut sentences = match all.iter().all(weak) {
        _ if all.is_empty() => vec![describe_nothing_usable(pair)],
        true => describe_single_runs(&all, b),
        false => describe_many_runs(pair, &all, comparison, b),
    };
    for side in [pair.a, pair.b].iter().filter_map(|&place| comparison.sides.get(place)) {
        sentences.extend(describe_cap(side));
    }
    let join = |first, second| Sentences { first, second }.into();
    sentences.into_iter().reduce(join).unwrap_or_default()
}

fn describe_nothing_usable(pair: &Pair) -> Message {
    let reason = pair.excluded.first().map(|excluded| excluded.reason.clone());
    NothingUsable { reason: reason.unwrap_or_default() }.into()
}

fn describe_cap(side: &Side) -> Option<Message> {
    let iops = side.caps.first()?.iops;
    (iops.0 > 0.0).then(|| LooksCapped { side: side.label.clone(), iops }.into())
}

fn describe_single_runs(all: &[&CellComparison], b: &str) -> Vec<Message> {
    let speed_ratio = |cell: &&CellComparison| {
        let main = cell.main_figure()?;
        let ratio = main.effect.ratio.value;
        Some(if main.figure.more_is_better() { ratio } else { 1.0 / ratio })
    };
    let ratios: Vec<f64> = all.iter().filter_map(speed_ratio).collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    // Many times as much is easier to read than a small part.
    let (more, less, least, most) = match most < 1.0 {
        true => ("A", b, 1.0 / most, 1.0 / least),
        false => (b, "A", least, most),
    };
    let (more, less) = (more.to_owned(), less.to_owned());
    let given = match ratios.len() {
        1 => GivesTimes { more, less, factor: least }.into(),
        cells => GivesTimesOverCells { more, less, least, most, cells }.into(),
    };
    vec![given, label("compare-headline-no-interval-between-runs")]
}

fn describe_many_runs(
    pair: &Pair,
    all: &[&CellComparison],
    comparison: &Comparison,
    b: &str,
) -> Vec<Message> {
    let mut sentences = Vec::new();
    let count = |wanted: &dyn Fn(&CellComparison) -> bool| all.iter().filter(|c| wanted(c)).count();
    let is = |cell: &CellComparison, outcome: Outcome| {
        cell.main_figure().is_some_and(|main| main.effect.outcome == outcome)
    };
    let sure = |cell: &CellComparison, outcome| is(cell, outcome) && cell.holds_in_family;
    let faster = count(&|cell| sure(cell, Outcome::Faster));
    let slower = count(&|cell| sure(cell, Outcome::Slower));
    let same = count(&|cell| is(cell, Outcome::Same));
    let open = count(&|cell| is(cell, Outcome::CannotTell));
    let alone = all.len() - faster - slower - same - open;
    let runs = all.iter().filter_map(|cell| cell.main_figure()).map(|main| main.effect.runs).max();
    let runs = count_runs(runs.unwrap_or((0, 0)));
    if let Some(overall) = &pair.overall {
        let verdict = overall.words.clone();
        sentences.push(match overall.outcome {
            Outcome::CannotTell => AllCellsUndecided { verdict }.into(),
            _ => AllCells { verdict, runs }.into(),
        });
        if faster > 0 && slower > 0 {
            sentences.push(label("compare-headline-depends-on-workload"));
        }
    } else if let [only] = all {
        let verdict = only.main_figure().map(|main| main.effect.words.clone()).unwrap_or_default();
        return vec![OneCell { cell: only.label.clone(), verdict, runs }.into()];
    }
    let outcomes: [(usize, Message); 5] = [
        (faster, FasterIn { cells: faster }.into()),
        (slower, SlowerIn { cells: slower }.into()),
        (same, SameIn { cells: same }.into()),
        (alone, DifferentAloneIn { cells: alone }.into()),
        (open, UndecidedIn { cells: open }.into()),
    ];
    let outcomes = outcomes.into_iter().filter(|(cells, _)| *cells > 0);
    let outcomes = Names(outcomes.map(|(_, words)| words).collect());
    let family = comparison.comparisons;
    let side = b.to_owned();
    sentences.push(Outcomes { comparisons: all.len(), side, outcomes, family }.into());
    let least = all
        .iter()
        .filter_map(|cell| cell.main_figure())
        .map(|m| m.effect.runs.0.min(m.effect.runs.1));
    let runs = comparison.family_runs_needed;
    if least.max().unwrap_or(0) < runs && family > 1 {
        sentences.push(FamilyNeedsRuns { comparisons: family, runs }.into());
    }
    sentences
}

messages! {
    Sentences = "compare-headline-sentences" { first: Message, second: Message };
    NothingUsable = "compare-headline-nothing-usable" { reason: Message };
    LooksCapped = "compare-headline-looks-capped" { side: String, iops: Iops };
    GivesTimes = "compare-headline-gives-times" { more: String, less: String, factor: f64 };
    GivesTimesOverCells = "compare-headline-gives-times-over-cells" {
        more: String, less: String, least: f64, most: f64, cells: usize,
    };
    AllCells = "compare-headline-all-cells" { verdict: Message, runs: Message };
    AllCellsUndecided = "compare-headline-all-cells-undecided" { verdict: Message };
    OneCell = "compare-headline-one-cell" { cell: Message, verdict: Message, runs: Message };
    Outcomes = "compare-headline-outcomes" {
        comparisons: usize, side: String, outcomes: Names, family: u64,
    };
    FasterIn = "compare-headline-faster-in" { cells: usize };
    SlowerIn = "compare-headline-slower-in" { cells: usize };
    SameIn = "compare-headline-same-in" { cells: usize };
    DifferentAloneIn = "compare-headline-different-alone-in" { cells: usize };
    UndecidedIn = "compare-headline-undecided-in" { cells: usize };
    FamilyNeedsRuns = "compare-headline-family-needs-runs" { comparisons: u64, runs: u64 };
}
