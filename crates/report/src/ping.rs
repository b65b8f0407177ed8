//! What `ping` tells: ioping's lines to the letter, and what truedisk says beyond them.
//!
//! Everything here makes text of what it is given: of the types in which `method` tells what it
//! does, as no record is there yet. `json` and the functions of this file are ioping's, `more` is
//! truedisk's own, `picture` is what is drawn of latencies.

mod histogram_chart;
mod ioping_units;
mod json;
mod summary;

pub use histogram_chart::{draw_histogram, format_live_line};
pub use json::{format_json_figures, format_json_request};
pub use summary::{format_findings, format_idle_contrast, format_percentiles, format_rate};

use std::fmt::Write as _;

use record::{PingFigures, PingRequest, PingTarget};
use workload::Direction;

/// Which way the requests of a run go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PingDirection {
    /// Reads only.
    Read,
    /// Writes only.
    Write,
    Both,
}

/// The line of a request; `time` is the time of day, where it was asked for.
pub fn format_request(place: &PingTarget, request: &PingRequest, time: Option<&str>) -> String {
    let mut line = String::new();
    if let Some(time) = time {
        line.push_str(time);
        line.push(' ');
    }
    let arrows = if request.direction == Direction::Write { ">>>" } else { "<<<" };
    let _ = write!(
        line,
        "{} {arrows} {} {}: request={} time={}",
        ioping_units::format_size(request.moved),
        place.path,
        device_words(place),
        request.number,
        ioping_units::format_time(request.time.0)
    );
    if let Some(mark) = request.mark {
        let _ = write!(line, " ({})", mark.label());
    }
    line.push('\n');
    if request.ends_burst {
        line.push('\n');
    }
    line
}

/// `(ext4 /dev/vda 252.0 GiB)`.
fn device_words(place: &PingTarget) -> String {
    format!("({} {} {})", place.kind, place.device, ioping_units::format_size(place.size.0))
}

/// The raw line: ten numbers, and the target whose they are where there are several.
pub fn format_raw(figures: &PingFigures, of: Option<&PingTarget>) -> String {
    let f = figures;
    let whose = of.map(|place| format!(" {}", place.path)).unwrap_or_default();
    format!(
        "{} {:.0} {:.0} {:.0} {} {:.0} {} {:.0} {} {}{whose}\n",
        f.counted,
        f.sum_ns,
        f.iops,
        f.bytes_per_second,
        f.min_ns,
        f.avg_ns,
        f.max_ns,
        f.mdev_ns,
        f.requests,
        f.load_ns
    )
}

/// The lines at the end.
pub fn format_statistics(place: &PingTarget, figures: &PingFigures, way: PingDirection) -> String {
    let f = figures;
    let verb = match way {
        PingDirection::Read => " read",
        PingDirection::Write => " written",
        PingDirection::Both => "",
    };
    // Where a number is printed with a unit, its fraction is cut off first, as ioping does.
    let whole = |number: f64| number as u64;
    let mut text = format!(
        "\n--- {} {} ioping statistics ---\n\
         {} requests completed in {}, {}{verb}, {} iops, {}/s\n",
        place.path,
        device_words(place),
        ioping_units::format_count(f.counted),
        ioping_units::format_time(whole(f.sum_ns)),
        ioping_units::format_size(f.bytes),
        ioping_units::format_count(whole(f.iops)),
        ioping_units::format_size(whole(f.bytes_per_second)),
    );
    for (left_out, word) in [(f.too_fast, "too fast"), (f.too_slow, "too slow")] {
        if left_out > 0 {
            let _ = write!(text, "{} {word}, ", ioping_units::format_count(left_out));
        }
    }
    let _ = writeln!(
        text,
        "generated {} requests in {}, {}, {} iops, {}/s",
        ioping_units::format_count(f.requests),
        ioping_units::format_time(f.load_ns),
        ioping_units::format_size(f.load_bytes),
        ioping_units::format_count(whole(f.load_iops)),
        ioping_units::format_size(whole(f.load_bytes_per_second)),
    );
    let times =
        [f.min_ns, whole(f.avg_ns), f.max_ns, whole(f.mdev_ns)].map(ioping_units::format_time);
    let _ = writeln!(text, "min/avg/max/mdev = {}", times.join(" / "));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::PingMark;
    use units::{Bytes, Nanos};

    pub(super) fn place() -> PingTarget {
        PingTarget {
            path: ".".to_owned(),
            kind: "ext4".to_owned(),
            device: "/dev/vda".to_owned(),
            size: Bytes(270_553_174_016),
        }
    }

    pub(super) fn read() -> PingRequest {
        PingRequest {
            number: 1,
            direction: Direction::Read,
            moved: 4096,
            time: Nanos(90_700),
            counted: false,
            mark: Some(PingMark::Warmup),
            ends_burst: false,
        }
    }

    /// Of a run of ioping 1.3: `ioping -c 10 -p 3 -i 0 -q .`, its third line.
    pub(super) fn figures() -> PingFigures {
        PingFigures {
            counted: 3,
            requests: 3,
            sum_ns: 190_325.0,
            iops: 3e9 / 190_325.0,
            bytes_per_second: 3e9 / 190_325.0 * 4096.0,
            min_ns: 61_796,
            avg_ns: 190_325.0 / 3.0,
            max_ns: 65_011,
            mdev_ns: 1314.2,
            load_ns: 218_478,
            load_iops: 3e9 / 218_478.0,
            load_bytes_per_second: 3e9 / 218_478.0 * 4096.0,
            bytes: 3 * 4096,
            load_bytes: 3 * 4096,
            ..PingFigures::default()
        }
    }

    #[test]
    fn requests_are_told_as_ioping_tells_them() {
        let line = format_request(&place(), &read(), None);
        assert_eq!(
            line,
            "4 KiB <<< . (ext4 /dev/vda 252.0 GiB): request=1 time=90.7 us (warmup)\n"
        );
        let write = PingRequest {
            number: 7,
            direction: Direction::Write,
            time: Nanos(3_910_000),
            mark: Some(PingMark::TooSlow),
            ends_burst: true,
            ..read()
        };
        assert_eq!(
            format_request(&place(), &write, Some("Nov 21 00:41:27")),
            "Nov 21 00:41:27 4 KiB >>> . (ext4 /dev/vda 252.0 GiB): request=7 time=3.91 ms \
             (too slow)\n\n"
        );
        let refused = PingRequest { moved: 0, mark: Some(PingMark::WouldBlock), ..read() };
        let line = format_request(&place(), &refused, None);
        assert!(line.starts_with("0 B <<< ") && line.ends_with(" (EAGAIN)\n"), "{line}");
    }

    #[test]
    fn the_raw_line_is_that_of_the_run_it_was_taken_from() {
        let line = format_raw(&figures(), None);
        assert_eq!(line, "3 190325 15763 64563247 61796 63442 65011 1314 3 218478\n");
        assert_eq!(format_raw(&figures(), Some(&place())), line.replace('\n', " .\n"));
    }

    #[test]
    fn the_statistics_are_three_lines_below_a_heading() {
        let text = format_statistics(&place(), &figures(), PingDirection::Read);
        assert_eq!(
            text,
            "\n--- . (ext4 /dev/vda 252.0 GiB) ioping statistics ---\n\
             3 requests completed in 190.3 us, 12 KiB read, 15.8 k iops, 61.6 MiB/s\n\
             generated 3 requests in 218.5 us, 12 KiB, 13.7 k iops, 53.6 MiB/s\n\
             min/avg/max/mdev = 61.8 us / 63.4 us / 65.0 us / 1.31 us\n"
        );
        let left_out = PingFigures { too_fast: 2, too_slow: 1500, ..figures() };
        let text = format_statistics(&place(), &left_out, PingDirection::Both);
        assert!(text.contains("190.3 us, 12 KiB, 15.8 k iops"), "{text}");
        assert!(text.contains("\n2 too fast, 1.50 k too slow, generated 3 requests"), "{text}");
        assert!(
            format_statistics(&place(), &figures(), PingDirection::Write)
                .contains("12 KiB written, ")
        );
    }
}
