//! fio's number formats: short numbers with prefixes, rates in two bases, times, dates.

use std::fmt::Write;

use jiff::{Timestamp, tz::TimeZone};

use crate::options::report::{ReportOptions, UnitBase};

const DECIMAL: [&str; 7] = ["", "k", "M", "G", "T", "P", "E"];
const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// Powers of which base a prefix stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// 1000: `k`, `M`, `G`.
    Decimal,
    /// 1024: `Ki`, `Mi`, `Gi`.
    Binary,
}

impl Base {
    fn value(self) -> u128 {
        if self == Self::Decimal { 1000 } else { 1024 }
    }

    fn prefix(self, index: usize) -> &'static str {
        let prefixes = if self == Self::Decimal { &DECIMAL } else { &BINARY };
        prefixes.get(index).copied().unwrap_or("")
    }

    fn other(self) -> Self {
        if self == Self::Decimal { Self::Binary } else { Self::Decimal }
    }
}

/// What a number counts; printed behind its prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    None,
    Bytes,
    BytesPerSecond,
    /// The number is bytes per second, printed as `bit/s`.
    BitsPerSecond,
}

impl Unit {
    fn text(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Bytes => "B",
            Self::BytesPerSecond => "B/s",
            Self::BitsPerSecond => "bit/s",
        }
    }
}

/// How a job wants its numbers: bases, bits or bytes, digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    /// 1024 or 1000.
    pub kb_base: u32,
    /// 1 for bits; 0 and 8 for bytes.
    pub unit_base: u32,
    /// Digits of a number, 1 to 10.
    pub figures: u32,
}

impl Default for Scale {
    fn default() -> Self {
        Self { kb_base: 1024, unit_base: 0, figures: 4 }
    }
}

impl From<&ReportOptions> for Scale {
    fn from(display: &ReportOptions) -> Self {
        Self {
            kb_base: display.kb_base.bytes(),
            unit_base: u32::from(display.unit_base == UnitBase::Bit),
            figures: display.significant_figures.into(),
        }
    }
}

impl Scale {
    fn base(self) -> Base {
        if self.kb_base == 1000 { Base::Decimal } else { Base::Binary }
    }

    fn rate_unit(self) -> Unit {
        if self.unit_base == 1 { Unit::BitsPerSecond } else { Unit::BytesPerSecond }
    }

    /// Bytes in the job's base: `842MiB`.
    pub fn format_size(self, bytes: u64) -> String {
        num2str(bytes, self.figures, self.base(), Unit::Bytes)
    }

    /// Bytes in the job's base and in the other one: `842MiB (883MB)`.
    pub fn format_size_pair(self, bytes: u64) -> String {
        let other = num2str(bytes, self.figures, self.base().other(), Unit::Bytes);
        format!("{} ({other})", self.format_size(bytes))
    }

    /// Bytes per second in the job's base and unit: `211MiB/s`.
    pub fn format_rate(self, bytes_per_second: u64) -> String {
        num2str(bytes_per_second, self.figures, self.base(), self.rate_unit())
    }

    /// Bytes per second in the base that is not the job's: `221MB/s`.
    pub fn format_other_rate(self, bytes_per_second: u64) -> String {
        num2str(bytes_per_second, self.figures, self.base().other(), self.rate_unit())
    }

    /// Both: `211MiB/s (221MB/s)`.
    pub fn format_rate_pair(self, bytes_per_second: u64) -> String {
        format!(
            "{} ({})",
            self.format_rate(bytes_per_second),
            self.format_other_rate(bytes_per_second)
        )
    }

    /// KiB per second, in both bases, as the steady state line has them: fio takes the KiB for kB
    /// in the decimal base, so that figure is 2.3 % too low. Kept: the line is compared by text.
    pub fn format_kib_rate_pair(self, kib_per_second: u64) -> String {
        let text = |base| format_prefixed(kib_per_second, 1, self.figures, base, self.rate_unit());
        format!("{} ({})", text(self.base()), text(self.base().other()))
    }

    /// A plain count in thousands: `53.9k`.
    pub fn format_count(self, n: u64) -> String {
        num2str(n, self.figures, Base::Decimal, Unit::None)
    }
}

/// A number in at most `figures` characters, its point counted, with a prefix where it would
/// need more: 9881, `53.9k`, `1024KiB`.
pub fn num2str(n: u64, figures: u32, base: Base, unit: Unit) -> String {
    format_prefixed(n, 0, figures, base, unit)
}

/// As [`num2str`], of a number that counts units of the prefix number `prefix`.
fn format_prefixed(n: u64, prefix: usize, figures: u32, base: Base, unit: Unit) -> String {
    let mut whole = u128::from(n) * if unit == Unit::BitsPerSecond { 8 } else { 1 };
    let mut rest = 0;
    let mut index = prefix;
    while count_digits(whole) > figures && index + 1 < DECIMAL.len() {
        rest = whole % base.value();
        whole /= base.value();
        index += 1;
    }
    let room = figures.saturating_sub(count_digits(whole));
    let (name, unit) = (base.prefix(index), unit.text());
    if index == prefix {
        return format!("{whole}{name}{unit}");
    }
    if room < 2 {
        let rounded = whole + u128::from(rest * 2 >= base.value());
        return format!("{rounded}{name}{unit}");
    }
    // The fraction is rounded by itself, as fio does: 99.95 becomes 99.9, as 0.95 is a little less.
    let fraction = format!("{:.*}", room as usize - 1, rest as f64 / base.value() as f64);
    let (carry, places) = fraction.split_once('.').unwrap_or(("0", ""));
    format!("{}.{places}{name}{unit}", whole + u128::from(carry == "1"))
}

fn count_digits(n: u128) -> u32 {
    n.checked_ilog10().map_or(1, |log| log + 1)
}

/// A mean or deviation: two decimals, at least five characters.
pub fn format_real(value: f64) -> String {
    format!("{value:5.2}")
}

/// A time with the largest unit it exceeds: `300.00us`, `1000.00ms`, `0.00ns`.
pub fn format_nanoseconds(ns: u64) -> String {
    let value = ns as f64;
    match ns {
        0..=1_000 => format!("{value:.2}ns"),
        1_001..=1_000_000 => format!("{:.2}us", value / 1e3),
        1_000_001..=1_000_000_000 => format!("{:.2}ms", value / 1e6),
        _ => format!("{:.2}s", value / 1e9),
    }
}

/// Seconds left: `00m:03s`, `07h:30m:03s`, `01d:02h:03m:04s`.
pub fn format_eta(seconds: u64) -> String {
    let (days, hours) = (seconds / 86_400, seconds / 3600 % 24);
    let mut text = String::new();
    if days > 0 {
        let _ = write!(text, "{days:02}d:");
    }
    if days > 0 || hours > 0 {
        let _ = write!(text, "{hours:02}h:");
    }
    let _ = write!(text, "{:02}m:{:02}s", seconds / 60 % 60, seconds % 60);
    text
}

/// Milliseconds since 1970 as C's `format_ctime` writes them, without its line end, in the system's
/// time zone (UTC when jiff is built without `tz-system`): `Fri Nov 20 23:59:59 2026`.
pub fn format_ctime(ms: u64) -> String {
    format_ctime_in(ms, TimeZone::system())
}

/// As [`format_ctime`], in a given time zone.
pub fn format_ctime_in(ms: u64, zone: TimeZone) -> String {
    let second = i64::try_from(ms / 1000).unwrap_or(i64::MAX);
    let moment = Timestamp::from_second(second).unwrap_or(Timestamp::MAX);
    moment.to_zoned(zone).strftime("%a %b %e %H:%M:%S %Y").to_string()
}

/// The system's text of an error number: 5 is `Input/output error`.
pub fn errno_text(errno: i32) -> String {
    let text = std::io::Error::from_raw_os_error(errno).to_string();
    let suffix = format!(" (os error {errno})");
    text.strip_suffix(&suffix).map_or(text.clone(), ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measured with fio 3.33: bs=N in a job's first line, at each `significant_figures` and
    /// `kb_base`.
    const MEASURED: &str = include_str!("testdata/num2str.txt");

    #[test]
    fn numbers_are_those_of_fio() {
        let mut lines = 0;
        for line in MEASURED.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            let base = if fields[2] == "1000" { Base::Decimal } else { Base::Binary };
            let figures = fields[1].parse().unwrap();
            let text = num2str(fields[0].parse().unwrap(), figures, base, Unit::Bytes);
            assert_eq!(text, fields[3], "{line}");
            lines += 1;
        }
        assert!(lines > 500, "{lines}");
    }

    #[test]
    fn rates_show_both_bases() {
        let check = |kb_base, unit_base, rate: u64, expected: &str| {
            let scale = Scale { kb_base, unit_base, figures: 4 };
            assert_eq!(scale.format_rate_pair(rate), expected);
        };
        check(1024, 0, 6140, "6140B/s (6140B/s)");
        check(1024, 8, 5_120_000, "5000KiB/s (5120kB/s)");
        check(1024, 1, 20542 * 4096 * 1000 / 1007, "637Mibit/s (668Mbit/s)");
        check(1000, 1, 14206 * 4096 * 1000 / 1002, "465Mbit/s (443Mibit/s)");
        check(1000, 0, 13310 * 4096 * 1000 / 1004, "54.3MB/s (51.8MiB/s)");
        check(1024, 0, 4_124_822 * 4096 * 1000 / 1001, "15.7GiB/s (16.9GB/s)");
        check(1000, 0, 4_434_301 * 1_048_576 * 1000 / 1001, "4645GB/s (4326GiB/s)");
    }

    #[test]
    fn latencies_have_six_characters() {
        let check = |n, expected| assert_eq!(num2str(n, 6, Base::Decimal, Unit::None), expected);
        check(120_261, "120261");
        check(1_407_312, "1407.3k");
        check(12_271_400, "12271k");
        check(u64::MAX, "18447P");
    }

    #[test]
    fn steady_state_rates_follow_fio_even_where_it_errs() {
        let check = |bw_mean: u64, expected| {
            assert_eq!(Scale::default().format_kib_rate_pair(bw_mean / 1024), expected);
        };
        check(45_815_402, "43.7MiB/s (44.7MB/s)");
        check(50_542_275, "48.2MiB/s (49.4MB/s)");
        check(53_511_959, "51.0MiB/s (52.3MB/s)");
    }

    #[test]
    fn times_and_dates() {
        assert_eq!(format_nanoseconds(0), "0.00ns");
        assert_eq!(format_nanoseconds(300_000), "300.00us");
        assert_eq!(format_nanoseconds(1_000_000_000), "1000.00ms");
        assert_eq!(format_nanoseconds(2_500_000_000), "2.50s");
        assert_eq!(format_eta(3), "00m:03s");
        assert_eq!(format_eta(27_003), "07h:30m:03s");
        assert_eq!(format_eta(93_784), "01d:02h:03m:04s");
        assert_eq!(format_eta(86_400), "01d:00h:00m:00s");
        assert_eq!(format_eta(4_294_967_294), "49710d:06h:28m:14s");
        let date = |ms| format_ctime_in(ms, TimeZone::UTC);
        assert_eq!(date(1_795_219_292_680), "Sat Nov 21 00:01:32 2026");
        assert_eq!(date(1_793_577_600_000), "Mon Nov  2 00:00:00 2026");
    }

    #[test]
    fn errors_have_the_systems_names() {
        assert_eq!(errno_text(5), "Input/output error");
        assert_eq!(errno_text(28), "No space left on device");
    }
}
