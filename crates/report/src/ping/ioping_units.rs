//! ioping's numbers: rounded to what fits the eye, with a unit.

/// A unit and what it is worth, the largest first.
type UnitTable = &'static [(&'static str, u64)];

const COUNT_UNITS: UnitTable =
    &[("T", 1_000_000_000_000), ("G", 1_000_000_000), ("M", 1_000_000), ("k", 1_000), ("", 1)];
const SIZE_UNITS: UnitTable = &[
    ("PiB", 1 << 50),
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("B", 1),
];
const TIME_UNITS: UnitTable = &[
    ("hour", 3_600_000_000_000),
    ("min", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

pub(super) fn format_count(number: u64) -> String {
    format_with_unit(number, COUNT_UNITS)
}

pub(super) fn format_size(bytes: u64) -> String {
    format_with_unit(bytes, SIZE_UNITS)
}

pub(super) fn format_time(ns: u64) -> String {
    format_with_unit(ns, TIME_UNITS)
}

/// Whole numbers of a unit as they are, ten and more with one digit after the point, less with
/// two.
fn format_with_unit(number: u64, units: UnitTable) -> String {
    let fits = |(_, worth): &&(&str, u64)| number >= *worth;
    let (unit, worth) = units.iter().find(fits).or(units.last()).copied().unwrap_or(("", 1));
    let digits = match number {
        _ if number.is_multiple_of(worth) => 0,
        _ if number >= worth.saturating_mul(10) => 1,
        _ => 2,
    };
    let figure = number as f64 / worth as f64;
    if unit.is_empty() { format!("{figure:.digits$}") } else { format!("{figure:.digits$} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_ioping() {
        let check = |text: String, expected: &str| assert_eq!(text, expected);
        check(format_count(0), "0");
        check(format_count(999), "999");
        check(format_count(1000), "1 k");
        check(format_count(2874), "2.87 k");
        check(format_count(53_312), "53.3 k");
        check(format_count(2_564_102), "2.56 M");
        check(format_size(0), "0 B");
        check(format_size(4096), "4 KiB");
        check(format_size(5000), "4.88 KiB");
        check(format_size(270_553_174_016), "252.0 GiB");
        check(format_size(1_048_575), "1024.0 KiB");
        check(format_size(1 << 50), "1 PiB");
        check(format_time(0), "0 ns");
        check(format_time(641), "641 ns");
        check(format_time(90_712), "90.7 us");
        check(format_time(4_150), "4.15 us");
        check(format_time(1_000_000), "1 ms");
        check(format_time(9_000_123_000), "9.00 s");
        check(format_time(90_000_000_000), "1.50 min");
        check(format_time(7_200_000_000_000), "2 hour");
    }
}
