//! The tiles of a replay.

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
    let times = || say("unit-times-load", language);
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
    let figures = vec![figure(carried, times())];
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
        let chip = if outcome.invalid { Chip::Invalid } else { Chip::from_marks(&marks) };
        let figures = there.into_iter().chain([here]).collect();
        let compared = Ratio(estimate.n as f64 / latency.here.n as f64);
        let is_part = estimate.n < latency.here.n;
        let note = is_part.then(|| TileReplayCompared { share: compared }.render(language));
        let notes = note.into_iter().collect();
        tiles.push(Tile { title, figures, chip, notes }.with_marks(&marks, language));
    }
    for limit in &outcome.limits {
        let title = TileReplayWithin { bound: limit.bound.to_string() }.render(language);
        let keeps = limit.keeps.map_or_else(|| "-".to_owned(), |keeps| format!("{keeps:.2}"));
        let chip = match limit {
            ReplayLimit { keeps: None, breaks: Some(_), .. } => Chip::Failed,
            ReplayLimit { confirmed: true, .. } => Chip::Ok,
            _ => Chip::Undecided,
        };
        let id = if limit.confirmed { "limit-confirmed" } else { "limit-not-confirmed" };
        let notes = vec![say(id, language)];
        tiles.push(Tile { title, figures: vec![figure(keeps, times())], chip, notes });
    }
    tiles
}
