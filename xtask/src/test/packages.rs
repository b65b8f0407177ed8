//! What the tests call, and the Debian packages that bring it.

use std::process::Command;

use anyhow::{Context as _, Result};

use crate::process;

/// Packages, each with one program in it that says whether it is installed.
const PACKAGES: &[(&str, &str)] = &[
    ("fio", "fio"),
    ("fio-examples", "/usr/share/doc/fio/examples/aio-read.fio"),
    ("gnuplot-nox", "gnuplot"),
    ("ioping", "ioping"),
    ("e2fsprogs", "mkfs.ext4"),
    ("xfsprogs", "mkfs.xfs"),
    ("btrfs-progs", "mkfs.btrfs"),
    ("util-linux", "losetup"),
    ("strace", "strace"),
    ("man-db", "man"),
    ("chromium", "chromium"),
    ("jq", "jq"),
    ("postgresql-15", "/usr/lib/postgresql/15/bin/postgres"),
    ("iproute2", "ip"),
    ("nats-server", "nats-server"),
    ("openssh-client", "ssh"),
    ("openssh-server", "sshd"),
    ("openssl", "openssl"),
    ("python3-venv", "/usr/share/doc/python3-venv/copyright"),
];

pub(super) fn install_packages(is_root: bool) -> Result<()> {
    let missing = missing_packages(process::is_installed);
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.join(" ");
    if !is_root || !process::is_installed("apt-get") {
        eprintln!("xtask: not installed, so some tests will be skipped: {names}");
        eprintln!("hint: on Debian, `apt-get install {names}` as root");
        return Ok(());
    }
    eprintln!("xtask: installing {names}");
    apt_get(&["update", "--quiet"])?;
    let mut install = vec!["install", "--quiet", "--yes", "--no-install-recommends"];
    install.extend(&missing);
    apt_get(&install).with_context(|| format!("cannot install what the tests need: {names}"))
}

fn missing_packages(installed: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let absent = PACKAGES.iter().filter(|(_, program)| !installed(program));
    absent.map(|(name, _)| *name).collect()
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    let mut command = Command::new("apt-get");
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(std::io::stderr());
    process::run_command(&mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_absent_is_missing() {
        assert!(missing_packages(|_| true).is_empty());
        assert_eq!(missing_packages(|program| program != "mkfs.xfs"), ["xfsprogs"]);
        assert_eq!(missing_packages(|_| false).len(), PACKAGES.len());
    }
}
