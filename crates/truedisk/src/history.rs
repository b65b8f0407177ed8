//! `truedisk history`: the history, the analysis and the report wired together.

mod exchange;
mod runs;
mod trend;
pub(crate) mod words;

pub(crate) use words::KeptRun;

use std::path::Path;

use ::output::{Destination, Destinations, make_folder};
use history::{Filter, History, HistoryLocation};
use record::{Record, RunSummary};
use serde_json::{Value, json};
use units::ErrorKind;

use crate::args::{HistoryCommand, JsonArg, ListArgs, PruneArgs, ShowArgs};
use crate::exit::{Exit, Failure, Outcome};
use crate::output::{Outputs, guarded_destinations, open_json, write_json};
use crate::site::history_location;
use crate::terminal::{self, tell};
use runs::{load_judged, run_filter};
use words::{
    Deleted, DeletedOf, DeletedTagged, NewestRuns, NoRuns, NoneFits, Pruned, Removed, TagMoved,
    Tagged, Untagged,
};

pub(crate) fn run(command: &HistoryCommand) -> Outcome {
    match command {
        HistoryCommand::List(args) => list_runs(args),
        HistoryCommand::Show(args) => show_run(args),
        HistoryCommand::Tag { run, name, json } => tag_run(run, name, json),
        HistoryCommand::Untag { name, json } => untag_run(name, json),
        HistoryCommand::Diff { a, b, json } => diff_runs(a, b, json),
        HistoryCommand::Delete { runs, json } => delete_runs(runs, json),
        HistoryCommand::Prune(args) => prune_runs(args),
        HistoryCommand::Export(args) => exchange::export_runs(args),
        HistoryCommand::Import(args) => exchange::import_files(args),
        HistoryCommand::Trend(args) => trend::show_trend(args),
    }
}

fn list_runs(args: &ListArgs) -> Outcome {
    let json = open_json(&args.json)?;
    let mut history = History::open_read_only(&history_location()?)?;
    let filter = run_filter(&args.filter.other, args.filter.target.as_deref(), args.count);
    let runs = history.list_runs(&filter)?;
    if let Some(file) = json {
        return write_json(file, &runs);
    }
    if !runs.is_empty() {
        terminal::print(&report::render_runs(&runs, terminal::style()))?;
    }
    let known = history.count_runs()?;
    match runs.len() {
        0 if known == 0 => {
            let location = history.location().to_string();
            terminal::eprint_line(tell(NoRuns { location }))?;
        }
        0 => terminal::eprint_line(tell(NoneFits { known }))?,
        shown if Some(shown) == filter.newest && known > shown as u64 => {
            terminal::eprint_line(tell(NewestRuns { shown }))?;
        }
        _ => {}
    }
    Ok(Exit::Done)
}

fn show_run(args: &ShowArgs) -> Outcome {
    let mut all = guarded_destinations::<&Path>([]);
    let outputs = Outputs::open(&mut all, &args.result)?.with_tables(&mut all, &args.tables)?;
    let to_stdout = outputs.uses_stdout();
    let mut history = History::open_read_only(&history_location()?)?;
    let record = load_judged(&mut history, &args.run)?;
    // All is opened before anything is written.
    let pictures = match &args.svg {
        Some(folder) => open_pictures(&mut all, folder, &record)?,
        None => Vec::new(),
    };
    outputs.write(&record)?;
    for (file, picture) in pictures {
        file.save(picture.as_bytes())?;
    }
    if !to_stdout {
        terminal::print(&terminal::render_record(&record))?;
    }
    Ok(Exit::Done)
}

/// The user named the folder and not its files: none of them is replaced.
fn open_pictures(
    all: &mut Destinations,
    folder: &Path,
    record: &Record,
) -> Result<Vec<(Destination, String)>, Failure> {
    let refuse = |words: String, hint: &str| {
        Err(Failure::new(ErrorKind::WrongRequest, words, Some(hint.to_owned())))
    };
    let pictures = report::render_svg_files(record, terminal::language());
    if pictures.is_empty() {
        return refuse(format!("{} has no pictures", record.measured.id), "--html writes its page");
    }
    if ::output::is_dash(folder) {
        return refuse(
            "SVG pictures need a folder".to_owned(),
            "--svg FOLDER; --svg ./- for that name",
        );
    }
    make_folder(folder).map_err(|error| {
        Failure::wrong(error).hint("name a folder in one that exists and may be written")
    })?;
    let mut opened = Vec::new();
    for (name, picture) in pictures {
        let path = folder.join(name);
        if path.symlink_metadata().is_ok() {
            let words = format!("cannot write {}: it exists", path.display());
            return refuse(words, "name a folder without pictures: none is replaced");
        }
        opened.push((all.open(&path)?, picture));
    }
    Ok(opened)
}

fn tag_run(run: &str, name: &str, json: &JsonArg) -> Outcome {
    let json = open_json(json)?;
    let mut history = History::open(&history_location()?)?;
    let id = history.find_run(run)?;
    let before = history.tag_run(&id, name)?;
    if let Some(file) = json {
        return write_json(file, &json!({"tag": name, "run": id, "moved_from": before}));
    }
    let (name, run) = (name.to_owned(), id);
    let words = match before {
        Some(before) => tell(TagMoved { name, run, before: before.to_string() }),
        None => tell(Tagged { name, run }),
    };
    terminal::print_line(words)?;
    Ok(Exit::Done)
}

fn untag_run(name: &str, json: &JsonArg) -> Outcome {
    let json = open_json(json)?;
    let mut history = History::open(&history_location()?)?;
    let run = history.remove_tag(name)?;
    if let Some(file) = json {
        return write_json(file, &json!({"tag": name, "run": run}));
    }
    terminal::print_line(tell(Untagged { run: run.to_string(), name: name.to_owned() }))?;
    Ok(Exit::Done)
}

fn diff_runs(a: &str, b: &str, json: &JsonArg) -> Outcome {
    let json = open_json(json)?;
    let mut history = History::open_read_only(&history_location()?)?;
    let (a, b) = (load_judged(&mut history, a)?, load_judged(&mut history, b)?);
    if let Some(file) = json {
        return write_json(file, &report::diff_json(&a, &b));
    }
    terminal::print(&report::render_diff(&a, &b, terminal::style()))?;
    Ok(Exit::Done)
}

fn delete_runs(names: &[String], json: &JsonArg) -> Outcome {
    let json = open_json(json)?;
    let mut history = History::open(&history_location()?)?;
    // All of them must be meant clearly before the first one goes.
    let mut ids = Vec::new();
    for name in names {
        let id = history.find_run(name)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let known: Vec<RunSummary> = history.list_runs(&Filter::default())?;
    let mut deleted = Vec::new();
    for id in &ids {
        let run = known.iter().find(|run| run.id == *id);
        deleted.push(delete_run(&mut history, id, run, json.is_none())?);
    }
    match json {
        Some(file) => write_json(file, &json!({"deleted": deleted})),
        None => Ok(Exit::Done),
    }
}

/// Returns what was deleted, as JSON.
fn delete_run(
    history: &mut History,
    id: &str,
    run: Option<&RunSummary>,
    is_shown: bool,
) -> Result<Value, Failure> {
    let files = history.delete_run(id)?;
    let deleted = json!({"run": id, "files": files});
    if !is_shown {
        return Ok(deleted);
    }
    let id = id.to_owned();
    let words = match run.cloned() {
        None => tell(Deleted { run: id }),
        Some(RunSummary { command, target, tags, .. }) if tags.is_empty() => {
            tell(DeletedOf { run: id, command, target })
        }
        Some(RunSummary { command, target, tags, .. }) => {
            tell(DeletedTagged { run: id, command, target, tags: tags.join(" ") })
        }
    };
    terminal::print_line(words)?;
    for file in files {
        terminal::print_line(tell(Removed { file: file.to_string() }))?;
    }
    Ok(deleted)
}

/// Old runs go; a tag protects its run. A team's history has the runs of others: of a server only
/// those of a named host go.
fn prune_runs(args: &PruneArgs) -> Outcome {
    let json = open_json(&args.json)?;
    let location = history_location()?;
    if matches!(location, HistoryLocation::Server(_)) && args.host.is_none() {
        let words = "this history may hold the runs of others: nothing was removed";
        let hint = "--host HOST removes those of that host";
        return Err(Failure::new(ErrorKind::Refused, words, Some(hint.to_owned())));
    }
    let mut history = History::open(&location)?;
    let filter = Filter { host: args.host.clone(), ..Filter::default() };
    let runs = history.list_runs(&filter)?;
    let (tagged, untagged): (Vec<_>, Vec<_>) =
        runs.into_iter().partition(|run| !run.tags.is_empty());
    let count = untagged.len();
    // Watches come often: they must not push out what was measured.
    let (watches, measured): (Vec<_>, Vec<_>) =
        untagged.into_iter().partition(|run| run.command == "watch");
    let keep = args.keep.map_or(0, |keep| usize::try_from(keep).unwrap_or(usize::MAX));
    let is_old = |run: &&RunSummary| args.older_than.is_none_or(|then| run.started < then);
    let beyond = [&measured, &watches].into_iter().flat_map(|runs| runs.iter().skip(keep));
    let old: Vec<&RunSummary> = beyond.filter(is_old).collect();
    let mut removed = Vec::new();
    for run in &old {
        removed.push(delete_run(&mut history, &run.id, Some(run), json.is_none())?);
    }
    let (deleted, tagged) = (old.len(), tagged.len());
    let left = count - deleted;
    if let Some(file) = json {
        return write_json(file, &json!({"deleted": removed, "left": left, "tagged": tagged}));
    }
    terminal::eprint_line(tell(Pruned { deleted, left, tagged }))?;
    Ok(Exit::Done)
}
