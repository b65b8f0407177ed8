//! A result as a plugin of Nagios, Icinga or Naemon prints it: one line with performance data, and
//! their exit statuses.

use std::cell::Cell;

use record::{Record, Trust};
use units::ErrorKind;

use crate::args::FailOn;
use crate::exit::{Exit, Failure, Outcome, PluginState};
use crate::output::{self, Outputs};
use crate::terminal;

/// The line of a plugin. A bar would end its text.
pub(crate) fn format_line(state: PluginState, text: &str, data: &[String]) -> String {
    let text = text.replace('|', "/").split_whitespace().collect::<Vec<_>>().join(" ");
    let data = if data.is_empty() { String::new() } else { format!(" | {}", data.join(" ")) };
    format!("TRUEDISK {} - {text}{data}\n", state.word())
}

/// A value of performance data: `'random read 4k p99'=0.0012s;;;0`.
pub(crate) fn format_value(label: &str, value: f64, unit: &str, critical: Option<f64>) -> String {
    let label: String =
        label.chars().filter(|c| !matches!(c, '\'' | '=' | '|') && !c.is_control()).collect();
    let critical = critical.map(|value| value.to_string()).unwrap_or_default();
    format!("'{label}'={value}{unit};;{critical};0")
}

/// Whether this process is a plugin: of wrong arguments nothing else is known.
pub(crate) fn is_asked() -> bool {
    output::command_line().iter().any(|word| word == "--nagios")
}

/// What went wrong, as the state that is unknown.
pub(crate) fn report_failure(failure: Failure) -> Outcome {
    terminal::print(&format_line(PluginState::Unknown, &failure.message, &[]))?;
    Ok(Exit::Nagios(PluginState::Unknown))
}

/// Runs a check that prints the line instead of its report.
pub(crate) fn run_as_plugin(
    outputs: Outputs,
    fail_on: Option<FailOn>,
    run: impl FnOnce(Outputs, Option<output::ReportText<'_>>) -> Outcome,
) -> Outcome {
    if outputs.uses_stdout() {
        let message = "--nagios and a result at - both print to stdout";
        return Err(Failure::wrong(message).hint("write the result to a file: --json FILE"));
    }
    let state = Cell::new(PluginState::Unknown);
    let text = |record: &Record| {
        state.set(check_state(record, fail_on));
        Some(format_check(record, state.get()))
    };
    Ok(match run(outputs, Some(&text))? {
        Exit::Error(ErrorKind::Interrupted | ErrorKind::Failed) => {
            Exit::Nagios(PluginState::Unknown)
        }
        _ => Exit::Nagios(state.get()),
    })
}

/// What is not met is critical; numbers that need care are a warning.
fn check_state(record: &Record, fail_on: Option<FailOn>) -> PluginState {
    let trust = record.judgement_or_default().verdict.as_ref().map(|verdict| verdict.trust);
    match (output::record_exit(record, fail_on), trust) {
        (Exit::Error(ErrorKind::NotMet), _) => PluginState::Critical,
        (Exit::Done, Some(Trust::Sound)) => PluginState::Ok,
        (Exit::Done, Some(_)) => PluginState::Warning,
        _ => PluginState::Unknown,
    }
}

fn format_check(record: &Record, state: PluginState) -> String {
    let verdict = record.judgement_or_default().verdict.as_ref();
    let headline = verdict.map(|verdict| terminal::tell(verdict.headline.clone()));
    let mut data = Vec::new();
    for figure in report::list_key_figures(record) {
        data.extend(
            figure.iops.map(|iops| format_value(&format!("{} iops", figure.label), iops, "", None)),
        );
        data.extend(
            figure
                .p99_ns
                .map(|ns| format_value(&format!("{} p99", figure.label), ns / 1e9, "s", None)),
        );
    }
    format_line(state, &headline.unwrap_or_else(|| terminal::say("badge-reason-nothing")), &data)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(spoil: impl Fn(&mut Record)) -> Record {
        let mut record = record::fixture::ssd_record();
        spoil(&mut record);
        record.judgement = Some(analysis::judge(&record.measured));
        record
    }

    #[test]
    fn a_line_has_its_state_one_bar_and_values() {
        let line = format_line(
            PluginState::Critical,
            "75|25\nmix",
            &[format_value("a='b'|c p99", 0.0012, "s", Some(0.001))],
        );
        assert_eq!(line, "TRUEDISK CRITICAL - 75/25 mix | 'abc p99'=0.0012s;;0.001;0\n");
        assert_eq!(format_line(PluginState::Ok, "x", &[]), "TRUEDISK OK - x\n");
    }

    #[test]
    fn a_check_is_ok_a_warning_critical_or_unknown() {
        let sound = judged(|_| {});
        let state = check_state(&sound, Some(FailOn::Warning));
        assert_eq!(state, PluginState::Ok);
        let line = format_check(&sound, state);
        assert!(line.starts_with("TRUEDISK OK - ") && line.matches('|').count() == 1, "{line}");
        assert!(line.contains("'random read 4k, depth 1 iops'="), "{line}");
        assert!(line.contains(" p99'=0.0"), "{line}");
        let invalid = judged(|record| {
            let cells = record.measured.cells.iter_mut();
            cells.for_each(|cell| cell.ledger.layers[0].read_bytes = units::Bytes(0));
        });
        assert_eq!(check_state(&invalid, None), PluginState::Warning);
        assert_eq!(check_state(&invalid, Some(FailOn::Invalid)), PluginState::Critical);
        let nothing = judged(|record| {
            record.measured.cells.clear();
            let reason = message::Message::from_text("gone");
            record.measured.completion = record::Completion::Partial { reason, failed: true };
        });
        assert_eq!(check_state(&nothing, Some(FailOn::Invalid)), PluginState::Unknown);
        assert_eq!([PluginState::Ok, PluginState::Unknown].map(PluginState::status), [0, 3]);
    }
}
