//! `truedisk fio`, and the same binary called `fio`: reading, running and printing.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ::output::{Destination, Destinations};
use engine::StopSignal;
use fio::import::import_record;
use fio::logs::inflate_log;
use fio::options::{help, switches as switch_table};
use fio::plan::{Section, count_instances};
use fio::print::{
    EtaLine, EtaState, LayoutNotice, StartCounts, VERSION, render_header, render_json,
    render_normal, render_parsing, render_seeds, render_terse,
};
use fio::read::{DiskFiles, ParsedCommand, ReadEnvironment, ReadError, read_command, show_command};
use fio::request::{
    Format, InfoCommand, Jobs, ShowEta, Switches, read_jobs, read_switches, traces_area,
};
use fio::results::{DiskUse, JobResult, RunResult};
use fio_run::{
    IdleProfile, JobsError, JobsObserver, JobsRequest, data_files, host_keywords, run_jobs,
};
use message::Message;
use method::describe_host;
use record::{Cell, Finding, OWN_FIO, Status, Tool};
use target::Roots;
use units::{ErrorKind, escape_controls, escape_json};

use crate::exit::{Exit, Failure, Outcome};
use crate::output::{command_line, guarded_destinations, keep_records, seed_or_random};
use crate::{signals, terminal};

/// The status is fio's, except where data is protected.
pub(crate) fn run(args: &[OsString], as_fio: bool) -> Outcome {
    with_fio_status(run_command(args, as_fio))
}

pub(crate) fn with_fio_status(outcome: Outcome) -> Outcome {
    outcome.map_err(|failure| match failure.exit {
        Exit::Error(kind) if kind != ErrorKind::Refused => {
            failure.exit(Exit::Error(ErrorKind::Failed))
        }
        _ => failure,
    })
}

fn run_command(args: &[OsString], as_fio: bool) -> Outcome {
    let command = read_command_line(args).map_err(read_failure)?;
    let switches = read_switches(&command).map_err(read_failure)?;
    let mut all = guarded_destinations::<&Path>([]);
    if let Some(info) = &switches.info {
        let mut out = ResultWriter::open(&mut all, switches.output.as_deref())?;
        let outcome = print_info(info, &command, &mut out);
        return out.finish(outcome);
    }
    let jobs = read_jobs(&command).map_err(read_failure)?;
    // Beyond that number nothing runs, and naming the files of billions of jobs takes all memory.
    if count_instances(&jobs.sections) <= u64::from(switches.max_jobs) {
        data_files(&jobs.sections).for_each(|file| all.protect(&file));
    }
    let mut out = ResultWriter::open(&mut all, switches.output.as_deref())?;
    let asked = FioRun {
        jobs: &jobs,
        switches: &switches,
        as_fio,
        keeps_run: keeps_run(&command),
        traces_seeds: traces_area(&command, "random"),
    };
    if traces_area(&command, "parse") {
        out.write_text(&render_parsing(&command, std::process::id()))?;
    }
    let outcome = run_sections(&asked, &all, &mut out);
    out.finish(outcome)
}

/// Notes from reading the jobs; an error with --warnings-fatal.
pub(crate) fn collect_notes(jobs: &Jobs, switches: &Switches) -> Result<Vec<String>, Failure> {
    let notes: Vec<String> = switches.notes.iter().chain(&jobs.notes).cloned().collect();
    match notes.first() {
        Some(note) if switches.warnings_fatal => Err(Failure::wrong(note)),
        _ => Ok(notes),
    }
}

fn require_jobs(jobs: &Jobs, switches: &Switches) -> Result<(), Failure> {
    if jobs.sections.is_empty() {
        return Err(Failure::wrong("No job(s) defined")
            .hint("name a job file, or give --name=x and its options"));
    }
    check_count(jobs, switches)
}

pub(crate) fn check_count(jobs: &Jobs, switches: &Switches) -> Result<(), Failure> {
    let count = count_instances(&jobs.sections);
    if count > u64::from(switches.max_jobs) {
        let max = switches.max_jobs;
        return Err(Failure::wrong(format_args!("{count} jobs are more than --max-jobs={max}")));
    }
    Ok(())
}

pub(crate) fn read_command_line(args: &[OsString]) -> Result<ParsedCommand, ReadError> {
    let keywords = host_keywords(&Roots::host());
    let stdin = || input::read_stdin(input::TEXT_MAX);
    let env = |name: &str| std::env::var(name).ok();
    let environment = ReadEnvironment { files: &DiskFiles, env: &env, keywords, stdin: &stdin };
    read_command(args, &environment)
}

pub(crate) fn read_failure(error: ReadError) -> Failure {
    let message = format_args!("{}: {}", error.place, error.message);
    Failure::new(ErrorKind::WrongRequest, message, error.hint)
}

pub(crate) fn print_info(
    info: &InfoCommand,
    command: &ParsedCommand,
    out: &mut ResultWriter,
) -> Outcome {
    let text = match info {
        InfoCommand::Version => format!("{VERSION}\n"),
        InfoCommand::Help => switch_table::usage_text(),
        InfoCommand::Options(option) => help::cmdhelp(option.as_deref()).map_err(Failure::wrong)?,
        InfoCommand::Engines(engine) => help::enghelp(engine.as_deref()).map_err(Failure::wrong)?,
        InfoCommand::Commands => show_command(command),
        InfoCommand::InflatedLog(file) => {
            let wrong = |error: String| Failure::wrong(format_args!("{}: {error}", file.display()));
            let bytes = input::read_file(file, input::RECORD_MAX)
                .map_err(|error| wrong(error.to_string()))?;
            inflate_log(&bytes, |text| Ok(out.write_text(text)?), wrong)?;
            return Ok(Exit::Done);
        }
    };
    out.write_text(&text)?;
    Ok(Exit::Done)
}

struct FioRun<'a> {
    jobs: &'a Jobs,
    switches: &'a Switches,
    as_fio: bool,
    keeps_run: bool,
    traces_seeds: bool,
}

pub(crate) fn keeps_run(command: &ParsedCommand) -> bool {
    command.switches.iter().any(|switch| switch.name == "keep-run")
}

fn run_sections(asked: &FioRun<'_>, all: &Destinations, out: &mut ResultWriter) -> Outcome {
    let FioRun { jobs, switches, as_fio, keeps_run, .. } = *asked;
    let mut remarks = collect_notes(jobs, switches)?;
    if switches.parse_only {
        return Ok(Exit::Done);
    }
    require_jobs(jobs, switches)?;
    let stop = StopSignal::default();
    let caught = signals::stop_on_signal(&stop)?;
    let words = switches.formats.contains(&Format::Normal);
    let is_terminal = terminal::is_stdout_terminal() && switches.output.is_none();
    let random_seed = seed_or_random(None)?.0;
    if asked.traces_seeds {
        out.write_text(&render_seeds(&jobs.sections, random_seed, std::process::id()))?;
    }
    let request = JobsRequest {
        sections: &jobs.sections,
        global_options: &jobs.global_options,
        read_only: switches.read_only,
        destroy: switches.destroy.as_deref(),
        aux: switches.aux_path.as_deref(),
        idle: switches.idle_each.map(idle_profile),
        status_ms: switches.status_ms,
        eta_ms: eta_interval_ms(switches, is_terminal && words),
        random_seed,
        results: Some(all),
        announce: announce_callback(),
    };
    let mut progress = FioProgress {
        sections: &jobs.sections,
        global_options: &jobs.global_options,
        switches,
        out,
        words,
        layouts: Vec::new(),
        eta: EtaLine::new(switches.eta.newline_ms),
        shown: false,
        failed: None,
        status: StatusRequests::new(),
    };
    let ran = run_jobs(&request, &Roots::host(), &stop, &mut progress);
    progress.end_eta();
    let mut ran = match ran {
        Err(error) if caught.number().is_some() => return report_early_stop(&error),
        ran => ran?,
    };
    progress.failed.take().map_or(Ok(()), Err)?;
    // Scripts that call `fio` get nothing that fio does not print.
    if !switches.no_findings && (!as_fio || is_terminal) {
        ran.run.findings = ran.findings.iter().map(format_finding).collect();
    }
    remarks.append(&mut ran.notes);
    ran.run.truedisk = Some(serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "findings": ran.findings,
        "notes": remarks,
    }));
    out.print_formats(&ran.run, switches)?;
    if keeps_run {
        keep_run(&ran.run, ran.checks)?;
    }
    print_failures(&ran.wrong_blocks, &ran.failures)?;
    if let Some(trouble) = &ran.side_error {
        return Err(Failure::wrong(trouble));
    }
    Ok(match caught.number() {
        Some(_) => Exit::FioInterrupted,
        None => Exit::FailedJobs(ran.failed),
    })
}

/// A signal came before the jobs began.
fn report_early_stop(error: &JobsError) -> Outcome {
    terminal::eprint_line(format!("fio: {error}"))?;
    Ok(Exit::FioInterrupted)
}

/// Keeps the figures that were printed in the history, as an import of them would.
fn keep_run(run: &RunResult, checks: Vec<Finding>) -> Result<(), Failure> {
    let mut record = match import_record(&render_json(run, true)) {
        Ok(record) => record,
        Err(error) => {
            let words = format!("truedisk: the run was not kept: {error}");
            return Ok(terminal::eprint_line(words)?);
        }
    };
    let measured = &mut record.measured;
    measured.tool = Tool::ours(env!("CARGO_PKG_VERSION"));
    measured.command = command_line();
    measured.environment = describe_host(&Roots::host());
    if let Some(imported) = &mut measured.imported {
        OWN_FIO.clone_into(&mut imported.program);
        imported.findings = name_cells(checks, &measured.cells);
        // As every other run names its target.
        for path in &mut imported.paths {
            if let Ok(full) = std::fs::canonicalize(&*path) {
                *path = full.to_string_lossy().into_owned();
            }
        }
    }
    record.judgement = Some(analysis::judge(&record.measured));
    keep_records(&[record])
}

/// The checks name sections; the figures of one section may have several cells.
fn name_cells(mut checks: Vec<Finding>, cells: &[Cell]) -> Vec<Finding> {
    for finding in &mut checks {
        let is_meant = |cell: &&Cell| finding.cells.contains(&cell.job.name);
        finding.cells = cells.iter().filter(is_meant).map(|cell| cell.name.clone()).collect();
    }
    checks
}

fn print_failures(wrong_blocks: &[String], failures: &[String]) -> Result<(), Failure> {
    for line in wrong_blocks.iter().flat_map(|text| text.lines()) {
        terminal::eprint_line(format_args!("{line}"))?;
    }
    for trouble in failures {
        terminal::eprint_line(format_args!("fio: {trouble}"))?;
    }
    Ok(())
}

/// Announces long reads to a person; scripts get only what fio prints.
fn announce_callback() -> Option<fn(&Message)> {
    let announce: fn(&Message) = |words| {
        let _ = terminal::eprint_line(format_args!("fio: {}", words.text()));
    };
    terminal::is_stderr_terminal().then_some(announce)
}

const fn idle_profile(each: bool) -> IdleProfile {
    if each { IdleProfile::EachProcessor } else { IdleProfile::System }
}

pub(crate) fn shows_eta(eta: ShowEta, is_interactive: bool) -> bool {
    eta == ShowEta::Always || eta == ShowEta::Auto && is_interactive
}

/// 0 for no lines of progress.
fn eta_interval_ms(switches: &Switches, is_interactive: bool) -> u64 {
    let shows = shows_eta(switches.eta.show, is_interactive);
    if shows { switches.eta.interval_ms } else { 0 }
}

pub(crate) fn format_finding(finding: &Finding) -> String {
    let status = match finding.status {
        Status::Invalid => "invalid",
        Status::Warning => "warning",
        Status::Note => "note",
        Status::Ok => "ok",
        Status::NotObservable => "not observable",
    };
    format!("{}: {status}: {}", finding.id, finding.summary.text())
}

/// Where results go: a destination, or stdout.
#[derive(Default)]
pub(crate) struct ResultWriter {
    file: Option<BufWriter<Destination>>,
    is_written: bool,
}

impl ResultWriter {
    pub(crate) fn open(all: &mut Destinations, path: Option<&Path>) -> Result<Self, Failure> {
        let file = path.map(|path| all.open_to_follow(path)).transpose()?;
        Ok(Self { file: file.map(BufWriter::new), is_written: false })
    }

    /// What was there before a request that failed before its first word stays.
    pub(crate) fn finish(self, outcome: Outcome) -> Outcome {
        let Some(file) = self.file.filter(|_| outcome.is_ok() || self.is_written) else {
            return outcome;
        };
        let destination = file.into_inner().map_err(|error| error.into_error())?;
        destination.commit()?;
        outcome
    }

    pub(crate) fn write_text(&mut self, text: &str) -> io::Result<()> {
        self.write_escaped(&escape_controls(text))
    }

    pub(crate) fn write_json(&mut self, json: &str) -> io::Result<()> {
        self.write_escaped(&escape_json(json))
    }

    fn write_escaped(&mut self, text: &str) -> io::Result<()> {
        self.is_written = true;
        match &mut self.file {
            Some(file) => file.write_all(text.as_bytes()).and_then(|()| file.flush()),
            None => {
                let mut stdout = terminal::data_stdout().lock();
                stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
            }
        }
    }

    fn print_formats(&mut self, run: &RunResult, switches: &Switches) -> io::Result<()> {
        let entries = run.entries();
        // fio's order, however they were listed.
        let order = [Format::Terse, Format::Json, Format::JsonPlus, Format::Normal];
        for format in order.iter().filter(|format| switches.formats.contains(format)) {
            match format {
                Format::Normal => self.write_text(&render_normal(run, &entries)),
                Format::Terse => self.write_text(&render_terse(run, switches.terse_version)),
                Format::Json => self.write_json(&render_json(run, false)),
                Format::JsonPlus => self.write_json(&render_json(run, true)),
            }?;
        }
        Ok(())
    }
}

struct FioProgress<'a> {
    sections: &'a [Section],
    global_options: &'a [(String, String)],
    switches: &'a Switches,
    out: &'a mut ResultWriter,
    words: bool,
    layouts: Vec<LayoutNotice>,
    eta: EtaLine,
    shown: bool,
    failed: Option<Failure>,
    status: StatusRequests,
}

/// How a user asks for the figures so far: SIGUSR1, or a file of this name in the folder for
/// temporary files, which is removed.
struct StatusRequests {
    signal: Arc<AtomicBool>,
    file: PathBuf,
    looked: Instant,
}

const STATUS_FILE: &str = "fio-dump-status";
const STATUS_FILE_INTERVAL: Duration = Duration::from_secs(1);

impl StatusRequests {
    fn new() -> Self {
        let file = std::env::temp_dir().join(STATUS_FILE);
        Self { signal: signals::status_flag(), file, looked: Instant::now() }
    }

    fn take(&mut self) -> bool {
        if self.looked.elapsed() >= STATUS_FILE_INTERVAL {
            self.looked = Instant::now();
            if std::fs::remove_file(&self.file).is_ok() {
                return true;
            }
        }
        self.signal.swap(false, Ordering::Relaxed)
    }
}

impl FioProgress<'_> {
    fn record_failure(&mut self, written: io::Result<()>) {
        if let Err(error) = written {
            self.failed.get_or_insert(error.into());
        }
    }

    fn end_eta(&mut self) {
        if self.shown {
            let ended = terminal::print_line("");
            self.record_failure(ended);
        }
    }
}

impl JobsObserver for FioProgress<'_> {
    fn on_layout(&mut self, job: &str, files: usize, bytes: u64) {
        let (files, bytes) = (files as u32, files as u64 * bytes);
        self.layouts.push(LayoutNotice { name: job.to_owned(), files, bytes });
    }

    fn on_start(&mut self, threads: u32, processes: u32) {
        if !self.words {
            return;
        }
        let counts = StartCounts { threads, processes };
        let text = render_header(self.sections, counts, &self.layouts);
        let written = self.out.write_text(&text);
        self.record_failure(written);
    }

    fn on_progress(&mut self, state: &EtaState, passed_ms: u64) {
        self.shown = true;
        let text = self.eta.update(state, passed_ms);
        let written = terminal::print_eta(&text);
        self.record_failure(written);
    }

    fn on_note(&mut self, text: &str) {
        let written = terminal::eprint_line(format!("fio: {text}"));
        self.record_failure(written);
    }

    fn wants_status(&mut self) -> bool {
        self.status.take()
    }

    fn on_status(&mut self, instances: Vec<JobResult>, disks: Vec<DiskUse>) {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let run = RunResult {
            finished_ms: now.map_or(0, |now| now.as_millis() as u64),
            global_options: self.global_options.to_vec(),
            instances,
            disks,
            ..RunResult::default()
        };
        let written = self.out.print_formats(&run, self.switches);
        self.record_failure(written);
    }
}
