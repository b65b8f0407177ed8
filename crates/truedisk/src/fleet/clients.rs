//! `fio --client=HOST`: the agents of these hosts run the jobs, as with `truedisk fleet fio`.

use std::ffi::OsString;
use std::path::Path;

use fleet::AgentName;

use crate::args::{self, Command};
use crate::exit::{Failure, Outcome};

/// Options of `truedisk fleet` that lead to the agents' server.
const FLEET_OPTIONS: &str = "TRUEDISK_FLEET";

/// Hosts of a command line of fio's, and the words that are left.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ClientCall {
    hosts: Vec<String>,
    words: Vec<OsString>,
}

/// Finds the hosts; `None` without any. As in fio, job files behind a host are that host's.
pub(crate) fn find_clients(words: &[OsString]) -> Result<Option<ClientCall>, Failure> {
    let (mut hosts, mut rest) = (Vec::new(), Vec::new());
    let mut own_files: Vec<Vec<&OsString>> = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or_default();
        let attached = ["--client=", "-client=", "-C"].iter().find_map(|at| text.strip_prefix(at));
        let host = match (text, attached) {
            ("--client" | "-client" | "-C", _) => words.next().and_then(|word| word.to_str()),
            (_, Some(host)) => Some(host),
            _ => {
                rest.push(word);
                continue;
            }
        };
        let host = host.filter(|host| !host.is_empty());
        hosts.push(host.ok_or_else(|| Failure::wrong("--client needs a host"))?.to_owned());
        let is_file = |word: &&OsString| !word.to_string_lossy().starts_with('-');
        own_files.push(std::iter::from_fn(|| words.next_if(is_file)).collect());
    }
    if hosts.is_empty() {
        return Ok(None);
    }
    // Hosts before the first job file share it; one behind it without a file would not be asked.
    let shared = own_files.iter().take_while(|files| files.is_empty()).count();
    own_files.drain(..shared);
    own_files.dedup();
    if own_files.len() > 1 {
        return Err(Failure::wrong("--client: the hosts have different job files, but one start")
            .hint("give all of them the same, or call it once for each host"));
    }
    let words = rest.into_iter().chain(own_files.into_iter().flatten()).cloned().collect();
    Ok(Some(ClientCall { hosts: hosts.iter().try_fold(Vec::new(), add_hosts)?, words }))
}

/// Adds what `--client` names: a host, perhaps with its port, or a file that lists hosts.
fn add_hosts(mut hosts: Vec<String>, named: &String) -> Result<Vec<String>, Failure> {
    let listed = match Path::new(named).is_file() {
        true => input::read_text(Path::new(named), input::TEXT_MAX)
            .map_err(|error| Failure::wrong(format_args!("--client={named}: {error}")))?,
        false => named.clone(),
    };
    for line in listed.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let host = line.split(',').next().unwrap_or(line);
        let host =
            ["ip:", "ip4:", "ip6:"].iter().find_map(|at| host.strip_prefix(at)).unwrap_or(host);
        let name = AgentName::from_host(host)
            .map_err(|error| Failure::wrong(format_args!("--client={line}: {error}")))?;
        hosts.push(name.to_string());
    }
    Ok(hosts)
}

/// Has the agents of the hosts run the jobs.
pub(crate) fn run_clients(call: ClientCall) -> Outcome {
    let hosts = call.hosts.join(",");
    let options = std::env::var(FLEET_OPTIONS).unwrap_or_default();
    let how = format!(
        "agents of truedisk run the jobs: set {FLEET_OPTIONS}='--nats nats://SERVER:4222', or write \
         truedisk fleet --nats nats://SERVER:4222 --hosts {hosts} fio JOBFILE"
    );
    if options.trim().is_empty() {
        let what = format!("--client: the server of the agents {hosts} is not known");
        return Err(Failure::wrong(what).hint(how));
    }
    let ours = ["truedisk", "fleet"].into_iter().chain(options.split_whitespace());
    let ours = ours.chain(["--hosts", &hosts, "fio", "--quiet"]).map(OsString::from);
    let words: Vec<OsString> = ours.chain(call.words).collect();
    let parsed = args::parse_words(&words).map_err(|error| {
        let (what, _) = args::describe_error(&error, &words).unwrap_or_default();
        Failure::wrong(format_args!("{FLEET_OPTIONS}: {what}")).hint(how.clone())
    })?;
    match parsed.command {
        // A list of hosts grows with each use of its option.
        Some(Command::Fleet(fleet)) if fleet.hosts.len() > call.hosts.len() => {
            let what = format!("{FLEET_OPTIONS} names hosts, and --client does too");
            Err(Failure::wrong(what)
                .hint("leave --hosts out of it: --client alone says where the jobs run"))
        }
        Some(Command::Fleet(fleet)) => super::run(*fleet),
        _ => Err(Failure::wrong(format_args!("{FLEET_OPTIONS} names another command")).hint(how)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(words: &[&str]) -> Result<Option<ClientCall>, Failure> {
        find_clients(&words.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn hosts_are_taken_out_of_the_words() {
        let check = |words: &[&str], hosts: &[&str], rest: &[&str]| {
            let call = found(words).unwrap().unwrap();
            assert_eq!(call.hosts, hosts, "{words:?}");
            assert_eq!(call.words, rest, "{words:?}");
        };
        check(&["--client=a", "j.fio"], &["a"], &["j.fio"]);
        check(
            &["--client", "ip:10.0.0.1,8765", "j.fio", "--output-format=json"],
            &["10-0-0-1"],
            &["--output-format=json", "j.fio"],
        );
        check(&["-Ca", "j.fio", "-C", "b", "j.fio"], &["a", "b"], &["j.fio"]);
        check(&["--client=a", "--client=b.c", "j.fio"], &["a", "b-c"], &["j.fio"]);
        assert!(found(&["--name=a", "--rw=read"]).unwrap().is_none());
        let error = found(&["--client=a", "x.fio", "--client=b", "y.fio"]).unwrap_err();
        assert!(error.message.contains("different job files"), "{}", error.message);
        assert!(found(&["--client"]).is_err());
    }
}
