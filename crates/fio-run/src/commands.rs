//! Commands that jobs start, where the user allows it: `exec_prerun`, `exec_postrun`, and the
//! program of the engine `exec`.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
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
        let mut shell = command.stdout(file.try_clone()?).stderr(file).spawn()?;
        loop {
            if let Some(status) = shell.try_wait()? {
                return Ok(Some(status));
            }
            if stop.is_raised() {
                end_child(&mut shell, LINE_GRACE, kill_process_group)?;
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

/// Asks a program to end, and ends it after its time of grace.
fn end_child(
    child: &mut Child,
    grace: Duration,
    kill: fn(Pid, Signal) -> rustix::io::Result<()>,
) -> io::Result<ExitStatus> {
    // A child that is not waited for keeps its number.
    let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let send = |signal| id.is_some_and(|id| kill(id, signal).is_ok());
    let asked = Instant::now();
    send(Signal::TERM);
    while asked.elapsed() < grace {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        std::thread::sleep(PAUSE);
    }
    send(Signal::KILL);
    child.wait()
}

/// The program of an `exec` job.
#[derive(Debug)]
pub(super) struct RunningProgram {
    child: Child,
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
        let child = command.stdin(Stdio::null()).spawn().map_err(failed)?;
        Ok(Some(Self { child, outputs, grace: Duration::from_secs(exec.grace_s.into()) }))
    }

    /// Asks the program to end, and ends it after its time of grace.
    pub(super) fn end(mut self) -> Result<(), String> {
        let status = match self.child.try_wait() {
            Ok(None) => end_child(&mut self.child, self.grace, kill_process),
            ended => ended.map(Option::unwrap_or_default),
        };
        status.map_err(|error| error.to_string())?;
        let mut files = std::mem::take(&mut self.outputs).into_iter();
        files.try_for_each(|file| file.commit().map_err(|error| error.to_string()))
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        // Nothing, if it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
