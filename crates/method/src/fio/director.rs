//! What starts when, what ends what: fio's rules over the engine's sessions.

use std::thread;
use std::time::Duration;

use engine::{Armed, Clock, StopFlag};
use fio::options::job::ExitWhat;

use super::error::JobsError;
use super::files::Files;
use super::goals::End;
use super::logs::Logs;
use super::made::not_removed;
use super::member::{Member, State};
use super::{Gate, Talk, going, unix_ms};

/// Between two looks at the sessions.
const NAP: Duration = Duration::from_millis(5);
/// Between two looks while something is about to end.
const NAP_SHORT: Duration = Duration::from_micros(500);

/// The run of all instances.
pub(super) struct Director<'a, 'm, 'f> {
    pub(super) members: &'m mut [Member<'a>],
    pub(super) logs: &'m mut Logs,
    pub(super) clock: &'a Clock,
    pub(super) stop: &'a StopFlag,
    /// Milliseconds between two states of everything; 0 for none.
    pub(super) status_ms: u64,
    pub(super) eta_ms: u64,
    pub(super) files: &'m mut Files<'f>,
    /// When the first wave starts, as a reading of the clock: where somebody else says so.
    pub(super) first_start: Option<u64>,
}

impl Director<'_, '_, '_> {
    /// Runs everything to its end; where there is a gate, from the instant that it gives once the
    /// first wave is ready: that instant. `begins` is called just before, because what others did
    /// meanwhile is not of this run.
    pub(super) fn led(
        &mut self,
        gate: Option<Gate<'_>>,
        talk: &mut dyn Talk,
        begins: &mut dyn FnMut(),
    ) -> Result<Option<u64>, JobsError> {
        if let Some(gate) = gate {
            self.arm()?;
            let Some(planned_ns) = gate(self.clock) else { return Ok(None) };
            self.first_start = Some(planned_ns);
            begins();
        }
        let planned_ns = self.first_start;
        self.run(talk)?;
        Ok(planned_ns)
    }

    /// Runs everything to its end.
    fn run(&mut self, talk: &mut dyn Talk) -> Result<(), JobsError> {
        let begin = self.clock.now();
        let (mut status_at, mut eta_at) = (self.status_ms, self.eta_ms);
        loop {
            if !self.stop.is_raised() {
                self.arm()?;
                self.start();
            }
            let mut naps = NAP;
            let mut running = false;
            for place in 0..self.members.len() {
                if self.tend(place)? {
                    running = true;
                    naps = naps.min(self.nap(place));
                }
            }
            let waits = self.members.iter().any(|member| matches!(member.state, State::Waiting));
            if !running && (!waits || self.stop.is_raised()) {
                return Ok(());
            }
            let passed_ms = (self.clock.now() - begin) / 1_000_000;
            if self.status_ms > 0 && passed_ms >= status_at && running {
                status_at += self.status_ms;
                talk.status(self.members.iter().map(|m| self.so_far(m, begin)).collect());
            }
            if self.eta_ms > 0 && passed_ms >= eta_at {
                eta_at += self.eta_ms;
                talk.going(&going(self.members, self.clock.now()), passed_ms);
            }
            if running {
                thread::sleep(naps);
            }
        }
    }

    fn so_far(&self, member: &Member<'_>, begin: u64) -> fio::results::JobResult {
        let now = self.clock.now();
        let left = member.left(now).map_or(0, |left| left.0.div_ceil(1_000_000_000));
        member.result((now - begin) / 1_000_000_000, left)
    }

    /// How long this one may be left alone.
    fn nap(&self, place: usize) -> Duration {
        let member = &self.members[place];
        let left = member.left(self.clock.now()).map_or(u64::MAX, |left| left.0);
        if left < 10_000_000 || member.tally.elapsed_ns == 0 && member.work.job.stop.time.is_none()
        {
            NAP_SHORT
        } else {
            NAP
        }
    }

    /// Arms every instance whose turn it is.
    fn arm(&mut self) -> Result<(), JobsError> {
        let open = |m: &&Member<'_>| !m.is_done();
        let Some(wave) = self.members.iter().filter(open).map(|m| m.instance.wave).min() else {
            return Ok(());
        };
        for place in 0..self.members.len() {
            let member = &self.members[place];
            let waiting = matches!(member.state, State::Waiting);
            if !waiting || member.instance.wave != wave || !self.awaited_is_done(member) {
                continue;
            }
            if member.ending {
                self.members[place].state = State::Done;
                continue;
            }
            self.logs.open(place, &self.members[place], unix_ms())?;
            let extras = self.logs.extras(place);
            let member = &mut self.members[place];
            member.memory = super::memory::pin(member.section, self.files.roots)?;
            let (job, extras) = member.take_next(extras);
            let armed = Armed::new(&job, &member.ground.targets, self.clock, &extras)?;
            member.state = State::Armed(Box::new(armed));
        }
        Ok(())
    }

    fn awaited_is_done(&self, member: &Member<'_>) -> bool {
        let Some(name) = &member.section.options.time.wait_for else { return true };
        let awaited = self.members.iter().filter(|other| other.section.name == *name);
        awaited.into_iter().all(Member::is_done)
    }

    /// Starts what is armed, at one instant. Told too late, the first wave begins at once.
    fn start(&mut self) {
        let count = self.members.iter().filter(|member| member.is_running()).count();
        let start_ns = match self.first_start.take() {
            Some(planned_ns) => planned_ns.max(self.clock.now()),
            None => Armed::common_start(self.clock),
        };
        for (place, member) in self.members.iter_mut().enumerate() {
            let state = std::mem::replace(&mut member.state, State::Waiting);
            member.state = match state {
                State::Armed(armed) => {
                    let first = member.start_ns == 0;
                    let delay = if first { member.delay_ns } else { 0 };
                    if first {
                        member.start_ns = start_ns + delay;
                        member.started_ms = unix_ms() + delay / 1_000_000;
                    }
                    State::Running(Box::new(armed.start(start_ns + delay, place, count)))
                }
                other => other,
            };
        }
    }

    /// Looks after one instance; whether it is still on its way.
    fn tend(&mut self, place: usize) -> Result<bool, JobsError> {
        let clock = self.clock;
        let stopped = self.stop.is_raised();
        let member = &mut self.members[place];
        let State::Running(session) = &mut member.state else { return Ok(false) };
        let running = session.tend(clock, stopped || member.ending, &mut |_| {});
        let (tally, newest, logs) = (&mut member.tally, &mut member.newest, &mut *self.logs);
        let seconds = member.work.job.interval.0 as f64 / 1e9;
        session.give(&mut |interval| {
            for (place, direction) in super::tally::REPORTED.iter().enumerate() {
                let part = interval.directions[*direction as usize].as_ref();
                let (ops, bytes) = part.map_or((0, 0), |part| (part.ops, part.bytes));
                newest[place] = (ops as f64 / seconds, bytes as f64 / seconds);
            }
            tally.take(&interval);
            logs.interval(place, &interval);
        });
        let start_ns = member.start_ns + member.work.job.warm_up.0;
        let verification = &mut member.verification;
        session.traced(&mut |traced| {
            logs.operation(place, traced, start_ns);
            if let Some(verification) = verification {
                verification.note(traced);
            }
        });
        if running {
            match member.goals.look(&member.tally) {
                Some(End::Steady) => member.ending = true,
                Some(End::Failed(errno, text)) => member.fail(errno, text),
                None => {}
            }
            return Ok(true);
        }
        self.end(place)
    }

    /// Takes the end of a session; whether another follows.
    fn end(&mut self, place: usize) -> Result<bool, JobsError> {
        let member = &mut self.members[place];
        let State::Running(session) = std::mem::replace(&mut member.state, State::Waiting) else {
            return Ok(false);
        };
        let outcome = session.outcome();
        for interval in &outcome.intervals {
            self.logs.interval(place, interval);
        }
        if member.ended(&outcome) {
            // It arms anew at once: nobody waits for its turn again.
            if std::mem::take(&mut member.between_passes)
                && member.section.options.target.unlink_each_loop
            {
                self.files.anew(member.section, &mut member.ground)?;
            }
            let extras = self.logs.extras(place);
            let (job, extras) = member.take_next(extras);
            let armed = Armed::new(&job, &member.ground.targets, self.clock, &extras)?;
            member.state = State::Armed(Box::new(armed));
            self.start();
            return Ok(true);
        }
        member.state = State::Done;
        member.at_end();
        if member.section.options.target.unlink {
            for entry in &member.ground.entries {
                if !self.files.made.remove(&member.section.name, entry)? {
                    member.notes.push(not_removed(entry.path()));
                }
            }
        }
        self.logs.end(place, outcome.elapsed_ns);
        self.end_others(place);
        Ok(false)
    }

    /// `exitall` and `exitall_on_error`.
    fn end_others(&mut self, place: usize) {
        let member = &self.members[place];
        let time = &member.section.options.time;
        let failed = member.trouble.errno != 0;
        if !(time.exitall || (time.exitall_on_error && failed)) {
            return;
        }
        let (group, wave) = (member.instance.group, member.instance.wave);
        let what = time.exit_what;
        for other in self.members.iter_mut().filter(|other| !other.is_done()) {
            other.ending |= match what {
                ExitWhat::Group => other.instance.group == group,
                ExitWhat::Stonewall => other.instance.wave == wave,
                ExitWhat::All => true,
            };
        }
    }
}
