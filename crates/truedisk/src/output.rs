//! What every command that measures does with its record: keep it, tell it, give a status.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::Path;

use engine::StopFlag;
use history::{History, HistoryError};
use method::{Ask, MethodError, Watch};
use record::{Completion, Record, Status};
use report::Style;
use units::{Nanos, Seed};

use crate::args::{Common, FailOn};
use crate::progress::Bar;
use crate::{Failure, Outcome, signals};

/// Exit statuses of a run that was measured.
const FAILED: u8 = 1;
const NOT_MET: u8 = 3;
const INTERRUPTED: u8 = 130;

/// Columns of a report.
const REPORT_COLUMNS: usize = 100;

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
    budget: Nanos,
    method: impl FnOnce(&Ask, &StopFlag, &mut dyn Watch) -> Result<Record, MethodError>,
    answer: impl FnOnce(&Record) -> Answer,
) -> Outcome {
    run_told(common, budget, method, answer, &Told(&|_| None))
}

/// The text that stands for our report, where another is asked for.
pub(crate) struct Told<'a>(pub(crate) &'a dyn Fn(&Record) -> Option<String>);

/// As [`run`], with another text for our report.
pub(crate) fn run_told(
    common: &Common,
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
    let to_stdout = common.json.as_deref() == Some(Path::new("-"));
    let mut bar = Bar::new(budget, common.quiet);
    let result = method(&ask, &stop, &mut bar);
    bar.clear();
    let record = result.map_err(|error| failure(&error))?;
    let kept = keep(&record, &Destination::of(common))?;
    match (told.0)(&record) {
        Some(text) => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(text.as_bytes())?;
            stdout.flush()?;
        }
        None => tell(&record, to_stdout, &kept, common.quiet)?,
    }
    Ok(match (&record.completion, caught.number(), answer(&record)) {
        (Completion::Partial { .. }, Some(_), _) => INTERRUPTED,
        (Completion::Partial { failed: true, .. }, ..) | (.., Answer::Missing) => FAILED,
        (.., Answer::NotMet) => NOT_MET,
        (.., Answer::Met) if fails(&record, common.fail_on) => NOT_MET,
        (.., Answer::Met) => 0,
    })
}

/// Where a record and its page go.
pub(crate) struct Destination<'a> {
    pub(crate) json: Option<&'a Path>,
    pub(crate) html: Option<&'a Path>,
    pub(crate) no_history: bool,
    pub(crate) quiet: bool,
}

impl<'a> Destination<'a> {
    fn of(common: &'a Common) -> Self {
        Self {
            json: common.json.as_deref(),
            html: common.html.as_deref(),
            no_history: common.no_history,
            quiet: common.quiet,
        }
    }
}

/// Keeps and tells a record that is there already; a part of a run is status 1 only when it failed.
pub(crate) fn finished(record: &Record, to: &Destination<'_>) -> Outcome {
    let kept = keep(record, to)?;
    tell(record, to.json == Some(Path::new("-")), &kept, to.quiet)?;
    Ok(match record.completion {
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
        command: std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
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
fn keep(record: &Record, args: &Destination<'_>) -> Result<Kept, Failure> {
    let json = record::store::to_json(record)
        .map_err(|e| Failure::new(format!("cannot write the record as JSON: {e}"), None, FAILED))?;
    let page = report::html(record)
        .map_err(|e| Failure::new(format!("cannot make the page: {e}"), None, FAILED))?;
    let mut kept = Kept { record: None, page: None };
    if let Some(path) = args.json {
        if path == Path::new("-") {
            writeln!(io::stdout().lock(), "{json}")?;
        } else {
            kept.record = Some(write(path, json.as_bytes())?);
        }
    }
    if let Some(path) = args.html {
        kept.page = Some(write(path, page.as_bytes())?);
    }
    if args.no_history {
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
        record::store::save(&folder, &format!("{}.json.gz", record.id), &bytes).ok()
    };
    let mut stderr = anstream::stderr().lock();
    writeln!(stderr, "truedisk: the run was not kept: {}", failure.message())?;
    let file = write().map(|file| file.display().to_string());
    match &file {
        Some(file) => writeln!(stderr, "hint: later, truedisk history import {file}")?,
        None => writeln!(stderr, "hint: use --json FILE and --html FILE, or --no-history")?,
    }
    Ok(file)
}

/// Keeps a run in the history, and its page, where it has none yet, in the data folder; says
/// where both are.
fn remember(record: &Record, page: Option<&str>) -> Result<(String, Option<String>), Failure> {
    let mut history = History::open(&crate::history::place()?)?;
    history.save(record)?;
    let Some(page) = page else { return Ok((history.origin(&record.id), None)) };
    let folder = record::store::default_folder(|name| std::env::var(name).ok());
    let saved = folder.and_then(|folder| {
        record::store::save(&folder, &format!("{}.html", record.id), page.as_bytes())
    });
    let saved = saved.map_err(HistoryError::from)?;
    Ok((history.origin(&record.id), Some(saved.display().to_string())))
}

/// Writes a file that was asked for, and gives its path to be told.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<String, Failure> {
    std::fs::write(path, bytes).map_err(|error| {
        let hint = "name a file in a folder that exists and that you may write to";
        let message = format!("cannot write {}: {error}", path.display());
        Failure::new(message, Some(hint.to_owned()), FAILED)
    })?;
    Ok(path.display().to_string())
}

/// How stdout wants its text.
pub(crate) fn style() -> Style {
    Style { colour: io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() }
}

/// Columns of the terminal that stdout is: by COLUMNS where it is set, else as the terminal says;
/// as many as a report has where it is none.
pub(crate) fn columns() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let asked = || rustix::termios::tcgetwinsize(io::stdout()).ok().map(|size| size.ws_col.into());
    said.or_else(asked).filter(|columns| *columns > 0).unwrap_or(REPORT_COLUMNS)
}

fn tell(record: &Record, to_stdout: bool, kept: &Kept, quiet: bool) -> io::Result<()> {
    if to_stdout {
        return Ok(());
    }
    let mut stdout = io::stdout().lock();
    stdout.write_all(report::terminal(record, style()).as_bytes())?;
    if !quiet {
        for (what, path) in [("report", &kept.page), ("record", &kept.record)] {
            if let Some(path) = path {
                writeln!(stdout, "{what}: {path}")?;
            }
        }
    }
    stdout.flush()
}

fn fails(record: &Record, fail_on: Option<FailOn>) -> bool {
    let least = match fail_on {
        None => return false,
        Some(FailOn::Invalid) => Status::Invalid,
        Some(FailOn::Warning) => Status::Warning,
    };
    record.findings.iter().any(|finding| finding.status >= least)
}
