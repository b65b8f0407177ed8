//! Running the check on the scenarios, again and again.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use lab::{Scenario, Situation};
use record::Record;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::fio;
use super::options::ScoreOptions;
use super::outcome_file::{JudgedRun, OutcomeFile, OutcomeLine, RunOutcome};
use super::scenario_runs::ScenarioRuns;
use super::score_plan::ScorePlan;
use super::table::{self, ScoreRow};
use crate::bench::{BENCHMARKS_FILE, Environment, document};
use xtask::process;

const SECTION_NAME: &str = "lab";
const OUTCOME_FILE_NAME: &str = "lab-outcomes.jsonl";

/// Runs what the file of raw outcomes lacks, and prints the table of it.
pub(super) fn run(root: &Path, score: &ScoreOptions) -> Result<bool> {
    let path = score.file.clone().unwrap_or_else(|| root.join(OUTCOME_FILE_NAME));
    let raw = Mutex::new(OutcomeFile::open(&path)?);
    let environment = Environment::detect(root)?;
    let chosen = choose_scenarios(score);
    if !score.table {
        let can: Vec<Scenario> = chosen.iter().filter(|s| s.require().is_ok()).copied().collect();
        let lanes = pair_processors()?;
        let (runs, jobs) = (score.runs, score.jobs);
        let agenda = ScorePlan { scenarios: can, runs, jobs, processor_pairs: lanes.len() };
        println!("{}", agenda.summary(&lock_outcomes(&raw), process::is_installed("fio")));
        println!("each run is kept in {}", path.display());
        let (program, label) = choose_program(root, score, &environment)?;
        ScoreRunner { raw: &raw, program: &program, label, lanes, stop: watch_signals()? }
            .run_rounds(&agenda)?;
    }
    let raw = lock_outcomes(&raw);
    let row = |s: &Scenario| ScoreRow::from_runs(ScenarioRuns::from_lines(*s, raw.lines_of(s)));
    let rows = |scenarios: &[Scenario]| scenarios.iter().map(row).collect::<Vec<_>>();
    let document = root.join(BENCHMARKS_FILE);
    let old = std::fs::read_to_string(&document)
        .with_context(|| format!("cannot read {}", document.display()))?;
    let stamp = environment.stamp();
    println!("\n{}", table::render_markdown(&rows(&chosen), "", &stamp));
    if score.write {
        // All of them, whatever was chosen now: what is not in the file stays as it is there.
        let section = table::render_markdown(&rows(&lab::all_scenarios()), &old, &stamp);
        std::fs::write(&document, document::replace_section(&old, SECTION_NAME, &section)?)
            .with_context(|| format!("cannot write {}", document.display()))?;
    }
    let run: Vec<ScoreRow> = rows(&chosen).into_iter().filter(|row| !row.runs.is_empty()).collect();
    Ok(!run.is_empty() && run.iter().all(|row| row.runs.is_as_required()))
}

fn choose_scenarios(score: &ScoreOptions) -> Vec<Scenario> {
    let named = |scenario: &Scenario| score.names.iter().any(|name| name == scenario.name);
    let asked = |scenario: &Scenario| score.names.is_empty() || named(scenario);
    let kind = |scenario: &Scenario| !score.controls || scenario.is_control();
    lab::all_scenarios().into_iter().filter(|s| asked(s) && kind(s)).collect()
}

/// What is run, and as what the outcomes name it.
fn choose_program(
    root: &Path,
    score: &ScoreOptions,
    environment: &Environment,
) -> Result<(PathBuf, String)> {
    if let Some(path) = score.binary.clone() {
        let label = path.display().to_string();
        return Ok((path, label));
    }
    let build = ["build", "--release", "--quiet", "-p", "truedisk"];
    process::run_command(&mut process::cargo_command(root, &build))?;
    Ok((xtask::target_folder(root)?.join("release/truedisk"), environment.commit.clone()))
}

/// Is set by a signal to end: what runs is undone then, and the rest is left for another night.
fn watch_signals() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&stop)).context("cannot watch signals")?;
    }
    Ok(stop)
}

fn lock_outcomes(raw: &Mutex<OutcomeFile>) -> MutexGuard<'_, OutcomeFile> {
    // After a failure in the middle of appending, the next night's reading names a broken line.
    raw.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Processors for one check and its disk: what the checks must do on the smallest host, of two.
type ProcessorPair = CpuSet;

/// The processors of this process in pairs; all of them are one lane where there is but one pair.
fn pair_processors() -> Result<Vec<ProcessorPair>> {
    let all = sched_getaffinity(None).context("cannot tell which processors there are")?;
    let own: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|processor| all.is_set(*processor)).collect();
    let lane = |pair: &[usize]| {
        let mut lane = CpuSet::new();
        pair.iter().for_each(|processor| lane.set(*processor));
        lane
    };
    let lanes: Vec<ProcessorPair> = own.chunks_exact(2).map(lane).collect();
    Ok(if lanes.len() < 2 { vec![all] } else { lanes })
}

/// What is still to be run, by the next free worker.
type Queue = Mutex<VecDeque<Scenario>>;

fn new_queue(scenarios: &[Scenario]) -> Queue {
    Mutex::new(scenarios.iter().copied().collect())
}

struct ScoreRunner<'a> {
    raw: &'a Mutex<OutcomeFile>,
    program: &'a Path,
    /// As what the outcomes name it.
    label: String,
    lanes: Vec<ProcessorPair>,
    stop: Arc<AtomicBool>,
}

impl ScoreRunner<'_> {
    fn run_rounds(&self, agenda: &ScorePlan) -> Result<()> {
        let rounds = agenda.remaining_rounds(&lock_outcomes(self.raw));
        for (n, round) in rounds.iter().enumerate() {
            eprintln!("xtask: lab: round {} of {}", n + 1, rounds.len());
            let single = new_queue(&round.exclusive);
            self.run_workers(1, |_| vec![&single])?;
            let (own, simulated) = (new_queue(&round.local_devices), new_queue(&round.simulated));
            self.run_workers(self.lanes.len(), |lane| match lane {
                0 => vec![&own, &simulated],
                _ => vec![&simulated],
            })?;
            let beside = new_queue(&round.concurrent);
            self.run_workers(agenda.jobs, |_| vec![&beside])?;
        }
        Ok(())
    }

    /// Runs workers beside each other. The first scenario that cannot be built or undone ends all.
    fn run_workers<'q>(
        &self,
        workers: usize,
        queues: impl Fn(usize) -> Vec<&'q Queue>,
    ) -> Result<()> {
        let next = |queue: &Queue| queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let work = |lane: &ProcessorPair, queues: Vec<&Queue>| -> Result<()> {
            // Whatever this thread starts, the server of a simulated disk too, stays in its lane.
            sched_setaffinity(None, lane).context("cannot keep to a pair of processors")?;
            while let Some(scenario) = queues.iter().find_map(|queue| next(queue)) {
                self.run_scenario(&scenario)
                    .with_context(|| format!("scenario {}", scenario.name))?;
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
            // All are waited for before the first error is returned.
            ends.collect::<Vec<_>>().into_iter().collect()
        })
    }

    /// One check, and fio's view once, each on a disk built anew.
    fn run_scenario(&self, scenario: &Scenario) -> Result<()> {
        self.run_and_append(scenario, |situation| {
            match run_truedisk(situation, scenario, self.program) {
                Ok(record) => match scenario.question.find_fault(&record) {
                    None => RunOutcome::Judged(JudgedRun::from_record(&record, scenario)),
                    Some(fault) => RunOutcome::Failed(format!("a wrong answer: {fault}")),
                },
                Err(error) => RunOutcome::Failed(format!("{error:#}")),
            }
        })?;
        if !process::is_installed("fio") || lock_outcomes(self.raw).has_fio(scenario) {
            return Ok(());
        }
        self.run_and_append(scenario, |situation| match fio::measure_with_fio(situation) {
            Ok(printed) => RunOutcome::Fio(printed),
            Err(error) => RunOutcome::Failed(format!("{error:#}")),
        })
    }

    fn run_and_append(
        &self,
        scenario: &Scenario,
        told: impl Fn(&Situation) -> RunOutcome,
    ) -> Result<()> {
        self.check_stop()?;
        let started = Instant::now();
        let situation = scenario.set_up()?;
        let outcome = told(&situation);
        situation.tear_down()?;
        // What a signal ended tells nothing.
        self.check_stop()?;
        let line = OutcomeLine {
            scenario: scenario.name.to_owned(),
            effort: scenario.effort,
            program: self.label.clone(),
            seconds: started.elapsed().as_secs_f64(),
            outcome,
        };
        let mut raw = lock_outcomes(self.raw);
        raw.append(line)?;
        let runs = ScenarioRuns::from_lines(*scenario, raw.lines_of(scenario));
        println!("{}", table::summary_line(&runs));
        Ok(())
    }

    fn check_stop(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) {
            bail!("interrupted\nhint: the same command goes on where this one stopped");
        }
        Ok(())
    }
}

fn run_truedisk(situation: &Situation, scenario: &Scenario, binary: &Path) -> Result<Record> {
    let mut command = Command::new(binary);
    command.args(scenario.question.arguments(scenario.effort));
    command.args(["--json", "-", "--no-history"]);
    command.args(situation.arguments()).env("XDG_DATA_HOME", "/nonexistent");
    let output = situation.wrap_command(&command).stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot run {}", binary.display()))?;
    serde_json::from_slice(&output.stdout).with_context(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("{} printed no record ({}): {}", binary.display(), output.status, said.trim())
    })
}
