//! Arithmetic in values: `(4k*2)` and `$ncpus*2`.

use crate::options::parse::{KbBase, multiplier};

/// What the letters after a number in an expression mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Units {
    None,
    /// k, m, g, t, p: bytes. With `kb_base=1000`, `k` is 1000 and `KiB` 1024; with 1024 it is
    /// the other way round, as in all values of fio.
    Bytes(KbBase),
    /// us, ms, s, m, h, d; the result is in microseconds.
    Microseconds,
}

/// A number in an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    Whole(i128),
    Real(f64),
}

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExpressionError {
    #[error("division by zero")]
    DivisionByZero,
    #[error("the result is too large (it must fit in 63 bits)")]
    Overflow,
    #[error("unknown unit '{0}'")]
    Unit(String),
    #[error("expected {expected} but found {found}")]
    Unexpected { expected: &'static str, found: String },
    #[error("more than {MAX_NESTING} parentheses or operators nest")]
    TooDeep,
}

const MAX_NESTING: usize = 64;

type Result<T> = std::result::Result<T, ExpressionError>;

impl Number {
    /// The number as a text without decimals: what follows the point is dropped.
    /// Errors: [`ExpressionError::Overflow`] outside of 64 bits.
    pub fn whole_text(self) -> Result<String> {
        let whole = match self {
            Number::Whole(whole) => whole,
            // A cast saturates, so out of range stays out of range.
            Number::Real(real) => real.trunc() as i128,
        };
        i64::try_from(whole).map(|n| n.to_string()).map_err(|_| ExpressionError::Overflow)
    }

    /// The number as a text, with decimals when it has them.
    /// Errors: [`ExpressionError::Overflow`] for whole numbers outside of 64 bits.
    pub fn real_text(self) -> Result<String> {
        match self {
            Number::Whole(_) => self.whole_text(),
            Number::Real(real) => Ok(real.to_string()),
        }
    }

    fn to_f64(self) -> f64 {
        match self {
            Number::Whole(whole) => whole as f64,
            Number::Real(real) => real,
        }
    }
}

/// The value of an expression: numbers (decimal, `0x`, with decimals), units after numbers and
/// after parentheses, `+ - * / % ^`, parentheses. Whole numbers divide to whole numbers.
/// Errors: see [`ExpressionError`].
pub fn evaluate(text: &str, units: Units) -> Result<Number> {
    let mut parser = Parser { text, at: 0, depth: 0, units };
    let number = parser.parse_sum()?;
    match parser.peek() {
        None => Ok(number),
        Some(_) => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    units: Units,
}

impl Parser<'_> {
    /// The next byte that is no blank.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn unexpected(&self, expected: &'static str) -> ExpressionError {
        let found = match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(c) => format!("'{c}'"),
            None => "the end".to_owned(),
        };
        ExpressionError::Unexpected { expected, found }
    }

    fn nest<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_NESTING {
            return Err(ExpressionError::TooDeep);
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn parse_sum(&mut self) -> Result<Number> {
        self.parse_chain(b"+-", |parser| parser.parse_chain(b"*/%", Self::parse_power))
    }

    /// Operands with any of these operators between them, grouped from the left.
    fn parse_chain(
        &mut self,
        operators: &[u8],
        operand: fn(&mut Self) -> Result<Number>,
    ) -> Result<Number> {
        let mut left = operand(self)?;
        while let Some(operator) = self.peek().filter(|byte| operators.contains(byte)) {
            self.at += 1;
            left = apply_operator(operator, left, operand(self)?)?;
        }
        Ok(left)
    }

    /// Powers group from the right: `2^3^2` is `2^9`.
    fn parse_power(&mut self) -> Result<Number> {
        let base = self.parse_signed()?;
        if self.peek() != Some(b'^') {
            return Ok(base);
        }
        self.at += 1;
        let exponent = self.nest(Self::parse_power)?;
        raise_power(base, exponent)
    }

    fn parse_signed(&mut self) -> Result<Number> {
        match self.peek() {
            Some(b'-') => {
                self.at += 1;
                let number = self.nest(Self::parse_signed)?;
                apply_operator(b'-', Number::Whole(0), number)
            }
            Some(b'+') => {
                self.at += 1;
                self.nest(Self::parse_signed)
            }
            _ => self.parse_with_units(),
        }
    }

    fn parse_with_units(&mut self) -> Result<Number> {
        let mut number = match self.peek() {
            Some(b'(') => {
                self.at += 1;
                let inner = self.nest(Self::parse_sum)?;
                if self.peek() != Some(b')') {
                    return Err(self.unexpected("an operator or ')'"));
                }
                self.at += 1;
                inner
            }
            Some(b'0'..=b'9' | b'.') => self.parse_number()?,
            _ => return Err(self.unexpected("a number or '('")),
        };
        while self.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
            let word = self.take_word(|b| b.is_ascii_alphabetic());
            let factor = unit_factor(&word.to_ascii_lowercase(), self.units)
                .ok_or_else(|| ExpressionError::Unit(word.to_owned()))?;
            number = apply_operator(b'*', number, Number::Whole(factor))?;
        }
        Ok(number)
    }

    /// Takes bytes as long as they are ASCII of the wanted kind.
    fn take_word(&mut self, wanted: impl Fn(u8) -> bool) -> String {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let taken: String = rest.chars().take_while(|&c| c.is_ascii() && wanted(c as u8)).collect();
        self.at += taken.len();
        taken
    }

    fn parse_number(&mut self) -> Result<Number> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if rest.starts_with("0x") || rest.starts_with("0X") {
            self.at += 2;
            let digits = self.take_word(|b| b.is_ascii_hexdigit());
            if digits.is_empty() {
                return Err(self.unexpected("hexadecimal digits"));
            }
            return i128::from_str_radix(&digits, 16)
                .map(Number::Whole)
                .map_err(|_| ExpressionError::Overflow);
        }
        let digits = self.take_word(|b| b.is_ascii_digit() || b == b'.');
        if digits.contains('.') {
            return match digits.parse::<f64>() {
                Ok(real) if real.is_finite() => Ok(Number::Real(real)),
                Ok(_) => Err(ExpressionError::Overflow),
                Err(_) => {
                    let expected = "a number";
                    Err(ExpressionError::Unexpected { expected, found: format!("'{digits}'") })
                }
            };
        }
        digits.parse().map(Number::Whole).map_err(|_| ExpressionError::Overflow)
    }
}

fn unit_factor(unit: &str, units: Units) -> Option<i128> {
    match units {
        Units::None => None,
        // Exabytes are a size, but no unit of an expression.
        Units::Bytes(base) => multiplier(unit, base).filter(|_| !unit.starts_with('e')),
        Units::Microseconds => Some(match unit {
            "us" | "usec" => 1,
            "ms" | "msec" => 1_000,
            "s" | "sec" => 1_000_000,
            "m" => 60_000_000,
            "h" => 3_600_000_000,
            "d" => 86_400_000_000,
            _ => return None,
        }),
    }
}

fn apply_operator(operator: u8, left: Number, right: Number) -> Result<Number> {
    if matches!(operator, b'/' | b'%') && right.to_f64() == 0.0 {
        return Err(ExpressionError::DivisionByZero);
    }
    if let (Number::Whole(a), Number::Whole(b)) = (left, right) {
        let whole = match operator {
            b'+' => a.checked_add(b),
            b'-' => a.checked_sub(b),
            b'*' => a.checked_mul(b),
            b'/' => a.checked_div(b),
            _ => a.checked_rem(b),
        };
        return whole.map(Number::Whole).ok_or(ExpressionError::Overflow);
    }
    let (a, b) = (left.to_f64(), right.to_f64());
    check_finite(match operator {
        b'+' => a + b,
        b'-' => a - b,
        b'*' => a * b,
        b'/' => a / b,
        _ => a % b,
    })
}

fn raise_power(base: Number, exponent: Number) -> Result<Number> {
    if let (Number::Whole(base), Number::Whole(exponent)) = (base, exponent)
        && exponent >= 0
    {
        // 0, 1 and -1 stay small whatever the exponent; the rest overflows soon.
        let exponent = match base {
            -1..=1 if exponent > 2 => 2 + exponent % 2,
            _ => exponent,
        };
        let exponent = u32::try_from(exponent).map_err(|_| ExpressionError::Overflow)?;
        return base.checked_pow(exponent).map(Number::Whole).ok_or(ExpressionError::Overflow);
    }
    if base.to_f64() == 0.0 && exponent.to_f64() < 0.0 {
        return Err(ExpressionError::DivisionByZero);
    }
    check_finite(base.to_f64().powf(exponent.to_f64()))
}

fn check_finite(real: f64) -> Result<Number> {
    if real.is_finite() { Ok(Number::Real(real)) } else { Err(ExpressionError::Overflow) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const K: Units = Units::Bytes(KbBase::Binary);

    fn text(expression: &str, units: Units) -> String {
        match evaluate(expression, units).and_then(Number::whole_text) {
            Ok(text) => text,
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn sizes() {
        for (expression, expected) in [
            ("4*1024", "4096"),
            ("4*1k", "4096"),
            ("(4*1024)k", "4194304"),
            ("(2+2)*1024", "4096"),
            ("2+3*4", "14"),
            ("2^12", "4096"),
            ("2^3^2", "512"),
            ("7/2", "3"),
            ("-7/2", "-3"),
            ("7%4", "3"),
            ("10-4-3", "3"),
            ("((4096))", "4096"),
            (" 4 * ( 1k + 1K ) ", "8192"),
            ("0x10+0XA", "26"),
            ("1.5k", "1536"),
            ("2.5*2", "5"),
            ("2^-1", "0"),
            ("-2^2", "4"),
            ("- -3", "3"),
            ("1kb+1mB+1b", "1049601"),
            ("1kib", "1000"),
            ("1ki", "1024"),
            ("1p", "1125899906842624"),
            ("2^62", "4611686018427387904"),
            ("1^99999999999999999999", "1"),
            ("(-1)^100000000001", "-1"),
            ("0^0", "1"),
        ] {
            assert_eq!(text(expression, K), expected, "{expression}");
        }
        assert_eq!(text("1k+1kib", Units::Bytes(KbBase::Thousand)), "2024");
    }

    #[test]
    fn times_are_microseconds() {
        for (expression, expected) in [
            ("10*3", "30"),
            ("1s", "1000000"),
            ("(2*3)s", "6000000"),
            ("1ms+5us", "1005"),
            ("1m", "60000000"),
            ("1h/60", "60000000"),
            ("1d", "86400000000"),
            ("1.5 sec", "1500000"),
            ("1k", "unknown unit 'k'"),
        ] {
            assert_eq!(text(expression, Units::Microseconds), expected, "{expression}");
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let deep = format!("{}1{}", "(".repeat(65), ")".repeat(65));
        let nested = "more than 64 parentheses or operators nest";
        let minus = "-".repeat(100_000);
        let powers = "2^".repeat(100_000);
        let large = "the result is too large (it must fit in 63 bits)";
        for (expression, expected) in [
            ("4096/0", "division by zero"),
            ("4096%0", "division by zero"),
            ("4/(2-2)", "division by zero"),
            ("1.5/0", "division by zero"),
            ("0^-1", "division by zero"),
            ("2^63", large),
            ("2^64", large),
            ("2^1000", large),
            ("2^99999999999999999999", large),
            ("9223372036854775807*2", large),
            ("99999999999999999999999999999999999999999999", large),
            ("1e9", "unknown unit 'e'"),
            ("4q", "unknown unit 'q'"),
            ("4*", "expected a number or '(' but found the end"),
            ("", "expected a number or '(' but found the end"),
            ("()", "expected a number or '(' but found ')'"),
            ("(4", "expected an operator or ')' but found the end"),
            ("4)", "expected an operator or the end but found ')'"),
            ("(4)(2)", "expected an operator or the end but found '('"),
            ("1.2.3", "expected a number but found '1.2.3'"),
            ("0x", "expected hexadecimal digits but found the end"),
            ("4é", "expected an operator or the end but found 'é'"),
            (&deep, nested),
            (&minus, nested),
            (&powers, nested),
        ] {
            assert_eq!(text(expression, K), expected, "{:.40}", expression);
        }
    }
}
