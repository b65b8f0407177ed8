//! The host around the target.

use std::path::Path;

use record::{ContainerInfo, Environment, IoLimit, IoUringStatus};
use units::{Bytes, BytesPerSecond, Iops};

use crate::identity::mounts;
use crate::roots::{Roots, read_trimmed};

/// Describes the host. `io_uring` comes from the engine, which tried it.
#[must_use]
pub fn environment(roots: &Roots, io_uring: IoUringStatus) -> Environment {
    let root = rustix::process::geteuid().is_root();
    let cpuinfo = std::fs::read_to_string(roots.proc.join("cpuinfo")).unwrap_or_default();
    Environment {
        hostname: read_trimmed(&roots.proc.join("sys/kernel/hostname")),
        os: os_name(roots),
        kernel: read_trimmed(&roots.proc.join("sys/kernel/osrelease")).unwrap_or_default(),
        arch: std::env::consts::ARCH.to_owned(),
        cpu_model: cpuinfo_field(&cpuinfo, "model name"),
        cpus: std::thread::available_parallelism().map_or(1, |n| n.get() as u32),
        memory: memory(roots),
        virtualisation: virtualisation(roots, &cpuinfo),
        container: container(roots),
        root,
        io_uring,
        io_limits: io_limits(roots),
        root_would_add: root_would_add(root),
    }
}

fn root_would_add(root: bool) -> Vec<String> {
    if root {
        return Vec::new();
    }
    [
        "serial numbers and identifiers where sysfs hides them",
        "measuring raw block devices without a file system",
        "registered buffers beyond the memory-lock limit",
    ]
    .map(str::to_owned)
    .to_vec()
}

fn os_name(roots: &Roots) -> Option<String> {
    let text = std::fs::read_to_string(roots.etc.join("os-release")).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(value.trim_matches('"').to_owned())
}

fn cpuinfo_field(cpuinfo: &str, field: &str) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with(field))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn memory(roots: &Roots) -> Option<Bytes> {
    let text = std::fs::read_to_string(roots.proc.join("meminfo")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(Bytes::kib(line.split_whitespace().next()?.parse().ok()?))
}

/// The hypervisor, as far as firmware tables, Xen's folder or the processor tell.
fn virtualisation(roots: &Roots, cpuinfo: &str) -> Option<String> {
    if let Some(kind) = read_trimmed(&roots.sys.join("hypervisor/type")) {
        return Some(kind);
    }
    let dmi = |file: &str| read_trimmed(&roots.sys.join("class/dmi/id").join(file));
    let vendor = dmi("sys_vendor").unwrap_or_default();
    let product = dmi("product_name").unwrap_or_default();
    let known = [
        ("Amazon EC2", "Amazon EC2"),
        ("Google", "Google Compute Engine"),
        ("DigitalOcean", "DigitalOcean"),
        ("Hetzner", "Hetzner"),
        ("OpenStack", "OpenStack"),
        ("VMware", "VMware"),
        ("QEMU", "QEMU"),
        ("innotek", "VirtualBox"),
        ("Xen", "Xen"),
        ("Parallels", "Parallels"),
    ];
    let named = known.iter().find(|(word, _)| vendor.contains(word) || product.contains(word));
    if let Some((_, name)) = named {
        return Some((*name).to_owned());
    }
    let flagged = cpuinfo
        .lines()
        .find(|line| line.starts_with("flags"))
        .is_some_and(|line| line.split_whitespace().any(|flag| flag == "hypervisor"));
    match (flagged, vendor.as_str()) {
        (true, "Microsoft Corporation") => Some("Hyper-V".to_owned()),
        (true, _) => Some("a hypervisor that does not name itself".to_owned()),
        (false, _) => None,
    }
}

fn container(roots: &Roots) -> Option<ContainerInfo> {
    let there = |path: &Path| path.exists();
    let groups = std::fs::read_to_string(roots.proc.join("self/cgroup")).unwrap_or_default();
    let kind = if groups.contains("kubepods") {
        "kubernetes"
    } else if there(&roots.root.join(".dockerenv")) || groups.contains("/docker/") {
        "docker"
    } else if there(&roots.run.join(".containerenv")) || groups.contains("/libpod") {
        "podman"
    } else if groups.contains("/lxc") {
        "lxc"
    } else {
        let root_is_overlay = mounts(roots)
            .iter()
            .rev()
            .find(|mount| mount.mount_point == "/")
            .is_some_and(|mount| mount.kind == "overlay");
        if !root_is_overlay {
            return None;
        }
        "unknown"
    };
    Some(ContainerInfo { kind: kind.to_owned() })
}

/// Every I/O limit of the control groups that this process is in, and of their parents.
fn io_limits(roots: &Roots) -> Vec<IoLimit> {
    let groups = std::fs::read_to_string(roots.proc.join("self/cgroup")).unwrap_or_default();
    let table = mounts(roots);
    let mut limits = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (parts.next(), parts.next()) else {
            continue;
        };
        let v1 = controllers.split(',').any(|c| c == "blkio");
        let mount = table.iter().find(|mount| {
            let has_blkio = mount.super_options.iter().any(|o| o == "blkio");
            if v1 {
                mount.kind == "cgroup" && has_blkio
            } else {
                controllers.is_empty() && mount.kind == "cgroup2"
            }
        });
        let Some(mount) = mount else { continue };
        let base = roots.root.join(mount.mount_point.trim_start_matches('/'));
        let mut group = Path::new(group.trim_start_matches('/'));
        loop {
            limits.extend(limits_of_group(&base.join(group), group, v1, roots));
            match group.parent() {
                Some(parent) => group = parent,
                None => break,
            }
        }
    }
    limits
}

fn limits_of_group(folder: &Path, group: &Path, v1: bool, roots: &Roots) -> Vec<IoLimit> {
    let files: &[&str] = if v1 {
        &[
            "blkio.throttle.read_iops_device",
            "blkio.throttle.write_iops_device",
            "blkio.throttle.read_bps_device",
            "blkio.throttle.write_bps_device",
        ]
    } else {
        &["io.max", "io.latency"]
    };
    let name = format!("/{}", group.display());
    let mut limits = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        limits.extend(text.lines().filter_map(|line| limit(line, &name, file, roots)));
    }
    limits
}

/// One line of a limit file: `7:0 3000` (v1) or `8:0 rbps=max wbps=1048576 riops=120 wiops=max`.
fn limit(line: &str, group: &str, file: &str, roots: &Roots) -> Option<IoLimit> {
    let (device, rest) = line.trim().split_once(' ')?;
    let mut limit = IoLimit {
        cgroup: group.to_owned(),
        file: file.to_owned(),
        device: device.to_owned(),
        device_name: roots
            .block_device(device)
            .and_then(|folder| Some(folder.file_name()?.to_string_lossy().into_owned())),
        read_iops: None,
        write_iops: None,
        read_bytes: None,
        write_bytes: None,
        other: None,
    };
    let number = |text: &str| text.parse::<f64>().ok();
    match file {
        "blkio.throttle.read_iops_device" => limit.read_iops = number(rest).map(Iops),
        "blkio.throttle.write_iops_device" => limit.write_iops = number(rest).map(Iops),
        "blkio.throttle.read_bps_device" => limit.read_bytes = number(rest).map(BytesPerSecond),
        "blkio.throttle.write_bps_device" => limit.write_bytes = number(rest).map(BytesPerSecond),
        "io.max" => {
            for (key, value) in rest.split_whitespace().filter_map(|pair| pair.split_once('=')) {
                match key {
                    "riops" => limit.read_iops = number(value).map(Iops),
                    "wiops" => limit.write_iops = number(value).map(Iops),
                    "rbps" => limit.read_bytes = number(value).map(BytesPerSecond),
                    "wbps" => limit.write_bytes = number(value).map(BytesPerSecond),
                    _ => {}
                }
            }
        }
        _ => limit.other = Some(rest.to_owned()),
    }
    Some(limit)
}
