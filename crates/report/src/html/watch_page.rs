//! A watch as one page.

use askama::Template;
use message::{Language, Message, Render as _, label};
use record::{Completion, Record, WatchVerdict, Watched, WatchedDirection, WatchedDisk};
use units::escape_controls;

use super::facts::{LayerView, build_layer_view, run_facts};
use super::view::Footer;
use crate::chart::Chart;
use crate::watch::text::{disk_rows, scope_words, waiter_rows};
use crate::watch::{
    TileMean, TileMedian, describe_use, draw_watch_pictures, list_causes, list_unseen, verdict_word,
};
use crate::words::{format_day, format_minute, say, target_words};

/// Figures of more disks than this are folded.
const DISKS_OPEN_MAX: usize = 3;
/// Disk, rates, median and 99th percentile.
const NARROW_COLUMNS: usize = 5;

#[derive(Template)]
#[template(path = "watch.html")]
struct Page<'a> {
    record: &'a Record,
    language: Language,
    first: Option<&'a WatchedDisk>,
    badge: Badge,
    others: Vec<Answer>,
    tiles: Vec<Tile>,
    pictures: Vec<Chart>,
    figures: Grid,
    has_few_disks: bool,
    waiters: Option<Grid>,
    causes: Vec<(String, String)>,
    unseen: Vec<String>,
    scope: String,
}

struct Badge {
    class: &'static str,
    sign: &'static str,
    word: String,
}

struct Answer {
    badge: Badge,
    sentence: String,
    next: String,
}

struct Tile {
    title: String,
    value: String,
    unit: String,
    note: String,
}

struct Grid {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Columns that a phone has room for.
    narrow_columns: usize,
}

pub(super) fn render_watch_page(
    record: &Record,
    watch: &Watched,
    language: Language,
) -> Result<String, askama::Error> {
    Ok(escape_controls(&Page::new(record, watch, language).render()?).into_owned())
}

impl<'a> Page<'a> {
    fn new(record: &'a Record, watch: &'a Watched, language: Language) -> Self {
        let active: Vec<&WatchedDisk> =
            watch.disks.iter().filter(|disk| disk.is_active()).collect();
        let first = watch.disks.first();
        let (head, rows) = disk_rows(&active, language);
        let waiters = (!watch.waiters.is_empty()).then(|| {
            let (head, rows) = waiter_rows(watch, (usize::MAX, usize::MAX), language);
            Grid { narrow_columns: head.len(), head, rows }
        });
        let others = active.iter().filter(|disk| first.is_none_or(|first| first.name != disk.name));
        Self {
            record,
            language,
            first,
            badge: build_badge(first.map_or(WatchVerdict::CannotTell, |of| of.verdict), language),
            others: others.map(|disk| build_answer(disk, language)).collect(),
            tiles: first.map(|disk| build_tiles(disk, language)).unwrap_or_default(),
            pictures: draw_watch_pictures(watch, language),
            figures: Grid { head, rows, narrow_columns: NARROW_COLUMNS },
            has_few_disks: active.len() <= DISKS_OPEN_MAX,
            waiters,
            causes: list_causes(watch, language),
            unseen: list_unseen(watch, language),
            scope: scope_words(watch).render(language),
        }
    }

    fn language(&self) -> Language {
        self.language
    }

    fn say(&self, id: &str) -> String {
        say(id, self.language)
    }

    fn path(&self) -> String {
        self.record.measured.target_path()
    }

    fn headline(&self) -> String {
        self.first.map_or_else(|| self.path(), |disk| (&disk.sentence).render(self.language))
    }

    fn next(&self) -> String {
        let next = self.first.and_then(|disk| disk.next.as_ref());
        next.map(|next| next.render(self.language)).unwrap_or_default()
    }

    fn host(&self) -> String {
        let host = self.record.measured.describe_host();
        host.unwrap_or_else(|| label("page-unknown-host")).render(self.language)
    }

    fn day(&self) -> String {
        format_day(self.record.measured.started)
    }

    fn time(&self) -> String {
        format_minute(self.record.measured.started)
    }

    fn target(&self) -> String {
        let target = self.record.measured.target();
        target.map(|target| target_words(target).render(self.language)).unwrap_or_default()
    }

    fn partial(&self) -> Option<String> {
        match &self.record.measured.completion {
            Completion::Complete => None,
            Completion::Partial { reason, .. } => Some(reason.render(self.language)),
        }
    }

    fn layers(&self) -> Vec<LayerView> {
        let stacks = self.record.measured.targets.iter().flat_map(|target| &target.stack);
        stacks.map(|layer| build_layer_view(layer, self.record, self.language)).collect()
    }

    fn facts(&self) -> Vec<(String, String)> {
        run_facts(self.record, self.language)
    }

    fn footer(&self) -> String {
        let measured = &self.record.measured;
        let (version, id) = (measured.tool.version.clone(), measured.id.clone());
        let schema = self.record.schema_version.to_string();
        Footer { version, id, schema }.render(self.language)
    }
}

fn build_badge(verdict: WatchVerdict, language: Language) -> Badge {
    let (class, sign) = match verdict {
        WatchVerdict::NotBottleneck => ("good", "✓"),
        WatchVerdict::CannotTell => ("none", "?"),
        _ => ("warn", "!"),
    };
    Badge { class, sign, word: verdict_word(verdict, language) }
}

fn build_answer(disk: &WatchedDisk, language: Language) -> Answer {
    Answer {
        badge: build_badge(disk.verdict, language),
        sentence: (&disk.sentence).render(language),
        next: disk.next.as_ref().map(|next| next.render(language)).unwrap_or_default(),
    }
}

/// Rates, latencies, and how much of what is known is used.
fn build_tiles(disk: &WatchedDisk, language: Language) -> Vec<Tile> {
    let figure = |text: String| language.punctuate(&text);
    let rate = |id: &str, unit: &str, of: &WatchedDirection| {
        let (iops, bytes) = disk.rate_of(of);
        Tile {
            title: say(id, language),
            value: figure(iops.to_string()),
            unit: say(unit, language),
            note: figure(format!("{:.1} MB/s", bytes.as_mb())),
        }
    };
    let latency = |id: &str, of: &WatchedDirection| {
        let (p50, p99) = (of.percentile("p50"), of.percentile("p99"));
        let mean = of.mean().map(|latency| Message::from(TileMean { latency }));
        let median = p50.map(|latency| Message::from(TileMedian { latency }));
        let (value, unit, note) = match (p99, of.mean()) {
            (Some(p99), _) => (p99.to_string(), "p99".to_owned(), median),
            (None, Some(mean)) => (mean.to_string(), say("head-mean", language), None),
            (None, None) => ("-".to_owned(), String::new(), mean),
        };
        let note = note.map(|note| note.render(language)).unwrap_or_default();
        Tile { title: say(id, language), value: figure(value), unit, note }
    };
    let mut tiles = vec![
        rate("watch-tile-reads", "unit-reads", &disk.read),
        rate("watch-tile-writes", "unit-writes", &disk.write),
    ];
    let parts = [
        ("watch-tile-read-latency", Some(&disk.read)),
        ("watch-tile-write-latency", Some(&disk.write)),
        ("watch-tile-flush-latency", disk.flush.as_ref()),
    ];
    for (id, of) in parts {
        tiles.extend(of.filter(|of| of.operations > 0).map(|of| latency(id, of)));
    }
    let title = say("watch-tile-used", language);
    tiles.push(match &disk.used {
        Some(used) => Tile {
            title,
            value: figure(used.share().to_string()),
            unit: String::new(),
            note: describe_use(used).render(language),
        },
        None => Tile {
            title,
            value: "-".to_owned(),
            unit: String::new(),
            note: say("watch-tile-used-unknown", language),
        },
    });
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(language: Language, change: impl Fn(&mut Record)) -> String {
        let mut record = record::fixture::watch_record();
        change(&mut record);
        record.judgement = Some(analysis::judge(&record.measured));
        crate::render_html(&record, language).unwrap()
    }

    #[test]
    fn a_page_has_the_sentence_the_tiles_and_the_pictures() {
        let text = page(Language::English, |_| ());
        for words in [
            "<title>truedisk watch: db-3, 2026-11-18</title>",
            "vda is slow though lightly used",
            "! slow",
            "3,805 <span class=\"unit\">reads/s",
            "6.9 %",
            "Latency of vda over time",
            "id=\"watch-rate-vda\"",
            "postgresql@16-main.service/postgres",
            "Causes looked at",
            "Not seen in this run",
        ] {
            assert!(text.contains(words), "{words} is missing in {text}");
        }
        assert!(!text.contains("NaN") && !text.contains("src=") && !text.contains("<script"));
        assert!(text.len() < 400_000, "{} bytes", text.len());
    }

    #[test]
    fn foreign_names_are_escaped() {
        let evil = "</script><script>alert(1)</script>\u{1b}]0;x";
        let text = page(Language::English, |record| {
            let watch = record.measured.watch.as_mut().unwrap();
            watch.waiters[0].who = record::WaiterName::Group(evil.to_owned());
            watch.disks[0].name = evil.to_owned();
            record.measured.environment.hostname = Some(evil.to_owned());
        });
        assert!(!text.contains("<script>alert") && !text.contains('\u{1b}'));
    }

    #[test]
    fn every_language_and_the_emptiest_watch_have_a_page() {
        for language in Language::ALL {
            let full = page(language, |_| ());
            let empty = page(language, |record| {
                let watch = record.measured.watch.as_mut().unwrap();
                watch.disks.clear();
                watch.waiters.clear();
                watch.host = record::HostSample::default();
                record.measured.targets.clear();
            });
            for text in [full, empty] {
                assert!(text.contains("<title>truedisk watch: "));
                assert!(!text.contains("watch-") || !text.contains(">watch-"), "a label");
            }
        }
    }
}
