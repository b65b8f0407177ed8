//! Which options jobs may have that another host is to run.
//!
//! The entry of an option in its table says it ([`Hosts`]); a new option is refused until its entry
//! says so.

use crate::options::spec::{Hosts, Support};
use crate::read::command::ParsedCommand;
use crate::read::error::ReadError;
use crate::read::sections::RawOption;

/// Whether another host may be asked to run all of this.
/// Errors: the first option that it may not have, with its job and its place.
pub fn check_remote(command: &ParsedCommand) -> Result<(), ReadError> {
    command.groups.iter().try_for_each(|group| {
        group.globals.iter().try_for_each(|option| check_option(option, "global"))?;
        group.sections.iter().try_for_each(|section| {
            section.own.iter().try_for_each(|option| check_option(option, section.title()))
        })
    })
}

fn check_option(option: &RawOption, job: &str) -> Result<(), ReadError> {
    let (where_not, why) = match (option.refusal(), option.spec.support) {
        (Some(why), _) => ("", why),
        (None, Support::Run) => match find_refusal(option) {
            None => return Ok(()),
            Some(why) => (" on other hosts", why),
        },
        // It has no effect, or asks for what is done anyway.
        (None, _) => return Ok(()),
    };
    let what = match option.refused_choice() {
        Some((choice, _)) => format!("{}={choice}", option.name),
        None => option.name.to_owned(),
    };
    let message = format!("job '{job}': {what} is not run{where_not}: {why}");
    Err(ReadError::new(&option.place, message))
}

/// Why an option is refused, with this value.
fn find_refusal(option: &RawOption) -> Option<&'static str> {
    let value = option.evaluated_value();
    match option.spec.hosts {
        Hosts::Any => None,
        Hosts::AnyWithout(mark, why) => {
            value.is_some_and(|value| value.contains(mark)).then_some(why)
        }
        Hosts::LocalUnlessOff(why) => {
            let off = value.is_some_and(|value| matches!(value.trim(), "0" | "false"));
            (!off).then_some(why)
        }
        Hosts::Local(why) => Some(why),
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::options::lookup::all_options;
    use crate::options::spec::NOT_LOOKED_AT;
    use crate::read::{FileSource, FileText, Keywords, ReadEnvironment, read_command};

    #[test]
    fn every_option_that_runs_was_looked_at() {
        for spec in all_options().filter(|spec| spec.support == Support::Run) {
            let is_looked_at = spec.hosts != Hosts::Local(NOT_LOOKED_AT);
            assert!(is_looked_at, "{}: which hosts may be asked to run it?", spec.name);
        }
    }

    struct Text(&'static str);

    impl FileSource for Text {
        fn read(&self, path: &str, _: Option<&str>) -> io::Result<FileText> {
            Ok(FileText { path: path.to_owned(), bytes: self.0.as_bytes().to_vec() })
        }
    }

    fn checked(text: &'static str) -> Result<(), ReadError> {
        let keywords = Keywords { page_size: 4096, memory_mib: 100, cpus: 2 };
        let files = Text(text);
        let stdin = || Err(io::ErrorKind::Unsupported.into());
        let world = ReadEnvironment { files: &files, env: &|_| None, keywords, stdin: &stdin };
        check_remote(&read_command(&["jobs.fio".into()], &world).unwrap())
    }

    #[test]
    fn what_touches_more_than_is_measured_is_refused_with_job_and_line() {
        let refused = |text: &'static str, place: &str, words: &[&str]| {
            let error = checked(text).unwrap_err();
            assert_eq!(error.place.to_string(), place, "{text}");
            for word in words {
                assert!(error.message.contains(word), "{text}: {error}");
            }
        };
        let logs = "[global]\nrw=read\n\n[a]\n  write_bw_log=x\n";
        refused(logs, "jobs.fio:5:3", &["job 'a'", "write_bw_log"]);
        refused("[global]\nread_iolog=/etc/passwd\n[a]\n", "jobs.fio:2:1", &["job 'global'"]);
        refused("[a]\nverify_pattern='/etc/shadow'\n", "jobs.fio:2:1", &["single quotes"]);
        refused("[a]\nbuffer_pattern=0xff'x'\n", "jobs.fio:2:1", &["single quotes"]);
        refused("[a]\nmem=mmap:/srv/db\n", "jobs.fio:2:1", &["mapping of a file"]);
        refused("[a]\nallow_mounted_write=1\n", "jobs.fio:2:1", &["guard"]);
        refused("[a]\nverify_dump\n", "jobs.fio:2:1", &["beside what is measured"]);
        refused("[a]\nverify_state_save=(2-1)\n", "jobs.fio:2:1", &["verify_state_save"]);
        refused("[a]\nwrite_lat_log\n", "jobs.fio:2:1", &["write_lat_log"]);
        let command = ["job 'a': exec_prerun is not run on other hosts: an agent starts"];
        refused("[a]\nexec_prerun=id\n", "jobs.fio:2:1", &command);
        // Refused everywhere.
        let external = "[a]\nioengine=external:/x.so\n";
        refused(external, "jobs.fio:2:1", &["job 'a': ioengine=external is not run: "]);
    }

    #[test]
    fn what_measures_passes() {
        checked("[global]\ndirectory=/srv\nsize=1g\nlog_avg_msec=500\n[a]\nverify=crc32c\n")
            .unwrap();
        checked("[a]\nverify_state_save=0\nallow_mounted_write=0\nverify_pattern=\"x\"\n").unwrap();
        // Without effect, and as it is done anyway.
        checked("[a]\niodepth_batch=4\natomic=0\n").unwrap();
    }
}
