//! Numbers as the tools that are imitated print them: C's `%g`, and the sizes of coreutils.

/// Significant digits of a bare `%g`, and of the numbers that awk prints.
const SIGNIFICANT_DIGITS: i32 = 6;

/// C's `%g`: six significant digits, no zeros at the end, an exponent for the very small and the
/// very large.
pub(crate) fn format_general(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    // The exponent after rounding: 999,999.5 has seven digits.
    let scientific = format!("{value:.*e}", (SIGNIFICANT_DIGITS - 1) as usize);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..SIGNIFICANT_DIGITS).contains(&exponent) {
        let digits = (SIGNIFICANT_DIGITS - 1 - exponent) as usize;
        return trim_zeros(&format!("{value:.digits$}")).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trim_zeros(mantissa), exponent.abs())
}

fn trim_zeros(number: &str) -> &str {
    if !number.contains('.') {
        return number;
    }
    number.trim_end_matches('0').trim_end_matches('.')
}

/// Powers of which base a size of coreutils is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    /// `kB`, `MB`, `GB`.
    Decimal,
    /// `KiB`, `MiB`, `GiB`.
    Binary,
}

impl Base {
    const fn base_value(self) -> u64 {
        match self {
            Self::Decimal => 1000,
            Self::Binary => 1024,
        }
    }

    fn unit_name(self, exponent: usize) -> String {
        let prefixes = match self {
            Self::Decimal => ["", "k", "M", "G", "T", "P", "E"],
            Self::Binary => ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"],
        };
        format!("{}B", prefixes.get(exponent).copied().unwrap_or(""))
    }
}

/// A whole number of bytes as coreutils rounds it: a decimal below 10, to the nearest, and of two
/// as near the even one. `268 MB`, `8.2 kB`, `512 B`.
pub(crate) fn format_size(bytes: u64, base: Base) -> String {
    if bytes < base.base_value() {
        return format!("{bytes} B");
    }
    let (mut exponent, mut unit) = (0, 1_u128);
    while u128::from(bytes) >= unit * u128::from(base.base_value()) {
        unit *= u128::from(base.base_value());
        exponent += 1;
    }
    let bytes = u128::from(bytes);
    let tenths = divide_half_even(bytes * 10, unit);
    if tenths < 100 {
        return format!("{}.{} {}", tenths / 10, tenths % 10, base.unit_name(exponent));
    }
    let whole = divide_half_even(bytes, unit);
    if whole == u128::from(base.base_value()) {
        return format!("1.0 {}", base.unit_name(exponent + 1));
    }
    format!("{whole} {}", base.unit_name(exponent))
}

fn divide_half_even(number: u128, by: u128) -> u128 {
    let (whole, rest) = (number / by, number % by);
    let up = rest * 2 > by || (rest * 2 == by && whole % 2 == 1);
    whole + u128::from(up)
}

/// Bytes per second as coreutils prints what is no whole number: a decimal below 100, and never
/// less than thousands. `10.5 GB`, `375 MB`, `0.2 kB`.
pub(crate) fn format_rate(bytes_per_second: f64) -> String {
    let base = Base::Decimal.base_value() as f64;
    let (mut exponent, mut unit) = (1, base);
    while unit * base <= bytes_per_second && exponent < 6 {
        unit *= base;
        exponent += 1;
    }
    let scaled = bytes_per_second / unit;
    let mut number = format!("{scaled:.1}");
    if number.len() > "99.9".len() {
        number = format!("{scaled:.0}");
    }
    format!("{number} {}", Base::Decimal.unit_name(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_c_prints_them() {
        let check =
            |value: f64, expected: &str| assert_eq!(format_general(value), expected, "{value}");
        // printf '%g\n' 0.0255656 0.000101189 1.36 12 1234567 0.00001234 999999.5 100000 331.617
        check(0.025_565_6, "0.0255656");
        check(0.000_101_189, "0.000101189");
        check(1.36, "1.36");
        check(12.0, "12");
        check(1_234_567.0, "1.23457e+06");
        check(0.000_012_34, "1.234e-05");
        check(999_999.5, "1e+06");
        check(100_000.0, "100000");
        check(331.617, "331.617");
        check(0.0, "0");
    }

    #[test]
    fn sizes_are_as_coreutils_prints_them() {
        let check = |bytes: u64, decimal: &str, binary: &str| {
            assert_eq!(format_size(bytes, Base::Decimal), decimal, "{bytes}");
            assert_eq!(format_size(bytes, Base::Binary), binary, "{bytes}");
        };
        // What dd of coreutils 9.1 prints after this number of bytes.
        check(268_435_456, "268 MB", "256 MiB");
        check(8192, "8.2 kB", "8.0 KiB");
        check(999, "999 B", "999 B");
        check(1000, "1.0 kB", "1000 B");
        check(10_485_760, "10 MB", "10 MiB");
        check(1_073_741_824, "1.1 GB", "1.0 GiB");
        check(999_999, "1.0 MB", "977 KiB");
        check(1_048_575, "1.0 MB", "1.0 MiB");
        check(9_950_000, "10 MB", "9.5 MiB");
        check(1250, "1.2 kB", "1.2 KiB");
    }

    #[test]
    fn rates_are_as_dd_prints_them() {
        let check =
            |rate_: f64, expected: &str| assert_eq!(format_rate(rate_), expected, "{rate_}");
        check(268_435_456.0 / 0.025_565_6, "10.5 GB");
        check(8192.0 / 0.000_101_189, "81.0 MB");
        check(375_182_000.0, "375 MB");
        check(1_960_000_000.0, "2.0 GB");
        check(213.0, "0.2 kB");
        check(99_960_000.0, "100 MB");
    }
}
