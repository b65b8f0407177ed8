//! The names the reader knows: the table behind this trait.

use crate::options::spec::OptionSpec;
use crate::options::{lookup, switches};

/// A switch of the command line, which is no option of a job (`--output`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// Its long name, without dashes.
    pub name: &'static str,
    /// Whether a value follows.
    pub argument: Argument,
}

/// Whether a switch has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// Never: `--showcmd`.
    None,
    /// Always, `--output=x` or `--output x`.
    Required,
    /// Only in the same word: `--cmdhelp` or `--cmdhelp=bs`.
    Optional,
}

/// A table of options and switches.
pub trait Lookup {
    /// The option of exactly this name or alias.
    fn find(&self, name: &str) -> Option<&'static OptionSpec>;
    /// Options with a name or alias that starts so.
    fn prefix(&self, name: &str) -> Vec<&'static OptionSpec>;
    /// The known option or switch closest to a mistyped name.
    fn suggest(&self, name: &str) -> Option<String>;
    /// The switch of exactly this name.
    fn switch(&self, name: &str) -> Option<Switch>;
    /// Switches whose name starts so.
    fn switch_prefix(&self, name: &str) -> Vec<Switch>;
}

/// The table of all options and switches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Table;

impl Lookup for Table {
    fn find(&self, name: &str) -> Option<&'static OptionSpec> {
        lookup::find_option(name)
    }

    fn prefix(&self, name: &str) -> Vec<&'static OptionSpec> {
        lookup::options_with_prefix(name)
    }

    fn suggest(&self, name: &str) -> Option<String> {
        let switches = switches::SWITCHES.iter().map(|switch| switch.name);
        let option = lookup::suggest_option(name);
        option.or_else(|| lookup::nearest_word(name, switches)).map(str::to_owned)
    }

    fn switch(&self, name: &str) -> Option<Switch> {
        switches::find_switch(name).map(plain)
    }

    fn switch_prefix(&self, name: &str) -> Vec<Switch> {
        switches::switches_with_prefix(name).into_iter().map(plain).collect()
    }
}

fn plain(switch: &switches::Switch) -> Switch {
    let argument = match switch.argument {
        switches::Argument::None => Argument::None,
        switches::Argument::Required(_) => Argument::Required,
        switches::Argument::Optional(_) => Argument::Optional,
    };
    Switch { name: switch.name, argument }
}
