//! What is on a host that could be measured: `truedisk devices --json`.

use message::Message;
use serde::{Deserialize, Serialize};
use units::Bytes;
use units::JsonSchema;

use crate::health::DiskHealth;
use crate::target::{FileSystem, Layer};
use crate::tool::{SCHEMA_VERSION, Tool};

/// Everything on a host that could be measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Inventory {
    pub schema_version: u32,
    pub tool: Tool,
    /// Block devices: disks and, after each, what lies on it.
    pub devices: Vec<Device>,
    /// Mounted file systems that keep files, by mount point.
    pub mounts: Vec<Mounted>,
    pub swaps: Vec<Swap>,
    pub unknown: Vec<Message>,
}

impl Inventory {
    pub fn new(tool: Tool) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            tool,
            devices: Vec::new(),
            mounts: Vec::new(),
            swaps: Vec::new(),
            unknown: Vec::new(),
        }
    }

    pub fn device(&self, name: &str) -> Option<&Device> {
        self.devices.iter().find(|device| device.layer.name == name)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Device {
    pub path: String,
    /// What sysfs and udev say of it.
    #[serde(flatten)]
    pub layer: Layer,
    /// The devices that it lies on: a partition's disk, a volume's disks.
    pub lies_on: Vec<String>,
    /// What it claims to be: `sata, rotational, WDC WD40EFRX`; absent where nothing is claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<String>,
    /// What a disk says of its health.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<DiskHealth>,
    /// Whether its medium can be taken out.
    pub removable: bool,
    /// Where it, and only it, is mounted.
    pub mounted_on: Vec<String>,
    /// Devices that are made of it: volumes, arrays, loop devices over it.
    pub holders: Vec<String>,
    pub write: WriteStand,
    /// The command that measures it without harm; absent where nothing can be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Message>,
}

/// What the guard would say to writing to a device.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WriteStand {
    /// Why it would be refused, whatever is said; empty when nothing speaks against it.
    pub refused: Vec<Message>,
    /// What would be lost; absent where nothing was found on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<Message>,
    /// What could not be looked at: the guard looks again, and refuses what it cannot see.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<Message>,
    /// The command that would write to it; absent where that is refused, or where not everything
    /// could be looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// A mounted file system that keeps files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mounted {
    /// Kind, source, options, room.
    #[serde(flatten)]
    pub file_system: FileSystem,
    /// What of the file system is mounted here: `/`, or a folder or file of it.
    pub root: String,
    pub devices: Vec<String>,
    /// What it is, where it is no disk of this host: `memory, no disk`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub what: Option<Message>,
    /// Whether a single file is mounted, not a folder.
    pub single_file: bool,
    /// The command that measures it; absent where it cannot be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Message>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Swap {
    /// The file or device.
    pub path: String,
    pub size: Bytes,
    pub used: Bytes,
}
