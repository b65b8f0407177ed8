//! Sections as they are written, and collecting them.

use super::error::{ReadError, printable_text};
use super::expression::ExpressionError;
use super::keywords::{Keywords, evaluate_expressions, replace_keywords};
use super::limits;
use super::place::Place;
use crate::options::parse::KbBase;
use crate::options::spec::{OptionSpec, Support, ValueKind};
use std::sync::Arc;

/// Whose an option is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A default: of a `[global]` section, or written before the first `--name`.
    Global,
    Own,
}

/// An option as written.
#[derive(Debug, Clone, PartialEq)]
pub struct RawOption {
    pub name: &'static str,
    pub spec: &'static OptionSpec,
    /// Its value, with `${VAR}` and keywords put in; `None` when only the name was written. This
    /// is what fio's JSON shows.
    pub value: Option<String>,
    /// The value before keywords were put in, where there were any: they mean something else on
    /// another host.
    pub unexpanded: Option<String>,
    /// The value with expressions in parentheses worked out, when there are any.
    pub evaluated: Option<String>,
    pub place: Place,
    pub origin: Origin,
}

impl RawOption {
    /// The value to parse: without arithmetic.
    pub fn evaluated_value(&self) -> Option<&str> {
        self.evaluated.as_deref().or(self.value.as_deref())
    }

    /// A word of fio's that is refused as the value of this option, and why.
    pub(crate) fn refused_choice(&self) -> Option<(&'static str, &'static str)> {
        let word = self.evaluated_value().unwrap_or_default().split(':').next()?;
        self.spec.refused_choices.iter().copied().find(|(choice, _)| *choice == word)
    }

    /// Why no host runs this option with this value. A refused option may ask for what is done
    /// anyway.
    pub(crate) fn refusal(&self) -> Option<&'static str> {
        match self.spec.support {
            Support::Noted(_) => None,
            Support::Refused(why) => {
                let value = self.evaluated_value().unwrap_or_default();
                (self.spec.default != Some(value)).then_some(why)
            }
            Support::Run => self.refused_choice().map(|(_, why)| why),
        }
    }

    /// Makes an option of what was written, with the keywords put in.
    /// Errors: when the arithmetic around keywords has no result.
    pub(crate) fn new(
        spec: &'static OptionSpec,
        value: Option<String>,
        place: Place,
        keywords: &Keywords,
    ) -> Result<RawOption, ReadError> {
        let mut option = RawOption {
            name: spec.name,
            spec,
            value,
            unexpanded: None,
            evaluated: None,
            place,
            origin: Origin::Own,
        };
        if let Some(value) = option.value.as_ref().filter(|value| value.contains('$'))
            && let Some(replaced) = replace_keywords(value, spec.kind, keywords)
                .map_err(|why| option.expression_error(value, &why))?
        {
            option.unexpanded = option.value.replace(replaced);
        }
        Ok(option)
    }

    fn evaluate(&mut self, kb_base: KbBase) -> Result<(), ReadError> {
        if let Some(value) = &self.value {
            self.evaluated = evaluate_expressions(value, self.spec.kind, kb_base)
                .map_err(|why| self.expression_error(value, &why))?;
        }
        Ok(())
    }

    fn expression_error(&self, value: &str, why: &ExpressionError) -> ReadError {
        let message = format!("{}={}: {why}", self.name, printable_text(value));
        ReadError::new(&self.place, message).with_hint(match self.spec.kind {
            ValueKind::Time(_) => "write a number of seconds, or an expression like (2*30s)",
            _ => "write a number, or an expression like (2*4k)",
        })
    }
}

/// A job as written.
#[derive(Debug, Clone, PartialEq)]
pub struct RawSection {
    pub name: String,
    pub name_place: Place,
    /// Its own options, in order. On the command line, `name` is the first.
    pub own: Vec<RawOption>,
    all_globals: Arc<[RawOption]>,
    global_count: usize,
}

impl RawSection {
    /// The defaults above it, in order: what fio prints as global options.
    pub fn globals(&self) -> &[RawOption] {
        self.all_globals.get(..self.global_count).unwrap_or_default()
    }

    /// All options in the order in which they count: defaults first. A `name` among the
    /// defaults names no job, so it is left out.
    pub fn options(&self) -> impl Iterator<Item = &RawOption> {
        self.globals().iter().filter(|option| option.name != "name").chain(&self.own)
    }

    /// What the job is called: `name=` inside of the section wins over the name in brackets.
    pub fn title(&self) -> &str {
        let named = self.own.iter().rev().find(|option| option.name == "name");
        named.and_then(|option| option.value.as_deref()).unwrap_or(&self.name)
    }
}

/// The jobs of the command line, or of one job file.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceGroup {
    /// Index in [`ParsedCommand::files`](super::ParsedCommand::files); `None` for the command line.
    pub file: Option<usize>,
    /// Whether its jobs wait for all earlier ones: true from the second job file on.
    pub stonewall: bool,
    /// Its jobs, in order, without those that `--section` leaves out.
    pub sections: Vec<RawSection>,
    /// All its defaults, in order, those of the command line included where they apply.
    pub globals: Arc<[RawOption]>,
}

/// Where the next option goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Outside,
    Global,
    Job,
    Skipped,
}

/// Collects the sections of one source.
pub(crate) struct SectionCollector {
    pub scope: Scope,
    globals: Vec<RawOption>,
    sections: Vec<RawSection>,
    kb_base: KbBase,
    applied: usize,
}

impl SectionCollector {
    /// Starts with these defaults, at this point.
    pub fn new(globals: Vec<RawOption>, at: Scope) -> SectionCollector {
        let kb_base = find_kb_base(&globals).unwrap_or_default();
        SectionCollector { scope: at, globals, sections: Vec::new(), kb_base, applied: 0 }
    }

    /// Starts a section; `wanted` are the values of `--section`.
    pub fn open_section(
        &mut self,
        name: &str,
        place: Place,
        wanted: &[String],
    ) -> Result<(), ReadError> {
        if name.is_empty() {
            return Err(ReadError::new(&place, "a job needs a name")
                .with_hint("write name=a or, in a job file, [a]"));
        }
        if name.len() > limits::NAME_BYTES_MAX {
            let most = limits::NAME_BYTES_MAX;
            let message = format!("the name of a job may have at most {most} bytes");
            return Err(ReadError::new(&place, message).with_hint(format!("it has {}", name.len())));
        }
        if name.starts_with("global") {
            self.scope = Scope::Global;
            return Ok(());
        }
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == name) {
            self.scope = Scope::Skipped;
            return Ok(());
        }
        if self.sections.len() == limits::SECTIONS_MAX {
            let most = limits::SECTIONS_MAX;
            return Err(ReadError::new(&place, format!("more than {most} sections"))
                .with_hint("numjobs=N makes N copies of one section"));
        }
        let global_count = self.globals.len();
        self.count_options(global_count, &place)?;
        self.scope = Scope::Job;
        self.sections.push(RawSection {
            name: name.to_owned(),
            name_place: place,
            own: Vec::new(),
            all_globals: Arc::default(),
            global_count,
        });
        Ok(())
    }

    /// Puts an option into the section that is open.
    pub fn add_option(&mut self, mut option: RawOption) -> Result<(), ReadError> {
        match self.scope {
            Scope::Outside => {
                let message = format!("option '{}' outside of a section", option.name);
                return Err(ReadError::new(&option.place, message)
                    .with_hint("start one above it, with [global] or [job-name]"));
            }
            Scope::Skipped => {}
            Scope::Global => {
                option.origin = Origin::Global;
                self.globals.push(option);
            }
            Scope::Job => {
                self.count_options(1, &option.place)?;
                if let Some(section) = self.sections.last_mut() {
                    section.own.push(option);
                }
            }
        }
        Ok(())
    }

    fn count_options(&mut self, more: usize, place: &Place) -> Result<(), ReadError> {
        self.applied += more;
        if self.applied > limits::APPLIED_OPTIONS_MAX {
            let most = limits::APPLIED_OPTIONS_MAX;
            let message = format!("more than {most} options in all sections together");
            return Err(
                ReadError::new(place, message).with_hint("defaults count once for each section")
            );
        }
        Ok(())
    }

    /// The defaults so far.
    pub fn globals(&self) -> &[RawOption] {
        &self.globals
    }

    /// Works out the expressions, now that `kb_base` is known, and hands back the whole.
    pub fn finish(
        mut self,
        file: Option<usize>,
        stonewall: bool,
    ) -> Result<SourceGroup, ReadError> {
        // Entry `n` is `kb_base` after `n` defaults.
        let mut bases = vec![self.kb_base];
        let mut of_globals = self.kb_base;
        for option in &self.globals {
            of_globals = find_kb_base(std::slice::from_ref(option)).unwrap_or(of_globals);
            bases.push(of_globals);
        }
        for option in self.globals.iter_mut().filter(|option| option.evaluated.is_none()) {
            option.evaluate(of_globals)?;
        }
        let globals: Arc<[RawOption]> = self.globals.into();
        for section in &mut self.sections {
            let above = bases.get(section.global_count).copied().unwrap_or(of_globals);
            let base = find_kb_base(&section.own).unwrap_or(above);
            for option in &mut section.own {
                option.evaluate(base)?;
            }
            section.all_globals = Arc::clone(&globals);
        }
        Ok(SourceGroup { file, stonewall, sections: self.sections, globals })
    }
}

/// The last `kb_base`; wherever it stands it counts for the whole section, as in fio.
fn find_kb_base(options: &[RawOption]) -> Option<KbBase> {
    let last = options.iter().rev().find(|option| option.name == "kb_base")?;
    let thousand = last.value.as_deref() == Some("1000");
    Some(if thousand { KbBase::Thousand } else { KbBase::Binary })
}
