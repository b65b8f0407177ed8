//! `truedisk ping`, and the same binary called `ioping`.
//!
//! `words` reads the line as getopt does, by the one `table` of options; `settings` says what is
//! meant; `voice` prints.

mod getopt;
mod numbers;
mod printer;
mod settings;
mod table;

use std::ffi::OsString;
use std::io;
use std::sync::Arc;

use ::ping::{PingError, PingOutcome, PingSettings, PingStop, RequestError, ping};
use engine::SingleRequestError;
use target::Roots;

use crate::output::Outputs;
use crate::{Failure, Outcome, output, signals, terminal};
use printer::{BufferedStdout, Printer};
use settings::{DisplayOptions, ParsedCommand};

/// Exit statuses: those of every command of truedisk, and those of ioping.
#[derive(Debug, Clone, Copy)]
struct ExitStatuses {
    usage: u8,
    failed: u8,
    as_ioping: bool,
}

/// ioping's status of a second Ctrl-C.
const SECOND_SIGNAL_STATUS: i32 = 4;
/// ioping's status of a request that io_submit does not take.
const SUBMIT_FAILED_STATUS: u8 = 1;
const INTERRUPTED: u8 = 130;

impl ExitStatuses {
    fn for_caller(as_ioping: bool) -> Self {
        match as_ioping {
            true => Self { usage: 1, failed: 3, as_ioping },
            false => Self { usage: 2, failed: 1, as_ioping },
        }
    }

    /// Of a run that a request has ended.
    fn status_of_request(self, failure: &RequestError) -> u8 {
        match failure {
            RequestError::Around(SingleRequestError::Submit(_)) if self.as_ioping => {
                SUBMIT_FAILED_STATUS
            }
            _ => self.failed,
        }
    }

    /// Of what could not be made ready.
    fn status_of_preparation(self, error: &PingError) -> u8 {
        match error {
            _ if !self.as_ioping => crate::exit_code(error.kind()),
            // ioping lets the first request fail.
            PingError::Misaligned(_) => self.failed,
            _ => 2,
        }
    }
}

/// Reads the words, pings, tells.
pub(crate) fn run(args: &[OsString], as_ioping: bool) -> Outcome {
    let statuses = ExitStatuses::for_caller(as_ioping);
    let wrong = |message: String| {
        let help = if as_ioping { "ioping -h" } else { "truedisk ping -h" };
        Failure::new(message, Some(format!("`{help}` lists the options")), statuses.usage)
    };
    if as_ioping && args.is_empty() {
        terminal::print(&table::help_text(as_ioping))?;
        return Ok(statuses.usage);
    }
    let words = getopt::parse_arguments(args, as_ioping).map_err(wrong)?;
    let (mut settings, look) = match settings::parse_settings(words, as_ioping).map_err(wrong)? {
        ParsedCommand::Help => {
            terminal::print(&table::help_text(as_ioping))?;
            return Ok(0);
        }
        ParsedCommand::Version => {
            terminal::print(&version_text(as_ioping))?;
            return Ok(0);
        }
        ParsedCommand::Ping(settings, look) => (settings, look),
    };
    settings.command = output::command_line();
    if settings.seed == 0 {
        settings.seed = output::random_seed()
            .map_err(|error| {
                let message = format!("cannot read /dev/urandom: {error}");
                Failure::new(message, None, statuses.failed)
            })?
            .0;
    }
    run_ping(&settings, &look, statuses)
}

/// As ioping says it: scripts look at it.
fn version_text(as_ioping: bool) -> String {
    match as_ioping {
        true => "ioping 1.3\n".to_owned(),
        false => format!("truedisk {}, ping as ioping 1.3\n", env!("CARGO_PKG_VERSION")),
    }
}

fn run_ping(settings: &PingSettings, look: &DisplayOptions, statuses: ExitStatuses) -> Outcome {
    let mut all = output::guarded_destinations(&settings.paths);
    let outputs = Outputs::open(&mut all, look.record.as_deref(), look.page.as_deref())?;
    let as_ioping = statuses.as_ioping;
    let bell = Arc::new(PingStop::default());
    let rung = bell.clone();
    let out = BufferedStdout::new();
    let said = out.clone();
    let second = move |signal: i32| {
        said.flush_before_exit();
        if as_ioping { SECOND_SIGNAL_STATUS } else { 128 + signal }
    };
    let caught =
        signals::call_on_signal(as_ioping, move || rung.raise(), second).map_err(|error| {
            Failure::new(format!("cannot watch for signals: {error}"), None, statuses.failed)
        })?;
    let mut printer = Printer::new(settings, look, as_ioping, bell.clone(), out);
    if settings.io.nowait && !settings.io.cached && !settings.io.direct {
        use ::ping::PingObserver as _;
        printer.on_warning("nowait without cached or direct I/O is supposed to fail");
    }
    let pinged = match ping(settings, &Roots::host(), &bell, &mut printer) {
        Ok(pinged) => pinged,
        Err(PingError::Interrupted) => return end_before_first_request(caught.number(), as_ioping),
        Err(error) => {
            let status = statuses.status_of_preparation(&error);
            return Err(Failure::new(error.to_string(), error.hint(), status));
        }
    };
    printer.print_end(&pinged)?;
    // Record and page are of one target.
    if let [one] = pinged.as_slice() {
        write_outputs(one, outputs)?;
    }
    let failure = pinged.iter().find_map(|one| Some((one, one.failure.as_ref()?)));
    if let Some((one, failure)) = failure {
        let message = format!("{}: {failure}", one.place.path);
        let status = statuses.status_of_request(failure);
        return Err(Failure::new(message, failure_hint(failure, settings), status));
    }
    let has_end = settings.schedule.count > 0 || settings.schedule.time.0 > 0;
    let interrupted = caught.number().is_some() && has_end && !as_ioping;
    Ok(if interrupted { INTERRUPTED } else { 0 })
}

/// Interrupted before the first request: nothing to tell. ioping listens only then, and dies of the
/// signal.
fn end_before_first_request(signal: Option<i32>, as_ioping: bool) -> Outcome {
    if let Some(signal) = signal.filter(|_| as_ioping) {
        signal_hook::low_level::emulate_default_handler(signal)?;
    }
    Ok(INTERRUPTED)
}

fn failure_hint(failure: &RequestError, settings: &PingSettings) -> Option<String> {
    let text = match failure {
        RequestError::Around(SingleRequestError::Forget(_) | SingleRequestError::Settle(_)) => {
            "try again with -C"
        }
        RequestError::Around(SingleRequestError::Submit(_)) => "try again without -A",
        RequestError::Failed { source, .. }
            if settings.io.direct && source.kind() == io::ErrorKind::InvalidInput =>
        {
            "direct I/O may not take requests of this size: change -s and -o, or leave out -D"
        }
        RequestError::Around(SingleRequestError::Arm { .. }) | RequestError::Failed { .. } => {
            return None;
        }
    };
    Some(text.to_owned())
}

/// Writes record and page where they were asked for.
fn write_outputs(one: &PingOutcome, outputs: Outputs) -> Result<(), Failure> {
    let none = || {
        let message = format!("{} is no file, folder or block device", one.place.path);
        Failure::new(message, Some("no record can be made of it".to_owned()), 2)
    };
    if outputs.json.is_none() && outputs.html.is_none() {
        return Ok(());
    }
    let record = one.record.as_ref().ok_or_else(none)?;
    if let Some(file) = outputs.json {
        let json = record::store::to_json(record).map_err(|error| {
            Failure::new(format!("cannot write the record as JSON: {error}"), None, 1)
        })?;
        output::write_json_output(file, &json)?;
    }
    if let Some(file) = outputs.html {
        let page = report::render_html(record)
            .map_err(|error| Failure::new(format!("cannot make the page: {error}"), None, 1))?;
        output::write_output(file, page.as_bytes())?;
    }
    Ok(())
}
