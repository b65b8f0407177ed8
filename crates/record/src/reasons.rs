//! Why a run ended before its end, or lost a host: what several crates say.

use message::{Message, Names, messages};
use units::{Bytes, Nanos};

messages! {
    Interrupted = "reason-interrupted";
    TimeUp = "reason-time-up" { limit: Nanos };
    StepFailed = "reason-step-failed" { step: Message, error: String };
    NothingCompleted = "reason-nothing-completed" { step: Message };
    LayoutFailed = "reason-layout-failed" { error: String };
    LayoutTooSmall = "reason-layout-too-small" { written: Bytes };
    MaxWritten = "reason-max-written" { max: String, cells: Names };
    CellsCutShort = "reason-cells-cut-short" { cells: u64 };
    CellsLeftOut = "reason-cells-left-out" { cells: u64 };
    CoordinatorGone = "reason-coordinator-gone";
    HostLost = "reason-host-lost" { host: String, reason: Message };
    AgentGone = "reason-agent-gone";
    OthersSlowed = "reason-others-slowed" { host: String, seen: Message, bound: String };
    HostSilent = "reason-host-silent" { seconds: u64 };
    NoAgent = "reason-no-agent";
    NoAnswer = "reason-no-answer" { seconds: u64 };
    NotDoneInTime = "reason-not-done-in-time" { seconds: u64 };
    EndedItself = "reason-ended-itself";
    ServerGone = "reason-server-gone" { seconds: u64 };
    FiguresUnusable = "reason-figures-unusable" { error: String };
    JobsNotBelieved = "reason-jobs-not-believed" { error: String };
}
