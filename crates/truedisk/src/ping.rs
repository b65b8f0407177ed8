//! `truedisk ping`, and the same binary called `ioping`.

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
use record::Record;
use target::Roots;
use units::{ErrorKind, group_digits};
use workload::{Bound, Statistic};

use crate::exit::{Exit, Failure, IOPING_SECOND_SIGNAL, Outcome, PluginState, signal_status};
use crate::nagios;
use crate::output::{self, Outputs};
use crate::{signals, terminal};
use printer::{BufferedStdout, Printer};
use settings::{DisplayOptions, ParsedCommand};

pub(crate) fn run(args: &[OsString], as_ioping: bool) -> Outcome {
    let usage = Exit::Error(if as_ioping { ErrorKind::Failed } else { ErrorKind::WrongRequest });
    let wrong = |message: String| {
        let help = if as_ioping { "ioping -h" } else { "truedisk ping -h" };
        Failure::wrong(message).hint(format!("`{help}` lists the options")).exit(usage)
    };
    if as_ioping && args.is_empty() {
        terminal::print(&table::help_text(as_ioping))?;
        return Ok(usage);
    }
    let arguments = getopt::parse_arguments(args, as_ioping).map_err(wrong)?;
    match settings::parse_settings(arguments, as_ioping).map_err(wrong)? {
        ParsedCommand::Help => terminal::print(&table::help_text(as_ioping))?,
        // ioping's own words: scripts read them.
        ParsedCommand::Version if as_ioping => terminal::print("ioping 1.3\n")?,
        ParsedCommand::Version => terminal::print_line(format_args!(
            "truedisk {}, ping as ioping 1.3",
            env!("CARGO_PKG_VERSION")
        ))?,
        ParsedCommand::Ping(mut settings, display) => {
            terminal::choose_language(display.language.as_deref());
            settings.command = output::command_line();
            let seed = Some(settings.seed).filter(|seed| *seed != 0);
            settings.seed = output::seed_or_random(seed)?.0;
            return run_ping(&settings, &display, as_ioping);
        }
    }
    Ok(Exit::Done)
}

/// The options as `truedisk ping -h` lists them.
pub(crate) fn help_text() -> String {
    table::help_text(false)
}

fn run_ping(settings: &PingSettings, display: &DisplayOptions, as_ioping: bool) -> Outcome {
    let mut all = output::guarded_destinations(&settings.paths);
    let outputs = Outputs::open(&mut all, &display.result)?;
    let stop = Arc::new(PingStop::default());
    let raised = stop.clone();
    let stdout = BufferedStdout::new();
    let buffered = stdout.clone();
    let second = move |signal: i32| {
        buffered.flush_before_exit();
        if as_ioping { IOPING_SECOND_SIGNAL } else { signal_status(signal) }
    };
    let caught = signals::call_on_signal(as_ioping, move || raised.raise(), second)?;
    let mut printer = Printer::new(settings, display, as_ioping, stop.clone(), stdout);
    if settings.io.nowait && !settings.io.cached && !settings.io.direct {
        use ::ping::PingObserver as _;
        printer.on_warning("nowait without cached or direct I/O is supposed to fail");
    }
    let pinged = match ping(settings, &Roots::host(), &stop, &mut printer) {
        Ok(pinged) => pinged,
        Err(PingError::Interrupted) => {
            // ioping handles signals only after the first request, and dies of this one.
            if let Some(signal) = caught.number().filter(|_| as_ioping) {
                signal_hook::low_level::emulate_default_handler(signal)?;
            }
            return Ok(Exit::Error(ErrorKind::Interrupted));
        }
        Err(error) => {
            let exit = match error {
                _ if !as_ioping => Exit::Error(error.kind()),
                // ioping lets the first request fail.
                PingError::Misaligned(_) => Exit::RequestFailed,
                _ => Exit::Error(ErrorKind::WrongRequest),
            };
            return Err(Failure::new(error.kind(), &error, error.hint()).exit(exit));
        }
    };
    printer.print_end(&pinged)?;
    // Record and page are of one target.
    if let [one] = pinged.as_slice() {
        write_outputs(one, outputs)?;
    }
    if display.keep_run {
        keep_runs(&pinged)?;
    }
    let failure = pinged.iter().find_map(|one| Some((one, one.failure.as_ref()?)));
    if let Some((one, failure)) = failure {
        let message = format_args!("{}: {failure}", one.place.path);
        let is_refused = matches!(failure, RequestError::Around(SingleRequestError::Submit(_)));
        let exit = match as_ioping && !is_refused {
            true => Exit::RequestFailed,
            false => Exit::Error(ErrorKind::Failed),
        };
        let hint = failure_hint(failure, settings);
        return Err(Failure::new(ErrorKind::Failed, message, hint).exit(exit));
    }
    let has_end = settings.schedule.count > 0 || settings.schedule.time.0 > 0;
    let is_interrupted = caught.number().is_some() && has_end && !as_ioping;
    end_run(&pinged, display, is_interrupted)
}

/// The latency against its limit, as a plugin's line where that is asked.
fn end_run(pinged: &[PingOutcome], display: &DisplayOptions, is_interrupted: bool) -> Outcome {
    let (state, lines) = judge_latency(pinged, display.fail_on);
    if display.nagios {
        let data: Vec<String> =
            pinged.iter().flat_map(|one| latency_data(one, display.fail_on)).collect();
        terminal::print(&nagios::format_line(state, &lines.join("; "), &data))?;
        return Ok(Exit::Nagios(state));
    }
    if is_interrupted {
        return Ok(Exit::Error(ErrorKind::Interrupted));
    }
    if display.fail_on.is_none() {
        return Ok(Exit::Done);
    }
    let message = lines.join("; ");
    match state {
        PluginState::Ok | PluginState::Warning => Ok(Exit::Done),
        PluginState::Critical => Err(Failure::new(ErrorKind::NotMet, message, None)),
        PluginState::Unknown => {
            Err(Failure::failed(message).hint("more requests support it: -c COUNT"))
        }
    }
}

/// Whether each target kept below the latency, and in what it did not: all of them where a bound
/// is given, else the mean.
fn judge_latency(pinged: &[PingOutcome], bound: Option<Bound>) -> (PluginState, Vec<String>) {
    let judge = |one: &PingOutcome| {
        let path = &one.place.path;
        let requests = group_digits(one.times.count());
        let Some(Bound { statistic, limit }) = bound else {
            let mean = analysis::histogram_statistic(&one.times, Statistic::Mean);
            let words = match mean {
                Some(mean) => format!("{path}: mean {mean} of {requests} requests"),
                None => format!("{path}: no request was counted"),
            };
            return (if mean.is_some() { PluginState::Ok } else { PluginState::Unknown }, words);
        };
        match analysis::histogram_statistic(&one.times, statistic) {
            None => {
                let words = format!("{path}: {requests} requests do not support {statistic}");
                (PluginState::Unknown, words)
            }
            Some(found) if found > limit => {
                (PluginState::Critical, format!("{path}: {statistic} {found} is above {limit}"))
            }
            Some(found) => (PluginState::Ok, format!("{path}: {statistic} {found}, limit {limit}")),
        }
    };
    let (states, lines): (Vec<PluginState>, Vec<String>) = pinged.iter().map(judge).unzip();
    // A latency that is known to be too high is worse than an unknown one.
    let worst =
        |state: &PluginState| if *state == PluginState::Critical { 4 } else { state.status() };
    (states.into_iter().max_by_key(worst).unwrap_or(PluginState::Unknown), lines)
}

fn latency_data(one: &PingOutcome, bound: Option<Bound>) -> Vec<String> {
    let statistics = bound.map(|bound| bound.statistic).into_iter();
    let all = statistics.chain([Statistic::Mean, Statistic::Max]);
    let mut data: Vec<String> = Vec::new();
    for statistic in all {
        let Some(value) = analysis::histogram_statistic(&one.times, statistic) else { continue };
        let limit = bound.filter(|bound| bound.statistic == statistic);
        let limit = limit.map(|bound| bound.limit.as_secs_f64());
        let label = format!("{} {statistic}", one.place.path);
        let value = nagios::format_value(&label, value.as_secs_f64(), "s", limit);
        if !data.iter().any(|known| known.split('=').next() == value.split('=').next()) {
            data.push(value);
        }
    }
    data
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

/// The pings are done: that they cannot be kept is said, and changes no status.
fn keep_runs(pinged: &[PingOutcome]) -> Result<(), Failure> {
    for one in pinged.iter().filter(|one| one.record.is_none()) {
        let path = &one.place.path;
        let words = format!("truedisk: {path} is no file, folder or block device: not kept");
        terminal::eprint_line(words)?;
    }
    let records: Vec<Record> = pinged.iter().filter_map(|one| one.record.clone()).collect();
    output::keep_records(&records)
}

fn write_outputs(one: &PingOutcome, outputs: Outputs) -> Result<(), Failure> {
    if outputs.json.is_none() && outputs.html.is_none() {
        return Ok(());
    }
    let Some(record) = &one.record else {
        let path = &one.place.path;
        let message = format_args!("{path} is no file, folder or block device");
        return Err(Failure::wrong(message).hint("no record can be made of it"));
    };
    outputs.write(record)?;
    Ok(())
}
