//! dd's last line, and what each of the tests that people run with it does and does not measure.

use record::{Cell, PresetStep, TargetKind};
use workload::{Access, Mix, SyncKind};

use super::printf::{Base, format_general, format_rate, format_size};
use super::result::PresetResult;
use super::select;
use crate::text::wrap_text;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DdCopy {
    pub(crate) command: String,
    /// What its figure says, and what it does not say although it is taken for that.
    pub(crate) note: String,
    pub(crate) bytes: u64,
    pub(crate) blocks: u64,
    /// Time from the first call to the last, in seconds; with the sync where one was asked for.
    pub(crate) seconds: f64,
}

/// The three lines that dd prints on stderr.
pub(crate) fn render_lines(copy: &DdCopy) -> String {
    let blocks = copy.blocks;
    format!("{blocks}+0 records in\n{blocks}+0 records out\n{}\n", render_last_line(copy))
}

/// The line that scripts read: `268435456 bytes (268 MB, 256 MiB) copied, 0.0255656 s, 10.5 GB/s`.
pub(crate) fn render_last_line(copy: &DdCopy) -> String {
    let DdCopy { bytes, seconds, .. } = *copy;
    let time = format!("{} s", format_general(seconds));
    let rate = match seconds > 0.0 {
        true => format!("{}/s", format_rate(bytes as f64 / seconds)),
        false => "Infinity B/s".to_owned(),
    };
    let (decimal, binary) = (format_size(bytes, Base::Decimal), format_size(bytes, Base::Binary));
    let plain = |text: &str| text.ends_with(" B");
    match (plain(&decimal), plain(&binary)) {
        (true, _) if bytes == 1 => format!("1 byte copied, {time}, {rate}"),
        (true, _) => format!("{bytes} bytes copied, {time}, {rate}"),
        (false, true) => format!("{bytes} bytes ({decimal}) copied, {time}, {rate}"),
        (false, false) => format!("{bytes} bytes ({decimal}, {binary}) copied, {time}, {rate}"),
    }
}

/// The tests one after the other, each as a shell shows it. What it measures stands above, as
/// comments of the shell.
pub(crate) fn render(copies: &[DdCopy]) -> String {
    let told = copies.iter().map(|copy| {
        let DdCopy { command, note, .. } = copy;
        format!(
            "# {note}
$ {command}
{}",
            render_lines(copy)
        )
    });
    told.collect::<Vec<_>>().join("\n")
}

/// The text of a preset: every step that copies in sequence, one block at a time.
pub(super) fn render_preset(result: &PresetResult<'_>) -> String {
    render(&list_copies(result))
}

/// Of each copy the command and dd's last line.
pub(super) fn render_brief(result: &PresetResult<'_>, width: usize) -> String {
    let lines = |copy: &DdCopy| {
        let command = wrap_text(&format!("$ {}", copy.command), width.saturating_sub(2));
        let last = wrap_text(&render_last_line(copy), width);
        format!("{}\n{}\n", command.join(" \\\n"), last.join("\n"))
    };
    list_copies(result).iter().map(lines).collect()
}

fn list_copies(result: &PresetResult<'_>) -> Vec<DdCopy> {
    let path = match result.record.measured.target() {
        // Of a folder: the file that dd would be given in it.
        Some(target) if target.kind == TargetKind::Directory => format!("{}/test", target.path),
        _ => select::target_path(result).to_owned(),
    };
    let steps = select::single_job_steps(result)
        .filter_map(|step| Some((step, select::median_pass(&step)?)));
    steps
        .filter(|(_, cell)| cell.job.access == Access::Sequential && cell.job.depth.0 == 1)
        .filter(|(_, cell)| matches!(cell.job.mix, Mix::Read | Mix::Write))
        .map(|(step, cell)| DdCopy {
            command: dd_command(&path, step.step, cell),
            note: step.step.note.as_ref().unwrap_or(&step.step.label).text().to_owned(),
            bytes: select::data_bytes(cell),
            blocks: cell.data_directions().map(|totals| totals.ops).sum(),
            seconds: select::measured_seconds(cell),
        })
        .collect()
}

fn dd_command(path: &str, step: &PresetStep, cell: &Cell) -> String {
    let job = &cell.job;
    let block = job.block_size.to_compact().replace('m', "M");
    let count = cell.data_directions().map(|totals| totals.ops).sum::<u64>();
    let (ends, flags) = match job.mix {
        Mix::Write => (format!("if=/dev/zero of={path}"), "oflag=direct"),
        _ => (format!("if={path} of=/dev/null"), "iflag=direct"),
    };
    let mut command = format!("dd {ends} bs={block} count={count}");
    if step.direct {
        command.push_str(&format!(" {flags}"));
    }
    if job.mix == Mix::Write {
        let sync = match step.end_sync {
            None => "",
            Some(SyncKind::Fsync) => ",fsync",
            Some(_) => ",fdatasync",
        };
        command.push_str(&format!(" conv=notrunc{sync}"));
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(bytes: u64, seconds: f64) -> DdCopy {
        DdCopy {
            command: "dd if=test of=/dev/null bs=1M".to_owned(),
            note: "copies out of memory, not the disk".to_owned(),
            bytes,
            blocks: bytes.div_ceil(1 << 20),
            seconds,
        }
    }

    /// What yabs and most scripts do: `grep copied | awk '{ print $(NF-1) " " $(NF)}'`, and the
    /// bytes and seconds in front of it.
    fn scrape(text: &str) -> Vec<(u64, f64, f64)> {
        let rows = text.lines().filter(|line| line.contains("copied")).map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [.., seconds, "s,", number, unit] = words.as_slice() else { panic!("{line}") };
            let factor = match *unit {
                "kB/s" => 1e3,
                "MB/s" => 1e6,
                "GB/s" => 1e9,
                other => panic!("{other}"),
            };
            let rate = number.parse::<f64>().unwrap() * factor;
            (words[0].parse().unwrap(), seconds.parse().unwrap(), rate)
        });
        rows.collect()
    }

    #[test]
    fn last_lines_are_those_of_dd_9_1() {
        let check = |bytes, seconds, expected| {
            assert_eq!(render_last_line(&copy(bytes, seconds)), expected)
        };
        check(
            268_435_456,
            0.025_565_6,
            "268435456 bytes (268 MB, 256 MiB) copied, 0.0255656 s, 10.5 GB/s",
        );
        check(8192, 0.000_101_189, "8192 bytes (8.2 kB, 8.0 KiB) copied, 0.000101189 s, 81.0 MB/s");
        check(999, 0.001_154_38, "999 bytes copied, 0.00115438 s, 865 kB/s");
        check(1000, 4.9513e-05, "1000 bytes (1.0 kB) copied, 4.9513e-05 s, 20.2 MB/s");
        check(
            9_950_000,
            0.014_636_1,
            "9950000 bytes (10 MB, 9.5 MiB) copied, 0.0146361 s, 680 MB/s",
        );
        check(0, 0.0, "0 bytes copied, 0 s, Infinity B/s");
    }

    #[test]
    fn a_script_for_dd_reads_it() {
        let text = render(&[copy(268_435_456, 0.5), copy(104_857_600, 4.0)]);
        let expected = [(268_435_456, 0.5, 537e6), (104_857_600, 4.0, 26.2e6)];
        assert_eq!(scrape(&text), expected);
        // A shell takes all but dd's own lines for comments and prompts.
        let others = text.lines().filter(|line| !line.starts_with(['#', '$']) && !line.is_empty());
        assert_eq!(others.count(), 6);
    }
}
