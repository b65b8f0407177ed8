//! Why a figure has no interval.

use message::messages;

messages! {
    TooShort = "no-interval-short" { worth: u64, needed: u64 };
    FewMeasurements = "no-interval-few-measurements" { made: usize, needed: usize };
    FewRounds = "no-interval-few-rounds" { made: usize, needed: u64 };
    FewFigures = "no-interval-few-figures" { few: usize, more: usize };
}
