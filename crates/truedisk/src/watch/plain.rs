//! A watch as text: a block per interval, and one of the whole.

use message::{Message, messages};
use record::{Record, SourceKind, Watched};
use report::describe_source;
use units::Nanos;
use watch::Disk;

use crate::terminal::{self, tell};

messages! {
    Watching = "watch-watching" { disks: message::Names, source: Message };
    WatchedFor = "watch-watched-for" { time: Nanos };
}

/// What is watched, and by which source.
pub(super) fn render_start(disks: &[Disk], source: SourceKind, notes: &[Message]) -> String {
    let disks = disks.iter().map(|disk| &disk.name).collect();
    let watching = Watching { disks, source: describe_source(source) };
    let mut out = tell(watching) + "\n";
    notes.iter().for_each(|note| out.push_str(&wrap(&tell(note.clone()))));
    out
}

/// One interval: the answer so far, the disks, who waits.
pub(super) fn render_interval(
    time: jiff::Timestamp,
    sentence: Option<&Message>,
    interval: &Watched,
) -> String {
    let clock = time.to_zoned(jiff::tz::TimeZone::system()).strftime("%H:%M:%S").to_string();
    let sentence = sentence.map(tell).unwrap_or_default();
    let figures = report::render_watch_figures(interval, terminal::style());
    format!("\n{}{figures}", wrap(&format!("{clock}  {sentence}")))
}

/// The whole watch: the answer of each disk with what to do next, and its figures. With
/// `--verbose` all that the history shows of it.
pub(super) fn render_end(record: &Record) -> String {
    let Some(watch) = record.measured.watch.as_deref().filter(|_| !terminal::is_verbose()) else {
        return terminal::render_record(record);
    };
    let style = terminal::style();
    let answers = report::render_watch_answers(watch, style);
    let time = tell(WatchedFor { time: watch.length });
    format!("{answers}\n{time}\n{}", report::render_watch_figures(watch, style))
}

/// The lines of a paragraph.
fn wrap(text: &str) -> String {
    report::wrap_paragraph(text, terminal::style())
}
