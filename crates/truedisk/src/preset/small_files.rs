//! A preset of small files.

use message::{Message, messages};
use method::{
    MetadataRequest, Preset, metadata, metadata_longest, metadata_time, metadata_written_max,
    validate_metadata,
};
use record::MetadataPlan;
use target::Roots;
use units::{Bytes, Nanos};

use super::duration::format_rough;
use crate::args::PresetArgs;
use crate::exit::{Failure, Outcome};
use crate::output::{self, Outputs, Run};
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
    let words = describe_duration(budget, asked_time.or_else(|| metadata_longest(&plan)));
    let announcement: Message = {
        let path = args.common.path();
        let most = args.common.extent.max_written.unwrap_or(Bytes(u64::MAX));
        let written = metadata_written_max(&plan).min(most);
        let path = path.display().to_string();
        let preset = name.to_owned();
        SmallFilesWritten { preset, written, path, time: words }.into()
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
            let plan = plan.clone();
            let request = MetadataRequest { ask, plan, budget: asked_time };
            validate_metadata(&request)?;
            watch.on_announcement(&announcement);
            metadata(&request, &Roots::host(), stop, watch)
        },
    )
}

fn describe_duration(usual: Nanos, max: Option<Nanos>) -> Message {
    let usual_words = format_rough(usual);
    match max {
        Some(max) if max <= usual => AtMost { max: format_rough(max) }.into(),
        Some(max) => AboutAndAtMost { usual: usual_words, max: format_rough(max) }.into(),
        None => About { usual: usual_words }.into(),
    }
}

messages! {
    SmallFilesWritten = "announce-small-files" {
        preset: String, written: Bytes, path: String, time: Message,
    };
    AtMost = "duration-at-most" { max: String };
    About = "duration-about" { usual: String };
    AboutAndAtMost = "duration-about-and-at-most" { usual: String, max: String };
}
