//! The lines before a run: jobs, version, how many start, files that are laid out.

use super::numbers::Scale;
use crate::plan::Section;

/// A job section, as its first line tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobHeader {
    pub name: String,
    pub group: u32,
    /// The pattern as fio calls it: `read`, `write`, `trim`, `randread`, `randwrite`, `randtrim`,
    /// `rw`, `randrw`, `trimwrite`, `randtrimwrite`.
    pub rw: String,
    /// Smallest and largest block in bytes, of reads, writes and trims.
    pub block: [(u64, u64); 3],
    /// Name of its engine. (A job of `cpuio` has no line: leave it out.)
    pub engine: String,
    pub depth: u32,
    pub jobs: u32,
    pub scale: Scale,
}

impl JobHeader {
    /// That of a section whose first clone is in reporting group `group`.
    pub fn from_section(section: &Section, group: u32) -> Self {
        let (pattern, report) = (&section.options.pattern, &section.options.report);
        Self {
            name: section.name.clone(),
            group,
            rw: pattern.rw.operation.word().to_owned(),
            block: std::array::from_fn(|d| (pattern.min_bs(d), pattern.max_bs(d))),
            engine: section.options.engine.engine.word().to_owned(),
            depth: section.options.engine.iodepth,
            jobs: section.options.run.numjobs,
            scale: Scale::from(report),
        }
    }

    /// The job's line, and `...` below it when there are several like it.
    pub fn text(&self) -> String {
        let size = |bytes| self.scale.format_size(bytes);
        let [read, write, trim] =
            self.block.map(|(min, max)| format!("{}-{}", size(min), size(max)));
        let more = if self.jobs > 1 { "...\n" } else { "" };
        format!(
            "{}: (g={}): rw={}, bs=(R) {read}, (W) {write}, (T) {trim}, ioengine={}, \
             iodepth={}\n{more}",
            self.name, self.group, self.rw, self.engine, self.depth,
        )
    }
}

/// How many workers start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StartCounts {
    pub threads: u32,
    pub processes: u32,
}

impl StartCounts {
    /// `Starting 1 thread and 2 processes`; empty without any.
    pub fn text(&self) -> String {
        let count = |n: u32, one: &str, many: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {many}")),
        };
        let parts: Vec<String> = [
            count(self.threads, "thread", "threads"),
            count(self.processes, "process", "processes"),
        ]
        .into_iter()
        .flatten()
        .collect();
        if parts.is_empty() { String::new() } else { format!("Starting {}\n", parts.join(" and ")) }
    }
}

/// Files that a job writes before the run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LayoutNotice {
    pub name: String,
    pub files: u32,
    /// Their size together, in bytes; printed in whole MiB.
    pub bytes: u64,
}

impl LayoutNotice {
    /// `name: Laying out IO file (1 file / 1024MiB)`.
    pub fn text(&self) -> String {
        let mib = self.bytes >> 20;
        match self.files {
            0 | 1 => format!("{}: Laying out IO file (1 file / {mib}MiB)\n", self.name),
            n => format!("{}: Laying out IO files ({n} files / total {mib}MiB)\n", self.name),
        }
    }
}

/// All lines before a run: jobs, `version` (such as `fio-3.42`), workers, files.
pub fn render_header(
    jobs: &[JobHeader],
    version: &str,
    starting: StartCounts,
    files: &[LayoutNotice],
) -> String {
    let mut out: String = jobs.iter().map(JobHeader::text).collect();
    out.push_str(version);
    out.push('\n');
    out.push_str(&starting.text());
    out.extend(files.iter().map(LayoutNotice::text));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(name: &str, rw: &str, block: [(u64, u64); 3]) -> JobHeader {
        JobHeader {
            name: name.into(),
            rw: rw.into(),
            block,
            engine: "psync".into(),
            depth: 1,
            jobs: 1,
            ..JobHeader::default()
        }
    }

    #[test]
    fn the_first_lines_are_those_of_fio() {
        // Measured with fio 3.33.
        let jobs = [
            JobHeader { jobs: 2, ..job("t1", "rw", [(1024, 8192); 3]) },
            JobHeader {
                engine: "null".into(),
                depth: 32,
                ..job("t2", "trim", [(4096, 4096), (8192, 8192), (16384, 16384)])
            },
            JobHeader { group: 1, ..job("t5", "randread", [(4096, 8192); 3]) },
        ];
        let files = [
            LayoutNotice { name: "t1".into(), files: 1, bytes: 65536 },
            LayoutNotice { name: "a".into(), files: 3, bytes: 6 << 20 },
        ];
        let expected = "\
t1: (g=0): rw=rw, bs=(R) 1024B-8192B, (W) 1024B-8192B, (T) 1024B-8192B, ioengine=psync, \
            iodepth=1
...
t2: (g=0): rw=trim, bs=(R) 4096B-4096B, (W) 8192B-8192B, (T) 16.0KiB-16.0KiB, ioengine=null, \
            iodepth=32
t5: (g=1): rw=randread, bs=(R) 4096B-8192B, (W) 4096B-8192B, (T) 4096B-8192B, ioengine=psync, \
            iodepth=1
fio-3.33
Starting 3 threads and 1 process
t1: Laying out IO file (1 file / 0MiB)
a: Laying out IO files (3 files / total 6MiB)
";
        let starting = StartCounts { threads: 3, processes: 1 };
        assert_eq!(render_header(&jobs, "fio-3.33", starting, &files), expected);
    }

    #[test]
    fn workers_are_counted_in_words() {
        let check = |threads, processes, expected: &str| {
            assert_eq!(StartCounts { threads, processes }.text(), expected);
        };
        check(1, 0, "Starting 1 thread\n");
        check(0, 2, "Starting 2 processes\n");
        check(1, 3, "Starting 1 thread and 3 processes\n");
        check(0, 0, "");
    }
}
