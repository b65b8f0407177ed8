//! Network namespaces: a host's own links, addresses and ports.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::names::{is_orphaned, new_name};
use crate::tools::{report_failure, retry, run_tool};
use crate::undo::kill_if;
use crate::{LabError, Result};

const NAMESPACE_FOLDER: &str = "/run/netns";

/// How long a killed process may take to leave its namespace.
const EMPTY_LIMIT: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct NetworkNamespace {
    name: String,
}

impl NetworkNamespace {
    /// A new one, with nothing in it but a loopback that is down.
    pub(super) fn new(kind: &str) -> Result<NetworkNamespace> {
        let name = new_name(kind);
        run_tool("ip", ["netns", "add", &name])?;
        Ok(NetworkNamespace { name })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The file that `nsenter --net` takes.
    pub(super) fn path(&self) -> PathBuf {
        namespace_path(OsStr::new(&self.name))
    }

    /// Runs the lines of a file as arguments of `ip`, inside; the first that fails ends it.
    pub(super) fn run_ip_batch(&self, lines: &Path) -> Result<()> {
        let words = ["-netns", &self.name, "-batch"].map(Path::new);
        run_tool("ip", words.into_iter().chain([lines])).map(drop)
    }

    /// Runs `ip` with these words, inside.
    pub(super) fn run_ip(&self, words: &[&str]) -> Result<()> {
        run_tool("ip", ["-netns", &self.name].iter().chain(words)).map(drop)
    }
}

impl Drop for NetworkNamespace {
    fn drop(&mut self) {
        report_failure(remove_namespace(OsStr::new(&self.name)).map(drop));
    }
}

/// Removes the namespaces whose owner is dead, with the processes in them. Gives what went wrong.
pub(crate) fn sweep_namespaces() -> Vec<LabError> {
    // Without the folder there was never a namespace of that kind.
    let listed = fs::read_dir(NAMESPACE_FOLDER).into_iter().flatten().flatten();
    let names = listed.map(|entry| entry.file_name()).filter(|name| is_orphaned(name));
    names.filter_map(|name| remove_namespace(&name).err()).collect()
}

/// Kills what runs in a namespace and deletes it: it would live as long as its last process.
fn remove_namespace(name: &OsStr) -> Result<()> {
    let place = namespace_path(name);
    // A name whose mount is gone leads to no namespace, and there is nobody in it.
    let number = fs::metadata(&place).map_err(|e| LabError::io("look at", &place, e))?.ino();
    retry(EMPTY_LIMIT, || {
        let inside = list_processes(number);
        for pid in &inside {
            kill_if(*pid, || is_inside(*pid, number));
        }
        if inside.is_empty() {
            return Ok(());
        }
        Err(LabError::unusable(&place, format!("still has the processes {inside:?}")))
    })?;
    run_tool("ip", [OsStr::new("netns"), OsStr::new("delete"), name]).map(drop)
}

fn namespace_path(name: &OsStr) -> PathBuf {
    Path::new(NAMESPACE_FOLDER).join(name)
}

/// The processes in the namespace of that number; not the dead that are only not waited for yet.
fn list_processes(number: u64) -> Vec<u32> {
    let listed = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = listed.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| is_inside(*pid, number)).collect()
}

fn is_inside(pid: u32, number: u64) -> bool {
    let link = fs::read_link(format!("/proc/{pid}/ns/net"));
    link.is_ok_and(|link| link == Path::new(&format!("net:[{number}]")))
}
