//! What every finding means, how it is found, and what to do about it, for people.
//!
//! The thresholds in these texts are the constants of the checks themselves, so that text and code
//! cannot drift apart. The terminal, and the page `docs/findings.md`, are made from here.

mod bytes;
mod contents;
mod generator;
mod path;
mod time;

use record::{FindingId, Status};

/// What a finding means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// Which check.
    pub id: FindingId,
    /// The question it answers, in one line.
    pub question: &'static str,
    /// What it means for the numbers.
    pub meaning: String,
    /// How it is found, with its thresholds.
    pub method: String,
    /// The statuses that it can have, and when.
    pub statuses: Vec<(Status, String)>,
    /// What to do about it.
    pub remedy: String,
    /// What it cannot see.
    pub blind_spot: String,
}

/// Explains a finding.
#[must_use]
pub fn explain(id: FindingId) -> Explanation {
    match id {
        FindingId::PageCache => bytes::page_cache(),
        FindingId::Unwritten => bytes::unwritten(),
        FindingId::ZeroBlocks => bytes::zero_blocks(),
        FindingId::HostCache => bytes::host_cache(),
        FindingId::DeviceCache => bytes::device_cache(),
        FindingId::Compressible => contents::compressible(),
        FindingId::Dedup => contents::dedup(),
        FindingId::Flush => contents::flush(),
        FindingId::FirstTouch => contents::first_touch(),
        FindingId::Burst => time::burst(),
        FindingId::ProviderLimit => time::provider_limit(),
        FindingId::NotSettled => time::not_settled(),
        FindingId::Neighbour => time::neighbour(),
        FindingId::ClientBound => generator::client_bound(),
        FindingId::LinkBound => path::link_bound(),
        FindingId::OsThrottle => path::os_throttle(),
        FindingId::IdleLatency => time::idle_latency(),
        FindingId::Misaligned => path::misaligned(),
        FindingId::ShortStroke => path::short_stroke(),
        FindingId::Impossible => generator::impossible(),
        FindingId::Coverage => generator::coverage(),
        FindingId::Little => generator::little(),
        FindingId::Stall => time::stall(),
    }
}

/// The statuses of a finding, in the order from harmless to fatal.
fn statuses(of: &[(Status, &str)]) -> Vec<(Status, String)> {
    of.iter().map(|(status, when)| (*status, (*when).to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finding_is_explained_in_full() {
        for id in FindingId::ALL {
            let text = explain(id);
            assert_eq!(text.id, id);
            assert!(text.question.ends_with('?') && text.question.len() <= 78, "{id}");
            for part in [&text.meaning, &text.method, &text.remedy, &text.blind_spot] {
                assert!(part.len() > 40 && part.ends_with('.'), "{id}: {part}");
                assert!(!part.contains("  ") && !part.contains('\n'), "{id}: {part}");
            }
            let order: Vec<Status> = text.statuses.iter().map(|(status, _)| *status).collect();
            assert!(order.is_sorted() && order.first() == Some(&Status::Ok), "{id}: {order:?}");
            assert!(order.windows(2).all(|pair| pair[0] != pair[1]), "{id}: {order:?}");
        }
    }

    #[test]
    fn the_statuses_of_judged_records_are_among_those_explained() {
        let mut spoiled = crate::testing::sample_record();
        for cell in &mut spoiled.cells {
            cell.ledger.layers[0].read_bytes.0 /= 3;
            cell.achieved_depth.counted /= 2.0;
        }
        let mut empty = crate::testing::sample_record();
        empty.cells.clear();
        empty.targets.clear();
        for record in [crate::testing::sample_record(), spoiled, empty] {
            for finding in super::super::run_checks(&record, &crate::judge(&record)) {
                let can = explain(finding.id).statuses;
                let known = can.iter().any(|(status, _)| *status == finding.status);
                assert!(known, "{}: {} is not explained", finding.id, finding.status);
            }
        }
    }

    /// The words of each check without its tests, and of what decides for it.
    fn source(id: FindingId) -> String {
        let files: &[&str] = match id {
            FindingId::PageCache => &[include_str!("page_cache.rs")],
            FindingId::Unwritten => &[include_str!("unwritten.rs")],
            FindingId::ZeroBlocks => &[include_str!("zero_blocks.rs")],
            FindingId::HostCache => &[include_str!("host_cache.rs")],
            FindingId::DeviceCache => &[include_str!("device_cache.rs")],
            FindingId::Compressible => &[include_str!("compressible.rs")],
            FindingId::Dedup => &[include_str!("dedup.rs")],
            FindingId::Flush => &[include_str!("flush.rs")],
            FindingId::FirstTouch => &[
                include_str!("first_touch.rs"),
                include_str!("first_touch/reads.rs"),
                include_str!("first_touch/writes.rs"),
            ],
            FindingId::Burst => &[include_str!("burst.rs")],
            FindingId::ProviderLimit => &[include_str!("provider_limit.rs")],
            FindingId::NotSettled => &[include_str!("not_settled.rs")],
            FindingId::Neighbour => &[include_str!("neighbour.rs")],
            FindingId::ClientBound => &[include_str!("client_bound.rs")],
            FindingId::LinkBound => &[include_str!("link_bound.rs")],
            FindingId::OsThrottle => &[include_str!("os_throttle.rs")],
            FindingId::IdleLatency => &[include_str!("idle_latency.rs")],
            FindingId::Misaligned => &[include_str!("misaligned.rs")],
            FindingId::ShortStroke => &[include_str!("short_stroke.rs")],
            FindingId::Impossible => &[include_str!("impossible.rs")],
            FindingId::Coverage => &[include_str!("coverage.rs")],
            FindingId::Little => &[include_str!("little.rs")],
            FindingId::Stall => &[include_str!("stall.rs")],
        };
        let code = |file: &&str| file.split("#[cfg(test)]").next().unwrap_or(file).to_owned();
        files.iter().map(code).collect()
    }

    /// A status that a check can raise stands in its source by name, and none that it cannot; `ok`
    /// is where every check begins.
    #[test]
    fn every_status_that_a_check_can_raise_is_explained_and_no_other() {
        use Status::{Invalid, NotObservable, Note, Ok, Warning};
        for id in FindingId::ALL {
            let source = source(id);
            let raised = |status: Status| match status {
                Status::Ok => true,
                Status::NotObservable => {
                    source.contains("not_observable(") || source.contains("Status::NotObservable")
                }
                Status::Note => source.contains("Status::Note"),
                Status::Warning => source.contains("Status::Warning"),
                Status::Invalid => source.contains("Status::Invalid"),
            };
            let all = [Ok, NotObservable, Note, Warning, Invalid];
            let raised: Vec<Status> = all.into_iter().filter(|s| raised(*s)).collect();
            let explained: Vec<Status> = explain(id).statuses.iter().map(|(s, _)| *s).collect();
            assert_eq!(explained, raised, "{id}: explained, and in the source");
        }
    }

    #[test]
    fn thresholds_are_those_of_the_code() {
        let found = |id| explain(id).method;
        let check = |id, words: &str| {
            let text = found(id);
            assert!(text.contains(words), "{words} is missing in: {text}");
        };
        check(
            FindingId::PageCache,
            &units::Ratio(super::super::page_cache::SERVED_MIN).to_string(),
        );
        check(FindingId::Dedup, &super::super::content::FASTER_MIN.to_string());
        check(FindingId::Stall, &super::super::stall::GAP_MIN.to_string());
    }
}
