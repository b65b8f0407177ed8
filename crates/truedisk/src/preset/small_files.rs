//! A preset of small files.

use method::{
    MetadataRequest, Preset, metadata, metadata_longest, metadata_time, metadata_written_max,
    validate_metadata,
};
use record::{MetadataPlan, Record};
use target::Roots;
use units::{Bytes, Nanos};

use super::duration::format_rough;
use crate::args::PresetArgs;
use crate::exit::{Failure, Outcome};
use crate::output::{self, GoalStatus, Outputs, Run};
use crate::site::Site;

pub(super) fn run(
    args: &PresetArgs,
    preset: &Preset,
    asked: MetadataPlan,
    outputs: Outputs,
) -> Outcome {
    let name = &preset.plan.name;
    if args.format.is_some() {
        let message = format!("the preset '{name}' has no familiar text");
        return Err(Failure::wrong(message).hint("leave --format out; --json has all of it"));
    }
    let plan = MetadataPlan {
        files: args.files.or(asked.files),
        threads: args.threads.unwrap_or(asked.threads),
        keep_caches: !args.drop_caches,
        ..asked
    };
    let usual = metadata_time(&plan);
    let asked_time = args.budget.budget;
    let budget = asked_time.map_or(usual, |budget| budget.min(usual));
    let words = format_duration(budget, asked_time.or_else(|| metadata_longest(&plan)));
    let announcement = {
        let path = args.common.path();
        let most = args.common.extent.max_written.unwrap_or(Bytes(u64::MAX));
        let written = metadata_written_max(&plan).min(most);
        format!(
            "{name} writes small files, up to {written} in all, in a folder of its own in {}, \
             which it removes; {words}",
            path.display(),
        )
    };
    output::run_method(
        Run {
            common: &args.common,
            site: &Site::Local,
            outputs,
            budget,
            promise: None,
            text: None,
        },
        |ask, _, stop, watch| {
            let request = MetadataRequest { ask, plan, budget: asked_time };
            validate_metadata(&request)?;
            watch.on_announcement(&announcement);
            metadata(&request, &Roots::host(), stop, watch)
        },
        measured_goal,
    )
}

fn format_duration(usual: Nanos, max: Option<Nanos>) -> String {
    match max {
        Some(max) if max <= usual => format!("at most {}", format_rough(max)),
        Some(max) => {
            format!("about {} on an SSD, at most {}", format_rough(usual), format_rough(max))
        }
        None => format!("about {} on an SSD, until all are measured", format_rough(usual)),
    }
}

fn measured_goal(record: &Record) -> GoalStatus {
    let measured = record.measured.metadata.as_ref().is_some_and(|found| !found.phases.is_empty());
    if measured { GoalStatus::Met } else { GoalStatus::Unknown }
}
