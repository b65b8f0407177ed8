//! Which loads are measured.

use record::MetadataLoad;
use units::Bytes;

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
