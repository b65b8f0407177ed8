//! `truedisk fleet --ssh`: agents for one command, started before it and ended after it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use engine::StopSignal;
use fleet::AgentName;
use fleet::ssh::{AgentRules, LaunchRequest, LaunchedAgents, ServerChoice, SshError, launch};

use crate::args::{Common, FleetArgs, FleetCommand, ServerArgs};
use crate::{Failure, Outcome, signals, terminal};

const FAILED: u8 = 1;
const WRONG: u8 = 2;
/// 128 and SIGINT's number, as shells count.
const INTERRUPTED: u8 = 130;

/// What an agent may measure that is only asked for what it keeps: nothing.
const NO_TARGET: &str = "/dev/null";

impl From<SshError> for Failure {
    fn from(error: SshError) -> Self {
        let status = match error {
            SshError::Destination { .. } | SshError::DuplicateName { .. } => WRONG,
            SshError::Stopped => INTERRUPTED,
            _ => FAILED,
        };
        Self::new(error.to_string(), error.hint(), status)
    }
}

/// Runs a command with agents of its own on the hosts that `--ssh` names.
///
/// What agents may do follows from `jobs`, where it is these that they run.
pub(super) fn run_with_agents(
    mut args: FleetArgs,
    jobs: Option<AgentRules>,
    command: impl FnOnce(&FleetArgs) -> Outcome,
) -> Outcome {
    let rules = jobs.map_or_else(|| agent_rules(common_args(&args.command)), Ok)?;
    let request = launch_request(&args, rules)?;
    let stop = StopSignal::default();
    let launching = listen_while_launching(&args.command, &stop)?;
    let quiet = match &args.command {
        FleetCommand::Fio(fio) => fio.quiet,
        command => common_args(command).is_some_and(|common| common.quiet),
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

/// A signal ends the launch. Later it ends commands that do not listen to signals themselves;
/// those that measure do. Gives what says whether agents are being launched.
fn listen_while_launching(
    command: &FleetCommand,
    stop: &StopSignal,
) -> Result<Arc<AtomicBool>, Failure> {
    let launching = Arc::new(AtomicBool::new(true));
    let (flag, seen, listens) = (stop.clone(), Arc::clone(&launching), handles_signals(command));
    let first = move || {
        flag.raise();
        if !listens && !seen.load(Ordering::SeqCst) {
            // The agents end with us.
            std::process::exit(i32::from(INTERRUPTED));
        }
    };
    signals::call_on_signal(false, first, |signal| 128 + signal).map_err(|error| {
        Failure::new(format!("cannot watch for signals: {error}"), None, FAILED)
    })?;
    Ok(launching)
}

/// Whether a command listens to signals itself.
fn handles_signals(command: &FleetCommand) -> bool {
    matches!(command, FleetCommand::Fio(_)) || common_args(command).is_some()
}

/// What a command that measures has in common with others.
pub(super) fn common_args(command: &FleetCommand) -> Option<&Common> {
    match command {
        FleetCommand::Check(check) => Some(&check.common),
        FleetCommand::Limit(limit) => Some(&limit.common),
        FleetCommand::Sweep(sweep) => Some(&sweep.common),
        FleetCommand::List
        | FleetCommand::Fio(_)
        | FleetCommand::Collect(_)
        | FleetCommand::Stop { .. } => None,
    }
}

fn launch_request(args: &FleetArgs, rules: AgentRules) -> Result<LaunchRequest, Failure> {
    Ok(LaunchRequest { hosts: args.ssh.clone(), rules, meeting: choose_server(args)? })
}

/// Agents may measure what this command measures, and nothing else.
fn agent_rules(common: Option<&Common>) -> Result<AgentRules, Failure> {
    let Some(common) = common else {
        return Ok(AgentRules { allow: vec![PathBuf::from(NO_TARGET)], read_only: true });
    };
    match &common.path {
        Some(path) if path.is_absolute() => {
            Ok(AgentRules { allow: vec![path.clone()], read_only: common.read_only })
        }
        Some(path) => Err(Failure::new(
            format!("{} is a path on this host, not on others", path.display()),
            Some("give an absolute path, such as /srv/test".to_owned()),
            WRONG,
        )),
        None => Err(Failure::new(
            "agents that are started over ssh measure only what is named, and nothing was",
            Some("say what is measured: truedisk fleet --ssh HOSTS ... PATH".to_owned()),
            WRONG,
        )),
    }
}

fn choose_server(args: &FleetArgs) -> Result<ServerChoice, Failure> {
    let ServerArgs { creds, tls_ca, tls_cert, tls_key, insecure, .. } = &args.server;
    let wrong = |what: &str, hint: &str| Failure::new(what, Some(hint.to_owned()), WRONG);
    if tls_cert.is_some() || tls_key.is_some() {
        let what = "the key of --tls-key is not sent to other hosts";
        return Err(wrong(what, "start agents there by other means, or use --creds"));
    }
    let Some(url) = super::server_url(&args.server)? else {
        if creds.is_some() || tls_ca.is_some() {
            let what = "--creds and --tls-ca are for a server of yours, and none was named";
            return Err(wrong(what, "give it with --nats, or leave them out"));
        }
        return Ok(ServerChoice::Own(args.nats_server.clone()));
    };
    if args.nats_server.is_some() {
        let what = "--nats-server and --nats are two servers";
        return Err(wrong(what, "give one of them"));
    }
    Ok(ServerChoice::Existing {
        url,
        creds: read_option_file("--creds", creds.as_deref())?,
        tls_ca: read_option_file("--tls-ca", tls_ca.as_deref())?,
        insecure: *insecure,
    })
}

/// The text of a file that an option names, where it does.
pub(super) fn read_option_file(flag: &str, file: Option<&Path>) -> Result<Option<String>, Failure> {
    let read = |file: &Path| {
        input::read_text(file, input::TEXT_MAX).map_err(|error| {
            let what = format!("cannot read {} of {flag}: {error}", file.display());
            let hint = "name a file that this user may read";
            Failure::new(what, Some(hint.to_owned()), WRONG)
        })
    };
    file.map(read).transpose()
}

/// Leads the command to the agents that were launched, and to no others.
fn use_launched_agents(args: &mut FleetArgs, launched: &LaunchedAgents) -> Result<(), Failure> {
    let names: Result<Vec<AgentName>, String> = launched.names().map(str::parse).collect();
    args.hosts = names.map_err(|error| {
        let hint = "give the host a short name in ~/.ssh/config";
        Failure::new(error, Some(hint.to_owned()), WRONG)
    })?;
    if let (Some(url), Some(creds)) = (launched.url(), launched.creds()) {
        args.server.nats = Some(url);
        args.server.creds = Some(creds);
    }
    Ok(())
}

/// A failure with what the agents said that have ended: that is often its cause.
fn append_agent_output(failure: Failure, launched: &mut LaunchedAgents) -> Failure {
    let ended: Vec<String> = launched
        .ended_agents()
        .iter()
        .map(|agent| format!("\nthe agent on {} has ended: {}", agent.host, agent.said))
        .collect();
    failure.append(&ended.concat())
}

/// Whether the user asked for agents of the command's own.
pub(super) fn is_requested(args: &FleetArgs) -> bool {
    !args.ssh.is_empty()
}

/// Refuses what only belongs to `--ssh`.
pub(super) fn refuse_ssh_options(args: &FleetArgs) -> Result<(), Failure> {
    if args.nats_server.is_some() {
        let hint = "name the hosts with --ssh, or a server that runs with --nats".to_owned();
        return Err(Failure::new("--nats-server is for agents of --ssh", Some(hint), WRONG));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Arguments, Command};

    fn asked(words: &str) -> Result<LaunchRequest, Failure> {
        let words = format!("truedisk fleet {words}");
        match Arguments::try_parse_from(words.split(' ')).unwrap().command {
            Some(Command::Fleet(args)) => {
                launch_request(&args, agent_rules(common_args(&args.command))?)
            }
            _ => panic!("{words}"),
        }
    }

    #[test]
    fn agents_may_do_what_the_command_does() {
        let launch = asked("--ssh a,b@c check --read-only /srv/x").unwrap();
        let hosts: Vec<String> = launch.hosts.iter().map(ToString::to_string).collect();
        assert_eq!(hosts, ["a", "b@c"]);
        assert_eq!(launch.rules.allow, [PathBuf::from("/srv/x")]);
        assert!(launch.rules.read_only);
        assert!(!asked("--ssh a limit /srv/x").unwrap().rules.read_only);
        let list = asked("--ssh a list").unwrap().rules;
        assert!(list.read_only && list.allow == [PathBuf::from(NO_TARGET)]);
    }

    #[test]
    fn where_agents_meet_is_ours_or_yours() {
        assert!(matches!(asked("--ssh a list").unwrap().meeting, ServerChoice::Own(None)));
        let given = asked("--ssh a --nats-server /opt/nats list").unwrap().meeting;
        assert!(matches!(given, ServerChoice::Own(Some(path)) if path == Path::new("/opt/nats")));
        let yours = asked("--ssh a --nats nats://n --insecure list").unwrap().meeting;
        let ServerChoice::Existing { url, insecure, creds, tls_ca } = yours else { panic!("own") };
        assert!(url == "nats://n" && insecure && creds.is_none() && tls_ca.is_none());
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "nats://bob:word@n\n").unwrap();
        let words = format!("--ssh a --nats-file {} list", file.path().display());
        let read = asked(&words).unwrap().meeting;
        assert!(matches!(read, ServerChoice::Existing { url, .. } if url == "nats://bob:word@n"));
    }

    #[test]
    fn what_cannot_be_launched_is_refused_before() {
        let check = |words: &str, why: &str| {
            let failure = asked(words).unwrap_err();
            assert!(failure.message().contains(why), "{words}: {failure:?}");
            assert_eq!(failure.status, WRONG);
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
