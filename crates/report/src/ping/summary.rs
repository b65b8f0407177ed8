//! What truedisk says beyond ioping's lines.

use std::fmt::Write as _;

use record::Finding;
use stats::{LatencyHistogram, minimum_samples, percentile_estimate};

use super::ioping_units;

const SHOWN_PERCENTILES: [f64; 4] = [50.0, 90.0, 99.0, 99.9];

/// The percentiles that the sample supports, each with its interval; and how many requests the
/// first unsupported one would need.
pub fn format_percentiles(times: &LatencyHistogram) -> String {
    let n = times.count();
    let mut text = String::new();
    for p in SHOWN_PERCENTILES {
        let Some(estimate) = percentile_estimate(times, p) else {
            let needed = minimum_samples(p);
            let _ = writeln!(text, "p{p}: not known from {n} requests, {needed} are needed");
            break;
        };
        let value = ioping_units::format_time(estimate.value as u64);
        let _ = write!(text, "p{p} = {value}");
        if let Some((low, high)) = estimate.interval() {
            let [low, high] = [low, high].map(|ns| ioping_units::format_time(ns as u64));
            let _ = write!(text, " (95 %: {low} to {high})");
        }
        text.push('\n');
    }
    text
}

/// Width of a histogram's bucket at most, as a share: what is less apart may lie in one.
const BUCKET_WIDTH_MAX: f64 = 1.0 / 128.0;
/// A plan was kept when this share of it was made; less is more than the timer's lateness.
const KEPT_SHARE_MIN: f64 = 0.99;

/// What became of the plan: `planned` starts per second, the rate that was `made` by `starts`
/// requests, and the starts that were `missed`.
pub fn format_rate(planned: f64, made: Option<f64>, starts: u64, missed: u64) -> String {
    let number = |rate: f64| match rate {
        rate if rate >= 100.0 => format!("{rate:.0}"),
        rate if rate >= 1.0 => format!("{rate:.1}"),
        rate => format!("{rate:.2}"),
    };
    let mut text = format!("rate: {} requests/s planned", number(planned));
    let _ = match (made, missed) {
        (Some(made), 0) if made >= KEPT_SHARE_MIN * planned => write!(text, ", and kept"),
        (Some(made), 0) => write!(text, ", {} made: starts came late", number(made)),
        (Some(made), _) => write!(text, ", {} made", number(made)),
        (None, _) => write!(text, "; {starts} made, too few to tell a rate"),
    };
    if missed > 0 {
        let all = starts.saturating_add(missed);
        let _ = write!(
            text,
            "; {missed} of {all} starts missed, because requests took longer than the interval"
        );
    }
    text.push('\n');
    text
}

/// Latency after a pause next to latency back to back.
pub fn format_idle_contrast(paused: &LatencyHistogram, close: &LatencyHistogram) -> String {
    let side = |times: &LatencyHistogram| match percentile_estimate(times, 50.0) {
        Some(estimate) => {
            let (low, high) = estimate.interval().unwrap_or((estimate.value, estimate.value));
            let [value, low, high] =
                [estimate.value, low, high].map(|ns| ioping_units::format_time(ns as u64));
            format!("p50 = {value} (95 %: {low} to {high}, n = {})", times.count())
        }
        None => {
            let (n, needed) = (times.count(), minimum_samples(50.0));
            format!("not known from {n} requests, {needed} are needed")
        }
    };
    let mut text = format!("after a pause: {}\nback to back:  {}\n", side(paused), side(close));
    let ends = |times| percentile_estimate(times, 50.0)?.interval();
    if let (Some(idle), Some(busy)) = (ends(paused), ends(close))
        && let (Some(slow), Some(fast)) = (paused.quantile(0.5), close.quantile(0.5))
    {
        let ratio = slow as f64 / fast.max(1) as f64;
        let above = |low: f64, high: f64| low > high * (1.0 + BUCKET_WIDTH_MAX);
        let words = if above(idle.0, busy.1) {
            "device, host or processor go to sleep between requests"
        } else if above(busy.0, idle.1) {
            "requests are faster after a pause: those before them are still being worked on, or \
             a rate is limited"
        } else {
            "the intervals overlap: no difference is shown"
        };
        let _ = writeln!(text, "ratio: {ratio:.2}; {words}");
    }
    text
}

pub fn format_findings(findings: &[Finding]) -> String {
    let line = |finding: &Finding| {
        let status = finding.status.name().replace('-', " ");
        let fact = finding.evidence.first().map(|evidence| format!(" ({})", evidence.value));
        format!("{}: {status}: {}{}\n", finding.id, finding.summary, fact.unwrap_or_default())
    };
    findings.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Evidence, FindingId, Status};

    fn times(n: u64, ns: u64) -> LatencyHistogram {
        let mut times = LatencyHistogram::new();
        (0..n).for_each(|i| times.record(ns + i));
        times
    }

    #[test]
    fn no_percentile_is_told_that_the_sample_does_not_support() {
        let few = format_percentiles(&times(5, 1000));
        assert_eq!(few, "p50: not known from 5 requests, 6 are needed\n");
        let more = format_percentiles(&times(40, 64));
        assert_eq!(
            more,
            "p50 = 83 ns (95 %: 77 ns to 90 ns)\np90 = 99 ns (95 %: 95 ns to 103 ns)\n\
             p99: not known from 40 requests, 368 are needed\n"
        );
        let many = format_percentiles(&times(4000, 100_000));
        assert_eq!(many.lines().count(), 4, "{many}");
        assert!(many.contains("p99.9 = "), "{many}");
        assert!(format_percentiles(&LatencyHistogram::new()).contains("from 0 requests"));
    }

    #[test]
    fn the_rate_says_what_was_missed() {
        assert_eq!(
            format_rate(50.0, Some(49.6), 101, 0),
            "rate: 50.0 requests/s planned, and kept\n"
        );
        assert_eq!(
            format_rate(100.0, Some(50.0), 101, 100),
            "rate: 100 requests/s planned, 50.0 made; 100 of 201 starts missed, because requests \
             took longer than the interval\n"
        );
        assert_eq!(
            format_rate(16_000.0, Some(15_000.0), 101, 0),
            "rate: 16000 requests/s planned, 15000 made: starts came late\n"
        );
        assert_eq!(
            format_rate(1.0, None, 1, 0),
            "rate: 1.0 requests/s planned; 1 made, too few to tell a rate\n"
        );
    }

    #[test]
    fn a_contrast_claims_only_what_its_intervals_show() {
        let told = format_idle_contrast(&times(20, 190_000), &times(140, 47_000));
        assert!(told.contains("go to sleep"), "{told}");
        assert!(told.contains("ratio: 4.0"), "{told}");
        let alike = format_idle_contrast(&times(20, 50_000), &times(140, 49_960));
        assert!(alike.contains("no difference is shown"), "{alike}");
        let faster = format_idle_contrast(&times(20, 47_000), &times(140, 190_000));
        assert!(faster.contains("ratio: 0.25; requests are faster after a pause"), "{faster}");
        assert!(!faster.contains("overlap"), "{faster}");
        let few = format_idle_contrast(&times(3, 190_000), &times(140, 47_000));
        assert!(few.contains("not known from 3 requests") && !few.contains("ratio"), "{few}");
    }

    #[test]
    fn a_finding_is_one_line() {
        let finding = Finding {
            id: FindingId::Unwritten,
            status: Status::Invalid,
            summary: message::Message::from_text("the blocks were never written"),
            evidence: vec![Evidence::text(
                message::Message::from_text("extents"),
                message::Message::from_text("100 % holes"),
            )],
            cells: Vec::new(),
            remedy: None,
        };
        assert_eq!(
            format_findings(&[finding]),
            "unwritten: invalid: the blocks were never written (100 % holes)\n"
        );
    }
}
