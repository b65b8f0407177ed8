//! Rules about what code may do, and where: `unsafe`, opening for writing, sleeping, leftovers.

use super::{Finding, Source};

/// The crates that may use `unsafe`: they talk to the kernel and to raw buffers.
const UNSAFE: &[&str] = &["engine", "target"];

/// Where files may be opened for writing, outside tests, and why.
const WRITERS: &[(&str, &str)] = &[
    ("crates/message/build.rs", "packs the crate's own files when it is built"),
    ("crates/target/", "the gate: opens what is measured, given a permit, and the test file"),
    ("crates/output/", "opens destinations of results, and the program's own files"),
    ("crates/lab/", "makes disks that lie; for tests only"),
    ("crates/engine/src/placement.rs", "asks the kernel to keep idle processors awake"),
    ("crates/engine/examples/", "stands in for `target`, to give the engine an open file"),
    ("crates/engine/benches/", "as its examples"),
    ("bench/", "writes BENCHMARKS.md, and files to measure in a folder of its own"),
    ("xtask/", "chores write the repository's own files"),
];

const COMMAND: &str = "crates/truedisk/src/";

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
    ("crates/watch/", "reads what the kernel says"),
    ("crates/message/build.rs", "packs the crate's own files when it is built"),
    ("crates/record/src/store.rs", "reads the two bytes that tell gzip"),
    ("crates/fleet/src/agent/host.rs", "takes a few bytes of /dev/urandom"),
    ("crates/fleet/src/ssh/program.rs", "sends the program's own file"),
    ("crates/truedisk/src/output.rs", "takes a few bytes of /dev/urandom"),
    ("crates/lab/", "for tests only"),
    ("bench/", "reads the repository's own files"),
    ("xtask/", "chores read the repository's own files"),
];

/// Marks of work that was left for later. Put together here, so that this file has none.
const LEFTOVER_MARKS: &[&str] = &[concat!("FIX", "ME"), concat!("XX", "X"), concat!("TO", "DO")];

/// What makes a sleep in a test acceptable: its reason, on its line or the one before.
const SLEEP_REASON: &str = "// sleeps because";

pub(super) fn check(source: &Source) -> Vec<Finding> {
    let (path, facts) = (source.path.as_str(), &source.facts);
    let mut findings = Vec::new();
    let mut refuse = |lines: &[usize], message: &str| {
        findings.extend(lines.iter().map(|line| Finding::new(path, *line, message)));
    };
    if !UNSAFE.contains(&source.member.as_str()) {
        let message = "`unsafe` outside of engine and target; use a safe wrapper from one of them";
        refuse(&facts.unsafes, message);
        let is_root = path.ends_with("/src/lib.rs") || path.ends_with("/src/main.rs");
        if is_root && !forbids_unsafe(source) {
            refuse(&[1], "no `#![forbid(unsafe_code)]`; add it below the head");
        }
    }
    refuse(
        &find_unexplained_sleeps(source),
        "a test that sleeps; wait for the event itself, or say `// sleeps because ...`",
    );
    let message = "a test that is switched off; make it run, or let it say why it skips itself";
    refuse(&facts.ignores, message);
    for (line, mark) in find_leftovers(source) {
        refuse(&[line], &format!("leftover {mark}; do it now, or open an issue"));
    }
    let is_in = |places: &[(&str, &str)]| places.iter().any(|(place, _)| path.starts_with(place));
    let is_free = |places: &[&str]| !path.starts_with(COMMAND) || places.contains(&path);
    let rules = [
        (
            is_in(WRITERS),
            &facts.writes,
            "can open for writing, which is not this crate's business; ask `target` for an open \
             file, or `output` to write a result",
        ),
        (
            is_free(&[TERMINAL]),
            &facts.streams,
            "writes past `terminal`, which escapes control characters; use its functions",
        ),
        (
            is_free(&COMMAND_LINES),
            &facts.command_lines,
            "the command line may hold secrets; take it from `output::command_line`",
        ),
        (is_in(READERS), &find_reads(source), "reads without a limit; use the crate `input`"),
    ];
    for (is_allowed, found, message) in rules {
        for (line, what) in found.iter().filter(|(line, _)| !is_allowed && !source.in_test(*line)) {
            refuse(&[*line], &format!("`{what}` {message}"));
        }
    }
    findings
}

fn forbids_unsafe(source: &Source) -> bool {
    source.syntax.attrs.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("forbid") => {
            list.tokens.to_string().split(',').any(|lint| lint.trim() == "unsafe_code")
        }
        _ => false,
    })
}

fn find_reads(source: &Source) -> Vec<(usize, String)> {
    let read = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        READS.iter().find(|what| code.contains(*what)).map(|what| format!("{what}...)"))
    };
    let lines = (1..).zip(source.text.lines());
    lines.filter_map(|(number, line)| Some((number, read(line)?))).collect()
}

fn find_unexplained_sleeps(source: &Source) -> Vec<usize> {
    let lines: Vec<&str> = source.text.lines().collect();
    let is_explained = |line: usize| {
        lines[line.saturating_sub(2)..line].iter().any(|text| text.contains(SLEEP_REASON))
    };
    let sleeps = source.facts.sleeps.iter().copied();
    sleeps.filter(|line| source.in_test(*line) && !is_explained(*line)).collect()
}

/// The first mark of each line that has one.
fn find_leftovers(source: &Source) -> Vec<(usize, &str)> {
    let is_separator = |c: char| !c.is_alphanumeric() && c != '_';
    let lines = (1..).zip(source.text.lines());
    let marks = lines.filter_map(|(number, line)| {
        Some((number, line.split(is_separator).find(|word| LEFTOVER_MARKS.contains(word))?))
    });
    marks.collect()
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
        check_at("stats", "src/a.rs", "fn todo() {}\n", &[]);
    }

    #[test]
    fn no_test_is_switched_off() {
        check_at("stats", "src/a.rs", "#[test]\n#[ignore]\nfn t() {}\n", &[(2, "switched off")]);
        check_at("stats", "src/a.rs", "#[test]\nfn ignore() {}\n", &[]);
    }
}
