//! Names of the result files of instances.

use fio::logs::{HISTOGRAM, LogKind, latency_kinds, log_file_name};
use fio::options::log::LogName;
use fio::plan::Section;

/// Kind of a result file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LogFile {
    Series(LogKind),
    Histogram,
    Trace,
}

/// Result files of instance `number`, counted from 1.
pub(super) fn log_files(section: &Section, number: u32) -> Vec<(LogFile, String)> {
    let (options, report) = (&section.options.log, &section.options.report);
    let per_job = options.per_job;
    let latencies = latency_kinds(report.disable_slat, report.disable_clat, report.disable_lat);
    let kinds = [
        (&options.bw, vec![LogKind::Bw]),
        (&options.iops, vec![LogKind::Iops]),
        (&options.lat, latencies),
    ];
    let mut files = Vec::new();
    for (name, kinds) in kinds {
        let Some(name) = name else { continue };
        files.extend(kinds.into_iter().map(|kind| {
            let file = log_file_name(log_prefix(name), &section.name, kind.word(), number, per_job);
            let file = if options.stored { file + ".fz" } else { file };
            (LogFile::Series(kind), file)
        }));
    }
    if let Some(name) = options.hist.as_ref().filter(|_| options.hist_ms > 0) {
        let file = log_file_name(log_prefix(name), &section.name, HISTOGRAM, number, per_job);
        files.push((LogFile::Histogram, file));
    }
    let trace = section.options.replay.write_iolog.clone();
    files.extend(trace.map(|file| (LogFile::Trace, file)));
    files
}

/// Files to which the commands of a job write.
pub(super) fn command_files(section: &Section) -> Vec<String> {
    let (run, exec, name) = (&section.options.run, &section.options.engine.exec, &section.name);
    let redirects = exec.program.is_some() && exec.std_redirect;
    let files = [
        (run.exec_prerun.is_some(), "prerun.txt"),
        (run.exec_postrun.is_some(), "postrun.txt"),
        (redirects, "stdout"),
        (redirects, "stderr"),
    ];
    let files = files.into_iter().filter(|(is_written, _)| *is_written);
    files.map(|(_, file)| format!("{name}.{file}")).collect()
}

/// `None` for a bare option: the job's name is used.
fn log_prefix(name: &LogName) -> Option<&str> {
    match name {
        LogName::JobName => None,
        LogName::Prefix(prefix) => Some(prefix),
    }
}
