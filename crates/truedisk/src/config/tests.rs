//! Settings from files and variables, and what they do to a command line.

use std::ffi::OsString;
use std::path::Path;

use clap::{Arg, ArgAction};

use super::defaults::{reparse_words, set_defaults};
use super::setting::{COMMAND_LINE_ONLY, Origin, is_configurable};
use super::*;
use crate::args::Command;

const USER: &str = "user.toml";

fn settings(user: &str, system: &str, variables: &[(&str, &str)]) -> Vec<OptionDefault> {
    try_settings(user, system, variables).unwrap()
}

fn try_settings(
    user: &str,
    system: &str,
    variables: &[(&str, &str)],
) -> Result<Vec<OptionDefault>, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let files = [(USER, user), ("system.toml", system)].map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    });
    let value = |name: &str| variables.iter().find(|(known, _)| *known == name);
    load_settings(&files, |name| value(name).map(|(_, value)| OsString::from(value)))
}

fn parse(words: &str, settings: &[OptionDefault]) -> Result<Arguments, Failure> {
    reparse_words(&words.split(' ').map(OsString::from).collect::<Vec<_>>(), settings)
}

fn bound(words: &str, settings: &[OptionDefault]) -> String {
    match parse(words, settings).unwrap().command {
        Some(Command::Check(args)) => args.bound[0].to_string(),
        Some(Command::Limit(args)) => args.bound[0].to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn flag_environment_user_and_system_in_this_order() {
    let user = "bound = \"p99<2ms\"\n[check]\nbound = \"p99<3ms\"\n";
    let system = "[check]\nbound = 'p99<4ms'\n[limit]\nbound = ['p99<5ms', 'mean<1ms']\n";
    let files = settings(user, system, &[]);
    assert_eq!(bound("truedisk check --bound p99<1ms", &files), "p99<1ms");
    assert_eq!(bound("truedisk check", &files), "p99<3ms");
    // A file of the user's comes before a more special one of the system.
    assert_eq!(bound("truedisk limit", &files), "p99<2ms");
    let variables = settings(user, system, &[("TRUEDISK_CHECK_BOUND", "p99<6ms")]);
    assert_eq!(bound("truedisk check", &variables), "p99<6ms");
    assert_eq!(bound("truedisk limit", &variables), "p99<2ms");
    assert_eq!(bound("truedisk limit", &settings("", system, &[])), "p99<5ms");
    assert_eq!(bound("truedisk check", &settings("", "", &[])), "p99<10ms");
}

#[test]
fn switches_lists_numbers_and_global_options_are_taken() {
    let text = "lang = 'vi'\nquiet = true\n[sweep]\ndepth = [1, \"4..16\"]\nseed = 7\n";
    let arguments = parse("truedisk sweep /srv", &settings(text, "", &[])).unwrap();
    assert_eq!(arguments.lang.as_deref(), Some("vi"));
    let Some(Command::Sweep(sweep)) = arguments.command else { panic!("no sweep") };
    assert!(sweep.common.quiet.quiet);
    assert_eq!(sweep.common.extent.seed, Some(7));
    assert_eq!(sweep.depth.len(), 2);
    let nested = settings("[history.list]\ncount = 3\n", "", &[]);
    let list = parse("truedisk history list", &nested).unwrap().command;
    assert!(format!("{list:?}").contains("count: 3"), "{list:?}");
}

#[test]
fn what_is_given_is_contradicted_by_no_default() {
    let quick = settings("[check]\nquick = true\n", "", &[]);
    let check = |words: &str| match parse(words, &quick).unwrap().command {
        Some(Command::Check(args)) => (args.quick, args.thorough),
        other => panic!("{other:?}"),
    };
    assert_eq!(check("truedisk check"), (true, false));
    assert_eq!(check("truedisk check --thorough"), (false, true));
    let plan = settings("[check]\nplan = 'aws:gp3:100GiB'\n", "", &[]);
    let given = parse("truedisk check --promise iops=1", &plan).unwrap().command;
    let Some(Command::Check(args)) = given else { panic!("no check") };
    assert_eq!(args.promise.plan, None);
}

#[test]
fn unknown_keys_and_wrong_values_are_named_with_file_and_line() {
    let check = |text: &str, place: &str, words: &str| {
        let failure = try_settings(text, "", &[])
            .and_then(|settings| settings.iter().try_for_each(check_everywhere))
            .unwrap_err();
        let message = &failure.message;
        assert!(message.contains(place) && message.contains(words), "{text}: {message}");
        assert_eq!(failure.exit.status(), 2);
    };
    check("quiet = true\nbouns = 1\n", "user.toml:2:", "unknown option 'bouns'");
    check("[check]\n\ndepth = 4\n", "user.toml:3:", "unknown option 'check.depth'");
    check("[chek]\nquick = true\n", "user.toml:1:", "unknown command [chek]");
    check("[fio]\nquick = true\n", "user.toml:2:", "unknown option 'fio.quick'");
    check("json = '-'\n", "user.toml:1:", "from the command line only");
    check("[check]\nyes-destroy-data-on = '/dev/sda'\n", ":2:", "the command line only");
    check("[check]\nbound = 'p99'\n", "user.toml:2:", "'p99' for '--bound <BOUND>'");
    check("[check]\nquick = 'yes'\n", "user.toml:2:", "true or false");
    check("quiet = true\nx = \n", "user.toml:2:", "");
    check("[check]\nsize = 2026-01-01\n", "user.toml:2:", "must be a text");
    check("[check]\nbound = []\n", "user.toml:2:", "'bound' has no value");
    check("[capture]\ntrace = 'x'\n", "user.toml:2:", "from the command line only");
    check("[fleet]\nat-most = 50\n", "user.toml:2:", "from the command line only");
    check("[fleet]\nstop-on = 'p99>5ms of others'\n", ":2:", "the command line only");
}

/// Every command with its path, those of other dialects left out.
fn all_commands() -> Vec<(Vec<String>, clap::Command)> {
    fn collect(
        command: &clap::Command,
        path: &[String],
        all: &mut Vec<(Vec<String>, clap::Command)>,
    ) {
        all.push((path.to_vec(), command.clone()));
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            let path = [path, &[inner.get_name().to_owned()]].concat();
            collect(inner, &path, all);
        }
    }
    let (mut root, mut all) = (Arguments::command(), Vec::new());
    root.build();
    collect(&root, &[], &mut all);
    all
}

fn find_command<'a>(root: &'a clap::Command, path: &[String]) -> &'a clap::Command {
    path.iter().fold(root, |command, name| command.find_subcommand(name).unwrap())
}

/// A value that the option takes.
fn valid_value(path: &[String], arg: &Arg) -> String {
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return "true".to_owned();
    }
    let possible = arg.get_possible_values().first().map(|value| value.get_name().to_owned());
    let words = [
        "1",
        "2",
        "2%",
        "1s",
        "1m",
        "1GiB",
        "4k",
        "p99<5ms",
        "p99>5ms",
        ":9187",
        "1d",
        "x",
        "iops=1",
        "a=b",
        "/x",
        "randread",
        "read",
        "2x",
        "nats://x:1",
        "iops",
    ];
    let mut words = possible.into_iter().chain(words.map(str::to_owned));
    let origin = Origin::Variable(String::new());
    let option = arg.get_long().unwrap().to_owned();
    let mut setting = OptionDefault { command: path.to_vec(), option, values: Vec::new(), origin };
    let is_valid = |value: &String| {
        setting.values = vec![value.clone()];
        check_value(path, arg, &setting).is_ok()
    };
    words.find(is_valid).unwrap_or_else(|| panic!("no value for {path:?} --{}", arg.get_id()))
}

#[test]
fn a_default_changes_the_meaning_of_no_other_option() {
    let mut count = 0;
    for (path, command) in all_commands() {
        for arg in command.get_arguments().filter(|arg| is_configurable(&path, arg)) {
            let values = vec![valid_value(&path, arg)];
            let mut root = set_defaults(vec![(path.clone(), arg.get_id().clone(), values)]);
            root.build();
            // Each long option alone, by its own definition, which an error names.
            for other in find_command(&root, &path).get_arguments() {
                let Some(long) = other.get_long().filter(|long| *long != "help") else {
                    continue;
                };
                let takes = other.get_action().takes_values();
                let optional = other.get_num_args().is_some_and(|num| num.min_values() == 0);
                // A missing value and a needless one are refused with the option's own name.
                let word = match takes {
                    _ if optional => continue,
                    true => format!("--{long}"),
                    false => format!("--{long}=x"),
                };
                let words = ["truedisk".to_owned()].into_iter().chain(path.iter().cloned());
                let words = words.chain([word]);
                let error = root.clone().try_get_matches_from(words).unwrap_err();
                let text = error.to_string();
                let own = format!("'--{long}");
                let first = text.lines().next().unwrap_or_default();
                assert!(first.contains(&own), "{path:?} {}: {own}: {text}", arg.get_id());
                count += 1;
            }
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn options_keep_their_meaning_beside_a_default() {
    let bound = settings("[check]\nbound = 'p99<5ms'\n", "", &[]);
    let Some(Command::Check(args)) =
        parse("truedisk check --size 32m --html x.html d", &bound).unwrap().command
    else {
        panic!("no check")
    };
    assert_eq!(args.common.extent.size.map(|size| size.0), Some(32 << 20));
    assert_eq!(args.common.result.html.as_deref(), Some(Path::new("x.html")));
    assert_eq!(args.common.tables.markdown, None);
    assert_eq!(args.common.path(), Path::new("d"));
    assert_eq!(args.bound[0].to_string(), "p99<5ms");
    // A command's own default of what all commands have.
    let lang = settings("lang = 'id'\n[check]\nlang = 'vi'\n", "", &[]);
    let of = |words: &str| parse(words, &lang).unwrap().lang;
    assert_eq!(of("truedisk check").as_deref(), Some("vi"));
    assert_eq!(of("truedisk --lang en check").as_deref(), Some("en"));
    assert_eq!(of("truedisk history list").as_deref(), Some("id"));
}

#[test]
fn a_wrong_line_is_refused_with_defaults_as_it_is_without() {
    let quiet = settings("quiet = true\n", "", &[]);
    let refused = |words: &str| {
        let failure = parse(words, &quiet).unwrap_err();
        assert!(!failure.message.contains('\n'), "{}", failure.message);
        (failure.message, failure.hint.unwrap())
    };
    let (message, hint) = refused("truedisk check --size x");
    assert!(message.contains("'x' for '--size <SIZE>'"), "{message}");
    assert!(hint.contains("truedisk check --help has the arguments"), "{hint}");
    let (message, hint) = refused("truedisk check --json disk.img");
    assert!(message.contains("may be") && hint.contains("--json="), "{message}; {hint}");
}

#[test]
fn files_that_are_written_are_named_on_the_command_line_and_the_page_says_so() {
    for (path, command) in all_commands() {
        for arg in command.get_arguments().filter(|arg| is_configurable(&path, arg)) {
            let names = arg.get_value_names().unwrap_or_default();
            let is_output = arg.get_help_heading() == Some("Output");
            let is_file = names.iter().any(|name| name.contains("FILE") || name.contains("FOLDER"));
            assert!(!(is_output && is_file), "{path:?} {}", arg.get_id());
        }
    }
    let page = include_str!("../../../../docs/config.md");
    let after = page.split_once("Options of a single run").unwrap().1;
    let sentence = after.split_once(".\n").unwrap().0;
    let mut named: Vec<&str> = sentence.split('`').skip(1).step_by(2).collect();
    let mut known = Vec::from_iter(COMMAND_LINE_ONLY);
    known.retain(|name| !["help", "version"].contains(name));
    named.sort_unstable();
    known.sort_unstable();
    assert_eq!(named, known);
}

#[test]
fn variables_that_set_nothing_are_named() {
    let names = ["TRUEDISK_CHEK_BOUND", "TRUEDISK_CHECK_BOUND", "TRUEDISK_HISTORY", "HOME"];
    let found = sources::unknown_variables(names.into_iter().map(OsString::from));
    assert_eq!(found, ["TRUEDISK_CHEK_BOUND"]);
}

#[test]
fn a_variable_that_is_no_text_is_refused_and_no_plan_turns_a_replay_into_arithmetic() {
    use std::os::unix::ffi::OsStringExt as _;
    let broken =
        |name: &str| (name == "TRUEDISK_READ_ONLY").then(|| OsString::from_vec(vec![b'1', 0xff]));
    let error = load_settings(&[], broken).unwrap_err();
    assert!(error.message.contains("TRUEDISK_READ_ONLY: it is not UTF-8"), "{}", error.message);
    let settings = settings("plan = \"aws:gp3:100GiB\"\n", "", &[]);
    match parse("truedisk replay load.tdtrace d", &settings).unwrap().command {
        Some(Command::Replay(args)) => assert_eq!(args.plan, None),
        other => panic!("{other:?}"),
    }
}
