//! The host around the target.

pub(crate) mod io_limits;
mod virtualization;

use std::path::{Path, PathBuf};

use message::{Message, Names, label, messages};
use record::{Environment, IoUringStatus};
use units::Bytes;

use crate::identity::read_mounts;
use crate::roots::{Roots, file_name_of, is_forbidden, list_entries, read_lossy, read_trimmed};

/// Locked memory that the deepest rings want: 256 operations of 1 MiB in registered buffers.
const MEMLOCK_WANTED: Bytes = Bytes::mib(256);

/// Describes the host. `io_uring` comes from the engine, which tried it.
pub fn describe_environment(roots: &Roots, io_uring: IoUringStatus) -> Environment {
    let cpuinfo = read_lossy(&roots.proc.join("cpuinfo"));
    let table = read_mounts(roots);
    let root = is_root(roots);
    Environment {
        hostname: read_trimmed(&roots.proc.join("sys/kernel/hostname")),
        os: read_os_name(roots),
        kernel: read_trimmed(&roots.proc.join("sys/kernel/osrelease")).unwrap_or_default(),
        arch: std::env::consts::ARCH.to_owned(),
        cpu_model: read_cpu_model(&cpuinfo, roots),
        cpus: allowed_cpus(roots),
        memory: total_memory(roots),
        virtualisation: virtualization::detect_hypervisor(roots, &cpuinfo),
        container: virtualization::detect_container(roots, &table),
        root: Some(root),
        io_uring: Some(io_uring),
        io_limits: io_limits::read_io_limits(roots, &table),
        root_would_add: if root { Vec::new() } else { missing_privileges(roots) },
    }
}

/// What follows `prefix` in the first line of a file that begins so.
fn read_field(file: &Path, prefix: &str) -> Option<String> {
    let text = read_lossy(file);
    let value = text.lines().find_map(|line| line.strip_prefix(prefix))?;
    Some(value.trim().to_owned())
}

fn is_root(roots: &Roots) -> bool {
    let ids = read_field(&roots.proc.join("self/status"), "Uid:");
    let effective = ids.and_then(|ids| Some(ids.split_whitespace().nth(1)? == "0"));
    effective.unwrap_or_else(|| rustix::process::geteuid().is_root())
}

fn allowed_cpus(roots: &Roots) -> u32 {
    let list = read_field(&roots.proc.join("self/status"), "Cpus_allowed_list:");
    list.and_then(|list| count_list(&list)).unwrap_or_else(|| {
        std::thread::available_parallelism().map_or(1, |n| u32::try_from(n.get()).unwrap_or(1))
    })
}

fn count_list(list: &str) -> Option<u32> {
    let length = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        last.checked_sub(first)?.checked_add(1)
    };
    list.split(',').map(length).sum()
}

fn read_os_name(roots: &Roots) -> Option<String> {
    let value = read_field(&roots.etc.join("os-release"), "PRETTY_NAME=")?;
    Some(value.trim_matches(['"', '\'']).to_owned())
}

/// `model name` on x86; elsewhere what the firmware calls the machine.
fn read_cpu_model(cpuinfo: &str, roots: &Roots) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"));
    line.and_then(|line| Some(line.split_once(':')?.1.trim().to_owned()))
        .or_else(|| read_trimmed(&roots.sys.join("firmware/devicetree/base/model")))
}

fn total_memory(roots: &Roots) -> Option<Bytes> {
    let value = read_field(&roots.proc.join("meminfo"), "MemTotal:")?;
    Some(Bytes::kib(value.split_whitespace().next()?.parse().ok()?))
}

fn missing_privileges(roots: &Roots) -> Vec<Message> {
    let mut list: Vec<Message> = Vec::new();
    let hides = |disk: &PathBuf| {
        let files = ["serial", "wwid", "device/serial", "device/wwid", "device/vpd_pg80"];
        files.iter().any(|file| is_forbidden(&disk.join(file)))
    };
    let disks = list_entries(&roots.sys.join("block")).into_iter().filter(hides);
    let disks: Names = disks.map(|disk| file_name_of(&disk)).collect();
    if !disks.0.is_empty() {
        list.push(SerialNumbers { disks }.into());
    }
    if let Some(limit) = locked_memory_limit(roots).filter(|limit| limit.0 < MEMLOCK_WANTED.0) {
        list.push(LockedMemory { limit }.into());
    }
    list.push(label("root-raw-devices"));
    list.push(label("root-drop-caches"));
    list
}

messages! {
    SerialNumbers = "root-serial-numbers" { disks: Names };
    LockedMemory = "root-locked-memory" { limit: Bytes };
}

fn locked_memory_limit(roots: &Roots) -> Option<Bytes> {
    let value = read_field(&roots.proc.join("self/limits"), "Max locked memory")?;
    value.split_whitespace().next()?.parse().ok().map(Bytes)
}
