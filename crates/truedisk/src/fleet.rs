//! `truedisk agent` and `truedisk fleet`: wire server, hosts, methods and reports together.

mod fio;
mod launch;
mod list;

use std::io;
use std::path::{Path, PathBuf};

use engine::StopSignal;
use fio_run::host_keywords;
use fleet::agent::{self, AgentSettings, default_spool};
use fleet::ssh::AgentRules;
use fleet::{
    AgentInfo, AgentName, Coordinator, FleetError, FleetSession, HostSelection, NatsServer, RunName,
};
use history::History;
use jiff::Timestamp;
use method::{
    CheckRequest, LimitRequest, MeasureRequest, MethodError, Observer, Place, SweepRequest,
    TimeBudget,
};
use record::{FleetSpan, Record};
use target::Roots;
use units::Nanos;

use crate::args::{
    AgentArgs, CheckArgs, CollectArgs, Common, FleetArgs, FleetCommand, LimitArgs, ServerArgs,
    SpanArg, SweepArgs,
};
use crate::output::{GoalStatus, Outputs};
use crate::{Failure, Outcome, check, limit, output, promise, signals, sweep, terminal};

const FAILED: u8 = 1;
const WRONG: u8 = 2;

impl From<FleetError> for Failure {
    fn from(error: FleetError) -> Self {
        Self::new(error.to_string(), error.hint(), crate::exit_code(error.kind()))
    }
}

fn server_from_args(args: &ServerArgs) -> Result<NatsServer, Failure> {
    let wrong = |what: &str, hint: &str| Failure::new(what, Some(hint.to_owned()), WRONG);
    let Some(url) = server_url(args)? else {
        let what = "no NATS server was named";
        return Err(wrong(what, "give one like --nats nats://host:4222"));
    };
    let tls_client = match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => Some((certificate.clone(), key.clone())),
        (None, None) => None,
        _ => return Err(wrong("--tls-cert and --tls-key belong together", "give both")),
    };
    let (credentials, tls_ca) = (args.creds.clone(), args.tls_ca.clone());
    Ok(NatsServer { url, credentials, tls_ca, tls_client, insecure: args.insecure })
}

/// The URL of the NATS server: as it was given, or from the file that was named.
fn server_url(args: &ServerArgs) -> Result<Option<String>, Failure> {
    let file = launch::read_option_file("--nats-file", args.nats_file.as_deref())?;
    Ok(args.nats.clone().or_else(|| file.map(|text| text.trim().to_owned())))
}

/// Serves until a signal.
pub(crate) fn run_agent(args: &AgentArgs) -> Outcome {
    let name = match &args.name {
        Some(name) => name.clone(),
        None => default_agent_name()?,
    };
    let spool = match &args.spool {
        Some(folder) => folder.clone(),
        None => default_spool(|name| std::env::var(name).ok())?,
    };
    let settings = AgentSettings {
        server: server_from_args(&args.server)?,
        name,
        labels: args.label.clone(),
        allow: args.allow.clone(),
        read_only: args.read_only,
        spool,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        simulated: None,
    };
    let stop = StopSignal::default();
    signals::stop_on_signal(&stop).map_err(|error| {
        Failure::new(format!("cannot watch for signals: {error}"), None, FAILED)
    })?;
    agent::serve(&settings, &stop, &mut |words| {
        // A log that cannot be written is no reason to stop measuring.
        let _ = terminal::eprint_line(format_args!("truedisk agent: {words}"));
    })?;
    Ok(0)
}

fn default_agent_name() -> Result<AgentName, Failure> {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    AgentName::from_host(&host).map_err(|error| {
        Failure::new(error, Some("give the agent a name: --name NAME".to_owned()), WRONG)
    })
}

/// Leads many hosts, with agents that are there, or agents of its own.
pub(crate) fn run(args: FleetArgs) -> Outcome {
    mark_connection_files_read(&args.server);
    if let FleetCommand::Fio(words) = &args.command {
        // Read once: job files may come from the standard input.
        let jobs = match fio::parse_request(&args, words)? {
            fio::ParsedRequest::Answered(status) => return Ok(status),
            fio::ParsedRequest::Jobs(jobs) => jobs,
        };
        return run_command(args, Some(jobs.agent_rules()), |args| fio::run(args, *jobs));
    }
    // Before an agent is started anywhere.
    let outputs = match launch::common_args(&args.command) {
        Some(common) => Outputs::from_common(common, &input_files(&args.command))?,
        None => Outputs::default(),
    };
    run_command(args, None, |args| dispatch(args, outputs))
}

/// The files that a command reads beside those of the connection.
fn input_files(command: &FleetCommand) -> Vec<&Path> {
    match command {
        FleetCommand::Check(check) => promise::input_files(&check.promise),
        FleetCommand::Limit(limit) => promise::input_files(&limit.promise),
        _ => Vec::new(),
    }
}

/// Remembers the files of the connection as read: before any destination is opened.
fn mark_connection_files_read(args: &ServerArgs) {
    let files = [&args.nats_file, &args.creds, &args.tls_ca, &args.tls_cert, &args.tls_key];
    let found = files.into_iter().flatten().filter_map(|file| std::fs::metadata(file).ok());
    found.for_each(|file| input::remember_file(&file));
}

/// Carries a command out, with agents of its own where they are asked for.
fn run_command(
    args: FleetArgs,
    rules: Option<AgentRules>,
    command: impl FnOnce(&FleetArgs) -> Outcome,
) -> Outcome {
    if launch::is_requested(&args) {
        return launch::run_with_agents(args, rules, command);
    }
    launch::refuse_ssh_options(&args)?;
    command(&args)
}

fn dispatch(args: &FleetArgs, outputs: Outputs) -> Outcome {
    match &args.command {
        FleetCommand::List => list::print_agents(&connect(args)?),
        FleetCommand::Check(check) => fleet_check(args, check, outputs),
        FleetCommand::Limit(limit) => fleet_limit(args, limit, outputs),
        FleetCommand::Sweep(sweep) => fleet_sweep(args, sweep, outputs),
        // It was read, and led, before.
        FleetCommand::Fio(_) => Ok(0),
        FleetCommand::Collect(collect) => fleet_collect(args, collect),
        FleetCommand::Stop { run } => {
            let stopped = connect(args)?.stop_run(run.as_ref())?;
            let names: Vec<&str> = stopped.iter().map(AgentName::as_str).collect();
            terminal::print_line(format_args!("stopped: {}", names.join(", ")))?;
            Ok(0)
        }
    }
}

fn connect(args: &FleetArgs) -> Result<Coordinator, Failure> {
    Ok(Coordinator::connect(&server_from_args(&args.server)?, env!("CARGO_PKG_VERSION"))?)
}

fn fleet_check(args: &FleetArgs, check: &CheckArgs, outputs: Outputs) -> Outcome {
    let common = &check.common;
    let lead = FleetRun::new(args, common)?;
    let promise = promise::parse_promise(&check.promise)?;
    let bounds = promise::all_bounds(&check.bound, promise.as_ref());
    let (effort, until_throttled) = check::effort_and_burst_wait(check);
    let budget =
        Nanos(TimeBudget::for_effort(effort).budget.0 + until_throttled.map_or(0, |time| time.0));
    output::run_method(
        common,
        outputs,
        budget,
        |ask, stop, watch| {
            let record = lead.measure(ask, watch, |ask, party, watch| {
                let request = CheckRequest { ask, effort, bounds, until_throttled };
                method::check(&request, Place::Hosts(party), stop, watch)
            })?;
            Ok(promise::judge_with_promise(record, promise))
        },
        |record| if promise::is_broken(record) { GoalStatus::NotMet } else { GoalStatus::Met },
    )
}

fn fleet_limit(args: &FleetArgs, asked: &LimitArgs, outputs: Outputs) -> Outcome {
    let lead = FleetRun::new(args, &asked.common)?;
    let (parts, first_percent) = limit::limit_parts(asked)?;
    let promise = promise::parse_promise(&asked.promise)?;
    let bounds = promise::all_bounds(&asked.bound, promise.as_ref());
    output::run_method(
        &asked.common,
        outputs,
        asked.budget,
        |ask, stop, watch| {
            let record = lead.measure(ask, watch, |ask, party, watch| {
                let request: LimitRequest =
                    limit::limit_request(asked, ask, parts, first_percent, bounds);
                method::limit(&request, Place::Hosts(party), stop, watch)
            })?;
            Ok(promise::judge_with_promise(record, promise))
        },
        |record| match limit::limit_goal(record) {
            GoalStatus::Met if promise::is_broken(record) => GoalStatus::NotMet,
            answer => answer,
        },
    )
}

fn fleet_sweep(args: &FleetArgs, asked: &SweepArgs, outputs: Outputs) -> Outcome {
    if asked.resume.is_some() {
        let what = "a sweep over many hosts cannot be gone on with";
        return Err(Failure::new(what, Some("begin another one".to_owned()), WRONG));
    }
    let lead = FleetRun::new(args, &asked.common)?;
    let plan = sweep::sweep_plan(asked)?;
    output::run_method(
        &asked.common,
        outputs,
        asked.budget,
        |ask, stop, watch| {
            lead.measure(ask, watch, |ask, party, watch| {
                let request = SweepRequest { ask, plan, budget: asked.budget, earlier: None };
                method::sweep(&request, Place::Hosts(party), stop, watch, &mut |_| ())
            })
        },
        |_| GoalStatus::Met,
    )
}

fn fleet_collect(args: &FleetArgs, collect: &CollectArgs) -> Outcome {
    let mut all = output::guarded_destinations::<&Path>([]);
    let outputs = Outputs::open(&mut all, collect.json.as_deref(), collect.html.as_deref())?
        .with_history(collect.no_history, collect.quiet);
    let coordinator = connect(args)?;
    if let Some(jobs) = coordinator.collect_jobs(&collect.run, &host_keywords(&Roots::host()))? {
        return fio::print_collected(&coordinator, jobs, collect, outputs);
    }
    let collected = coordinator.collect(&collect.run, env!("CARGO_PKG_VERSION"))?;
    let status = output::finish_record(&collected.record, outputs)?;
    if !collect.no_history {
        match save_to_history(&collected.records) {
            Ok(()) => collected.acknowledge(&coordinator),
            Err(failure) => report_unsaved(&failure)?,
        }
    }
    Ok(status)
}

/// A run over many hosts, as it is asked for.
struct FleetRun<'a> {
    args: &'a FleetArgs,
    server: NatsServer,
    path: Option<PathBuf>,
    keep: bool,
}

impl<'a> FleetRun<'a> {
    fn new(args: &'a FleetArgs, common: &Common) -> Result<Self, Failure> {
        if let Some(path) = common.path.as_deref().filter(|path| !path.is_absolute()) {
            let what = format!("{} is a path on this host, not on others", path.display());
            let hint = "give an absolute path, such as /srv/test".to_owned();
            return Err(Failure::new(what, Some(hint), WRONG));
        }
        if common.max_written.is_some() {
            let what = "--max-written bounds a run on this host, not one over many";
            let hint = "bound the test file and the time: --size, --budget".to_owned();
            return Err(Failure::new(what, Some(hint), WRONG));
        }
        let server = server_from_args(&args.server)?;
        Ok(Self { args, server, path: common.path.clone(), keep: !common.no_history })
    }

    /// Finds the hosts, lets `method` measure on them, and keeps the records of each.
    fn measure(
        &self,
        ask: &MeasureRequest,
        watch: &mut dyn Observer,
        method: impl FnOnce(
            MeasureRequest,
            &mut FleetSession<'_>,
            &mut dyn Observer,
        ) -> Result<Record, MethodError>,
    ) -> Result<Record, MethodError> {
        let coordinator = Coordinator::connect(&self.server, &ask.version)?;
        let who = HostSelection { names: self.args.hosts.clone(), labels: self.args.label.clone() };
        let chosen = coordinator.choose_hosts(&who)?;
        let ask = MeasureRequest { path: self.resolve_path(&chosen)?, ..ask.clone() };
        confirm_destruction(&ask, chosen.len(), watch)?;
        let span = match self.args.span {
            None => FleetSpan::Own,
            Some(SpanArg::Shared) => FleetSpan::Shared,
            Some(SpanArg::Split) => FleetSpan::Split,
        };
        let mut party = coordinator.open_session(chosen, span, new_run_name(ask.seed.0)?)?;
        let record = method(ask, &mut party, watch)?;
        // Only what is safe here is let go there.
        match self.keep.then(|| save_to_history(party.records())) {
            Some(Err(failure)) => watch.on_note(&format!(
                "the records of the hosts were not kept here: {}; they are kept there",
                failure.message()
            )),
            Some(Ok(())) | None => party.acknowledge(),
        }
        Ok(record)
    }

    /// The path on the hosts: the one that was given, else the only one that they allow.
    fn resolve_path(&self, chosen: &[AgentInfo]) -> Result<PathBuf, MethodError> {
        if let Some(path) = &self.path {
            return Ok(path.clone());
        }
        let only = |agent: &AgentInfo| match agent.allow.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        };
        let first = chosen.first().and_then(only);
        match first.filter(|path| chosen.iter().all(|agent| only(agent).as_ref() == Some(path))) {
            Some(path) => Ok(PathBuf::from(path)),
            None => Err(MethodError::Request {
                what: "the hosts do not all allow one and the same path".to_owned(),
                hint: "say what is measured: truedisk fleet ... PATH".to_owned(),
            }),
        }
    }
}

fn confirm_destruction(
    ask: &MeasureRequest,
    hosts: usize,
    watch: &mut dyn Observer,
) -> Result<(), MethodError> {
    let mut confirm = |question: &str, expected: &str| watch.confirm(question, expected);
    confirm_device_destruction(ask.destroy_data_on.as_deref(), hosts, &mut confirm)
}

/// On a terminal, destroying what is on many hosts is asked for once more.
fn confirm_device_destruction(
    destroy: Option<&Path>,
    hosts: usize,
    confirm: &mut dyn FnMut(&str, &str) -> bool,
) -> Result<(), MethodError> {
    let Some(device) = destroy else { return Ok(()) };
    let device = device.display().to_string();
    let question =
        format!("All data on {device} of {hosts} hosts will be destroyed. Type its path to go on:");
    if !terminal::is_interactive() || confirm(&question, &device) {
        return Ok(());
    }
    Err(MethodError::Hosts {
        what: format!("refused to write to {device}: it was not confirmed"),
        hint: Some(format!("type {device} when you are asked")),
        kind: units::ErrorKind::Refused,
    })
}

/// `20261121T020304Z-5f3a9c21`: sortable by time, unique by seed.
fn new_run_name(seed: u64) -> Result<RunName, MethodError> {
    let name = format!("{}-{:08x}", Timestamp::now().strftime("%Y%m%dT%H%M%SZ"), seed as u32);
    name.parse().map_err(|error: String| MethodError::Request {
        what: error,
        hint: "is the clock of this host set?".to_owned(),
    })
}

/// Keeps the records of hosts in the history.
fn save_to_history(records: &[Record]) -> Result<(), Failure> {
    let mut history = History::open(&crate::history::history_location()?)?;
    records.iter().try_for_each(|record| history.save_record(record))?;
    Ok(())
}

fn report_unsaved(failure: &Failure) -> io::Result<()> {
    terminal::eprint_line(format_args!(
        "truedisk: the records of the hosts were not kept here: {}; they are kept there",
        failure.message()
    ))
}
