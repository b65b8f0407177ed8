//! Rules about what code may do, and where: `unsafe`, opening for writing, sleeping, leftovers.

use super::finding::Finding;
use super::workspace::Source;

/// The crates that may use `unsafe`: they talk to the kernel and to raw buffers.
const UNSAFE: &[&str] = &["engine", "target"];

/// Where files may be opened for writing, outside tests, and why.
const WRITERS: &[(&str, &str)] = &[
    ("crates/target/", "the gate: opens what is measured, given a permit, and the test file"),
    ("crates/output/", "opens destinations of results, and the program's own files"),
    ("crates/lab/", "makes disks that lie; for tests only"),
    ("crates/engine/examples/", "stands in for `target`, to give the engine an open file"),
    ("crates/engine/benches/", "as its examples"),
    ("xtask/", "chores write the repository's own files"),
];

/// The sources of the command.
const COMMAND: &str = "crates/truedisk/src/";

/// The one place of the command that writes to stdout and stderr.
const TERMINAL: &str = "crates/truedisk/src/terminal.rs";

/// Where the command takes in its words: to run them, and to keep them without their secrets.
const COMMAND_LINES: [&str; 2] = ["crates/truedisk/src/main.rs", "crates/truedisk/src/output.rs"];
/// What reads without a limit.
const READS: &[&str] =
    &["fs::read(", "fs::read_to_string(", ".read_to_end(", ".read_to_string(", "File::open("];

/// Where that is done, outside tests, and why no limit is needed there.
const READERS: &[(&str, &str)] = &[
    ("crates/input/", "has the limits"),
    ("crates/target/", "reads what the kernel says, and the heads of its own files"),
    ("crates/engine/", "reads what the kernel says"),
    ("crates/fio-run/", "reads what the kernel says"),
    ("crates/record/src/store.rs", "reads the two bytes that tell gzip"),
    ("crates/fleet/src/agent/host.rs", "takes a few bytes of /dev/urandom"),
    ("crates/fleet/src/ssh/program.rs", "sends the program's own file"),
    ("crates/truedisk/src/output.rs", "takes a few bytes of /dev/urandom"),
    ("crates/lab/", "for tests only"),
    ("xtask/", "chores read the repository's own files"),
];

/// Marks of work that was left for later. Put together here, so that this file has none.
const LEFTOVER_MARKS: &[&str] = &[concat!("FIX", "ME"), concat!("XX", "X"), concat!("TO", "DO")];

/// What makes a sleep in a test acceptable: its reason, on its line or the one before.
const SLEEP_REASON: &str = "// sleeps because";

pub(super) fn check(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(check_unsafe(source));
    findings.extend(check_forbid_unsafe(source));
    findings.extend(check_writes(source));
    findings.extend(check_streams(source));
    findings.extend(check_command_lines(source));
    findings.extend(check_reads(source));
    findings.extend(check_sleeps(source));
    findings.extend(check_leftovers(source));
    findings.extend(check_ignored_tests(source));
    findings
}

fn check_unsafe(source: &Source) -> Vec<Finding> {
    if UNSAFE.contains(&source.member.as_str()) {
        return Vec::new();
    }
    let message = "`unsafe` outside of engine and target; use a safe wrapper from one of them";
    findings_at(source, &source.facts.unsafes, message)
}

/// The root of every other library and program says so to the compiler.
fn check_forbid_unsafe(source: &Source) -> Option<Finding> {
    let is_root = source.path.ends_with("/src/lib.rs") || source.path.ends_with("/src/main.rs");
    if !is_root || UNSAFE.contains(&source.member.as_str()) {
        return None;
    }
    let forbids = source.syntax.attrs.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("forbid") => {
            list.tokens.to_string().split(',').any(|lint| lint.trim() == "unsafe_code")
        }
        _ => false,
    });
    let message = "no `#![forbid(unsafe_code)]`; add it below the head";
    (!forbids).then(|| Finding::new(&source.path, 1, message))
}

fn check_writes(source: &Source) -> Vec<Finding> {
    if WRITERS.iter().any(|(place, _)| source.path.starts_with(place)) {
        return Vec::new();
    }
    let outside = source.facts.writes.iter().filter(|(line, _)| !source.in_test(*line));
    let finding = |(line, what): &(usize, String)| {
        let message = format!(
            "`{what}` can open for writing, which is not this crate's business; ask `target` for \
             an open file, or `output` to write a result"
        );
        Finding::new(&source.path, *line, message)
    };
    outside.map(finding).collect()
}

fn check_streams(source: &Source) -> Vec<Finding> {
    let message = "writes past `terminal`, which escapes control characters; use its functions";
    refuse_in_command(source, &source.facts.streams, &[TERMINAL], message)
}

fn check_command_lines(source: &Source) -> Vec<Finding> {
    let message = "the command line may hold secrets; take it from `output::command_line`";
    refuse_in_command(source, &source.facts.command_lines, &COMMAND_LINES, message)
}

/// What only these places of the command may do, outside its tests.
fn refuse_in_command(
    source: &Source,
    found: &[(usize, String)],
    places: &[&str],
    message: &str,
) -> Vec<Finding> {
    if !source.path.starts_with(COMMAND) || places.contains(&source.path.as_str()) {
        return Vec::new();
    }
    let outside = found.iter().filter(|(line, _)| !source.in_test(*line));
    let finding = |(line, what): &(usize, String)| {
        Finding::new(&source.path, *line, format!("`{what}` {message}"))
    };
    outside.map(finding).collect()
}

fn check_reads(source: &Source) -> Vec<Finding> {
    if READERS.iter().any(|(place, _)| source.path.starts_with(place)) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        if let Some(what) = READS.iter().find(|what| code.contains(*what))
            && !source.in_test(index + 1)
        {
            let message = format!("`{what}...)` reads without a limit; use the crate `input`");
            findings.push(Finding::new(&source.path, index + 1, message));
        }
    }
    findings
}

fn check_sleeps(source: &Source) -> Vec<Finding> {
    let lines: Vec<&str> = source.text.lines().collect();
    let explained = |line: usize| {
        let nearby = lines.iter().take(line).skip(line.saturating_sub(2));
        nearby.into_iter().any(|text| text.contains(SLEEP_REASON))
    };
    let sleeps = source.facts.sleeps.iter().copied();
    let lines: Vec<usize> =
        sleeps.filter(|line| source.in_test(*line) && !explained(*line)).collect();
    let message = "a test that sleeps; wait for the event itself, or say `// sleeps because ...`";
    findings_at(source, &lines, message)
}

fn check_leftovers(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        if let Some(mark) = words.find(|word| LEFTOVER_MARKS.contains(word)) {
            let message = format!("leftover {mark}; do it now, or open an issue");
            findings.push(Finding::new(&source.path, index + 1, message));
        }
    }
    let message = "code that is not written; write it, or leave the way to it out";
    findings.extend(findings_at(source, &source.facts.unwritten, message));
    findings
}

fn check_ignored_tests(source: &Source) -> Vec<Finding> {
    let message = "a test that is switched off; make it run, or let it say why it skips itself";
    findings_at(source, &source.facts.ignores, message)
}

fn findings_at(source: &Source, lines: &[usize], message: &str) -> Vec<Finding> {
    lines.iter().map(|line| Finding::new(&source.path, *line, message)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::source;
    use super::*;

    fn check_at(member: &str, file: &str, text: &str, expected: &[(usize, &str)]) {
        let found = check(&source(member, &format!("crates/{member}/{file}"), text));
        assert_eq!(found.len(), expected.len(), "{text}: {found:?}");
        for (finding, (line, what)) in found.iter().zip(expected) {
            assert_eq!(finding.line, *line, "{finding}");
            assert!(finding.message.contains(what), "{finding}");
        }
    }

    #[test]
    fn unsafe_belongs_to_engine_and_target() {
        let text = "fn f() {\n unsafe { g() }\n}\n";
        check_at("engine", "src/a.rs", text, &[]);
        check_at("target", "tests/a.rs", text, &[]);
        check_at("stats", "src/a.rs", text, &[(2, "`unsafe` outside")]);
        check_at("stats", "tests/a.rs", text, &[(2, "`unsafe` outside")]);
    }

    #[test]
    fn roots_forbid_unsafe() {
        check_at("stats", "src/lib.rs", "#![forbid(unsafe_code)]\n", &[]);
        check_at("stats", "src/lib.rs", "#![forbid(missing_docs, unsafe_code)]\n", &[]);
        check_at("stats", "src/lib.rs", "#![deny(unsafe_code)]\n", &[(1, "no `#![forbid")]);
        check_at("truedisk", "src/main.rs", "fn main() {}\n", &[(1, "no `#![forbid")]);
        check_at("engine", "src/lib.rs", "", &[]);
        check_at("stats", "src/a.rs", "", &[]);
    }

    #[test]
    fn few_crates_open_for_writing() {
        let text = "fn f() {\n File::create(p);\n}\n";
        check_at("target", "src/a.rs", text, &[]);
        check_at("engine", "src/a.rs", text, &[(2, "`File::create` can open for writing")]);
        check_at("engine", "examples/a.rs", text, &[]);
        check_at("engine", "tests/a.rs", text, &[]);
        let test = format!("#[cfg(test)]\nmod tests {{\n{text}}}\n");
        check_at("method", "src/a.rs", &test, &[]);
    }

    #[test]
    fn one_place_writes_to_the_terminal() {
        let text =
            "fn f() {\n io::stdout().lock();\n std::io::stderr();\n anstream::stderr();\n}\n";
        let one = "writes past `terminal`";
        check_at("truedisk", "src/a.rs", text, &[(2, one), (3, one), (4, one), (4, one)]);
        check_at("truedisk", "src/terminal.rs", text, &[]);
        check_at("truedisk", "tests/a.rs", text, &[]);
        check_at("lab", "src/a.rs", text, &[]);
        check_at("truedisk", "src/a.rs", "fn f() { child.stdout(); output.stderr }\n", &[]);
    }

    #[test]
    fn one_place_takes_in_the_command_line() {
        let text = "fn f() {\n std::env::args_os();\n env::args();\n}\n";
        let one = "may hold secrets";
        check_at("truedisk", "src/a.rs", text, &[(2, one), (3, one)]);
        check_at("truedisk", "src/output.rs", text, &[]);
        check_at("fleet", "src/a.rs", text, &[]);
        check_at("truedisk", "src/a.rs", "fn f() { x.args(y); }\n", &[]);
    }

    #[test]
    fn foreign_files_are_read_within_limits() {
        let text = "fn f() {\n fs::read_to_string(p);\n}\n";
        check_at("fleet", "src/a.rs", text, &[(2, "reads without a limit")]);
        check_at("input", "src/a.rs", text, &[]);
        check_at("fleet", "tests/a.rs", text, &[]);
        let test = format!("#[cfg(test)]\nmod tests {{\n{text}}}\n");
        check_at("fleet", "src/a.rs", &test, &[]);
        check_at("fleet", "src/a.rs", "fn f() {\n input::read(p, MAX);\n}\n", &[]);
    }

    #[test]
    fn a_test_sleeps_only_for_a_reason() {
        let test = |body: &str| format!("#[test]\nfn t() {{\n{body}\n}}\n");
        check_at("stats", "src/a.rs", &test("thread::sleep(d);"), &[(3, "a test that sleeps")]);
        check_at("stats", "src/a.rs", &test("// sleeps because of x\nthread::sleep(d);"), &[]);
        check_at("stats", "src/a.rs", &test("thread::sleep(d); // sleeps because of x"), &[]);
        check_at(
            "stats",
            "src/a.rs",
            &test("// sleeps because of x\n\nthread::sleep(d);"),
            &[(5, "a test that sleeps")],
        );
        check_at("engine", "src/a.rs", "fn f() { thread::sleep(d); }\n", &[]);
    }

    #[test]
    fn nothing_is_left_for_later() {
        for mark in LEFTOVER_MARKS {
            let text = format!("fn f() {{}}\n// {mark}: later\n");
            check_at("stats", "src/a.rs", &text, &[(2, "leftover")]);
            check_at("stats", "src/a.rs", &format!("const A{mark}B: u8 = 1;\n"), &[]);
        }
        check_at("stats", "src/a.rs", "fn f() {\n todo!()\n}\n", &[(2, "not written")]);
        check_at("stats", "src/a.rs", "fn todo() {}\n", &[]);
    }

    #[test]
    fn no_test_is_switched_off() {
        check_at("stats", "src/a.rs", "#[test]\n#[ignore]\nfn t() {}\n", &[(2, "switched off")]);
        check_at("stats", "src/a.rs", "#[test]\nfn ignore() {}\n", &[]);
    }
}
