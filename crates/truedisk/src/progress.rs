//! The progress bar on stderr; nothing without a terminal.

use engine::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use message::{Message, messages};
use method::Observer;
use units::{BytesPerSecond, Iops, Nanos, escape_controls};

use crate::terminal;

/// The bar counts in thousandths of the time budget.
const STEPS: u64 = 1000;
const REDRAWS: u8 = 10;

pub(crate) struct TerminalProgress {
    bar: ProgressBar,
    budget: Nanos,
    phase: String,
    /// Whether a line has room for one figure only.
    narrow: bool,
    quiet: bool,
}

impl TerminalProgress {
    pub(crate) fn new(budget: Nanos, quiet: bool) -> Self {
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(REDRAWS)
        };
        let bar = ProgressBar::with_draw_target(Some(STEPS), target);
        let columns = terminal::stderr_columns();
        let template = match columns {
            ..80 => "{percent:>3}%  {prefix}  {wide_msg}",
            80..100 => "{bar:10} {percent:>3}%  {prefix}  {wide_msg}",
            _ => "{bar:24} {percent:>3}%  {prefix}  {wide_msg}",
        };
        // The templates are fixed; should one be wrong, the default one is shown.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, budget, phase: String::new(), narrow: columns < 80, quiet }
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn update(&self, done: f64, live: &str) {
        self.bar.set_position((done * STEPS as f64) as u64);
        let left = (self.budget.as_secs_f64() * (1.0 - done)).ceil();
        self.bar.set_prefix(terminal::tell(TimeLeft { seconds: left as u64 }));
        self.bar.set_message(format!("{}{live}", self.phase));
    }
}

impl Observer for TerminalProgress {
    fn on_phase(&mut self, what: &Message, done: f64) {
        self.phase = escape_controls(&terminal::tell(what)).into_owned();
        self.update(done, "");
    }

    fn on_progress(&mut self, progress: &Progress, done: f64) {
        let (iops, rate) = (Iops(progress.iops), BytesPerSecond(progress.bytes_per_second));
        let live = match self.narrow {
            true => format!("  {iops} IOPS"),
            false => format!("  {iops} IOPS, {rate}"),
        };
        self.update(done, &live);
    }

    fn on_announcement(&mut self, what: &Message) {
        if !self.quiet {
            self.on_note(&terminal::tell(what));
        }
    }

    fn on_note(&mut self, text: &str) {
        self.bar.suspend(|| {
            let _ = terminal::eprint_line(format_args!("truedisk: {text}"));
        });
    }

    fn confirm(&mut self, question: &str, expected: &str) -> bool {
        if !terminal::is_interactive() {
            return true;
        }
        self.bar.suspend(|| terminal::confirm(question, expected))
    }
}

messages! {
    pub(crate) static MESSAGES;
    TimeLeft = "progress-left" { seconds: u64 };
}
