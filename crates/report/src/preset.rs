//! The texts of presets: our own table, and the familiar texts of the tools they imitate.
//!
//! # How to add a familiar text
//!
//! Write one pure function `fn(&PresetResult<'_>) -> String` in a file of its own here, and add a
//! line to [`FORMATS`]. It is printed by `--format NAME`, whatever the preset; a preset names the
//! one that is usual for it with `format = "NAME"`. What it prints comes from the record alone:
//!
//! - [`PresetResult::step`] gives a step by name with its figures: [`StepResult::figures`] (median,
//!   interval, and the score as the tool takes it: best, mean), [`StepResult::passes`] the cells
//!   behind them, with job, ledger, histogram;
//! - [`PresetResult::record`] has everything else: target, surface, environment, findings.
//!
//! A step that was left out or cut short is absent: the text then has no line for it, or the mark
//! that the tool itself uses; never a zero.
//!
//! A test parses the text as a script that scrapes the tool would.

mod crystaldiskmark;
mod dd;
#[cfg(test)]
mod dialect_tests;
mod gnome_disks;
mod hdparm;
mod hdtune;
mod printf;
mod result;
mod select;
mod tab_lines;
pub(crate) mod table;
pub(crate) mod terminal_text;
mod winsat;
mod yabs;

pub use result::{PresetResult, StepResult};
pub use table::title_words;

use crystaldiskmark::Version;

#[derive(Debug, Clone, Copy)]
pub struct Format {
    pub name: &'static str,
    /// What it is, in a few words.
    pub description: &'static str,
    /// Makes the text, with its last line ended.
    pub render: fn(&PresetResult<'_>) -> String,
    /// The same in a few lines of at most that width, where the whole is long.
    pub(crate) brief: Option<fn(&PresetResult<'_>, usize) -> String>,
}

const fn format(
    name: &'static str,
    description: &'static str,
    render: fn(&PresetResult<'_>) -> String,
) -> Format {
    Format { name, description, render, brief: None }
}

/// Every familiar text, in the order in which they are listed.
pub const FORMATS: &[Format] = &[
    format("lines", "a line for each figure, with tabs, for scripts", tab_lines::render_preset),
    Format {
        brief: Some(crystaldiskmark::render_scores),
        ..format("crystaldiskmark", "CrystalDiskMark's text, as 8 and 9 print it", |result| {
            crystaldiskmark::render_preset(result, Version::Eight)
        })
    },
    Format {
        brief: Some(crystaldiskmark::render_scores),
        ..format("crystaldiskmark-7", "the same as 7 prints it", |result| {
            crystaldiskmark::render_preset(result, Version::Seven)
        })
    },
    format("crystaldiskmark-6", "the same as 6 prints it", |result| {
        crystaldiskmark::render_preset(result, Version::Six)
    }),
    format("crystaldiskmark-5", "the same as 5 prints it", |result| {
        crystaldiskmark::render_preset(result, Version::Five)
    }),
    format("winsat", "the lines of winsat disk", winsat::render_preset),
    format("hdparm", "the timings of hdparm", hdparm::render_preset),
    format("hdtune", "HD Tune's benchmark, curve, and random access", hdtune::render_preset),
    Format {
        brief: Some(dd::render_brief),
        ..format("dd", "dd's lines, with the commands", dd::render_preset)
    },
    format("yabs", "the table of yabs", yabs::render_table_of_preset),
    format("yabs-json", "the JSON of yabs -j", yabs::render_json_of_preset),
    format("gnome-disks", "the labels of GNOME Disks' benchmark", gnome_disks::render_preset),
];

pub fn find_format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

#[cfg(test)]
pub(crate) mod tests {
    use message::Message;
    use record::{
        CellRole, PresetPlan, PresetStep, PresetThreshold, Purpose, Record, Score, StepCell,
        StepFigure, StepWork,
    };
    use units::{Bytes, Nanos};
    use workload::{Direction, Statistic};

    use super::*;
    use crate::text::Style;

    /// Two passes of random reads, and commits with a threshold; of another step nothing.
    pub(crate) fn render_with(spoil: impl Fn(&mut Record)) -> Record {
        let mut record = record::fixture::ssd_record();
        let step = |name: &str, label: &str, passes| PresetStep {
            name: name.to_owned(),
            label: Message::from_text(label),
            note: (name == "read").then(|| Message::from_text("one at a time")),
            work: StepWork::Jobs { jobs: vec!["job".to_owned()] },
            passes,
            discarded: 0,
            settle: Nanos::ZERO,
            pause: Nanos::ZERO,
            rest: Nanos::ZERO,
            score: if passes > 1 { Score::Best } else { Score::Median },
            group: None,
            until_steady: false,
            direct: true,
            fresh: None,
            cache_dropped: false,
            end_sync: None,
            skips_unaligned: false,
        };
        let threshold = |step: &str| PresetThreshold {
            step: step.to_owned(),
            job: "job".to_owned(),
            direction: Direction::Sync,
            what: StepFigure::Latency(Statistic::Percentile(99.0)),
            limit: 1e7,
            source: Some("https://etcd.io/docs/v3.5/faq/".to_owned()),
            recommended: false,
        };
        record.measured.plan.purpose = Purpose::Preset(Box::new(PresetPlan {
            name: "mine".to_owned(),
            title: "<b>a test</b>".to_owned(),
            imitates: Message::from_text("nobody"),
            sources: vec!["https://example.net".to_owned()],
            format: None,
            size: Bytes::gib(1),
            steps: vec![
                step("read", "random read 4k", 2),
                step("commit", "write + fdatasync", 1),
                step("gone", "left out", 1),
            ],
            thresholds: vec![threshold("commit"), threshold("gone")],
            notes: vec![Message::from_text("a note")],
            departures: vec![Message::from_text("a smaller file")],
        }));
        let mut cell = |name: &str, step: &str, pass| {
            let cell = record.measured.cells.iter_mut().find(|cell| cell.name == name).unwrap();
            cell.role = CellRole::Step;
            let (step, job) = (step.to_owned(), "job".to_owned());
            cell.step = Some(StepCell { step, job, pass, discarded: false });
        };
        cell("randread-4k-qd1", "read", 1);
        cell("randread-4k-qd1-repeat", "read", 2);
        cell("syncwrite-4k", "commit", 1);
        spoil(&mut record);
        record.judgement = Some(analysis::judge(&record.measured));
        record
    }

    #[test]
    fn the_terminal_tells_steps_thresholds_and_departures() {
        let record = render_with(|_| ());
        let text = crate::render_terminal(&record, Style::PLAIN);
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        for words in [
            "mine: <b>a test</b>",
            "Imitates nobody.",
            "Differs from the preset: a smaller file.",
            "one at a time",
            "best of 2 passes: ",
            "PASS         write + fdatasync: p99 of syncs",
            "cannot tell  left out: p99 of syncs",
            "needed below 10.0 ms; measured not measured",
            "Source: https://etcd.io/docs/v3.5/faq/",
            "Note: a note.",
            "mine: cannot tell for 1 of 2 thresholds; met: 1",
        ] {
            assert!(text.contains(words), "'{words}' is missing in:\n{text}");
        }
    }

    #[test]
    fn what_a_preset_imitates_is_in_the_readers_language() {
        let record = render_with(|record| {
            if let Purpose::Preset(plan) = &mut record.measured.plan.purpose {
                plan.imitates = Message::find("preset-imitates-dd").unwrap();
            }
        });
        let language = message::Language::Vietnamese;
        let words = "Mô phỏng dd của coreutils: từng khối một, ghi số 0";
        let text = crate::render_terminal(&record, Style { language, ..Style::PLAIN });
        assert!(text.contains(words), "{text}");
        assert!(crate::render_html(&record, language).unwrap().contains(words));
    }

    #[test]
    fn the_page_tells_the_same_and_escapes_it() {
        let page = crate::render_html(&render_with(|_| ()), message::Language::English).unwrap();
        for words in ["Is it good enough?", "cannot tell", "a smaller file", "best of 2 passes: "] {
            assert!(page.contains(words), "'{words}' is missing");
        }
        assert!(!page.contains("<b>a test"));
        let plain =
            crate::render_html(&record::fixture::ssd_record(), message::Language::English).unwrap();
        assert!(!plain.contains("Is it good enough?"));
    }

    #[test]
    fn an_invalid_pass_is_marked_and_passes_nothing() {
        let record = render_with(|record| {
            let cell =
                record.measured.cells.iter_mut().find(|cell| cell.name == "syncwrite-4k").unwrap();
            cell.ledger.layers.iter_mut().for_each(|layer| layer.write_bytes = Bytes(0));
            if let Some(process) = &mut cell.ledger.process {
                process.write_bytes = Bytes(0);
            }
        });
        let invalid = record
            .judgement_or_default()
            .severe_findings("syncwrite-4k")
            .iter()
            .any(|mark| mark.status == record::Status::Invalid);
        assert!(invalid, "{:?}", record.judgement_or_default().findings);
        let text = crate::render_terminal(&record, Style::PLAIN);
        assert!(text.contains("X write + fdatasync"), "{text}");
        assert!(text.contains("cannot tell  write + fdatasync"), "{text}");
    }

    #[test]
    fn lines_have_as_many_fields_as_their_heads() {
        let record = render_with(|_| ());
        let result = PresetResult::from_record(&record).unwrap();
        let text = (find_format("lines").unwrap().render)(&result);
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
        assert!(rows.iter().all(|row| row.len() == 7), "{text}");
        let median = result.step("read").unwrap().figures(Direction::Read).unwrap().iops.value;
        let iops = rows.iter().find(|row| row[..4] == ["read", "job", "read", "iops"]).unwrap();
        assert_eq!(iops[4], format!("{median:.1}"));
        assert_eq!(rows.last().unwrap()[..5], ["threshold", "gone", "job", "sync", "unknown"]);
        assert!(rows.iter().all(|row| row[0] != "gone"), "what was left out has no figures");
    }

    #[test]
    fn formats_are_known_by_unique_names() {
        let names: std::collections::BTreeSet<&str> = FORMATS.iter().map(|f| f.name).collect();
        assert_eq!(names.len(), FORMATS.len());
        assert!(find_format("nothing").is_none());
    }
}
