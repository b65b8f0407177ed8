//! Sections as they are written, and collecting them.

use super::error::{ReadError, shown};
use super::keywords::{Keywords, replace, work_out};
use super::limits;
use super::place::Place;
use crate::options::spec::{Kind, OptionSpec};
use std::sync::Arc;

/// Whose an option is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A default: of a `[global]` section, or written before the first `--name`.
    Global,
    /// Of this job alone.
    Own,
}

/// An option as written.
#[derive(Debug, Clone, PartialEq)]
pub struct RawOption {
    /// Its one name, whichever alias was written.
    pub name: &'static str,
    /// Its entry in the table.
    pub spec: &'static OptionSpec,
    /// Its value, with `${VAR}` and keywords put in; `None` when only the name was written. This
    /// is what fio's JSON shows.
    pub value: Option<String>,
    /// The value before keywords were put in, where there were any: they mean something else on
    /// another host.
    pub typed: Option<String>,
    /// The value with expressions in parentheses worked out, when there are any.
    pub worked: Option<String>,
    /// Where its name stands.
    pub place: Place,
    /// Whose it is.
    pub origin: Origin,
}

impl RawOption {
    /// The value to parse: without arithmetic.
    pub fn plain(&self) -> Option<&str> {
        self.worked.as_deref().or(self.value.as_deref())
    }

    /// Makes an option of what was written, with the keywords put in.
    ///
    /// # Errors
    /// When the arithmetic around keywords has no result.
    pub(crate) fn new(
        spec: &'static OptionSpec,
        value: Option<String>,
        place: Place,
        keywords: &Keywords,
    ) -> Result<RawOption, ReadError> {
        let mut typed = None;
        let value = match value {
            Some(value) if value.contains('$') => {
                let replaced = replace(&value, spec.kind, keywords)
                    .map_err(|e| no_result(spec, &value, &place, e.to_string()))?;
                match replaced {
                    Some(replaced) => {
                        typed = Some(value);
                        Some(replaced)
                    }
                    None => Some(value),
                }
            }
            value => value,
        };
        let worked = None;
        Ok(RawOption { name: spec.name, spec, value, typed, worked, place, origin: Origin::Own })
    }

    fn work_out(&mut self, kb_base: u32) -> Result<(), ReadError> {
        if let Some(value) = &self.value {
            self.worked = work_out(value, self.spec.kind, kb_base)
                .map_err(|e| no_result(self.spec, value, &self.place, e.to_string()))?;
        }
        Ok(())
    }
}

fn no_result(spec: &OptionSpec, value: &str, place: &Place, why: String) -> ReadError {
    let error = ReadError::new(place, format!("{}={}: {why}", spec.name, shown(value)));
    match spec.kind {
        Kind::Time(_) => error.hint("write a number of seconds, or an expression like (2*30s)"),
        _ => error.hint("write a number, or an expression like (2*4k)"),
    }
}

/// A job as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its name in brackets or after `--name`.
    pub name: String,
    /// Where the name stands.
    pub name_place: Place,
    /// Its own options, in order. On the command line, `name` is the first.
    pub own: Vec<RawOption>,
    all_globals: Arc<[RawOption]>,
    global_count: usize,
}

impl Section {
    /// The defaults above it, in order: what fio prints as global options.
    pub fn globals(&self) -> &[RawOption] {
        self.all_globals.get(..self.global_count).unwrap_or_default()
    }

    /// All options in the order in which they count: defaults first. A `name` among the
    /// defaults names no job, so it is left out.
    pub fn options(&self) -> impl Iterator<Item = &RawOption> {
        self.globals().iter().filter(|option| option.name != "name").chain(&self.own)
    }

    /// The last of the options of this name, which is the one that counts.
    pub fn last(&self, name: &str) -> Option<&RawOption> {
        let own = self.own.iter().rev();
        own.chain(self.globals().iter().rev()).find(|option| option.name == name)
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
    /// Index in [`Reading::files`](super::Reading::files); `None` for the command line.
    pub file: Option<usize>,
    /// Whether its jobs wait for all earlier ones: true from the second job file on.
    pub stonewall: bool,
    /// Its jobs, in order, without those that `--section` leaves out.
    pub sections: Vec<Section>,
    /// All its defaults, in order, those of the command line included where they apply.
    pub globals: Arc<[RawOption]>,
}

/// Where the next option goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    Outside,
    Global,
    Job,
    Skipped,
}

/// Collects the sections of one source.
pub(crate) struct Gather {
    pub at: At,
    globals: Vec<RawOption>,
    sections: Vec<Section>,
    kb_base: u32,
    applied: usize,
}

const KB_BASE: u32 = 1024;

impl Gather {
    /// Starts with these defaults, at this point.
    pub fn new(globals: Vec<RawOption>, at: At) -> Gather {
        let kb_base = kb_base(&globals).unwrap_or(KB_BASE);
        Gather { at, globals, sections: Vec::new(), kb_base, applied: 0 }
    }

    /// Starts a section; `wanted` are the values of `--section`.
    pub fn open(&mut self, name: &str, place: Place, wanted: &[String]) -> Result<(), ReadError> {
        if name.is_empty() {
            return Err(ReadError::new(&place, "a job needs a name"));
        }
        if name.len() > limits::NAME_BYTES {
            let most = limits::NAME_BYTES;
            let message = format!("the name of a job may have at most {most} bytes");
            return Err(ReadError::new(&place, message).hint(format!("it has {}", name.len())));
        }
        if name.starts_with("global") {
            self.at = At::Global;
            return Ok(());
        }
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == name) {
            self.at = At::Skipped;
            return Ok(());
        }
        if self.sections.len() == limits::SECTIONS {
            let most = limits::SECTIONS;
            return Err(ReadError::new(&place, format!("more than {most} sections"))
                .hint("numjobs=N makes N copies of one section"));
        }
        let global_count = self.globals.len();
        self.count(global_count, &place)?;
        self.at = At::Job;
        self.sections.push(Section {
            name: name.to_owned(),
            name_place: place,
            own: Vec::new(),
            all_globals: Arc::default(),
            global_count,
        });
        Ok(())
    }

    /// Puts an option into the section that is open.
    pub fn add(&mut self, mut option: RawOption) -> Result<(), ReadError> {
        match self.at {
            At::Outside => {
                let message = format!("option '{}' outside of a section", option.name);
                return Err(ReadError::new(&option.place, message)
                    .hint("start one above it, with [global] or [job-name]"));
            }
            At::Skipped => {}
            At::Global => {
                option.origin = Origin::Global;
                self.globals.push(option);
            }
            At::Job => {
                self.count(1, &option.place)?;
                if let Some(section) = self.sections.last_mut() {
                    section.own.push(option);
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, more: usize, place: &Place) -> Result<(), ReadError> {
        self.applied += more;
        if self.applied > limits::APPLIED_OPTIONS {
            let most = limits::APPLIED_OPTIONS;
            let message = format!("more than {most} options in all sections together");
            return Err(ReadError::new(place, message).hint("defaults count once for each section"));
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
        let before = self.kb_base;
        let mut bases = Vec::with_capacity(self.globals.len() + 1);
        bases.push(before);
        for option in &self.globals {
            let last = bases.last().copied().unwrap_or(before);
            bases.push(kb_base(std::slice::from_ref(option)).unwrap_or(last));
        }
        let of_globals = bases.last().copied().unwrap_or(before);
        for option in self.globals.iter_mut().filter(|option| option.worked.is_none()) {
            option.work_out(of_globals)?;
        }
        let globals: Arc<[RawOption]> = self.globals.into();
        for section in &mut self.sections {
            let above = bases.get(section.global_count).copied().unwrap_or(before);
            let base = kb_base(&section.own).unwrap_or(above);
            for option in &mut section.own {
                option.work_out(base)?;
            }
            section.all_globals = Arc::clone(&globals);
        }
        Ok(SourceGroup { file, stonewall, sections: self.sections, globals })
    }
}

/// The last `kb_base`; wherever it stands it counts for the whole section, as in fio.
fn kb_base(options: &[RawOption]) -> Option<u32> {
    let last = options.iter().rev().find(|option| option.name == "kb_base")?;
    match last.value.as_deref() {
        Some("1000") => Some(1000),
        _ => Some(KB_BASE),
    }
}
