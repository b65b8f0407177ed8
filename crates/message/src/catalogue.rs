//! The words of each language, read on first use.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::OnceLock;

use flate2::write::GzDecoder;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::types::{FluentNumber, FluentNumberOptions};
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use units::group_digits;

use crate::argument::ArgumentKind;
use crate::language::Language;
use crate::message::{Argument, Message};

type Bundle = FluentBundle<FluentResource>;

macro_rules! packed {
    ($tag:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $tag, ".ftl.gz")).as_slice()
    };
}

/// The file of a language. `build.rs` packed it, so it can be unpacked.
fn read_source(language: Language) -> String {
    let packed = match language {
        Language::English => packed!("en"),
        Language::Vietnamese => packed!("vi"),
        Language::Russian => packed!("ru"),
        Language::Chinese => packed!("zh-CN"),
        Language::Indonesian => packed!("id"),
    };
    let mut decoder = GzDecoder::new(Vec::new());
    let unpacked = decoder.write_all(packed).and_then(|()| decoder.finish());
    String::from_utf8(unpacked.unwrap_or_default()).unwrap_or_default()
}

fn bundle(language: Language) -> &'static Bundle {
    static BUNDLES: [OnceLock<Bundle>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    BUNDLES[language as usize].get_or_init(|| build_bundle(language))
}

/// What a file has twice or does not parse is left out; a test holds that there is no such thing.
fn build_bundle(language: Language) -> Bundle {
    let resource = FluentResource::try_new(read_source(language));
    let resource = resource.unwrap_or_else(|(rest, _)| rest);
    let identifier = language.tag().parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![identifier]);
    bundle.set_use_isolating(false);
    bundle.set_formatter(Some(match language {
        Language::English | Language::Chinese => |value, _| format_value(value, Language::English),
        _ => |value, _| format_value(value, Language::Russian),
    }));
    // The names are ours, and each is added once.
    let _ = bundle.add_function("CAP", |arguments, _| match arguments {
        [FluentValue::String(text)] => FluentValue::from(capitalise(text)),
        _ => FluentValue::Error,
    });
    bundle.add_resource_overriding(resource);
    bundle
}

/// A number with the punctuation of a language.
fn format_value(value: &FluentValue<'_>, language: Language) -> Option<String> {
    let FluentValue::Number(FluentNumber { value, options }) = value else { return None };
    let text = match options.minimum_fraction_digits {
        Some(digits) => format!("{value:.digits$}"),
        None => group_digits(*value as u64),
    };
    Some(language.punctuate(&text))
}

fn capitalise(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_uppercase().collect::<String>());
    first.unwrap_or_default() + chars.as_str()
}

/// `None` where the language lacks the message or one of its arguments.
pub(crate) fn render(message: &Message, language: Language) -> Option<String> {
    render_strictly(message, language).ok()
}

/// The same, with what is wrong; for the test of all languages.
fn render_strictly(message: &Message, language: Language) -> Result<String, String> {
    if message.id.is_empty() {
        return Ok(message.text.clone());
    }
    let bundle = bundle(language);
    let known = bundle.get_message(&message.id).and_then(|found| found.value());
    let pattern = known.ok_or_else(|| format!("no message {}", message.id))?;
    let mut arguments = FluentArgs::new();
    for (name, value) in message.arguments.iter() {
        arguments.set(name.replace('_', "-"), to_fluent(value, language));
    }
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, Some(&arguments), &mut errors).into_owned();
    match errors.as_slice() {
        [] => Ok(text),
        [first, ..] => Err(format!("{}: {first}", message.id)),
    }
}

fn to_fluent(value: &Argument, language: Language) -> FluentValue<'static> {
    let number = |text: String| language.punctuate(&text);
    let text = match value {
        Argument::Count(count) if *count < PLURAL_MAX => return FluentValue::from(*count as f64),
        Argument::Count(count) => number(group_digits(*count)),
        Argument::Text(text) => text.clone(),
        Argument::Number(value) => return to_fluent_number(*value),
        Argument::Nanoseconds(time) => number(time.to_string()),
        Argument::Bytes(size) => number(size.to_string()),
        Argument::BytesPerSecond(rate) => number(rate.to_string()),
        Argument::OperationsPerSecond(rate) => number(rate.to_string()),
        Argument::Share(share) => number(share.to_string()),
        Argument::Message(message) => render_or_text(message, language),
        Argument::Clauses(all) => join(all, "list-clauses", language),
        Argument::Names(all) => join(all, "list-names", language),
    };
    FluentValue::String(Cow::Owned(text))
}

fn render_or_text(message: &Message, language: Language) -> String {
    render(message, language).unwrap_or_else(|| message.text.clone())
}

fn join(all: &[Message], separator: &str, language: Language) -> String {
    let parts: Vec<String> = all.iter().map(|one| render_or_text(one, language)).collect();
    let between = Message { id: separator.to_owned(), ..Message::default() };
    parts.join(&render_or_text(&between, language))
}

/// Larger numbers have no plural: the rules read them as integers of 64 bits.
const PLURAL_MAX: u64 = 1 << 53;

/// With three significant digits, those behind the point counted: they decide the plural.
fn to_fluent_number(value: f64) -> FluentValue<'static> {
    if !value.is_finite() || value.abs() >= PLURAL_MAX as f64 {
        return FluentValue::from(format!("{value:e}"));
    }
    let minimum_fraction_digits = match value.abs() {
        99.95.. => None,
        9.995..99.95 => Some(1),
        f64::MIN_POSITIVE..0.0995 => Some(4),
        _ => Some(2),
    };
    let value = if minimum_fraction_digits.is_none() { value.abs().round() } else { value };
    let options = FluentNumberOptions { minimum_fraction_digits, ..Default::default() };
    FluentValue::Number(FluentNumber::new(value, options))
}

/// The messages of a language's file, each with the variables that it uses. An id that the file has
/// twice is named with a `+` at its end.
fn list_messages(language: Language) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut id = String::new();
    for line in read_source(language).lines().filter(|line| !line.starts_with('#')) {
        if line.starts_with(|first: char| first.is_ascii_lowercase()) {
            id = line.split(' ').next().unwrap_or_default().to_owned();
            while found.contains_key(&id) {
                id.push('+');
            }
        }
        let variables = line.split('$').skip(1).map(|rest| {
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
            rest.split(|c| !is_name(c)).next().unwrap_or_default().to_owned()
        });
        if !id.is_empty() {
            found.entry(id.clone()).or_default().extend(variables);
        }
    }
    found
}

/// Whether there are words for an id, with arguments or without.
pub fn is_known(id: &str) -> bool {
    bundle(Language::English).has_message(id)
}

/// A message that the program can say.
#[derive(Debug, Clone, Copy)]
pub struct Declared {
    pub id: &'static str,
    /// Names as in the struct, in snake case.
    pub arguments: &'static [(&'static str, ArgumentKind)],
}

/// What is wrong with declared messages in any language: words that are missing or cannot be
/// rendered, and arguments that the words do not use. For the tests of all languages.
pub fn list_faults(declared: &[Declared]) -> Vec<String> {
    let english = list_messages(Language::English);
    let faults = |declared: &Declared| {
        let own = declared.arguments.iter().map(|(name, _)| name.replace('_', "-"));
        let (own, used) = (own.collect::<BTreeSet<_>>(), english.get(declared.id));
        let unlike = (used != Some(&own)).then(|| format!("{}: {own:?}, {used:?}", declared.id));
        let examples = (0..EXAMPLES_MAX).map(|place| build_example(declared, place));
        let render = |message: Message| Language::ALL.map(|of| render_strictly(&message, of).err());
        examples.flat_map(render).flatten().chain(unlike).collect::<Vec<_>>()
    };
    declared.iter().flat_map(faults).collect()
}

/// Ids in the files below a folder that have no words: arguments of `label` and `say`, and what is
/// in quotes and begins as only ids do. For the test of labels.
pub fn list_missing_labels(folder: &Path) -> io::Result<Vec<String>> {
    let mut missing = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            missing.extend(list_missing_labels(&path)?);
            continue;
        }
        let text = input::read_file(&path, input::TEXT_MAX)?;
        let text = String::from_utf8_lossy(&text);
        let said = ["label(\"", "say(\""].into_iter().flat_map(|call| text.split(call).skip(1));
        let said = said.filter_map(|rest| rest.split('"').next());
        let is_id = |words: &&str| {
            words.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        let is_label = |words: &&str| {
            ["head-", "explain-", "fact-", "layer-"].iter().any(|start| words.starts_with(start))
                && !words.ends_with('-')
        };
        let quoted = text.split('"').filter(is_label).filter(is_id);
        let said = said.filter(|id| Message::find(id).is_none());
        let unknown = said.chain(quoted.filter(|id| !is_known(id)));
        missing.extend(unknown.map(|id| format!("{}: {id}", path.display())));
    }
    Ok(missing)
}

/// The most extremes that an argument has.
const EXAMPLES_MAX: usize = 6;

fn build_example(declared: &Declared, place: usize) -> Message {
    let argument = |(name, kind): &(&str, ArgumentKind)| {
        let extremes = kind.extremes();
        Some(((*name).to_owned(), extremes.get(place % extremes.len().max(1)).cloned()?))
    };
    let arguments = declared.arguments.iter().filter_map(argument).collect();
    Message { id: declared.id.to_owned(), arguments, text: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_parses_and_has_the_messages_of_english() {
        let english = list_messages(Language::English);
        for language in Language::ALL {
            if let Err((_, errors)) = FluentResource::try_new(read_source(language)) {
                panic!("{}: {errors:#?}", language.tag());
            }
            let own = list_messages(language);
            let missing: Vec<_> = english.keys().filter(|id| !own.contains_key(*id)).collect();
            let strange: Vec<_> = own.keys().filter(|id| !english.contains_key(*id)).collect();
            assert!(
                missing.is_empty() && strange.is_empty(),
                "{language:?}: {missing:?} {strange:?}"
            );
            for (id, variables) in &english {
                assert_eq!(&own[id], variables, "{language:?}: {id}");
            }
        }
    }

    #[test]
    fn numbers_are_grouped_and_never_isolated_by_marks() {
        let number = |value| format_value(&to_fluent_number(value), Language::English).unwrap();
        assert_eq!([1234.5, 1.234].map(number), ["1,235", "1.23"]);
        assert_eq!([0.0, 0.012].map(number), ["0.00", "0.0120"]);
        let count = FluentValue::from(1_234_567.0);
        assert_eq!(format_value(&count, Language::English).unwrap(), "1,234,567");
        let russian = format_value(&to_fluent_number(1.234), Language::Russian);
        assert_eq!(russian.unwrap(), "1,23");
    }

    #[test]
    fn a_number_decides_the_plural_by_its_digits() {
        let check = |times: f64, expected: &str| {
            let arguments = [("times".to_owned(), Argument::Number(times))].into_iter().collect();
            let id = "first-touch-write-slower".to_owned();
            let message = Message { id, arguments, text: String::new() };
            let words = render(&message, Language::Russian).unwrap();
            assert!(words.contains(expected), "{words}");
        };
        check(2.5, "в 2,50 раза дольше");
        check(5.0, "в 5,00 раза дольше");
        check(101.0, "в 101 раз дольше");
        check(102.0, "в 102 раза дольше");
        check(105.0, "в 105 раз дольше");
    }
}
