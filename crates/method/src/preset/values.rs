//! The words of a preset: what stands between the quotation marks, and what it means.

use std::str::FromStr;

use record::{Score, StepFigure};
use units::{Bytes, Nanos};
use workload::{
    Access, Arrivals, BackendChoice, Direction, Distribution, DurableWrites, Mix, Payload, Sizes,
    Statistic, SyncKind, Weight,
};

/// Words and what they mean.
pub(super) type Choices<T> = &'static [(&'static str, T)];

pub(super) const ENGINES: Choices<BackendChoice> = &[
    ("auto", BackendChoice::Auto),
    ("io_uring", BackendChoice::IoUring),
    ("libaio", BackendChoice::Libaio),
    ("sync", BackendChoice::Sync),
    ("psync", BackendChoice::Psync),
    ("pvsync", BackendChoice::Pvsync),
    ("threads", BackendChoice::Threads),
    ("mmap", BackendChoice::Mmap),
];
pub(super) const SYNCS: Choices<SyncKind> = &[
    ("fsync", SyncKind::Fsync),
    ("fdatasync", SyncKind::Fdatasync),
    ("sync_file_range", SyncKind::FileRange),
];
/// At the end of a step: what makes the whole file durable.
pub(super) const END_SYNCS: Choices<SyncKind> =
    &[("fsync", SyncKind::Fsync), ("fdatasync", SyncKind::Fdatasync)];
pub(super) const DURABLE_WRITES: Choices<DurableWrites> =
    &[("dsync", DurableWrites::Data), ("sync", DurableWrites::DataAndMetadata)];
pub(super) const ARRIVALS: Choices<Arrivals> =
    &[("poisson", Arrivals::Poisson), ("constant", Arrivals::Constant)];
pub(super) const SCORES: Choices<Score> =
    &[("median", Score::Median), ("mean", Score::Mean), ("best", Score::Best)];
pub(super) const DIRECTIONS: Choices<Direction> =
    &[("read", Direction::Read), ("write", Direction::Write), ("sync", Direction::Sync)];

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum SizeOrShare {
    Size(Bytes),
    /// 1.0 is all of it.
    Fraction(f64),
}

impl SizeOrShare {
    pub(super) fn resolve(self, whole: Bytes, step: Bytes) -> Bytes {
        let bytes = match self {
            Self::Size(size) => return size,
            Self::Fraction(share) => (whole.0 as f64 * share) as u64,
        };
        Bytes(bytes / step.0.max(1) * step.0.max(1))
    }
}

impl FromStr for SizeOrShare {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some(percent) = text.strip_suffix('%') else {
            return parse_size(text).map(Self::Size);
        };
        match percent.trim().parse::<f64>() {
            Ok(percent) if percent >= 0.0 && percent.is_finite() => {
                Ok(Self::Fraction(percent / 100.0))
            }
            _ => Err(format!("'{text}' is no size and no share; write it like 2m or 50%")),
        }
    }
}

pub(super) fn parse_size(text: &str) -> Result<Bytes, String> {
    text.parse().map_err(|error: units::ParseError| format!("'{text}': {}", error.reason))
}

pub(super) fn parse_time(text: &str) -> Result<Nanos, String> {
    text.parse().map_err(|error: units::ParseError| format!("'{text}': {}", error.reason))
}

pub(super) fn parse_choice<T: Clone>(
    what: &str,
    text: &str,
    words: &[(&str, T)],
) -> Result<T, String> {
    let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| value.clone());
    found.ok_or_else(|| {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        format!("unknown {what} '{text}'; it is one of {}", known.join(", "))
    })
}

/// A number behind a word and a colon: `zipf:1.2`.
fn parse_parameter<N: FromStr>(text: &str, word: &str) -> Option<Result<N, String>> {
    let number = text.strip_prefix(word)?.strip_prefix(':')?;
    Some(number.parse().map_err(|_| format!("'{number}' in '{text}' is no number")))
}

pub(super) fn parse_access(text: &str) -> Result<Access, String> {
    let law = |law: Distribution| Access::Distributed(law);
    if let Some(theta) = parse_parameter(text, "zipf") {
        return theta.map(|theta| law(Distribution::Zipf { theta }));
    }
    if let Some(h) = parse_parameter(text, "pareto") {
        return h.map(|h| law(Distribution::Pareto { h }));
    }
    if let Some(percent) = parse_parameter(text, "partly-random") {
        return percent.map(|random_percent| Access::PartlyRandom { random_percent });
    }
    let words = [
        ("random", Access::Random),
        ("sequential", Access::Sequential),
        ("backward", Access::Backward),
        ("random-repeating", Access::RandomRepeating),
    ];
    parse_choice("access", text, &words)
        .map_err(|error| format!("{error}, zipf:NUMBER, pareto:NUMBER, partly-random:PERCENT"))
}

/// `read`, `write`, or the shares of both: `75/25`.
pub(super) fn parse_mix(text: &str) -> Result<Mix, String> {
    if let Some((reads, writes)) = text.split_once('/') {
        return match (reads.parse::<u8>(), writes.parse::<u8>()) {
            (Ok(read_percent @ 1..=99), Ok(rest))
                if u32::from(read_percent) + u32::from(rest) == 100 =>
            {
                Ok(Mix::Mixed { read_percent })
            }
            _ => Err(format!("'{text}' is no mix; shares of reads and writes add up to 100")),
        };
    }
    parse_choice("mix", text, &[("read", Mix::Read), ("write", Mix::Write)])
        .map_err(|error| format!("{error}, or like 75/25"))
}

/// One size, or sizes with their shares in percent, `4k/60:64k/40`, or every multiple of the first
/// up to the last, `4k-1m`. The first is the job's.
pub(super) fn parse_sizes(text: &str) -> Result<(Bytes, Sizes), String> {
    let positive = |text: &str| match parse_size(text)? {
        Bytes(0) => Err("a block size of 0".to_owned()),
        bytes => Ok(bytes),
    };
    if let Some((least, most)) = text.split_once('-') {
        let (least, most) = (positive(least)?, positive(most)?);
        if most <= least || !most.0.is_multiple_of(least.0) {
            return Err(format!("'{text}' is no range: the last is no multiple of the first"));
        }
        return Ok((least, Sizes::Range { least, most }));
    }
    if !text.contains('/') {
        return positive(text).map(|size| (size, Sizes::Block));
    }
    let mut weights = Vec::new();
    for part in text.split(':') {
        let wrong = || format!("'{part}' in '{text}' is not SIZE/PERCENT");
        let (bytes, percent) = part.split_once('/').ok_or_else(wrong)?;
        let percent = percent.parse().map_err(|_| wrong())?;
        weights.push(Weight { size: positive(bytes)?, percent });
    }
    let first = weights.first().map_or(Bytes(0), |weight| weight.size);
    Ok((first, Sizes::Weighted(weights)))
}

pub(super) fn parse_payload(text: &str) -> Result<Payload, String> {
    if let Some(percent) = parse_parameter(text, "compressible") {
        return percent.map(|percent| Payload::Compressible { percent });
    }
    if let Some(percent) = parse_parameter(text, "dedupable") {
        return percent.map(|percent| Payload::Dedupable { percent });
    }
    parse_choice(
        "payload",
        text,
        &[("unique", Payload::Unique), ("zero", Payload::Zero), ("dev-zero", Payload::DevZero)],
    )
    .map_err(|error| format!("{error}, compressible:PERCENT, dedupable:PERCENT"))
}

pub(super) fn parse_figure(text: &str) -> Result<StepFigure, String> {
    let latency = |statistic| StepFigure::Latency(statistic);
    let percentile = |name: &str| {
        let value: f64 = name.strip_prefix('p')?.parse().ok()?;
        analysis::PERCENTILES.contains(&value).then_some(latency(Statistic::Percentile(value)))
    };
    match text {
        "iops" => Ok(StepFigure::Iops),
        "mbps" => Ok(StepFigure::BytesPerSecond),
        "mean" => Ok(latency(Statistic::Mean)),
        "max" => Ok(latency(Statistic::Max)),
        name => percentile(name).ok_or_else(|| {
            let known = analysis::PERCENTILES.map(|value| format!("p{value}"));
            format!(
                "unknown statistic '{text}'; it is one of iops, mbps, mean, max, {}",
                known.join(", ")
            )
        }),
    }
}
