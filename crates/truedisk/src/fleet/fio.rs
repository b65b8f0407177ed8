//! `truedisk fleet fio`: job files read here, run by agents, and told as fio tells its clients'.

mod summary;

use std::io;
use std::path::{Path, PathBuf};

use engine::StopSignal;
use fio::plan::{Section, count_instances, expand_instances};
use fio::print::{
    EtaLine, EtaState, JobHeader, StartCounts, VERSION, render_clients_json, render_clients_normal,
    render_header,
};
use fio::read::{ParsedCommand, ReadError};
use fio::request::{Format, Jobs, ShowEta, Switches, read_jobs, read_switches};
use fio::results::ClientRuns;
use fio_run::{JobsError, RemoteJobs, SentJobs, TargetPaths, list_target_paths};
use fleet::ssh::AgentRules;
use fleet::{
    CollectedJobs, Coordinator, HostJobsObserver, HostJobsRequest, HostJobsResult, HostSelection,
    JobsProgress,
};

use super::{WRONG, confirm_device_destruction, connect, new_run_name};
use crate::args::{CollectArgs, FleetArgs, FleetFioArgs};
use crate::fio::{ResultWriter, answer_question, read_command_line};
use crate::output::{Outputs, guarded_destinations, write_json_output};
use crate::{Failure, Outcome, signals, terminal};
use summary::FleetSummary;

const FAILED: u8 = 1;
/// 128 and SIGINT's number, as shells count.
const INTERRUPTED: u8 = 130;

/// What the words ask for.
pub(super) enum ParsedRequest {
    /// Something that was answered: the exit status.
    Answered(u8),
    /// Jobs to be run.
    Jobs(Box<FleetJobs>),
}

/// Jobs, and how they are to be told.
pub(super) struct FleetJobs {
    sent: SentJobs,
    jobs: Jobs,
    places: TargetPaths,
    switches: Switches,
    destroy: Option<PathBuf>,
    quiet: bool,
    notes: Vec<String>,
    out: ResultWriter,
}

fn wrong_request(what: impl Into<String>, hint: &str) -> Failure {
    Failure::new(what, Some(hint.to_owned()), WRONG)
}

fn read_failure(error: &ReadError) -> Failure {
    let ours = ["--nats", "--creds", "--hosts", "--label", "--ssh", "--tls", "--yes-destroy"];
    let is_ours = ours.iter().any(|name| error.message.contains(&format!("'{name}")));
    let hint = match is_ours {
        true => Some("options of truedisk fleet stand before the job file".to_owned()),
        false => error.hint.clone(),
    };
    Failure::new(format!("{}: {}", error.place, error.message), hint, WRONG)
}

fn jobs_failure(error: &JobsError) -> Failure {
    Failure::new(error.to_string(), error.hint(), crate::exit_code(error.kind()))
}

/// Reads the words and the job files; whatever can be known to be wrong is said before any host is
/// asked.
pub(super) fn parse_request(
    args: &FleetArgs,
    asked: &FleetFioArgs,
) -> Result<ParsedRequest, Failure> {
    let reading = read_command_line(&asked.words).map_err(|error| read_failure(&error))?;
    let switches = read_switches(&reading).map_err(|error| read_failure(&error))?;
    let mut all = guarded_destinations::<&Path>([]);
    let mut out = ResultWriter::open(&mut all, switches.output.as_deref(), WRONG)?;
    if let Some(question) = &switches.info {
        let answered = answer_question(question, &reading, &mut out);
        return out.finish(answered).map(ParsedRequest::Answered);
    }
    check_switches(args, &switches)?;
    // Before any value is looked at: some are names of files.
    fio::remote::check_remote(&reading).map_err(|error| read_failure(&error))?;
    let jobs = read_jobs(&reading).map_err(|error| read_failure(&error))?;
    let mut notes = switches.notes.clone();
    notes.extend(jobs.notes.iter().cloned());
    if switches.warnings_fatal
        && let Some(note) = notes.first()
    {
        return Err(Failure::new(note.clone(), None, WRONG));
    }
    let places = check_jobs(&reading, &jobs, &switches)?;
    if switches.parse_only {
        return Ok(ParsedRequest::Answered(0));
    }
    Ok(ParsedRequest::Jobs(Box::new(FleetJobs {
        sent: reading.to_sent_jobs(),
        jobs,
        places,
        switches,
        destroy: asked.yes_destroy_data_on.clone(),
        quiet: asked.quiet,
        notes,
        out,
    })))
}

/// Refuses switches that mean nothing over many hosts.
fn check_switches(args: &FleetArgs, switches: &Switches) -> Result<(), Failure> {
    let refuse = |what: &str, hint: &str| Err(wrong_request(what, hint));
    if args.span.is_some() {
        let what = "--span is not for fio: every host runs all of the jobs";
        return refuse(what, "give each host a part by its own job: offset, size");
    }
    if switches.formats.contains(&Format::Terse) {
        let what = "terse results have no place for the name of a host";
        return refuse(what, "take --output-format=json, or normal");
    }
    if switches.status_ms > 0 {
        let what = "--status-interval: hosts give their results at the end";
        return refuse(what, "leave it out; --eta=always shows how it goes");
    }
    if switches.aux_path.is_some() || switches.idle_each.is_some() {
        let what = "--aux-path and --idle-prof are not asked of other hosts";
        return refuse(what, "leave them out, or run truedisk fio there");
    }
    Ok(())
}

/// What every host would say of the jobs.
fn check_jobs(
    reading: &ParsedCommand,
    jobs: &Jobs,
    switches: &Switches,
) -> Result<TargetPaths, Failure> {
    let commission = RemoteJobs::from_command(reading).map_err(|error| jobs_failure(&error))?;
    let count = count_instances(&jobs.sections);
    if count > u64::from(switches.max_jobs) {
        let what = format!("{count} jobs are more than --max-jobs={}", switches.max_jobs);
        return Err(Failure::new(what, None, WRONG));
    }
    if let Some(job) = commission.first_write().filter(|_| switches.read_only) {
        let what = format!("{job} writes, but --readonly was given");
        return Err(wrong_request(what, "use rw=read or rw=randread"));
    }
    list_target_paths(&jobs.sections).map_err(|error| jobs_failure(&error))
}

impl FleetJobs {
    /// What agents that are started for these jobs may touch: the folders that are named, the
    /// devices, and the folders of files.
    pub(super) fn agent_rules(&self) -> AgentRules {
        let folder = |path: &PathBuf| match path.starts_with("/dev") {
            true => Some(path.clone()),
            false => path.parent().map(Path::to_owned),
        };
        let files = self.places.files.iter().filter_map(folder);
        let mut allow: Vec<PathBuf> = self.places.folders.iter().cloned().chain(files).collect();
        allow.sort();
        allow.dedup();
        if allow.is_empty() {
            // Jobs of the engine null touch nothing.
            allow.push(PathBuf::from("/dev/null"));
        }
        AgentRules { allow, read_only: self.switches.read_only }
    }
}

/// Runs the jobs on the hosts that are meant, and tells what came of them.
pub(super) fn run(args: &FleetArgs, mut asked: FleetJobs) -> Outcome {
    let mut out = std::mem::take(&mut asked.out);
    let outcome = run_jobs(args, &asked, &mut out);
    out.finish(outcome)
}

fn run_jobs(args: &FleetArgs, asked: &FleetJobs, out: &mut ResultWriter) -> Outcome {
    let fresh = crate::output::random_seed().map_err(|error| {
        Failure::new(format!("cannot read /dev/urandom: {error}"), None, FAILED)
    })?;
    let stop = StopSignal::default();
    let caught = signals::stop_on_signal(&stop).map_err(|error| {
        Failure::new(format!("cannot watch for signals: {error}"), None, FAILED)
    })?;
    let coordinator = connect(args)?;
    let who = HostSelection { names: args.hosts.clone(), labels: args.label.clone() };
    let chosen = coordinator.choose_hosts(&who)?;
    let mut voice = FleetProgress::new(asked);
    confirm_device_destruction(asked.destroy.as_deref(), chosen.len(), &mut terminal::confirm)
        .map_err(|error| {
            Failure::new(error.to_string(), error.hint(), crate::exit_code(error.kind()))
        })?;
    let name = new_run_name(fresh.0).map_err(|error| {
        Failure::new(error.to_string(), error.hint(), crate::exit_code(error.kind()))
    })?;
    let mut party = coordinator.open_session(chosen, record::FleetSpan::Own, name.clone())?;
    let request = HostJobsRequest {
        jobs: &asked.sent,
        sections: &asked.jobs.sections,
        read_only: asked.switches.read_only,
        destroy: asked.destroy.as_deref(),
        fresh,
    };
    let hosts = party.run_jobs(&request, &stop, &mut voice);
    voice.clear_line();
    let told = FleetSummary {
        run: name.to_string(),
        jobs: &asked.jobs,
        notes: &asked.notes,
        collected: false,
        findings: !asked.switches.no_findings,
    };
    let (runs, failed) = told.client_runs(hosts?);
    print_runs(&runs, &asked.jobs.sections, &asked.switches.formats, out)?;
    party.acknowledge();
    Ok(match caught.number() {
        Some(_) => INTERRUPTED,
        None => failed,
    })
}

/// Tells what hosts kept of jobs whose coordinator is gone.
pub(super) fn print_collected(
    coordinator: &Coordinator,
    collected: CollectedJobs,
    args: &CollectArgs,
    outputs: Outputs,
) -> Outcome {
    if args.html.is_some() {
        let what = "a run of fio's jobs has no page";
        return Err(wrong_request(what, "take --json FILE, or the text"));
    }
    let told = FleetSummary {
        run: args.run.to_string(),
        jobs: &collected.jobs,
        notes: &collected.jobs.notes,
        collected: true,
        findings: true,
    };
    let given = collected.hosts.iter().map(|host| HostJobsResult {
        name: host.name.clone(),
        clock_error: host.clock_error,
        lost: host.lost.clone(),
        given: host.given.clone(),
    });
    let (runs, failed) = told.client_runs(given.collect());
    let to_stdout = outputs.uses_stdout();
    let wrote = outputs.json.is_some();
    if let Some(file) = outputs.json {
        write_json_output(file, &render_clients_json(&runs, false))?;
    }
    if !to_stdout {
        print_runs(
            &runs,
            &collected.jobs.sections,
            &[Format::Normal],
            &mut ResultWriter::default(),
        )?;
    }
    // Figures are in no history: only where they were written to a file are they safe here.
    if wrote && !to_stdout && !args.no_history {
        collected.acknowledge(coordinator);
    } else if !args.quiet {
        let words = "truedisk: the hosts keep their figures; fetch them into a file: --json FILE";
        terminal::eprint_line(words)?;
    }
    Ok(failed)
}

fn print_runs(
    runs: &ClientRuns,
    sections: &[Section],
    formats: &[Format],
    out: &mut ResultWriter,
) -> io::Result<()> {
    // As fio has it: in this order, however they were listed.
    let order = [Format::Json, Format::JsonPlus, Format::Normal];
    for format in order.iter().filter(|format| formats.contains(format)) {
        match format {
            Format::JsonPlus => out.write_json(&render_clients_json(runs, true))?,
            Format::Normal => {
                out.write_text(&(job_headers(sections) + &render_clients_normal(runs)))?
            }
            Format::Json | Format::Terse => out.write_json(&render_clients_json(runs, false))?,
        }
    }
    Ok(())
}

/// The lines before a run: the jobs, which are the same on every host.
fn job_headers(sections: &[Section]) -> String {
    let numbered = expand_instances(sections);
    let of = |(place, section): (usize, &Section)| {
        let instance = numbered.iter().find(|i| i.section == place);
        JobHeader::from_section(section, instance.map_or(0, |i| i.group))
    };
    let headers: Vec<JobHeader> = sections.iter().enumerate().map(of).collect();
    render_header(&headers, VERSION, StartCounts::default(), &[])
}

/// What is said while jobs run, on stderr: fio's line, of all hosts together.
struct FleetProgress {
    quiet: bool,
    shows: bool,
    line: EtaLine,
    began: std::time::Instant,
    shown: bool,
}

impl FleetProgress {
    fn new(asked: &FleetJobs) -> Self {
        let switches = &asked.switches;
        let newline = switches.eta.newline_ms;
        let shows = match switches.eta.show {
            ShowEta::Always => true,
            ShowEta::Never => false,
            ShowEta::Auto => terminal::is_stderr_terminal() && !asked.quiet,
        };
        Self {
            quiet: asked.quiet,
            shows,
            line: EtaLine::new(newline),
            began: std::time::Instant::now(),
            shown: false,
        }
    }

    fn clear_line(&mut self) {
        if std::mem::take(&mut self.shown) {
            // Progress that cannot be written is no reason to stop.
            let _ = terminal::eprint_line("");
        }
    }
}

impl HostJobsObserver for FleetProgress {
    fn note(&mut self, text: &str) {
        self.clear_line();
        if !self.quiet {
            let _ = terminal::eprint_line(format_args!("truedisk: {text}"));
        }
    }

    fn going(&mut self, going: &JobsProgress) {
        if !self.shows {
            return;
        }
        self.shown = true;
        let state = EtaState {
            letters: going.letters.clone(),
            running: going.running,
            open_files: going.open_files,
            percent: going.percent,
            rate: going.bytes_per_second,
            iops: going.iops,
            eta_s: going.left_s,
            ..EtaState::default()
        };
        let passed_ms = self.began.elapsed().as_millis().try_into().unwrap_or(u64::MAX);
        let text = self.line.update(&state, passed_ms);
        let _ = terminal::eprint_eta(&text);
    }
}
