//! Commands that jobs start, where the user allows it: `exec_prerun`, `exec_postrun`, and the
//! program of the engine `exec`.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use engine::StopSignal;
use fio::plan::Section;
use output::{Destination, Destinations};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::result_files::open_command_file;

/// Between two looks at a program.
const PAUSE: Duration = Duration::from_millis(10);

/// What a line of the shell has to end after a stop.
const LINE_GRACE: Duration = Duration::from_secs(5);

/// What ends a command: a signal to it, or to its process group.
type Kill = fn(Pid, Signal) -> rustix::io::Result<()>;

/// The commands that run. A command is waited for with the lock held, so that each number in the
/// list is that of a command.
static RUNNING: Mutex<Vec<(Pid, Kill)>> = Mutex::new(Vec::new());

/// How long [`kill_commands`] waits for a thread that looks at its command.
const KILL_WAIT: Duration = Duration::from_millis(200);

/// Kills the commands of all jobs, for a program that ends at once.
pub fn kill_commands() {
    let begun = Instant::now();
    let running = loop {
        match RUNNING.try_lock() {
            Ok(running) => break running,
            Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
            // The thread that panicked may hold it.
            Err(TryLockError::WouldBlock) if begun.elapsed() > KILL_WAIT => return,
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
        }
    };
    for (id, kill) in running.iter() {
        // It fails where the command has ended.
        let _ = kill(*id, Signal::KILL);
    }
}

/// A command that runs, in the list of all.
#[derive(Debug)]
struct RunningCommand {
    child: Child,
    id: Option<Pid>,
    kill: Kill,
}

impl RunningCommand {
    fn spawn(command: &mut Command, kill: Kill) -> io::Result<Self> {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.spawn()?;
        let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        running.extend(id.map(|id| (id, kill)));
        Ok(Self { child, id, kill })
    }

    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let status = self.child.try_wait()?;
        if status.is_some() {
            running.retain(|(id, _)| Some(*id) != self.id);
        }
        Ok(status)
    }

    /// Asks it to end, and ends it after its time of grace.
    fn end(&mut self, grace: Duration) -> io::Result<ExitStatus> {
        let asked = Instant::now();
        self.send(Signal::TERM);
        let mut is_killed = false;
        loop {
            if let Some(status) = self.try_wait()? {
                return Ok(status);
            }
            if asked.elapsed() >= grace && !std::mem::replace(&mut is_killed, true) {
                self.send(Signal::KILL);
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// A child that is not waited for keeps its number.
    fn send(&self, signal: Signal) {
        // It fails where the command has ended.
        let _ = self.id.map(|id| (self.kill)(id, signal));
    }
}

/// Runs a line of the shell, with its output in a file named after the job and `when`. A stop ends
/// it, and what it started; that is no failure.
pub(super) fn run_line(
    section: &Section,
    results: Option<&Destinations>,
    (line, when): (&str, &str),
    stop: &StopSignal,
) -> Result<(), String> {
    let name = format!("{}.{when}.txt", section.name);
    let mut out = open_command_file(results, section, &name).map_err(|error| error.to_string())?;
    let mut run = || {
        let file = out.descriptor()?;
        let mut command = Command::new("sh");
        command.arg("-c").arg(line).stdin(Stdio::null()).process_group(0);
        command.stdout(file.try_clone()?).stderr(file);
        let mut shell = RunningCommand::spawn(&mut command, kill_process_group)?;
        loop {
            if let Some(status) = shell.try_wait()? {
                return Ok(Some(status));
            }
            if stop.is_raised() {
                shell.end(LINE_GRACE)?;
                return Ok(None);
            }
            std::thread::sleep(PAUSE);
        }
    };
    let status = run().map_err(|error: io::Error| format!("exec_{when}: {error}"))?;
    out.commit().map_err(|error| error.to_string())?;
    match status {
        Some(status) if !status.success() => {
            Err(format!("exec_{when}: '{line}' ended with {status}"))
        }
        _ => Ok(()),
    }
}

/// The program of an `exec` job.
#[derive(Debug)]
pub(super) struct RunningProgram {
    command: RunningCommand,
    outputs: Vec<Destination>,
    grace: Duration,
}

impl RunningProgram {
    /// Starts the program of the job, if it has one.
    pub(super) fn start(
        section: &Section,
        results: Option<&Destinations>,
    ) -> Result<Option<Self>, String> {
        let exec = &section.options.engine.exec;
        let Some(program) = &exec.program else { return Ok(None) };
        let seconds = section.options.run.runtime_us / 1_000_000;
        let arguments = exec.arguments.replace("%r", &seconds.to_string());
        let arguments = arguments.replace("%n", &section.name);
        let mut words = program.split(' ').chain(arguments.split(' ')).filter(|w| !w.is_empty());
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        let mut outputs = Vec::new();
        let failed = |error: io::Error| format!("cannot start {program}: {error}");
        if exec.std_redirect {
            let mut open = |end: &str| {
                let name = format!("{}.{end}", section.name);
                let file = open_command_file(results, section, &name);
                let mut file = file.map_err(|error| error.to_string())?;
                let descriptor = file.descriptor().map_err(failed)?;
                outputs.push(file);
                Ok::<_, String>(descriptor)
            };
            command.stdout(open("stdout")?).stderr(open("stderr")?);
        }
        command.stdin(Stdio::null());
        let command = RunningCommand::spawn(&mut command, kill_process).map_err(failed)?;
        Ok(Some(Self { command, outputs, grace: Duration::from_secs(exec.grace_s.into()) }))
    }

    /// Asks the program to end, and ends it after its time of grace.
    pub(super) fn end(mut self) -> Result<(), String> {
        let status = match self.command.try_wait() {
            Ok(None) => self.command.end(self.grace),
            ended => ended.map(Option::unwrap_or_default),
        };
        status.map_err(|error| error.to_string())?;
        let mut files = std::mem::take(&mut self.outputs).into_iter();
        files.try_for_each(|file| file.commit().map_err(|error| error.to_string()))
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        if let Ok(None) = self.command.try_wait() {
            let _ = self.command.end(Duration::ZERO);
        }
    }
}
