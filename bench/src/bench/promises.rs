//! The bench `promises`: devices with a provider's cap, against their plan and the next one.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use lab::{LoopDevice, Scratch, Throttle};
use record::{Kept, Record};

use super::harness::{Bench, BenchContext, Bound, Section, hint_at_root};
use super::limit::first_limit;

const DEVICE_BYTES: u64 = 1 << 30;
/// The caps, in operations per second, each with the next tier's promise.
const TIERS: [(u64, u64); 4] =
    [(3_000, 5_000), (5_000, 10_000), (10_000, 15_000), (15_000, 25_000)];
/// A plan is kept by nine tenths of its figure: what AWS states of its volumes.
const TOLERANCE: f64 = 0.9;
/// An unclear answer is asked for again, as a user would.
const TRIES_MAX: u32 = 3;
const STATUS_NOT_KEPT: i32 = 3;

pub(super) const BENCH: Bench = Bench {
    name: "promises",
    heading: "Promises of neighbouring tiers",
    method: "A loop device that the kernel throttles to a tier's IOPS, with its control groups out \
             of sight as a provider's are, searched by `truedisk limit --plan` against the tier's \
             own plan and against the next one (tolerance 0.9). A promise that is not kept is exit \
             status 3; what cannot be told, because the host was disturbed, is asked up to three \
             times.",
    columns: "cap | plan | IOPS | outcome | exit status | asked",
    tools: &["unshare"],
    rounds: 2,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let truedisk = context.build_truedisk()?;
    let device = LoopDevice::new(DEVICE_BYTES).map_err(hint_at_root)?;
    let throttle = Throttle::new(device.major_minor())?;
    let scratch = Scratch::new()?;
    let file = scratch.path().join("plans.toml");
    std::fs::write(&file, plans_file_text()).context("cannot write plans")?;
    let mut counts = AnswerCounts::default();
    for (cap, next) in TIERS {
        throttle.cap_read_iops(cap)?;
        for promised in [cap, next].repeat(context.rounds) {
            let plan = format!("{}:p{promised}", file.display());
            let ask = || run_limit(&truedisk, &throttle, &device, &plan);
            let (mut answer, mut tries) = (ask()?, 1);
            while answer.outcome == Kept::CannotTell && tries < TRIES_MAX {
                (answer, tries) = (ask()?, tries + 1);
            }
            // A group that holds nothing would make every promise look kept.
            ensure!(answer.iops < 1.2 * cap as f64, "the cap of {cap} let {} through", answer.iops);
            counts.count_answer(&answer, promised == cap);
            section.add_row([
                cap.to_string(),
                promised.to_string(),
                format!("{:.0}", answer.iops),
                answer.outcome.label().text().to_owned(),
                answer.status.map_or_else(|| "none".to_owned(), |status| status.to_string()),
                tries.to_string(),
            ]);
        }
    }
    let share = |count: usize| count as f64 / (TIERS.len() * context.rounds) as f64;
    section.require("share of own plans kept", Bound::AtLeast(1.0), share(counts.kept));
    section.require("share of next plans not kept", Bound::AtLeast(1.0), share(counts.broken));
    section.require("wrong answers", Bound::AtMost(0.0), counts.wrong as f64);
    Ok(())
}

#[derive(Default)]
struct AnswerCounts {
    kept: usize,
    broken: usize,
    wrong: usize,
}

impl AnswerCounts {
    fn count_answer(&mut self, answer: &PromiseAnswer, is_own: bool) {
        let (right, status) =
            if is_own { (Kept::Kept, 0) } else { (Kept::NotKept, STATUS_NOT_KEPT) };
        let is_right = answer.outcome == right && answer.status == Some(status);
        self.kept += usize::from(is_right && is_own);
        self.broken += usize::from(is_right && !is_own);
        self.wrong += usize::from(!is_right && answer.outcome != Kept::CannotTell);
    }
}

/// A plan for each figure of a tier; two tiers may name one.
fn plans_file_text() -> String {
    let figures: BTreeSet<u64> = TIERS.into_iter().flat_map(|(own, next)| [own, next]).collect();
    let plan = |iops: &u64| format!("[p{iops}]\niops = {iops}\ntolerance = {TOLERANCE}\n");
    figures.iter().map(plan).collect()
}

struct PromiseAnswer {
    iops: f64,
    outcome: Kept,
    status: Option<i32>,
}

fn run_limit(
    truedisk: &Path,
    throttle: &Throttle,
    device: &LoopDevice,
    plan: &str,
) -> Result<PromiseAnswer> {
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c"]);
    command.arg("mount -t tmpfs none /sys/fs/cgroup && exec \"$0\" \"$@\"").arg(truedisk);
    command.args(["limit", "--json", "-", "--no-history", "--quiet", "--read-only"]);
    command.args(["--bound", "mean<1s", "--depth", "8", "--plan", plan]).arg(device.path());
    let output = throttle
        .wrap_command(&command)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run unshare")?;
    let record: Record =
        serde_json::from_slice(&output.stdout).context("truedisk did not print JSON")?;
    let promise = record.judgement_or_default().promise.first();
    let outcome = promise.context("the record says nothing of the promise")?.kept;
    let iops = first_limit(&record)?.iops.value;
    Ok(PromiseAnswer { iops, outcome, status: output.status.code() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_outcome_with_its_status_counts() {
        let told = |outcome, status| PromiseAnswer { iops: 1.0, outcome, status };
        let mut counts = AnswerCounts::default();
        counts.count_answer(&told(Kept::Kept, Some(0)), true);
        counts.count_answer(&told(Kept::NotKept, Some(STATUS_NOT_KEPT)), false);
        counts.count_answer(&told(Kept::CannotTell, Some(0)), false);
        counts.count_answer(&told(Kept::NotKept, Some(0)), false);
        counts.count_answer(&told(Kept::Kept, Some(0)), false);
        assert_eq!((counts.kept, counts.broken, counts.wrong), (1, 1, 2));
    }

    #[test]
    fn a_plan_that_two_tiers_name_is_written_once() {
        assert_eq!(plans_file_text().matches("iops = 5000\n").count(), 1);
        assert_eq!(plans_file_text().matches('[').count(), 5);
    }
}
