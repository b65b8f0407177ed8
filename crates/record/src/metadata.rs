//! What operations on many small files take: the work of a file system, not of its blocks.

use message::Message;
use serde::{Deserialize, Serialize};
use stats::Estimate;
use units::Bytes;
use units::JsonSchema;

use crate::latency::LatencySummary;
use crate::named::named_enum;

/// The settings of a run over small files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MetadataPlan {
    /// Files of every load, as asked; absent where each load was bounded by its time alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
    /// Threads of the loads with more than one.
    pub threads: u32,
    /// Rounds that are measured, after one that is not.
    pub rounds: u32,
    /// Whether the kernel's caches were left alone, as asked.
    pub keep_caches: bool,
}

/// What one load is: these files, in this shape, by this number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MetadataLoad {
    pub file_size: Bytes,
    /// Whether each change waits for the disk: a new file for its fsync, a rename or a delete for
    /// that of its folder.
    pub synced: bool,
    /// How many folders the files are spread over: 1 for all in one.
    pub folders: u32,
    /// Threads at the same time, each with files of its own.
    pub threads: u32,
}

impl MetadataLoad {
    /// `4k-fsync-tree-t4`: its place in the names of phases.
    pub fn name(&self) -> String {
        let sync = if self.synced { "-fsync" } else { "" };
        let shape = if self.folders > 1 { "tree" } else { "folder" };
        format!("{}{sync}-{shape}-t{}", self.file_size.to_compact(), self.threads)
    }
}

named_enum! {
    /// In the order in which a round goes through them.
    pub enum MetadataOp {
        /// Open a new file, write its bytes, sync it if asked, close it.
        Create = "create",
        /// Ask for size and times by name.
        Stat = "stat",
        /// Open, read all of it, close.
        Open = "open",
        /// Read the names of a whole folder; its rate counts names, its latency whole folders.
        Readdir = "readdir",
        /// Give another name in the same folder, and sync the folder if asked.
        Rename = "rename",
        /// Remove, and sync the folder if asked.
        Delete = "delete",
    }
}

/// What the kernel's caches held when an operation began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CacheState {
    /// The files had just been made or used: names, inodes and content are in memory.
    Warm,
    /// The caches of the whole host had just been dropped.
    Dropped,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetadataPhase {
    /// Unique in its run: `create-4k-folder-t1`; with `-cold` after the caches were dropped.
    pub name: String,
    pub operation: MetadataOp,
    /// To which files, by whom.
    pub load: MetadataLoad,
    pub cache: CacheState,
    pub files: u64,
    /// Operations a second of every measured round, in their order.
    pub rounds: Vec<f64>,
    /// The median over the rounds, with its interval.
    pub rate: Estimate,
    pub latency_ns: LatencySummary,
}

impl MetadataPhase {
    /// The lowest and the highest rate of a round.
    pub fn round_range(&self) -> (f64, f64) {
        let rounds = || self.rounds.iter().copied();
        (rounds().fold(f64::INFINITY, f64::min), rounds().fold(0.0, f64::max))
    }
}

/// Entries that were reported as made, compared with the entries that exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EntriesCounted {
    pub load: String,
    /// Files made, in all rounds that were measured.
    pub made: u64,
    /// Names found by listing the folders after they were made.
    pub found: u64,
    /// By how much the file system's own count of inodes in use rose meanwhile; absent where it
    /// keeps none (btrfs). Others who make files at the same time are in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inodes: Option<i64>,
}

/// What operations on many small files take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Metadata {
    /// Operation by operation, in the order in which they were first measured.
    pub phases: Vec<MetadataPhase>,
    pub counted: Vec<EntriesCounted>,
    /// How the caches were told apart, or why they were not: a sentence.
    pub caches: Message,
}

impl Metadata {
    /// The phase of this operation, load and cache.
    pub fn phase(
        &self,
        operation: MetadataOp,
        load: &MetadataLoad,
        cache: CacheState,
    ) -> Option<&MetadataPhase> {
        let is_it = |phase: &&MetadataPhase| {
            phase.operation == operation && phase.load == *load && phase.cache == cache
        };
        self.phases.iter().find(is_it)
    }

    /// The loads, each once, in the order in which they were measured.
    pub fn loads(&self) -> Vec<MetadataLoad> {
        let mut loads: Vec<MetadataLoad> = Vec::new();
        for phase in &self.phases {
            if !loads.contains(&phase.load) {
                loads.push(phase.load);
            }
        }
        loads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_load_is_told_by_its_name() {
        let check = |file_size, synced, folders, threads, name: &str| {
            let load = MetadataLoad { file_size, synced, folders, threads };
            assert_eq!(load.name(), name);
        };
        check(Bytes(0), false, 1, 1, "0-folder-t1");
        check(Bytes::kib(4), true, 64, 8, "4k-fsync-tree-t8");
    }
}
