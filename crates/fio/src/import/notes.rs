//! The notes of an imported record.

use message::messages;

messages! {
    IgnoredOption = "fio-import-option" { job: String, option: String, why: String };
    IgnoredOptions = "fio-import-more-options" { job: String, more: usize };
    GuessedJob = "fio-import-guessed" { job: String };
}
