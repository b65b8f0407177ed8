//! Which loads are measured, and the times and counts of a run over them.

use record::{MetadataLoad, MetadataPlan};
use units::{Bytes, Nanos};

/// Rounds that are measured unless asked otherwise: of six, the lowest and the highest hold the
/// median with 97 %; fewer give no interval of 95 %.
pub const DEFAULT_ROUNDS: u32 = 6;
pub(super) const CREATE_TIME: Nanos = Nanos::millis(120);
/// A warm look at all files lasts this long: a shorter one would measure how soon its threads wake,
/// which takes them up to 200 us.
pub(super) const WARM_LOOK_TIME: Nanos = Nanos::millis(20);
pub(super) const WARM_LOOK_TIME_MIN: Nanos = Nanos::millis(2);
/// A cold look at single files ends after this: a hard disk takes 5 to 15 ms for each.
pub(super) const COLD_LOOK_TIME: Nanos = Nanos::secs(1);
pub(super) const COLD_LOOK_TIME_MIN: Nanos = Nanos::millis(20);
/// Files of a round at most: they should be gone soon.
pub(super) const FILES_MAX: u64 = 20_000;
/// And at least: those of six rounds support a p99, and where each waits for a disk a median.
pub(super) const FILES_MIN: u64 = 64;
pub(super) const SYNCED_FILES_MIN: u64 = 8;
pub(super) const CREATE_TIME_MIN: Nanos = Nanos::millis(5);
pub(super) const THREADS_MAX: u32 = 256;
pub(super) const ROUNDS_MAX: u32 = 1000;
pub(super) const REQUESTED_FILES_MAX: u64 = 10_000_000;
const SMALL_FILE_SIZE: Bytes = Bytes::kib(4);

/// Folders of a tree, in two levels: 64, or somewhat fewer of which each thread has as many; at
/// least one for each.
const fn tree_folders(threads: u32) -> u32 {
    let each = 64 / threads;
    threads * if each == 0 { 1 } else { each }
}

/// All of them: empty or small, in one folder or a tree, one thread or several, without and with
/// syncs. The quick ones first.
pub(super) fn all_loads(threads: u32) -> Vec<MetadataLoad> {
    let mut loads = Vec::new();
    for synced in [false, true] {
        for file_size in [Bytes(0), SMALL_FILE_SIZE] {
            for is_tree in [false, true] {
                for threads in [1, threads] {
                    let folders = if is_tree { tree_folders(threads) } else { 1 };
                    loads.push(MetadataLoad { file_size, synced, folders, threads });
                }
            }
        }
    }
    loads
}

/// Whether it is measured with cold caches too. Dropping them costs the whole host, so that only
/// small files by one thread are.
pub(super) fn has_cold_phase(load: &MetadataLoad) -> bool {
    !load.synced && load.threads == 1 && load.file_size == SMALL_FILE_SIZE
}

pub(super) fn cold_rounds(plan: &MetadataPlan, load: &MetadataLoad) -> u64 {
    if plan.keep_caches || !has_cold_phase(load) { 0 } else { u64::from(plan.rounds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_has_as_many_folders_of_a_tree() {
        let known = [(1, 64), (2, 64), (6, 60), (12, 60), (16, 64), (64, 64), (65, 65), (256, 256)];
        for (threads, folders) in known {
            assert_eq!(tree_folders(threads), folders, "{threads}");
        }
    }
}
