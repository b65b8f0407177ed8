//! What a plan says beside its figures.

use message::{Message, messages};
use units::Bytes;

messages! {
    HddVolume = "plan-hdd-volume" { base: String, burst: String, most: String };
    NoBurst = "plan-no-burst-bought" { limits: Message };
    CountingUnits = "counting-units" { unit: Bytes };
    CountingMerged = "counting-units-merged" { unit: Bytes };
    CountingWhole = "counting-units-whole" { unit: Bytes };
    CountingMergedWhole = "counting-units-merged-whole" { unit: Bytes };
}
