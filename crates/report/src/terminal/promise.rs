//! What was promised, and whether it is kept.

use message::{Message, Render as _};
use record::Record;

use crate::preset::table::Source;
use crate::promise::{
    MeasuredBecause, MeasuredNeededBecause, PromiseRow, PromisedItem, PromisedTitle,
    build_promise_rows, promise_terms, promise_title, volume_words,
};
use crate::text::{Style, kept_lines, text_width, write_heading, write_wrapped};
use crate::words::Note;

/// The block of a promise; nothing where there is none, and no volume that counts itself.
pub(super) fn write_promise(out: &mut String, record: &Record, style: Style) {
    if let Some(promise) = &record.measured.promise {
        let say = |message: Message| message.render(style.language);
        write_heading(out, style, &style.say("page-promise"));
        let title = say(PromisedTitle { promise: promise_title(promise) }.into());
        write_wrapped(out, style, "  ", &title);
        let rows = build_promise_rows(record, style.language);
        let widest = rows.iter().map(|row| text_width(&row.kept_words)).max().unwrap_or(0);
        let indent = " ".repeat(widest + 4);
        for row in rows {
            let PromiseRow { label, promised, needed, why, kept_words, kept, .. } = row;
            let measured = match row.interval.as_str() {
                "-" => row.measured,
                interval => format!("{} ({interval})", row.measured),
            };
            let text = match needed == promised {
                true => say(MeasuredBecause { measured, why }.into()),
                false => say(MeasuredNeededBecause { measured, needed, why }.into()),
            };
            let item = say(PromisedItem { label, promised }.into());
            let lines = kept_lines(style, ("  ", kept, &kept_words), widest, &item);
            lines.iter().for_each(|line| out.extend([line, "\n"]));
            write_wrapped(out, style, &indent, &text);
        }
        let terms = promise_terms(promise, style.language);
        terms.iter().for_each(|term| write_wrapped(out, style, "  ", term));
        for note in &promise.notes {
            write_wrapped(out, style, "  ", &say(Note { note: note.into() }.into()));
        }
        for source in &promise.sources {
            write_wrapped(out, style, "  ", &say(Source { source: source.clone() }.into()));
        }
    }
    let volumes = volume_words(record, style.language);
    volumes.iter().for_each(|words| write_wrapped(out, style, "  ", words));
}

#[cfg(test)]
mod tests {
    use record::{Promise, Promised, PromisedWhat, VolumeCounters};

    use super::*;

    fn render_with(always: f64) -> String {
        let mut record = record::fixture::ssd_record();
        record.measured.promise = Some(Promise {
            asked: "aws:gp3:100GiB,iops=6000".to_owned(),
            title: Some("AWS EBS gp3, 100 GiB".to_owned()),
            items: vec![Promised {
                what: PromisedWhat::Iops,
                direction: None,
                always,
                burst: None,
            }],
            share: 0.9,
            share_because: Message::from_text("the provider states 90 % for 99 % of the time"),
            io_unit: None,
            accounting: Message::from_text("every transfer counts as one operation"),
            burst_lasts: Some(units::Nanos::secs(1895)),
            only_limits: false,
            notes: vec![Message::from_text("no burst")],
            sources: vec!["https://example.net (2026)".to_owned()],
        });
        let bin = |from: u64, count| record::LatencyBin {
            from: units::Nanos::micros(from),
            to: units::Nanos::micros(2 * from),
            count,
        };
        record.measured.volumes = vec![VolumeCounters {
            device: "nvme1n1".to_owned(),
            read_latency: vec![bin(128, 40), bin(512, 9_900), bin(2048, 200)],
            // Too few for a p99.
            write_latency: vec![bin(512, 9)],
            ..VolumeCounters::default()
        }];
        record.judgement = Some(analysis::judge(&record.measured));
        super::super::render_terminal(&record, Style::PLAIN)
    }

    #[test]
    fn a_promise_is_told_with_its_terms() {
        let text = render_with(6000.0);
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        for words in [
            "Is it what was promised?",
            "AWS EBS gp3, 100 GiB (aws:gp3:100GiB,iops=6000)",
            "kept  random reads: 6,000 IOPS promised",
            "needed 5,400 IOPS",
            "Needed: 90 %",
            "A full burst lasts 1,895 s",
            "Source: https://example.net (2026)",
            "nvme1n1 counted itself",
            "reads took 512 us to 1.02 ms (p50) and 2.05 ms to 4.10 ms (p99)",
        ] {
            assert!(text.contains(words), "'{words}' is missing in:\n{text}");
        }
        assert!(!text.contains("writes took"), "{text}");
        assert!(render_with(200_000.0).contains("NOT KEPT  random reads: 200,000 IOPS promised"));
    }

    #[test]
    fn without_a_promise_nothing_is_said() {
        let mut record = record::fixture::ssd_record();
        record.judgement = Some(analysis::judge(&record.measured));
        let text = super::super::render_terminal(&record, Style::PLAIN);
        assert!(!text.contains("promised") && !text.contains("counted itself"));
    }
}
