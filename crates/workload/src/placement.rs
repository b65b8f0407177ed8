//! Where the workers run, and with what priority.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where the workers run, and with what priority; by default the system decides.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Placement {
    /// Processors that the workers may use; empty for all.
    pub cpus: Vec<u32>,
    /// With `cpus`: each worker gets one of them, in turn.
    pub one_cpu_each: bool,
    /// Memory of this NUMA node is preferred for the buffers.
    pub numa_node: Option<u32>,
    /// I/O priority (ioprio_set(2)).
    pub io_priority: Option<IoPriority>,
    /// Niceness, -20 to 19.
    pub nice: Option<i8>,
    /// Buffers in huge pages of 2 MiB: reserved ones, else transparent ones.
    pub huge_pages: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IoPriority {
    pub class: IoClass,
    /// Within the class, 0 (first) to 7.
    pub level: u8,
}

impl IoPriority {
    /// The value that ioprio_set(2) takes.
    pub const fn ioprio(self) -> u16 {
        ((self.class as u16) << 13) | self.level as u16
    }
}

/// Classes of I/O priority, with the kernel's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IoClass {
    /// Before all others; takes a privilege.
    Realtime = 1,
    /// The usual one.
    BestEffort = 2,
    /// Only while the disk is otherwise idle.
    Idle = 3,
}

impl Placement {
    pub(crate) fn conflict(&self) -> Option<String> {
        if let Some(nice) = self.nice.filter(|nice| !(-20..=19).contains(nice)) {
            return Some(format!("a niceness of {nice} is outside -20 to 19"));
        }
        if let Some(priority) = self.io_priority.filter(|p| p.level > 7) {
            return Some(format!("an I/O priority of {} is outside 0 to 7", priority.level));
        }
        (self.one_cpu_each && self.cpus.is_empty())
            .then(|| "one processor for each worker, but no list of processors".to_owned())
    }
}
