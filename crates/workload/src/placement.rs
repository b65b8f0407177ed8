//! Where the workers run, and with what priority.

use serde::{Deserialize, Serialize};
use units::JsonSchema;

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
        encode_ioprio(self.class as u8, self.level)
    }
}

/// The parts of a value that ioprio_set(2) takes (linux/ioprio.h).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IoprioParts {
    pub class: u8,
    pub level: u8,
    /// Of the command: a limit of its duration.
    pub hint: u16,
}

const CLASS_SHIFT: u32 = 13;
const HINT_SHIFT: u32 = 3;
const LEVEL_MASK: u16 = (1 << HINT_SHIFT) - 1;
const HINT_MASK: u16 = (1 << (CLASS_SHIFT - HINT_SHIFT)) - 1;

/// Class and level as ioprio_set(2) takes them, without a hint.
pub const fn encode_ioprio(class: u8, level: u8) -> u16 {
    (class as u16) << CLASS_SHIFT | level as u16
}

pub const fn decode_ioprio(ioprio: u16) -> IoprioParts {
    IoprioParts {
        class: (ioprio >> CLASS_SHIFT) as u8,
        level: (ioprio & LEVEL_MASK) as u8,
        hint: (ioprio >> HINT_SHIFT) & HINT_MASK,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_priority_has_the_layout_of_the_kernel() {
        let check = |ioprio: u16, (class, level, hint): (u8, u8, u16)| {
            assert_eq!(decode_ioprio(ioprio), IoprioParts { class, level, hint });
        };
        check(0x2003, (1, 3, 0));
        check(0x4000, (2, 0, 0));
        check(0xffff, (7, 7, 0x3ff));
        check(0x6000 | 5 << 3 | 7, (3, 7, 5));
        assert_eq!(IoPriority { class: IoClass::Idle, level: 7 }.ioprio(), 0x6007);
    }
}
