//! Durations, rounded for people.

use units::Nanos;

/// `45 s`, `3 min 20 s`, `2 h 5 min`.
pub(super) fn format_rough(time: Nanos) -> String {
    let seconds = time.as_secs_f64().ceil() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, 0) => format!("{minutes} min"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, 0, _) => format!("{hours} h"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_for_people() {
        let check =
            |seconds: u64, expected: &str| assert_eq!(format_rough(Nanos::secs(seconds)), expected);
        check(45, "45 s");
        check(60, "1 min");
        check(200, "3 min 20 s");
        check(7500, "2 h 5 min");
        check(7200, "2 h");
    }
}
