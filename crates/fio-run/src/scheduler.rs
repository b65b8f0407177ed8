//! Starts and stops instances by fio's rules.

use std::thread::{self, JoinHandle};
use std::time::Duration;

use engine::{ArmedSession, Clock, StopSignal};
use fio::options::engine::Engine;
use fio::options::run::ExitWhat;
use fio::results::DiskUse;
use target::JobGroups;

use super::commands::{RunningProgram, run_line};
use super::control_groups::start_in_group;
use super::disks::DiskCounters;
use super::error::JobsError;
use super::files::RunFiles;
use super::goals::GoalEnd;
use super::host::unix_ms;
use super::instance_run::{InstanceRun, InstanceState};
use super::logs::RunLogs;
use super::memory::lock_memory;
use super::observation::Observation;
use super::own_files::not_removed_note;
use super::request::{JobsObserver, StartGate};
use fio::print::EtaState;

/// Pause between two polls.
const POLL: Duration = Duration::from_millis(5);
/// The same shortly before an end.
const POLL_SHORT: Duration = Duration::from_micros(500);
const EPERM: i32 = 1;
const EIO: i32 = 5;

pub(super) type CommandThread = JoinHandle<Result<(), String>>;

pub(super) struct Scheduler<'a, 'm, 'f> {
    pub(super) runs: &'m mut [InstanceRun<'a>],
    pub(super) logs: &'m mut RunLogs,
    pub(super) clock: &'a Clock,
    pub(super) stop: &'a StopSignal,
    /// 0 for none.
    pub(super) status_ms: u64,
    pub(super) eta_ms: u64,
    pub(super) files: &'m mut RunFiles<'f>,
    pub(super) groups: JobGroups,
    /// Start of the first wave as a reading of the clock, if a gate gave it.
    pub(super) first_start: Option<u64>,
    /// `None` if the report has none.
    pub(super) disks: Option<DiskCounters>,
    /// For the truth checks.
    pub(super) observations: Vec<Observation>,
    /// Commands that are running, and programs that are ending, by instance.
    pub(super) commands: Vec<(usize, CommandThread)>,
}

impl Scheduler<'_, '_, '_> {
    /// Runs everything, from the start that the gate gives, if there is one; returns that start.
    /// `begins` is called just before it.
    pub(super) fn run_from_gate(
        &mut self,
        gate: Option<StartGate<'_>>,
        observer: &mut dyn JobsObserver,
        begins: &mut dyn FnMut(),
    ) -> Result<Option<u64>, JobsError> {
        if let Some(gate) = gate {
            self.arm_ready()?;
            let Some(planned_ns) = gate(self.clock) else { return Ok(None) };
            self.first_start = Some(planned_ns);
            begins();
            self.disks.iter_mut().for_each(|disks| disks.restart(self.files.roots));
        }
        let planned_ns = self.first_start;
        self.run(observer)?;
        Ok(planned_ns)
    }

    fn run(&mut self, observer: &mut dyn JobsObserver) -> Result<(), JobsError> {
        let begin = self.clock.now();
        let (mut status_at, mut eta_at) = (self.status_ms, self.eta_ms);
        loop {
            self.poll_commands();
            if !self.stop.is_raised() {
                self.arm_ready()?;
                self.follow_observations();
                self.start_armed();
            }
            self.end_busy_jobs();
            let mut naps = POLL;
            let mut running = false;
            for place in 0..self.runs.len() {
                if self.poll_instance(place)? {
                    running = true;
                    naps = naps.min(self.poll_interval(place));
                }
            }
            self.follow_observations();
            let waits = self.runs.iter().any(|run| matches!(run.state, InstanceState::Waiting));
            let commands_run = !self.commands.is_empty();
            if !running && !commands_run && (!waits || self.stop.is_raised()) {
                return Ok(());
            }
            let passed_ms = (self.clock.now() - begin) / 1_000_000;
            let is_due = self.status_ms > 0 && passed_ms >= status_at;
            if running && (is_due || observer.wants_status()) {
                status_at += if is_due { self.status_ms } else { 0 };
                let results = self.runs.iter().map(|m| self.partial_result(m, begin)).collect();
                observer.on_status(results, self.disk_usage(passed_ms));
            }
            if self.eta_ms > 0 && passed_ms >= eta_at {
                eta_at += self.eta_ms;
                observer.on_progress(&eta_state(self.runs, self.clock.now()), passed_ms);
            }
            let connects = self.runs.iter().any(|run| run.resources.link.is_some());
            if running || commands_run || connects {
                thread::sleep(naps);
            }
        }
    }

    fn follow_observations(&mut self) {
        for observation in &mut self.observations {
            observation.follow(self.runs, self.files.roots);
        }
    }

    /// Ends `cpuio` jobs with `exit_on_io_done` when no other job is left.
    fn end_busy_jobs(&mut self) {
        let is_busy = |run: &InstanceRun<'_>| run.section.options.engine.engine == Engine::CpuIo;
        if self.runs.iter().any(|run| !is_busy(run) && !run.is_done()) {
            return;
        }
        for run in self.runs.iter_mut().filter(|run| is_busy(run)) {
            run.timing.is_ending |= run.section.options.engine.cpu.exit_on_io_done;
        }
    }

    fn partial_result(&self, run: &InstanceRun<'_>, begin: u64) -> fio::results::JobResult {
        let now = self.clock.now();
        let left = run.remaining_time(now).map_or(0, |left| left.0.div_ceil(1_000_000_000));
        run.result((now - begin) / 1_000_000_000, left)
    }

    pub(super) fn disk_usage(&self, elapsed_ms: u64) -> Vec<DiskUse> {
        let usage = |disks: &DiskCounters| disks.usage_since_start(elapsed_ms, self.files.roots);
        self.disks.as_ref().map(usage).unwrap_or_default()
    }

    fn poll_interval(&self, place: usize) -> Duration {
        let run = &self.runs[place];
        let left = run.remaining_time(self.clock.now()).map_or(u64::MAX, |left| left.0);
        let is_first = run.totals.elapsed_ns == 0 && run.plan.job.stop.time.is_none();
        // Each session of several ends at a time of its own.
        if left < 10_000_000 || is_first || run.verification.is_some() { POLL_SHORT } else { POLL }
    }

    fn arm_ready(&mut self) -> Result<(), JobsError> {
        let open = (0..self.runs.len()).filter(|&place| !self.is_over(place));
        let Some(wave) = open.map(|place| self.runs[place].instance.wave).min() else {
            return Ok(());
        };
        for place in 0..self.runs.len() {
            let run = &self.runs[place];
            let waiting = matches!(run.state, InstanceState::Waiting) && !self.has_command(place);
            if !waiting || run.instance.wave != wave || !self.is_predecessor_done(run) {
                continue;
            }
            if run.timing.is_ending {
                self.runs[place].state = InstanceState::Done;
                continue;
            }
            if let Err(text) = self.files.allow_removal(&self.runs[place]) {
                self.runs[place].fail(EPERM, text);
                self.runs[place].state = InstanceState::Done;
                continue;
            }
            if !self.runs[place].commands.is_prepared {
                self.runs[place].commands.is_prepared = true;
                if self.start_command_line(place, "prerun") {
                    continue;
                }
            }
            if !self.runs[place].connect(self.clock.now()) {
                continue;
            }
            self.logs.open(place, &self.runs[place], unix_ms())?;
            let run = &mut self.runs[place];
            run.resources.memory = lock_memory(run.section, self.files.roots)?;
            // At its start and not before: an earlier job may have filled the cache.
            if run.section.options.target.invalidate {
                run.drop_caches();
            }
            self.arm(place)?;
        }
        Ok(())
    }

    /// Starts `exec_prerun` or `exec_postrun`; whether there is one.
    fn start_command_line(&mut self, place: usize, when: &'static str) -> bool {
        let section = self.runs[place].section;
        let options = &section.options.run;
        let line = if when == "prerun" { &options.exec_prerun } else { &options.exec_postrun };
        let Some(line) = line.clone() else { return false };
        let (section, results) = (section.clone(), self.logs.results.clone());
        let stop = self.stop.clone();
        let run = move || run_line(&section, results.as_ref(), (&line, when), &stop);
        self.commands.push((place, thread::spawn(run)));
        true
    }

    /// Fails the jobs whose commands failed.
    fn poll_commands(&mut self) {
        let (ended, running) =
            std::mem::take(&mut self.commands).into_iter().partition(|(_, it)| it.is_finished());
        self.commands = running;
        let ended: Vec<(usize, CommandThread)> = ended;
        for (place, command) in ended {
            if let Err(text) = command.join().unwrap_or_else(|_| Err("it was lost".to_owned())) {
                let run = &mut self.runs[place];
                match run.report.error.errno {
                    0 => run.fail(EIO, text),
                    // What failed before says more of the disk.
                    _ => run.report.notes.push(text),
                }
                self.apply_exitall(place);
            }
        }
    }

    /// Starts the program of the engine `exec` with its job.
    fn start_program(&mut self, place: usize) {
        let (results, run) = (self.logs.results.as_ref(), &mut self.runs[place]);
        if run.commands.program.is_some()
            || run.timing.is_ending
            || self.clock.now() < run.timing.start_ns
        {
            return;
        }
        match RunningProgram::start(run.section, results) {
            Ok(program) => run.commands.program = program,
            Err(text) => run.fail(EIO, text),
        }
    }

    fn arm(&mut self, place: usize) -> Result<(), JobsError> {
        let options = self.logs.session_options(place);
        let run = &mut self.runs[place];
        if run.files.writes {
            self.files.own.begin_writes(&run.files.entries);
        }
        let (job, options) = run.next_session(options);
        let arm = || ArmedSession::new(&job, &run.files.targets, self.clock, &options);
        let armed = start_in_group(&self.groups, run.section, arm)??;
        run.state = InstanceState::Armed(Box::new(armed));
        Ok(())
    }

    fn is_predecessor_done(&self, run: &InstanceRun<'_>) -> bool {
        let Some(name) = &run.section.options.run.wait_for else { return true };
        let is_awaited = |&place: &usize| self.runs[place].section.name == *name;
        (0..self.runs.len()).filter(is_awaited).all(|place| self.is_over(place))
    }

    fn has_command(&self, place: usize) -> bool {
        self.commands.iter().any(|(of, _)| *of == place)
    }

    /// Whether a job is done, and its commands too.
    fn is_over(&self, place: usize) -> bool {
        self.runs[place].is_done() && !self.has_command(place)
    }

    /// Starts all armed sessions at one instant; a missed instant is now.
    fn start_armed(&mut self) {
        let count = self.runs.iter().filter(|run| run.is_running()).count();
        let start_ns = match self.first_start.take() {
            Some(planned_ns) => planned_ns.max(self.clock.now()),
            None => ArmedSession::common_start(self.clock),
        };
        for (place, run) in self.runs.iter_mut().enumerate() {
            let state = std::mem::replace(&mut run.state, InstanceState::Waiting);
            run.state = match state {
                InstanceState::Armed(armed) => {
                    let first = run.timing.start_ns == 0;
                    let delay = if first { run.timing.delay_ns } else { 0 };
                    if first {
                        run.timing.start_ns = start_ns + delay;
                        run.timing.started_ms = unix_ms() + delay / 1_000_000;
                    }
                    InstanceState::Running(Box::new(armed.start(start_ns + delay, place, count)))
                }
                other => other,
            };
        }
    }

    fn poll_instance(&mut self, place: usize) -> Result<bool, JobsError> {
        if self.runs[place].is_running() {
            self.start_program(place);
        }
        let clock = self.clock;
        let stopped = self.stop.is_raised();
        let run = &mut self.runs[place];
        let InstanceState::Running(session) = &mut run.state else { return Ok(false) };
        let running = session.poll(clock, stopped || run.timing.is_ending, &mut |_| {});
        let (tally, newest, logs) =
            (&mut run.totals, &mut run.report.latest_rates, &mut *self.logs);
        let seconds = run.plan.job.interval.0 as f64 / 1e9;
        session.stream_intervals(&mut |interval| {
            for (place, direction) in super::running_totals::REPORTED_DIRECTIONS.iter().enumerate()
            {
                let part = interval.directions[*direction as usize].as_ref();
                let (ops, bytes) = part.map_or((0, 0), |part| (part.ops, part.bytes));
                newest[place] = (ops as f64 / seconds, bytes as f64 / seconds);
            }
            tally.add_interval(&interval);
            logs.record_interval(place, &interval);
        });
        let start_ns = run.timing.start_ns + run.plan.job.warm_up.0;
        let verification = &mut run.verification;
        session.drain_trace(&mut |traced| {
            logs.record_operation(place, traced, start_ns);
            if let Some(verification) = verification {
                verification.record_completion(traced);
            }
        });
        if running {
            match run.goals.check(&run.totals) {
                Some(GoalEnd::Steady) => run.timing.is_ending = true,
                Some(GoalEnd::Failed(errno, text)) => run.fail(errno, text),
                None => {}
            }
            return Ok(true);
        }
        self.end_session(place)
    }

    /// Ends a session; whether another follows.
    fn end_session(&mut self, place: usize) -> Result<bool, JobsError> {
        let run = &mut self.runs[place];
        let InstanceState::Running(session) =
            std::mem::replace(&mut run.state, InstanceState::Waiting)
        else {
            return Ok(false);
        };
        let outcome = session.into_outcome();
        self.files.update_created_names(run);
        if run.files.writes {
            self.files.own.end_writes(&run.files.entries);
        }
        for interval in &outcome.intervals {
            self.logs.record_interval(place, interval);
        }
        if run.finish_session(&outcome, self.clock) {
            // It arms at once, not with its wave.
            if std::mem::take(&mut run.upcoming.between_passes)
                && run.section.options.target.unlink_each_loop
            {
                self.files.recreate_files(run.section, &mut run.files)?;
            }
            self.arm(place)?;
            self.start_armed();
            return Ok(true);
        }
        run.state = InstanceState::Done;
        let program = run.commands.program.take();
        self.commands.extend(program.map(|it| (place, thread::spawn(|| it.end()))));
        run.sync_at_end();
        if run.section.options.target.unlink {
            for entry in &run.files.entries {
                if !self.files.own.remove(&run.section.name, entry)? {
                    run.report.notes.push(not_removed_note(entry.path()));
                }
            }
        }
        self.logs.finish(place, outcome.elapsed_ns);
        self.start_command_line(place, "postrun");
        self.apply_exitall(place);
        Ok(false)
    }

    fn apply_exitall(&mut self, place: usize) {
        let run = &self.runs[place];
        let options = &run.section.options;
        let failed = run.report.error.errno != 0;
        if !(options.run.exitall || (options.errors.exitall_on_error && failed)) {
            return;
        }
        let (group, wave) = (run.instance.group, run.instance.wave);
        let what = options.run.exit_what;
        for other in self.runs.iter_mut().filter(|other| !other.is_done()) {
            other.timing.is_ending |= match what {
                ExitWhat::Group => other.instance.group == group,
                ExitWhat::Stonewall => other.instance.wave == wave,
                ExitWhat::All => true,
            };
        }
    }
}

fn eta_state(runs: &[InstanceRun<'_>], now_ns: u64) -> EtaState {
    let running: Vec<&InstanceRun<'_>> = runs.iter().filter(|m| m.is_running()).collect();
    let mut state = EtaState {
        letters: runs.iter().map(InstanceRun::eta_letter).collect(),
        ..EtaState::default()
    };
    state.running = running.len() as u32;
    state.open_files = running.iter().map(|m| m.files.targets.len() as u32).sum();
    for run in &running {
        for (place, (iops, bytes)) in run.report.latest_rates.iter().enumerate() {
            state.iops[place] += *iops as u64;
            state.rate[place] += *bytes as u64;
        }
        let rate = &run.section.options.rate;
        state.rate_limits.0 += rate.rate_min.iter().sum::<u64>();
        state.rate_limits.1 += rate.rate.iter().sum::<u64>();
        state.iops_limits.0 += rate.rate_iops_min.iter().sum::<u64>();
        state.iops_limits.1 += rate.rate_iops.iter().sum::<u64>();
    }
    let left = runs.iter().filter(|m| !m.is_done()).filter_map(|m| m.remaining_time(now_ns)).max();
    if let Some(left) = left {
        let ran =
            running.iter().map(|m| now_ns.saturating_sub(m.timing.start_ns)).max().unwrap_or(0);
        state.eta_s = Some(left.0.div_ceil(1_000_000_000));
        state.percent = (ran > 0).then(|| ran as f64 * 100.0 / (ran + left.0) as f64);
    }
    state
}
