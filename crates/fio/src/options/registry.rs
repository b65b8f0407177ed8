//! All options, chapter by chapter, and the defaults that follow from them.

use std::sync::LazyLock;

use super::job::JobOptions;
use super::parse::{KbBase, ValueProblem, ValueResult};
use super::reader::ValueReader;
use super::spec::{Entry, OptionSpec, Setter, ValueKind, ValueNeed};
use super::{
    data, engine, errors, foreign, goal, log, network, pattern, placement, rate, replay, report,
    run, sizes, sync, target, verify, zone,
};

type SetValue = Box<dyn Fn(&mut JobOptions, &mut ValueReader<'_>) -> ValueResult<()> + Send + Sync>;

/// An option of a chapter, lifted to the whole job.
pub(super) struct RegisteredOption {
    pub(super) spec: OptionSpec,
    pub(super) set: Option<SetValue>,
    sets_default: bool,
}

/// All options in the order in which the help lists them. Names and aliases are unique.
pub(super) static OPTIONS: LazyLock<Vec<RegisteredOption>> = LazyLock::new(|| {
    let mut all = Vec::new();
    register(&mut all, "Job", run::JOBS, |o| &mut o.run);
    register(&mut all, "Files and devices", target::TABLE, |o| &mut o.target);
    register(&mut all, "Sizes and places", sizes::TABLE, |o| &mut o.size);
    register(&mut all, "Order and mix", pattern::TABLE, |o| &mut o.pattern);
    register(&mut all, "Contents", data::TABLE, |o| &mut o.data);
    register(&mut all, "Interface and depth", engine::TABLE, |o| &mut o.engine);
    register(&mut all, "Connections", network::TABLE, |o| &mut o.engine.network);
    register(&mut all, "Durability", sync::TABLE, |o| &mut o.sync);
    register(&mut all, "Time", run::TIME, |o| &mut o.run);
    register(&mut all, "Rates and pauses", rate::TABLE, |o| &mut o.rate);
    register(&mut all, "Targets", goal::TABLE, |o| &mut o.goal);
    register(&mut all, "Reading back", verify::TABLE, |o| &mut o.verify);
    register(&mut all, "Logs and replay", log::TABLE, |o| &mut o.log);
    register(&mut all, "Logs and replay", replay::TABLE, |o| &mut o.replay);
    register(&mut all, "Results", report::TABLE, |o| &mut o.report);
    register(&mut all, "Errors", errors::TABLE, |o| &mut o.errors);
    register(&mut all, "Processors, memory, priority", placement::TABLE, |o| &mut o.placement);
    register(&mut all, "Zones", zone::TABLE, |o| &mut o.zone);
    register(&mut all, "Commands and profiles", foreign::COMMANDS, |o| &mut o.run);
    register(&mut all, FOREIGN, foreign::ENGINES, |o| &mut o.run);
    all
});

/// Chapter of the options that belong to no engine and no profile that is run.
pub(super) const FOREIGN: &str = "Of engines and profiles that are not run";

/// Adds a chapter whose options are a part of the job's.
fn register<C>(
    all: &mut Vec<RegisteredOption>,
    chapter: &'static str,
    table: &'static [Entry<C>],
    part: fn(&mut JobOptions) -> &mut C,
) {
    for entry in table {
        let mut spec = entry.spec;
        spec.chapter = chapter;
        if let Setter::Field(field) = entry.setter {
            let words = field(part(&mut unset_options())).choices();
            if !words.is_empty() {
                // Once per process.
                spec.choices = words.leak();
            }
        }
        let set: Option<SetValue> = match entry.setter {
            Setter::None => None,
            Setter::Check => Some(Box::new(move |_, reader| check_value(reader, &spec))),
            Setter::Field(field) => {
                Some(Box::new(move |options, reader| field(part(options)).set(reader, &spec)))
            }
            Setter::Function(set) => {
                Some(Box::new(move |options, reader| set(part(options), reader)))
            }
        };
        all.push(RegisteredOption { spec, set, sets_default: entry.sets_default });
    }
}

/// Checks the value of an option that changes nothing, as far as its kind says.
fn check_value(reader: &mut ValueReader<'_>, spec: &OptionSpec) -> ValueResult<()> {
    let expected = "a whole number";
    let min = spec.range.map_or(0, |(min, _)| min.max(0).cast_unsigned());
    match spec.kind {
        ValueKind::Flag if spec.value_need == ValueNeed::Optional => reader.read_switch().map(drop),
        ValueKind::Flag => reader.read_flag().map(drop),
        ValueKind::Integer => {
            let text = reader.require_text(expected)?;
            let number = reader.parse_number(text, expected)?;
            let (min, max) = spec.range.unwrap_or((i64::MIN, i64::MAX));
            match (i128::from(min)..=i128::from(max)).contains(&number) {
                true => Ok(()),
                false => Err(ValueProblem::new("it is out of range", expected)),
            }
        }
        ValueKind::Percent => reader.read_percent().map(drop),
        ValueKind::Size { .. } => reader.read_size(min).map(drop),
        ValueKind::Choice => {
            let choices: Vec<_> =
                spec.choices.iter().map(|(word, help)| (*word, *help, ())).collect();
            reader.read_choice(&choices)
        }
        ValueKind::Deprecated => Ok(()),
        _ => reader.require_text("a value").map(drop),
    }
}

/// A job before any default.
fn unset_options() -> JobOptions {
    JobOptions {
        run: Default::default(),
        target: Default::default(),
        size: Default::default(),
        pattern: Default::default(),
        data: Default::default(),
        engine: Default::default(),
        sync: Default::default(),
        rate: Default::default(),
        goal: Default::default(),
        verify: Default::default(),
        log: Default::default(),
        replay: Default::default(),
        report: Default::default(),
        errors: Default::default(),
        placement: Default::default(),
        zone: Default::default(),
    }
}

/// fio's defaults, as the table says them.
impl Default for JobOptions {
    fn default() -> Self {
        static DEFAULTS: LazyLock<JobOptions> = LazyLock::new(|| {
            let mut options = unset_options();
            for option in OPTIONS.iter().filter(|option| option.sets_default) {
                let no_files = |_: &str| Err(std::io::ErrorKind::NotFound.into());
                let mut reader = ValueReader::new(option.spec.default, KbBase::Binary, &no_files);
                if let (Some(_), Some(set)) = (option.spec.default, &option.set) {
                    // A test reads every default.
                    let _ = set(&mut options, &mut reader);
                }
            }
            options
        });
        DEFAULTS.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_value_of_its_option() {
        let no_files = |_: &str| Err(std::io::ErrorKind::NotFound.into());
        for option in OPTIONS.iter() {
            let (Some(default), Some(set)) = (option.spec.default, &option.set) else { continue };
            let mut reader = ValueReader::new(Some(default), KbBase::Binary, &no_files);
            let result = set(&mut unset_options(), &mut reader);
            assert_eq!(result, Ok(()), "{}={default}", option.spec.name);
        }
    }
}
