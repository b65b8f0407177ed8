//! `truedisk fio`, and the same binary called `fio`: wire reading, running and printing together.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use ::output::{Destination, Destinations};
use engine::StopSignal;
use fio::options::{help, switches as switch_table};
use fio::plan::{Section, count_instances, expand_instances};
use fio::print::{
    EtaLine, EtaState, JobHeader, LayoutNotice, StartCounts, VERSION, render_header, render_json,
    render_normal, render_terse,
};
use fio::read::{DiskFiles, ParsedCommand, ReadEnvironment, ReadError, read_command, show_command};
use fio::request::{Format, InfoCommand, Jobs, ShowEta, Switches, read_jobs, read_switches};
use fio::results::{JobResult, RunResult};
use fio_run::{
    IdleProfile, JobsError, JobsObserver, JobsRequest, data_files, host_keywords, run_jobs,
};
use record::{Finding, Status};
use target::Roots;
use units::{escape_controls, escape_json};

use crate::output::guarded_destinations;
use crate::{Failure, Outcome, signals, terminal};

/// fio's own words for what it cannot start with.
const WRONG: u8 = 1;
/// Refused to protect data: truedisk's own.
const PROTECTED: u8 = 4;

/// Reads the command line, runs its jobs, prints what fio prints.
pub(crate) fn run(args: &[OsString], as_fio: bool) -> Outcome {
    let reading = read_command_line(args).map_err(|error| read_failure(&error))?;
    let switches = read_switches(&reading).map_err(|error| read_failure(&error))?;
    let mut all = guarded_destinations::<&Path>([]);
    if let Some(question) = &switches.info {
        let mut out = ResultWriter::open(&mut all, switches.output.as_deref(), WRONG)?;
        let outcome = answer_question(question, &reading, &mut out);
        return out.finish(outcome);
    }
    let jobs = read_jobs(&reading).map_err(|error| read_failure(&error))?;
    // Beyond that number nothing runs, and naming the files of billions of jobs takes all memory.
    if count_instances(&jobs.sections) <= u64::from(switches.max_jobs) {
        data_files(&jobs.sections).for_each(|file| all.protect(&file));
    }
    let mut out = ResultWriter::open(&mut all, switches.output.as_deref(), WRONG)?;
    let outcome = validate_and_run(&jobs, &switches, as_fio, &all, &mut out);
    out.finish(outcome)
}

fn validate_and_run(
    jobs: &Jobs,
    switches: &Switches,
    as_fio: bool,
    all: &Destinations,
    out: &mut ResultWriter,
) -> Outcome {
    let mut notes = switches.notes.clone();
    notes.extend(jobs.notes.iter().cloned());
    if switches.warnings_fatal
        && let Some(note) = notes.first()
    {
        return Err(Failure::new(note.clone(), None, WRONG));
    }
    if switches.parse_only {
        return Ok(0);
    }
    if jobs.sections.is_empty() {
        let hint = "name a job file, or give --name=x and its options".to_owned();
        return Err(Failure::new("No job(s) defined", Some(hint), WRONG));
    }
    let count = count_instances(&jobs.sections);
    if count > u64::from(switches.max_jobs) {
        let message = format!("{count} jobs are more than --max-jobs={}", switches.max_jobs);
        return Err(Failure::new(message, None, WRONG));
    }
    run_sections(jobs, switches, notes, as_fio, all, out)
}

/// Reads fio's words and the job files that they name.
pub(crate) fn read_command_line(args: &[OsString]) -> Result<ParsedCommand, ReadError> {
    let keywords = host_keywords(&Roots::host());
    let stdin = || input::read_stdin(input::TEXT_MAX);
    let env = |name: &str| std::env::var(name).ok();
    let world = ReadEnvironment { files: &DiskFiles, env: &env, keywords, stdin: &stdin };
    read_command(args, &world)
}

fn read_failure(error: &ReadError) -> Failure {
    Failure::new(format!("{}: {}", error.place, error.message), error.hint.clone(), WRONG)
}

/// fio's status, except where data is protected: that is told apart, as in every other command.
fn jobs_failure(error: &JobsError) -> Failure {
    Failure::new(
        error.to_string(),
        error.hint(),
        output_status(crate::exit_code(error.kind()), WRONG),
    )
}

/// The status of a destination that cannot be opened: 4 for what protects data, else that of the
/// command.
fn output_status(status: u8, usual: u8) -> u8 {
    if status == PROTECTED { status } else { usual }
}

pub(crate) fn answer_question(
    question: &InfoCommand,
    reading: &ParsedCommand,
    out: &mut ResultWriter,
) -> Outcome {
    let helped =
        |text: Result<String, String>| text.map_err(|message| Failure::new(message, None, WRONG));
    let text = match question {
        InfoCommand::Version => format!("{VERSION}\n"),
        InfoCommand::Help => switch_table::usage_text(),
        InfoCommand::Options(option) => helped(help::cmdhelp(option.as_deref()))?,
        InfoCommand::Engines(engine) => helped(help::enghelp(engine.as_deref()))?,
        InfoCommand::Commands => show_command(reading),
    };
    out.write_text(&text)?;
    Ok(0)
}

fn run_sections(
    jobs: &Jobs,
    switches: &Switches,
    notes: Vec<String>,
    as_fio: bool,
    all: &Destinations,
    out: &mut ResultWriter,
) -> Outcome {
    let stop = StopSignal::default();
    let caught = signals::stop_on_signal(&stop)
        .map_err(|error| Failure::new(format!("cannot watch for signals: {error}"), None, WRONG))?;
    let fresh = crate::output::random_seed()
        .map_err(|e| Failure::new(format!("cannot read /dev/urandom: {e}"), None, WRONG))?;
    let words = switches.formats.contains(&Format::Normal);
    let is_terminal = terminal::is_stdout_terminal() && switches.output.is_none();
    let shows_eta = shows_eta(switches.eta.show, is_terminal && words);
    let request = JobsRequest {
        sections: &jobs.sections,
        global_options: &jobs.global_options,
        read_only: switches.read_only,
        destroy: switches.destroy.as_deref(),
        aux: switches.aux_path.as_deref(),
        idle: switches.idle_each.map(idle_mode),
        status_ms: switches.status_ms,
        eta_ms: if shows_eta { switches.eta.interval_ms } else { 0 },
        random_seed: fresh.0,
        results: Some(all),
        announce: announce_callback(as_fio),
    };
    let mut voice = FioProgress {
        sections: &jobs.sections,
        global_options: &jobs.global_options,
        switches,
        out,
        words,
        layouts: Vec::new(),
        eta: EtaLine::new(switches.eta.newline_ms),
        shown: false,
        failed: None,
    };
    let ran = run_jobs(&request, &Roots::host(), &stop, &mut voice);
    voice.end_eta();
    let failed = voice.failed.take();
    let mut ran = ran.map_err(|error| jobs_failure(&error))?;
    failed.map_or(Ok(()), Err)?;
    // Scripts that call `fio` get nothing that fio does not print.
    if !switches.no_findings && (!as_fio || is_terminal) {
        let line = |finding: &Finding| {
            format!("{}: {}: {}", finding.id, status_name(finding.status), finding.summary)
        };
        ran.run.findings = ran.findings.iter().map(line).collect();
    }
    let mut remarks = notes;
    remarks.append(&mut ran.notes);
    ran.run.truedisk = Some(truedisk_section(&ran.findings, &remarks));
    out.print_formats(&ran.run, switches)?;
    for trouble in &ran.failures {
        terminal::eprint_line(format_args!("fio: {trouble}"))?;
    }
    if let Some(trouble) = &ran.side_error {
        return Err(Failure::new(trouble.clone(), None, WRONG));
    }
    Ok(match caught.number() {
        Some(_) => 128,
        // fio's status is their number by 256, which makes 256 failures none.
        None => u8::try_from(ran.failed).unwrap_or(u8::MAX),
    })
}

/// Tells why it takes a while; scripts that call `fio` get nothing that fio does not print.
fn announce_callback(as_fio: bool) -> Option<fn(&str)> {
    let announce: fn(&str) = |text| {
        // Who does not read it misses nothing else.
        let _ = terminal::eprint_line(format_args!("fio: {text}"));
    };
    (!as_fio || terminal::is_stderr_terminal()).then_some(announce)
}

fn idle_mode(each: bool) -> IdleProfile {
    if each { IdleProfile::EachProcessor } else { IdleProfile::System }
}

fn shows_eta(asked: ShowEta, is_read_by_a_person: bool) -> bool {
    match asked {
        ShowEta::Always => true,
        ShowEta::Never => false,
        ShowEta::Auto => is_read_by_a_person,
    }
}

/// The extra key of the JSON output.
fn truedisk_section(findings: &[Finding], notes: &[String]) -> serde_json::Value {
    serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "findings": findings,
        "notes": notes,
    })
}

/// A status in a line for people.
pub(crate) fn status_name(status: Status) -> &'static str {
    match status {
        Status::Invalid => "invalid",
        Status::Warning => "warning",
        Status::Note => "note",
        Status::Ok => "ok",
        Status::NotObservable => "not observable",
    }
}

/// Where results go: a destination, or stdout.
#[derive(Default)]
pub(crate) struct ResultWriter {
    file: Option<BufWriter<Destination>>,
    is_written: bool,
}

impl ResultWriter {
    /// `usual` is the exit status of a destination that cannot be written.
    pub(crate) fn open(
        all: &mut Destinations,
        path: Option<&Path>,
        usual: u8,
    ) -> Result<Self, Failure> {
        let file = path.map(|path| all.open_to_follow(path)).transpose().map_err(|error| {
            let status = output_status(crate::exit_code(error.kind()), usual);
            Failure::new(error.to_string(), Some(error.hint()), status)
        })?;
        Ok(Self { file: file.map(BufWriter::new), is_written: false })
    }

    /// Puts what was written in its place. What was there before a request that failed before its
    /// first word stays.
    pub(crate) fn finish(self, outcome: Outcome) -> Outcome {
        let Some(file) = self.file.filter(|_| outcome.is_ok() || self.is_written) else {
            return outcome;
        };
        let destination = file.into_inner().map_err(|error| error.into_error())?;
        destination.commit()?;
        outcome
    }

    /// Text for people, and for programs that read what fio prints for people.
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

    /// Every format that was asked for, in its order.
    fn print_formats(&mut self, run: &RunResult, switches: &Switches) -> io::Result<()> {
        let entries = run.entries();
        // As fio has it: in this order, however they were listed.
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

/// What is said while jobs run.
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
        let sections = expand_instances(self.sections);
        let of = |(place, section): (usize, &Section)| {
            let instance = sections.iter().find(|i| i.section == place);
            JobHeader::from_section(section, instance.map_or(0, |i| i.group))
        };
        let headers: Vec<JobHeader> = self.sections.iter().enumerate().map(of).collect();
        let starting = StartCounts { threads, processes };
        let text = render_header(&headers, VERSION, starting, &self.layouts);
        let written = self.out.write_text(&text);
        self.record_failure(written);
    }

    fn on_progress(&mut self, state: &EtaState, passed_ms: u64) {
        self.shown = true;
        let text = self.eta.update(state, passed_ms);
        let written = terminal::print_eta(&text);
        self.record_failure(written);
    }

    fn on_status(&mut self, instances: Vec<JobResult>) {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let run = RunResult {
            finished_ms: now.map_or(0, |now| now.as_millis() as u64),
            global_options: self.global_options.to_vec(),
            instances,
            ..RunResult::default()
        };
        let written = self.out.print_formats(&run, self.switches);
        self.record_failure(written);
    }
}
