//! Which options jobs may have that another host is to run.
//!
//! A host that runs jobs for somebody else touches what the jobs measure, and nothing beside it: it
//! starts no program, reads no file because a job names it, and writes none but those that are
//! measured. So options are allowed by name, and a new one is refused until it is looked at: a test
//! holds this list against the table.

use crate::options::spec::Support;
use crate::read::{ParsedCommand, RawOption, ReadError};

/// Names that a job on another host may have, chapter by chapter of the table. What of these names
/// a path (`filename`, `directory`, `opendir`, `filename_format`) is for that host to judge.
const ALLOWED: &[&str] = &[
    // Name, number and order of jobs.
    "name",
    "description",
    "numjobs",
    "loops",
    "thread",
    "group_reporting",
    "new_group",
    "stonewall",
    "wait_for",
    "exitall",
    "exit_what",
    // Files and devices that are measured.
    "filename",
    "directory",
    "filename_format",
    "unique_filename",
    "opendir",
    "nrfiles",
    "file_service_type",
    "create_serialize",
    "create_fsync",
    "allow_file_create",
    "fallocate",
    "overwrite",
    "pre_read",
    "unlink",
    "unlink_each_loop",
    "invalidate",
    "write_hint",
    // Sizes and places.
    "size",
    "io_size",
    "filesize",
    "fill_device",
    "file_append",
    "offset",
    "offset_increment",
    "offset_align",
    "number_ios",
    // Order and mix of operations.
    "rw",
    "bs",
    "ba",
    "bsrange",
    "bssplit",
    "bs_unaligned",
    "bs_is_seq_rand",
    "rw_sequencer",
    "rwmixread",
    "rwmixwrite",
    "percentage_random",
    "random_distribution",
    "norandommap",
    "softrandommap",
    "randrepeat",
    "allrandrepeat",
    "randseed",
    // What is written.
    "zero_buffers",
    "refill_buffers",
    "scramble_buffers",
    "buffer_pattern",
    "buffer_compress_percentage",
    "buffer_compress_chunk",
    "dedupe_percentage",
    "dedupe_mode",
    "dedupe_working_set_percentage",
    // Interfaces and depth.
    "ioengine",
    "direct",
    "buffered",
    "iodepth",
    "hipri",
    "nowait",
    "fixedbufs",
    "registerfiles",
    "sqthread_poll",
    "sqthread_poll_cpu",
    "nonvectored",
    "force_async",
    // Durability.
    "sync",
    "fsync",
    "fdatasync",
    "sync_file_range",
    "end_fsync",
    "fsync_on_close",
    "end_syncfs",
    // Time, rates, goals.
    "runtime",
    "time_based",
    "ramp_time",
    "startdelay",
    "rate",
    "rate_min",
    "rate_iops",
    "rate_iops_min",
    "rate_process",
    "rate_cycle",
    "rate_ignore_thinktime",
    "thinktime",
    "thinktime_spin",
    "thinktime_blocks",
    "thinktime_blocks_type",
    "thinktime_iotime",
    "flow_id",
    "flow",
    "flow_sleep",
    "max_latency",
    "latency_target",
    "latency_window",
    "latency_percentile",
    "latency_run",
    "steadystate",
    "steadystate_duration",
    "steadystate_ramp_time",
    "steadystate_check_interval",
    // Reading back.
    "verify",
    "do_verify",
    "verify_only",
    "verify_interval",
    "verify_offset",
    "verify_pattern",
    "verify_fatal",
    "verify_backlog",
    // How logs would be, which are refused themselves: tools set these always.
    "per_job_logs",
    "log_avg_msec",
    "log_window_value",
    "log_hist_msec",
    "log_hist_coarseness",
    "log_offset",
    "log_unix_epoch",
    // What is printed.
    "stats",
    "unified_rw_reporting",
    "clat_percentiles",
    "lat_percentiles",
    "slat_percentiles",
    "percentile_list",
    "significant_figures",
    "kb_base",
    "unit_base",
    "bwavgtime",
    "iopsavgtime",
    "disk_util",
    "gtod_reduce",
    "disable_lat",
    "disable_clat",
    "disable_slat",
    "disable_bw_measurement",
    // Errors.
    "continue_on_error",
    "ignore_error",
    "error_dump",
    "exitall_on_error",
    // Processors and memory.
    "cpus_allowed",
    "cpus_allowed_policy",
    "cpumask",
    "numa_cpu_nodes",
    "numa_mem_policy",
    "nice",
    "prio",
    "prioclass",
    "mem",
    "hugepage-size",
    "lockmem",
    // Zones.
    "zonemode",
    "zonesize",
    "zonerange",
    "zoneskip",
];

const LOGS: &str = "it writes a file on the host; percentiles, and with json+ all bins, are in \
                    the results";
const REPLAY: &str = "it names a file of the host beside what is measured; run it there with \
                      truedisk fio";
const STATE: &str = "it keeps a file on the host beside what is measured; leave it out";

/// Names that it may not have, and why.
const REFUSED: &[(&str, &str)] = &[
    ("write_bw_log", LOGS),
    ("write_lat_log", LOGS),
    ("write_iops_log", LOGS),
    ("write_hist_log", LOGS),
    ("write_iolog", REPLAY),
    ("read_iolog", REPLAY),
    ("replay_no_stall", REPLAY),
    ("replay_redirect", REPLAY),
    ("replay_scale", REPLAY),
    ("replay_align", REPLAY),
    ("replay_time_scale", REPLAY),
];

/// Names that it may have only switched off, and why.
const ONLY_OFF: &[(&str, &str)] = &[
    ("verify_dump", STATE),
    ("verify_state_save", STATE),
    ("verify_state_load", STATE),
    ("create_only", "files are made before all hosts start; leave it out"),
    (
        "allow_mounted_write",
        "it would silence the guard of another host; unmount the device there, and name it with \
         --yes-destroy-data-on",
    ),
];

/// Whether another host may be asked to run all of this.
///
/// # Errors
/// The first option that it may not have, with its job and its place.
pub fn check_remote(reading: &ParsedCommand) -> Result<(), ReadError> {
    for group in &reading.groups {
        for option in group.globals.iter() {
            check_option(option, "global")?;
        }
        for section in &group.sections {
            for option in &section.own {
                check_option(option, section.title())?;
            }
        }
    }
    Ok(())
}

fn check_option(option: &RawOption, job: &str) -> Result<(), ReadError> {
    let value = option.evaluated_value().unwrap_or_default();
    let word = value.split(':').next().unwrap_or_default();
    let refused = option.spec.refused_choices.iter().copied().find(|(choice, _)| *choice == word);
    let (where_not, why) = match (option.spec.support, refused) {
        // It has no effect, or asks for what is done anyway.
        (Support::Noted(_), _) => return Ok(()),
        (Support::Refused(_), _) if option.spec.default == Some(value) => return Ok(()),
        (Support::Refused(why), _) | (Support::Run, Some((_, why))) => ("", why),
        (Support::Run, None) => match find_refusal(option.name, option.evaluated_value()) {
            None => return Ok(()),
            Some(why) => (" on other hosts", why),
        },
    };
    let what = match refused {
        Some((choice, _)) => format!("{}={choice}", option.name),
        None => option.name.to_owned(),
    };
    let message = format!("job '{job}': {what} is not run{where_not}: {why}");
    Err(ReadError::new(&option.place, message))
}

/// Why an option is refused, with this value.
fn find_refusal(name: &str, value: Option<&str>) -> Option<&'static str> {
    let found = |list: &[(&str, &'static str)]| {
        list.iter().find(|(known, _)| *known == name).map(|(_, why)| *why)
    };
    if let Some(why) = found(ONLY_OFF) {
        let off = value.is_some_and(|value| matches!(value.trim(), "0" | "false"));
        return (!off).then_some(why);
    }
    if !ALLOWED.contains(&name) {
        return Some(found(REFUSED).unwrap_or("it is not among the options that are"));
    }
    let value = value.unwrap_or_default();
    match name {
        "buffer_pattern" | "verify_pattern" if value.contains('\'') => {
            Some("a name in single quotes is a file of the host; write the bytes themselves")
        }
        "mem" if value.contains(':') => {
            Some("a mapping of a file writes to it; leave the file out")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::options::lookup::all_options;
    use crate::read::{FileSource, FileText, Keywords, ReadEnvironment, Table, read_command};

    #[test]
    fn every_option_that_runs_was_looked_at() {
        let names = |list: &[(&'static str, &str)]| -> Vec<&'static str> {
            list.iter().map(|(name, _)| *name).collect()
        };
        let known = [ALLOWED.to_vec(), names(REFUSED), names(ONLY_OFF)].concat();
        let runs: Vec<&str> = all_options()
            .filter(|spec| spec.support == Support::Run)
            .map(|spec| spec.name)
            .collect();
        for name in &runs {
            let times = known.iter().filter(|known| *known == name).count();
            assert_eq!(times, 1, "{name}: may another host run it? say so in one list");
        }
        let old: Vec<_> = known.iter().filter(|name| !runs.contains(name)).collect();
        assert!(old.is_empty(), "no options that run: {old:?}");
    }

    struct Text(&'static str);

    impl FileSource for Text {
        fn read(&self, path: &str, _: Option<&str>) -> io::Result<FileText> {
            Ok(FileText { path: path.to_owned(), bytes: self.0.as_bytes().to_vec() })
        }
    }

    fn checked(text: &'static str) -> Result<(), ReadError> {
        let keywords = Keywords { page_size: 4096, memory_mib: 100, cpus: 2 };
        let files = Text(text);
        let stdin = || Err(io::ErrorKind::Unsupported.into());
        let world = ReadEnvironment { files: &files, env: &|_| None, keywords, stdin: &stdin };
        check_remote(&read_command(&["jobs.fio".into()], &Table, &world).unwrap())
    }

    #[test]
    fn what_touches_more_than_is_measured_is_refused_with_job_and_line() {
        let refused = |text: &'static str, place: &str, words: &[&str]| {
            let error = checked(text).unwrap_err();
            assert_eq!(error.place.to_string(), place, "{text}");
            for word in words {
                assert!(error.message.contains(word), "{text}: {error}");
            }
        };
        let logs = "[global]\nrw=read\n\n[a]\n  write_bw_log=x\n";
        refused(logs, "jobs.fio:5:3", &["job 'a'", "write_bw_log"]);
        refused("[global]\nread_iolog=/etc/passwd\n[a]\n", "jobs.fio:2:1", &["job 'global'"]);
        refused("[a]\nverify_pattern='/etc/shadow'\n", "jobs.fio:2:1", &["single quotes"]);
        refused("[a]\nbuffer_pattern=0xff'x'\n", "jobs.fio:2:1", &["single quotes"]);
        refused("[a]\nmem=mmap:/srv/db\n", "jobs.fio:2:1", &["mapping of a file"]);
        refused("[a]\nallow_mounted_write=1\n", "jobs.fio:2:1", &["guard"]);
        refused("[a]\nverify_dump\n", "jobs.fio:2:1", &["beside what is measured"]);
        refused("[a]\nverify_state_save=(2-1)\n", "jobs.fio:2:1", &["verify_state_save"]);
        refused("[a]\nwrite_lat_log\n", "jobs.fio:2:1", &["write_lat_log"]);
        // Refused everywhere.
        refused("[a]\nexec_prerun=id\n", "jobs.fio:2:1", &["job 'a': exec_prerun is not run: "]);
        let external = "[a]\nioengine=external:/x.so\n";
        refused(external, "jobs.fio:2:1", &["job 'a': ioengine=external is not run: "]);
    }

    #[test]
    fn what_measures_passes() {
        checked("[global]\ndirectory=/srv\nsize=1g\nlog_avg_msec=500\n[a]\nverify=crc32c\n")
            .unwrap();
        checked("[a]\nverify_state_save=0\nallow_mounted_write=0\nverify_pattern=\"x\"\n").unwrap();
        // Without effect, and as it is done anyway.
        checked("[a]\niodepth_batch=4\natomic=0\n").unwrap();
    }
}
