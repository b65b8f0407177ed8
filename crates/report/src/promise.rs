//! What was promised and what became of it: the rows that terminal and page share.

use record::{Kept, Promise, Record, VolumeCounters};
use stats::Estimate;
use units::Nanos;

use crate::words::or_dash;

pub(crate) struct PromiseRow {
    pub(crate) label: String,
    pub(crate) promised: String,
    pub(crate) needed: String,
    pub(crate) measured: String,
    pub(crate) interval: String,
    pub(crate) kept: Kept,
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

pub(crate) fn build_promise_rows(record: &Record) -> Vec<PromiseRow> {
    let row = |outcome: &record::PromiseOutcome| {
        let words = |value: f64| outcome.what.format_value(value).to_string();
        let measured = outcome.measured.as_ref();
        let interval = measured.and_then(Estimate::interval);
        PromiseRow {
            label: outcome.label.clone().text().to_owned(),
            promised: words(outcome.promised),
            needed: words(outcome.needed),
            measured: or_dash(measured.map(|m| words(m.value))),
            interval: or_dash(interval.map(|(a, b)| format!("{} to {}", words(a), words(b)))),
            kept: outcome.kept,
            why: outcome.why.clone().text().to_owned(),
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

pub(crate) fn promise_terms(promise: &Promise) -> Vec<String> {
    let percent = (promise.share * 1000.0).round() / 10.0;
    let mut terms = vec![
        format!("Needed is {percent} % of a promised rate: {}.", promise.share_because),
        format!("Counting: {}.", promise.accounting),
    ];
    if let Some(lasts) = promise.burst_lasts {
        let whole = units::group_digits((lasts.as_secs_f64()).round() as u64);
        terms.push(format!("A full burst lasts {whole} s at full load."));
    }
    terms
}

pub(crate) fn volume_words(record: &Record) -> Vec<String> {
    record.measured.volumes.iter().map(volume_sentence).collect()
}

fn volume_sentence(volume: &VolumeCounters) -> String {
    let mean = |time: Nanos, ops: u64| match ops {
        0 => "none".to_owned(),
        ops => format!("{ops} in {} on average", Nanos(time.0 / ops)),
    };
    format!(
        "{} counted itself (EBS log page): reads {}, writes {}; more was asked than bought for {} \
         (operations) and {} (bytes), more than the instance can for {} and {}.",
        volume.device,
        mean(volume.read_time, volume.read_ops),
        mean(volume.write_time, volume.write_ops),
        volume.volume_iops_exceeded,
        volume.volume_throughput_exceeded,
        volume.instance_iops_exceeded,
        volume.instance_throughput_exceeded,
    )
}
