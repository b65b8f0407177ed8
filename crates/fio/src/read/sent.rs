//! Jobs as another host is sent them: what was read, without where it stood.
//!
//! Includes are in their place and variables put in by the host that read the files. Keywords are
//! not: `$ncpus` are the processors of the host that runs the job.

use serde::{Deserialize, Serialize};

use super::command::ParsedCommand;
use super::error::{ReadError, find_control_character, printable_text};
use super::keywords::Keywords;
use super::limits;
use super::place::Place;
use super::sections::{RawOption, RawSection, Scope, SectionCollector, SourceGroup};
use crate::options::lookup::find_option;

/// The jobs of a reading, to be sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentJobs {
    sources: Vec<SentSource>,
}

/// A command line or a job file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SentSource {
    file: bool,
    stonewall: bool,
    defaults: Vec<SentOption>,
    jobs: Vec<SentJob>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SentJob {
    name: String,
    above: usize,
    own: Vec<SentOption>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SentOption {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

impl ParsedCommand {
    /// The jobs, to be sent to another host. Switches are not among them.
    pub fn to_sent_jobs(&self) -> SentJobs {
        let sources = self.groups.iter().filter(|group| !group.sections.is_empty());
        SentJobs { sources: sources.map(SentSource::from_group).collect() }
    }
}

impl SentSource {
    fn from_group(group: &SourceGroup) -> Self {
        Self {
            file: group.file.is_some(),
            stonewall: group.stonewall,
            defaults: group.globals.iter().map(SentOption::from_option).collect(),
            jobs: group.sections.iter().map(SentJob::from_section).collect(),
        }
    }
}

impl SentJob {
    fn from_section(section: &RawSection) -> Self {
        Self {
            name: section.name.clone(),
            above: section.globals().len(),
            own: section.own.iter().map(SentOption::from_option).collect(),
        }
    }
}

impl SentOption {
    fn from_option(option: &RawOption) -> Self {
        let value = option.unexpanded.clone().or_else(|| option.value.clone());
        Self { name: option.name.to_owned(), value }
    }
}

impl SentJobs {
    /// What was sent, as if it had been read here; nothing is opened for it.
    /// Errors: what is no option, and values that no reader gives away. Places are none: the
    /// message stands for itself.
    pub fn parse(&self, keywords: &Keywords) -> Result<ParsedCommand, ReadError> {
        let take = SentReader { keywords, place: Place::word(0) };
        let groups = self.sources.iter().enumerate();
        let groups = groups.map(|(number, source)| take.read_group(number, source));
        Ok(ParsedCommand {
            switches: Vec::new(),
            files: Vec::new(),
            groups: groups.collect::<Result<_, _>>()?,
        })
    }
}

/// What is needed to make options of words.
struct SentReader<'a> {
    keywords: &'a Keywords,
    place: Place,
}

impl SentReader<'_> {
    /// In the order in which it was read: what stands above a job is a default of it.
    fn read_group(&self, number: usize, source: &SentSource) -> Result<SourceGroup, ReadError> {
        let mut gather = SectionCollector::new(Vec::new(), Scope::Global);
        let mut given = 0;
        for job in &source.jobs {
            let Some(more) = source.defaults.get(given..job.above) else {
                return Err(self.error("defaults are not in their order"));
            };
            given = job.above;
            gather.scope = Scope::Global;
            self.add_options(&mut gather, more)?;
            check_text(&job.name).map_err(|what| self.error(&what))?;
            gather.open_section(&job.name, self.place.clone(), &[])?;
            if gather.scope != Scope::Job {
                return Err(self.error("a job is called like a section of defaults"));
            }
            self.add_options(&mut gather, &job.own)?;
        }
        gather.scope = Scope::Global;
        self.add_options(&mut gather, source.defaults.get(given..).unwrap_or_default())?;
        gather.finish(source.file.then_some(number), source.stonewall)
    }

    fn add_options(
        &self,
        gather: &mut SectionCollector,
        options: &[SentOption],
    ) -> Result<(), ReadError> {
        for option in options {
            let Some(spec) = find_option(&option.name) else {
                return Err(
                    self.error(&format!("unknown option '{}'", printable_text(&option.name)))
                );
            };
            let value = option.value.clone();
            check_text(value.as_deref().unwrap_or_default()).map_err(|what| self.error(&what))?;
            gather.add_option(RawOption::new(spec, value, self.place.clone(), self.keywords)?)?;
        }
        Ok(())
    }

    fn error(&self, what: &str) -> ReadError {
        ReadError::new(&self.place, what)
    }
}

/// No reader of job files lets control characters pass, or more than a line holds.
fn check_text(text: &str) -> Result<(), String> {
    if text.len() > limits::LINE_BYTES_MAX {
        return Err(format!("a text of {} bytes", text.len()));
    }
    find_control_character(text).map_or(Ok(()), |(_, message)| Err(message))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::io;

    use proptest::prelude::*;

    use super::super::{FileSource, FileText, ReadEnvironment, read_command};
    use super::*;
    use crate::options::lookup::all_options;
    use crate::request::read_jobs;

    const HERE: Keywords = Keywords { page_size: 4096, memory_mib: 100, cpus: 2 };

    /// One job file, and one that it includes.
    struct Texts(&'static str);

    impl FileSource for Texts {
        fn read(&self, path: &str, _: Option<&str>) -> io::Result<FileText> {
            let text = match path {
                "jobs" => self.0,
                "more" => "rw=randread\n",
                _ => return Err(io::ErrorKind::NotFound.into()),
            };
            Ok(FileText { path: path.to_owned(), bytes: text.as_bytes().to_vec() })
        }
    }

    fn reading(text: &'static str, words: &[&str]) -> ParsedCommand {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let env = |name: &str| (name == "SIZE").then(|| "64m".to_owned());
        let world = ReadEnvironment {
            files: &Texts(text),
            env: &env,
            keywords: HERE,
            stdin: &|| Err(io::ErrorKind::Unsupported.into()),
        };
        read_command(&words, &world).unwrap()
    }

    fn received(sent: &SentJobs, keywords: &Keywords) -> Result<ParsedCommand, ReadError> {
        let text = serde_json::to_string(sent).unwrap();
        serde_json::from_str::<SentJobs>(&text).unwrap().parse(keywords)
    }

    #[test]
    fn jobs_arrive_as_they_were_read() {
        let text = "[global]\ninclude more\nsize=${SIZE}\nbs=4k\n[a]\nnumjobs=3\n[global]\nbs=8k\n\
                    [b]\nstonewall\nname=other\nruntime=(2*30s)\n[global]\nkb_base=1000\n";
        let here = reading(text, &["--direct=1", "jobs"]);
        let there = received(&here.to_sent_jobs(), &HERE).unwrap();
        let (here, there) = (read_jobs(&here).unwrap(), read_jobs(&there).unwrap());
        assert_eq!(here, there);
        assert_eq!(here.sections.len(), 2);
        assert!(here.global_options.contains(&("size".to_owned(), "64m".to_owned())));
        // A whole command line, too.
        let here = reading("", &["--name=x", "--rw=write", "--name=y", "--bs=$pagesize"]);
        let there = received(&here.to_sent_jobs(), &HERE).unwrap();
        assert_eq!(read_jobs(&here).unwrap(), read_jobs(&there).unwrap());
    }

    #[test]
    fn keywords_are_those_of_the_host_that_runs_the_jobs() {
        let here = reading("[a]\nnumjobs=$ncpus\n", &["jobs"]);
        assert_eq!(read_jobs(&here).unwrap().sections[0].options.run.numjobs, 2);
        let there = received(&here.to_sent_jobs(), &Keywords { cpus: 7, ..HERE }).unwrap();
        assert_eq!(read_jobs(&there).unwrap().sections[0].options.run.numjobs, 7);
    }

    #[test]
    fn what_no_reader_gives_away_is_refused() {
        let check = |json: &str, words: &str| {
            let sent: SentJobs = serde_json::from_str(json).unwrap();
            let error = sent.parse(&HERE).unwrap_err();
            assert!(error.message.contains(words), "{error}");
        };
        let jobs = |job: &str| {
            format!(
                r#"{{"sources":[{{"file":true,"stonewall":false,"defaults":[],"jobs":[{job}]}}]}}"#
            )
        };
        let own = |name: &str, value: &str| {
            format!(r#"{{"name":"a","above":0,"own":[{{"name":"{name}","value":"{value}"}}]}}"#)
        };
        check(&jobs(&own("nonsense", "1")), "unknown option");
        check(&jobs(&own("bs", "4k\\u0007")), "control character");
        check(&jobs(r#"{"name":"a","above":5,"own":[]}"#), "order");
        check(&jobs(r#"{"name":"global","above":0,"own":[]}"#), "section of defaults");
        check(&jobs(r#"{"name":"","above":0,"own":[]}"#), "needs a name");
        assert!(serde_json::from_str::<SentJobs>(r#"{"sources":[],"run":"id"}"#).is_err());
    }
    fn options() -> impl Strategy<Value = Vec<SentOption>> {
        let names: Vec<&'static str> = all_options().map(|spec| spec.name).collect();
        let value = prop_oneof!["[0-9]{1,4}[kmg%s]?", "[a-z0-9:/,.%'\"$()*-]{0,12}", ".{0,6}"];
        let option = (prop::sample::select(names), prop::option::of(value));
        let option = option.prop_map(|(name, value)| SentOption { name: name.to_owned(), value });
        prop::collection::vec(option, 0..8)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        /// Whatever is sent: an answer, no panic, and no option that was not let through.
        #[test]
        fn noise_is_refused_or_let_through_whole(
            defaults in options(),
            own in options(),
            above in 0..8_usize,
        ) {
            let job = SentJob { name: "a".to_owned(), above, own };
            let source = SentSource { file: true, stonewall: false, defaults, jobs: vec![job] };
            let sent = SentJobs { sources: vec![source] };
            if let Ok(reading) = sent.parse(&HERE)
                && crate::remote::check_remote(&reading).is_ok()
                && let Ok(jobs) = read_jobs(&reading)
            {
                let options = &jobs.sections[0].options;
                prop_assert!(options.log.bw.is_none() && options.replay.read_iologs.is_empty());
                prop_assert!(!options.target.allow_mounted_write);
                prop_assert!(!options.verify.dump && !options.target.create_only);
            }
        }
    }
}
