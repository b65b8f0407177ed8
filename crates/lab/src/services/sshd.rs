//! An sshd on a host, with keys of its own, and the ssh that reaches it.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::daemon::Daemon;
use crate::tools::run_tool;
use crate::{Host, LabError, Result, Scratch};

/// sshd re-executes itself, so it must be named by its whole path.
const SSHD_PATH: &str = "/usr/sbin/sshd";

/// Where sshd's unprivileged half lives; its package makes it only where systemd runs.
const PRIVILEGE_SEPARATION_FOLDER: &str = "/run/sshd";

const START_LIMIT: Duration = Duration::from_secs(10);

/// Servers for ssh on hosts, and a client that knows them by the hosts' names; killed on drop.
#[derive(Debug)]
pub struct Sshd {
    daemons: Vec<Daemon>,
    scratch: Scratch,
}

impl Sshd {
    /// One sshd on each of these hosts, at port 22; root comes in as root.
    /// Fails when sshd or ssh-keygen are missing, or one does not come up.
    pub fn start_on_hosts(hosts: &[Host]) -> Result<Sshd> {
        let scratch = Scratch::new()?;
        let mut sshd = Sshd { daemons: Vec::new(), scratch };
        fs::create_dir_all(PRIVILEGE_SEPARATION_FOLDER)
            .map_err(|e| LabError::io("create", PRIVILEGE_SEPARATION_FOLDER, e))?;
        for kind in ["host", "user"] {
            let file = sshd.file_path(kind);
            let words = ["-q", "-t", "ed25519", "-N", "", "-f"].map(Path::new);
            run_tool("ssh-keygen", words.into_iter().chain([file.as_path()]))?;
        }
        for host in hosts {
            let daemon = sshd.start_on_host(host)?;
            sshd.daemons.push(daemon);
        }
        sshd.write_client_config(hosts)?;
        Ok(sshd)
    }

    /// A folder whose `ssh` knows the hosts; for the front of a PATH. ssh finds a user's own
    /// configuration by the user database, whatever HOME says.
    pub fn client_folder(&self) -> PathBuf {
        self.file_path("bin")
    }

    /// The configuration itself, for `ssh -F`.
    pub fn client_config(&self) -> PathBuf {
        self.file_path("ssh_config")
    }

    fn start_on_host(&self, host: &Host) -> Result<Daemon> {
        let name = host.name();
        let config = self.file_path(&format!("sshd_config-{name}"));
        let lines = format!(
            "ListenAddress {}:22\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\n\
             UsePAM no\nStrictModes no\nPasswordAuthentication no\n\
             KbdInteractiveAuthentication no\nPermitRootLogin yes\nUseDNS no\nLogLevel VERBOSE\n",
            host.address(),
            self.file_path("host").display(),
            self.file_path("user.pub").display(),
        );
        write_file(&config, &lines)?;
        let mut command = host.command(SSHD_PATH);
        command.args(["-D", "-e", "-f"]).arg(&config);
        let log = self.file_path(&format!("sshd-{name}.log"));
        let mut daemon = Daemon::start(command, &log)?;
        daemon.wait_until("listen", START_LIMIT, || {
            Ok(fs::read_to_string(&log).is_ok_and(|said| said.contains("Server listening")))
        })?;
        Ok(daemon)
    }

    fn write_client_config(&self, hosts: &[Host]) -> Result<()> {
        let mut lines = format!(
            "User root\nIdentityFile {}\nIdentitiesOnly yes\nUserKnownHostsFile {}\n\
             GlobalKnownHostsFile /dev/null\nStrictHostKeyChecking yes\n",
            self.file_path("user").display(),
            self.file_path("known_hosts").display(),
        );
        let key = self.file_path("host.pub");
        let key = fs::read_to_string(&key).map_err(|e| LabError::io("read", &key, e))?;
        let mut known = String::new();
        for host in hosts {
            lines += &format!("Host {}\n  HostName {}\n", host.name(), host.address());
            known += &format!("{} {key}", host.address());
        }
        write_file(&self.client_config(), &lines)?;
        write_file(&self.file_path("known_hosts"), &known)?;
        let folder = self.client_folder();
        fs::create_dir(&folder).map_err(|e| LabError::io("create", &folder, e))?;
        let script = format!(
            "#!/bin/sh\nexec /usr/bin/ssh -F '{}' \"$@\"\n",
            self.client_config().display()
        );
        let client = folder.join("ssh");
        write_file(&client, &script)?;
        let allowed = fs::set_permissions(&client, Permissions::from_mode(0o755));
        allowed.map_err(|e| LabError::io("make executable", &client, e))
    }

    fn file_path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }
}

fn write_file(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|e| LabError::io("write", path, e))
}
