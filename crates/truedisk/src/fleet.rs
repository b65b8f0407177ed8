//! `truedisk agent` and `truedisk fleet`: wire server, hosts, methods and reports together.

mod fio;
mod launch;
mod list;

use std::io;
use std::path::{Path, PathBuf};

use engine::StopFlag;
use fleet::agent::{self, Settings, default_spool};
use fleet::ssh::AgentRules;
use fleet::{Coordinator, FleetError, Introduction, Name, Party, RunName, Server, Who};
use history::History;
use jiff::Timestamp;
use method::fio::keywords;
use method::{Ask, CheckRequest, LimitRequest, MethodError, SweepRequest, Times, Watch};
use record::{FleetSpan, Record};
use target::Roots;
use units::Nanos;

use crate::args::{
    AgentArgs, CheckArgs, CollectArgs, Common, FleetArgs, FleetCommand, LimitArgs, ServerArgs,
    SpanArg, SweepArgs,
};
use crate::output::{Answer, Outputs};
use crate::{Failure, Outcome, check, limit, output, promise, signals, sweep, terminal};

const FAILED: u8 = 1;
const WRONG: u8 = 2;

impl From<FleetError> for Failure {
    fn from(error: FleetError) -> Self {
        Self::new(error.to_string(), error.hint(), error.exit_status())
    }
}

fn server(args: &ServerArgs) -> Result<Server, Failure> {
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
    Ok(Server { url, credentials, tls_ca, tls_client, insecure: args.insecure })
}

/// The URL of the NATS server: as it was given, or from the file that was named.
fn server_url(args: &ServerArgs) -> Result<Option<String>, Failure> {
    let file = launch::text("--nats-file", args.nats_file.as_deref())?;
    Ok(args.nats.clone().or_else(|| file.map(|text| text.trim().to_owned())))
}

/// Serves until a signal.
pub(crate) fn agent(args: &AgentArgs) -> Outcome {
    let name = match &args.name {
        Some(name) => name.clone(),
        None => host_name()?,
    };
    let spool = match &args.spool {
        Some(folder) => folder.clone(),
        None => default_spool(|name| std::env::var(name).ok())?,
    };
    let settings = Settings {
        server: server(&args.server)?,
        name,
        labels: args.label.clone(),
        allow: args.allow.clone(),
        read_only: args.read_only,
        spool,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        simulated: None,
    };
    let stop = StopFlag::default();
    signals::watch(&stop).map_err(|error| {
        Failure::new(format!("cannot watch for signals: {error}"), None, FAILED)
    })?;
    agent::serve(&settings, &stop, &mut |words| {
        // A log that cannot be written is no reason to stop measuring.
        let _ = terminal::say_line(format_args!("truedisk agent: {words}"));
    })?;
    Ok(0)
}

fn host_name() -> Result<Name, Failure> {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    Name::of_host(&host).map_err(|error| {
        Failure::new(error, Some("give the agent a name: --name NAME".to_owned()), WRONG)
    })
}

/// Leads many hosts, with agents that are there, or agents of its own.
pub(crate) fn fleet(args: FleetArgs) -> Outcome {
    remember_files(&args.server);
    if let FleetCommand::Fio(words) = &args.command {
        // Read once: job files may come from the standard input.
        let jobs = match fio::asked(&args, words)? {
            fio::Asked::Answered(status) => return Ok(status),
            fio::Asked::Jobs(jobs) => jobs,
        };
        return led(args, Some(jobs.rules()), |args| fio::fio(args, *jobs));
    }
    // Before an agent is started anywhere.
    let outputs = match launch::common(&args.command) {
        Some(common) => Outputs::of(common, &inputs(&args.command))?,
        None => Outputs::default(),
    };
    led(args, None, |args| lead(args, outputs))
}

/// The files that a command reads beside those of the connection.
fn inputs(command: &FleetCommand) -> Vec<&Path> {
    match command {
        FleetCommand::Check(check) => promise::inputs(&check.promise),
        FleetCommand::Limit(limit) => promise::inputs(&limit.promise),
        _ => Vec::new(),
    }
}

/// Remembers the files of the connection as read: before any destination is opened.
fn remember_files(args: &ServerArgs) {
    let files = [&args.nats_file, &args.creds, &args.tls_ca, &args.tls_cert, &args.tls_key];
    let found = files.into_iter().flatten().filter_map(|file| std::fs::metadata(file).ok());
    found.for_each(|file| input::remember(&file));
}

/// Carries a command out, with agents of its own where they are asked for.
fn led(
    args: FleetArgs,
    rules: Option<AgentRules>,
    command: impl FnOnce(&FleetArgs) -> Outcome,
) -> Outcome {
    if launch::is_asked(&args) {
        return launch::with_agents(args, rules, command);
    }
    launch::without(&args)?;
    command(&args)
}

fn lead(args: &FleetArgs, outputs: Outputs) -> Outcome {
    match &args.command {
        FleetCommand::List => list::list(&connect(args)?),
        FleetCommand::Check(check) => fleet_check(args, check, outputs),
        FleetCommand::Limit(limit) => fleet_limit(args, limit, outputs),
        FleetCommand::Sweep(sweep) => fleet_sweep(args, sweep, outputs),
        // It was read, and led, before.
        FleetCommand::Fio(_) => Ok(0),
        FleetCommand::Collect(collect) => fleet_collect(args, collect),
        FleetCommand::Stop { run } => {
            let stopped = connect(args)?.stop(run.as_ref())?;
            let names: Vec<&str> = stopped.iter().map(Name::as_str).collect();
            terminal::print_line(format_args!("stopped: {}", names.join(", ")))?;
            Ok(0)
        }
    }
}

fn connect(args: &FleetArgs) -> Result<Coordinator, Failure> {
    Ok(Coordinator::connect(&server(&args.server)?, env!("CARGO_PKG_VERSION"))?)
}

fn fleet_check(args: &FleetArgs, check: &CheckArgs, outputs: Outputs) -> Outcome {
    let common = &check.common;
    let lead = Lead::new(args, common)?;
    let promise = promise::asked(&check.promise)?;
    let bounds = promise::all_bounds(&check.bound, promise.as_ref());
    let (effort, until_throttled) = check::asked(check);
    let budget = Nanos(Times::of(effort).budget.0 + until_throttled.map_or(0, |time| time.0));
    output::run(
        common,
        outputs,
        budget,
        |ask, stop, watch| {
            let record = lead.run(ask, watch, |ask, party, watch| {
                let request = CheckRequest { ask, effort, bounds, until_throttled };
                method::check_on(&request, party, stop, watch)
            })?;
            Ok(promise::judged(record, promise))
        },
        |record| if promise::broken(record) { Answer::NotMet } else { Answer::Met },
    )
}

fn fleet_limit(args: &FleetArgs, asked: &LimitArgs, outputs: Outputs) -> Outcome {
    let lead = Lead::new(args, &asked.common)?;
    let (parts, first_percent) = limit::parts(asked)?;
    let promise = promise::asked(&asked.promise)?;
    let bounds = promise::all_bounds(&asked.bound, promise.as_ref());
    output::run(
        &asked.common,
        outputs,
        asked.budget,
        |ask, stop, watch| {
            let record = lead.run(ask, watch, |ask, party, watch| {
                let request: LimitRequest =
                    limit::request(asked, ask, parts, first_percent, bounds);
                method::limit_on(&request, party, stop, watch)
            })?;
            Ok(promise::judged(record, promise))
        },
        |record| match limit::reached(record) {
            Answer::Met if promise::broken(record) => Answer::NotMet,
            answer => answer,
        },
    )
}

fn fleet_sweep(args: &FleetArgs, asked: &SweepArgs, outputs: Outputs) -> Outcome {
    if asked.resume.is_some() {
        let what = "a sweep over many hosts cannot be gone on with";
        return Err(Failure::new(what, Some("begin another one".to_owned()), WRONG));
    }
    let lead = Lead::new(args, &asked.common)?;
    let plan = sweep::plan(asked)?;
    output::run(
        &asked.common,
        outputs,
        asked.budget,
        |ask, stop, watch| {
            lead.run(ask, watch, |ask, party, watch| {
                let request = SweepRequest { ask, plan, budget: asked.budget, earlier: None };
                method::sweep_on(&request, party, stop, watch)
            })
        },
        |_| Answer::Met,
    )
}

fn fleet_collect(args: &FleetArgs, collect: &CollectArgs) -> Outcome {
    let mut all = output::destinations::<&Path>([]);
    let outputs = Outputs::open(&mut all, collect.json.as_deref(), collect.html.as_deref())?
        .keeping(collect.no_history, collect.quiet);
    let coordinator = connect(args)?;
    if let Some(jobs) = coordinator.collect_jobs(&collect.run, &keywords(&Roots::host()))? {
        return fio::collected(&coordinator, jobs, collect, outputs);
    }
    let collected = coordinator.collect(&collect.run, env!("CARGO_PKG_VERSION"))?;
    let status = output::finished(&collected.record, outputs)?;
    if !collect.no_history {
        match remember(&collected.records) {
            Ok(()) => collected.acknowledge(&coordinator),
            Err(failure) => tell_kept(&failure)?,
        }
    }
    Ok(status)
}

/// A run over many hosts, as it is asked for.
struct Lead<'a> {
    args: &'a FleetArgs,
    server: Server,
    path: Option<PathBuf>,
    keep: bool,
}

impl<'a> Lead<'a> {
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
        let server = server(&args.server)?;
        Ok(Self { args, server, path: common.path.clone(), keep: !common.no_history })
    }

    /// Finds the hosts, lets `method` measure on them, and keeps the records of each.
    fn run(
        &self,
        ask: &Ask,
        watch: &mut dyn Watch,
        method: impl FnOnce(Ask, &mut Party<'_>, &mut dyn Watch) -> Result<Record, MethodError>,
    ) -> Result<Record, MethodError> {
        let coordinator = Coordinator::connect(&self.server, &ask.version)?;
        let who = Who { names: self.args.hosts.clone(), labels: self.args.label.clone() };
        let chosen = coordinator.choose(&who)?;
        let ask = Ask { path: self.path_on(&chosen)?, ..ask.clone() };
        confirmed(&ask, chosen.len(), watch)?;
        let span = match self.args.span {
            None => FleetSpan::Own,
            Some(SpanArg::Shared) => FleetSpan::Shared,
            Some(SpanArg::Split) => FleetSpan::Split,
        };
        let mut party = coordinator.party(chosen, span, run_name(ask.seed.0)?)?;
        let record = method(ask, &mut party, watch)?;
        // Only what is safe here is let go there.
        match self.keep.then(|| remember(party.records())) {
            Some(Err(failure)) => watch.note(&format!(
                "the records of the hosts were not kept here: {}; they are kept there",
                failure.message()
            )),
            Some(Ok(())) | None => party.acknowledge(),
        }
        Ok(record)
    }

    /// The path on the hosts: the one that was given, else the only one that they allow.
    fn path_on(&self, chosen: &[Introduction]) -> Result<PathBuf, MethodError> {
        if let Some(path) = &self.path {
            return Ok(path.clone());
        }
        let only = |agent: &Introduction| match agent.allow.as_slice() {
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

fn confirmed(ask: &Ask, hosts: usize, watch: &mut dyn Watch) -> Result<(), MethodError> {
    let mut confirm = |question: &str, expected: &str| watch.confirm(question, expected);
    confirmed_devices(ask.destroy.as_deref(), hosts, &mut confirm)
}

/// On a terminal, destroying what is on many hosts is asked for once more.
fn confirmed_devices(
    destroy: Option<&Path>,
    hosts: usize,
    confirm: &mut dyn FnMut(&str, &str) -> bool,
) -> Result<(), MethodError> {
    let Some(device) = destroy else { return Ok(()) };
    let device = device.display().to_string();
    let question =
        format!("All data on {device} of {hosts} hosts will be destroyed. Type its path to go on:");
    if !terminal::is_read_by_a_person() || confirm(&question, &device) {
        return Ok(());
    }
    Err(MethodError::Hosts {
        what: format!("refused to write to {device}: it was not confirmed"),
        hint: Some(format!("type {device} when you are asked")),
        status: 4,
    })
}

/// `20261121T020304Z-5f3a9c21`: sortable by time, unique by seed.
fn run_name(seed: u64) -> Result<RunName, MethodError> {
    let name = format!("{}-{:08x}", Timestamp::now().strftime("%Y%m%dT%H%M%SZ"), seed as u32);
    name.parse().map_err(|error: String| MethodError::Request {
        what: error,
        hint: "is the clock of this host set?".to_owned(),
    })
}

/// Keeps the records of hosts in the history.
fn remember(records: &[Record]) -> Result<(), Failure> {
    let mut history = History::open(&crate::history::place()?)?;
    records.iter().try_for_each(|record| history.save(record))?;
    Ok(())
}

fn tell_kept(failure: &Failure) -> io::Result<()> {
    terminal::say_line(format_args!(
        "truedisk: the records of the hosts were not kept here: {}; they are kept there",
        failure.message()
    ))
}
