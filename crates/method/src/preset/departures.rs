//! In what a run departs from its preset.

use message::{Names, messages};
use units::{Bytes, Nanos, Ratio};

messages! {
    WithoutWrites = "preset-without-writes" { steps: Names };
    ShorterTimes = "preset-shorter-times" { share: Ratio, budget: Nanos };
    OtherSize = "preset-other-size" { size: Bytes, wanted: Bytes };
    NoWholeSector = "preset-no-whole-sector" { step: String, size: Bytes, sector: Bytes };
    NoFreshFile = "preset-no-fresh-file" { step: String };
    StepAgain = "preset-step-again" { step: String };
    TooSmallForSurface = "preset-too-small-for-surface" { places: u64 };
}
