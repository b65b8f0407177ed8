//! The command: arguments and wiring; nothing else.
//! Everything that measures, judges or formats lives in the other crates.
#![forbid(unsafe_code)]

mod args;
mod capture;
mod check;
mod compare;
mod config;
mod devices;
mod exit;
mod fio;
mod fleet;
mod generate;
mod history;
mod limit;
mod model;
mod nagios;
mod output;
mod ping;
mod preset;
mod progress;
mod promise;
mod replay;
mod share;
mod signals;
mod site;
mod sweep;
mod terminal;
mod version;
mod watch;
#[cfg(test)]
mod words;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use args::{Arguments, Command, JsonArg};
use exit::{Exit, Failure, Outcome};
use report::Topic;
use site::Site;

fn main() -> ExitCode {
    signals::survive_file_size_limit();
    signals::exit_on_panic();
    let words: Vec<OsString> = std::env::args_os().collect();
    let called = words.first().and_then(|name| Path::new(name).file_name());
    let (outcome, name) = match words.get(1) {
        _ if called.is_some_and(|name| name == "fio") => (run_fio(&words[1..], true), "fio"),
        _ if called.is_some_and(|name| name == "ioping") => {
            (ping::run(&words[1..], true), "ioping")
        }
        Some(word) if word == "fio" => (run_fio(&words[2..], false), "fio"),
        Some(word) if word == "ping" => (ping::run(&words[2..], false), "truedisk"),
        // Not of the definition of the arguments, which it prints.
        Some(word) if word == "generate" => (generate::run(&words[2..]), "truedisk"),
        // clap knows neither their options nor help about itself.
        Some(word) if word == "help" && words[2..] == ["fio"] => {
            (run_fio(&["--help".into()], false), "fio")
        }
        Some(word) if word == "help" && words[2..] == ["ping"] => {
            (ping::run(&["--help".into()], false), "truedisk")
        }
        Some(word) if word == "help" && words[2..] == ["--help"] => {
            return run_truedisk(&["truedisk".into(), "--help".into()]);
        }
        _ => return run_truedisk(&words),
    };
    report_outcome(outcome, name)
}

/// On this host, or on those that `--client` names: before job files are read, which may come from
/// the standard input.
fn run_fio(words: &[OsString], as_fio: bool) -> Outcome {
    match fleet::find_clients(words) {
        Ok(None) => fio::run(words, as_fio),
        Ok(Some(call)) => fio::with_fio_status(fleet::run_clients(call)),
        Err(failure) => fio::with_fio_status(Err(failure)),
    }
}

fn run_truedisk(words: &[OsString]) -> ExitCode {
    match args::parse_words(words) {
        Ok(arguments) => {
            let arguments = match config::apply_settings(words, arguments) {
                Ok(arguments) => arguments,
                Err(failure) => return report_outcome(Err(failure), "truedisk"),
            };
            terminal::choose_language(arguments.lang.as_deref());
            terminal::set_verbose(arguments.verbose);
            report_outcome(dispatch(arguments), "truedisk")
        }
        Err(error) => match args::wrong_arguments(&error, words) {
            Some(failure) => report_outcome(Err(failure), "truedisk"),
            None if error.kind() == clap::error::ErrorKind::DisplayVersion
                && version::is_long(words) =>
            {
                report_outcome(version::print(), "truedisk")
            }
            // Help and version; clap knows which stream and status.
            None => {
                let _ = terminal::print_clap_message(&error);
                ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(u8::MAX))
            }
        },
    }
}

/// Says what went wrong, in the name that the command was called by.
fn report_outcome(outcome: Outcome, name: &str) -> ExitCode {
    let outcome = match outcome {
        Err(failure) if nagios::is_asked() => nagios::report_failure(failure),
        outcome => outcome,
    };
    let exit = outcome.unwrap_or_else(|failure| {
        if !failure.message.is_empty() {
            let hint = failure.hint.map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
            let words = format!("{name}: {}{hint}", failure.message);
            // The last line of defence: an error may quote foreign text.
            let _ = terminal::eprint_line(input::shorten_lines(&words));
        }
        failure.exit
    });
    ExitCode::from(exit.status())
}

/// `ping` and `fio` have the options of the programs that they imitate.
fn refuse_verbose(name: &str, words: &[OsString]) -> Result<(), Failure> {
    if !terminal::is_verbose() {
        return Ok(());
    }
    let message = format_args!("-v before {name}: its output has no longer form");
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    Err(Failure::wrong(message).hint(format!("truedisk {name} {}", words.join(" "))))
}

fn dispatch(arguments: Arguments) -> Outcome {
    match arguments.command.unwrap_or_default() {
        Command::Check(args) => check::run(&args, &Site::Local, check::open_outputs(&args)?),
        Command::Limit(args) => limit::run(&args, &Site::Local, limit::open_outputs(&args)?),
        Command::Replay(args) => replay::run(&args),
        Command::Sweep(args) => sweep::run(&args, &Site::Local, sweep::open_outputs(&args)?),
        Command::Preset(args) => preset::run(&args),
        Command::Metadata(args) => preset::run(&args.into()),
        Command::Model(args) => model::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::History(command) => history::run(&command),
        Command::Share(args) => share::run(&args),
        Command::Devices(args) => devices::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Capture(args) => capture::run(&args),
        Command::Fleet(args) => fleet::run(*args),
        Command::Agent(args) => fleet::run_agent(&args),
        Command::Ping { words } => {
            refuse_verbose("ping", &words)?;
            ping::run(&words, false)
        }
        Command::Fio { words } => {
            refuse_verbose("fio", &words)?;
            run_fio(&words, false)
        }
        Command::Explain { topic, json } => explain(topic, &json),
        Command::Config(json) => config::run(&json),
        Command::Schema(json) => {
            let json = JsonArg { json: json.json.or_else(|| Some("-".into())) };
            let file = output::open_json(&json)?;
            file.map_or(Ok(Exit::Done), |file| {
                let schema: serde_json::Value = serde_json::from_str(record::store::JSON_SCHEMA)?;
                output::write_json(file, &schema)
            })
        }
    }
}

fn explain(topic: Option<Topic>, json: &JsonArg) -> Outcome {
    if let Some(file) = output::open_json(json)? {
        let one = report::explanation_json;
        let all = || Topic::list().map(one).collect();
        return output::write_json(file, &topic.map_or_else(all, one));
    }
    let all = || report::render_explanations(terminal::style());
    let one = |topic| report::render_explanation(topic, terminal::style());
    terminal::print(&topic.map_or_else(all, one))?;
    Ok(Exit::Done)
}
