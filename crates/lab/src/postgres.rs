//! A PostgreSQL server of the tests' own, as a user who is not root: PostgreSQL refuses root.
#![allow(clippy::unwrap_used, reason = "a failure here fails the test")]

use crate::{Missing, Need, require};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// Where Debian keeps the server's programs.
const PROGRAMS: &str = "/usr/lib/postgresql/15/bin";
/// `nobody`.
const USER: u32 = 65_534;

/// What the server needs of the machine; the error says what is missing.
pub fn postgres_needs() -> Result<(), Missing> {
    let server = Need::Program("/usr/lib/postgresql/15/bin/postgres");
    require(&[server, Need::Program("setpriv"), Need::Root])
}

/// A server that ends with its program at the latest: a shell holds the other end of a pipe, and
/// when the pipe closes it stops the server at once and removes the folder.
#[derive(Debug)]
pub struct PostgresServer {
    port: u16,
    /// Holds the pipe.
    keeper: Child,
}

/// What the shell does: the server beside it, and itself until the pipe closes.
const KEEPER: &str = "folder=\"$1\"; port=\"$2\"; shift 2; \
    \"$0\" -D \"$folder/data\" -p \"$port\" -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories='' \"$@\" & server=$!; cat; \
    kill -QUIT $server; wait $server; rm -rf \"$folder\"";

impl PostgresServer {
    /// The server of this program; the first that asks waits until it answers.
    pub fn shared() -> &'static Self {
        static SERVER: OnceLock<PostgresServer> = OnceLock::new();
        // The keeper removes the folder.
        let folder = || tempfile::tempdir_in("/tmp").unwrap().keep();
        SERVER.get_or_init(|| Self::start_in(&folder(), &["fsync=off"]))
    }

    /// A server with these settings and a new cluster in an empty folder, which becomes the
    /// server's and is removed with it.
    pub fn start_in(folder: &Path, settings: &[&str]) -> Self {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        let password = folder.join("password");
        fs::write(&password, "secret\n").unwrap();
        for path in [folder, &password] {
            chown(path, Some(USER), Some(USER)).unwrap();
        }
        let data = folder.join("data");
        let mut make = as_user(&program("initdb"));
        make.args(["-D", text(&data), "-U", "ann", "--auth=scram-sha-256", "--pwfile"]);
        make.args([text(&password), "--no-sync", "--no-instructions", "--locale=C", "-E", "UTF8"]);
        assert!(quiet(&mut make).status().unwrap().success(), "initdb failed");
        // Free a moment ago; nobody else on this machine takes ports at random.
        let port = closed_port();
        let mut keeper = as_user(Path::new("sh"));
        keeper.args(["-c", KEEPER]).arg(program("postgres")).arg(folder).arg(port.to_string());
        keeper.args(settings.iter().flat_map(|setting| ["-c", *setting]));
        // Of a group of its own, so that Ctrl-C leaves it its work.
        let keeper = quiet(&mut keeper).stdin(Stdio::piped()).process_group(0).spawn().unwrap();
        let mut server = Self { port, keeper };
        let begun = Instant::now();
        while !server.client("pg_isready").status().unwrap().success() {
            assert!(begun.elapsed() < Duration::from_secs(60), "no answer");
            assert!(server.keeper.try_wait().unwrap().is_none(), "the server ended");
            thread::yield_now();
        }
        server
    }

    /// The address of a database of this name, which is made, as its owner.
    pub fn database(&self, name: &str) -> String {
        assert!(self.client("createdb").arg(name).status().unwrap().success(), "createdb failed");
        self.address_as("ann", "secret", name)
    }

    /// Ends the server as a crash would, and waits for its end.
    pub fn stop(mut self) {
        drop(self.keeper.stdin.take());
        self.keeper.wait().unwrap();
    }

    /// A program of PostgreSQL's, as the owner, which says nothing.
    pub fn client(&self, name: &str) -> Command {
        let mut command = Command::new(program(name));
        command.args(["-h", "127.0.0.1", "-U", "ann", "-p", &self.port.to_string()]);
        quiet(command.env("PGPASSWORD", "secret"));
        command
    }

    /// The address of a database with another login.
    pub fn address_as(&self, user: &str, password: &str, database: &str) -> String {
        format!("postgres://{user}:{password}@127.0.0.1:{}/{database}", self.port)
    }
}

/// A port on which nobody answers.
pub fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn program(name: &str) -> PathBuf {
    Path::new(PROGRAMS).join(name)
}

fn as_user(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(program);
    command.current_dir("/");
    command
}

fn quiet(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
