//! What a run says while it goes, and at its end.

use std::collections::VecDeque;
use std::io::{self, BufWriter, Stdout, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jiff::Zoned;
use method::ping::{Announcer, Bell, PingSettings, Pinged, Voice, Writes};
use record::{PingFigures, PingPlace, PingRequest};
use report::ping::{self, Way};
use units::{escape_controls, escape_json};

use super::settings::Look;
use crate::terminal;

/// Latencies in the live line.
const NEWEST: usize = 40;
/// The live line is drawn so often at most.
const REDRAW: Duration = Duration::from_millis(100);
/// Bars are told of so many requests at least.
const BARS_FROM: u64 = 20;

/// How often and how long a last flush tries: whoever holds the lock may wait for a reader.
const TRIES: u32 = 50;
const TRY: Duration = Duration::from_millis(2);

/// stdout with what was said and not yet written, so that a second signal may write it.
#[derive(Clone)]
pub(super) struct Out(Arc<Mutex<BufWriter<Stdout>>>);

impl Out {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(BufWriter::new(terminal::data_stdout()))))
    }

    fn with<T>(&self, act: impl FnOnce(&mut BufWriter<Stdout>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes what was said, unless it is being written for too long.
    pub(super) fn rescue(&self) {
        for _ in 0..TRIES {
            if let Ok(mut out) = self.0.try_lock() {
                let _ = out.flush();
                return;
            }
            // sleeps because the other thread has the lock for a line or forever
            std::thread::sleep(TRY);
        }
    }
}

/// Says it all, on stdout and stderr.
pub(super) struct Printer<'run> {
    settings: &'run PingSettings,
    look: &'run Look,
    as_ioping: bool,
    out: Out,
    json_lines: u64,
    live: Option<Live>,
    /// Ends the run when nobody reads any more.
    bell: Arc<Bell>,
    failed: Option<io::Error>,
    /// The time of day of the last request, once it was needed.
    now: Option<(f64, String)>,
    /// stdout is the record's alone: what is said goes nowhere.
    mute: bool,
}

/// The line on a terminal that shows the newest latencies.
struct Live {
    newest: VecDeque<u64>,
    drawn: Option<Instant>,
    shown: bool,
}

impl<'run> Printer<'run> {
    pub(super) fn new(
        settings: &'run PingSettings,
        look: &'run Look,
        as_ioping: bool,
        bell: Arc<Bell>,
        out: Out,
    ) -> Self {
        let watched = terminal::is_stdout_terminal() && terminal::is_stderr_terminal();
        let to_stdout = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
        let mute = to_stdout(&look.record) || to_stdout(&look.page);
        let is_text = !look.json && !look.batch && !as_ioping && !mute;
        let live = (watched && is_text).then(|| Live {
            newest: VecDeque::new(),
            drawn: None,
            shown: false,
        });
        Self {
            settings,
            look,
            as_ioping,
            out,
            json_lines: 0,
            live,
            bell,
            failed: None,
            now: None,
            mute,
        }
    }

    fn say(&mut self, text: &str) {
        if self.mute {
            return;
        }
        self.clear();
        let text = if self.look.json { escape_json(text) } else { escape_controls(text) };
        let written = self.out.with(|out| out.write_all(text.as_bytes()));
        self.note(written);
    }

    fn note(&mut self, written: io::Result<()>) {
        if let Err(error) = written {
            self.failed.get_or_insert(error);
            self.bell.ring();
        }
    }

    /// The time of day, read once per request: the figures after it have the same, as ioping's.
    fn when(&mut self) -> (f64, String) {
        let format = &self.look.time_format;
        let read = || {
            let now = Zoned::now();
            // It was tried when the format was read.
            let local = jiff::fmt::strtime::format(format, &now).unwrap_or_default();
            (now.timestamp().as_microsecond() as f64 / 1e6, local)
        };
        self.now.get_or_insert_with(read).clone()
    }

    fn json_figures(&mut self, place: &PingPlace, figures: &PingFigures) {
        let (seconds, local) = self.when();
        let first = self.json_lines == 0;
        self.json_lines += 1;
        self.say(&ping::json_figures(place, figures, (seconds, &local), first));
    }

    fn raw(&mut self, place: &PingPlace, figures: &PingFigures) {
        let of = (self.settings.paths.len() > 1).then_some(place);
        self.say(&ping::raw(figures, of));
    }

    fn clear(&mut self) {
        if let Some(live) = self.live.as_mut().filter(|live| live.shown) {
            live.shown = false;
            let _ = terminal::redraw("");
        }
    }

    fn draw(&mut self) {
        let Some(live) = &mut self.live else { return };
        let recent = live.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAW);
        if recent || live.newest.is_empty() {
            return;
        }
        (live.drawn, live.shown) = (Some(Instant::now()), true);
        let newest: Vec<u64> = live.newest.iter().copied().collect();
        let _ = terminal::redraw(&ping::live(&newest));
    }

    /// Everything at the end; what could not be written is the error.
    pub(super) fn end(mut self, pinged: &[Pinged]) -> io::Result<()> {
        for one in pinged {
            self.figures(one);
        }
        if self.look.json {
            self.say("]\n");
        }
        let flushed = self.out.with(BufWriter::flush);
        self.note(flushed);
        if self.look.findings {
            for one in pinged {
                let text = ping::findings(&one.findings);
                let data = self.as_ioping || self.look.json || self.look.batch || self.mute;
                if data {
                    terminal::say(text)?;
                } else {
                    self.say(&text);
                }
            }
        }
        let flushed = self.out.with(BufWriter::flush);
        self.note(flushed);
        self.failed.map_or(Ok(()), Err)
    }

    fn figures(&mut self, one: &Pinged) {
        let settings = self.settings;
        let windows = settings.window_count > 0 || settings.window_time.0 > 0;
        if self.look.json {
            self.json_figures(&one.place, &one.figures);
        } else if self.look.batch {
            self.raw(&one.place, &one.figures);
        } else if !(self.look.quiet && windows) {
            let way = match settings.writes {
                Writes::None => Way::Read,
                Writes::All => Way::Write,
                Writes::InTurns => Way::Both,
            };
            self.say(&ping::statistics(&one.place, &one.figures, way));
            self.more(one);
        }
    }

    /// What is beyond ioping's lines.
    fn more(&mut self, one: &Pinged) {
        if let Some(rate) = one.rate.filter(|_| self.look.rate) {
            self.say(&ping::rate(rate.planned, rate.made, rate.starts, rate.missed));
        }
        if self.look.percentiles {
            self.say(&ping::percentiles(&one.times));
        }
        if let Some([paused, close]) = &one.contrast {
            self.say(&ping::contrast(paused, close));
        }
        let enough = self.as_ioping || one.times.count() >= BARS_FROM;
        if self.look.histogram && enough {
            self.say(&ping::histogram(&one.times));
        }
    }
}

impl Voice for Printer<'_> {
    fn announcer(&self) -> Announcer {
        let announce: fn(&str) = |text| {
            // Measuring goes on where nobody reads stderr.
            let _ = terminal::say_line(format_args!("truedisk: {text}"));
        };
        let is_heard = !self.look.quiet || self.look.batch || self.settings.rapid;
        (!self.as_ioping && is_heard).then_some(announce)
    }

    fn ready(&mut self) {
        if self.look.json {
            self.say("[");
        }
        // Where times of day are told, the time zone is read from its file before the first.
        if self.look.json || self.look.time {
            self.when();
        }
    }

    fn request(&mut self, _: usize, place: &PingPlace, request: &PingRequest) {
        self.now = None;
        if let Some(live) = &mut self.live {
            if live.newest.len() == NEWEST {
                live.newest.pop_front();
            }
            live.newest.push_back(request.time.0);
        }
        if self.look.quiet {
            self.draw();
        } else if self.look.json {
            let (seconds, local) = self.when();
            let first = self.json_lines == 0;
            self.json_lines += 1;
            self.say(&ping::json_request(place, request, (seconds, &local), first));
        } else {
            let time = self.look.time.then(|| self.when().1);
            self.say(&ping::request(place, request, time.as_deref()));
        }
    }

    fn window(&mut self, _: usize, place: &PingPlace, figures: &PingFigures) {
        if self.look.json {
            self.json_figures(place, figures);
        } else {
            self.raw(place, figures);
        }
        let flushed = self.out.with(BufWriter::flush);
        self.note(flushed);
    }

    fn rest(&mut self) {
        if !self.look.quiet {
            let flushed = self.out.with(BufWriter::flush);
            self.note(flushed);
        }
        self.draw();
    }

    fn tell_look(&mut self, text: &str) {
        if !self.as_ioping {
            self.warn(text);
        }
    }

    fn warn(&mut self, text: &str) {
        self.clear();
        let name = if self.as_ioping { "ioping" } else { "truedisk" };
        let _ = terminal::say_line(format_args!("{name}: {text}"));
    }
}
