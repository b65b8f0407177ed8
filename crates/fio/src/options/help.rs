//! Text of `--cmdhelp`, `--enghelp`, and the reference page.

use super::lookup::{
    self, all_options, belongs_to, find_option, is_reachable, suggest_option, supported_engines,
};
use super::parse::TimeUnit;
use super::registry::FOREIGN;
use super::spec::{NO_MAX, OptionSpec, Support, ValueKind, ValueNeed};
use std::fmt::Write as _;

/// Text of `--cmdhelp` and `--cmdhelp=all` (`None` or `all`: a line per option) and of
/// `--cmdhelp=NAME`. An error is what to say about a name that does not exist.
pub fn cmdhelp(option: Option<&str>) -> Result<String, String> {
    match option {
        None | Some("" | "all") => {
            let list: Vec<&OptionSpec> = all_options().filter(|it| it.engines.is_empty()).collect();
            Ok(format_tree(&list))
        }
        Some(name) => {
            find_option(name).map(describe_option).ok_or_else(|| unknown_option_message(name))
        }
    }
}

/// Text of `--enghelp`: the engines we run (`None`), options of one (`ENGINE`), or one option of
/// one (`ENGINE,OPTION`). An error tells why there is no such engine or option.
pub fn enghelp(arg: Option<&str>) -> Result<String, String> {
    let Some(arg) = arg.filter(|it| !it.is_empty()) else {
        let mut text = String::from("Available IO engines:\n");
        for (engine, _) in supported_engines() {
            let _ = writeln!(text, "\t{engine}");
        }
        return Ok(text);
    };
    let (engine, option) = match arg.split_once(',') {
        Some((engine, option)) => (engine, Some(option)),
        None => (arg, None),
    };
    if !supported_engines().iter().any(|(known, _)| *known == engine) {
        return Err(unknown_engine_message(engine));
    }
    let own: Vec<&OptionSpec> =
        all_options().filter(|it| !it.engines.is_empty() && belongs_to(it, engine)).collect();
    match option {
        None if own.is_empty() => Ok(format!("IO engine {engine} has no options\n")),
        None => Ok(format_tree(&own)),
        Some(name) => own
            .iter()
            .find(|it| lookup::option_names(it).any(|known| known == name))
            .map(|it| describe_option(it))
            .ok_or_else(|| format!("No such command: {name}; see --enghelp={engine}")),
    }
}

/// The page `docs/fio-options.md`: what each option does, and whether we run it.
pub fn reference_page() -> String {
    let mut page = format!("{PAGE_HEAD}\n{}\n", describe_shares());
    let mut chapters: Vec<&str> =
        all_options().filter(|it| is_reachable(it)).map(|it| it.chapter).collect();
    chapters.dedup();
    for chapter in chapters {
        let own: Vec<&OptionSpec> =
            all_options().filter(|it| it.chapter == chapter && is_reachable(it)).collect();
        write_table(&mut page, chapter, &own);
    }
    let foreign: Vec<&OptionSpec> = all_options().filter(|it| !is_reachable(it)).collect();
    write_table(&mut page, FOREIGN, &foreign);
    write_refused_values(&mut page);
    page
}

/// How much of fio is run, for the page and the README.
pub fn describe_shares() -> String {
    let mut counts = [0; 3];
    for it in all_options().filter(|it| it.kind != ValueKind::Deprecated) {
        counts[match it.support {
            Support::Run => 0,
            Support::Noted(_) => 1,
            Support::Refused(_) => 2,
        }] += 1;
    }
    let [run, noted, refused] = counts;
    let foreign = all_options().filter(|it| !is_reachable(it)).count();
    let total = run + noted + refused;
    let engines = supported_engines().len();
    let refused_engines = find_option("ioengine").map_or(0, |it| it.refused_choices.len());
    format!(
        "Of fio's {total} options {run} run, {noted} are noted and {refused} are refused, of which \
         {foreign} belong to engines that are not run; {engines} of its {} engines run.",
        engines + refused_engines
    )
}

const PAGE_HEAD: &str = "# Options of fio, and what we do with them\n\n\
    Made from the option table; do not edit by hand.\n\n\
    **runs**: it works. **noted**: it tunes fio's own inner workings; it is accepted, and a note \
    says what we do instead. **refused**: an error says why, and what to use instead.\n";

fn write_table(page: &mut String, title: &str, list: &[&OptionSpec]) {
    let _ = writeln!(page, "\n## {title}\n");
    page.push_str("| option | aliases | value | default | what it does | support |\n");
    page.push_str("|---|---|---|---|---|---|\n");
    for it in list {
        let support = match it.support {
            Support::Run => "runs".to_owned(),
            Support::Noted(why) => format!("noted: {why}"),
            Support::Refused(why) => format!("refused: {why}"),
        };
        let mut what = it.help.to_owned();
        if !it.engines.is_empty() {
            let _ = write!(what, " For {}.", it.engines.join(", "));
        }
        let aliases: Vec<String> = it.aliases.iter().map(|name| format!("`{name}`")).collect();
        let default = it.default.map_or(String::new(), |text| format!("`{text}`"));
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {default} | {what} | {support} |",
            it.name,
            aliases.join(", "),
            format_value(it)
        );
    }
}

fn format_value(it: &OptionSpec) -> String {
    let mut cell = describe_kind(it).0.to_owned();
    if !it.choices.is_empty() {
        let words: Vec<String> = it.choices.iter().map(|(word, _)| format!("`{word}`")).collect();
        let _ = write!(cell, ": {}", words.join(", "));
    } else if let (Some((min, max)), false) = (it.range, it.kind == ValueKind::Flag) {
        let _ = match (min, max) {
            (0, NO_MAX) => Ok(()),
            (_, NO_MAX) => write!(cell, ", from {min}"),
            _ => write!(cell, ", {min} to {max}"),
        };
    }
    cell
}

fn write_refused_values(page: &mut String) {
    page.push_str("\n## Values that are refused\n\n| option | value | why, and what to use |\n");
    page.push_str("|---|---|---|\n");
    for it in all_options() {
        for (value, why) in it.refused_choices {
            let _ = writeln!(page, "| `{}` | `{value}` | {why} |", it.name);
        }
    }
}

/// A line per option, those that belong to another one below it and further in.
fn format_tree(list: &[&OptionSpec]) -> String {
    let mut text = String::new();
    let is_listed = |name: &str| list.iter().any(|it| it.name == name);
    for it in list.iter().filter(|it| !it.parent.is_some_and(is_listed)) {
        write_branch(&mut text, it, list, 0);
    }
    text
}

fn write_branch(text: &mut String, it: &OptionSpec, list: &[&OptionSpec], depth: usize) {
    let name = format!("{:indent$}{}", "", it.name, indent = depth * 2);
    let _ = writeln!(text, "{name:<24}: {}", it.help);
    for child in list.iter().filter(|child| child.parent == Some(it.name)) {
        write_branch(text, child, list, depth + 1);
    }
}

/// All about one option, in lines of `what: value` with the colons below one another.
fn describe_option(it: &OptionSpec) -> String {
    let mut text = String::new();
    write_row(&mut text, it.name, it.help);
    if !it.aliases.is_empty() {
        write_row(&mut text, "alias", &it.aliases.join(", "));
    }
    write_row(&mut text, "type", describe_kind(it).1);
    write_row(&mut text, "default", it.default.unwrap_or("no default"));
    match it.range {
        Some((min, NO_MAX)) => write_row(&mut text, "range", &format!("min={min}")),
        Some((min, max)) => write_row(&mut text, "range", &format!("min={min}, max={max}")),
        None => {}
    }
    for (i, (word, what)) in it.choices.iter().enumerate() {
        let title = if i == 0 { "valid values" } else { "" };
        write_row(&mut text, title, &format!("{word:<10} {what}"));
    }
    for (i, (word, why)) in it.refused_choices.iter().enumerate() {
        let title = if i == 0 { "refused values" } else { "" };
        write_row(&mut text, title, &format!("{word:<10} {why}"));
    }
    if !it.engines.is_empty() {
        write_row(&mut text, "engines", &it.engines.join(", "));
    }
    match it.support {
        Support::Run => {}
        Support::Noted(why) => write_row(&mut text, "support", &format!("accepted; {why}")),
        Support::Refused(why) => write_row(&mut text, "support", &format!("refused: {why}")),
    }
    text.push('\n');
    text
}

fn write_row(text: &mut String, title: &str, value: &str) {
    let _ = writeln!(text, "{title:>20}: {value}");
}

/// How a kind is called in the table of the page, and on the page of one option.
fn describe_kind(it: &OptionSpec) -> (&'static str, &'static str) {
    match it.kind {
        ValueKind::Flag if it.value_need == ValueNeed::Optional => ("0 or 1", "nothing, 0 or 1"),
        ValueKind::Flag => ("0 or 1", "0 or 1"),
        ValueKind::Text => ("text", "text (for example: bla)"),
        ValueKind::TextList => ("texts", "texts separated by ':' (for example: a:b)"),
        ValueKind::Integer | ValueKind::Percent => ("number", "whole number (for example: 100)"),
        ValueKind::Size { percent: false, .. } => {
            ("size", "size with k, m, g, t, p (for example: 4k)")
        }
        ValueKind::Size { percent: true, .. } => (
            "size, %, or zones",
            "size with k, m, g, t, p, or percent, or zones (for example: 4k, 20%, 3z)",
        ),
        ValueKind::SizePerDirection => {
            ("one to three numbers", "one to three numbers, read,write,trim (for example: 4k,8k)")
        }
        ValueKind::SizeRange => {
            ("ranges of sizes", "one to three ranges, read,write,trim (for example: 1k-4k)")
        }
        ValueKind::Time(TimeUnit::Seconds) => {
            ("time (s)", "time, in seconds without a unit (for example: 10s)")
        }
        ValueKind::Time(TimeUnit::Milliseconds) => {
            ("time (ms)", "time, in milliseconds without a unit (for example: 500)")
        }
        ValueKind::Time(TimeUnit::Microseconds) => {
            ("time (us)", "time, in microseconds without a unit (for example: 10ms)")
        }
        ValueKind::Float => ("decimal number", "decimal number (for example: 5.9)"),
        ValueKind::FloatList => {
            ("decimal numbers", "decimal numbers separated by ':' (for example: 5.9:7.8)")
        }
        ValueKind::Choice => ("word", "one of the values below"),
        ValueKind::Special => ("text", "text with a form of its own"),
        ValueKind::Deprecated => ("any", "without effect"),
    }
}

fn unknown_option_message(name: &str) -> String {
    match suggest_option(name) {
        Some(near) => format!("No such command: {name}; did you mean {near}?"),
        None => format!("No such command: {name}; --cmdhelp=all lists all"),
    }
}

fn unknown_engine_message(engine: &str) -> String {
    let refused = find_option("ioengine").map_or(&[][..], |it| it.refused_choices);
    if let Some((_, why)) = refused.iter().find(|(known, _)| *known == engine) {
        return format!("IO engine {engine} is not run: {why}");
    }
    match lookup::nearest_word(engine, supported_engines().iter().map(|(known, _)| *known)) {
        Some(near) => format!("IO engine {engine} not found; did you mean {near}?"),
        None => format!("IO engine {engine} not found; --enghelp lists all"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_option_in_fios_layout() {
        let expected = "                  bs: Bytes of an operation: one size, or read,write,trim.
               alias: blocksize
                type: one to three numbers, read,write,trim (for example: 4k,8k)
             default: 4k
               range: min=1

";
        assert_eq!(cmdhelp(Some("blocksize")).unwrap(), expected);
        let expected = "        valid values: none       apart\n                    : mixed  ";
        assert!(cmdhelp(Some("unified_rw_reporting")).unwrap().contains(expected));
    }

    #[test]
    fn support_is_told() {
        let check = |name: &str, part: &str| {
            let text = cmdhelp(Some(name)).unwrap();
            assert!(text.contains(part), "{text}");
        };
        check("io_submit_mode", "             support: accepted; a late operation");
        check("uid", "             support: refused: the user is not changed");
        check("mem", "      refused values: cudamalloc");
    }

    #[test]
    fn the_list_has_children_below_their_parents() {
        let text = cmdhelp(None).unwrap();
        assert_eq!(text, cmdhelp(Some("all")).unwrap());
        assert!(text.contains("\nrw                      : "));
        assert!(text.contains("\n  bs                    : "));
        assert!(text.contains("\n    trim_backlog        : "));
        assert!(!text.contains("http_host"));
        let own = all_options().filter(|it| it.engines.is_empty()).count();
        assert_eq!(text.lines().count(), own);
    }

    #[test]
    fn engines_and_their_options() {
        let check = |arg: Option<&str>, start: &str| {
            let text = enghelp(arg).unwrap_or_else(|error| error);
            assert!(text.starts_with(start), "{text}");
        };
        check(None, "Available IO engines:\n\tpsync\n\tsync\n");
        check(Some("psync"), "IO engine psync has no options\n");
        check(Some("io_uring"), "hipri                   : ");
        check(Some("io_uring,fixedbufs"), "           fixedbufs: ");
        check(Some("io_uring,thp"), "No such command: thp");
        check(Some("rbd"), "IO engine rbd is not run: Ceph's");
        check(Some("io_urin"), "IO engine io_urin not found; did you mean io_uring?");
        check(Some("wonder"), "IO engine wonder not found; --enghelp");
    }

    #[test]
    fn unknown_options() {
        let check = |name: &str, expected: &str| {
            assert_eq!(cmdhelp(Some(name)), Err(expected.to_owned()));
        };
        check("bsx", "No such command: bsx; did you mean bs?");
        check("wonderful", "No such command: wonderful; --cmdhelp=all lists all");
    }

    #[test]
    fn page_and_readme_are_current() {
        let read = |name: &str| {
            let path = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(path).unwrap()
        };
        let hint = "cargo run -p fio --example reference_page > docs/fio-options.md";
        assert!(read("docs/fio-options.md") == reference_page(), "the page is old: {hint}");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (readme, shares) = (words(&read("README.md")), describe_shares());
        assert!(readme.contains(&shares), "README.md does not say: {shares}");
    }

    #[test]
    fn the_page_has_every_option_once() {
        let page = reference_page();
        for it in all_options() {
            let row = format!("| `{}` | ", it.name);
            let rows = page
                .lines()
                .filter(|line| line.starts_with(&row) && line.matches(" | ").count() == 5);
            assert_eq!(rows.count(), 1, "{}", it.name);
        }
    }
}
