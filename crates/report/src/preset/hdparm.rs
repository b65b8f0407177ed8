//! hdparm's timings: `-T`, `-t`, with and without `--direct`.

use std::fmt::Write as _;

use super::result::PresetResult;
use super::select;

/// hdparm's `MB` are 2^20 bytes.
const MIB: f64 = (1 << 20) as f64;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Timing {
    /// The same 2 MiB again and again (`-T`); else ever further ones (`-t`).
    pub(crate) cached: bool,
    pub(crate) direct: bool,
    pub(crate) bytes: u64,
    pub(crate) seconds: f64,
}

/// The lines that `hdparm -Tt PATH` prints, in the order in which hdparm times. What went through
/// the page cache and what did not stand in blocks of their own, as of two commands.
pub(crate) fn render(path: &str, timings: &[Timing]) -> String {
    let mut text = String::new();
    for direct in [false, true] {
        let mut block: Vec<&Timing> = timings.iter().filter(|t| t.direct == direct).collect();
        block.sort_by_key(|timing| !timing.cached);
        if block.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n{path}:");
        for timing in block {
            let _ = writeln!(text, "{}", render_timing(timing));
        }
    }
    text
}

/// The text of a preset: every step that reads in sequence.
pub(super) fn render_preset(result: &PresetResult<'_>) -> String {
    let steps = select::single_job_steps(result)
        .filter_map(|step| Some((step, select::median_pass(&step)?)));
    let timings: Vec<Timing> = steps
        .filter(|(_, cell)| select::is_read(cell, true))
        .map(|(step, cell)| Timing {
            cached: cell.job.span.length <= cell.job.block_size,
            direct: step.step.direct,
            bytes: select::data_bytes(cell),
            seconds: select::measured_seconds(cell),
        })
        .collect();
    render(select::target_path(result), &timings)
}

fn render_timing(timing: &Timing) -> String {
    let label = match (timing.cached, timing.direct) {
        (true, false) => "cached reads:   ",
        (true, true) => "O_DIRECT cached reads:   ",
        (false, false) => "buffered disk reads: ",
        (false, true) => "O_DIRECT disk reads: ",
    };
    let megabytes = timing.bytes as f64 / MIB;
    let seconds = timing.seconds;
    let rate = megabytes / seconds.max(f64::MIN_POSITIVE);
    let (rate, unit) = if rate > 1.0 { (rate, "MB") } else { (rate * 1024.0, "kB") };
    format!(" Timing {label}{megabytes:>3.0} MB in {seconds:5.2} seconds = {rate:6.2} {unit}/sec")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timing(cached: bool, direct: bool, mib: u64, seconds: f64) -> Timing {
        Timing { cached, direct, bytes: mib << 20, seconds }
    }

    /// As scripts do: the label up to the colon, then `MB in`, `seconds =`, and the rate.
    fn scrape(text: &str) -> Vec<(String, u64, f64, f64)> {
        let rows = text.lines().filter_map(|line| line.strip_prefix(" Timing ")).map(|line| {
            let (label, rest) = line.split_once(':').unwrap();
            let words: Vec<&str> = rest.split_whitespace().collect();
            let [megabytes, "MB", "in", seconds, "seconds", "=", rate, unit] = words.as_slice()
            else {
                panic!("{line}")
            };
            let rate: f64 = rate.parse().unwrap();
            let rate = if *unit == "kB/sec" { rate / 1024.0 } else { rate };
            (label.to_owned(), megabytes.parse().unwrap(), seconds.parse().unwrap(), rate)
        });
        rows.collect()
    }

    #[test]
    fn lines_are_those_of_hdparm_9_65() {
        // Of `hdparm -Tt /dev/loop0` and `hdparm -t --direct /dev/loop0`, taken together.
        let golden = "\n/dev/loop0:\n \
                      Timing cached reads:   8792 MB in  2.00 seconds = 4396.00 MB/sec\n \
                      Timing buffered disk reads: 256 MB in  2.12 seconds = 120.75 MB/sec\n\
                      \n/dev/loop0:\n \
                      Timing O_DIRECT cached reads:   2970 MB in  2.00 seconds = 1485.00 MB/sec\n \
                      Timing O_DIRECT disk reads:  64 MB in 12.80 seconds =   5.00 MB/sec\n";
        let timings = [
            timing(false, false, 256, 2.12),
            timing(true, false, 8792, 2.0),
            timing(true, true, 2970, 2.0),
            timing(false, true, 64, 12.8),
        ];
        assert_eq!(render("/dev/loop0", &timings), golden);
    }

    #[test]
    fn a_script_for_hdparm_reads_it() {
        let text =
            render("/dev/sda", &[timing(true, false, 4000, 2.0), timing(false, false, 2, 4.0)]);
        let rows = scrape(&text);
        assert_eq!(rows[0], ("cached reads".to_owned(), 4000, 2.0, 2000.0));
        assert_eq!(rows[1], ("buffered disk reads".to_owned(), 2, 4.0, 0.5));
        assert_eq!(rows.len(), 2);
    }
}
