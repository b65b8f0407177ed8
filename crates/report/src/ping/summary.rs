//! What truedisk says beyond ioping's lines.

use std::fmt::Write as _;

use message::{Language, Message, Render as _, label, messages};
use record::Finding;
use stats::{LatencyHistogram, minimum_samples, percentile_estimate};

use super::ioping_units;
use crate::text::{pad_right, text_width};
use crate::words::{say, status_word};

const SHOWN_PERCENTILES: [f64; 4] = [50.0, 90.0, 99.0, 99.9];

/// The percentiles that the sample supports, each with its interval; and how many requests the
/// first unsupported one would need.
pub fn format_percentiles(times: &LatencyHistogram, language: Language) -> String {
    let requests = times.count();
    let mut text = String::new();
    for p in SHOWN_PERCENTILES {
        let Some(estimate) = percentile_estimate(times, p) else {
            let words = Unknown { requests, needed: minimum_samples(p) }.render(language);
            let _ = writeln!(text, "p{p}: {words}");
            break;
        };
        let value = format_time(estimate.value, language);
        let words = match estimate.interval() {
            Some((low, high)) => {
                let [low, high] = [low, high].map(|ns| format_time(ns, language));
                ValueWithRange { value, low, high }.render(language)
            }
            None => value,
        };
        let _ = writeln!(text, "p{p} = {words}");
    }
    text
}

fn format_time(ns: f64, language: Language) -> String {
    language.punctuate(&ioping_units::format_time(ns as u64))
}

/// Width of a histogram's bucket at most, as a share: what is less apart may lie in one.
const BUCKET_WIDTH_MAX: f64 = 1.0 / 128.0;
/// A plan was kept when this share of it was made; less is more than the timer's lateness.
const KEPT_SHARE_MIN: f64 = 0.99;

/// What became of the plan: `planned` starts per second, the rate that was `made` by `starts`
/// requests, and the starts that were `missed`.
pub fn format_rate(
    (planned, made): (f64, Option<f64>),
    (starts, missed): (u64, u64),
    language: Language,
) -> String {
    let number = |rate: f64| {
        language.punctuate(&match rate {
            rate if rate >= 100.0 => format!("{rate:.0}"),
            rate if rate >= 1.0 => format!("{rate:.1}"),
            rate => format!("{rate:.2}"),
        })
    };
    let is_kept = made.is_some_and(|made| made >= KEPT_SHARE_MIN * planned);
    let (planned, all) = (number(planned), starts.saturating_add(missed));
    let words: Message = match (made.map(number), missed) {
        (Some(_), 0) if is_kept => RateKept { planned }.into(),
        (Some(made), 0) => RateLate { planned, made }.into(),
        (Some(made), missed) => RateMissed { planned, made, missed, all }.into(),
        (None, 0) => RateOfFew { planned, starts }.into(),
        (None, missed) => RateOfFewMissed { planned, starts, missed, all }.into(),
    };
    words.render(language) + "\n"
}

/// Latency after a pause next to latency back to back.
pub fn format_idle_contrast(
    paused: &LatencyHistogram,
    close: &LatencyHistogram,
    language: Language,
) -> String {
    let side = |times: &LatencyHistogram| match percentile_estimate(times, 50.0) {
        Some(estimate) => {
            let (low, high) = estimate.interval().unwrap_or((estimate.value, estimate.value));
            let [value, low, high] =
                [estimate.value, low, high].map(|ns| format_time(ns, language));
            let range = ValueWithRangeOf { value, low, high, n: times.count() };
            format!("p50 = {}", range.render(language))
        }
        None => {
            let needed = minimum_samples(50.0);
            Unknown { requests: times.count(), needed }.render(language)
        }
    };
    let leads = [say("ping-after-pause", language), say("ping-back-to-back", language)];
    let width = leads.iter().map(|lead| text_width(lead)).max().unwrap_or(0) + 1;
    let [first, second] = leads.map(|lead| pad_right(&format!("{lead}:"), width));
    let mut text = format!("{first} {}\n{second} {}\n", side(paused), side(close));
    let ends = |times| percentile_estimate(times, 50.0)?.interval();
    if let (Some(idle), Some(busy)) = (ends(paused), ends(close))
        && let (Some(slow), Some(fast)) = (paused.quantile(0.5), close.quantile(0.5))
    {
        let ratio = format!("{:.2}", slow as f64 / fast.max(1) as f64);
        let above = |low: f64, high: f64| low > high * (1.0 + BUCKET_WIDTH_MAX);
        let verdict: Message = if above(idle.0, busy.1) {
            label("ping-sleeps")
        } else if above(busy.0, idle.1) {
            label("ping-faster-after-pause")
        } else {
            label("ping-no-difference")
        };
        let ratio = language.punctuate(&ratio);
        let _ = writeln!(text, "{}", Ratio { ratio, verdict }.render(language));
    }
    text
}

pub fn format_findings(findings: &[Finding], language: Language) -> String {
    let line = |finding: &Finding| {
        let status = status_word(finding.status, language);
        let value = |evidence: &record::Evidence| (&evidence.value).render(language);
        let fact = finding.evidence.first().map(|evidence| format!(" ({})", value(evidence)));
        let summary = (&finding.summary).render(language);
        format!("{}: {status}: {summary}{}\n", finding.id, fact.unwrap_or_default())
    };
    findings.iter().map(line).collect()
}

messages! {
    Unknown = "ping-unknown" { requests: u64, needed: u64 };
    ValueWithRange = "ping-range" { value: String, low: String, high: String };
    ValueWithRangeOf = "ping-range-of" { value: String, low: String, high: String, n: u64 };
    RateKept = "ping-rate-kept" { planned: String };
    RateLate = "ping-rate-late" { planned: String, made: String };
    RateMissed = "ping-rate-missed" { planned: String, made: String, missed: u64, all: u64 };
    RateOfFew = "ping-rate-few" { planned: String, starts: u64 };
    RateOfFewMissed = "ping-rate-few-missed" {
        planned: String, starts: u64, missed: u64, all: u64,
    };
    Ratio = "ping-ratio" { ratio: String, verdict: Message };
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
        let few = format_percentiles(&times(5, 1000), Language::English);
        assert_eq!(few, "p50: not known from 5 requests, 6 are needed\n");
        let more = format_percentiles(&times(40, 64), Language::English);
        assert_eq!(
            more,
            "p50 = 83 ns (95 %: 77 ns to 90 ns)\np90 = 99 ns (95 %: 95 ns to 103 ns)\n\
             p99: not known from 40 requests, 368 are needed\n"
        );
        let many = format_percentiles(&times(4000, 100_000), Language::English);
        assert_eq!(many.lines().count(), 4, "{many}");
        assert!(many.contains("p99.9 = "), "{many}");
        assert!(
            format_percentiles(&LatencyHistogram::new(), Language::English)
                .contains("from 0 requests")
        );
    }

    #[test]
    fn the_rate_says_what_was_missed() {
        assert_eq!(
            format_rate((50.0, Some(49.6)), (101, 0), Language::English),
            "rate: 50.0 requests/s planned, and kept\n"
        );
        assert_eq!(
            format_rate((100.0, Some(50.0)), (101, 100), Language::English),
            "rate: 100 requests/s planned, 50.0 made; 100 of 201 starts missed, because requests \
             took longer than the interval\n"
        );
        assert_eq!(
            format_rate((16_000.0, Some(15_000.0)), (101, 0), Language::English),
            "rate: 16000 requests/s planned, 15000 made: starts were late\n"
        );
        assert_eq!(
            format_rate((1.0, None), (1, 0), Language::English),
            "rate: 1.0 requests/s planned; 1 made, too few to tell a rate\n"
        );
    }

    #[test]
    fn a_contrast_claims_only_what_its_intervals_show() {
        let told =
            format_idle_contrast(&times(20, 190_000), &times(140, 47_000), Language::English);
        assert!(told.contains("go to sleep"), "{told}");
        assert!(told.contains("ratio: 4.0"), "{told}");
        let alike =
            format_idle_contrast(&times(20, 50_000), &times(140, 49_960), Language::English);
        assert!(alike.contains("no difference is shown"), "{alike}");
        let faster =
            format_idle_contrast(&times(20, 47_000), &times(140, 190_000), Language::English);
        assert!(faster.contains("ratio: 0.25; requests are faster after a pause"), "{faster}");
        assert!(!faster.contains("overlap"), "{faster}");
        let few = format_idle_contrast(&times(3, 190_000), &times(140, 47_000), Language::English);
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
            format_findings(&[finding], Language::English),
            "unwritten: invalid: the blocks were never written (100 % holes)\n"
        );
    }
}
