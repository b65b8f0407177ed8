//! What was promised and what became of it: the rows that terminal and page share.

use message::{Language, Message, Render as _, label, messages};
use record::{Kept, LatencyBin, Promise, Record, VolumeCounters, find_percentile_bin};
use stats::Estimate;
use units::Nanos;

use crate::compare::Range;
use crate::words::{mark_vague, or_dash};

pub(crate) struct PromiseRow {
    pub(crate) label: String,
    pub(crate) promised: String,
    pub(crate) needed: String,
    pub(crate) measured: String,
    pub(crate) interval: String,
    pub(crate) kept: Kept,
    pub(crate) kept_words: String,
    pub(crate) why: String,
}

/// The class of an answer's mark on the page.
pub(crate) fn kept_class(kept: Kept) -> &'static str {
    match kept {
        Kept::Kept => "ok",
        Kept::NotKept => "invalid",
        Kept::CannotTell => "note",
    }
}

/// What became of each promised number, in a language.
pub(crate) fn build_promise_rows(record: &Record, language: Language) -> Vec<PromiseRow> {
    let row = |outcome: &record::PromiseOutcome| {
        let words = |value: f64| outcome.what.format_value(value).render(language);
        let measured = outcome.measured.as_ref();
        let range = |(low, high)| Range { low: words(low), high: words(high) }.render(language);
        PromiseRow {
            label: (&outcome.label).render(language),
            promised: words(outcome.promised),
            needed: words(outcome.needed),
            measured: or_dash(measured.map(|m| mark_vague(words(m.value), Some(m)))),
            interval: or_dash(measured.and_then(Estimate::interval).map(range)),
            kept: outcome.kept,
            kept_words: outcome.kept.label().render(language),
            why: (&outcome.why).render(language),
        }
    };
    record.judgement_or_default().promise.iter().map(row).collect()
}

pub(crate) fn promise_title(promise: &Promise) -> String {
    match &promise.title {
        Some(title) => format!("{title} ({})", promise.asked),
        None => promise.asked.clone(),
    }
}

pub(crate) fn promise_terms(promise: &Promise, language: Language) -> Vec<String> {
    let percent = (promise.share * 1000.0).round() / 10.0;
    let percent = language.punctuate(&percent.to_string());
    let because = Message::from(&promise.share_because);
    let accounting = Message::from(&promise.accounting);
    let mut terms = vec![
        ShareNeeded { percent, because }.render(language),
        Counting { accounting }.render(language),
    ];
    if let Some(lasts) = promise.burst_lasts {
        let seconds = lasts.as_secs_f64().round() as u64;
        terms.push(FullBurst { seconds }.render(language));
    }
    terms
}

pub(crate) fn volume_words(record: &Record, language: Language) -> Vec<String> {
    let sentences = |volume| {
        let latencies = latency_sentences(volume);
        [volume_sentence(volume)].into_iter().chain(latencies).map(|of| of.render(language))
    };
    record.measured.volumes.iter().flat_map(sentences).collect()
}

/// How long operations took within the volume, where its histogram says it.
fn latency_sentences(volume: &VolumeCounters) -> Vec<Message> {
    let percentiles =
        |bins: &[LatencyBin]| find_percentile_bin(bins, 50.0).zip(find_percentile_bin(bins, 99.0));
    let reads = percentiles(&volume.read_latency).map(|(p50, p99)| -> Message {
        let (device, median, median_to) = (volume.device.clone(), p50.from, p50.to);
        VolumeReadLatency { device, median, median_to, high: p99.from, high_to: p99.to }.into()
    });
    let writes = percentiles(&volume.write_latency).map(|(p50, p99)| -> Message {
        let (device, median, median_to) = (volume.device.clone(), p50.from, p50.to);
        VolumeWriteLatency { device, median, median_to, high: p99.from, high_to: p99.to }.into()
    });
    reads.into_iter().chain(writes).collect()
}

fn volume_sentence(volume: &VolumeCounters) -> Message {
    let mean = |time: Nanos, count: u64| -> Message {
        match count {
            0 => label("promise-volume-none"),
            count => VolumeOperations { count, mean: Nanos(time.0 / count) }.into(),
        }
    };
    Volume {
        device: volume.device.clone(),
        reads: mean(volume.read_time, volume.read_ops),
        writes: mean(volume.write_time, volume.write_ops),
        volume_iops: volume.volume_iops_exceeded,
        volume_bytes: volume.volume_throughput_exceeded,
        instance_iops: volume.instance_iops_exceeded,
        instance_bytes: volume.instance_throughput_exceeded,
    }
    .into()
}

messages! {
    PromisedTitle = "promise-titled" { promise: String };
    PromisedItem = "promise-promised-item" { label: String, promised: String };
    MeasuredBecause = "promise-measured-because" { measured: String, why: String };
    MeasuredNeededBecause = "promise-measured-needed-because" {
        measured: String, needed: String, why: String,
    };
    ShareNeeded = "promise-share-needed" { percent: String, because: Message };
    Counting = "promise-counting" { accounting: Message };
    FullBurst = "promise-full-burst" { seconds: u64 };
    VolumeOperations = "promise-volume-operations" { count: u64, mean: Nanos };
    Volume = "promise-volume" {
        device: String, reads: Message, writes: Message, volume_iops: Nanos, volume_bytes: Nanos,
        instance_iops: Nanos, instance_bytes: Nanos,
    };
    VolumeReadLatency = "promise-volume-read-latency" {
        device: String, median: Nanos, median_to: Nanos, high: Nanos, high_to: Nanos,
    };
    VolumeWriteLatency = "promise-volume-write-latency" {
        device: String, median: Nanos, median_to: Nanos, high: Nanos, high_to: Nanos,
    };
}
