//! How an option is declared: one entry of a chapter's table says everything about it.
//!
//! The struct's defaults ([`super::registry`]), the readers of command lines and job files, the
//! help, the reference page and the rules for other hosts follow from the entries.

use super::parse::{TimeUnit, ValueResult};
use super::reader::ValueReader;

type Text = &'static str;

/// Words that a value may be, each with a word of help or, where it is refused, the reason.
pub type Words = &'static [(&'static str, &'static str)];

/// What is known of one option of fio's HOWTO.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptionSpec {
    /// Its name in job files and on the command line.
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub kind: ValueKind,
    pub value_need: ValueNeed,
    /// Default, as text; `None` when it has none.
    pub default: Option<&'static str>,
    pub range: Option<(i64, i64)>,
    pub choices: Words,
    /// Words of fio's that are refused, each with the reason and what to use instead.
    pub refused_choices: Words,
    pub parent: Option<&'static str>,
    /// Engines it belongs to; empty for options of every job.
    pub engines: &'static [&'static str],
    pub chapter: &'static str,
    pub help: &'static str,
    pub support: Support,
    pub hosts: Hosts,
}

/// Whether an option may stand without a value. fio's getopt takes the next word as the value of
/// an option that needs one (`--direct --rw=read` is an error), and never as that of a switch
/// (`--thread 1` names the job file `1`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueNeed {
    /// `direct=1`; a value is needed everywhere.
    Needed,
    /// `write_bw_log` alone is fine as a line of a job file, not on the command line.
    OptionalInFile,
    /// `time_based`: may stand alone everywhere; a value is attached with `=`.
    Optional,
}

/// What a value looks like. "Unit" is what a bare number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    Text,
    /// A text that may be given several times, which accumulates (`filename`).
    TextList,
    /// 0, 1, true, false; bare means 1.
    Flag,
    Integer,
    /// A whole percentage; `%` may follow.
    Percent,
    /// A whole number with k, m, g, t, p: sizes. `percent`: also `N%`; `zones`: also `Nz`.
    Size {
        /// `20%`.
        percent: bool,
        zones: bool,
    },
    SizePerDirection,
    SizeRange,
    Time(TimeUnit),
    Float,
    /// Decimal numbers separated by colons (`percentile_list`).
    FloatList,
    /// One of `choices`, perhaps followed by `:` and an argument.
    Choice,
    /// Something with a syntax of its own (`bssplit`, `steadystate`, `cpus_allowed`); text.
    Special,
    Deprecated,
}

/// What we do with an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    Run,
    /// It tunes fio's own internals: accepted, and listed in a note.
    Noted(&'static str),
    /// Not run: an error that says why, and what to use instead.
    Refused(&'static str),
}

/// Which hosts may be asked to run an option.
///
/// A host that runs jobs sent to it touches what the jobs measure and nothing else: it starts no
/// program, reads no file because a job names it, and writes no file but those that are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hosts {
    /// Every host. Which paths of its value may be touched is for that host to decide.
    Any,
    /// Every host, unless the value contains this character, and why not then.
    AnyWithout(char, &'static str),
    Local(&'static str),
    /// Other hosts only with the option switched off, and why.
    LocalUnlessOff(&'static str),
}

/// "No upper limit" of a range.
pub const NO_MAX: i64 = i64::MAX;

pub(super) type WordList = Vec<(Text, Text)>;

/// A field that takes the value of an option.
pub(super) trait OptionValue {
    fn set(&mut self, reader: &mut ValueReader<'_>, spec: &OptionSpec) -> ValueResult<()>;

    /// Words that the value may be, each with a word of help.
    fn choices(&self) -> WordList {
        Vec::new()
    }
}

/// A value that is read as the option's kind and range say, whatever the field held before.
pub(super) trait ReadValue: Sized {
    fn read(reader: &mut ValueReader<'_>, spec: &OptionSpec) -> ValueResult<Self>;

    fn words() -> WordList {
        Vec::new()
    }
}

impl<T: ReadValue> OptionValue for T {
    fn set(&mut self, reader: &mut ValueReader<'_>, spec: &OptionSpec) -> ValueResult<()> {
        T::read(reader, spec).map(|value| *self = value)
    }

    fn choices(&self) -> WordList {
        T::words()
    }
}

/// A value that is one of several words.
pub(super) trait Choice: Copy + PartialEq + 'static {
    /// Each word with its help and its meaning. A word without help is taken, but not listed.
    const CHOICES: &'static [(&'static str, &'static str, Self)];

    /// The first word for this value.
    fn choice_word(self) -> &'static str {
        Self::CHOICES.iter().find(|(_, _, value)| *value == self).map_or("", |(word, _, _)| word)
    }
}

impl<T: Choice> ReadValue for T {
    fn read(reader: &mut ValueReader<'_>, _: &OptionSpec) -> ValueResult<Self> {
        reader.read_choice(T::CHOICES)
    }

    fn words() -> WordList {
        listed_words(T::CHOICES)
    }
}

/// The words that the help lists.
pub(super) fn listed_words<T>(choices: &[(Text, Text, T)]) -> WordList {
    let listed = choices.iter().filter(|(_, help, _)| !help.is_empty());
    listed.map(|(word, help, _)| (*word, *help)).collect()
}

impl ReadValue for bool {
    fn read(reader: &mut ValueReader<'_>, spec: &OptionSpec) -> ValueResult<Self> {
        match spec.value_need {
            ValueNeed::Optional => reader.read_switch(),
            _ => reader.read_flag(),
        }
    }
}

/// Whole numbers of a size in bytes, a time, a percentage or a count. Times in seconds and
/// microseconds are kept in microseconds, times in milliseconds as such.
fn read_whole(reader: &mut ValueReader<'_>, spec: &OptionSpec, type_max: u64) -> ValueResult<u64> {
    let min = spec.range.map_or(0, |(min, _)| min.max(0).cast_unsigned());
    match spec.kind {
        ValueKind::Percent => reader.read_percent().map(u64::from),
        ValueKind::Size { .. } | ValueKind::SizePerDirection => reader.read_size(min),
        ValueKind::Time(TimeUnit::Milliseconds) => reader.read_time_ms(),
        ValueKind::Time(unit) => reader.read_time_us(unit),
        _ => {
            let max = spec.range.map_or(NO_MAX, |(_, max)| max);
            reader.read_whole(min, if max == NO_MAX { type_max } else { max.cast_unsigned() })
        }
    }
}

impl ReadValue for u64 {
    fn read(reader: &mut ValueReader<'_>, spec: &OptionSpec) -> ValueResult<Self> {
        read_whole(reader, spec, Self::MAX)
    }
}

impl ReadValue for u32 {
    fn read(reader: &mut ValueReader<'_>, spec: &OptionSpec) -> ValueResult<Self> {
        let number = read_whole(reader, spec, Self::MAX.into())?;
        Ok(Self::try_from(number).unwrap_or(Self::MAX))
    }
}

impl ReadValue for u8 {
    fn read(reader: &mut ValueReader<'_>, spec: &OptionSpec) -> ValueResult<Self> {
        let number = read_whole(reader, spec, Self::MAX.into())?;
        Ok(Self::try_from(number).unwrap_or(Self::MAX))
    }
}

impl ReadValue for String {
    fn read(reader: &mut ValueReader<'_>, _: &OptionSpec) -> ValueResult<Self> {
        Ok(reader.require_text("a text")?.to_owned())
    }
}

impl<T: ReadValue> ReadValue for Option<T> {
    fn read(reader: &mut ValueReader<'_>, spec: &OptionSpec) -> ValueResult<Self> {
        T::read(reader, spec).map(Some)
    }

    fn words() -> WordList {
        T::words()
    }
}

/// Sets an option of the chapter's options `C` in a way of its own.
pub(super) type SetOption<C> = fn(&mut C, &mut ValueReader<'_>) -> ValueResult<()>;

/// What the value of an option does to the chapter's options `C`.
pub(super) enum Setter<C: 'static> {
    None,
    /// The value is checked and dropped: it changes nothing here.
    Check,
    /// The type of the field says how the value is read.
    Field(fn(&mut C) -> &mut dyn OptionValue),
    /// The option has a syntax or an effect of its own.
    Function(SetOption<C>),
}

/// One option, and what it does to the chapter's options `C`.
pub(super) struct Entry<C: 'static> {
    pub(super) spec: OptionSpec,
    pub(super) setter: Setter<C>,
    pub(super) sets_default: bool,
}

/// Until the entry of an option says which hosts may be asked to run it.
pub(crate) const NOT_LOOKED_AT: &str = "it is not among the options that are";

impl<C> Entry<C> {
    /// An empty default is none.
    const fn new(name: Text, kind: ValueKind, default: Text, help: Text) -> Self {
        let spec = OptionSpec {
            name,
            aliases: &[],
            kind,
            value_need: ValueNeed::Needed,
            default: if default.is_empty() { None } else { Some(default) },
            range: None,
            choices: &[],
            refused_choices: &[],
            parent: None,
            engines: &[],
            chapter: "",
            help,
            support: Support::Run,
            hosts: Hosts::Local(NOT_LOOKED_AT),
        };
        Self { spec, setter: Setter::None, sets_default: true }
    }

    pub(super) const fn alias(mut self, aliases: &'static [Text]) -> Self {
        self.spec.aliases = aliases;
        self
    }

    /// With a default that is what happens without the option, not a value of its field.
    pub(super) const fn implied_default(mut self, default: Text) -> Self {
        self.spec.default = Some(default);
        self.sets_default = false;
        self
    }

    pub(super) const fn range(mut self, min: i64, max: i64) -> Self {
        self.spec.range = Some((min, max));
        self
    }

    /// Any number, also a negative one.
    pub(super) const fn any(mut self) -> Self {
        self.spec.range = None;
        self
    }

    pub(super) const fn words(mut self, choices: Words) -> Self {
        self.spec.choices = choices;
        self
    }

    /// Words of fio's that are not taken.
    pub(super) const fn without(mut self, choices: Words) -> Self {
        self.spec.refused_choices = choices;
        self
    }

    pub(super) const fn under(mut self, parent: Text) -> Self {
        self.spec.parent = Some(parent);
        self
    }

    pub(super) const fn of(mut self, engines: &'static [Text]) -> Self {
        self.spec.engines = engines;
        self
    }

    /// May stand alone in a job file.
    pub(super) const fn bare_in_file(mut self) -> Self {
        self.spec.value_need = ValueNeed::OptionalInFile;
        self
    }

    /// Accepted, with a note; the value is checked.
    pub(super) const fn noted(mut self, why: Text) -> Self {
        self.spec.support = Support::Noted(why);
        self.checks()
    }

    /// Not run; the value is checked where the option means no change.
    pub(super) const fn refused(mut self, why: Text) -> Self {
        self.spec.support = Support::Refused(why);
        self.checks()
    }

    pub(super) const fn unread(mut self) -> Self {
        self.setter = Setter::None;
        self
    }

    /// Sets a field, read as its type and the kind say.
    pub(super) const fn sets(
        mut self,
        hosts: Hosts,
        field: fn(&mut C) -> &mut dyn OptionValue,
    ) -> Self {
        self.spec.hosts = hosts;
        self.setter = Setter::Field(field);
        self
    }

    /// Is read by a function of its own.
    pub(super) const fn reads(mut self, hosts: Hosts, function: SetOption<C>) -> Self {
        self.spec.hosts = hosts;
        self.setter = Setter::Function(function);
        self
    }

    /// Is checked, and changes nothing here.
    pub(super) const fn checks(mut self) -> Self {
        self.spec.hosts = Hosts::Any;
        self.setter = Setter::Check;
        self
    }
}

pub(super) const fn text<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::Text, default, help)
}

/// A text that accumulates.
pub(super) const fn texts<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::TextList, default, help)
}

/// 0 or 1; the value must be written.
pub(super) const fn flag<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::Flag, default, help).range(0, 1)
}

/// A whole number from 0 on.
pub(super) const fn int<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::Integer, default, help).range(0, NO_MAX)
}

pub(super) const fn percent<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::Percent, default, help).range(0, 100)
}

pub(super) const fn size<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::Size { percent: false, zones: false }, default, help)
}

/// A size in bytes, a percentage, or a number of zones.
pub(super) const fn place<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::Size { percent: true, zones: true }, default, help)
}

pub(super) const fn sizes<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::SizePerDirection, default, help).range(0, NO_MAX)
}

pub(super) const fn ranges<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::SizeRange, default, help).range(1, NO_MAX)
}

/// A time in seconds unless a unit says otherwise.
pub(super) const fn secs<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::Time(TimeUnit::Seconds), default, help)
}

/// A time in milliseconds unless a unit says otherwise.
pub(super) const fn msecs<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::Time(TimeUnit::Milliseconds), default, help)
}

/// A time in microseconds unless a unit says otherwise.
pub(super) const fn usecs<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::Time(TimeUnit::Microseconds), default, help)
}

pub(super) const fn float<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::Float, default, help)
}

/// Decimal numbers with colons.
pub(super) const fn floats<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::FloatList, default, help)
}

/// One of a list of words: those of its field's type, unless it lists them itself.
pub(super) const fn choice<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::Choice, default, help)
}

pub(super) const fn special<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    Entry::new(name, ValueKind::Special, default, help)
}

/// 0 or 1; may stand alone.
pub(super) const fn switch<C>(name: Text, default: Text, help: Text) -> Entry<C> {
    let mut it = Entry::new(name, ValueKind::Flag, default, help);
    it.spec.value_need = ValueNeed::Optional;
    it
}

/// Known of old, without effect today.
pub(super) const fn deprecated<C>(name: Text, why: Text) -> Entry<C> {
    let help = "An option of older versions of fio.";
    Entry::new(name, ValueKind::Deprecated, "", help).noted(why)
}
