//! Arguments and scripts for ssh and the shells.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::error::{CANNOT_RUN, SshError};

/// Ends a text file on a shell's standard input.
const END_MARK: &str = ".";

/// As `crate::AgentName`.
const NAME_MAX: usize = 64;

/// Time for a connection.
const CONNECT_SECONDS: u32 = 15;

/// A connection that is silent for 3 of these is closed.
const ALIVE_SECONDS: u32 = 5;

/// Time for a program to end: an agent saves its record and removes its test file.
const END_SECONDS: u32 = 25;

/// A host as ssh takes it: a name in its configuration, `user@host`, `ssh://user@host:port`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Destination(String);

impl FromStr for Destination {
    type Err = SshError;

    fn from_str(text: &str) -> Result<Destination, SshError> {
        let refuse = |why| Err(SshError::Destination { text: text.to_owned(), why });
        if text.is_empty() {
            return refuse("is empty");
        }
        // Some options of ssh run commands.
        if text.starts_with('-') {
            return refuse("begins with a hyphen");
        }
        if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return refuse("has a blank in it");
        }
        Ok(Destination(text.to_owned()))
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Destination {
    /// A name for the agent there: other characters become hyphens.
    pub fn agent_name(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        self.0.chars().map(plain).take(NAME_MAX).collect()
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentRules {
    pub allow: Vec<PathBuf>,
    pub read_only: bool,
}

/// The route from agents to the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ServerRoute {
    /// A port on the host's loopback leads to one of ours, through ssh.
    Tunnel { remote: u16, local: u16 },
    /// By the URL in the agent's files.
    Direct { insecure: bool },
}

/// The user's configuration stands, except for questions, terminals, commands and shared
/// connections.
pub(super) fn ssh_arguments(host: &Destination, way: &ServerRoute) -> Vec<String> {
    let settings = [
        "BatchMode=yes".to_owned(),
        format!("ConnectTimeout={CONNECT_SECONDS}"),
        format!("ServerAliveInterval={ALIVE_SECONDS}"),
        "ServerAliveCountMax=3".to_owned(),
        "ExitOnForwardFailure=yes".to_owned(),
        "ControlMaster=no".to_owned(),
        "ControlPath=none".to_owned(),
        "RemoteCommand=none".to_owned(),
        "PermitLocalCommand=no".to_owned(),
    ];
    let mut words = vec!["-T".to_owned()];
    words.extend(settings.into_iter().flat_map(|setting| ["-o".to_owned(), setting]));
    if let ServerRoute::Tunnel { remote, local } = way {
        words.extend(["-R".to_owned(), format!("127.0.0.1:{remote}:127.0.0.1:{local}")]);
    }
    words.extend(["--".to_owned(), host.to_string()]);
    words
}

/// A plain `sh`: the login shell may be any.
pub(super) fn remote_command(script: &str) -> String {
    format!("exec sh -c {}", shell_quote(script))
}

pub(super) fn shell_quote(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

pub(super) fn encode_text_file(text: &str) -> String {
    let newline = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{newline}{END_MARK}\n")
}

/// The prelude of each script: a temporary folder, and `run`, which runs a program until it ends or
/// our end of the standard input is closed, which our death closes too.
///
/// A background command has no standard input, so it is kept as 3.
fn shell_prelude() -> String {
    format!(
        r#"umask 077
child= guard=
folder=$(mktemp -d "${{TMPDIR:-/tmp}}/.truedisk-launch-XXXXXXXX") || exit 73
finish() {{
  [ -z "$child" ] || {{ kill "$child" 2>/dev/null; wait "$child" 2>/dev/null; }}
  [ -z "$guard" ] || kill "$guard" 2>/dev/null
  rm -rf "$folder"
}}
trap finish EXIT
trap "exit 143" HUP INT TERM
take() {{
  while IFS= read -r line && [ "$line" != {END_MARK} ]; do
    printf "%s\n" "$line"
  done > "$folder/$1"
}}
run() {{
  exec 3<&0
  "$@" </dev/null 3<&- &
  child=$!
  {{ cat <&3; kill "$child"; sleep {END_SECONDS}; kill -9 "$child"; }} >/dev/null 2>&1 &
  guard=$!
  exec 3<&-
  wait "$child"
  status=$?
  child=
  exit $status
}}
"#
    )
}

/// Text files for an agent, by the options that name them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct AgentFiles {
    /// `--nats-file`: the user's server, perhaps with a password.
    pub(super) url: Option<String>,
    /// `--creds`
    pub(super) creds: Option<String>,
    /// `--tls-ca`
    pub(super) tls_ca: Option<String>,
}

impl AgentFiles {
    /// Option, name of the file, text; in the order in which they are sent.
    fn files(&self) -> impl Iterator<Item = (&'static str, &'static str, &str)> {
        let agent_files = [
            ("--nats-file", "nats.url", &self.url),
            ("--creds", "fleet.creds", &self.creds),
            ("--tls-ca", "ca.pem", &self.tls_ca),
        ];
        agent_files
            .into_iter()
            .filter_map(|(option, file, text)| Some((option, file, text.as_deref()?)))
    }

    pub(super) fn encode(&self) -> String {
        self.files().map(|(_, _, text)| encode_text_file(text)).collect()
    }
}

/// On a host: receives files and a program of `bytes` bytes, tests it, and runs it as an agent.
pub(super) fn agent_script(
    machine: &str,
    bytes: u64,
    agent_files: &AgentFiles,
    words: &[String],
) -> String {
    let take: String = agent_files.files().map(|(_, file, _)| format!("take {file}\n")).collect();
    let named: String = agent_files
        .files()
        .map(|(option, file, _)| format!(" {option} \"$folder/{file}\""))
        .collect();
    let words: String = words.iter().map(|word| format!(" {}", shell_quote(word))).collect();
    format!(
        r#"here="$(uname -s) $(uname -m)"
[ "$here" = {quoted} ] || {{
  echo "this program is for {machine}, and the host is $here" >&2; exit 65
}}
{common}{take}head -c {bytes} > "$folder/truedisk"
[ "$(wc -c < "$folder/truedisk")" -eq {bytes} ] || {{
  echo "the program did not come whole into $folder" >&2; exit 74
}}
chmod 700 "$folder/truedisk"
"$folder/truedisk" --version >/dev/null || {{ echo "{CANNOT_RUN}" >&2; exit 69; }}
run "$folder/truedisk" agent{named}{words}
"#,
        quoted = shell_quote(machine),
        common = shell_prelude(),
    )
}

/// The line on an agent's standard error once it accepts orders.
pub(super) fn ready_line(name: &str) -> String {
    format!("agent {name} is ready")
}

pub(super) fn agent_arguments(name: &str, way: &ServerRoute, rules: &AgentRules) -> Vec<String> {
    let mut words = Vec::new();
    if let ServerRoute::Tunnel { remote, .. } = way {
        words.extend(["--nats".to_owned(), format!("nats://127.0.0.1:{remote}")]);
    }
    words.extend(["--name".to_owned(), name.to_owned()]);
    if matches!(way, ServerRoute::Direct { insecure: true }) {
        words.push("--insecure".to_owned());
    }
    for path in &rules.allow {
        words.extend(["--allow".to_owned(), path.to_string_lossy().into_owned()]);
    }
    if rules.read_only {
        words.push("--read-only".to_owned());
    }
    words
}

pub(super) fn server_script(program: &Path) -> String {
    let program = shell_quote(&program.to_string_lossy());
    let common = shell_prelude();
    format!(
        r#"{common}take nats.conf
take fleet.creds
mkdir "$folder/ports"
echo "$folder"
run {program} --config "$folder/nats.conf" --ports_file_dir "$folder/ports" >&2
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(text: &str) -> Destination {
        text.parse().unwrap()
    }

    #[test]
    fn a_destination_is_no_option_and_no_two_words() {
        let check = |text: &str, why: &str| {
            let error = text.parse::<Destination>().unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        };
        check("", "is empty");
        check("-oProxyCommand=reboot", "begins with a hyphen");
        check("a b", "has a blank");
        check("a\n", "has a blank");
        assert_eq!(host("ssh://root@db.example:2222").to_string(), "ssh://root@db.example:2222");
    }

    #[test]
    fn an_agents_name_is_one_token_of_a_subject() {
        assert_eq!(host("db1").agent_name(), "db1");
        assert_eq!(host("root@db.example").agent_name(), "root-db-example");
        assert_eq!(host("[fe80::1%eth0]").agent_name(), "-fe80--1-eth0-");
    }

    #[test]
    fn ssh_is_told_to_ask_nothing_and_to_share_nothing() {
        let settings = "-T -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=5 \
                        -o ServerAliveCountMax=3 -o ExitOnForwardFailure=yes -o ControlMaster=no \
                        -o ControlPath=none -o RemoteCommand=none -o PermitLocalCommand=no";
        let tunnel = ServerRoute::Tunnel { remote: 23456, local: 4222 };
        let words = ssh_arguments(&host("db1"), &tunnel).join(" ");
        assert_eq!(words, format!("{settings} -R 127.0.0.1:23456:127.0.0.1:4222 -- db1"));
        let direct = ServerRoute::Direct { insecure: false };
        assert_eq!(ssh_arguments(&host("db1"), &direct).join(" "), format!("{settings} -- db1"));
    }

    /// What a real shell makes of a word.
    fn shell(script: &str) -> String {
        let output = std::process::Command::new("sh").args(["-c", script]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn a_shell_takes_every_word_as_it_is() {
        for word in ["", "plain", "a b", "it's", "$HOME `id` \\ \"", "-n", "a\nb", "*", "''"] {
            assert_eq!(shell(&format!("printf %s {}", shell_quote(word))), word);
            let inner = format!("printf %s {}", shell_quote(word));
            assert_eq!(shell(&remote_command(&inner)), word, "through two shells");
        }
    }

    #[test]
    fn an_agent_is_told_its_rules() {
        let rules = AgentRules { allow: vec!["/mnt/san".into(), "/mnt/b".into()], read_only: true };
        let tunnel = ServerRoute::Tunnel { remote: 23456, local: 4222 };
        assert_eq!(
            agent_arguments("db1", &tunnel, &rules).join(" "),
            "--nats nats://127.0.0.1:23456 --name db1 --allow /mnt/san --allow /mnt/b \
             --read-only"
        );
        let direct = ServerRoute::Direct { insecure: true };
        assert_eq!(
            agent_arguments("db1", &direct, &AgentRules::default()).join(" "),
            "--name db1 --insecure",
            "the URL is among its files"
        );
    }

    /// Runs the script for a host here, with this "program", and gives status, stdout, stderr.
    /// The life line, its standard input, is cut once the program has said `until`.
    fn launched(
        machine: &str,
        program: &str,
        bytes: usize,
        until: &str,
    ) -> (Option<i32>, String, String) {
        use std::io::{Read as _, Write as _};
        use std::process::{Command, Stdio};

        let folder = tempfile::tempdir().unwrap();
        let agent_files = AgentFiles {
            url: Some("nats://bob:secret@n".to_owned()),
            creds: Some("line one\nline two\n".to_owned()),
            tls_ca: None,
        };
        let words = ["--name".to_owned(), "it's".to_owned()];
        let script = agent_script(machine, bytes as u64, &agent_files, &words);
        assert!(!script.contains("secret"), "arguments are seen by everybody on a host");
        let mut command = Command::new("sh");
        command.args(["-c", &remote_command(&script)]).env("TMPDIR", folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        // It may have ended before it has read this.
        let _ = input.write_all(format!("{}{program}", agent_files.encode()).as_bytes());
        let _ = input.flush();
        let mut stdout = child.stdout.take().unwrap();
        let mut said = Vec::new();
        let mut piece = [0; 256];
        while !String::from_utf8_lossy(&said).contains(until) {
            match stdout.read(&mut piece).unwrap() {
                0 => break,
                read => said.extend_from_slice(&piece[..read]),
            }
        }
        drop(input);
        stdout.read_to_end(&mut said).unwrap();
        let output = child.wait_with_output().unwrap();
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().collect();
        assert!(left.is_empty(), "{left:?}");
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(said), text(output.stderr))
    }

    /// Stands in for truedisk: as an agent it prints what it was told, and then does this.
    fn program(then: &str) -> String {
        format!(
            "#!/bin/sh\n\
             [ \"$1\" = --version ] && exit 0\n\
             [ \"$1\" = agent ] || exit 9\n\
             trap 'exit 7' TERM\n\
             while [ $# -gt 0 ]; do\n\
             shift; case \"$1\" in --creds|--nats-file) cat \"$2\";; esac; \
             printf '%s\\n' \"$1\"\n\
             done\n\
             echo said\n\
             {then}\n"
        )
    }

    #[test]
    fn a_host_takes_papers_and_program_and_keeps_nothing() {
        let here = super::super::program::machine();
        let program = program("exit 5");
        let (status, said, complaint) = launched(&here, &program, program.len(), "never said");
        assert_eq!(status, Some(5), "it ends by itself: {said} {complaint}");
        assert!(said.contains("line one\nline two\n--creds\n"), "{said}");
        assert!(said.contains("nats://bob:secret@n\n--nats-file\n"), "{said}");
        assert!(said.contains("--name\nit's\n"), "{said}");
    }

    #[test]
    fn a_program_is_asked_to_end_when_the_life_line_is_cut() {
        let here = super::super::program::machine();
        let program = program("while :; do sleep 0.01; done");
        let (status, said, complaint) = launched(&here, &program, program.len(), "said\n");
        assert_eq!(status, Some(7), "{said} {complaint}");
    }

    #[test]
    fn a_host_says_why_it_cannot() {
        let check = |machine: &str, program: &str, bytes, expected, why: &str| {
            let (status, said, complaint) = launched(machine, program, bytes, "");
            assert_eq!(status, Some(expected), "{complaint}");
            assert!(complaint.contains(why), "{complaint}");
            assert_eq!(said, "", "no agent ran");
        };
        let here = super::super::program::machine();
        let program = &program("exit 5");
        check("Linux m68k", program, program.len(), 65, "this program is for Linux m68k, and the");
        check(&here, program, program.len() + 1, 74, "did not come whole");
        let broken = "#!/no/such/linker\n";
        check(&here, broken, broken.len(), 69, CANNOT_RUN);
    }

    #[test]
    fn text_ends_with_a_lone_full_stop() {
        assert_eq!(encode_text_file("a\nb"), "a\nb\n.\n");
        assert_eq!(encode_text_file("a\n"), "a\n.\n");
        assert_eq!(encode_text_file(""), ".\n");
    }
}
