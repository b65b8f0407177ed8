//! What is said of stored runs.

use message::messages;

messages! {
    NoRuns = "history-none" { location: String };
    NoneFits = "history-none-fits" { known: u64 };
    NewestRuns = "history-newest" { shown: usize };
    Tagged = "history-tagged" { name: String, run: String };
    TagMoved = "history-tag-moved" { name: String, run: String, before: String };
    Untagged = "history-untagged" { name: String, run: String };
    Deleted = "history-deleted" { run: String };
    DeletedOf = "history-deleted-of" { run: String, command: String, target: String };
    DeletedTagged = "history-deleted-tagged" {
        run: String, command: String, target: String, tags: String,
    };
    Removed = "history-removed" { file: String };
    Pruned = "history-pruned" { deleted: usize, left: usize, tagged: usize };
    Exported = "history-exported" { runs: usize, file: String };
    KeptRun = "history-kept" { run: String };
    KnownRun = "history-known" { run: String };
    ImportedRuns = "history-imported" { new: usize, known: usize };
    TrendLeftOut = "trend-left-out" { runs: usize };
}
