//! Running the check on the scenarios, again and again.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use lab::{Scenario, Situation};
use record::{Effort, Record};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::agenda::Agenda;
use super::outcome::Runs;
use super::raw::{Judged, Line, Outcome as Told, Raw};
use super::table::{self, Row};
use super::{Score, fio};
use crate::bench::{DOCUMENT, Environment, document};
use crate::{Outcome, process};

/// Marks the section in BENCHMARKS.md.
const SECTION: &str = "lab";
/// The raw outcomes, in the repository's root unless told; git ignores it.
const FILE: &str = "lab-outcomes.jsonl";

/// Runs what the file of raw outcomes lacks, prints the table of it, and says whether all is as it
/// must be.
pub(super) fn run(root: &Path, score: &Score) -> Result<Outcome> {
    let path = score.file.clone().unwrap_or_else(|| root.join(FILE));
    let raw = Mutex::new(Raw::open(&path)?);
    let environment = Environment::of_this_machine(root)?;
    let chosen = chosen(score);
    if !score.table {
        let can: Vec<Scenario> = chosen.iter().filter(|s| s.require().is_ok()).copied().collect();
        let lanes = lanes()?;
        let agenda =
            Agenda { scenarios: can, runs: score.runs, jobs: score.jobs, lanes: lanes.len() };
        println!("{}", agenda.told(&open(&raw), process::installed("fio")));
        println!("each run is kept in {}", path.display());
        let program = Program::of(root, score, &environment)?;
        Runner { raw: &raw, program: &program, lanes, stop: stop()? }.run(&agenda)?;
    }
    let raw = open(&raw);
    let rows = |scenarios: &[Scenario]| -> Vec<Row> {
        scenarios.iter().map(|s| Row::of(Runs::of(*s, raw.of(s)))).collect()
    };
    let document = root.join(DOCUMENT);
    let old = std::fs::read_to_string(&document)
        .with_context(|| format!("cannot read {}", document.display()))?;
    let stamp = environment.stamp();
    println!("\n{}", table::markdown(&rows(&chosen), "", &stamp));
    if score.write {
        // All of them, whatever was chosen now: what is not in the file stays as it is there.
        let section = table::markdown(&rows(&lab::scenarios()), &old, &stamp);
        std::fs::write(&document, document::replace(&old, SECTION, &section)?)
            .with_context(|| format!("cannot write {}", document.display()))?;
    }
    let run: Vec<Row> = rows(&chosen).into_iter().filter(|row| !row.runs.is_empty()).collect();
    Ok(Outcome::of(!run.is_empty() && run.iter().all(|row| row.runs.is_well())))
}

fn chosen(score: &Score) -> Vec<Scenario> {
    let named = |scenario: &Scenario| score.names.iter().any(|name| name == scenario.name);
    let asked = |scenario: &Scenario| score.names.is_empty() || named(scenario);
    let kind = |scenario: &Scenario| !score.controls || scenario.is_control();
    lab::scenarios().into_iter().filter(|s| asked(s) && kind(s)).collect()
}

/// What is run.
struct Program {
    path: PathBuf,
    /// As the outcomes name it.
    label: String,
}

impl Program {
    fn of(root: &Path, score: &Score, environment: &Environment) -> Result<Program> {
        if let Some(path) = score.binary.clone() {
            let label = path.display().to_string();
            return Ok(Program { path, label });
        }
        let build = ["build", "--release", "--quiet", "-p", "truedisk"];
        process::run(&mut process::cargo(root, &build))?;
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root.join("target"), |folder| root.join(folder));
        Ok(Program { path: target.join("release/truedisk"), label: environment.commit.clone() })
    }
}

/// Is set by a signal to end: what runs is undone then, and the rest is left for another night.
fn stop() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&stop)).context("cannot watch signals")?;
    }
    Ok(stop)
}

fn open(raw: &Mutex<Raw>) -> MutexGuard<'_, Raw> {
    // A thread that failed in the middle of appending has left a whole line or a broken one; the
    // next night's reading names it.
    raw.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Processors for one check and its disk: what the checks must do on the smallest host, of two.
type Lane = CpuSet;

/// The processors of this process in pairs; all of them are one lane where there is but one pair.
fn lanes() -> Result<Vec<Lane>> {
    let all = sched_getaffinity(None).context("cannot tell which processors there are")?;
    let own: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|processor| all.is_set(*processor)).collect();
    let lane = |pair: &[usize]| {
        let mut lane = CpuSet::new();
        pair.iter().for_each(|processor| lane.set(*processor));
        lane
    };
    let lanes: Vec<Lane> = own.chunks_exact(2).map(lane).collect();
    Ok(if lanes.len() < 2 { vec![all] } else { lanes })
}

/// What is still to be run, by whoever is free.
type Queue = Mutex<VecDeque<Scenario>>;

fn queue(scenarios: &[Scenario]) -> Queue {
    Mutex::new(scenarios.iter().copied().collect())
}

struct Runner<'a> {
    raw: &'a Mutex<Raw>,
    program: &'a Program,
    lanes: Vec<Lane>,
    stop: Arc<AtomicBool>,
}

impl Runner<'_> {
    fn run(&self, agenda: &Agenda) -> Result<()> {
        let rounds = agenda.rounds(&open(self.raw));
        for (n, round) in rounds.iter().enumerate() {
            eprintln!("xtask: lab: round {} of {}", n + 1, rounds.len());
            let single = queue(&round.single);
            self.work(1, |_| vec![&single])?;
            let (own, simulated) = (queue(&round.own), queue(&round.simulated));
            self.work(self.lanes.len(), |lane| match lane {
                0 => vec![&own, &simulated],
                _ => vec![&simulated],
            })?;
            let beside = queue(&round.beside);
            self.work(agenda.jobs, |_| vec![&beside])?;
        }
        Ok(())
    }

    /// So many at a time, each in a lane, each from its queues until they are empty. The first
    /// that cannot be built or undone ends all.
    fn work<'q>(&self, workers: usize, queues: impl Fn(usize) -> Vec<&'q Queue>) -> Result<()> {
        let next = |queue: &Queue| queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let work = |lane: &Lane, queues: Vec<&Queue>| -> Result<()> {
            // Whatever this thread starts, the server of a simulated disk too, stays in its lane.
            sched_setaffinity(None, lane).context("cannot keep to a pair of processors")?;
            while let Some(scenario) = queues.iter().find_map(|queue| next(queue)) {
                self.once(&scenario).with_context(|| format!("scenario {}", scenario.name))?;
            }
            Ok(())
        };
        let work = &work;
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..workers)
                .map(|n| (&self.lanes[n % self.lanes.len()], queues(n)))
                .map(|(lane, queues)| scope.spawn(move || work(lane, queues)))
                .collect();
            let ends = workers.into_iter().map(|worker| match worker.join() {
                Ok(end) => end,
                Err(_) => bail!("a thread of the score failed"),
            });
            // All are waited for before the first error is told.
            ends.collect::<Vec<_>>().into_iter().collect()
        })
    }

    /// One check, and fio's view once. Each on a disk of its own, built anew: credits spent and
    /// blocks touched would differ.
    fn once(&self, scenario: &Scenario) -> Result<()> {
        self.kept(scenario, |situation| {
            match check(situation, scenario.effort, &self.program.path) {
                Ok(record) => Told::Judged(Judged::of(&record, scenario)),
                Err(error) => Told::Failed(format!("{error:#}")),
            }
        })?;
        if !process::installed("fio") || open(self.raw).has_fio(scenario) {
            return Ok(());
        }
        self.kept(scenario, |situation| match fio::ask(situation) {
            Ok(printed) => Told::Fio(printed),
            Err(error) => Told::Failed(format!("{error:#}")),
        })
    }

    fn kept(&self, scenario: &Scenario, told: impl Fn(&Situation) -> Told) -> Result<()> {
        self.go_on()?;
        let started = Instant::now();
        let situation = scenario.up()?;
        let outcome = told(&situation);
        situation.down()?;
        // What a signal ended tells nothing.
        self.go_on()?;
        let line = Line {
            scenario: scenario.name.to_owned(),
            effort: scenario.effort,
            program: self.program.label.clone(),
            seconds: started.elapsed().as_secs_f64(),
            outcome,
        };
        let mut raw = open(self.raw);
        raw.add(line)?;
        println!("{}", table::line(&Runs::of(*scenario, raw.of(scenario))));
        Ok(())
    }

    fn go_on(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) {
            bail!("interrupted\nhint: the same command goes on where this one stopped");
        }
        Ok(())
    }
}

/// A check that keeps nothing; its record.
fn check(situation: &Situation, effort: Effort, binary: &Path) -> Result<Record> {
    let mut command = Command::new(binary);
    command.args(["check", "--json", "-", "--no-history"]);
    match effort {
        Effort::Quick => command.arg("--quick"),
        Effort::Standard => &mut command,
        Effort::Thorough => command.arg("--thorough"),
    };
    command.args(situation.arguments()).env("XDG_DATA_HOME", "/nonexistent");
    let output = situation.run(&command).stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot run {}", binary.display()))?;
    serde_json::from_slice(&output.stdout).with_context(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("{} printed no record ({}): {}", binary.display(), output.status, said.trim())
    })
}
