//! What the tests call, and the Debian packages that bring it.

use std::process::Command;

use anyhow::{Context as _, Result};

use crate::process;

/// A package and one program in it that says whether it is installed.
struct Package {
    name: &'static str,
    program: &'static str,
}

const PACKAGES: &[Package] = &[
    Package { name: "fio", program: "fio" },
    Package { name: "fio-examples", program: "/usr/share/doc/fio/examples/aio-read.fio" },
    Package { name: "gnuplot-nox", program: "gnuplot" },
    Package { name: "ioping", program: "ioping" },
    Package { name: "e2fsprogs", program: "mkfs.ext4" },
    Package { name: "xfsprogs", program: "mkfs.xfs" },
    Package { name: "btrfs-progs", program: "mkfs.btrfs" },
    Package { name: "util-linux", program: "losetup" },
    Package { name: "strace", program: "strace" },
    Package { name: "chromium", program: "chromium" },
    Package { name: "jq", program: "jq" },
    Package { name: "postgresql-15", program: "/usr/lib/postgresql/15/bin/postgres" },
    Package { name: "iproute2", program: "ip" },
    Package { name: "nats-server", program: "nats-server" },
    Package { name: "openssh-client", program: "ssh" },
    Package { name: "openssh-server", program: "sshd" },
    Package { name: "openssl", program: "openssl" },
    Package { name: "python3-venv", program: "/usr/share/doc/python3-venv/copyright" },
];

/// Installs what is missing, as root on a Debian-like system; elsewhere says what is missing.
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
    let absent = PACKAGES.iter().filter(|package| !installed(package.program));
    absent.map(|package| package.name).collect()
}

/// apt's talk goes to stderr: stdout is for the tests' results.
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
