//! What is around this system: a hypervisor, a container.

use std::path::{Path, PathBuf};

use record::ContainerInfo;

use crate::identity::Mount;
use crate::roots::{Roots, read_lossy, read_trimmed};

/// Words in the firmware's names of vendor and product, and what they stand for.
const HYPERVISOR_VENDORS: [(&str, &str); 11] = [
    ("Amazon EC2", "Amazon EC2"),
    ("Google", "Google Compute Engine"),
    ("DigitalOcean", "DigitalOcean"),
    ("Hetzner", "Hetzner"),
    ("OpenStack", "OpenStack"),
    ("Microsoft Corporation", "Hyper-V"),
    ("VMware", "VMware"),
    ("QEMU", "QEMU"),
    ("innotek", "VirtualBox"),
    ("Xen", "Xen"),
    ("Parallels", "Parallels"),
];

/// Makers' marks in ACPI tables, for hypervisors that have no DMI.
const ACPI_VENDORS: [(&[u8], &str); 3] =
    [(b"FIRECK", "Firecracker"), (b"CLOUDH", "Cloud Hypervisor"), (b"CROSVM", "crosvm")];

/// Clocks that a hypervisor lends.
const HYPERVISOR_CLOCKS: [(&str, &str); 3] = [
    ("kvm-clock", "KVM, which does not name its machine"),
    ("hyperv_clocksource", "Hyper-V"),
    ("xen", "Xen"),
];

pub(super) fn detect_hypervisor(roots: &Roots, cpuinfo: &str) -> Option<String> {
    if let Some(kind) = read_trimmed(&roots.sys.join("hypervisor/type")) {
        return Some(kind);
    }
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"));
    let flagged = flags.map(|line| line.split_whitespace().any(|flag| flag == "hypervisor"));
    if flagged == Some(false) {
        return None; // an x86 processor that says so: bare metal, also at a cloud provider
    }
    detect_by_firmware(roots)
        .or_else(|| detect_by_acpi(roots))
        .or_else(|| detect_by_clock(roots))
        .or_else(|| flagged.map(|_| "a hypervisor that does not name itself".to_owned()))
}

fn detect_by_firmware(roots: &Roots) -> Option<String> {
    let dmi = |file: &str| read_trimmed(&roots.sys.join("class/dmi/id").join(file));
    let vendor = dmi("sys_vendor").unwrap_or_default();
    let product = dmi("product_name").unwrap_or_default();
    let (word, name) = HYPERVISOR_VENDORS
        .iter()
        .find(|(word, _)| vendor.contains(word) || product.contains(word))?;
    match *word {
        // Where the processor does not tell (arm64), the product does: m7g.metal.
        "Amazon EC2" if product.contains(".metal") => None,
        "Amazon EC2" if !product.is_empty() => Some(format!("{name} ({product})")),
        _ => Some((*name).to_owned()),
    }
}

fn detect_by_acpi(roots: &Roots) -> Option<String> {
    /// A table's header has its maker at byte 10.
    const MAKER: std::ops::Range<usize> = 10..16;
    let table = std::fs::read(roots.sys.join("firmware/acpi/tables/DSDT")).ok()?;
    let maker = table.get(MAKER)?;
    let (_, name) = ACPI_VENDORS.iter().find(|(mark, _)| *mark == maker)?;
    Some((*name).to_owned())
}

fn detect_by_clock(roots: &Roots) -> Option<String> {
    let place = "devices/system/clocksource/clocksource0/available_clocksource";
    let clocks = read_trimmed(&roots.sys.join(place))?;
    let known = |prefix: &str| clocks.split_whitespace().any(|clock| clock.starts_with(prefix));
    let (_, name) = HYPERVISOR_CLOCKS.iter().find(|(prefix, _)| known(prefix))?;
    Some((*name).to_owned())
}

pub(super) fn detect_container(roots: &Roots, table: &[Mount]) -> Option<ContainerInfo> {
    let groups =
        read_lossy(&roots.proc.join("self/cgroup")) + &read_lossy(&roots.proc.join("1/cgroup"));
    let in_group = |word: &str| groups.contains(word);
    let mounted = |point: &str| table.iter().any(|mount| mount.mount_point.ends_with(point));
    let manager = read_trimmed(&roots.run.join("host/container-manager"));
    let kind = if in_group("kubepods") || mounted("run/secrets/kubernetes.io/serviceaccount") {
        "kubernetes".to_owned()
    } else if in_group("/docker/") || in_group("/docker-") || is_marked_docker(roots, table) {
        "docker".to_owned()
    } else if roots.run.join(".containerenv").exists() || in_group("/libpod") {
        "podman".to_owned()
    } else if let Some(manager) = manager {
        manager
    } else if in_group("/lxc") || table.iter().any(|mount| mount.kind == "fuse.lxcfs") {
        "lxc".to_owned()
    } else if root_is_overlay(table) {
        // Also live systems boot into an overlay, but those have an init of their own.
        is_init_foreign(roots).then(|| "unknown".to_owned())?
    } else {
        return None;
    };
    Some(ContainerInfo { kind })
}

/// `/.dockerenv` alone is no proof: machine images are made of container images and keep it.
fn is_marked_docker(roots: &Roots, table: &[Mount]) -> bool {
    let lent: [PathBuf; 2] = ["/etc/hosts", "/etc/resolv.conf"].map(PathBuf::from);
    roots.root.join(".dockerenv").exists()
        && (root_is_overlay(table) || table.iter().any(|mount| lent.contains(&mount.mount_point)))
}

fn root_is_overlay(table: &[Mount]) -> bool {
    let root = table.iter().rev().find(|mount| mount.mount_point == Path::new("/"));
    root.is_some_and(|mount| mount.kind == "overlay")
}

/// Whether the first process is not one that boots a machine.
fn is_init_foreign(roots: &Roots) -> bool {
    let name = read_trimmed(&roots.proc.join("1/comm")).unwrap_or_default();
    !["systemd", "init", "openrc-init", "runit", "s6-svscan"].contains(&name.as_str())
}
