//! Which loads are measured.

use record::MetadataLoad;
use units::Bytes;

/// Bytes of the files that are not empty: a block of every file system.
const SMALL: Bytes = Bytes::kib(4);
/// Folders of a tree: two levels of eight.
const TREE: u32 = 64;

/// All of them: empty or small, in one folder or a tree, one thread or several, without and with
/// syncs. The quick ones first.
pub(super) fn loads(threads: u32) -> Vec<MetadataLoad> {
    let mut loads = Vec::new();
    for synced in [false, true] {
        for file_size in [Bytes(0), SMALL] {
            for folders in [1, TREE] {
                for threads in [1, threads] {
                    loads.push(MetadataLoad { file_size, synced, folders, threads });
                }
            }
        }
    }
    loads
}

/// Whether it is measured with cold caches too. Dropping them costs the whole host, so that only
/// small files by one thread are.
pub(super) fn is_cold(load: &MetadataLoad) -> bool {
    !load.synced && load.threads == 1 && load.file_size == SMALL
}
