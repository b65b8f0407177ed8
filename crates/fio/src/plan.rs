//! From options to what is run: instances, their files and regions, and the engine's jobs.
//!
//! Pure: what is on the file system comes in as [`FileState`], and nothing is opened here.

mod access;
mod files;
mod instance;
mod pace;
mod passes;
mod region;
pub(crate) mod section;
mod sizes;

pub use files::file_names;
pub(crate) use instance::plan_seed;
pub use instance::{InstancePlan, LatencyOrigin, plan_instance, plan_layout_payload};
pub use passes::{PassPlan, UNTIL_TIME};
pub use region::{FileState, Region, plan_region};
pub use section::{Instance, PlanError, Section, count_instances, expand_instances};
