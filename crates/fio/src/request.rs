//! What a whole command line asks for: its switches, and its jobs with typed options.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::options::engine::Engine;
use crate::options::job::JobOptions;
use crate::options::lookup::belongs_to;
use crate::options::resolve::resolve_options;
use crate::options::spec::Support;
use crate::options::switches;
use crate::options::values::{apply_options, parse_time_ms};
use crate::plan::Section;
use crate::read::{ParsedCommand, RawOption, RawSwitch, ReadError};

/// Formats of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Normal,
    Terse,
    Json,
    JsonPlus,
}

/// When the line of progress is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ShowEta {
    #[default]
    Auto,
    Always,
    Never,
}

/// The line of progress.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Eta {
    pub show: ShowEta,
    pub newline_ms: Option<u64>,
    pub interval_ms: u64,
}

/// What is done instead of running jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InfoCommand {
    Version,
    Help,
    Options(Option<String>),
    Engines(Option<String>),
    Commands,
    InflatedLog(PathBuf),
}

/// The switches, typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Switches {
    pub formats: Vec<Format>,
    /// 2 to 5.
    pub terse_version: u8,
    pub output: Option<PathBuf>,
    pub read_only: bool,
    pub parse_only: bool,
    pub warnings_fatal: bool,
    pub max_jobs: u32,
    /// `--status-interval`, milliseconds; 0 for none.
    pub status_ms: u64,
    pub eta: Eta,
    pub no_findings: bool,
    pub destroy: Option<PathBuf>,
    pub aux_path: Option<PathBuf>,
    pub idle_each: Option<bool>,
    /// What is done instead of running jobs.
    pub info: Option<InfoCommand>,
    pub notes: Vec<String>,
}

/// Jobs of one run, unless `--max-jobs` is larger.
const DEFAULT_MAX_JOBS: u32 = 4096;

/// Types the switches of a command line.
/// Errors: a value that cannot be, or a switch that is not run here.
pub fn read_switches(reading: &ParsedCommand) -> Result<Switches, ReadError> {
    let mut typed = Switches {
        formats: vec![Format::Normal],
        terse_version: 3,
        max_jobs: DEFAULT_MAX_JOBS,
        eta: Eta { interval_ms: 1000, ..Eta::default() },
        ..Switches::default()
    };
    let mut appends_terse = false;
    for raw in &reading.switches {
        let known = switches::find_switch(raw.name);
        match known.map(|switch| switch.support) {
            Some(Support::Refused(why)) => {
                let message = format!("--{} is not run: {why}", raw.name);
                return Err(ReadError::new(&raw.place, message));
            }
            Some(Support::Noted(why)) => {
                typed.notes.push(format!("--{} has no effect: {why}", raw.name));
                continue;
            }
            Some(Support::Run) | None => {}
        }
        appends_terse |= raw.name == "append-terse";
        typed.set_switch(raw)?;
    }
    if appends_terse && !typed.formats.contains(&Format::Terse) {
        typed.formats.push(Format::Terse);
    }
    Ok(typed)
}

impl Switches {
    fn set_switch(&mut self, raw: &RawSwitch) -> Result<(), ReadError> {
        let value = raw.value.as_deref().unwrap_or_default();
        let wrong = |expected: &str| {
            let message = format!("--{}={value}: {expected}", raw.name);
            Err(ReadError::new(&raw.place, message))
        };
        let time = || match parse_time_ms(value) {
            Some(ms) => Ok(ms),
            None => wrong("expected a time, such as 500ms or 10").map(|()| 0),
        };
        match raw.name {
            "output" => self.output = Some(PathBuf::from(value)),
            "output-format" => match parse_formats(value) {
                Some(formats) => self.formats = formats,
                None => return wrong("expected a list of normal, terse, json, json+"),
            },
            "minimal" => self.formats = vec![Format::Terse],
            "terse-version" => match value.parse() {
                Ok(version @ 2..=5) => self.terse_version = version,
                _ => return wrong("expected 2, 3, 4 or 5"),
            },
            "max-jobs" => match value.parse() {
                // fio has room for its default whatever is given.
                Ok(jobs @ 1..) => self.max_jobs = jobs.max(DEFAULT_MAX_JOBS),
                _ => return wrong("expected a number of jobs"),
            },
            "eta" => match value {
                "always" => self.eta.show = ShowEta::Always,
                "never" => self.eta.show = ShowEta::Never,
                "auto" => self.eta.show = ShowEta::Auto,
                _ => return wrong("expected always, never or auto"),
            },
            "eta-newline" => self.eta.newline_ms = Some(time()?).filter(|&ms| ms > 0),
            "eta-interval" => self.eta.interval_ms = time()?.max(250),
            "status-interval" => self.status_ms = time()?,
            "client" => return wrong("hosts of truedisk fleet stand before fio: --hosts"),
            "readonly" => self.read_only = true,
            "parse-only" => self.parse_only = true,
            "warnings-fatal" => self.warnings_fatal = true,
            "no-findings" => self.no_findings = true,
            "yes-destroy-data-on" => self.destroy = Some(PathBuf::from(value)),
            "idle-prof" => match value {
                "system" => self.idle_each = Some(false),
                "percpu" => self.idle_each = Some(true),
                _ => return wrong("expected system or percpu"),
            },
            "debug" => {
                for area in value.split(',') {
                    match area.split(':').next().unwrap_or_default() {
                        "parse" | "random" => {}
                        word if DEBUG_AREAS.contains(&word) => self.notes.push(format!(
                            "--debug={word} has no effect: only parse and random are traced"
                        )),
                        _ => return wrong("expected a list of areas, such as parse or random"),
                    }
                }
            }
            "aux-path" => self.aux_path = Some(PathBuf::from(value)),
            "version" => self.info = Some(InfoCommand::Version),
            "help" => self.info = Some(InfoCommand::Help),
            "cmdhelp" => self.info = Some(InfoCommand::Options(raw.value.clone())),
            "enghelp" => self.info = Some(InfoCommand::Engines(raw.value.clone())),
            "inflate-log" => self.info = Some(InfoCommand::InflatedLog(PathBuf::from(value))),
            "showcmd" => self.info = Some(InfoCommand::Commands),
            _ => {}
        }
        Ok(())
    }
}

/// Whether `--debug` names this area: `parse` or `random`.
pub fn traces_area(reading: &ParsedCommand, area: &str) -> bool {
    let debug = reading.switches.iter().filter(|switch| switch.name == "debug");
    let mut areas = debug.flat_map(|switch| switch.value.as_deref().unwrap_or_default().split(','));
    areas.any(|named| named.split(':').next() == Some(area))
}

/// What else fio traces.
const DEBUG_AREAS: [&str; 18] = [
    "all",
    "process",
    "file",
    "io",
    "mem",
    "blktrace",
    "verify",
    "diskutil",
    "job",
    "mutex",
    "profile",
    "time",
    "net",
    "rate",
    "compress",
    "steadystate",
    "helperthread",
    "zbd",
];

fn parse_formats(list: &str) -> Option<Vec<Format>> {
    list.split(',')
        .map(|word| match word.trim() {
            "normal" => Some(Format::Normal),
            "terse" | "minimal" => Some(Format::Terse),
            "json" => Some(Format::Json),
            "json+" => Some(Format::JsonPlus),
            _ => None,
        })
        .collect()
}

/// The jobs of a reading, with typed options.
#[derive(Debug, Clone, PartialEq)]
pub struct Jobs {
    pub sections: Vec<Section>,
    /// Options given before the first job, as typed.
    pub global_options: Vec<(String, String)>,
    /// What was accepted without effect, or is not as fio does it.
    pub notes: Vec<String>,
}

/// Types the options of every job.
/// Errors: an option that is not run here, or whose value is wrong, with its place.
pub fn read_jobs(reading: &ParsedCommand) -> Result<Jobs, ReadError> {
    let allows_commands = reading.switches.iter().any(|switch| switch.name == "allow-exec");
    let mut sections = Vec::new();
    let mut notes = BTreeSet::new();
    for group in &reading.groups {
        let mut new_source = group.stonewall;
        if group.sections.is_empty() {
            // Defaults of no job are read all the same: a wrong one is an error.
            let mut run = Vec::new();
            for option in group.globals.iter() {
                if check_support(option, &mut notes)? {
                    run.push(option);
                }
            }
            apply_options(&mut JobOptions::default(), run)?;
        }
        for raw in &group.sections {
            let mut options = JobOptions::default();
            let mut run = Vec::new();
            for option in raw.options() {
                if !allows_commands {
                    refuse_command(option)?;
                }
                if check_support(option, &mut notes)? {
                    run.push(option);
                }
            }
            let in_job = |error: ReadError| ReadError {
                message: format!("job '{}': {}", raw.title(), error.message),
                ..error
            };
            notes.extend(apply_options(&mut options, run).map_err(in_job)?);
            check_engine(&raw.own, options.engine.engine).map_err(in_job)?;
            let conflict = |problem| in_job(ReadError::new(&raw.name_place, problem));
            notes.extend(resolve_options(&mut options).map_err(conflict)?);
            let own = match group.file {
                Some(_) => sort_as_fio(&raw.own),
                None => raw.own.iter().map(option_pair).collect(),
            };
            let (name, file_name) = (raw.title().to_owned(), raw.name.clone());
            sections.push(Section { name, file_name, options, own, new_source });
            new_source = false;
        }
    }
    let global_options = reading.global_options().iter().map(option_pair).collect();
    Ok(Jobs { sections, global_options, notes: notes.into_iter().collect() })
}

/// A job file may come from anywhere: that it is run is no leave to run programs.
fn refuse_command(option: &RawOption) -> Result<(), ReadError> {
    if !matches!(option.name, "exec_prerun" | "exec_postrun" | "program") {
        return Ok(());
    }
    let value = option.evaluated_value().unwrap_or_default();
    let message = format!("{}={value} is not run: it starts a command", option.name);
    Err(ReadError::new(&option.place, message)
        .with_hint("read what the jobs would start; --allow-exec lets them"))
}

/// Refuses an option of other engines than the job's, as fio does.
fn check_engine(own: &[RawOption], engine: Engine) -> Result<(), ReadError> {
    let Some(option) = own.iter().find(|option| !belongs_to(option.spec, engine.word())) else {
        return Ok(());
    };
    let message = format!("ioengine={} has no option {}", engine.word(), option.name);
    let engines = option.spec.engines.join(", ");
    Err(ReadError::new(&option.place, message).with_hint(format!("it is one of {engines}")))
}

/// Whether an option runs. Else it is left out: with a note, or because it asks for what is done
/// anyway.
fn check_support(option: &RawOption, notes: &mut BTreeSet<String>) -> Result<bool, ReadError> {
    if let Support::Noted(why) = option.spec.support {
        notes.insert(format!("{} has no effect: {why}", option.name));
        return Ok(false);
    }
    let Some(why) = option.refusal() else { return Ok(option.spec.support == Support::Run) };
    let value = option.evaluated_value().unwrap_or_default();
    let message = format!("{}={value} is not run: {why}", option.name);
    Err(ReadError::new(&option.place, message))
}

/// Options of a job file as fio prints them: names and the engine first, files last.
fn sort_as_fio(options: &[RawOption]) -> Vec<(String, String)> {
    let rank = |option: &&RawOption| match option.name {
        "name" | "description" => 0,
        "kb_base" | "ioengine" => 1,
        "filename" => 3,
        _ => 2,
    };
    let mut sorted: Vec<&RawOption> = options.iter().collect();
    sorted.sort_by_key(rank);
    sorted.into_iter().map(option_pair).collect()
}

fn option_pair(option: &RawOption) -> (String, String) {
    (option.name.to_owned(), option.value.clone().unwrap_or_default())
}
