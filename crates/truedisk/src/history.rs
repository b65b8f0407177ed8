//! `truedisk history`: wire the history, the analysis and the report together.

mod exchange;
mod trend;

use std::path::Path;

use history::{Filter, History, HistoryError, HistoryLocation};
use record::{Record, RunSummary};

use crate::args::{FilterArgs, HistoryCommand, ListArgs, ShowArgs};
use crate::output::{Outputs, guarded_destinations, write_json_output, write_output};
use crate::{Failure, Outcome, terminal};

/// The request was wrong, or the history cannot be used.
const WRONG: u8 = 2;
/// Refused to protect data.
const PROTECTED: u8 = 4;
/// The result could not be written.
const FAILED: u8 = 1;

impl From<HistoryError> for Failure {
    fn from(error: HistoryError) -> Self {
        let status = match &error {
            // A closed pipe is no failure: whoever read has seen enough.
            HistoryError::Export { words } if words.contains("Broken pipe") => {
                return Self::new(String::new(), None, 0);
            }
            HistoryError::Export { .. } => FAILED,
            HistoryError::NotOurs { .. } => PROTECTED,
            _ => WRONG,
        };
        Self::new(error.to_string(), error.hint(), status)
    }
}

/// Where the history lies, by the environment.
pub(crate) fn history_location() -> Result<HistoryLocation, HistoryError> {
    HistoryLocation::from_env(|name| std::env::var(name).ok())
}

/// Does what was asked of the history.
pub(crate) fn run(command: &HistoryCommand) -> Outcome {
    match command {
        HistoryCommand::List(args) => list_runs(args),
        HistoryCommand::Show(args) => show_run(args),
        HistoryCommand::Tag { run, name } => tag_run(run, name),
        HistoryCommand::Untag { name } => untag_run(name),
        HistoryCommand::Diff { a, b } => diff_runs(a, b),
        HistoryCommand::Delete { runs } => delete_runs(runs),
        HistoryCommand::Export(args) => exchange::export_runs(args),
        HistoryCommand::Import(args) => exchange::import_files(args),
        HistoryCommand::Trend(args) => trend::show_trend(args),
    }
}

/// What the arguments mean; a path is looked for as it is stored: whole.
fn run_filter(args: &FilterArgs, target: Option<&str>, count: usize) -> Filter {
    Filter {
        target: target.map(canonical_target),
        host: args.host.clone(),
        tag: args.tag.clone(),
        since: args.since,
        command: args.command.clone(),
        newest: (count > 0).then_some(count),
    }
}

/// A path that is there in its whole length; else the word as it is, which may be a device, or a
/// path of another host.
fn canonical_target(target: &str) -> String {
    std::fs::canonicalize(target)
        .map_or_else(|_| target.to_owned(), |path| path.to_string_lossy().into_owned())
}

fn list_runs(args: &ListArgs) -> Outcome {
    let mut history = History::open_read_only(&history_location()?)?;
    let filter = run_filter(&args.filter, args.target.as_deref(), args.count);
    let runs = history.list_runs(&filter)?;
    if args.json {
        let json = serde_json::to_string_pretty(&runs);
        let json = json.map_err(|error| Failure::new(error.to_string(), None, FAILED))?;
        terminal::print_json(&(json + "\n"))?;
        return Ok(0);
    }
    if !runs.is_empty() {
        terminal::print(&report::render_runs(&runs))?;
    }
    let known = history.count_runs()?;
    match runs.len() {
        0 if known == 0 => terminal::eprint_line(format!("no runs yet in {}", history.location()))?,
        0 => terminal::eprint_line(format!("none of {known} runs fits"))?,
        shown if Some(shown) == filter.newest && known > shown as u64 => {
            terminal::eprint_line(format!("the newest {shown}; -n 0 shows all"))?;
        }
        _ => {}
    }
    Ok(0)
}

/// The run that is meant, judged as of today.
fn load_judged(history: &mut History, name: &str) -> Result<Record, Failure> {
    let id = history.find_run(name)?;
    let mut record = history.load_record(&id)?;
    record.judgement = Some(analysis::judge(&record.measured));
    Ok(record)
}

fn show_run(args: &ShowArgs) -> Outcome {
    let mut all = guarded_destinations::<&Path>([]);
    let outputs = Outputs::open(&mut all, args.json.as_deref(), args.html.as_deref())?;
    let to_stdout = outputs.uses_stdout();
    let mut history = History::open_read_only(&history_location()?)?;
    let record = load_judged(&mut history, &args.run)?;
    if let Some(file) = outputs.html {
        let page = report::render_html(&record)
            .map_err(|error| Failure::new(error.to_string(), None, FAILED))?;
        write_output(file, page.as_bytes())?;
    }
    if let Some(file) = outputs.json {
        let json = record::store::to_json(&record)
            .map_err(|error| Failure::new(error.to_string(), None, FAILED))?;
        write_json_output(file, &json)?;
    }
    if to_stdout {
        return Ok(0);
    }
    terminal::print(&report::render_terminal(&record, terminal::style()))?;
    Ok(0)
}

fn tag_run(run: &str, name: &str) -> Outcome {
    let mut history = History::open(&history_location()?)?;
    let id = history.find_run(run)?;
    let before = history.tag_run(&id, name)?;
    let moved = before.map_or_else(String::new, |before| format!(", and no longer {before}"));
    terminal::print_line(format_args!("{name} is {id}{moved}"))?;
    Ok(0)
}

fn untag_run(name: &str) -> Outcome {
    let mut history = History::open(&history_location()?)?;
    let run = history.remove_tag(name)?;
    terminal::print_line(format_args!("{run} is no longer {name}"))?;
    Ok(0)
}

fn diff_runs(a: &str, b: &str) -> Outcome {
    let mut history = History::open_read_only(&history_location()?)?;
    let (a, b) = (load_judged(&mut history, a)?, load_judged(&mut history, b)?);
    terminal::print(&report::render_diff(&a, &b))?;
    Ok(0)
}

fn delete_runs(names: &[String]) -> Outcome {
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
    for id in &ids {
        let files = history.delete_run(id)?;
        let run = known.iter().find(|run| run.id == *id);
        let words = run.map_or_else(String::new, |run| {
            let tags = if run.tags.is_empty() {
                String::new()
            } else {
                format!(", tagged {}", run.tags.join(" "))
            };
            format!(" ({} of {}{tags})", run.command, run.target)
        });
        terminal::print_line(format_args!("deleted {id}{words}"))?;
        for file in files {
            terminal::print_line(format_args!("removed {file}"))?;
        }
    }
    Ok(0)
}
