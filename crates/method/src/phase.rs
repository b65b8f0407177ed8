//! What is done at the moment, for the progress bar.

use message::{Message, messages};
use units::{Depth, Iops, Nanos};

messages! {
    LookingAtTarget = "progress-looking";
    LookingAtTargets = "progress-looking-hosts";
    LayingOutFile = "progress-layout";
    LayingOutFiles = "progress-layout-hosts";
    SmallFiles = "progress-small-files" { load: String };
    SoFar = "progress-so-far" { what: Message, time: Nanos };
    TruthCheck = "progress-check" { what: &'static str };
    AtDepth = "progress-depth" { workload: Message, depth: Depth };
    AtDepths = "progress-depth" { workload: Message, depth: String };
    AtRate = "progress-arrivals" { workload: Message, rate: Iops };
    Again = "progress-again" { what: Message };
    ForCap = "progress-for-cap" { what: Message };
    UntilThrottled = "progress-until-throttled" { what: Message };
    Rounds = "progress-rounds" { round: u32 };
    Numbered = "progress-number" { number: usize, total: usize, what: Message };
    Alone = "progress-alone" { what: Message };
    BesideWrites = "progress-beside-writes" { what: Message, rate: Iops };
    Commits = "progress-commits" { size: String };
    Pass = "progress-pass" { step: Message, pass: u32, passes: u32 };
    WarmingUp = "progress-warming-up" { step: Message };
    Visit = "progress-visit" { side: &'static str, number: u64, what: Message };
    Replaying = "progress-replaying" { speed: String };
}
