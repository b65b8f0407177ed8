//! ioping's JSON: the same keys in the same order and layout, with its strings escaped.

use record::{PingFigures, PingRequest, PingTarget};
use workload::Direction;

/// When a line is printed: seconds since 1970, and the local time in words.
pub type ReportTime<'a> = (f64, &'a str);

/// A request; `first` says whether it begins the array.
pub fn format_json_request(
    place: &PingTarget,
    request: &PingRequest,
    when: ReportTime<'_>,
    first: bool,
) -> String {
    let verb = if request.direction == Direction::Write { "write" } else { "read" };
    format!(
        "{}  \"io\": {{\n    \"request\": {},\n    \"operation\": \"{verb}\",\n    \
         \"size\": {},\n    \"time\": {},\n    \"ignored\": {}\n  }}\n}}",
        format_json_head(place, when, first),
        request.number,
        request.moved,
        request.time.0,
        !request.counted,
    )
}

/// The figures of a window or a run; `first` says whether they begin the array.
pub fn format_json_figures(
    place: &PingTarget,
    figures: &PingFigures,
    when: ReportTime<'_>,
    first: bool,
) -> String {
    let f = figures;
    format!(
        "{}  \"stat\": {{\n    \"count\": {},\n    \"size\": {},\n    \"time\": {:.0},\n    \
         \"iops\": {:.6},\n    \"bps\": {:.0},\n    \"min\": {},\n    \"avg\": {:.0},\n    \
         \"max\": {},\n    \"mdev\": {:.0}\n  }},\n  \"load\": {{\n    \"count\": {},\n    \
         \"size\": {},\n    \"time\": {},\n    \"iops\": {:.6},\n    \"bps\": {:.0}\n  }}\n}}",
        format_json_head(place, when, first),
        f.counted,
        f.bytes,
        f.sum_ns,
        f.iops,
        f.bytes_per_second,
        f.min_ns,
        f.avg_ns,
        f.max_ns,
        f.mdev_ns,
        f.requests,
        f.load_bytes,
        f.load_ns,
        f.load_iops,
        f.load_bytes_per_second,
    )
}

fn format_json_head(place: &PingTarget, (seconds, local): ReportTime<'_>, first: bool) -> String {
    let [local, path, kind, device] =
        [local, &place.path, &place.kind, &place.device].map(serde_json::Value::from);
    format!(
        "{}{{\n  \"timestamp\": {seconds:.6},\n  \"localtime\": {local},\n  \"target\": {{\n    \
         \"path\": {path},\n    \"fstype\": {kind},\n    \"device\": {device},\n    \
         \"device_size\": {}\n  }},\n",
        if first { "" } else { "," },
        place.size.0,
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::{figures, place, read};
    use super::*;

    const WHEN: ReportTime<'static> = (1_795_301_164.734_526, "2026-11-21T22:46:04+0000");

    #[test]
    fn a_request_is_laid_out_as_ioping_does() {
        assert_eq!(
            format_json_request(&place(), &read(), WHEN, true),
            r#"{
  "timestamp": 1795301164.734526,
  "localtime": "2026-11-21T22:46:04+0000",
  "target": {
    "path": ".",
    "fstype": "ext4",
    "device": "/dev/vda",
    "device_size": 270553174016
  },
  "io": {
    "request": 1,
    "operation": "read",
    "size": 4096,
    "time": 90700,
    "ignored": true
  }
}"#
        );
    }

    #[test]
    fn an_array_of_both_is_json_whatever_the_name() {
        let strange = PingTarget { path: "a \"b\"\n".to_owned(), ..place() };
        let request = format_json_request(&strange, &read(), WHEN, true);
        let end = format_json_figures(&strange, &figures(), WHEN, false);
        let parsed: serde_json::Value = serde_json::from_str(&format!("[{request}{end}]")).unwrap();
        assert_eq!(parsed[0]["target"]["path"], "a \"b\"\n");
        assert_eq!(parsed[1]["stat"]["time"], 190_325);
        assert_eq!(parsed[1]["load"]["count"], 3);
        assert!(end.contains("\"iops\": 15762.511493,\n    \"bps\": 64563247,"), "{end}");
    }
}
