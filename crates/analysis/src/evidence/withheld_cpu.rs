//! Time in which the workers could have run and had no processor, and who had it; for
//! `client-bound`.

use message::{Message, label, messages};
use record::{Cell, CellRole, CpuThrottle, Measured, Status, TargetInfo};
use units::{Nanos, Ratio};

use crate::cells::{CpuShares, cell_beside, is_device_full};
use crate::finding::FindingBuilder;
use crate::lists::find_or_push;
use crate::words::Clauses;

/// Share of a cell's time. A worker that does not run for a tenth of it reports a rate that is up
/// to a tenth too low, which is what an unmarked figure may be off.
pub(crate) const WITHHELD_WARNING: Ratio = Ratio(0.10);
/// Of a limit of a control group: it holds back all the time, not by chance.
pub(crate) const HELD_BACK_WARNING: Ratio = Ratio(0.05);
/// From here on more of the time is the processor's than the disk's.
pub(crate) const WITHHELD_INVALID: Ratio = Ratio(0.50);
/// Share of the wait that a control group's limit must account for to be its cause.
const CAUSE_SHARE_MIN: f64 = 0.5;

struct Withheld {
    share: f64,
    holder: Holder,
    words: Message,
}

/// Who used the processors while the workers waited.
#[derive(Debug, Clone, PartialEq)]
enum Holder {
    /// The limit of a control group kept the workers from them.
    Group {
        limit: Message,
    },
    Hypervisor,
    Others,
    Itself,
    /// They were mostly idle, or it was not counted.
    Unknown,
}

impl Holder {
    /// In words, and the remedy.
    fn describe(&self) -> Option<(Message, Message)> {
        let (cause, remedy) = match self {
            Self::Group { limit } => (limit.clone(), "remedy-measure-outside-group"),
            Self::Hypervisor => {
                (label("withheld-cpu-by-hypervisor"), "remedy-measure-without-steal")
            }
            Self::Others => (label("withheld-cpu-by-others"), "remedy-measure-alone"),
            Self::Itself => (label("withheld-cpu-by-itself"), "remedy-measure-on-more-processors"),
            Self::Unknown => return None,
        };
        Some((cause, label(remedy)))
    }
}

impl Withheld {
    /// Whether the wait may have lowered the rate, or is most of the time.
    fn spoils(&self, cell: &Cell, beside: Option<&Cell>, targets: &[TargetInfo]) -> bool {
        let is_limited = matches!(self.holder, Holder::Group { .. });
        let least = if is_limited { HELD_BACK_WARNING.0 } else { WITHHELD_WARNING.0 };
        self.share >= WITHHELD_INVALID.0
            || (self.share >= least && !is_device_full(cell, beside, targets))
    }
}

/// Whether the workers waited for a processor, and a repetition may find it free. A control group's
/// limit holds the workers back each time, and so does their own number.
pub(crate) fn waited_for_others(cell: &Cell, target: Option<&TargetInfo>) -> bool {
    let targets = target.map(std::slice::from_ref).unwrap_or_default();
    find_withheld(cell).is_some_and(|withheld| {
        !matches!(withheld.holder, Holder::Group { .. } | Holder::Itself)
            && withheld.spoils(cell, None, targets)
    })
}

/// Marks the cells whose workers waited for a processor; `None` where there is none.
pub(crate) fn judge_withheld_cpu(
    measured: &Measured,
    finding: &mut FindingBuilder,
) -> Option<Message> {
    let loads = measured.cells.iter().filter(|cell| cell.role != CellRole::Idle);
    let disturbed: Vec<(&Cell, Withheld)> = loads
        .filter_map(|cell| Some((cell, find_withheld(cell)?)))
        .filter(|(cell, withheld)| {
            withheld.spoils(cell, cell_beside(cell, measured), &measured.targets)
        })
        .collect();
    let worst = disturbed.iter().map(|(_, withheld)| withheld.share).fold(0.0, f64::max);
    // A finding names the cells of its status only: where one cell is spoiled, all that the same
    // wait disturbed are left out.
    let status = if worst >= WITHHELD_INVALID.0 { Status::Invalid } else { Status::Warning };
    let mut lost_to: Vec<(Holder, f64)> = Vec::new();
    for (cell, Withheld { share, holder, words }) in disturbed {
        finding.mark(cell, status, words, share);
        let is_same = |(known, _): &(Holder, f64)| *known == holder;
        let lost = find_or_push(&mut lost_to, is_same, || (holder.clone(), 0.0));
        lost.1 += share * cell.elapsed.as_secs_f64();
    }
    let (holder, _) = lost_to.into_iter().max_by(|one, other| one.1.total_cmp(&other.1))?;
    let (share, cells) = (Ratio(worst), finding.cells.len());
    Some(match holder.describe() {
        Some((cause, remedy)) => {
            finding.remedy = Some(remedy);
            WithheldFor { cause, share, cells }.into()
        }
        None => WithheldForUnknown { share, cells }.into(),
    })
}

fn find_withheld(cell: &Cell) -> Option<Withheld> {
    let throttle = cell.ledger.cpu_throttle.as_ref().filter(|one| one.throttled.0 > 0);
    let throttled = throttle.map_or(Nanos::ZERO, throttled_time);
    let waited =
        cell.cpu.run_queue_wait.map(|sum| Nanos(sum.0 / u64::from(cell.cpu.threads.max(1))));
    // Where waiting is not counted, the group's time is: that of the warm-up is in it.
    let (lost, elapsed) = match waited {
        Some(waited) => (waited, cell.elapsed),
        None => (throttled, cell.ledger.elapsed),
    };
    let share = lost.as_secs_f64() / elapsed.as_secs_f64().max(1e-9);
    if let Some(throttle) = throttle
        && throttled.0 as f64 >= CAUSE_SHARE_MIN * lost.0 as f64
    {
        let (limit, cgroup) = (describe_limit(throttle), throttle.cgroup.clone());
        let words = WithheldByGroup { limit: limit.clone(), cgroup, lost, elapsed }.into();
        return Some(Withheld { share, holder: Holder::Group { limit }, words });
    }
    let (holder, shares) = CpuShares::from_cell(cell).map(find_holder).unzip();
    let mut clauses = vec![WithheldWait { lost, elapsed }.into()];
    clauses.extend(shares);
    if let Some(time) = cell.ledger.system.as_ref().and_then(|system| system.pressure_cpu) {
        clauses.push(WithheldPressure { time, elapsed: cell.ledger.elapsed }.into());
    }
    let words = Clauses { clauses }.into();
    Some(Withheld { share, holder: holder.unwrap_or(Holder::Unknown), words })
}

/// The group is held back on each processor by itself, but not for more than the rest of a period.
fn throttled_time(throttle: &CpuThrottle) -> Nanos {
    let periods = throttle.period.0.saturating_mul(throttle.throttled_periods);
    Nanos(throttle.throttled.0.min(periods))
}

fn describe_limit(throttle: &CpuThrottle) -> Message {
    match throttle.quota_cpus {
        Some(cpus) if cpus < 1.0 => WithheldByQuotaOfOne { share: Ratio(cpus) }.into(),
        Some(processors) => WithheldByQuota { processors }.into(),
        None => label("withheld-cpu-by-limit"),
    }
}

/// Who used the processors while the workers waited, and the share of each.
fn find_holder(CpuShares { idle, stolen, foreign }: CpuShares) -> (Holder, Message) {
    let own = (1.0 - idle - stolen - foreign).max(0.0);
    let others = foreign.max(0.0);
    let holder = match () {
        () if idle > stolen.max(others).max(own) => Holder::Unknown,
        () if stolen > others.max(own) => Holder::Hypervisor,
        () if others >= own => Holder::Others,
        () => Holder::Itself,
    };
    let [own, others, stolen, idle] = [own, others, stolen, idle].map(Ratio);
    (holder, WithheldShares { own, others, stolen, idle }.into())
}

messages! {
    WithheldFor = "withheld-cpu-for" { cause: Message, share: Ratio, cells: usize };
    WithheldForUnknown = "withheld-cpu-for-unknown" { share: Ratio, cells: usize };
    WithheldByGroup = "withheld-cpu-by-group" {
        limit: Message, cgroup: String, lost: Nanos, elapsed: Nanos,
    };
    WithheldByQuotaOfOne = "withheld-cpu-by-quota-of-one" { share: Ratio };
    WithheldByQuota = "withheld-cpu-by-quota" { processors: f64 };
    WithheldWait = "withheld-cpu-wait" { lost: Nanos, elapsed: Nanos };
    WithheldShares = "withheld-cpu-shares" {
        own: Ratio, others: Ratio, stolen: Ratio, idle: Ratio,
    };
    WithheldPressure = "withheld-cpu-pressure" { time: Nanos, elapsed: Nanos };
}

#[cfg(test)]
mod tests {
    use record::{Finding, FindingId, SystemCounters};

    use super::*;
    use crate::testing::{cell_mut, sample_record};

    const CELL: &str = "randread-4k-qd16";

    fn check(record: &Measured) -> Finding {
        let findings = crate::judge(record).findings;
        findings.into_iter().find(|finding| finding.id == FindingId::ClientBound).unwrap()
    }

    /// A cell of two workers and two seconds, of which each waited this long.
    fn waiting(wait_ms: u64) -> Measured {
        let mut record = sample_record();
        make_wait(&mut record, CELL, wait_ms);
        record
    }

    fn make_wait(record: &mut Measured, cell: &str, wait_ms: u64) {
        let cell = cell_mut(record, cell);
        cell.elapsed = Nanos::secs(2);
        cell.ledger.elapsed = Nanos::secs(2);
        cell.ledger.layers[0].queue_ms = 8_000;
        cell.cpu.threads = 2;
        cell.cpu.run_queue_wait = Some(Nanos::millis(2 * wait_ms));
    }

    #[test]
    fn the_most_of_workers_that_waited_is_the_clients() {
        let bounded_by = |wait_ms| {
            let mut record = sample_record();
            for cell in ["randread-4k-qd64", "randread-4k-qd128"] {
                make_wait(&mut record, cell, wait_ms);
            }
            crate::judge(&record).curves[0].main_limit().unwrap().bounded_by
        };
        assert_eq!(bounded_by(0), record::BoundedBy::Saturation);
        assert_eq!(bounded_by(500), record::BoundedBy::Client);
    }

    fn throttle(record: &mut Measured, quota_cpus: f64, throttled_ms: u64) {
        cell_mut(record, CELL).ledger.cpu_throttle = Some(CpuThrottle {
            cgroup: "/box".to_owned(),
            quota_cpus: Some(quota_cpus),
            period: Nanos::millis(100),
            throttled_periods: 20,
            throttled: Nanos::millis(throttled_ms),
        });
    }

    fn hosted(record: &mut Measured, own_ms: u64, steal_ms: u64) {
        cell_mut(record, CELL).ledger.system = Some(SystemCounters {
            cpu_total: Nanos::secs(4),
            cpu_idle: Nanos::ZERO,
            cpu_steal: Nanos::millis(steal_ms),
            cpu_self: Nanos::millis(own_ms),
            pressure_cpu: Some(Nanos::millis(1_900)),
            ..SystemCounters::default()
        });
    }

    #[test]
    fn a_quota_is_named_with_what_it_took() {
        let mut record = waiting(1_600);
        throttle(&mut record, 0.2, 1_700);
        let finding = check(&record);
        assert_eq!((finding.status, &finding.cells[..]), (Status::Invalid, &[CELL.to_owned()][..]));
        assert_eq!(
            finding.evidence[0].value,
            "a control group lets this process use 20 % of a processor (/box); truedisk was held \
             back for 1.60 s of 2.00 s"
        );
        let words = "a control group lets this process use 20 % of a processor: truedisk waited \
            for a processor for up to 80 % of the time, in 1 cell";
        assert_eq!(finding.summary, words);
    }

    #[test]
    fn status_follows_the_share_of_the_time() {
        let check = |wait_ms, expected| assert_eq!(check(&waiting(wait_ms)).status, expected);
        check(0, Status::Ok);
        check(190, Status::Ok);
        check(210, Status::Warning);
        check(990, Status::Warning);
        check(1_010, Status::Invalid);
        // A quota that hardly held anybody back, and one that did all the time.
        for (wait_ms, expected) in [(90, Status::Ok), (110, Status::Warning)] {
            let mut record = waiting(wait_ms);
            throttle(&mut record, 1.5, wait_ms);
            assert_eq!(super::tests::check(&record).status, expected, "{wait_ms}");
        }
    }

    #[test]
    fn a_spoiled_cell_takes_the_mark_of_none_that_waited_less() {
        let mut record = waiting(1_600);
        let cell = cell_mut(&mut record, "randread-4k-qd1");
        (cell.elapsed, cell.ledger.elapsed) = (Nanos::secs(2), Nanos::secs(2));
        cell.ledger.layers[0].queue_ms = 0;
        cell.cpu.threads = 1;
        cell.cpu.run_queue_wait = Some(Nanos::millis(900));
        let finding = check(&record);
        assert_eq!(finding.status, Status::Invalid);
        assert_eq!(finding.cells, ["randread-4k-qd1", CELL]);
    }

    #[test]
    fn a_kernel_that_counts_no_waiting_leaves_the_time_of_the_group() {
        let mut record = waiting(0);
        cell_mut(&mut record, CELL).cpu.run_queue_wait = None;
        assert_eq!(check(&record).status, Status::Ok);
        // On four processors at once: no more than the periods of it can be.
        throttle(&mut record, 1.5, 7_000);
        let finding = check(&record);
        assert_eq!(finding.status, Status::Invalid);
        let value = &finding.evidence[0].value;
        assert!(value.text().contains("use 1.50 processors (/box)"), "{value:?}");
        assert!(value.text().contains("2.00 s of 2.00 s"), "{value:?}");
    }

    #[test]
    fn the_user_of_the_processors_is_named() {
        let check = |own_ms, steal_ms, shares: &str, expected: &str| {
            let mut record = waiting(500);
            hosted(&mut record, own_ms, steal_ms);
            // A group that took a fifth of it is not the cause.
            throttle(&mut record, 1.0, 100);
            let finding = check(&record);
            assert!(finding.summary.text().starts_with(expected), "{finding:#?}");
            let value = &finding.evidence[0].value;
            let wait = format!(
                "its workers waited for a processor for 500 ms of 2.00 s; processor time: \
                 {shares}; at least one process on the host waited for a processor \
                 for 1.90 s of 2.00 s"
            );
            assert_eq!(value.text(), wait);
        };
        let of = |own, others, stolen| {
            format!(
                "this process {own} %, others {others} %, hypervisor {stolen} %, idle \
                 0.00 %"
            )
        };
        check(
            500,
            100,
            &of("12", "85", "2.5"),
            "the processors were busy with other work: truedisk waited",
        );
        check(500, 2_500, &of("12", "25", "62"), "the hypervisor withheld processor time");
        check(
            3_400,
            100,
            &of("85", "12", "2.5"),
            "this process used more processor time than others",
        );
    }

    #[test]
    fn idle_processors_are_no_cause() {
        let mut record = waiting(500);
        hosted(&mut record, 500, 100);
        let system = cell_mut(&mut record, CELL).ledger.system.as_mut().unwrap();
        system.cpu_idle = Nanos::millis(3_000);
        let finding = check(&record);
        assert_eq!(finding.status, Status::Warning);
        assert!(
            finding.summary.text().starts_with("truedisk waited for a processor"),
            "{finding:#?}"
        );
    }

    #[test]
    fn a_full_device_does_not_wait_for_the_workers() {
        let mut record = waiting(500);
        cell_mut(&mut record, CELL).ledger.layers[0].queue_ms = 31_000;
        assert_eq!(check(&record).status, Status::Ok);
        assert!(!is_measured_again(&record));
    }

    fn is_measured_again(record: &Measured) -> bool {
        crate::is_disturbed(record.cell(CELL).unwrap(), record.target())
    }

    #[test]
    fn what_waited_for_others_is_measured_again() {
        assert!(!is_measured_again(&waiting(190)));
        assert!(is_measured_again(&waiting(210)));
        // The next time these are as they are.
        let mut limited = waiting(500);
        throttle(&mut limited, 0.5, 500);
        assert!(!is_measured_again(&limited));
        let mut crowded = waiting(500);
        hosted(&mut crowded, 3_400, 100);
        assert!(!is_measured_again(&crowded));
    }
}
