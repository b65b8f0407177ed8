//! The command line, by the rules of getopt_long_only(3): a long option may have one hyphen, and
//! may be cut short; options may stand after paths.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::slice;

use super::table::{ArgumentKind, IOPING_OPTIONS, OWN_OPTIONS, OptionDefinition};

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ParsedArguments {
    /// The long name of each, with its argument.
    pub(super) options: Vec<(&'static str, Option<String>)>,
    pub(super) paths: Vec<OsString>,
    /// The word after truedisk's `--json`, which may be meant as a path.
    pub(super) json_file: Option<String>,
}

pub(super) fn parse_arguments(
    args: &[OsString],
    as_ioping: bool,
) -> Result<ParsedArguments, String> {
    let mut words = ParsedArguments::default();
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        let bytes = word.as_bytes();
        if bytes == b"--" {
            words.paths.extend(rest.by_ref().cloned());
            break;
        }
        if bytes.len() < 2 || bytes[0] != b'-' {
            words.paths.push(word.clone());
            continue;
        }
        let text = require_utf8(word)?;
        match parse_long(text, as_ioping)? {
            Some((definition, argument)) => {
                let argument = match (definition.argument, argument) {
                    (ArgumentKind::Nothing, Some(_)) => {
                        return Err(format!("option '{}' takes no argument", option_name(text)));
                    }
                    (ArgumentKind::Required(_), None) if is_own_json(text, as_ioping) => {
                        words.json_file = take_json_file(&mut rest)?;
                        Some(words.json_file.clone().unwrap_or_else(|| "-".to_owned()))
                    }
                    (ArgumentKind::Required(_), None) => {
                        Some(take_argument(&mut rest, option_name(text))?)
                    }
                    (_, argument) => argument,
                };
                words.options.push((definition.long, argument));
            }
            None => parse_letters(text, &mut rest, &mut words.options)?,
        }
    }
    refuse_ambiguous_file(&words)?;
    Ok(words)
}

/// `--json` of truedisk; ioping's takes no file.
fn is_own_json(text: &str, as_ioping: bool) -> bool {
    !as_ioping && option_name(text) == "--json"
}

/// A word after `--json` may be meant as the path where no other is given: a file of that name
/// would be written.
fn refuse_ambiguous_file(words: &ParsedArguments) -> Result<(), String> {
    let Some(file) = words.json_file.as_ref().filter(|_| words.paths.is_empty()) else {
        return Ok(());
    };
    if file == "-" || Path::new(file).extension().is_some_and(|end| end == "json") {
        return Ok(());
    }
    Err(format!(
        "'{file}' after --json may be PATH or the FILE to write; for PATH: {file} --json -; for \
         FILE: --json={file}"
    ))
}

fn require_utf8(word: &OsStr) -> Result<&str, String> {
    word.to_str().ok_or_else(|| format!("'{}' is no option", word.to_string_lossy()))
}

fn option_name(text: &str) -> &str {
    text.split('=').next().unwrap_or(text)
}

fn take_argument<'a>(
    rest: &mut impl Iterator<Item = &'a OsString>,
    name: &str,
) -> Result<String, String> {
    let word = rest.next().ok_or_else(|| format!("option '{name}' requires an argument"))?;
    let text = word.to_str();
    let text = text.ok_or_else(|| format!("the argument of '{name}' is not UTF-8"))?;
    Ok(text.to_owned())
}

/// The FILE of `--json`, unless an option follows.
fn take_json_file(rest: &mut slice::Iter<'_, OsString>) -> Result<Option<String>, String> {
    let is_option = |word: &&OsString| word.len() > 1 && word.as_bytes().starts_with(b"-");
    match rest.as_slice().first().filter(|word| !is_option(word)) {
        Some(_) => take_argument(rest, "--json").map(Some),
        None => Ok(None),
    }
}

type LongOption = Option<(&'static OptionDefinition, Option<String>)>;

/// The long option that `text` is; `None` when it is letters.
fn parse_long(text: &str, as_ioping: bool) -> Result<LongOption, String> {
    let two = text.starts_with("--");
    let body = text.trim_start_matches('-');
    let (wanted, argument) = match body.split_once('=') {
        Some((wanted, argument)) => (wanted, Some(argument.to_owned())),
        None => (body, None),
    };
    let letter = body.chars().next().filter(|_| !two);
    let is_letter = letter.is_some_and(|letter| find_letter(letter).is_some());
    if is_letter && body.chars().count() == 1 {
        return Ok(None);
    }
    let is_record = is_own_json(text, as_ioping);
    let own = if is_record { "record" } else { wanted };
    if two && let Some(exact) = OWN_OPTIONS.iter().find(|option| option.long == own) {
        return Ok(Some((exact, argument)));
    }
    if let Some(exact) = IOPING_OPTIONS.iter().find(|option| option.long == wanted) {
        return Ok(Some((exact, argument)));
    }
    // Only ioping's may be cut short, so that ours make none of its cuts ambiguous.
    let cut: Vec<&OptionDefinition> = IOPING_OPTIONS
        .iter()
        .filter(|option| !wanted.is_empty() && option.long.starts_with(wanted))
        .filter(|option| as_ioping || !two || option.long != "json")
        .collect();
    match cut.as_slice() {
        [one] => Ok(Some((one, argument))),
        [] if is_letter => Ok(None),
        [] => Err(format!("unrecognized option '{}'", option_name(text))),
        several => {
            let names: Vec<String> =
                several.iter().map(|option| format!("'-{}'", option.long)).collect();
            let name = option_name(text);
            Err(format!("option '{name}' is ambiguous; possibilities: {}", names.join(" ")))
        }
    }
}

fn find_letter(letter: char) -> Option<&'static OptionDefinition> {
    IOPING_OPTIONS.iter().find(|option| option.short == Some(letter))
}

/// Letters after one hyphen; the rest of the word is the argument of the first that takes one.
fn parse_letters<'a>(
    text: &str,
    rest: &mut impl Iterator<Item = &'a OsString>,
    options: &mut Vec<(&'static str, Option<String>)>,
) -> Result<(), String> {
    let mut letters = text.chars().skip(1);
    while let Some(letter) = letters.next() {
        let definition =
            find_letter(letter).ok_or_else(|| format!("invalid option -- '{letter}'"))?;
        let argument = match definition.argument {
            ArgumentKind::Nothing => None,
            ArgumentKind::Optional(_) => {
                let stuck: String = letters.by_ref().collect();
                Some(stuck).filter(|stuck| !stuck.is_empty())
            }
            ArgumentKind::Required(_) => {
                let stuck: String = letters.by_ref().collect();
                match stuck.is_empty() {
                    true => Some(take_argument(rest, &format!("-{letter}"))?),
                    false => Some(stuck),
                }
            }
        };
        options.push((definition.long, argument));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str], as_ioping: bool) -> Result<ParsedArguments, String> {
        let args: Vec<OsString> = words.iter().map(OsString::from).collect();
        parse_arguments(&args, as_ioping)
    }

    fn own(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    fn check(words: &[&str], options: &[(&str, Option<&str>)], paths: &[&str]) {
        let read = of(words, true).unwrap();
        let told: Vec<_> = read.options.iter().map(|(k, a)| (*k, a.as_deref())).collect();
        assert_eq!(told, options, "{words:?}");
        assert_eq!(read.paths, paths, "{words:?}");
    }

    #[test]
    fn options_are_read_as_getopt_reads_them() {
        check(&["-c", "5", "."], &[("count", Some("5"))], &["."]);
        check(&[".", "-c5"], &[("count", Some("5"))], &["."]);
        check(&["-count", "5"], &[("count", Some("5"))], &[]);
        check(&["--count=5"], &[("count", Some("5"))], &[]);
        check(&["-co", "5"], &[("count", Some("5"))], &[]);
        let three = [("rapid", None), ("linear", None), ("batch", None)];
        check(&["-RLB", "."], &three, &["."]);
        check(&["-WWW"], &[("write", None); 3], &[]);
        check(&["-qi", "0"], &[("quiet", None), ("interval", Some("0"))], &[]);
        check(&["-I", "."], &[("time", None)], &["."]);
        check(&["-I%H:%M", "."], &[("time", Some("%H:%M"))], &["."]);
        check(&["-time=%H"], &[("time", Some("%H"))], &[]);
        check(&["-w3"], &[("work-time", Some("3"))], &[]);
        check(&["--rea"], &[("read-write", None)], &[]);
        check(&["-J"], &[("json", None)], &[]);
        check(&["--json", "x"], &[("json", None)], &["x"]);
        check(&["--", "-c", "-"], &[], &["-c", "-"]);
        check(&["-"], &[], &["-"]);
        check(&["--depth", "4"], &[("depth", Some("4"))], &[]);
        // A letter that begins a word is the word where only one is meant.
        check(&["-ti"], &[("time", None)], &[]);
    }

    #[test]
    fn truedisk_has_its_own_json() {
        let read = of(&["--json", "x.json", "-json"], false).unwrap();
        assert_eq!(read.options, [("record", Some("x.json".to_owned())), ("json", None)]);
        assert!(of(&["--js"], false).is_err(), "which of the two is not clear");
        let record = |file: &str| [("record", Some(file.to_owned()))];
        for (words, file, paths) in [
            (&["--json"][..], "-", &[][..]),
            (&["--json", "-"], "-", &[]),
            (&["--json", "run.json"], "run.json", &[]),
            (&["--json=data.bin"], "data.bin", &[]),
            (&["--json", "x", "."], "x", &["."]),
            (&[".", "--json", "x"], "x", &["."]),
        ] {
            let read = of(words, false).unwrap();
            assert_eq!((&read.options[..], &read.paths[..]), (&record(file)[..], &own(paths)[..]));
        }
        let read = of(&["--json", "-c", "1"], false).unwrap();
        let count = ("count", Some("1".to_owned()));
        assert_eq!(read.options, [record("-")[0].clone(), count]);
        let error = of(&["--json", "data.bin"], false).unwrap_err();
        assert!(error.contains("may be PATH") && error.contains("--json=data.bin"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let check = |words: &[&str], text: &str| {
            assert_eq!(of(words, true).unwrap_err(), text, "{words:?}");
        };
        check(&["-c"], "option '-c' requires an argument");
        check(&["--count"], "option '--count' requires an argument");
        check(&["-foo"], "unrecognized option '-foo'");
        check(&["-qx"], "invalid option -- 'x'");
        check(&["--quiet=1"], "option '--quiet' takes no argument");
        check(&["-ra"], "option '-ra' is ambiguous; possibilities: '-rapid' '-rate-limit'");
        check(&["--dep", "4"], "unrecognized option '--dep'");
    }
}
