//! A PostgreSQL server of the tests' own: on a loopback port, in a scratch folder, as a user who
//! is not root, because PostgreSQL refuses root.
// Helpers of tests; each test file uses its part.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lab::{Missing, Need};

/// Where Debian keeps the server's programs.
const PROGRAMS: &str = "/usr/lib/postgresql/15/bin";
/// `nobody`.
const USER: u32 = 65_534;

/// What the server needs of the machine.
pub fn needs() -> Result<(), Missing> {
    let server = Need::Program("/usr/lib/postgresql/15/bin/postgres");
    lab::require(&[server, Need::Program("setpriv"), Need::Root])
}

/// A running server, which ends with it.
pub struct Server {
    folder: tempfile::TempDir,
    port: u16,
}

impl Server {
    /// Starts a server and waits until it answers.
    pub fn start() -> Self {
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let password = folder.path().join("password");
        fs::write(&password, "secret\n").unwrap();
        for path in [folder.path(), &password] {
            chown(path, Some(USER), Some(USER)).unwrap();
        }
        let data = folder.path().join("data");
        run(
            "initdb",
            &[
                "-D",
                text(&data),
                "-U",
                "ann",
                "--auth=scram-sha-256",
                "--pwfile",
                text(&password),
                "--no-sync",
                "--locale=C",
                "-E",
                "UTF8",
            ],
        );
        // Free a moment ago; nobody else on this machine takes ports at random.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let options = format!(
            "-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
        );
        let log = folder.path().join("log");
        run("pg_ctl", &["-D", text(&data), "-w", "-o", &options, "-l", text(&log), "start"]);
        Self { folder, port }
    }

    /// The address of the server, as its owner.
    pub fn address(&self) -> String {
        self.address_as("ann", "secret")
    }

    /// The address with another login.
    pub fn address_as(&self, user: &str, password: &str) -> String {
        format!("postgres://{user}:{password}@127.0.0.1:{}/postgres", self.port)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        run("pg_ctl", &["-D", text(&self.data()), "-w", "-m", "immediate", "stop"]);
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn run(program: &str, arguments: &[&str]) {
    let output = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(Path::new(PROGRAMS).join(program))
        .args(arguments)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(output.success(), "{program} {arguments:?}: {output}");
}
