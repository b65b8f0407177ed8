//! What every command that measures does with its record: keep it, report it, derive the status.

use std::fs::{File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use ::output::{Destination, Destinations, OutputError, make_private_folder, save_private};
use engine::StopSignal;
use history::{History, HistoryError};
use message::messages;
use method::{MeasureRequest, MethodError, Observer, Place};
use record::{CommandLine, Completion, Promise, Purpose, Record, Status, store};
use report::ResultTable;
use serde::Serialize;
use target::Roots;
use units::{ErrorKind, Nanos, Seed, escape_json};

use crate::args::{Common, FailOn, JsonArg, ResultArgs, TableArgs};
use crate::exit::{Exit, Failure, Outcome};
use crate::history::KeptRun;
use crate::progress::TerminalProgress;
use crate::site::{self, Site, history_location};
use crate::{signals, terminal};

/// Text that stands for our report, where another is asked for.
pub(crate) type ReportText<'a> = &'a dyn Fn(&Record) -> Option<String>;

pub(crate) struct Run<'a> {
    pub(crate) common: &'a Common,
    pub(crate) site: &'a Site,
    pub(crate) outputs: Outputs,
    pub(crate) budget: Nanos,
    pub(crate) promise: Option<Promise>,
    pub(crate) text: Option<ReportText<'a>>,
}

pub(crate) fn run_method(
    run: Run<'_>,
    method: impl for<'a> FnMut(
        MeasureRequest,
        Place<'a>,
        &'a StopSignal,
        &'a mut dyn Observer,
    ) -> Result<Record, MethodError>,
) -> Outcome {
    let Run { common, site, outputs, budget, promise, text } = run;
    let request = MeasureRequest {
        path: common.path(),
        size: common.extent.size,
        read_only: common.extent.read_only,
        destroy_data_on: common.yes_destroy_data_on.clone(),
        max_written: common.extent.max_written,
        seed: seed_or_random(common.extent.seed)?,
        command: command_line(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let stop = StopSignal::default();
    let caught = signals::stop_on_signal(&stop)?;
    let mut progress = TerminalProgress::new(budget, common.quiet.quiet);
    let result = site.measure(&request, &stop, &mut progress, method);
    progress.clear();
    let mut record = result?;
    if promise.is_some() {
        record.measured.promise = promise;
        record.judgement = Some(analysis::judge(&record.measured));
    }
    let to_stdout = outputs.uses_stdout();
    let saved = save_outputs(&record, outputs)?;
    match text.and_then(|text| text(&record)) {
        Some(text) => terminal::print(&text)?,
        None => print_report(&record, to_stdout, &saved, common.quiet.quiet)?,
    }
    let is_partial = matches!(record.measured.completion, Completion::Partial { .. });
    Ok(match record_exit(&record, common.fail_on) {
        _ if is_partial && caught.number().is_some() => Exit::Error(ErrorKind::Interrupted),
        exit => exit,
    })
}

/// How a command ends that measured this.
pub(crate) fn record_exit(record: &Record, fail_on: Option<FailOn>) -> Exit {
    match analysis::find_failure(record) {
        Some(failure) => Exit::Error(failure),
        None if has_failing_finding(record, fail_on) => Exit::Error(ErrorKind::NotMet),
        None => Exit::Done,
    }
}

/// None of them may be one of `inputs`, a file that is used as a disk, or a part of the history.
pub(crate) fn guarded_destinations<P: AsRef<Path>>(
    inputs: impl IntoIterator<Item = P>,
) -> Destinations {
    let mut all = Destinations::with_guard(find_use);
    inputs.into_iter().for_each(|input| all.protect(input.as_ref()));
    if let Ok(folder) = store::default_folder(variable) {
        all.protect(&folder.join("history.db"));
        all.protect_folder(&folder, "history.db");
        let inside = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let folders = inside.map(|entry| entry.path()).filter(|path| path.is_dir());
        folders.for_each(|folder| all.protect_folder(&folder, ""));
    }
    all
}

pub(crate) fn open_destination(path: &Path) -> Result<Destination, ::output::OutputError> {
    guarded_destinations::<&Path>([]).open(path)
}

/// Names the options where the file of one is that of another before it.
pub(crate) fn name_options(
    error: OutputError,
    option: &str,
    before: &[(&str, &Option<Destination>)],
) -> Failure {
    let OutputError::Duplicate { path, other } = &error else { return error.into() };
    let has_file = |(_, file): &&(&str, &Option<Destination>)| {
        file.as_ref().is_some_and(|file| file.path() == other)
    };
    let Some((first, _)) = before.iter().find(has_file) else { return error.into() };
    let (other, path) = (other.display(), path.display());
    Failure::wrong(format_args!("{first} {other} and {option} {path} name the same file"))
        .hint("give each its own file")
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
    pub(crate) markdown: Option<Destination>,
    pub(crate) csv: Option<Destination>,
    no_history: bool,
    quiet: bool,
}

impl Outputs {
    /// `inputs` are files that the command reads beside its target.
    pub(crate) fn from_common(common: &Common, inputs: &[&Path]) -> Result<Self, Failure> {
        let target = common.path();
        let mut all = guarded_destinations(inputs.iter().copied().chain([target.as_path()]));
        Self::open(&mut all, &common.result)
            .and_then(|outputs| outputs.with_tables(&mut all, &common.tables))
            .map(|outputs| outputs.with_history(common.no_history, common.quiet.quiet))
    }

    pub(crate) fn open(all: &mut Destinations, result: &ResultArgs) -> Result<Self, Failure> {
        let json = result.json.json.as_deref().map(|path| all.open(path)).transpose()?;
        let html = result.html.as_deref().map(|path| all.open(path)).transpose();
        let html = html.map_err(|error| name_options(error, "--html", &[("--json", &json)]))?;
        Ok(Self { json, html, ..Self::default() })
    }

    pub(crate) fn with_tables(
        mut self,
        all: &mut Destinations,
        tables: &TableArgs,
    ) -> Result<Self, Failure> {
        let mut before = vec![("--json", &self.json), ("--html", &self.html)];
        let markdown = tables.markdown.as_deref().map(|path| all.open(path)).transpose();
        let markdown = markdown.map_err(|error| name_options(error, "--markdown", &before))?;
        before.push(("--markdown", &markdown));
        let csv = tables.csv.as_deref().map(|path| all.open(path)).transpose();
        let csv = csv.map_err(|error| name_options(error, "--csv", &before))?;
        (self.markdown, self.csv) = (markdown, csv);
        Ok(self)
    }

    pub(crate) fn with_history(self, no_history: bool, quiet: bool) -> Self {
        Self { no_history, quiet, ..self }
    }

    pub(crate) fn uses_stdout(&self) -> bool {
        [&self.json, &self.html, &self.markdown, &self.csv]
            .into_iter()
            .flatten()
            .any(Destination::is_dash)
    }

    /// Returns the paths to be named.
    pub(crate) fn write(self, record: &Record) -> Result<SavedFiles, Failure> {
        let mut saved = SavedFiles::default();
        if self.markdown.is_some() || self.csv.is_some() {
            let table = report::build_record_table(record, terminal::language());
            let hint = "--json FILE writes every figure of it";
            let table = table.map_err(|why| Failure::wrong(why).hint(hint))?;
            write_tables(&table, self.markdown, self.csv)?;
        }
        if let Some(file) = self.json {
            saved.record = write_record_json(file, record)?;
        }
        if let Some(file) = self.html {
            saved.page = write_output(file, record_page(record)?.as_bytes())?;
        }
        Ok(saved)
    }
}

/// A partial record fails only when its run did.
pub(crate) fn finish_record(record: &Record, outputs: Outputs) -> Outcome {
    let (to_stdout, quiet) = (outputs.uses_stdout(), outputs.quiet);
    let saved = save_outputs(record, outputs)?;
    print_report(record, to_stdout, &saved, quiet)?;
    Ok(match record.measured.completion {
        Completion::Partial { failed: true, .. } => Exit::Error(ErrorKind::Failed),
        _ => Exit::Done,
    })
}

/// The command line as it may be kept: the one place that takes it in.
pub(crate) fn command_line() -> CommandLine {
    CommandLine::new(std::env::args_os())
}

pub(crate) fn seed_or_random(seed: Option<u64>) -> Result<Seed, Failure> {
    if let Some(seed) = seed {
        return Ok(Seed(seed));
    }
    let mut bytes = [0; 8];
    let read = File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    read.map(|()| Seed(u64::from_le_bytes(bytes)))
        .map_err(|error| Failure::failed(format_args!("cannot read /dev/urandom: {error}")))
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn record_page(record: &Record) -> Result<String, Failure> {
    report::render_html(record, crate::terminal::language())
        .map_err(|error| Failure::failed(format_args!("cannot make the page: {error}")))
}

#[derive(Default)]
pub(crate) struct SavedFiles {
    record: Option<String>,
    page: Option<String>,
    in_history: bool,
}

fn save_outputs(record: &Record, outputs: Outputs) -> Result<SavedFiles, Failure> {
    let no_history = outputs.no_history;
    let mut saved = outputs.write(record)?;
    if no_history {
        return Ok(saved);
    }
    // Every other page is made of its record when it is asked for.
    let is_check = matches!(record.measured.plan.purpose, Purpose::Check { .. });
    let page = match saved.page.is_none() && is_check {
        true => Some(record_page(record)?),
        false => None,
    };
    match save_to_history(record, page.as_deref()) {
        Ok(kept) => Ok(SavedFiles { page: saved.page.or(kept.page), ..kept }),
        Err(failure) => {
            saved.record = save_outside_history(record, &failure)?.or(saved.record);
            Ok(saved)
        }
    }
}

/// The measurement is done: losing its copy is worth a word, not the result.
fn save_outside_history(record: &Record, failure: &Failure) -> io::Result<Option<String>> {
    let write = || {
        let folder = store::default_folder(variable).ok()?;
        let bytes = store::compress_record(record).ok()?;
        save_private(&folder, &format!("{}.json.gz", record.measured.id), &bytes).ok()
    };
    terminal::eprint_line(format_args!("truedisk: the run was not kept: {}", failure.message))?;
    let file = write().map(|file| file.display().to_string());
    match &file {
        Some(file) => {
            terminal::eprint_line(format!("hint: later, truedisk history import {file}"))?
        }
        None => terminal::eprint_line("hint: use --json FILE and --html FILE, or --no-history")?,
    }
    Ok(file)
}

/// What was measured is shown already: that it cannot be kept is said, and changes no status.
pub(crate) fn keep_records(records: &[Record]) -> Result<(), Failure> {
    let words = match site::save_to_history(records) {
        Err(failure) => format!("the run was not kept: {}", failure.message),
        Ok(()) => {
            let ids: Vec<&str> = records.iter().map(|record| &*record.measured.id).collect();
            terminal::tell(KeptRun { run: ids.join(", ") })
        }
    };
    Ok(terminal::eprint_line(format_args!("truedisk: {words}"))?)
}

fn save_to_history(record: &Record, page: Option<&str>) -> Result<SavedFiles, Failure> {
    let mut history = History::open(&history_location()?)?;
    history.save_record(record)?;
    let id = &record.measured.id;
    let record = Some(history.record_location(id));
    let mut kept = SavedFiles { record, page: None, in_history: true };
    if let Some(page) = page {
        let folder = store::default_folder(variable).map_err(HistoryError::from)?;
        let saved = make_private_folder(&folder)
            .and_then(|()| save_private(&folder, &format!("{id}.html"), page.as_bytes()))
            .map_err(HistoryError::from)?;
        kept.page = Some(saved.display().to_string());
    }
    Ok(kept)
}

/// Opens the file of `--json` before anything is done.
pub(crate) fn open_json(json: &JsonArg) -> Result<Option<Destination>, Failure> {
    Ok(json.json.as_deref().map(open_destination).transpose()?)
}

/// Writes a result that is no record as JSON.
pub(crate) fn write_json(file: Destination, result: &impl Serialize) -> Outcome {
    write_json_text(file, &serde_json::to_string_pretty(result)?)?;
    Ok(Exit::Done)
}

/// Returns the path to be named; none of stdout.
pub(crate) fn write_record_json(
    file: Destination,
    record: &Record,
) -> Result<Option<String>, Failure> {
    write_with(file, |file| {
        store::write_json(record, &mut *file)?;
        file.write_all(b"\n")
    })
}

/// Returns the path to be named; none of stdout.
pub(crate) fn write_json_text(file: Destination, json: &str) -> Result<Option<String>, Failure> {
    write_output(file, format!("{}\n", escape_json(json)).as_bytes())
}

/// Returns the paths to be named.
pub(crate) fn write_tables(
    table: &ResultTable,
    markdown: Option<Destination>,
    csv: Option<Destination>,
) -> Result<Vec<String>, Failure> {
    let markdown = markdown.map(|file| write_output(file, table.to_markdown().as_bytes()));
    let csv = csv.map(|file| write_output(file, table.to_csv().as_bytes()));
    let written: Result<Vec<Option<String>>, Failure> = markdown.into_iter().chain(csv).collect();
    Ok(written?.into_iter().flatten().collect())
}

/// Returns the path to be named; none of stdout.
pub(crate) fn write_output(file: Destination, bytes: &[u8]) -> Result<Option<String>, Failure> {
    write_with(file, |file| file.write_all(bytes))
}

fn write_with(
    file: Destination,
    content: impl FnOnce(&mut Destination) -> io::Result<()>,
) -> Result<Option<String>, Failure> {
    let path = (!file.is_dash()).then(|| file.path().display().to_string());
    file.save_with(content)?;
    Ok(path)
}

fn print_report(
    record: &Record,
    to_stdout: bool,
    saved: &SavedFiles,
    quiet: bool,
) -> io::Result<()> {
    if to_stdout {
        return Ok(());
    }
    terminal::print(&terminal::render_record(record))?;
    if quiet {
        return Ok(());
    }
    if let Some(path) = &saved.page {
        terminal::print_line(terminal::tell(ReportAt { path: terminal::shorten_home(path) }))?;
    }
    if let Some(path) = &saved.record {
        terminal::print_line(terminal::tell(RecordAt { path: terminal::shorten_home(path) }))?;
    }
    if !saved.in_history {
        return Ok(());
    }
    let id = &record.measured.id;
    if saved.page.is_none() {
        let command = format!("truedisk history show {id} --html FILE");
        terminal::print_line(terminal::tell(PageBy { command }))?;
    }
    if !terminal::is_verbose() {
        let command = format!("truedisk history show {id} -v");
        terminal::print_line(terminal::tell(MoreBy { command }))?;
    }
    Ok(())
}

fn has_failing_finding(record: &Record, fail_on: Option<FailOn>) -> bool {
    let min = match fail_on {
        None => return false,
        Some(FailOn::Invalid) => Status::Invalid,
        Some(FailOn::Warning) => Status::Warning,
    };
    record.judgement_or_default().findings.iter().any(|finding| finding.status >= min)
}

messages! {
    ReportAt = "output-report" { path: String };
    RecordAt = "output-record" { path: String };
    MoreBy = "output-more" { command: String };
    PageBy = "output-page" { command: String };
    WrittenTo = "output-written" { path: String };
}
