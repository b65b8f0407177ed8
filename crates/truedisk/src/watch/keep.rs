//! A watch as a record: its page, and its place in the history.

use std::path::PathBuf;

use ::output::Destination;
use jiff::Timestamp;
use message::Message;
use method::{describe_host, make_run_id};
use record::reasons::Interrupted;
use record::{Completion, Measured, Plan, Purpose, Record, TargetInfo, Tool, WatchPlan, Watched};
use target::Roots;
use units::{Bytes, Nanos, Seed};

use crate::args::WatchArgs;
use crate::exit::Failure;
use crate::output;
use crate::terminal;

/// A watch that has ended.
pub(super) struct SeenWatch {
    pub(super) started: Timestamp,
    pub(super) completion: Completion,
    pub(super) watched: Watched,
}

/// Whether it came to its end: a failure, or a signal before the time that was asked for.
pub(super) fn describe_completion(is_cut_short: bool, failed: Option<&Failure>) -> Completion {
    match failed {
        Some(failure) => {
            Completion::Partial { reason: Message::from_text(&failure.message), failed: true }
        }
        None if is_cut_short => {
            Completion::Partial { reason: Interrupted {}.into(), failed: false }
        }
        None => Completion::Complete,
    }
}

/// Writes its page, and keeps it in the history, as far as is asked.
pub(super) fn keep_watch(
    args: &WatchArgs,
    record: &Record,
    html: Option<Destination>,
) -> Result<(), Failure> {
    // A watch that ended before its first reading saw nothing that could be kept.
    let watched = record.measured.watch.as_deref();
    let has_seen = watched.is_some_and(|seen| seen.length > Nanos::ZERO && !seen.disks.is_empty());
    if has_seen && !args.no_history {
        output::keep_records(std::slice::from_ref(record))?;
    }
    html.map_or(Ok(()), |file| write_page(record, file))
}

pub(super) fn build_record(
    args: &WatchArgs,
    seen: SeenWatch,
    roots: &Roots,
) -> Result<Record, Failure> {
    let SeenWatch { started, completion, watched } = seen;
    let plan = Plan {
        purpose: Purpose::Watch(WatchPlan { interval: args.interval }),
        budget: args.once.or(args.duration).unwrap_or(Nanos::ZERO),
        bounds: Vec::new(),
        read_only: true,
        span: Bytes(0),
        // A watch draws no random numbers.
        seed: Seed(0),
    };
    Ok(analysis::judge_record(Measured {
        id: make_run_id(started, output::seed_or_random(None)?),
        finished: Timestamp::now(),
        command: output::command_line(),
        completion,
        environment: describe_host(roots),
        targets: describe_targets(&args.paths, &watched, roots),
        watch: Some(Box::new(watched)),
        ..Measured::new(Tool::ours(env!("CARGO_PKG_VERSION")), started, plan)
    }))
}

/// What was named; without a name, each disk that did something, the one that matters most first.
fn describe_targets(paths: &[PathBuf], watched: &Watched, roots: &Roots) -> Vec<TargetInfo> {
    let of_disks = watched.disks.iter().enumerate();
    let of_disks = of_disks.filter(|(place, disk)| *place == 0 || disk.is_active());
    let of_disks = of_disks.map(|(_, disk)| PathBuf::from(format!("/dev/{}", disk.name)));
    let paths = if paths.is_empty() { of_disks.collect() } else { paths.to_vec() };
    // A disk that went away meanwhile cannot be described.
    let describe = |path: &PathBuf| target::describe_target(path.as_path(), roots).ok();
    paths.iter().filter_map(describe).collect()
}

fn write_page(record: &Record, file: Destination) -> Result<(), Failure> {
    let page = report::render_html(record, terminal::language())
        .map_err(|error| Failure::failed(format_args!("cannot make the page: {error}")))?;
    let path = output::write_output(file, page.as_bytes())?;
    if let Some(path) = path {
        terminal::eprint_line(terminal::tell(output::WrittenTo { path }))?;
    }
    Ok(())
}
