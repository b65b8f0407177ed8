//! How fio names its log files.

/// What a log holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LogKind {
    Bw,
    Iops,
    Slat,
    Clat,
    Lat,
}

impl LogKind {
    /// The word in the file name: `bw`, `iops`, `slat`, `clat`, `lat`.
    pub fn word(self) -> &'static str {
        match self {
            LogKind::Bw => "bw",
            LogKind::Iops => "iops",
            LogKind::Slat => "slat",
            LogKind::Clat => "clat",
            LogKind::Lat => "lat",
        }
    }

    /// Whether the values are rates; else they are latencies.
    pub fn is_rate(self) -> bool {
        matches!(self, LogKind::Bw | LogKind::Iops)
    }
}

/// The word in the name of a histogram log (`write_hist_log`).
pub const HISTOGRAM: &str = "clat_hist";

/// The name of a log: `<prefix>_<word>.<job_number>.log`. Without a prefix the job's name stands
/// for it, spaces and slashes as they are. `job_number` counts all instances of the run from 1;
/// without `per_job` (`per_job_logs=0`) there is no number, and the instances share the file.
pub fn log_file_name(
    prefix: Option<&str>,
    job_name: &str,
    word: &str,
    job_number: u32,
    per_job: bool,
) -> String {
    let stem = prefix.filter(|prefix| !prefix.is_empty()).unwrap_or(job_name);
    if per_job { format!("{stem}_{word}.{job_number}.log") } else { format!("{stem}_{word}.log") }
}

/// The files that `write_lat_log` makes. A disabled latency has none; submission latency has one
/// with synchronous engines too, which stays empty.
pub fn latency_kinds(disable_slat: bool, disable_clat: bool, disable_lat: bool) -> Vec<LogKind> {
    [(LogKind::Slat, disable_slat), (LogKind::Clat, disable_clat), (LogKind::Lat, disable_lat)]
        .into_iter()
        .filter(|&(_, disabled)| !disabled)
        .map(|(kind, _)| kind)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_fios() {
        let check = |prefix, kind: LogKind, number, per_job, expected: &str| {
            assert_eq!(log_file_name(prefix, "my job", kind.word(), number, per_job), expected);
        };
        check(Some("q"), LogKind::Bw, 1, true, "q_bw.1.log");
        check(Some("d/q"), LogKind::Lat, 12, true, "d/q_lat.12.log");
        check(Some("q"), LogKind::Iops, 3, false, "q_iops.log");
        check(None, LogKind::Clat, 2, true, "my job_clat.2.log");
        check(Some(""), LogKind::Slat, 2, true, "my job_slat.2.log");
        assert_eq!(log_file_name(None, "j", HISTOGRAM, 2, true), "j_clat_hist.2.log");
        assert_eq!(log_file_name(Some("p"), "j", HISTOGRAM, 2, false), "p_clat_hist.log");
    }

    #[test]
    fn a_disabled_latency_has_no_file() {
        use LogKind::{Clat, Lat, Slat};
        assert_eq!(latency_kinds(false, false, false), [Slat, Clat, Lat]);
        assert_eq!(latency_kinds(true, false, true), [Clat]);
        assert_eq!(latency_kinds(true, true, true), []);
    }
}
