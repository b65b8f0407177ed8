//! `truedisk agent` and `truedisk fleet`: server, hosts, methods and reports wired together.

mod clients;
mod fio;
mod launch;
mod list;
mod server;

pub(crate) use clients::{find_clients, run_clients};

use engine::StopSignal;
use fio_run::host_keywords;
use fleet::agent::{self, AgentSettings, default_spool};
use fleet::ssh::AgentRules;
use fleet::{AgentName, WaveLimits, serve_relay};
use record::FleetSpan;
use target::Roots;

use crate::args::{AgentArgs, CollectArgs, Common, FleetArgs, FleetCommand, PromiseArgs, SpanArg};
use crate::exit::{Exit, Failure, Outcome};
use crate::output::{self, Outputs, guarded_destinations};
use crate::site::{HostSite, Site, save_to_history, unsaved_records};
use crate::{check, limit, replay, signals, sweep, terminal};
use server::{connect, host_selection, mark_files_read, server_from_args};

pub(crate) fn run_agent(args: &AgentArgs) -> Outcome {
    let settings = AgentSettings {
        name: args.name.clone().map_or_else(default_agent_name, Ok)?,
        spool: match &args.spool {
            Some(folder) => folder.clone(),
            None => default_spool(|name| std::env::var(name).ok())?,
        },
        server: server_from_args(&args.server)?,
        labels: args.label.clone(),
        allow: args.allow.clone(),
        read_only: args.read_only,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        simulated: None,
    };
    let stop = StopSignal::default();
    signals::stop_on_signal(&stop)?;
    let serve = if args.relay { serve_relay } else { agent::serve };
    serve(&settings, &stop, &mut |words| {
        // A log that cannot be written is no reason to stop measuring.
        let _ = terminal::eprint_line(format_args!("truedisk agent: {words}"));
    })?;
    Ok(Exit::Done)
}

fn default_agent_name() -> Result<AgentName, Failure> {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    AgentName::from_host(&host)
        .map_err(|error| Failure::wrong(error).hint("give the agent a name: --name NAME"))
}

pub(crate) fn run(args: FleetArgs) -> Outcome {
    mark_files_read(&args.server);
    refuse_unused(&args)?;
    if let FleetCommand::Fio(words) = &args.command {
        // Read once: job files may come from the standard input.
        return match fio::parse_request(&args, words)? {
            fio::ParsedRequest::Answered(exit) => Ok(exit),
            fio::ParsedRequest::Jobs(jobs) => {
                run_command(args, Some(jobs.agent_rules()), |args| fio::run(args, *jobs))
            }
        };
    }
    // Before an agent is started anywhere.
    let outputs = match &args.command {
        FleetCommand::Check(check) => check::open_outputs(check)?,
        FleetCommand::Limit(limit) => limit::open_outputs(limit)?,
        FleetCommand::Sweep(sweep) => sweep::open_outputs(sweep)?,
        FleetCommand::Replay(replay) => replay::open_outputs(replay)?,
        _ => Outputs::default(),
    };
    run_command(args, None, |args| dispatch(args, outputs))
}

/// What a run in waves has no totals for.
fn refuse_in_waves(args: &FleetArgs) -> Result<(), Failure> {
    let Some(option) = wave_option(args) else { return Ok(()) };
    if !args.per_tag.is_empty() && !args.ssh.is_empty() {
        return Err(Failure::wrong("--per-tag: agents that are started over ssh have no labels")
            .hint("use --at-most, or start agents with labels on the hosts"));
    }
    let (promise, nagios, tables) = match &args.command {
        FleetCommand::Check(of) => (is_promised(&of.promise), of.nagios, &of.common.tables),
        FleetCommand::Limit(of) => (is_promised(&of.promise), false, &of.common.tables),
        FleetCommand::Sweep(of) => (false, false, &of.common.tables),
        FleetCommand::Replay(of) => (false, false, &of.common.tables),
        _ => return Ok(()),
    };
    let asked = match () {
        () if promise => "a promise",
        () if nagios => "--nagios",
        () if tables.markdown.is_some() => "--markdown",
        () if tables.csv.is_some() => "--csv",
        () => return Ok(()),
    };
    let message = format_args!("{option}: hosts of different waves have no total for {asked}");
    Err(Failure::wrong(message).hint("leave it out; --json FILE has the figures of each host"))
}

fn is_promised(promise: &PromiseArgs) -> bool {
    promise.plan.is_some() || promise.promise.is_some()
}

fn wave_option(args: &FleetArgs) -> Option<&'static str> {
    match () {
        () if args.at_most.is_some() => Some("--at-most"),
        () if !args.per_tag.is_empty() => Some("--per-tag"),
        () => None,
    }
}

/// Options of `fleet` that do nothing for one of its commands.
fn refuse_unused(args: &FleetArgs) -> Result<(), Failure> {
    refuse_in_waves(args)?;
    if matches!(args.command, FleetCommand::Fio(_)) && args.canary.is_some() {
        return Err(Failure::wrong("--canary: fleet fio runs its jobs on every host")
            .hint("choose hosts with --hosts or --label"));
    }
    if matches!(args.command, FleetCommand::Fio(_)) && args.stop_on.is_some() {
        return Err(Failure::wrong("--stop-on: fleet fio does not watch the requests of others")
            .hint("leave it out, or measure with fleet sweep"));
    }
    if let (FleetCommand::Fio(_), Some(option)) = (&args.command, wave_option(args)) {
        let what = format_args!("{option}: fleet fio runs its jobs on all hosts at once");
        return Err(Failure::wrong(what).hint("choose hosts with --hosts or --label"));
    }
    if matches!(args.command, FleetCommand::Permissions { .. }) && !args.ssh.is_empty() {
        return Err(Failure::wrong("--ssh: fleet permissions asks no host").hint("leave it out"));
    }
    let (what, span, selection) = match &args.command {
        FleetCommand::List { .. } => ("fleet list", false, true),
        FleetCommand::Permissions { .. } => ("fleet permissions", false, false),
        FleetCommand::Collect(_) => ("fleet collect", false, false),
        FleetCommand::Stop { .. } => ("fleet stop", false, false),
        _ => return Ok(()),
    };
    let is_selected = !args.hosts.is_empty() || !args.label.is_empty();
    let flag = match () {
        () if args.span.is_some() && !span => "--span",
        () if is_selected && !selection => "--hosts and --label",
        () if args.canary.is_some() => "--canary",
        () if args.stop_on.is_some() => "--stop-on",
        () => match wave_option(args) {
            Some(option) => option,
            None => return Ok(()),
        },
    };
    let message = format_args!("{flag}: {what} measures nothing, and takes what all hosts have");
    Err(Failure::wrong(message).hint("leave it out"))
}

fn run_command(
    args: FleetArgs,
    rules: Option<AgentRules>,
    command: impl FnOnce(&FleetArgs) -> Outcome,
) -> Outcome {
    if !args.ssh.is_empty() {
        return launch::run_with_agents(args, rules, command);
    }
    if args.nats_server.is_some() {
        return Err(Failure::wrong("--nats-server is for agents of --ssh")
            .hint("name the hosts with --ssh, or a server that runs with --nats"));
    }
    command(&args)
}

fn dispatch(args: &FleetArgs, outputs: Outputs) -> Outcome {
    match &args.command {
        FleetCommand::List { json } => {
            let json = output::open_json(json)?;
            list::print_agents(&connect(args)?, &host_selection(args), json)
        }
        FleetCommand::Check(check) => check::run(check, &host_site(args, &check.common)?, outputs),
        FleetCommand::Limit(limit) => limit::run(limit, &host_site(args, &limit.common)?, outputs),
        FleetCommand::Sweep(sweep) if sweep.resume.is_some() => {
            Err(Failure::wrong("a sweep over many hosts cannot be resumed")
                .hint("begin another one"))
        }
        FleetCommand::Sweep(sweep) => sweep::run(sweep, &host_site(args, &sweep.common)?, outputs),
        FleetCommand::Replay(_) if matches!(args.span, Some(SpanArg::Shared)) => {
            Err(Failure::wrong("--span shared: all hosts would ask for the same blocks")
                .hint("give each a part of its own: --span split"))
        }
        FleetCommand::Replay(replay) => {
            replay::run_on_hosts(replay, &host_site(args, &replay.common)?, outputs)
        }
        // `run` has carried it out.
        FleetCommand::Fio(_) => Ok(Exit::Done),
        FleetCommand::Permissions { agents, relay } => {
            terminal::print(&fleet::nats_permissions(agents, relay))?;
            Ok(Exit::Done)
        }
        FleetCommand::Collect(collect) => run_collect(args, collect),
        FleetCommand::Stop { run, json } => {
            let json = output::open_json(json)?;
            let stopped = connect(args)?.stop_run(run.as_ref())?;
            let names: Vec<&str> = stopped.iter().map(AgentName::as_str).collect();
            if let Some(file) = json {
                return output::write_json(file, &serde_json::json!({ "stopped": names }));
            }
            let names = names.into_iter().collect();
            terminal::print_line(terminal::tell(list::Stopped { names }))?;
            Ok(Exit::Done)
        }
    }
}

fn host_site(args: &FleetArgs, common: &Common) -> Result<Site, Failure> {
    let span = match args.span {
        None => FleetSpan::Own,
        Some(SpanArg::Shared) => FleetSpan::Shared,
        Some(SpanArg::Split) => FleetSpan::Split,
    };
    let server = server_from_args(&args.server)?;
    if args.canary.is_some() && span != FleetSpan::Own {
        return Err(Failure::wrong("--canary: hosts that share one target are no sample of it")
            .hint("leave --span or --canary out"));
    }
    let limits = WaveLimits { at_most: args.at_most, per_tag: args.per_tag.clone() };
    let site = HostSite::new(server, host_selection(args), span, common)?
        .with_canary(args.canary)
        .with_stop_on(args.stop_on)
        .with_limits(limits);
    Ok(Site::Hosts(Box::new(site)))
}

fn run_collect(args: &FleetArgs, collect: &CollectArgs) -> Outcome {
    let mut all = guarded_destinations::<&std::path::Path>([]);
    let outputs = Outputs::open(&mut all, &collect.result)?
        .with_history(collect.no_history, collect.quiet.quiet);
    let coordinator = connect(args)?;
    if let Some(jobs) = coordinator.collect_jobs(&collect.run, &host_keywords(&Roots::host()))? {
        return fio::print_collected(&coordinator, jobs, collect, outputs);
    }
    let collected = coordinator.collect(&collect.run, env!("CARGO_PKG_VERSION"))?;
    let exit = output::finish_record(&collected.record, outputs)?;
    if !collect.no_history {
        match save_to_history(&collected.records) {
            Ok(()) => collected.acknowledge(&coordinator),
            Err(failure) => {
                let unsaved = unsaved_records(&failure);
                terminal::eprint_line(format_args!("truedisk: {unsaved}"))?;
            }
        }
    }
    Ok(exit)
}
