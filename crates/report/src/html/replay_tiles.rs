//! The tiles of a replay.

use analysis::{ReplayChange, compare_replay};
use message::{Language, Message, Render as _, messages};
use record::{Record, ReplayLimit, ReplayOutcome};
use units::{Nanos, Ratio};

use super::tiles::{Chip, Tile, TileFigure};
use crate::limit::direction_words;
use crate::words::say;

messages! {
    TileReplaySlowest = "tile-replay-slowest" { slowest: Nanos };
    TileReplayResponse = "tile-replay-response" { percentile: String, requests: Message };
    TileReplayCompared = "tile-replay-compared" { share: Ratio };
    TileReplayWithin = "tile-replay-within" { bound: String };
}

/// From this share of the requests on, those that are compared are as good as all.
const COMPARED_ALL: f64 = 0.995;

/// How much of the load is carried, the latencies there and here, and the answers of a search.
pub(super) fn build_replay_tiles(
    record: &Record,
    outcome: &ReplayOutcome,
    language: Language,
) -> Vec<Tile> {
    let figure = |value: String, unit: String| {
        let value = language.punctuate(&value);
        TileFigure { value, unit, interval: String::new() }
    };
    let chip = match outcome.keeps_up {
        _ if outcome.invalid => Chip::Invalid,
        Some(true) => Chip::Passed,
        Some(false) => Chip::Failed,
        None => Chip::Undecided,
    };
    let carried = match outcome.keeps_up {
        Some(true) => "1.00".to_owned(),
        Some(false) => format!("{:.2}", outcome.factor.unwrap_or(0.0)),
        None => "-".to_owned(),
    };
    let slowest = TileReplaySlowest { slowest: outcome.slowest }.render(language);
    let title = say("tile-replay-carries", language);
    let figures = vec![figure(carried, say("unit-times-load", language))];
    let mut tiles = vec![Tile { title, figures, chip, notes: vec![slowest] }];
    let cell = record.measured.cells.first().map_or("", |cell| cell.name.as_str());
    let marks = crate::words::cell_marks(record, cell);
    for latency in &outcome.latencies {
        let (percentile, requests) =
            (latency.percentile.clone(), direction_words(latency.direction));
        let title = TileReplayResponse { percentile, requests }.render(language);
        let there =
            latency.there.map(|there| figure(there.to_string(), say("unit-there", language)));
        let estimate = latency.comparable.as_ref().unwrap_or(&latency.here);
        let here = Nanos(estimate.value.max(0.0) as u64);
        let half = estimate.relative_half_width();
        let interval = half.map(|half| language.punctuate(&format!("±{}", Ratio(half))));
        let here = TileFigure {
            interval: interval.unwrap_or_default(),
            ..figure(here.to_string(), say("unit-here", language))
        };
        let change = compare_replay(latency, outcome);
        let usable = if outcome.invalid { Chip::Invalid } else { Chip::from_marks(&marks) };
        let chip = match change {
            Some(ReplayChange::Slower) => usable.max(Chip::Slower),
            Some(ReplayChange::WithinLateness) if usable != Chip::Invalid => Chip::Undecided,
            _ => usable,
        };
        let figures = there.into_iter().chain([here]).collect();
        let compared = Ratio(estimate.n as f64 / latency.here.n as f64);
        let is_part = compared.0 < COMPARED_ALL;
        let note = is_part.then(|| TileReplayCompared { share: compared }.render(language));
        let is_late = change == Some(ReplayChange::WithinLateness);
        let late = is_late.then(|| say("replay-within-lateness", language));
        let notes = note.into_iter().chain(late).collect();
        tiles.push(Tile { title, figures, chip, notes }.with_marks(&marks, language));
    }
    tiles.extend(outcome.limits.iter().map(|limit| build_limit_tile(limit, language)));
    tiles
}

fn build_limit_tile(limit: &ReplayLimit, language: Language) -> Tile {
    let title = TileReplayWithin { bound: limit.bound.to_string() }.render(language);
    let keeps = limit.keeps.map_or_else(|| "-".to_owned(), |keeps| format!("{keeps:.2}"));
    let chip = match limit {
        ReplayLimit { keeps: None, breaks: Some(_), .. } => Chip::Failed,
        ReplayLimit { confirmed: true, .. } => Chip::Ok,
        _ => Chip::Undecided,
    };
    let id = if limit.confirmed { "limit-confirmed" } else { "limit-not-confirmed" };
    let notes = vec![say(id, language)];
    let (value, unit) = (language.punctuate(&keeps), say("unit-times-load", language));
    let figures = vec![TileFigure { value, unit, interval: String::new() }];
    Tile { title, figures, chip, notes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::ReplayLatency;
    use stats::Estimate;
    use workload::Direction;

    /// The chip of a tile of p99, there and here, where the generator is 50 us late.
    fn chip_of(there_us: u64, [low, value, high]: [f64; 3], invalid: bool) -> (String, usize) {
        let estimate = Estimate {
            low: Some(low * 1e3),
            high: Some(high * 1e3),
            ..Estimate::without_interval(value * 1e3, 5_000, Message::from_text("by hand"))
        };
        let latency = ReplayLatency {
            direction: Direction::Read,
            percentile: "p99".to_owned(),
            there: Some(Nanos::micros(there_us)),
            here: estimate.clone(),
            comparable: Some(estimate),
        };
        let outcome = ReplayOutcome {
            keeps_up: Some(true),
            factor: None,
            slowest: Nanos::millis(50),
            latencies: vec![latency],
            lateness_p99: Nanos::micros(50),
            lateness_max: Nanos::micros(200),
            invalid,
            limits: Vec::new(),
        };
        let record = super::super::replay_charts::tests::searched();
        let tiles = build_replay_tiles(&record, &outcome, Language::English);
        (tiles[1].chip.words(Language::English), tiles[1].notes.len())
    }

    #[test]
    fn the_chip_of_a_latency_says_what_the_sentence_says() {
        let check = |there, here, expected: (&str, usize)| {
            assert_eq!(chip_of(there, here, false), (expected.0.to_owned(), expected.1));
        };
        check(900, [380.0, 400.0, 420.0], ("✓ ok", 0));
        check(900, [880.0, 950.0, 1_020.0], ("✓ ok", 0));
        check(900, [11_000.0, 12_000.0, 13_000.0], ("! slower than there", 0));
        // Within the lateness of a start and of a completion.
        check(100, [180.0, 190.0, 200.0], ("? cannot tell", 1));
        check(100, [210.0, 220.0, 230.0], ("! slower than there", 0));
        assert_eq!(chip_of(100, [180.0, 190.0, 200.0], true).0, "✗ invalid");
    }
}
