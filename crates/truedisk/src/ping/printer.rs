//! What a run says while it goes, and at its end.

use std::collections::VecDeque;
use std::io::{self, BufWriter, Stdout, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ::ping::{Announcer, PingObserver, PingOutcome, PingSettings, PingStop, Writes};
use jiff::Zoned;
use message::Message;
use record::{PingFigures, PingRequest, PingTarget};
use report::ping::{self, PingDirection};
use units::{escape_controls, escape_json};

use super::settings::DisplayOptions;
use crate::terminal::{self, tell};

const LIVE_COUNT: usize = 40;
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);
const HISTOGRAM_MIN: u64 = 20;

/// Attempts of the last flush: the holder of the lock may wait for a reader.
const FLUSH_ATTEMPTS: u32 = 50;
const FLUSH_RETRY_INTERVAL: Duration = Duration::from_millis(2);

/// Buffered stdout that a second signal can flush.
#[derive(Clone)]
pub(super) struct BufferedStdout(Arc<Mutex<BufWriter<Stdout>>>);

impl BufferedStdout {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(BufWriter::new(terminal::data_stdout()))))
    }

    fn with_writer<T>(&self, act: impl FnOnce(&mut BufWriter<Stdout>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Flushes the buffer, unless the other thread holds the lock for too long.
    pub(super) fn flush_before_exit(&self) {
        for _ in 0..FLUSH_ATTEMPTS {
            if let Ok(mut out) = self.0.try_lock() {
                let _ = out.flush();
                return;
            }
            // sleeps because the other thread has the lock for a line or forever
            std::thread::sleep(FLUSH_RETRY_INTERVAL);
        }
    }
}

pub(super) struct Printer<'run> {
    settings: &'run PingSettings,
    look: &'run DisplayOptions,
    as_ioping: bool,
    out: BufferedStdout,
    has_json: bool,
    live: Option<LiveLine>,
    /// Ends the run when the reader is gone.
    stop: Arc<PingStop>,
    failed: Option<io::Error>,
    /// The time of day of the last request, once it was needed.
    now: Option<(f64, String)>,
    /// stdout has the record, or the line of a plugin: nothing else is printed.
    mute: bool,
}

#[derive(Default)]
struct LiveLine {
    newest: VecDeque<u64>,
    drawn: Option<Instant>,
    shown: bool,
}

impl<'run> Printer<'run> {
    pub(super) fn new(
        settings: &'run PingSettings,
        look: &'run DisplayOptions,
        as_ioping: bool,
        stop: Arc<PingStop>,
        out: BufferedStdout,
    ) -> Self {
        let watched = terminal::is_stdout_terminal() && terminal::is_stderr_terminal();
        let to_stdout = |path: &Option<PathBuf>| path.as_deref().is_some_and(::output::is_dash);
        let mute = look.nagios || to_stdout(&look.result.json.json) || to_stdout(&look.result.html);
        let is_text = !look.json && !look.batch && !as_ioping && !mute;
        let live = (watched && is_text).then(LiveLine::default);
        let (has_json, failed, now) = (false, None, None);
        Self { settings, look, as_ioping, out, has_json, live, stop, failed, now, mute }
    }

    fn print_text(&mut self, text: &str) {
        if self.mute {
            return;
        }
        self.clear_live_line();
        let text = if self.look.json { escape_json(text) } else { escape_controls(text) };
        let written = self.out.with_writer(|out| out.write_all(text.as_bytes()));
        self.record_failure(written);
    }

    fn record_failure(&mut self, written: io::Result<()>) {
        if let Err(error) = written {
            self.failed.get_or_insert(error);
            self.stop.raise();
        }
    }

    /// The time of day, read once per request: the figures after it have the same, as in ioping.
    fn time_of_day(&mut self) -> (f64, String) {
        let format = &self.look.time_format;
        let read = || {
            let now = Zoned::now();
            // It was tried when the format was read.
            let local = jiff::fmt::strtime::format(format, &now).unwrap_or_default();
            (now.timestamp().as_microsecond() as f64 / 1e6, local)
        };
        self.now.get_or_insert_with(read).clone()
    }

    /// Prints what `format` makes of the time of day, and of whether it is the first.
    fn print_json(&mut self, format: impl FnOnce((f64, &str), bool) -> String) {
        let (seconds, local) = self.time_of_day();
        let first = !std::mem::replace(&mut self.has_json, true);
        self.print_text(&format((seconds, &local), first));
    }

    fn print_json_figures(&mut self, place: &PingTarget, figures: &PingFigures) {
        self.print_json(|time, first| ping::format_json_figures(place, figures, time, first));
    }

    fn flush(&mut self) {
        let flushed = self.out.with_writer(BufWriter::flush);
        self.record_failure(flushed);
    }

    fn print_raw(&mut self, place: &PingTarget, figures: &PingFigures) {
        let of = (self.settings.paths.len() > 1).then_some(place);
        self.print_text(&ping::format_raw(figures, of));
    }

    fn clear_live_line(&mut self) {
        if let Some(live) = self.live.as_mut().filter(|live| live.shown) {
            live.shown = false;
            let _ = terminal::redraw_line("");
        }
    }

    fn draw_live_line(&mut self) {
        let Some(live) = &mut self.live else { return };
        let recent = live.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAW_INTERVAL);
        if recent || live.newest.is_empty() {
            return;
        }
        (live.drawn, live.shown) = (Some(Instant::now()), true);
        let newest: Vec<u64> = live.newest.iter().copied().collect();
        let _ = terminal::redraw_line(&ping::format_live_line(&newest));
    }

    pub(super) fn print_end(mut self, pinged: &[PingOutcome]) -> io::Result<()> {
        for one in pinged {
            self.print_figures(one);
        }
        if self.look.json {
            self.print_text("]\n");
        }
        self.flush();
        let is_data = self.as_ioping || self.look.json || self.look.batch || self.mute;
        for one in pinged.iter().filter(|_| self.look.findings) {
            let text = ping::format_findings(&one.findings, terminal::language());
            match is_data {
                true => terminal::eprint(text)?,
                false => self.print_text(&text),
            }
        }
        self.flush();
        self.failed.map_or(Ok(()), Err)
    }

    fn print_figures(&mut self, one: &PingOutcome) {
        let settings = self.settings;
        let windows = settings.figures.window_count > 0 || settings.figures.window_time.0 > 0;
        if self.look.json {
            self.print_json_figures(&one.place, &one.figures);
        } else if self.look.batch {
            self.print_raw(&one.place, &one.figures);
        } else if !(self.look.quiet && windows) {
            let way = match settings.writes {
                Writes::None => PingDirection::Read,
                Writes::All => PingDirection::Write,
                Writes::Alternating => PingDirection::Both,
            };
            self.print_text(&ping::format_statistics(&one.place, &one.figures, way));
            self.print_extras(one);
        }
    }

    fn print_extras(&mut self, one: &PingOutcome) {
        if let Some(rate) = one.rate.filter(|_| self.look.rate) {
            self.print_text(&ping::format_rate(
                (rate.planned, rate.made),
                (rate.starts, rate.missed),
                terminal::language(),
            ));
        }
        if self.look.percentiles {
            self.print_text(&ping::format_percentiles(&one.times, terminal::language()));
        }
        if let Some([paused, close]) = &one.contrast {
            self.print_text(&ping::format_idle_contrast(paused, close, terminal::language()));
        }
        let enough = self.as_ioping || one.times.count() >= HISTOGRAM_MIN;
        if self.look.histogram && enough {
            self.print_text(&ping::draw_histogram(&one.times));
        }
    }
}

impl PingObserver for Printer<'_> {
    fn announcer(&self) -> Announcer {
        let announce: fn(&Message) = |text| {
            // Measuring goes on where nobody reads stderr.
            let _ = terminal::eprint_line(format_args!("truedisk: {}", tell(text.clone())));
        };
        let is_heard = !self.look.quiet || self.look.batch || self.settings.work.rapid;
        (!self.as_ioping && is_heard).then_some(announce)
    }

    fn on_ready(&mut self) {
        if self.look.json {
            self.print_text("[");
        }
        // The time zone of times of day is read from its file before the first.
        if self.look.json || self.look.time {
            self.time_of_day();
        }
    }

    fn on_request(&mut self, _: usize, place: &PingTarget, request: &PingRequest) {
        self.now = None;
        if let Some(live) = &mut self.live {
            if live.newest.len() == LIVE_COUNT {
                live.newest.pop_front();
            }
            live.newest.push_back(request.time.0);
        }
        if self.look.quiet {
            self.draw_live_line();
        } else if self.look.json {
            self.print_json(|time, first| ping::format_json_request(place, request, time, first));
        } else {
            let time = self.look.time.then(|| self.time_of_day().1);
            self.print_text(&ping::format_request(place, request, time.as_deref()));
        }
    }

    fn on_window(&mut self, _: usize, place: &PingTarget, figures: &PingFigures) {
        if self.look.json {
            self.print_json_figures(place, figures);
        } else {
            self.print_raw(place, figures);
        }
        self.flush();
    }

    fn on_idle(&mut self) {
        if !self.look.quiet {
            self.flush();
        }
        self.draw_live_line();
    }

    fn on_scan(&mut self, text: &str) {
        if !self.as_ioping {
            self.on_warning(text);
        }
    }

    fn on_warning(&mut self, text: &str) {
        self.clear_live_line();
        let name = if self.as_ioping { "ioping" } else { "truedisk" };
        let _ = terminal::eprint_line(format_args!("{name}: {text}"));
    }
}
