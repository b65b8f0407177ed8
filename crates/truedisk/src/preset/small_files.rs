//! A preset of small files: wire request, run and report together.

use std::io::Write as _;

use method::{MetadataRequest, Preset, metadata, metadata_longest, metadata_time};
use record::{MetadataPlan, Record};
use target::Roots;
use units::Nanos;

use super::{rough, wrong};
use crate::args::PresetArgs;
use crate::output::Answer;
use crate::{Outcome, output};

/// Measures operations on small files.
pub(super) fn run(args: &PresetArgs, preset: &Preset, asked: MetadataPlan) -> Outcome {
    let name = &preset.plan.name;
    if args.format.is_some() {
        let message = format!("the preset '{name}' has no familiar text");
        return Err(wrong(message, Some("leave --format out; --json has all of it")));
    }
    let plan = MetadataPlan {
        files: args.files.or(asked.files),
        threads: args.threads.unwrap_or(asked.threads),
        keep_caches: args.keep_caches || asked.keep_caches,
        ..asked
    };
    let usual = metadata_time(&plan);
    let budget = args.budget.map_or(usual, |budget| budget.min(usual));
    let words = announced(budget, args.budget.or_else(|| metadata_longest(&plan)));
    if !args.common.quiet {
        let path = args.common.path();
        writeln!(
            anstream::stderr().lock(),
            "truedisk: {name} on {}, with small files in a folder of its own, which it removes; \
             {words}",
            path.display(),
        )?;
    }
    output::run(
        &args.common,
        &super::inputs(args),
        budget,
        |ask, stop, watch| {
            let request = MetadataRequest { ask: ask.clone(), plan, budget: args.budget };
            metadata(&request, &Roots::host(), stop, watch)
        },
        answer,
    )
}

/// How long it takes, and at most.
fn announced(usual: Nanos, most: Option<Nanos>) -> String {
    match most {
        Some(most) if most <= usual => format!("at most {}", rough(most)),
        Some(most) => format!("about {} on an SSD, at most {}", rough(usual), rough(most)),
        None => format!("about {} on an SSD, until all are measured", rough(usual)),
    }
}

/// Whether anything was measured before the time was up.
fn answer(record: &Record) -> Answer {
    let measured = record.metadata.as_ref().is_some_and(|found| !found.phases.is_empty());
    if measured { Answer::Met } else { Answer::Missing }
}
