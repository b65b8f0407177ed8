//! An sshd on a host, with keys of its own, and the ssh that reaches it.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::daemon::Daemon;
use crate::hosts::Host;
use crate::scratch::Scratch;
use crate::tools::run;
use crate::{LabError, Result};

/// sshd re-executes itself, so it must be named by its whole path.
const PROGRAM: &str = "/usr/sbin/sshd";

/// Where sshd's unprivileged half lives; its package makes it only where systemd runs.
const EMPTY: &str = "/run/sshd";

/// How long it may take until it listens.
const START_LIMIT: Duration = Duration::from_secs(10);

/// Servers for ssh on hosts, and a client that knows them by the hosts' names; killed on drop.
#[derive(Debug)]
pub struct Sshd {
    daemons: Vec<Daemon>,
    scratch: Scratch,
}

impl Sshd {
    /// One sshd on each of these hosts, each at port 22 of its address. Who is root here may come
    /// in as root there.
    ///
    /// # Errors
    /// When sshd or ssh-keygen are missing, or one does not come up.
    pub fn on(hosts: &[Host]) -> Result<Sshd> {
        let scratch = Scratch::new()?;
        let mut sshd = Sshd { daemons: Vec::new(), scratch };
        fs::create_dir_all(EMPTY).map_err(|e| LabError::io("create", EMPTY, e))?;
        for kind in ["host", "user"] {
            let file = sshd.file(kind);
            let words = ["-q", "-t", "ed25519", "-N", "", "-f"].map(Path::new);
            run("ssh-keygen", words.into_iter().chain([file.as_path()]))?;
        }
        for host in hosts {
            let daemon = sshd.serve(host)?;
            sshd.daemons.push(daemon);
        }
        sshd.write_client(hosts)?;
        Ok(sshd)
    }

    /// A folder whose `ssh` is the system's with a configuration that knows the hosts; for the
    /// front of a PATH. ssh itself looks for a user's configuration where the system says that
    /// the user's home is, whatever HOME says.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.file("bin")
    }

    /// The configuration itself, for `ssh -F`.
    #[must_use]
    pub fn config(&self) -> PathBuf {
        self.file("ssh_config")
    }

    fn serve(&self, host: &Host) -> Result<Daemon> {
        let name = host.name();
        let config = self.file(&format!("sshd_config-{name}"));
        let lines = format!(
            "ListenAddress {}:22\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\n\
             UsePAM no\nStrictModes no\nPasswordAuthentication no\n\
             KbdInteractiveAuthentication no\nPermitRootLogin yes\nUseDNS no\nLogLevel VERBOSE\n",
            host.address(),
            self.file("host").display(),
            self.file("user.pub").display(),
        );
        write(&config, &lines)?;
        let mut command = host.command(PROGRAM);
        command.args(["-D", "-e", "-f"]).arg(&config);
        let log = self.file(&format!("sshd-{name}.log"));
        let mut daemon = Daemon::start(command, &log)?;
        daemon.wait_until("listen", START_LIMIT, || {
            Ok(fs::read_to_string(&log).is_ok_and(|said| said.contains("Server listening")))
        })?;
        Ok(daemon)
    }

    fn write_client(&self, hosts: &[Host]) -> Result<()> {
        let mut lines = format!(
            "User root\nIdentityFile {}\nIdentitiesOnly yes\nUserKnownHostsFile {}\n\
             GlobalKnownHostsFile /dev/null\nStrictHostKeyChecking yes\n",
            self.file("user").display(),
            self.file("known_hosts").display(),
        );
        let key = self.file("host.pub");
        let key = fs::read_to_string(&key).map_err(|e| LabError::io("read", &key, e))?;
        let mut known = String::new();
        for host in hosts {
            lines += &format!("Host {}\n  HostName {}\n", host.name(), host.address());
            known += &format!("{} {key}", host.address());
        }
        write(&self.config(), &lines)?;
        write(&self.file("known_hosts"), &known)?;
        let folder = self.folder();
        fs::create_dir(&folder).map_err(|e| LabError::io("create", &folder, e))?;
        let script =
            format!("#!/bin/sh\nexec /usr/bin/ssh -F '{}' \"$@\"\n", self.config().display());
        let client = folder.join("ssh");
        write(&client, &script)?;
        let allowed = fs::set_permissions(&client, Permissions::from_mode(0o755));
        allowed.map_err(|e| LabError::io("make executable", &client, e))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|e| LabError::io("write", path, e))
}
