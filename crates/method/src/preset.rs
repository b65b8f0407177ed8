//! Presets: the tests of tools that people know, and of applications, as data.
//!
//! A preset is a TOML file of steps and thresholds: `docs/presets.md` has its keys. To add one,
//! write `crates/method/presets/NAME.toml` and add a line to `catalogue`. A new kind of step is a
//! variant of [`record::StepWork`], read in `validate` and run in `run`. For a text in another
//! tool's format see `report::preset`.
//!
//! - Nothing of a preset is ignored: a key that is not known is an error with its line.
//! - Every departure of a run from its preset stands in the record, and is shown.

mod catalogue;
mod crystaldiskmark;
mod departures;
mod plan;
mod run;
mod schema;
#[cfg(test)]
mod tests;
mod validate;
mod values;

pub use catalogue::{PresetError, built_in_groups, built_in_names};
pub use plan::{Preset, PresetRequest};
pub use run::preset;
#[cfg(any(test, feature = "simulated"))]
pub(crate) use run::{build_plan, measure_preset};
