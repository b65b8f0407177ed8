//! Short forms, so that an entry of the table takes two or three lines.

use crate::options::spec::{Category, OptionSpec, Support, TimeUnit, ValueKind, ValueNeed};

/// "No upper limit" of a range.
pub const NO_MAX: i64 = i64::MAX;

/// Engines that send requests through the kernel's ring.
pub(super) const URING: &[&str] = &["io_uring", "io_uring_cmd"];
/// Engines that set a priority per request.
pub(super) const PRIO: &[&str] = &["io_uring", "io_uring_cmd", "libaio"];

const fn spec(
    name: &'static str,
    kind: ValueKind,
    cat: Category,
    help: &'static str,
) -> OptionSpec {
    OptionSpec {
        name,
        aliases: &[],
        kind,
        value: ValueNeed::Needed,
        default: None,
        range: None,
        choices: &[],
        refused_choices: &[],
        parent: None,
        engines: &[],
        category: cat,
        help,
        support: Support::Run,
    }
}

/// A plain text.
pub(super) const fn text(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::Text, cat, help)
}

/// A text that accumulates.
pub(super) const fn texts(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::TextList, cat, help)
}

/// 0 or 1; the value must be written.
pub(super) const fn flag(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::Flag, cat, help).range(0, 1)
}

/// 0 or 1; may stand alone.
pub(super) const fn switch(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    let mut it = spec(name, ValueKind::Flag, cat, help);
    it.value = ValueNeed::Optional;
    it
}

/// A whole number from 0 on.
pub(super) const fn int(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::Integer, cat, help).range(0, NO_MAX)
}

/// A percentage as a whole number.
pub(super) const fn percent(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::Integer, cat, help).range(0, 100)
}

/// A size in bytes.
pub(super) const fn size(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::Size { percent: false, zones: false }, cat, help)
}

/// A size in bytes, a percentage, or a number of zones.
pub(super) const fn place(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::Size { percent: true, zones: true }, cat, help)
}

/// Up to three sizes.
pub(super) const fn sizes(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::SizePerDirection, cat, help).range(0, NO_MAX)
}

/// Ranges of sizes.
pub(super) const fn ranges(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::SizeRange, cat, help).range(1, NO_MAX)
}

/// A time in seconds unless a unit says otherwise.
pub(super) const fn secs(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::Time(TimeUnit::Seconds), cat, help)
}

/// A time in milliseconds unless a unit says otherwise.
pub(super) const fn msecs(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::Time(TimeUnit::Milliseconds), cat, help)
}

/// A time in microseconds unless a unit says otherwise.
pub(super) const fn usecs(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::Time(TimeUnit::Microseconds), cat, help)
}

/// A decimal number.
pub(super) const fn float(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::Float, cat, help)
}

/// Decimal numbers with colons.
pub(super) const fn floats(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::FloatList, cat, help)
}

/// One of a list of words.
pub(super) const fn choice(
    name: &'static str,
    cat: Category,
    help: &'static str,
    choices: &'static [(&'static str, &'static str)],
) -> OptionSpec {
    let mut it = spec(name, ValueKind::Choice, cat, help);
    it.choices = choices;
    it
}

/// A syntax of its own.
pub(super) const fn special(name: &'static str, cat: Category, help: &'static str) -> OptionSpec {
    spec(name, ValueKind::Special, cat, help)
}

/// Known of old, without effect today.
pub(super) const fn old(name: &'static str, cat: Category, why: &'static str) -> OptionSpec {
    spec(name, ValueKind::Deprecated, cat, "An option of older versions of fio.").noted(why)
}

impl OptionSpec {
    /// With other names.
    pub(super) const fn alias(mut self, aliases: &'static [&'static str]) -> OptionSpec {
        self.aliases = aliases;
        self
    }

    /// With a default.
    pub(super) const fn default(mut self, default: &'static str) -> OptionSpec {
        self.default = Some(default);
        self
    }

    /// With a least and a most.
    pub(super) const fn range(mut self, least: i64, most: i64) -> OptionSpec {
        self.range = Some((least, most));
        self
    }

    /// Any number, also a negative one.
    pub(super) const fn any(mut self) -> OptionSpec {
        self.range = None;
        self
    }

    /// With words it may take, besides a syntax of its own.
    pub(super) const fn words(
        mut self,
        choices: &'static [(&'static str, &'static str)],
    ) -> OptionSpec {
        self.choices = choices;
        self
    }

    /// Values of fio's that are not taken.
    pub(super) const fn without(
        mut self,
        choices: &'static [(&'static str, &'static str)],
    ) -> OptionSpec {
        self.refused_choices = choices;
        self
    }

    /// Belongs to another option.
    pub(super) const fn under(mut self, parent: &'static str) -> OptionSpec {
        self.parent = Some(parent);
        self
    }

    /// Belongs to engines.
    pub(super) const fn of(mut self, engines: &'static [&'static str]) -> OptionSpec {
        self.engines = engines;
        self
    }

    /// May stand alone in a job file.
    pub(super) const fn bare_in_file(mut self) -> OptionSpec {
        self.value = ValueNeed::OptionalInFile;
        self
    }

    /// Accepted, with a note.
    pub(super) const fn noted(mut self, why: &'static str) -> OptionSpec {
        self.support = Support::Noted(why);
        self
    }

    /// Not run.
    pub(super) const fn refused(mut self, why: &'static str) -> OptionSpec {
        self.support = Support::Refused(why);
        self
    }
}
