//! The words of a screen.

use message::{Message, Names, messages};
use units::Bytes;

messages! {
    Target = "summary-target" { target: Message, file: Message, seconds: u64 };
    TargetUnknown = "summary-target-unknown" { file: Message, seconds: u64 };
    FileDirect = "summary-file-direct" { size: Bytes };
    FileCached = "summary-file-cached" { size: Bytes };
    FileRead = "summary-file-read" { span: Bytes };
    Shortened = "summary-shortened" { why: Message };
    Caution = "summary-caution" { reasons: Names };
    Broken = "summary-broken" { reasons: Names };
    Partial = "summary-partial" { reason: Message };
    Key = "summary-key" { signs: Vec<Message> };
    KeyBest = "summary-key-best" { bound: String };
    Class = "summary-class" { class: Message };
    ClassOr = "summary-class-or" { class: Message, other: Message };
    GoodFor = "summary-good-for" { uses: Names };
    TooSlowFor = "summary-too-slow-for" { uses: Names };
    Limited = "summary-limited" { limits: Vec<Message> };
    MoreWarnings = "summary-more-warnings" { count: usize };
    MoreRows = "summary-more-rows" { count: usize };
    MoreLines = "summary-more-lines" { count: usize };
    Checks = "summary-checks" { passed: usize, unable: usize };
    ChecksNotes = "summary-checks-notes" { passed: usize, notes: usize, unable: usize };
    Promised = "summary-promised" { promise: String };
    PromiseLine = "summary-promise-line" { label: Message, promised: String, measured: String };
    LimitRow = "summary-limit-row" { curve: Message, bound: String };
    ThresholdLine = "summary-threshold" { what: String, measured: String, limit: String };
    Hosts = "summary-hosts" { cell: String };
}
