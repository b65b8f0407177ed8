//! The progress line: `Jobs: 1 (f=1): [m(1)][57.1%][r=105MiB/s][r=27.0k IOPS][eta 00m:03s]`.

use std::fmt::Write;

use super::numbers::{Scale, format_eta};

/// What the progress line tells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EtaState {
    /// One letter per job, in their order: `P` not set up, `C` created, `I` initialized,
    /// `/` ramping, `R` `r` `W` `w` `M` `m` `D` `d` running (small: random), `F` in fsync,
    /// `V` verifying, `f` finishing, `E` exited, `_` gone, `X` failed, `K` killed.
    pub letters: String,
    pub running: u32,
    pub open_files: u32,
    /// How much is done, in percent; `None` while nobody knows, as in the ramp.
    pub percent: Option<f64>,
    /// Bytes per second since the last line: read, write, trim.
    pub rate: [u64; 3],
    /// Operations per second since the last line: read, write, trim.
    pub iops: [u64; 3],
    /// `rate_min` and `rate` of the running jobs, each added up, in bytes per second.
    pub rate_limits: (u64, u64),
    /// `rate_iops_min` and `rate_iops`; shown when there are no limits of rate.
    pub iops_limits: (u64, u64),
    /// Seconds left; `None` before the first guess, which shortens the line.
    pub eta_s: Option<u64>,
    pub scale: Scale,
}

impl EtaState {
    /// The line, without its end.
    pub fn format_line(&self) -> String {
        let mut out = format!("Jobs: {} (f={})", self.running, self.open_files);
        let (slowest, fastest) = self.rate_limits;
        let (fewest, most) = self.iops_limits;
        if slowest > 0 || fastest > 0 {
            let _ = write!(
                out,
                ", {}-{}",
                self.scale.format_rate(slowest),
                self.scale.format_rate(fastest)
            );
        } else if fewest > 0 || most > 0 {
            let _ = write!(out, ", {fewest}-{most} IOPS");
        }
        if let Some(seconds) = self.eta_s.filter(|_| self.running > 0) {
            let percent =
                self.percent.map_or("-.-%".to_owned(), |percent| format!("{percent:.1}%"));
            let _ = write!(out, ": [{}][{percent}]", format_run_lengths(&self.letters));
            out.push_str(&self.format_rates());
            let _ = write!(out, "[eta {}]", format_eta(seconds));
        }
        out
    }

    fn format_rates(&self) -> String {
        let active = |i: &usize| self.rate[*i] > 0 || self.iops[*i] > 0;
        let list = |text: &dyn Fn(usize) -> String| {
            let items: Vec<String> = (0..3)
                .filter(active)
                .map(|i| format!("{}={}", ["r", "w", "t"][i], text(i)))
                .collect();
            items.join(",")
        };
        if !(0..3).any(|i| active(&i)) {
            return String::new();
        }
        let rates = list(&|i| self.scale.format_rate(self.rate[i]));
        let iops = list(&|i| self.scale.format_count(self.iops[i]));
        format!("[{rates}][{iops} IOPS]")
    }
}

/// `mm_` is `m(2),_(1)`.
fn format_run_lengths(letters: &str) -> String {
    let mut runs: Vec<(char, usize)> = Vec::new();
    for letter in letters.chars() {
        match runs.last_mut() {
            Some((last, count)) if *last == letter => *count += 1,
            _ => runs.push((letter, 1)),
        }
    }
    let runs: Vec<String> = runs.iter().map(|(letter, n)| format!("{letter}({n})")).collect();
    runs.join(",")
}

/// Writes progress lines over each other on a terminal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EtaLine {
    /// `--eta-newline`, milliseconds: after that long the line is left standing.
    newline_ms: Option<u64>,
    last_newline_ms: Option<u64>,
    newline_due: bool,
    last_length: usize,
}

impl EtaLine {
    /// A fresh one; `newline_ms` is `--eta-newline` in milliseconds.
    pub fn new(newline_ms: Option<u64>) -> Self {
        Self { newline_ms, ..Self::default() }
    }

    /// What to write to show `state` at `now_ms` (any clock): the line, as many spaces as the
    /// line before was longer, and a carriage return. A line end for `--eta-newline` stands in
    /// front of it, and counts in its length: so does fio.
    pub fn update(&mut self, state: &EtaState, now_ms: u64) -> String {
        let mut out = String::from(if self.newline_due { "\n" } else { "" });
        out.push_str(&state.format_line());
        let length = out.len();
        let missing = self.last_length.saturating_sub(length);
        out.extend(std::iter::repeat_n(' ', missing));
        out.push('\r');
        self.last_length = length;
        let last = *self.last_newline_ms.get_or_insert(now_ms);
        self.newline_due = self.newline_ms.is_some_and(|every| now_ms.saturating_sub(last) > every);
        if self.newline_due {
            self.last_newline_ms = Some(now_ms);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn running(letters: &str, percent: f64, eta_s: u64) -> EtaState {
        let (percent, eta_s) = (Some(percent), Some(eta_s));
        EtaState {
            letters: letters.into(),
            running: 1,
            open_files: 1,
            percent,
            eta_s,
            ..EtaState::default()
        }
    }

    #[test]
    fn lines_are_those_of_fio() {
        let check = |state: EtaState, expected: &str| assert_eq!(state.format_line(), expected);
        let short = EtaState { running: 1, ..EtaState::default() };
        check(short.clone(), "Jobs: 1 (f=0)");
        check(
            EtaState { running: 4, open_files: 4, iops_limits: (0, 1500), ..short.clone() },
            "Jobs: 4 (f=4), 0-1500 IOPS",
        );
        check(
            EtaState { running: 3, open_files: 3, rate_limits: (0, 120 * MIB), ..short.clone() },
            "Jobs: 3 (f=3), 0B/s-120MiB/s",
        );
        check(
            EtaState { letters: "/".into(), eta_s: Some(3), ..short },
            "Jobs: 1 (f=0): [/(1)][-.-%][eta 00m:03s]",
        );
        check(
            EtaState {
                rate: [105 * MIB, 105 * MIB, 0],
                iops: [27_000, 26_900, 0],
                ..running("m", 71.42, 2)
            },
            "Jobs: 1 (f=1): [m(1)][71.4%][r=105MiB/s,w=105MiB/s][r=27.0k,w=26.9k IOPS]\
             [eta 00m:02s]",
        );
        check(
            EtaState {
                rate: [1021 * 1024, 2046 * 1024, 0],
                iops: [255, 511, 0],
                rate_limits: (200 << 10, 3072 << 10),
                ..running("mP", 50.0, 3)
            },
            "Jobs: 1 (f=1), 200KiB/s-3072KiB/s: [m(1),P(1)][50.0%][r=1021KiB/s,w=2046KiB/s]\
             [r=255,w=511 IOPS][eta 00m:03s]",
        );
        check(
            EtaState {
                rate: [0, 0, 9873 * MIB],
                iops: [0, 56, 2_527_000],
                scale: Scale { unit_base: 1, ..Scale::default() },
                ..running("__d", 100.0, 27_003)
            },
            "Jobs: 1 (f=1): [_(2),d(1)][100.0%][w=0bit/s,t=77.1Gibit/s][w=56,t=2527k IOPS]\
             [eta 07h:30m:03s]",
        );
    }

    #[test]
    fn letters_are_counted_in_runs() {
        let check = |letters, expected| assert_eq!(format_run_lengths(letters), expected);
        check("", "");
        check("RRwwwR", "R(2),w(3),R(1)");
    }

    #[test]
    fn a_shorter_line_covers_the_longer_one() {
        let mut line = EtaLine::new(None);
        let first = line.update(&running("mP", 50.0, 3), 0);
        assert_eq!(first, "Jobs: 1 (f=1): [m(1),P(1)][50.0%][eta 00m:03s]\r");
        let second = line.update(&running("m", 50.0, 2), 1000);
        assert_eq!(second, "Jobs: 1 (f=1): [m(1)][50.0%][eta 00m:02s]     \r");
        let third = line.update(&running("m", 50.0, 1), 2000);
        assert_eq!(third, "Jobs: 1 (f=1): [m(1)][50.0%][eta 00m:01s]\r");
    }

    #[test]
    fn newlines_stand_before_the_next_line_and_count() {
        // fio 3.33 --eta-newline=1: "..A\r\n..B\r..C \r\n..D\r", the third one space too long.
        let mut line = EtaLine::new(Some(1000));
        let state = running("R", 50.0, 3);
        let text = state.format_line();
        let mut shown = String::new();
        for now in [0, 1001, 2001, 3002, 4002] {
            shown.push_str(&line.update(&state, now));
        }
        assert_eq!(shown, format!("{text}\r{text}\r\n{text}\r{text} \r\n{text}\r"));
    }
}
