//! What every command that measures does with its record: keep it, tell it, give a status.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

use ::output::{Destination, Destinations, make_private_folder, save_private};
use engine::StopSignal;
use history::{History, HistoryError};
use method::{MeasureRequest, MethodError, Observer};
use record::{CommandLine, Completion, Record, Status};
use target::Roots;
use units::{Nanos, Seed, escape_json};

use crate::args::{Common, FailOn};
use crate::progress::TerminalProgress;
use crate::{Failure, Outcome, signals, terminal};

/// Exit statuses of a run that was measured.
const FAILED: u8 = 1;
const NOT_MET: u8 = 3;
const INTERRUPTED: u8 = 130;

/// What a record says to what was asked of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GoalStatus {
    /// It does what was asked.
    Met,
    /// It does not.
    NotMet,
    /// It is not known: the run ended before.
    Unknown,
}

/// Runs a method with progress and signals, keeps its record, tells it, and gives the status;
/// `answer` says whether what was asked of the target was found.
pub(crate) fn run_method(
    common: &Common,
    outputs: Outputs,
    budget: Nanos,
    method: impl FnOnce(&MeasureRequest, &StopSignal, &mut dyn Observer) -> Result<Record, MethodError>,
    answer: impl FnOnce(&Record) -> GoalStatus,
) -> Outcome {
    run_method_with_text(common, outputs, budget, method, answer, &ReportText(&|_| None))
}

/// The text that stands for our report, where another is asked for.
pub(crate) struct ReportText<'a>(pub(crate) &'a dyn Fn(&Record) -> Option<String>);

/// As [`run`], with another text for our report.
pub(crate) fn run_method_with_text(
    common: &Common,
    outputs: Outputs,
    budget: Nanos,
    method: impl FnOnce(&MeasureRequest, &StopSignal, &mut dyn Observer) -> Result<Record, MethodError>,
    answer: impl FnOnce(&Record) -> GoalStatus,
    told: &ReportText<'_>,
) -> Outcome {
    let ask = measure_request(common)?;
    let stop = StopSignal::default();
    let caught = signals::stop_on_signal(&stop).map_err(|error| {
        Failure::new(format!("cannot watch for signals: {error}"), None, FAILED)
    })?;
    let mut bar = TerminalProgress::new(budget, common.quiet);
    let result = method(&ask, &stop, &mut bar);
    bar.clear();
    let record = result.map_err(|error| method_failure(&error))?;
    let to_stdout = outputs.uses_stdout();
    let kept = save_outputs(&record, outputs)?;
    match (told.0)(&record) {
        Some(text) => terminal::print(&text)?,
        None => print_report(&record, to_stdout, &kept, common.quiet)?,
    }
    Ok(match (&record.measured.completion, caught.number(), answer(&record)) {
        (Completion::Partial { .. }, Some(_), _) => INTERRUPTED,
        (Completion::Partial { failed: true, .. }, ..) | (.., GoalStatus::Unknown) => FAILED,
        (.., GoalStatus::NotMet) => NOT_MET,
        (.., GoalStatus::Met) if has_failing_finding(&record, common.fail_on) => NOT_MET,
        (.., GoalStatus::Met) => 0,
    })
}

/// The destinations of a command: none of them may be one of its `inputs`, a file that it reads
/// at any time, a file that is used as a disk, or a part of the history.
pub(crate) fn guarded_destinations<P: AsRef<Path>>(
    inputs: impl IntoIterator<Item = P>,
) -> Destinations {
    let mut all = Destinations::with_guard(find_use);
    for input in inputs {
        all.protect(input.as_ref());
    }
    if let Ok(folder) = record::store::default_folder(|name| std::env::var(name).ok()) {
        all.protect(&folder.join("history.db"));
        all.protect_folder(&folder, "history.db");
        let inside = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let folders = inside.map(|entry| entry.path()).filter(|path| path.is_dir());
        folders.for_each(|folder| all.protect_folder(&folder, ""));
    }
    all
}

/// What a regular file is used for that a result must not replace.
fn find_use(file: &Metadata) -> Option<String> {
    if input::was_read(file) {
        return Some("the command reads or measures this very file".to_owned());
    }
    target::find_file_use(file, &Roots::host())
}

/// Where a record and its page go: opened before anything is measured.
#[derive(Default)]
pub(crate) struct Outputs {
    pub(crate) json: Option<Destination>,
    pub(crate) html: Option<Destination>,
    no_history: bool,
    quiet: bool,
}

impl Outputs {
    /// What the arguments of a command that measures ask for; `inputs` are files that it reads
    /// beside its target.
    pub(crate) fn from_common(common: &Common, inputs: &[&Path]) -> Result<Self, Failure> {
        let target = common.path();
        let mut all = guarded_destinations(inputs.iter().copied().chain([target.as_path()]));
        Self::open(&mut all, common.json.as_deref(), common.html.as_deref())
            .map(|outputs| outputs.with_history(common.no_history, common.quiet))
    }

    /// Opens what was asked for.
    pub(crate) fn open(
        all: &mut Destinations,
        json: Option<&Path>,
        html: Option<&Path>,
    ) -> Result<Self, Failure> {
        let mut open = |path: Option<&Path>| path.map(|path| all.open(path)).transpose();
        Ok(Self { json: open(json)?, html: open(html)?, no_history: false, quiet: false })
    }

    /// Whether the history keeps the run, and whether anything but the result is told.
    pub(crate) fn with_history(self, no_history: bool, quiet: bool) -> Self {
        Self { no_history, quiet, ..self }
    }

    /// Whether one of them is all that stdout is for.
    pub(crate) fn uses_stdout(&self) -> bool {
        [&self.json, &self.html].into_iter().flatten().any(Destination::is_dash)
    }
}

/// Keeps and tells a record that is there already; a part of a run is status 1 only when it failed.
pub(crate) fn finish_record(record: &Record, to: Outputs) -> Outcome {
    let (to_stdout, quiet) = (to.uses_stdout(), to.quiet);
    let kept = save_outputs(record, to)?;
    print_report(record, to_stdout, &kept, quiet)?;
    Ok(match record.measured.completion {
        Completion::Partial { failed: true, .. } => FAILED,
        _ => 0,
    })
}

fn method_failure(error: &MethodError) -> Failure {
    Failure::new(error.to_string(), error.hint(), crate::exit_code(error.kind()))
}

fn measure_request(common: &Common) -> Result<MeasureRequest, Failure> {
    let seed = match common.seed {
        Some(seed) => Seed(seed),
        None => random_seed()
            .map_err(|e| Failure::new(format!("cannot read /dev/urandom: {e}"), None, FAILED))?,
    };
    Ok(MeasureRequest {
        path: common.path(),
        size: common.size,
        read_only: common.read_only,
        destroy_data_on: common.yes_destroy_data_on.clone(),
        max_written: common.max_written,
        seed,
        command: command_line(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// The command line as it may be kept: the one place that takes it in.
pub(crate) fn command_line() -> CommandLine {
    CommandLine::new(std::env::args_os())
}

pub(crate) fn random_seed() -> io::Result<Seed> {
    let mut bytes = [0; 8];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(Seed(u64::from_le_bytes(bytes)))
}

/// Files of a run that were kept, to be named.
struct SavedFiles {
    record: Option<String>,
    page: Option<String>,
}

/// Writes record and page where they were asked for, and keeps both.
fn save_outputs(record: &Record, to: Outputs) -> Result<SavedFiles, Failure> {
    let json = record::store::to_json(record)
        .map_err(|e| Failure::new(format!("cannot write the record as JSON: {e}"), None, FAILED))?;
    let page = report::render_html(record)
        .map_err(|e| Failure::new(format!("cannot make the page: {e}"), None, FAILED))?;
    let mut kept = SavedFiles { record: None, page: None };
    if let Some(file) = to.json {
        kept.record = write_json_output(file, &json)?;
    }
    if let Some(file) = to.html {
        kept.page = write_output(file, page.as_bytes())?;
    }
    if to.no_history {
        return Ok(kept);
    }
    match save_to_history(record, kept.page.is_none().then_some(page.as_str())) {
        Ok((origin, page)) => {
            kept.record = Some(origin);
            kept.page = kept.page.or(page);
        }
        Err(failure) => kept.record = save_outside_history(record, &failure)?.or(kept.record),
    }
    Ok(kept)
}

/// Says that a run is not in the history, and writes its record to a file where that is possible:
/// the measurement is done, and losing its copy is worth a word, not the result.
fn save_outside_history(record: &Record, failure: &Failure) -> io::Result<Option<String>> {
    let write = || {
        let folder = record::store::default_folder(|name| std::env::var(name).ok()).ok()?;
        let bytes = record::store::compress_record(record).ok()?;
        save_private(&folder, &format!("{}.json.gz", record.measured.id), &bytes).ok()
    };
    terminal::eprint_line(format_args!("truedisk: the run was not kept: {}", failure.message()))?;
    let file = write().map(|file| file.display().to_string());
    match &file {
        Some(file) => {
            terminal::eprint_line(format!("hint: later, truedisk history import {file}"))?
        }
        None => terminal::eprint_line("hint: use --json FILE and --html FILE, or --no-history")?,
    }
    Ok(file)
}

/// Keeps a run in the history, and its page, where it has none yet, in the data folder; says
/// where both are.
fn save_to_history(
    record: &Record,
    page: Option<&str>,
) -> Result<(String, Option<String>), Failure> {
    let mut history = History::open(&crate::history::history_location()?)?;
    history.save_record(record)?;
    let Some(page) = page else { return Ok((history.record_location(&record.measured.id), None)) };
    let folder = record::store::default_folder(|name| std::env::var(name).ok());
    let folder = folder.map_err(HistoryError::from)?;
    let saved = make_private_folder(&folder).and_then(|()| {
        save_private(&folder, &format!("{}.html", record.measured.id), page.as_bytes())
    });
    let saved = saved.map_err(HistoryError::from)?;
    Ok((history.record_location(&record.measured.id), Some(saved.display().to_string())))
}

/// Writes JSON where it was asked for; a line of its own on stdout. Gives the path to be told.
pub(crate) fn write_json_output(file: Destination, json: &str) -> Result<Option<String>, Failure> {
    let end = if file.is_dash() { "\n" } else { "" };
    write_output(file, format!("{}{end}", escape_json(json)).as_bytes())
}

/// Writes what was asked for, and gives the path to be told; none of stdout.
pub(crate) fn write_output(file: Destination, bytes: &[u8]) -> Result<Option<String>, Failure> {
    let told = (!file.is_dash()).then(|| file.path().display().to_string());
    file.save(bytes)?;
    Ok(told)
}

fn print_report(
    record: &Record,
    to_stdout: bool,
    kept: &SavedFiles,
    quiet: bool,
) -> io::Result<()> {
    if to_stdout {
        return Ok(());
    }
    terminal::print(&report::render_terminal(record, terminal::style()))?;
    if !quiet {
        for (what, path) in [("report", &kept.page), ("record", &kept.record)] {
            if let Some(path) = path {
                terminal::print_line(format_args!("{what}: {path}"))?;
            }
        }
    }
    Ok(())
}

fn has_failing_finding(record: &Record, fail_on: Option<FailOn>) -> bool {
    let least = match fail_on {
        None => return false,
        Some(FailOn::Invalid) => Status::Invalid,
        Some(FailOn::Warning) => Status::Warning,
    };
    record.judgement_or_default().findings.iter().any(|finding| finding.status >= least)
}
