//! What every command that measures does with its record: keep it, tell it, give a status.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

use ::output::{Destination, Destinations, make_private_folder, save_private};
use engine::StopFlag;
use history::{History, HistoryError};
use method::{Ask, MethodError, Watch};
use record::{CommandLine, Completion, Record, Status};
use target::Roots;
use units::{Nanos, Seed, escape_json};

use crate::args::{Common, FailOn};
use crate::progress::Bar;
use crate::{Failure, Outcome, signals, terminal};

/// Exit statuses of a run that was measured.
const FAILED: u8 = 1;
const NOT_MET: u8 = 3;
const INTERRUPTED: u8 = 130;

/// What a record says to what was asked of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It does what was asked.
    Met,
    /// It does not.
    NotMet,
    /// It is not known: the run ended before.
    Missing,
}

/// Runs a method with progress and signals, keeps its record, tells it, and gives the status;
/// `answer` says whether what was asked of the target was found.
pub(crate) fn run(
    common: &Common,
    outputs: Outputs,
    budget: Nanos,
    method: impl FnOnce(&Ask, &StopFlag, &mut dyn Watch) -> Result<Record, MethodError>,
    answer: impl FnOnce(&Record) -> Answer,
) -> Outcome {
    run_told(common, outputs, budget, method, answer, &Told(&|_| None))
}

/// The text that stands for our report, where another is asked for.
pub(crate) struct Told<'a>(pub(crate) &'a dyn Fn(&Record) -> Option<String>);

/// As [`run`], with another text for our report.
pub(crate) fn run_told(
    common: &Common,
    outputs: Outputs,
    budget: Nanos,
    method: impl FnOnce(&Ask, &StopFlag, &mut dyn Watch) -> Result<Record, MethodError>,
    answer: impl FnOnce(&Record) -> Answer,
    told: &Told<'_>,
) -> Outcome {
    let ask = ask(common)?;
    let stop = StopFlag::default();
    let caught = signals::watch(&stop).map_err(|error| {
        Failure::new(format!("cannot watch for signals: {error}"), None, FAILED)
    })?;
    let mut bar = Bar::new(budget, common.quiet);
    let result = method(&ask, &stop, &mut bar);
    bar.clear();
    let record = result.map_err(|error| failure(&error))?;
    let to_stdout = outputs.take_stdout();
    let kept = keep(&record, outputs)?;
    match (told.0)(&record) {
        Some(text) => terminal::print(&text)?,
        None => tell(&record, to_stdout, &kept, common.quiet)?,
    }
    Ok(match (&record.measured.completion, caught.number(), answer(&record)) {
        (Completion::Partial { .. }, Some(_), _) => INTERRUPTED,
        (Completion::Partial { failed: true, .. }, ..) | (.., Answer::Missing) => FAILED,
        (.., Answer::NotMet) => NOT_MET,
        (.., Answer::Met) if fails(&record, common.fail_on) => NOT_MET,
        (.., Answer::Met) => 0,
    })
}

/// The destinations of a command: none of them may be one of its `inputs`, a file that it reads
/// at any time, a file that is used as a disk, or a part of the history.
pub(crate) fn destinations<P: AsRef<Path>>(inputs: impl IntoIterator<Item = P>) -> Destinations {
    let mut all = Destinations::guarded_by(find_use);
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
    target::file_in_use(file, &Roots::host())
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
    pub(crate) fn of(common: &Common, inputs: &[&Path]) -> Result<Self, Failure> {
        let target = common.path();
        let mut all = destinations(inputs.iter().copied().chain([target.as_path()]));
        Self::open(&mut all, common.json.as_deref(), common.html.as_deref())
            .map(|outputs| outputs.keeping(common.no_history, common.quiet))
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
    pub(crate) fn keeping(self, no_history: bool, quiet: bool) -> Self {
        Self { no_history, quiet, ..self }
    }

    /// Whether one of them is all that stdout is for.
    pub(crate) fn take_stdout(&self) -> bool {
        [&self.json, &self.html].into_iter().flatten().any(Destination::is_dash)
    }
}

/// Keeps and tells a record that is there already; a part of a run is status 1 only when it failed.
pub(crate) fn finished(record: &Record, to: Outputs) -> Outcome {
    let (to_stdout, quiet) = (to.take_stdout(), to.quiet);
    let kept = keep(record, to)?;
    tell(record, to_stdout, &kept, quiet)?;
    Ok(match record.measured.completion {
        Completion::Partial { failed: true, .. } => FAILED,
        _ => 0,
    })
}

fn failure(error: &MethodError) -> Failure {
    Failure::new(error.to_string(), error.hint(), error.exit_status())
}

fn ask(common: &Common) -> Result<Ask, Failure> {
    let seed = match common.seed {
        Some(seed) => Seed(seed),
        None => random_seed()
            .map_err(|e| Failure::new(format!("cannot read /dev/urandom: {e}"), None, FAILED))?,
    };
    Ok(Ask {
        path: common.path(),
        size: common.size,
        read_only: common.read_only,
        destroy: common.yes_destroy_data_on.clone(),
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
struct Kept {
    record: Option<String>,
    page: Option<String>,
}

/// Writes record and page where they were asked for, and keeps both.
fn keep(record: &Record, to: Outputs) -> Result<Kept, Failure> {
    let json = record::store::to_json(record)
        .map_err(|e| Failure::new(format!("cannot write the record as JSON: {e}"), None, FAILED))?;
    let page = report::html(record)
        .map_err(|e| Failure::new(format!("cannot make the page: {e}"), None, FAILED))?;
    let mut kept = Kept { record: None, page: None };
    if let Some(file) = to.json {
        kept.record = write_json(file, &json)?;
    }
    if let Some(file) = to.html {
        kept.page = write(file, page.as_bytes())?;
    }
    if to.no_history {
        return Ok(kept);
    }
    match remember(record, kept.page.is_none().then_some(page.as_str())) {
        Ok((origin, page)) => {
            kept.record = Some(origin);
            kept.page = kept.page.or(page);
        }
        Err(failure) => kept.record = rescue(record, &failure)?.or(kept.record),
    }
    Ok(kept)
}

/// Says that a run is not in the history, and writes its record to a file where that is possible:
/// the measurement is done, and losing its copy is worth a word, not the result.
fn rescue(record: &Record, failure: &Failure) -> io::Result<Option<String>> {
    let write = || {
        let folder = record::store::default_folder(|name| std::env::var(name).ok()).ok()?;
        let bytes = record::store::compress(record).ok()?;
        save_private(&folder, &format!("{}.json.gz", record.measured.id), &bytes).ok()
    };
    terminal::say_line(format_args!("truedisk: the run was not kept: {}", failure.message()))?;
    let file = write().map(|file| file.display().to_string());
    match &file {
        Some(file) => terminal::say_line(format!("hint: later, truedisk history import {file}"))?,
        None => terminal::say_line("hint: use --json FILE and --html FILE, or --no-history")?,
    }
    Ok(file)
}

/// Keeps a run in the history, and its page, where it has none yet, in the data folder; says
/// where both are.
fn remember(record: &Record, page: Option<&str>) -> Result<(String, Option<String>), Failure> {
    let mut history = History::open(&crate::history::place()?)?;
    history.save(record)?;
    let Some(page) = page else { return Ok((history.origin(&record.measured.id), None)) };
    let folder = record::store::default_folder(|name| std::env::var(name).ok());
    let folder = folder.map_err(HistoryError::from)?;
    let saved = make_private_folder(&folder).and_then(|()| {
        save_private(&folder, &format!("{}.html", record.measured.id), page.as_bytes())
    });
    let saved = saved.map_err(HistoryError::from)?;
    Ok((history.origin(&record.measured.id), Some(saved.display().to_string())))
}

/// Writes JSON where it was asked for; a line of its own on stdout. Gives the path to be told.
pub(crate) fn write_json(file: Destination, json: &str) -> Result<Option<String>, Failure> {
    let end = if file.is_dash() { "\n" } else { "" };
    write(file, format!("{}{end}", escape_json(json)).as_bytes())
}

/// Writes what was asked for, and gives the path to be told; none of stdout.
pub(crate) fn write(file: Destination, bytes: &[u8]) -> Result<Option<String>, Failure> {
    let told = (!file.is_dash()).then(|| file.path().display().to_string());
    file.save(bytes)?;
    Ok(told)
}

fn tell(record: &Record, to_stdout: bool, kept: &Kept, quiet: bool) -> io::Result<()> {
    if to_stdout {
        return Ok(());
    }
    terminal::print(&report::terminal(record, terminal::style()))?;
    if !quiet {
        for (what, path) in [("report", &kept.page), ("record", &kept.record)] {
            if let Some(path) = path {
                terminal::print_line(format_args!("{what}: {path}"))?;
            }
        }
    }
    Ok(())
}

fn fails(record: &Record, fail_on: Option<FailOn>) -> bool {
    let least = match fail_on {
        None => return false,
        Some(FailOn::Invalid) => Status::Invalid,
        Some(FailOn::Warning) => Status::Warning,
    };
    record.judged().findings.iter().any(|finding| finding.status >= least)
}
