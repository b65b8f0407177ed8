//! The lines before a run: jobs, version, how many start, files that are laid out.

use super::VERSION;
use super::numbers::Scale;
use crate::plan::{Section, expand_instances};

/// How many workers start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StartCounts {
    pub threads: u32,
    pub processes: u32,
}

impl StartCounts {
    /// `Starting 1 thread and 2 processes`; empty without any.
    pub fn text(&self) -> String {
        let names = [(self.threads, "thread", "threads"), (self.processes, "process", "processes")];
        let given = names.iter().filter(|(n, ..)| *n > 0);
        let parts: Vec<String> = given
            .map(|(n, one, many)| format!("{n} {}", if *n == 1 { one } else { many }))
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

/// All lines before a run: jobs, version, workers, files.
pub fn render_header(
    sections: &[Section],
    starting: StartCounts,
    files: &[LayoutNotice],
) -> String {
    let mut out = String::new();
    let instances = expand_instances(sections);
    for instance in instances.iter().filter(|instance| instance.clone == 0) {
        out.push_str(&format_section(&sections[instance.section], instance.group));
    }
    out.push_str(VERSION);
    out.push('\n');
    out.push_str(&starting.text());
    out.extend(files.iter().map(LayoutNotice::text));
    out
}

/// The line of a section, and `...` below it when it has clones.
fn format_section(section: &Section, group: u32) -> String {
    let (pattern, engine) = (&section.options.pattern, &section.options.engine);
    let scale = Scale::from(&section.options.report);
    let [read, write, trim] = std::array::from_fn(|direction| {
        let sizes = [pattern.min_bs(direction), pattern.max_bs(direction)];
        sizes.map(|size| scale.format_size(size)).join("-")
    });
    format!(
        "{}: (g={group}): rw={}, bs=(R) {read}, (W) {write}, (T) {trim}, ioengine={}, \
         iodepth={}\n{}",
        section.name,
        pattern.rw.operation.word(),
        engine.engine.word(),
        engine.iodepth,
        if section.options.run.numjobs > 1 { "...\n" } else { "" },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::read_jobs;
    use crate::tests::read_words;

    fn sections(words: &str) -> Vec<Section> {
        let words: Vec<&str> = words.split_whitespace().collect();
        read_jobs(&read_words(&words)).unwrap().sections
    }

    #[test]
    fn the_first_lines_are_those_of_fio() {
        // Measured with fio 3.33.
        let sections = sections(
            "--name=t1 --rw=rw --bsrange=1k-8k --ioengine=psync --numjobs=2 \
             --name=t2 --rw=trim --bs=4k,8k,16k --ioengine=null --iodepth=32 \
             --name=t5 --rw=randread --bsrange=4k-8k --ioengine=psync --stonewall",
        );
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
fio-3.42-truedisk
Starting 3 threads and 1 process
t1: Laying out IO file (1 file / 0MiB)
a: Laying out IO files (3 files / total 6MiB)
";
        let starting = StartCounts { threads: 3, processes: 1 };
        assert_eq!(render_header(&sections, starting, &files), expected);
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
