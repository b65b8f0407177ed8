//! Jobs sent by another host, which is not trusted.
//!
//! `fio::remote` decides which options are allowed, the [`PathPolicy`] which paths, the limits here
//! how much.

use std::path::Path;

use engine::{Clock, StopSignal};
use fio::plan::{Section, expand_instances, plan_instance};
use fio::print::EtaState;
use fio::read::{Keywords, ParsedCommand, ReadError, SentJobs};
use fio::request::{Jobs, read_jobs};
use target::Roots;
use units::Bytes;

use super::error::JobsError;
use super::files::{RunFiles, WritePolicy, changes_data};
use super::host::numa_processors;
use super::path_policy::PathPolicy;
use super::prepare::check_wait_for;
use super::remote_result::{INSTANCES_MAX, RemoteResult};
use super::request::{Coordination, JobsObserver, JobsRequest, StartGate};
use super::run::run_coordinated;
use super::target_paths::list_target_paths;
use super::verify::Verification;

const FILES_MAX: u64 = 65_536;
const MEMORY_MAX: Bytes = Bytes::gib(4);
/// A soak of some hours.
const TIME_MAX_US: u64 = 24 * 3600 * 1_000_000;
const PROGRESS_MS: u64 = 500;

/// Jobs of another host.
#[derive(Debug, Clone)]
pub struct RemoteJobs {
    sections: Vec<Section>,
    notes: Vec<String>,
}

/// Permissions of this host.
#[derive(Clone, Copy)]
pub struct RunPolicy<'a> {
    /// Nothing is written.
    pub read_only: bool,
    /// The device whose data may be destroyed.
    pub destroy: Option<&'a Path>,
    /// A random number, for jobs that do not repeat their seed.
    pub random_seed: u64,
    /// Allowed paths.
    pub path_policy: PathPolicy<'a>,
}

/// Types jobs as they were sent, to print their results.
pub fn type_sent_jobs(sent: &SentJobs, keywords: &Keywords) -> Result<Jobs, JobsError> {
    let reading = sent.parse(keywords).map_err(|error| request_error(&error))?;
    fio::remote::check_remote(&reading).map_err(|error| request_error(&error))?;
    read_jobs(&reading).map_err(|error| request_error(&error))
}

impl RemoteJobs {
    /// Types and checks jobs as they were sent. `host` precedes generated file names: hosts may
    /// share a folder.
    pub fn from_sent(sent: &SentJobs, host: &str, keywords: &Keywords) -> Result<Self, JobsError> {
        let reading = sent.parse(keywords).map_err(|error| request_error(&error))?;
        let mut this = Self::from_command(&reading)?;
        for target in this.sections.iter_mut().map(|section| &mut section.options.target) {
            let format = target.filename_format.replace("$clientuid", host);
            target.filename_format = match target.unique_filename {
                true if format.is_empty() => format!("{host}.$jobname.$jobnum.$filenum"),
                true => format!("{host}.{format}"),
                false => format,
            };
        }
        Ok(this)
    }

    /// Checks jobs as the receiving host will.
    pub fn from_command(reading: &ParsedCommand) -> Result<Self, JobsError> {
        // Before values are parsed: some are file names.
        fio::remote::check_remote(reading).map_err(|error| request_error(&error))?;
        let jobs = read_jobs(reading).map_err(|error| request_error(&error))?;
        let mut sections = jobs.sections;
        check_limits(&sections)?;
        list_target_paths(&sections)?;
        for section in &mut sections {
            // Its file is not among the allowed paths; `fio::remote` refuses it where it is asked
            // for.
            section.options.verify.state_save = false;
        }
        Ok(Self { sections, notes: jobs.notes })
    }

    /// The first job that changes something, and its option.
    pub fn first_write(&self) -> Option<String> {
        self.sections.iter().find_map(|section| {
            let (operation, target) =
                (section.options.pattern.rw.operation, &section.options.target);
            let of = |word: &str| Some(format!("job '{}' ({word})", section.name));
            match () {
                () if operation.writes() || operation.trims() => {
                    of(&format!("rw={}", operation.word()))
                }
                () if changes_data(section) => {
                    of(&format!("ioengine={}", section.options.engine.engine.word()))
                }
                () if target.unlink => of("unlink"),
                () if target.unlink_each_loop => of("unlink_each_loop"),
                () => None,
            }
        })
    }

    /// Checks whether this host would run the jobs, and changes nothing.
    pub fn check_feasible(&self, terms: &RunPolicy<'_>, roots: &Roots) -> Result<(), JobsError> {
        let (clock, stop) = (Clock::best(), StopSignal::default());
        let request = self.request(terms);
        let policy = WritePolicy::new(&request, Some(terms.path_policy));
        let mut files = RunFiles::new(roots, &clock, &stop, policy, terms.random_seed);
        let all = expand_instances(&self.sections);
        let surveyed = files.survey(all.iter().map(|of| (&self.sections[of.section], of, None)))?;
        for (instance, resolved) in all.into_iter().zip(surveyed) {
            let section = &self.sections[instance.section];
            let region = files.check_instance(section, &instance, &resolved)?;
            let mut plan = plan_instance(section, &instance, &region, terms.random_seed)?;
            numa_processors(section, roots)?;
            let files = resolved.paths.len();
            Verification::from_section(section, &instance, &mut plan.job, files, &request)?;
        }
        check_wait_for(&self.sections)
    }

    /// Prepares the jobs, waits for the start from `gate`, and runs them.
    pub fn run(
        &self,
        terms: &RunPolicy<'_>,
        roots: &Roots,
        stop: &StopSignal,
        gate: StartGate<'_>,
        going: &mut dyn FnMut(&EtaState),
    ) -> Result<RemoteResult, JobsError> {
        let led = Coordination { path_policy: Some(terms.path_policy), gate: Some(gate) };
        let ran =
            run_coordinated(&self.request(terms), led, roots, stop, &mut ProgressObserver(going))?;
        Ok(RemoteResult::from_outcome(ran, &self.notes))
    }

    fn request<'a>(&'a self, terms: &RunPolicy<'a>) -> JobsRequest<'a> {
        JobsRequest {
            announce: None,
            sections: &self.sections,
            global_options: &[],
            read_only: terms.read_only,
            destroy: terms.destroy,
            aux: None,
            idle: None,
            status_ms: 0,
            eta_ms: PROGRESS_MS,
            random_seed: terms.random_seed,
            // No allowed option writes results.
            results: None,
        }
    }
}

struct ProgressObserver<'a>(&'a mut dyn FnMut(&EtaState));

impl JobsObserver for ProgressObserver<'_> {
    fn on_progress(&mut self, state: &EtaState, _: u64) {
        (self.0)(state);
    }
}

fn request_error(error: &ReadError) -> JobsError {
    let what = match error.place.is_command_line() && error.place.line == 0 {
        true => error.message.clone(),
        false => format!("{}: {}", error.place, error.message),
    };
    JobsError::Request { what, hint: error.hint.clone() }
}

/// Checks limits before instances are expanded.
fn check_limits(sections: &[Section]) -> Result<(), JobsError> {
    if sections.is_empty() {
        return Err(JobsError::request("no job is defined", "name a job file"));
    }
    let (mut count, mut files, mut memory) = (0_u64, 0_u64, 0_u64);
    for section in sections {
        let options = &section.options;
        let clones = u64::from(options.run.numjobs.max(1));
        let largest = (0..3).map(|place| options.pattern.max_bs(place)).max().unwrap_or(0);
        let each = largest.saturating_mul(options.engine.iodepth.into());
        let each = each.saturating_add(options.placement.lockmem);
        count = count.saturating_add(clones);
        files = files.saturating_add(clones.saturating_mul(options.target.nrfiles.into()));
        memory = memory.saturating_add(clones.saturating_mul(each));
        let run = &options.run;
        let longest = run.runtime_us.max(run.startdelay.max_us).max(run.ramp_time_us);
        if longest > TIME_MAX_US {
            let what = format!("job '{}' takes more than 24 hours", section.name);
            return Err(JobsError::request(what, "take a shorter time"));
        }
    }
    let most = INSTANCES_MAX as u64;
    if count > most {
        let what = format!("{count} jobs are more than the {most} that one host runs for another");
        return Err(JobsError::request(what, "take fewer, with a larger iodepth"));
    }
    if files > FILES_MAX {
        let what = format!("{files} files are more than the {FILES_MAX} of one host");
        return Err(JobsError::request(what, "take a smaller nrfiles or numjobs"));
    }
    if memory > MEMORY_MAX.0 {
        let what = format!("the jobs need {} of memory at the same time", Bytes(memory));
        let hint = format!("{MEMORY_MAX} is the most: take a smaller iodepth, bs or numjobs");
        return Err(JobsError::request(what, &hint));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::os::unix::fs::symlink;

    use fio::read::{FileSource as JobFiles, FileText, ReadEnvironment, read_command};
    use record::FindingId;
    use target::{FolderEntry, PathHandle};
    use tempfile::TempDir;

    use std::path::PathBuf;

    use super::*;
    use crate::path_policy::{PathAccess, PathRefusal};
    use crate::target_paths::TargetPaths;

    const HERE: Keywords = Keywords { page_size: 4096, memory_mib: 100, cpus: 2 };

    struct Text(String);

    impl JobFiles for Text {
        fn read(&self, path: &str, _: Option<&str>) -> io::Result<FileText> {
            Ok(FileText { path: path.to_owned(), bytes: self.0.as_bytes().to_vec() })
        }
    }

    fn reading(text: &str) -> ParsedCommand {
        let files = Text(text.to_owned());
        let stdin = || Err(io::ErrorKind::Unsupported.into());
        let world =
            ReadEnvironment { files: &files, env: &|_| None, keywords: HERE, stdin: &stdin };
        read_command(&["jobs.fio".into()], &world).unwrap()
    }

    fn received(text: &str) -> RemoteJobs {
        RemoteJobs::from_sent(&reading(text).to_sent_jobs(), "h1", &HERE).unwrap()
    }

    /// A room of which only the folder `in` may be touched.
    fn room() -> (TempDir, PathBuf) {
        let room = tempfile::tempdir().unwrap();
        let inside = std::fs::canonicalize(room.path()).unwrap().join("in");
        std::fs::create_dir(&inside).unwrap();
        (room, inside)
    }

    fn fence(inside: &Path) -> impl Fn(&Path, PathAccess) -> Result<FolderEntry, PathRefusal> + '_ {
        let folder = PathHandle::open(inside).unwrap();
        move |path: &Path, _: PathAccess| {
            let below = path.strip_prefix(inside).ok();
            let entry = below.and_then(|below| folder.entry_beneath(below).ok());
            let entry = entry.filter(|entry| entry.open().is_ok());
            entry.ok_or_else(|| PathRefusal {
                what: "outside".to_owned(),
                hint: "inside".to_owned(),
            })
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_look_leaves_nothing_and_a_run_starts_at_its_gate() {
        let (_room, inside) = room();
        let text = format!(
            "[a]\ndirectory={}\nsize=256k\nbs=4k\nrw=read\n[b]\nstonewall\nioengine=null\n\
             size=1m\n",
            inside.display()
        );
        let jobs = received(&text);
        let (fence, roots) = (fence(&inside), Roots::host());
        let terms =
            RunPolicy { read_only: false, destroy: None, random_seed: 1, path_policy: &fence };
        jobs.check_feasible(&terms, &roots).unwrap();
        assert!(names(&inside).is_empty());
        let mut gates = 0;
        let mut gate = |clock: &Clock| {
            gates += 1;
            assert_eq!(names(&inside), ["h1.a.0.0"], "its files are there before it starts");
            Some(clock.now() + 20_000_000)
        };
        let stop = StopSignal::default();
        let given = jobs.run(&terms, &roots, &stop, &mut gate, &mut |_| {}).unwrap();
        assert_eq!(gates, 1, "later waves start by themselves");
        let bytes: Vec<u64> = given.instances.iter().map(|of| of.result.read.bytes).collect();
        assert_eq!(bytes, [256 << 10, 1 << 20]);
        assert!(given.began.is_some_and(|late| late.0 < 1_000_000_000), "{:?}", given.began);
    }

    #[test]
    fn a_rate_that_was_not_kept_is_a_finding_of_its_job() {
        let (_room, inside) = room();
        let text = "[global]\nioengine=null\nrw=read\n\
                    [fast]\nsize=1m\nrate_iops=1000000000\nnumjobs=2\n\
                    [slow]\nsize=8k\nrate_iops=100\n";
        let (fence, roots, stop) = (fence(&inside), Roots::host(), StopSignal::default());
        let policy =
            RunPolicy { read_only: true, destroy: None, random_seed: 1, path_policy: &fence };
        let mut gate = |clock: &Clock| Some(clock.now());
        let result = received(text).run(&policy, &roots, &stop, &mut gate, &mut |_| {}).unwrap();
        let [finding] = &result.findings[..] else { panic!("{:?}", result.findings) };
        assert_eq!(finding.id, FindingId::Backlog);
        assert_eq!(finding.cells, ["fast"]);
        assert!(
            finding.summary.text().starts_with("fast: asked for 2,000,000,000/s"),
            "{finding:?}"
        );
    }

    /// The folder's owner replaces it after the checks, and it comes back empty.
    #[test]
    fn a_folder_that_is_swapped_after_the_survey_gets_no_layout() {
        let (room, inside) = room();
        let moved = room.path().join("moved");
        let text = format!(
            "[a]\ndirectory={0}\nsize=64k\nunlink=1\n[b]\ndirectory={0}\n",
            inside.display()
        );
        let mut sections = received(&text).sections;
        let log = room.path().join("log");
        let file = inside.join("replayed").display().to_string();
        let lines = ["add", "open", "write 0 4096", "close"].map(|what| format!("{file} {what}\n"));
        std::fs::write(&log, format!("fio version 2 iolog\n{}", lines.concat())).unwrap();
        sections[1].options.replay.read_iologs = vec![log.display().to_string()];
        let (roots, clock, stop) = (Roots::host(), Clock::best(), StopSignal::default());
        let mut files = RunFiles::new(&roots, &clock, &stop, WritePolicy::default(), 1);
        let all = expand_instances(&sections);
        let replay = crate::replay::read_replay(&sections[1], &all[1], false).unwrap();
        let replays = [None, replay.as_ref()];
        let all = all.iter().map(|of| &sections[of.section]).zip(&all).zip(replays);
        let all = all.map(|((section, instance), replay)| (section, instance, replay));
        let resolved = files.survey(all.clone()).unwrap();
        std::fs::rename(&inside, &moved).unwrap();
        std::fs::create_dir(&inside).unwrap();
        for ((section, instance, replay), resolved) in all.zip(resolved) {
            let mut prepared = match replay {
                Some(replay) => replay.prepare_files(resolved),
                None => files
                    .prepare(section, instance, resolved, &mut ProgressObserver(&mut |_| {}))
                    .unwrap(),
            };
            files.open(section, &mut prepared).unwrap();
        }
        assert_eq!(names(&inside), [""; 0], "the new folder was not checked");
        let mut found = names(&moved);
        found.sort();
        assert_eq!(found, ["h1.a.0.0", "replayed"]);
    }

    #[test]
    fn who_is_not_told_to_start_measures_nothing() {
        let jobs = received("[a]\nioengine=null\nsize=1m\n");
        let (_room, inside) = room();
        let (fence, stop) = (fence(&inside), StopSignal::default());
        let terms =
            RunPolicy { read_only: false, destroy: None, random_seed: 1, path_policy: &fence };
        let given = jobs.run(&terms, &Roots::host(), &stop, &mut |_| None, &mut |_| {}).unwrap();
        assert_eq!((given.began, given.instances[0].result.read.ops), (None, 0));
    }

    #[test]
    fn paths_are_fenced_whatever_they_come_from() {
        let (room, inside) = room();
        let outside = room.path().join("out");
        std::fs::create_dir(&outside).unwrap();
        std::fs::write(outside.join("file"), vec![1; 4096]).unwrap();
        symlink(outside.join("file"), inside.join("h1.linked.0.0")).unwrap();
        symlink(&outside, inside.join("folder")).unwrap();
        let (fence, roots) = (fence(&inside), Roots::host());
        let terms =
            RunPolicy { read_only: false, destroy: None, random_seed: 1, path_policy: &fence };
        let at = |path: &Path| path.display().to_string();
        let (inside, outside) = (at(&inside), at(&outside));
        for job in [
            format!("[a]\nfilename={outside}/file\n"),
            format!("[a]\nfilename={inside}/../out/file\n"),
            format!("[a]\nfilename={outside}/new\nrw=write\nsize=4k\n"),
            format!("[a]\ndirectory={inside}/folder\nsize=4k\n"),
            format!("[linked]\ndirectory={inside}\nsize=4k\n"),
            format!("[a]\nopendir={outside}\n"),
        ] {
            let error = received(&job).check_feasible(&terms, &roots).unwrap_err();
            assert!(error.to_string().contains("outside"), "{job}: {error}");
            assert_eq!(error.kind(), units::ErrorKind::Refused, "{job}");
        }
        assert_eq!(names(Path::new(&outside)), ["file"], "nothing was made there");
    }

    /// The owner of the folder exchanges a folder in it for a link out of it, all the time; what
    /// hundreds of orders make, change, read and remove stays inside.
    #[test]
    fn exchanging_folders_leads_no_job_out_of_the_fence() {
        const ROUNDS: usize = 100;
        let (room, inside) = room();
        let (sub, out) = (inside.join("sub"), room.path().join("out"));
        std::fs::create_dir(&sub).unwrap();
        std::fs::create_dir(&out).unwrap();
        symlink(&out, inside.join("link")).unwrap();
        // What is outside has the names of what the jobs make, and another length.
        let files = ["found/file", "h1.made.0.0", "written"];
        for folder in [&sub, &out] {
            std::fs::create_dir(folder.join("found")).unwrap();
        }
        for name in files {
            std::fs::write(out.join(name), vec![1; 8192]).unwrap();
            // Jobs remove only what they made.
            if name != "removed" {
                std::fs::write(sub.join(name), vec![2; 4096]).unwrap();
            }
        }
        let sub_shown = sub.display();
        let orders = [
            format!("[made]\ndirectory={sub_shown}\nrw=write\nsize=16k\n"),
            format!("[b]\nfilename={sub_shown}/written\nrw=randwrite\nsize=4k\n"),
            format!("[c]\nfilename={sub_shown}/new/deep/er\nrw=write\nsize=4k\nunlink=1\n"),
            format!("[d]\nfilename={sub_shown}/fresh\nrw=write\nsize=4k\nunlink=1\n"),
            format!("[e]\nopendir={sub_shown}/found\nrw=read\n"),
        ];
        let orders = orders.map(|order| received(&order));
        let (fence, roots) = (fence(&inside), Roots::host());
        let terms =
            RunPolicy { read_only: false, destroy: None, random_seed: 1, path_policy: &fence };
        let run = |order: &RemoteJobs| {
            let stop = StopSignal::default();
            let gate = &mut |clock: &Clock| Some(clock.now());
            let checked = order.check_feasible(&terms, &roots);
            checked.and_then(|()| order.run(&terms, &roots, &stop, gate, &mut |_| {}))
        };
        let exchange = lab::NameExchanger::start(&sub, &inside.join("link"));
        let ran = (0..ROUNDS).flat_map(|_| &orders).map(&run);
        let (done, refused): (Vec<_>, Vec<_>) = ran.partition(Result::is_ok);
        drop(exchange);
        for given in done.iter().flatten() {
            let read = given.instances[0].result.read.bytes;
            assert_ne!(read, 8192, "it read what is outside");
        }
        let counts = (done.len(), refused.len());
        assert!(counts.0 > 0 && counts.1 > 0, "{counts:?} done and refused");
        // A path of several new folders seldom meets the right one at each step, so that chance
        // decides whether it was done: what refused it was the exchange.
        for order in &orders {
            assert!(run(order).is_ok(), "{order:?}");
        }
        let mut left = names(&out);
        left.sort();
        assert_eq!(left, ["found", "h1.made.0.0", "written"]);
        assert_eq!(names(&out.join("found")), ["file"]);
        for name in files {
            assert_eq!(std::fs::read(out.join(name)).unwrap(), vec![1; 8192]);
        }
    }

    #[test]
    fn more_than_is_reasonable_is_refused() {
        let check = |text: &str, words: &str| {
            let error =
                RemoteJobs::from_sent(&reading(text).to_sent_jobs(), "h1", &HERE).unwrap_err();
            assert!(error.to_string().contains(words), "{text}: {error}");
            assert_eq!(error.kind(), units::ErrorKind::WrongRequest);
        };
        check("[a]\ndirectory=/d\nnumjobs=4000000000\n", "4000000000 jobs are more");
        check("[a]\ndirectory=/d\nnrfiles=4000000000\n", "65535 files at most");
        check("[a]\ndirectory=/d\nnrfiles=60000\nnumjobs=100\n", "files are more");
        check("[a]\ndirectory=/d\nbs=1g\nnumjobs=8\n", "of memory");
        check("[a]\ndirectory=/d\nruntime=25h\n", "24 hours");
        check("[a]\ndirectory=d\n", "not on others");
        check("[a]\nsize=1m\n", "not on others");
        check("[a]\nexec_prerun=id\ndirectory=/d\n", "an agent starts no program");
        check("[a]\nioengine=net\nport=1\nhostname=h\n", "an agent opens no connections");
        check("[a]\nioengine=net\nfilename=/d/x\nrw=read\n", "it needs port");
        check("[a]\nioengine=external:/x.so\ndirectory=/d\n", "other programs are not loaded");
        check("[a]\nverify_pattern='/etc/shadow'\ndirectory=/d\n", "single quotes");
    }

    #[test]
    fn another_s_file_is_not_removed_and_no_disk_is_filled_for_another_host() {
        let (_room, inside) = room();
        let keep = inside.join("keep");
        std::fs::write(&keep, vec![7; 1 << 16]).unwrap();
        let (fence, roots) = (fence(&inside), Roots::host());
        let terms =
            RunPolicy { read_only: false, destroy: None, random_seed: 1, path_policy: &fence };
        let check = |text: &str, words: &str| {
            let jobs = received(&format!("[a]\n{text}\n"));
            let mut gate = |_: &Clock| None;
            let run = jobs.run(&terms, &roots, &StopSignal::default(), &mut gate, &mut |_| {});
            for error in [jobs.check_feasible(&terms, &roots).unwrap_err(), run.unwrap_err()] {
                assert_eq!(error.kind(), units::ErrorKind::Refused, "{error}");
                assert!(error.to_string().contains(words), "{error}");
            }
            assert_eq!(names(&inside), ["keep"]);
            assert_eq!(std::fs::read(&keep).unwrap(), vec![7; 1 << 16]);
        };
        let named = format!("filename={}\nrw=read", keep.display());
        check(&format!("{named}\nunlink=1"), "unlink=1 would remove");
        check(&format!("{named}\nunlink_each_loop=1"), "unlink_each_loop=1 would remove");
        let folder = format!("directory={}\nrw=write", inside.display());
        check(&format!("{folder}\nsize=4t\nnumjobs=1000"), "the jobs' files need");
    }

    #[test]
    fn what_writes_is_known_before() {
        let job =
            |more: &str| received(&format!("[a]\ndirectory=/d\nsize=1m\n{more}\n")).first_write();
        assert_eq!(job("rw=randread"), None);
        assert_eq!(job("rw=randrw").unwrap(), "job 'a' (rw=randrw)");
        assert_eq!(job("unlink=1").unwrap(), "job 'a' (unlink)");
        for engine in ["filecreate", "filedelete", "dircreate", "dirdelete"] {
            let found = job(&format!("ioengine={engine}"));
            assert_eq!(found.unwrap(), format!("job 'a' (ioengine={engine})"));
        }
        assert_eq!(job("ioengine=filestat"), None);
    }

    #[test]
    fn places_are_what_jobs_name() {
        let of = |text: &str| {
            let sections = read_jobs(&reading(text)).unwrap().sections;
            let TargetPaths { folders, files } = list_target_paths(&sections).unwrap();
            let all = folders.iter().chain(&files).map(|path| path.display().to_string());
            (folders.len(), all.collect::<Vec<_>>().join(" "))
        };
        assert_eq!(of("[a]\ndirectory=/d:/e\nnumjobs=2\n"), (2, "/d /e".to_owned()));
        assert_eq!(of("[a]\ndirectory=/d\nfilename=x:/y\n"), (1, "/d /y".to_owned()));
        let several = "[/dev/sdx]\n[b]\nopendir=/o\n[c]\nioengine=null\n";
        assert_eq!(of(several), (1, "/o /dev/sdx".to_owned()));
    }
}
