//! fio's own switches of the command line, and ours.

use super::spec::Support;
use std::fmt::Write as _;

/// One switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    pub name: &'static str,
    pub short: Option<char>,
    pub argument: Argument,
    pub help: &'static str,
    pub support: Support,
}

/// Whether a switch takes a value; the text is what to call it in the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    None,
    Required(&'static str),
    Optional(&'static str),
}

use Argument::{None as Alone, Optional, Required};

const fn new_switch(name: &'static str, argument: Argument, help: &'static str) -> Switch {
    Switch { name, short: None, argument, help, support: Support::Run }
}

const fn lettered(
    letter: char,
    name: &'static str,
    argument: Argument,
    help: &'static str,
) -> Switch {
    Switch { short: Some(letter), ..new_switch(name, argument, help) }
}

impl Switch {
    const fn noted(mut self, why: &'static str) -> Switch {
        self.support = Support::Noted(why);
        self
    }

    const fn refused(mut self, why: &'static str) -> Switch {
        self.support = Support::Refused(why);
        self
    }
}

const REMOTE: &str = "there is no server of fio's; truedisk fleet fio runs job files on many hosts";
const TRIGGER: &str = "commands are not started by a run; stop it from a script";

/// All switches, in the order of the help.
pub static SWITCHES: &[Switch] = &[
    lettered('d', "debug", Required("areas"), "Trace areas of the run: parse, random."),
    lettered('P', "parse-only", Alone, "Read options and job files, and end."),
    lettered('A', "merge-blktrace-only", Alone, "Merge traces, and end.")
        .refused("traces are not merged; use blkparse"),
    lettered('o', "output", Required("file"), "Write results to this file."),
    lettered('F', "output-format", Required("list"), "Of normal, json, json+, terse; with commas."),
    lettered('m', "minimal", Alone, "The same as --output-format=terse."),
    lettered('f', "append-terse", Alone, "Terse results after the others."),
    lettered('V', "terse-version", Required("number"), "Layout of terse results: 2, 3, 4 or 5."),
    lettered('b', "bandwidth-log", Alone, "Logs of bytes per second of all jobs together.")
        .noted("rates are logged by job; use write_bw_log in the global section"),
    lettered('v', "version", Alone, "Tell the version, and end."),
    lettered('h', "help", Alone, "Print this text, and end."),
    lettered(
        'c',
        "cmdhelp",
        Optional("option"),
        "List options, or tell all about one; all for all.",
    ),
    lettered('i', "enghelp", Optional("engine[,option]"), "List engines, or options of one."),
    lettered('s', "showcmd", Alone, "Print job files as options of the command line."),
    lettered('T', "cpuclock-test", Alone, "Check the processor's clock, and end.")
        .refused("the clock is not tested; see /sys/devices/system/clocksource"),
    lettered('G', "crctest", Optional("list"), "Measure checksums, and end.")
        .refused("checksums are not measured; compare runs with verify= instead"),
    lettered('e', "eta", Required("when"), "When progress is shown: always, never, auto."),
    lettered('O', "eta-interval", Required("time"), "Time between lines of progress."),
    lettered('E', "eta-newline", Required("time"), "Start a new line of progress each time."),
    lettered('L', "status-interval", Required("time"), "Print results so far each time."),
    lettered('r', "readonly", Alone, "Refuse to write or to trim."),
    lettered('x', "section", Required("name"), "Run only this section; may be given again."),
    lettered('a', "alloc-size", Required("KiB"), "Size of fio's shared memory.")
        .noted("no shared memory has to be set aside"),
    lettered('w', "warnings-fatal", Alone, "Take warnings about options as errors."),
    lettered('j', "max-jobs", Required("number"), "Most instances of one run."),
    lettered(
        'I',
        "idle-prof",
        Required("what"),
        "Idle time of processors: system, percpu, calibrate.",
    ),
    lettered('K', "aux-path", Required("folder"), "Folder for files that keep a state."),
    lettered('p', "profile", Required("name"), "A built-in workload.")
        .refused("built-in profiles are not run; write the workload as a job file"),
    lettered('S', "server", Optional("address"), "Wait for jobs of clients.").refused(REMOTE),
    lettered('D', "daemonize", Required("file"), "Run the server in the background.")
        .refused(REMOTE),
    lettered('C', "client", Required("host"), "Have the agent of this host run the jobs."),
    lettered('R', "remote-config", Required("file"), "Job file on the server.").refused(REMOTE),
    lettered('X', "inflate-log", Required("file"), "Print a compressed log, and end."),
    lettered(
        'W',
        "trigger-file",
        Required("file"),
        "Do what --trigger says when this file exists.",
    )
    .refused(TRIGGER),
    lettered('B', "trigger-timeout", Required("time"), "Do what --trigger says after this time.")
        .refused(TRIGGER),
    lettered('H', "trigger", Required("command"), "Command of the trigger.").refused(TRIGGER),
    lettered('J', "trigger-remote", Required("command"), "Command of the trigger on servers.")
        .refused(TRIGGER),
    new_switch("allow-exec", Alone, "Let jobs start commands: exec_prerun, ioengine=exec."),
    new_switch("no-findings", Alone, "Leave out what truedisk has to say about the result."),
    new_switch("keep-run", Alone, "Keep the run in the history of truedisk."),
    new_switch(
        "yes-destroy-data-on",
        Required("device"),
        "Write to this device whatever it holds, unless it is in use.",
    ),
];

/// The switch of this name, or of this letter.
pub fn find_switch(name: &str) -> Option<&'static Switch> {
    let mut letters = name.chars();
    let letter = letters.next().filter(|_| letters.next().is_none());
    SWITCHES.iter().find(|it| it.name == name || (letter.is_some() && it.short == letter))
}

/// Switches whose name begins with this; only the one, when the name is exact.
pub fn switches_with_prefix(name: &str) -> Vec<&'static Switch> {
    match find_switch(name) {
        Some(exact) => vec![exact],
        None if name.is_empty() => Vec::new(),
        None => SWITCHES.iter().filter(|it| it.name.starts_with(name)).collect(),
    }
}

/// Text of `--help`.
pub fn usage_text() -> String {
    let mut text = String::from("fio [options] [job options] <job file(s)>\n");
    for it in SWITCHES.iter().filter(|it| !matches!(it.support, Support::Refused(_))) {
        let left = match it.argument {
            Alone => it.name.to_owned(),
            Required(what) => format!("{}={what}", it.name),
            Optional(what) => format!("{}[={what}]", it.name),
        };
        let left = format!("--{left}");
        let note = if matches!(it.support, Support::Noted(_)) { " (no effect)" } else { "" };
        let _ = writeln!(text, "  {left:<28} {}{note}", it.help);
    }
    text.push_str("\nKnown, but not run; each tells what to use instead:\n");
    let mut line = String::from(" ");
    for it in SWITCHES.iter().filter(|it| matches!(it.support, Support::Refused(_))) {
        if line.len() + it.name.len() > 76 {
            let _ = writeln!(text, "{line}");
            line = String::from(" ");
        }
        let _ = write!(line, " --{}", it.name);
    }
    let _ = writeln!(text, "{line}\n\nJob options: --cmdhelp; engines: --enghelp.");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn names_and_letters_are_there_once() {
        for (i, it) in SWITCHES.iter().enumerate() {
            for other in &SWITCHES[i + 1..] {
                assert_ne!(it.name, other.name);
                assert!(
                    it.short.is_none() || it.short != other.short,
                    "{} {}",
                    it.name,
                    other.name
                );
            }
            assert!(
                crate::options::lookup::find_option(it.name).is_none_or(|o| o.name == "profile")
            );
        }
    }

    #[test]
    fn found_by_name_letter_and_start() {
        let check = |typed: &str, expected: &[&str]| {
            let names: Vec<&str> = switches_with_prefix(typed).iter().map(|it| it.name).collect();
            assert_eq!(names, expected, "{typed}");
        };
        check("output", &["output"]);
        check("output-f", &["output-format"]);
        check("h", &["help"]);
        check("trigger-", &["trigger-file", "trigger-timeout", "trigger-remote"]);
        check("nosuch", &[]);
        check("", &[]);
    }

    #[test]
    fn all_of_fios_own_are_known() {
        let Ok(out) = Command::new("fio").arg("--help").output() else { return };
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        if !text.contains("--debug") {
            return;
        }
        let mut count = 0;
        for line in text.lines().filter_map(|line| line.trim_start().strip_prefix("--")) {
            let end = line.find(['=', '\t', ' ', '[']).unwrap_or(line.len());
            let it = find_switch(&line[..end]).unwrap_or_else(|| panic!("{line} is missing"));
            let with_value = line[end..].starts_with('=');
            assert!(!with_value || it.argument != Alone, "{line}");
            count += 1;
        }
        assert!(count > 30);
    }

    #[test]
    fn usage_names_every_switch_and_fits_a_screen() {
        let text = usage_text();
        for it in SWITCHES {
            assert!(text.contains(&format!("--{}", it.name)), "{}", it.name);
        }
        for line in text.lines() {
            assert!(line.len() <= 100, "{line}");
        }
    }
}
