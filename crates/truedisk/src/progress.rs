//! The progress bar on stderr; nothing without a terminal.

use engine::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use message::{Message, messages};
use method::Observer;
use report::{keep_start, text_width};
use units::{BytesPerSecond, Iops, Nanos, escape_controls};

use crate::terminal;

/// The bar counts in thousandths of the time budget.
const STEPS: u64 = 1000;
const REDRAWS: u8 = 10;

pub(crate) struct TerminalProgress {
    bar: ProgressBar,
    budget: Nanos,
    phase: String,
    columns: usize,
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
        let template = match bar_width(columns) {
            0 => "{percent:>3}%  {prefix}  {wide_msg}".to_owned(),
            width => format!("{{bar:{width}}} {{percent:>3}}%  {{prefix}}  {{wide_msg}}"),
        };
        // The templates are fixed; should one be wrong, the default one is shown.
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        Self { bar, budget, phase: String::new(), columns, quiet }
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn update(&self, done: f64, live: &str) {
        self.bar.set_position((done * STEPS as f64) as u64);
        let left = (self.budget.as_secs_f64() * (1.0 - done)).ceil();
        let left = terminal::tell(TimeLeft { seconds: left as u64 });
        self.bar.set_message(fit_line(self.columns, &left, &self.phase, live));
        self.bar.set_prefix(left);
    }
}

/// Columns of the bar itself.
const fn bar_width(columns: usize) -> usize {
    match columns {
        ..80 => 0,
        80..100 => 10,
        _ => 24,
    }
}

/// What is measured and its figures, beside the bar, the percentage and the time left. The figures
/// are never cut.
fn fit_line(columns: usize, left: &str, phase: &str, live: &str) -> String {
    let bar = bar_width(columns);
    let before = bar + usize::from(bar > 0) + "100%".len() + 2 + text_width(left) + 2;
    // The last column of a terminal stays free.
    let room = columns.saturating_sub(before + text_width(live) + 1);
    format!("{}{live}", keep_start(phase, room))
}

impl Observer for TerminalProgress {
    fn on_phase(&mut self, what: &Message, done: f64) {
        self.phase = escape_controls(&terminal::tell(what)).into_owned();
        self.update(done, "");
    }

    fn on_progress(&mut self, progress: &Progress, done: f64) {
        let (iops, rate) = (Iops(progress.iops), BytesPerSecond(progress.bytes_per_second));
        let live = match self.columns < 80 {
            true => format!("  {iops} IOPS"),
            false => format!("  {iops} IOPS, {rate}"),
        };
        self.update(done, &terminal::language().punctuate(&live));
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
    TimeLeft = "progress-left" { seconds: u64 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fits_and_keeps_its_figures() {
        let phase = "random read 4k, depth 16, looking for a cap";
        for columns in [40, 60, 79, 80, 99, 100, 160] {
            for live in ["", "  118,402 IOPS", "  118,402 IOPS, 1,485 MB/s"] {
                let line = fit_line(columns, "1,234 s left", phase, live);
                let bar = bar_width(columns);
                let whole = bar + usize::from(bar > 0) + 6 + 14 + text_width(&line);
                assert!(line.ends_with(live), "{columns}: {line}");
                assert!(whole < columns || columns < 60, "{columns}: {whole}, {line}");
            }
        }
        assert!(fit_line(160, "9 s left", phase, "").contains("cap"));
    }
}
