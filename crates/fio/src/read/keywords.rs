//! `$pagesize`, `$mb_memory`, `$ncpus`, and arithmetic in values.
//!
//! fio hands a value with a keyword and an operator to `bc`; the result is a bare number, with
//! the unit a bare number has for that option. A value in parentheses is an expression with
//! units inside, in microseconds where the option is a time.

use super::expression::{ExpressionError, Number, Units, evaluate};
use crate::options::parse::KbBase;
use crate::options::spec::ValueKind;

/// What the keywords stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keywords {
    /// `$pagesize`: bytes of a page of memory.
    pub page_size: u64,
    pub memory_mib: u64,
    pub cpus: u64,
}

/// Puts the keywords in; `None` when there is none. For numbers, works out what was written
/// around them. `$jobname`, `$jobnum`, `$filenum` and other names stay.
/// Errors: [`ExpressionError`] when the arithmetic has no result.
pub fn replace_keywords(
    text: &str,
    kind: ValueKind,
    keywords: &Keywords,
) -> Result<Option<String>, ExpressionError> {
    let Some(plain) = substitute_keywords(text, keywords) else { return Ok(None) };
    let integer = match kind {
        ValueKind::Integer
        | ValueKind::Size { .. }
        | ValueKind::SizePerDirection
        | ValueKind::Time(_) => true,
        ValueKind::Float => false,
        _ => return Ok(Some(plain)),
    };
    let parts = plain.split(',').map(|part| {
        let part = part.trim();
        let operator = part.bytes().skip(1).any(|b| b"+-*/^".contains(&b));
        let expression = part.starts_with('(');
        // An expression with units is for `work_out`, which knows kb_base.
        if !(operator || expression) || expression && part.contains(char::is_alphabetic) {
            return Ok(part.to_owned());
        }
        let number = evaluate(part, Units::None)?;
        if integer { number.whole_text() } else { number.real_text() }
    });
    Ok(Some(parts.collect::<Result<Vec<_>, _>>()?.join(",")))
}

fn substitute_keywords(text: &str, keywords: &Keywords) -> Option<String> {
    let known = [
        ("$pagesize", keywords.page_size),
        ("$mb_memory", keywords.memory_mib),
        ("$ncpus", keywords.cpus),
    ];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut found = false;
    while let Some(at) = rest.find('$') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        match known.iter().find(|(name, _)| from.starts_with(name)) {
            Some((name, value)) => {
                found = true;
                out.push_str(&value.to_string());
                rest = &from[name.len()..];
            }
            None => {
                out.push('$');
                rest = &from[1..];
            }
        }
    }
    out.push_str(rest);
    found.then_some(out)
}

/// Replaces expressions in parentheses by their values; `None` when the value has none or its
/// kind is not a number. Times come out as `30us`.
/// Errors: [`ExpressionError`] when an expression has no result.
pub fn evaluate_expressions(
    text: &str,
    kind: ValueKind,
    kb_base: KbBase,
) -> Result<Option<String>, ExpressionError> {
    let (units, range) = match kind {
        ValueKind::Integer
        | ValueKind::Percent
        | ValueKind::Size { .. }
        | ValueKind::SizePerDirection => (Units::Bytes(kb_base), false),
        ValueKind::SizeRange => (Units::Bytes(kb_base), true),
        ValueKind::Time(_) => (Units::Microseconds, false),
        ValueKind::Float => (Units::None, false),
        ValueKind::FloatList => (Units::None, true),
        _ => return Ok(None),
    };
    if !text.contains('(') {
        return Ok(None);
    }
    let mut out = String::with_capacity(text.len());
    for (part, separator) in split_parts(text, range) {
        out.push_str(&evaluate_part(part, kind, units)?);
        out.extend(separator);
    }
    Ok(Some(out))
}

fn evaluate_part(part: &str, kind: ValueKind, units: Units) -> Result<String, ExpressionError> {
    let part = part.trim();
    if !part.starts_with('(') {
        return Ok(part.to_owned());
    }
    // `(2*10)%` and `(2)z` keep their sign: it says what is counted.
    let (inner, sign) = match part.char_indices().next_back() {
        Some((at, '%' | 'z')) => part.split_at(at),
        _ => (part, ""),
    };
    let number = evaluate(inner, units)?;
    let text = match (kind, number) {
        (ValueKind::Float | ValueKind::FloatList, number) => number.real_text()?,
        (_, number) => Number::whole_text(number)?,
    };
    let unit = if units == Units::Microseconds { "us" } else { "" };
    Ok(format!("{text}{sign}{unit}"))
}

/// Splits at `,`, and in ranges and lists at `-` and `:`, outside of parentheses.
fn split_parts(text: &str, range: bool) -> Vec<(&str, Option<char>)> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' | '-' | ':' if depth == 0 && (range || c == ',') => {
                parts.push((&text[start..at], Some(c)));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push((&text[start..], None));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::parse::TimeUnit;

    const SIZE: ValueKind = ValueKind::Size { percent: true, zones: true };
    const TIME: ValueKind = ValueKind::Time(TimeUnit::Seconds);
    const WORLD: Keywords = Keywords { page_size: 4096, memory_mib: 24103, cpus: 2 };

    fn both(text: &str, kind: ValueKind) -> String {
        let replaced = match replace_keywords(text, kind, &WORLD) {
            Ok(replaced) => replaced.unwrap_or(text.to_owned()),
            Err(error) => return error.to_string(),
        };
        match evaluate_expressions(&replaced, kind, KbBase::Binary) {
            Ok(worked) => worked.unwrap_or(replaced),
            Err(error) => error.to_string(),
        }
    }

    /// Results of Debian's fio 3.33, which has `bc` arithmetic.
    #[test]
    fn keywords_as_fio() {
        for (text, kind, expected) in [
            ("2*$ncpus", SIZE, "4"),
            ("$pagesize", SIZE, "4096"),
            ("$pagesize*2", SIZE, "8192"),
            ("$pagesize/2", SIZE, "2048"),
            ("$pagesize/0", SIZE, "division by zero"),
            ("$pagesize*2.5", SIZE, "10240"),
            ("($pagesize*2)", SIZE, "8192"),
            ("$pagesizek", SIZE, "4096k"),
            ("$pagesize$pagesize", SIZE, "40964096"),
            ("8*$mb_memory", SIZE, "192824"),
            ("$PAGESIZE", SIZE, "$PAGESIZE"),
            ("$pagesize,8k", ValueKind::SizePerDirection, "4096,8k"),
            ("$pagesize-512", SIZE, "3584"),
            ("$ncpus*$pagesize", SIZE, "8192"),
            ("8*$pagesize+1", SIZE, "32769"),
            ("$ncpus", ValueKind::Text, "2"),
            ("$jobname.$jobnum.$filenum", ValueKind::Text, "$jobname.$jobnum.$filenum"),
            ("($ncpus*2)", TIME, "4"),
        ] {
            assert_eq!(both(text, kind), expected, "{text}");
        }
    }

    /// Where we differ by intent: texts are not sent through `bc`, ranges stay ranges, every
    /// part of a list counts alone, and units work in parentheses.
    #[test]
    fn keywords_unlike_fio() {
        for (text, kind, expected) in [
            ("/tmp/$ncpus-a/b", ValueKind::Text, "/tmp/2-a/b"),
            ("1k-$pagesize", ValueKind::SizeRange, "1k-4096"),
            ("$pagesize,$pagesize*2", ValueKind::SizePerDirection, "4096,8192"),
            ("2^$ncpus", SIZE, "4"),
            ("$pagesize*1k", SIZE, "unknown unit 'k'"),
            ("($pagesize*1k)", SIZE, "4194304"),
            ("($ncpus*1s)", TIME, "2000000us"),
        ] {
            assert_eq!(both(text, kind), expected, "{text}");
        }
    }

    /// From the HOWTO: Debian's fio is built without this evaluator.
    #[test]
    fn expressions() {
        for (text, kind, expected) in [
            ("(4*1024)k", SIZE, "4194304"),
            ("(2+2)*1024", SIZE, "4096"),
            ("(1k),(8k)", ValueKind::SizePerDirection, "1024,8192"),
            ("4k,(4k*2)", ValueKind::SizePerDirection, "4k,8192"),
            ("(1k)-(4k*2),8k-(16k)", ValueKind::SizeRange, "1024-8192,8k-16384"),
            ("(8k-4k)", SIZE, "4096"),
            ("(2*10)%", SIZE, "20%"),
            ("(1+1)z", SIZE, "2z"),
            ("(10*3)", TIME, "30us"),
            ("(1s)", TIME, "1000000us"),
            ("(1+0.5)", ValueKind::Float, "1.5"),
            ("(90+9):99.9", ValueKind::FloatList, "99:99.9"),
            ("(1+2)", ValueKind::Text, "(1+2)"),
            ("4k", SIZE, "4k"),
            ("(4k", SIZE, "expected an operator or ')' but found the end"),
            ("(2)*é", SIZE, "expected a number or '(' but found 'é'"),
            ("(4/0)", SIZE, "division by zero"),
        ] {
            assert_eq!(both(text, kind), expected, "{text}");
        }
    }

    #[test]
    fn kb_base_turns_the_units_of_expressions() {
        assert_eq!(
            evaluate_expressions("(1k)", SIZE, KbBase::Thousand),
            Ok(Some("1000".to_owned()))
        );
        assert_eq!(
            evaluate_expressions("(1kib)", SIZE, KbBase::Thousand),
            Ok(Some("1024".to_owned()))
        );
    }
}
