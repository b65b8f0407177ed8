//! The notes of an imported record.

use message::messages;

messages! {
    pub static MESSAGES;
    NoSeries = "fio-import-no-series";
    NoTime = "fio-import-no-time";
    NoInterval = "no-interval-imported";
    CompletionLatency = "fio-import-completion-latency";
    IgnoredOption = "fio-import-option" { job: String, option: String, why: String };
    IgnoredOptions = "fio-import-more-options" { job: String, more: usize };
    GuessedJob = "fio-import-guessed" { job: String };
}
