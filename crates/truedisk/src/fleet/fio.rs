//! `truedisk fleet fio`: job files read here, run by agents, printed as fio prints its clients'.

mod summary;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use engine::StopSignal;
use fio::plan::Section;
use fio::print::{
    EtaLine, EtaState, StartCounts, render_clients_json, render_clients_normal, render_header,
};
use fio::read::{ParsedCommand, ReadError};
use fio::request::{Format, Jobs, Switches, read_jobs, read_switches};
use fio::results::ClientRuns;
use fio_run::{JobsObserver, RemoteJobs, SentJobs, TargetPaths, list_target_paths};
use fleet::ssh::AgentRules;
use fleet::{CollectedJobs, Coordinator, HostJobsRequest};
use units::ErrorKind;

use super::server::{connect, host_selection};
use crate::args::{CollectArgs, FleetArgs, FleetFioArgs, JsonArg};
use crate::exit::{Exit, Failure, Outcome};
use crate::fio::{
    ResultWriter, check_count, collect_notes, keeps_run, print_info, read_command_line,
    read_failure, shows_eta,
};
use crate::output::{Outputs, guarded_destinations, seed_or_random, write_json_text};
use crate::site::{confirm_destruction, new_run_name};
use crate::{signals, terminal};
use summary::FleetSummary;

pub(super) enum ParsedRequest {
    Answered(Exit),
    Jobs(Box<FleetJobs>),
}

/// Jobs, and how their results are printed.
pub(super) struct FleetJobs {
    sent: SentJobs,
    jobs: Jobs,
    paths: TargetPaths,
    switches: Switches,
    destroy: Option<PathBuf>,
    quiet: bool,
    notes: Vec<String>,
    out: ResultWriter,
}

fn read_error(error: ReadError) -> Failure {
    let ours = ["--nats", "--creds", "--hosts", "--label", "--ssh", "--tls", "--yes-destroy"];
    let is_ours = ours.iter().any(|name| error.message.contains(&format!("'{name}")));
    let failure = read_failure(error);
    if is_ours {
        return failure.hint("options of truedisk fleet stand before the job file");
    }
    failure
}

/// Reads the words and the job files, and refuses what is wrong before any host is asked.
pub(super) fn parse_request(
    args: &FleetArgs,
    fio_args: &FleetFioArgs,
) -> Result<ParsedRequest, Failure> {
    let words = [json_words(&fio_args.json), fio_args.words.clone()].concat();
    let command = read_command_line(&words).map_err(read_error)?;
    let switches = read_switches(&command).map_err(read_error)?;
    let mut all = guarded_destinations::<&Path>([]);
    let mut out = ResultWriter::open(&mut all, switches.output.as_deref())?;
    if let Some(info) = &switches.info {
        let printed = print_info(info, &command, &mut out);
        return out.finish(printed).map(ParsedRequest::Answered);
    }
    check_switches(args, &switches)?;
    if keeps_run(&command) {
        return Err(Failure::wrong("--keep-run is for runs on this host")
            .hint("write the results of the hosts to a file: --output=FILE"));
    }
    // Before any value is looked at: some are names of files.
    fio::remote::check_remote(&command).map_err(read_error)?;
    let jobs = read_jobs(&command).map_err(read_error)?;
    let notes = collect_notes(&jobs, &switches)?;
    let paths = check_jobs(&command, &jobs, &switches)?;
    if switches.parse_only {
        return Ok(ParsedRequest::Answered(Exit::Done));
    }
    Ok(ParsedRequest::Jobs(Box::new(FleetJobs {
        sent: command.to_sent_jobs(),
        jobs,
        paths,
        switches,
        destroy: fio_args.yes_destroy_data_on.clone(),
        quiet: fio_args.quiet.quiet,
        notes,
        out,
    })))
}

/// `--json FILE` in fio's words.
fn json_words(json: &JsonArg) -> Vec<OsString> {
    let Some(path) = &json.json else { return Vec::new() };
    let mut words = vec!["--output-format=json".into()];
    if !::output::is_dash(path) {
        words.extend(["--output".into(), path.into()]);
    }
    words
}

fn check_switches(args: &FleetArgs, switches: &Switches) -> Result<(), Failure> {
    let refused = [
        (
            args.span.is_some(),
            "--span is not for fio: every host runs all of the jobs",
            "give each host a part by its own job: offset, size",
        ),
        (
            switches.formats.contains(&Format::Terse),
            "terse results have no place for the name of a host",
            "take --output-format=json, or normal",
        ),
        (
            switches.status_ms > 0,
            "--status-interval: hosts give their results at the end",
            "leave it out; --eta=always shows how it goes",
        ),
        (
            switches.aux_path.is_some() || switches.idle_each.is_some(),
            "--aux-path and --idle-prof are not asked of other hosts",
            "leave them out, or run truedisk fio there",
        ),
    ];
    match refused.into_iter().find(|(is_given, ..)| *is_given) {
        Some((_, what, hint)) => Err(Failure::wrong(what).hint(hint)),
        None => Ok(()),
    }
}

fn check_jobs(
    command: &ParsedCommand,
    jobs: &Jobs,
    switches: &Switches,
) -> Result<TargetPaths, Failure> {
    let remote = RemoteJobs::from_command(command)?;
    check_count(jobs, switches)?;
    if let Some(job) = remote.first_write().filter(|_| switches.read_only) {
        return Err(Failure::wrong(format_args!("{job} writes, but --readonly was given"))
            .hint("use rw=read or rw=randread"));
    }
    Ok(list_target_paths(&jobs.sections)?)
}

impl FleetJobs {
    /// Agents for these jobs may touch the named folders and devices, and the folders of files.
    pub(super) fn agent_rules(&self) -> AgentRules {
        let folder = |path: &PathBuf| match path.starts_with("/dev") {
            true => Some(path.clone()),
            false => path.parent().map(Path::to_owned),
        };
        let files = self.paths.files.iter().filter_map(folder);
        let mut allow: Vec<PathBuf> = self.paths.folders.iter().cloned().chain(files).collect();
        allow.sort();
        allow.dedup();
        if allow.is_empty() {
            // Jobs of the engine null touch nothing.
            allow.push(PathBuf::from("/dev/null"));
        }
        AgentRules { allow, read_only: self.switches.read_only }
    }
}

pub(super) fn run(args: &FleetArgs, mut jobs: FleetJobs) -> Outcome {
    let mut out = std::mem::take(&mut jobs.out);
    let outcome = run_jobs(args, &jobs, &mut out);
    out.finish(outcome)
}

fn run_jobs(args: &FleetArgs, jobs: &FleetJobs, out: &mut ResultWriter) -> Outcome {
    let FleetJobs { switches, destroy, .. } = jobs;
    let fresh = seed_or_random(None)?;
    let stop = StopSignal::default();
    let caught = signals::stop_on_signal(&stop)?;
    let coordinator = connect(args)?;
    let chosen = coordinator.choose_hosts(&host_selection(args))?;
    let mut progress = FleetProgress {
        quiet: jobs.quiet,
        shows_eta: shows_eta(switches.eta.show, terminal::is_stderr_terminal() && !jobs.quiet),
        line: EtaLine::new(switches.eta.newline_ms),
        began: Instant::now(),
        is_shown: false,
    };
    confirm_destruction(destroy.as_deref(), chosen.len(), &mut terminal::confirm)?;
    let name = new_run_name(fresh.0)?;
    // A run of jobs has no records.
    let mut keep = |_: &record::Record, _: Option<&[u8]>| Ok(());
    let span = record::FleetSpan::Own;
    let mut session = coordinator.open_session(chosen, span, name.clone(), &mut keep)?;
    let request = HostJobsRequest {
        jobs: &jobs.sent,
        sections: &jobs.jobs.sections,
        read_only: switches.read_only,
        destroy: destroy.as_deref(),
        fresh,
    };
    let hosts = session.run_jobs(&request, &stop, &mut progress);
    progress.clear_line();
    let summary = FleetSummary {
        run: name.to_string(),
        jobs: &jobs.jobs,
        notes: &jobs.notes,
        collected: false,
        findings: !switches.no_findings,
    };
    let (runs, failed) = summary.client_runs(hosts?);
    print_runs(&runs, &jobs.jobs.sections, &switches.formats, out)?;
    session.acknowledge().map_err(Failure::failed)?;
    Ok(match caught.number() {
        Some(_) => Exit::Error(ErrorKind::Interrupted),
        None => Exit::FailedJobs(failed),
    })
}

/// Prints what hosts kept of jobs whose coordinator is gone.
pub(super) fn print_collected(
    coordinator: &Coordinator,
    mut collected: CollectedJobs,
    args: &CollectArgs,
    outputs: Outputs,
) -> Outcome {
    if args.result.html.is_some() {
        return Err(
            Failure::wrong("a run of fio's jobs has no page").hint("take --json FILE, or the text")
        );
    }
    let hosts = std::mem::take(&mut collected.hosts);
    let summary = FleetSummary {
        run: args.run.to_string(),
        jobs: &collected.jobs,
        notes: &collected.jobs.notes,
        collected: true,
        findings: true,
    };
    let (runs, failed) = summary.client_runs(hosts);
    let to_stdout = outputs.uses_stdout();
    let is_written = outputs.json.is_some();
    if let Some(file) = outputs.json {
        write_json_text(file, &render_clients_json(&runs, false))?;
    }
    if !to_stdout {
        let sections = &collected.jobs.sections;
        print_runs(&runs, sections, &[Format::Normal], &mut ResultWriter::default())?;
    }
    // The history has no such figures: only in a file are they safe here.
    if is_written && !to_stdout && !args.no_history {
        collected.acknowledge(coordinator);
    } else if !args.quiet.quiet {
        let words = "truedisk: the hosts keep their figures; fetch them into a file: --json FILE";
        terminal::eprint_line(words)?;
    }
    Ok(Exit::FailedJobs(failed))
}

fn print_runs(
    runs: &ClientRuns,
    sections: &[Section],
    formats: &[Format],
    out: &mut ResultWriter,
) -> io::Result<()> {
    // fio's order, however they were listed.
    for format in [Format::Json, Format::JsonPlus, Format::Normal] {
        match format {
            _ if !formats.contains(&format) => {}
            Format::Normal => {
                let header = render_header(sections, StartCounts::default(), &[]);
                out.write_text(&(header + &render_clients_normal(runs)))?;
            }
            _ => out.write_json(&render_clients_json(runs, format == Format::JsonPlus))?,
        }
    }
    Ok(())
}

/// fio's line of progress on stderr, of all hosts together.
struct FleetProgress {
    quiet: bool,
    shows_eta: bool,
    line: EtaLine,
    began: Instant,
    is_shown: bool,
}

impl FleetProgress {
    fn clear_line(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            // Progress that cannot be written is no reason to stop.
            let _ = terminal::eprint_line("");
        }
    }
}

impl JobsObserver for FleetProgress {
    fn on_note(&mut self, text: &str) {
        self.clear_line();
        if !self.quiet {
            let _ = terminal::eprint_line(format_args!("truedisk: {text}"));
        }
    }

    fn on_progress(&mut self, state: &EtaState, _: u64) {
        if self.shows_eta {
            self.is_shown = true;
            let passed_ms = self.began.elapsed().as_millis().try_into().unwrap_or(u64::MAX);
            let _ = terminal::eprint_eta(&self.line.update(state, passed_ms));
        }
    }
}
