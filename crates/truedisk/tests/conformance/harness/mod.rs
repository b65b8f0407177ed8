//! Runs cases on both sides and reports.

pub mod case;
pub mod gate;
pub mod known;
pub mod run;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::compare;
use case::{Case, Exit};
use run::{Outcome, Side};

/// Lines of one case's report.
const LINES: usize = 40;

/// What became of one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Both sides agree.
    Same,
    /// They do not; why.
    Differs(Vec<String>),
    /// fio takes it, ours does not; our message.
    Refused(String),
    /// Not run on this program.
    Skipped,
}

/// Whether the program under test is a fio as old as the reference: it does not know what came
/// later.
pub fn is_old_fio() -> bool {
    static OLD: OnceLock<bool> = OnceLock::new();
    *OLD.get_or_init(|| {
        let dir = std::env::temp_dir();
        let version = |side| -> Option<String> {
            let program = run::program(side).ok()?;
            let output = std::process::Command::new(program.first()?)
                .args(program.get(1..)?)
                .arg("--version")
                .current_dir(&dir)
                .output()
                .ok()?;
            Some(String::from_utf8_lossy(&output.stdout).into_owned())
        };
        version(Side::Ours) == version(Side::Real)
    })
}

/// A folder for one case, on a file system that can do direct transfers.
pub fn folder() -> Result<tempfile::TempDir, String> {
    tempfile::Builder::new()
        // Whose it is can be seen if a run is cut off.
        .prefix(&format!("fio-conformance-{}-", std::process::id()))
        .tempdir_in("/var/tmp")
        .map_err(|error| format!("/var/tmp: {error}"))
}

/// Both sides of a case.
///
/// # Errors
/// One could not be run at all.
pub fn both(case: &Case, show: bool) -> Result<Verdict, String> {
    if case.added && is_old_fio() {
        return Ok(Verdict::Skipped);
    }
    let root = folder()?;
    let _pass = gate::enter(case.company);
    if case.added {
        return added(case, root.path(), show);
    }
    let (real, ours) = std::thread::scope(|scope| {
        let real = || run::run_case(Side::Real, case, root.path());
        // A case that runs with little or nothing beside it leaves a processor for each side.
        let is_apart = case.company != gate::Company::Any;
        let real = if is_apart { Err(scope.spawn(real)) } else { Ok(real()) };
        let ours = run::run_case(Side::Ours, case, root.path());
        (real.unwrap_or_else(|real| real.join().unwrap()), ours)
    });
    let real = real?;
    let ours = match ours {
        Ok(ours) => ours,
        Err(message) => return Ok(Verdict::Differs(vec![format!("ours: {message}")])),
    };
    if show {
        print("real", &real);
        print("ours", &ours);
    }
    if case.exit == Exit::Code(0) && real.status == 0 && ours.status != 0 {
        return Ok(Verdict::Refused(message_of(&ours)));
    }
    Ok(match compare::outcomes(case, &real, &ours) {
        problems if problems.is_empty() => Verdict::Same,
        problems => Verdict::Differs(problems),
    })
}

/// What fio 3.33 does not know has nothing to be compared with but the case's own figures.
fn added(case: &Case, root: &std::path::Path, show: bool) -> Result<Verdict, String> {
    let ours = run::run_case(Side::Ours, case, root)?;
    if show {
        print("ours", &ours);
    }
    if case.exit == Exit::Code(0) && ours.status != 0 {
        return Ok(Verdict::Refused(message_of(&ours)));
    }
    Ok(match compare::outcomes(case, &ours, &ours) {
        problems if problems.is_empty() => Verdict::Same,
        problems => Verdict::Differs(problems),
    })
}

/// The line that says why: the last that looks like an error, or the first at all.
fn message_of(outcome: &Outcome) -> String {
    let words = format!("{}\n{}", outcome.stderr, outcome.stdout);
    let lines: Vec<&str> = words.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let found = lines.iter().find(|line| line.contains("error") || line.starts_with("fio:"));
    let line = found.or(lines.first()).copied().unwrap_or("no message");
    format!("status {}: {line}", outcome.status)
}

fn print(side: &str, outcome: &Outcome) {
    say(&format!("===== {side}: status {}, {:.2} s", outcome.status, outcome.seconds));
    say(&format!("----- stdout\n{}", outcome.stdout));
    say(&format!("----- stderr\n{}", outcome.stderr));
    for (name, bytes) in compare::files::list(&outcome.dir) {
        say(&format!("----- left: {name} ({bytes} bytes)"));
    }
}

/// Past the capture of the test runner: these lines are wanted of passing tests too.
pub fn say(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "{text}");
}

/// Takes the verdicts of a group; panics with all that is wrong.
#[derive(Default)]
pub struct Group {
    problems: Vec<String>,
    seen: BTreeSet<String>,
}

impl Group {
    /// Runs all of a group and panics with what is wrong. What differs is run a second time, at
    /// the end: a host that is short of processors for a while changes what ends by the clock.
    pub fn of<T: Sync>(
        all: &[T],
        name: impl Fn(&T) -> String,
        run: impl Fn(&T) -> Result<Verdict, String> + Sync,
    ) {
        let verdicts = each(all, &run);
        let mut group = Self::default();
        for (item, verdict) in all.iter().zip(verdicts) {
            let again = matches!(verdict, Err(_) | Ok(Verdict::Differs(_)))
                && !known::read_known_differences()
                    .is_ok_and(|known| known.contains_key(&name(item)));
            let verdict = if again {
                say(&format!("{}: differs, run again", name(item)));
                run(item)
            } else {
                verdict
            };
            group.take(&name(item), verdict);
        }
        group.end();
    }

    /// Takes in one verdict.
    fn take(&mut self, name: &str, verdict: Result<Verdict, String>) {
        self.seen.insert(name.to_string());
        let known = known::read_known_differences().unwrap_or_default();
        let verdict = verdict.unwrap_or_else(|message| Verdict::Differs(vec![message]));
        let text = match &verdict {
            Verdict::Skipped => {
                return say(&format!(
                    "not run: {name}: fio 3.33 lacks it or fails at it now and then"
                ));
            }
            Verdict::Same => match known.get(name) {
                Some(known) if known.may_agree => return,
                Some(known) => {
                    format!("{name}: agrees, but is listed as different ({})", known.reason)
                }
                None => return,
            },
            Verdict::Refused(message) => {
                say(&format!("refused: {name}: {message}"));
                format!("{name}: fio takes it, ours does not: {message}")
            }
            Verdict::Differs(lines) => {
                let cut = lines.iter().flat_map(|text| text.lines()).take(LINES);
                let cut: Vec<String> = cut.map(|line| format!("    {line}")).collect();
                format!("{name}: differs\n{}", cut.join("\n"))
            }
        };
        if verdict == Verdict::Same || !known.contains_key(name) {
            self.problems.push(text);
        }
    }

    /// Ends the group.
    ///
    /// # Panics
    /// Something is wrong that is not listed.
    fn end(self) {
        assert!(
            self.problems.is_empty(),
            "{} of {} cases:\n{}\nhint: FIO_CASE=<name> shows one case in full",
            self.problems.len(),
            self.seen.len(),
            self.problems.join("\n")
        );
    }
}

/// The case that was asked for alone.
pub fn wanted() -> Option<String> {
    std::env::var("FIO_CASE").ok().filter(|name| !name.is_empty())
}

/// Runs a group of cases.
///
/// # Panics
/// Something is wrong that is not listed.
pub fn group(cases: Vec<Case>) {
    if wanted().is_some() {
        return;
    }
    Group::of(&cases, |case| case.name.to_string(), |case| both(case, false));
}

/// What comes of each, several at a time (up to the limit of the gate), in their order.
fn each<T: Sync, R: Send>(all: &[T], run: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let own = || {
        let taken = std::iter::from_fn(|| {
            let index = next.fetch_add(1, Ordering::Relaxed);
            all.get(index).map(|item| (index, run(item)))
        });
        taken.collect::<Vec<_>>()
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..gate::SLOTS).map(|_| scope.spawn(own)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}
