//! The host a run was measured on.

use message::Message;
use serde::{Deserialize, Serialize};
use units::JsonSchema;
use units::{Bytes, BytesPerSecond, Iops, Nanos};

use crate::absent::is_unset;

/// The host, as far as it bears on the measurement.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Environment {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hostname: Option<String>,
    /// Distribution, from os-release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    /// Release of the kernel, such as `6.18.44`; empty, and absent in JSON, where it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kernel: String,
    /// Architecture, such as `x86_64`; empty, and absent in JSON, where it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub arch: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_model: Option<String>,
    /// Processors that this process may use; 0, and absent in JSON, where that is not known.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub cpus: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Bytes>,
    /// Hypervisor, such as `kvm` or `Firecracker`; absent on bare metal or when unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub virtualisation: Option<String>,
    /// Container, when the process runs in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<ContainerInfo>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_uring: Option<IoUringStatus>,
    /// I/O limits that control groups put on this process.
    pub io_limits: Vec<IoLimit>,
    /// What root, or another permission, would have added to this run.
    pub root_would_add: Vec<Message>,
}

/// A container around the process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContainerInfo {
    /// `docker`, `podman`, `lxc`, `kubernetes`, `systemd-nspawn`, `unknown`.
    pub kind: String,
}

/// Whether io_uring is allowed, and why not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IoUringStatus {
    /// A ring could be made.
    pub available: bool,
    /// Why not: `kernel.io_uring_disabled is 2`, `refused by seccomp: EPERM`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// One limit of a control group on one device.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IoLimit {
    /// The control group's path below its mount.
    pub cgroup: String,
    /// Kernel file it was read from: `io.max`, `blkio.throttle.read_iops_device`, `io.latency`.
    pub file: String,
    /// Device as `major:minor`.
    pub device: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_iops: Option<Iops>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_iops: Option<Iops>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_bytes: Option<BytesPerSecond>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_bytes: Option<BytesPerSecond>,
    /// Any other setting, as the kernel prints it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClockSource {
    /// The processor's invariant time-stamp counter, calibrated against CLOCK_MONOTONIC.
    Tsc,
    /// clock_gettime(CLOCK_MONOTONIC).
    #[default]
    Monotonic,
}

/// What the load generator itself can do on this host.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calibration {
    pub clock: ClockSource,
    pub clock_read_ns: f64,
    /// Frequency of the time-stamp counter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tsc_hz: Option<f64>,
    /// Operations per second of one worker on no-operations at depth 1, through the same loop
    /// and backend as the cells: what one thread could at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nop_iops_depth_1: Option<Iops>,
    /// The same at depth 32.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nop_iops_depth_32: Option<Iops>,
    pub took: Nanos,
}
