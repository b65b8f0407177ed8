//! `truedisk fleet --ssh`: agents for one command, started before it and ended after it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use engine::StopSignal;
use fleet::AgentName;
use fleet::ssh::{AgentRules, LaunchRequest, LaunchedAgents, ServerChoice, launch};
use units::ErrorKind;

use super::server::{read_option_file, server_url};
use crate::args::{Common, FleetArgs, FleetCommand, ServerArgs};
use crate::exit::{Exit, Failure, Outcome, signal_status};
use crate::site::relative_path;
use crate::{signals, terminal};

/// Agents that only hand over what they keep may measure nothing.
const NO_TARGET: &str = "/dev/null";

/// Runs a command with agents of its own, which run `jobs` where those are given.
pub(super) fn run_with_agents(
    mut args: FleetArgs,
    jobs: Option<AgentRules>,
    command: impl FnOnce(&FleetArgs) -> Outcome,
) -> Outcome {
    let request = launch_request(&args, jobs)?;
    let stop = StopSignal::default();
    let launching = listen_while_launching(&args.command, &stop)?;
    let quiet = match &args.command {
        FleetCommand::Fio(fio) => fio.quiet.quiet,
        command => common_args(command).is_some_and(|common| common.quiet.quiet),
    };
    let mut launched = launch(&request, &stop, &mut |words| {
        if !quiet {
            // Notes that cannot be written are no reason to stop.
            let _ = terminal::eprint_line(words);
        }
    })?;
    launching.store(false, Ordering::SeqCst);
    use_launched_agents(&mut args, &launched)?;
    command(&args).map_err(|failure| append_agent_output(failure, &mut launched))
}

/// A signal ends the launch, and later commands that do not listen themselves. Returns its flag.
fn listen_while_launching(
    command: &FleetCommand,
    stop: &StopSignal,
) -> Result<Arc<AtomicBool>, Failure> {
    let launching = Arc::new(AtomicBool::new(true));
    let (flag, stop) = (Arc::clone(&launching), stop.clone());
    let listens = matches!(command, FleetCommand::Fio(_)) || common_args(command).is_some();
    let first = move || {
        stop.raise();
        if !listens && !flag.load(Ordering::SeqCst) {
            // The agents end with us.
            std::process::exit(Exit::Error(ErrorKind::Interrupted).status().into());
        }
    };
    signals::call_on_signal(false, first, signal_status)?;
    Ok(launching)
}

fn common_args(command: &FleetCommand) -> Option<&Common> {
    match command {
        FleetCommand::Check(check) => Some(&check.common),
        FleetCommand::Limit(limit) => Some(&limit.common),
        FleetCommand::Sweep(sweep) => Some(&sweep.common),
        FleetCommand::Replay(replay) => Some(&replay.common),
        _ => None,
    }
}

fn launch_request(args: &FleetArgs, jobs: Option<AgentRules>) -> Result<LaunchRequest, Failure> {
    let rules = jobs.map_or_else(|| agent_rules(common_args(&args.command)), Ok)?;
    Ok(LaunchRequest { hosts: args.ssh.clone(), rules, meeting: choose_server(args)? })
}

/// Agents may measure what this command measures, and nothing else.
fn agent_rules(common: Option<&Common>) -> Result<AgentRules, Failure> {
    let Some(common) = common else {
        return Ok(AgentRules { allow: vec![PathBuf::from(NO_TARGET)], read_only: true });
    };
    let Some(path) = &common.path else {
        let what = "agents that are started over ssh measure only what is named, and nothing was";
        return Err(
            Failure::wrong(what).hint("say what is measured: truedisk fleet --ssh HOSTS ... PATH")
        );
    };
    if !path.is_absolute() {
        return Err(relative_path(path));
    }
    Ok(AgentRules { allow: vec![path.clone()], read_only: common.extent.read_only })
}

fn choose_server(args: &FleetArgs) -> Result<ServerChoice, Failure> {
    let ServerArgs { creds, tls_ca, tls_cert, tls_key, insecure, .. } = &args.server;
    let wrong = |what: &str, hint: &str| Err(Failure::wrong(what).hint(hint));
    if tls_cert.is_some() || tls_key.is_some() {
        let what = "the key of --tls-key is not sent to other hosts";
        return wrong(what, "start agents there by other means, or use --creds");
    }
    let Some(url) = server_url(&args.server)? else {
        if creds.is_some() || tls_ca.is_some() {
            let what = "--creds and --tls-ca are for a server of yours, and none was named";
            return wrong(what, "give it with --nats, or leave them out");
        }
        return Ok(ServerChoice::Own(args.nats_server.clone()));
    };
    if args.nats_server.is_some() {
        return wrong("--nats-server and --nats are two servers", "give one of them");
    }
    Ok(ServerChoice::Existing {
        url,
        creds: read_option_file("--creds", creds.as_deref())?,
        tls_ca: read_option_file("--tls-ca", tls_ca.as_deref())?,
        insecure: *insecure,
    })
}

fn use_launched_agents(args: &mut FleetArgs, launched: &LaunchedAgents) -> Result<(), Failure> {
    let names: Result<Vec<AgentName>, String> = launched.names().map(str::parse).collect();
    args.hosts = names.map_err(|error| {
        Failure::wrong(error).hint("give the host a short name in ~/.ssh/config")
    })?;
    if let (Some(url), Some(creds)) = (launched.url(), launched.creds()) {
        args.server.nats = Some(url);
        args.server.creds = Some(creds);
    }
    Ok(())
}

/// The last output of agents that have ended is often the cause of a failure.
fn append_agent_output(mut failure: Failure, launched: &mut LaunchedAgents) -> Failure {
    for agent in launched.ended_agents() {
        failure.message += &format!("\nthe agent on {} has ended: {}", agent.host, agent.said);
    }
    failure
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use std::path::Path;

    use super::*;
    use crate::args::{Arguments, Command};

    fn parse_words(words: &str) -> Result<LaunchRequest, Failure> {
        let words = format!("truedisk fleet {words}");
        match Arguments::try_parse_from(words.split(' ')).unwrap().command {
            Some(Command::Fleet(args)) => launch_request(&args, None),
            _ => panic!("{words}"),
        }
    }

    #[test]
    fn agents_may_do_what_the_command_does() {
        let launch = parse_words("--ssh a,b@c check --read-only /srv/x").unwrap();
        let hosts: Vec<String> = launch.hosts.iter().map(ToString::to_string).collect();
        assert_eq!(hosts, ["a", "b@c"]);
        assert_eq!(launch.rules.allow, [PathBuf::from("/srv/x")]);
        assert!(launch.rules.read_only);
        assert!(!parse_words("--ssh a limit /srv/x").unwrap().rules.read_only);
        let list = parse_words("--ssh a list").unwrap().rules;
        assert!(list.read_only && list.allow == [PathBuf::from(NO_TARGET)]);
    }

    #[test]
    fn where_agents_meet_is_ours_or_yours() {
        assert!(matches!(parse_words("--ssh a list").unwrap().meeting, ServerChoice::Own(None)));
        let given = parse_words("--ssh a --nats-server /opt/nats list").unwrap().meeting;
        assert!(matches!(given, ServerChoice::Own(Some(path)) if path == Path::new("/opt/nats")));
        let yours = parse_words("--ssh a --nats nats://n --insecure list").unwrap().meeting;
        let ServerChoice::Existing { url, insecure, creds, tls_ca } = yours else { panic!("own") };
        assert!(url == "nats://n" && insecure && creds.is_none() && tls_ca.is_none());
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "nats://bob:word@n\n").unwrap();
        let words = format!("--ssh a --nats-file {} list", file.path().display());
        let read = parse_words(&words).unwrap().meeting;
        assert!(matches!(read, ServerChoice::Existing { url, .. } if url == "nats://bob:word@n"));
    }

    #[test]
    fn what_cannot_be_launched_is_refused_before() {
        let check = |words: &str, why: &str| {
            let failure = parse_words(words).unwrap_err();
            assert!(failure.message.contains(why), "{words}: {failure:?}");
            assert_eq!(failure.exit, Exit::Error(ErrorKind::WrongRequest));
        };
        check("--ssh a check", "nothing was");
        check("--ssh a check srv", "not on others");
        check("--ssh a --creds x list", "none was named");
        check("--ssh a --nats-file /no/such/file list", "cannot read /no/such/file of --nats-file");
        check("--ssh a --nats nats://n --nats-server y list", "two servers");
        check("--ssh a --nats nats://n --creds /no/such/file list", "cannot read /no/such/file");
        check("--ssh a --tls-key k --tls-cert c list", "not sent to other hosts");
        let words = ["truedisk", "fleet", "--ssh", "-oProxyCommand=reboot", "list"];
        assert!(Arguments::try_parse_from(words).is_err());
    }
}
