//! The table against the real fio and its HOWTO, where they are installed.

use crate::options::lookup::{all_options, find_option, option_names};
use crate::options::spec::{NO_MAX, OptionSpec, ValueKind, ValueNeed};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::OnceLock;

/// Where we differ from fio 3.33 on purpose: option, what differs, why.
const DIFFERENT: &[(&str, &str, &str)] = &[
    ("allrandrepeat", "default", "it is another name of randrepeat in 3.41"),
    ("log_window_value", "alias", "fio 3.42 has it so, with the old name as alias"),
    ("log_window_value", "type", "more than two values since fio 3.40"),
    ("log_window_value", "default", "avg is what 0 meant"),
    ("log_window_value", "range", "words, not numbers"),
    ("log_hist_coarseness", "range", "fio's help text says 0 to 6; its parser takes more"),
    ("sync_file_range", "type", "HOWTO: words:number"),
    ("verb", "alias", "its alias proto is that of protocol here; neither engine is run"),
    ("startdelay", "type", "HOWTO: also a range"),
    ("max_latency", "type", "HOWTO: also one time per direction"),
    ("cmdprio_percentage", "type", "HOWTO: read,write"),
    ("cmdprio_class", "type", "HOWTO: read,write"),
    ("cmdprio", "type", "HOWTO: read,write"),
];

fn real(args: &[&str]) -> Option<String> {
    let out = Command::new("fio").args(args).output().ok()?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    (!text.is_empty()).then_some(text)
}

fn is_fio_3_33() -> bool {
    real(&["--version"]).is_some_and(|text| text.trim() == "fio-3.33")
}

/// fio's own page on each option that it knows, asked for once, as fio takes 70 ms for each.
fn pages() -> &'static BTreeMap<&'static str, String> {
    static PAGES: OnceLock<BTreeMap<&'static str, String>> = OnceLock::new();
    PAGES.get_or_init(|| {
        let list: Vec<&'static OptionSpec> = all_options().collect();
        let ask = |part: &[&'static OptionSpec]| -> Vec<(&'static str, String)> {
            part.iter().filter_map(|it| Some((it.name, page_of(it)?))).collect()
        };
        std::thread::scope(|scope| {
            let (left, right) = list.split_at(list.len() / 2);
            let other = scope.spawn(|| ask(right));
            let mut pages = ask(left);
            pages.extend(other.join().unwrap());
            pages.into_iter().collect()
        })
    })
}

/// fio's own page about an option, by `--cmdhelp` or by `--enghelp` of one of its engines.
fn page_of(it: &OptionSpec) -> Option<String> {
    let is_page = |page: &String| page.contains("type:") && !page.contains("closest");
    if it.engines.is_empty() {
        let mut names = option_names(it);
        return names.find_map(|name| real(&[&format!("--cmdhelp={name}")]).filter(is_page));
    }
    let mut engines = it.engines.iter().filter(|engine| !NOT_IN_DEBIAN.contains(engine));
    engines.find_map(|engine| real(&[&format!("--enghelp={engine},{}", it.name)]).filter(is_page))
}

fn field<'a>(page: &'a str, title: &str) -> Option<&'a str> {
    page.lines().find_map(|line| line.trim_start().strip_prefix(title)?.strip_prefix(": "))
}

fn values(page: &str) -> Vec<String> {
    let rows = page.lines().skip_while(|line| !line.contains("valid values:"));
    let words = rows.filter_map(|line| line.split_once(": ")?.1.split_whitespace().next());
    words.map(str::to_owned).collect()
}

fn has_type(it: &OptionSpec, fio: &str) -> bool {
    let is_bare = it.value_need == ValueNeed::Optional;
    let fio = fio.split(" (").next().unwrap_or(fio);
    match it.kind {
        ValueKind::Flag if is_bare => fio == "empty or boolean value",
        ValueKind::Flag => fio == "boolean value",
        ValueKind::Text | ValueKind::TextList | ValueKind::Special => fio == "string",
        ValueKind::Choice => fio == "string",
        ValueKind::Integer | ValueKind::Percent => ["integer value", "string"].contains(&fio),
        ValueKind::SizePerDirection => fio == "integer value",
        ValueKind::Size { percent: true, .. } => fio.is_empty() || fio == "(null)",
        ValueKind::Size { .. } => fio.starts_with("string") || fio == "integer value",
        ValueKind::SizeRange => fio == "one to three ranges" || fio.starts_with("string"),
        ValueKind::Time(_) => ["string with time postfix", "integer value"].contains(&fio),
        ValueKind::Float | ValueKind::FloatList => fio.starts_with("list of floating point"),
        ValueKind::Deprecated => false,
    }
}

fn plain(text: &str) -> String {
    match text {
        "4k" => "4096".to_owned(),
        "2m" => "2097152".to_owned(),
        other => other.to_owned(),
    }
}

fn has_range(it: &OptionSpec, fio: Option<&str>) -> bool {
    let number = |text: &str| text.parse::<f64>().ok().map(|it| it as i64);
    let Some(fio) = fio else {
        // fio prints none where its parser has no limits; ours then begins at nothing.
        return it.range.is_none_or(|range| range == (0, NO_MAX)) || it.kind == ValueKind::Flag;
    };
    let mut parts = fio.split(", ");
    let least = parts.next().and_then(|it| number(it.strip_prefix("min=")?));
    let most = parts.next().and_then(|it| number(it.strip_prefix("max=")?));
    let most = most.filter(|it| *it >= 0).unwrap_or(NO_MAX);
    match it.range {
        Some((ours, to)) => least == Some(ours) && to == most,
        // A time or size from nothing on without an end.
        None => least == Some(0) && most == NO_MAX,
    }
}

fn differences(it: &OptionSpec, page: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let fio = field(page, "type").unwrap_or_default();
    if !has_type(it, fio) {
        found.push(("type", format!("{fio} / {:?} {:?}", it.kind, it.value_need)));
    }
    let fio = field(page, "default").unwrap_or_default();
    let ours = it.default.unwrap_or("no default");
    if plain(ours) != fio && !(fio.is_empty() && it.default.is_none()) {
        found.push(("default", format!("{fio} / {ours}")));
    }
    let fio = field(page, "range");
    if !has_range(it, fio) {
        found.push(("range", format!("{fio:?} / {:?}", it.range)));
    }
    let first = page.lines().next().unwrap_or_default().trim_start();
    let alias = field(page, "alias");
    let has_names = first.starts_with(&format!("{}:", it.name))
        && alias.is_none_or(|alias| it.aliases.contains(&alias));
    if !has_names {
        found.push(("alias", format!("{first} {alias:?} / {} {:?}", it.name, it.aliases)));
    }
    let known = it.choices.iter().chain(it.refused_choices).map(|(word, _)| *word);
    let known: BTreeSet<&str> = known.collect();
    let missing: Vec<String> =
        values(page).into_iter().filter(|word| !known.contains(word.as_str())).collect();
    if !missing.is_empty() {
        found.push(("values", missing.join(" ")));
    }
    found
}

#[test]
fn entries_are_as_fio_prints_them() {
    if !is_fio_3_33() {
        return;
    }
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    let mut compared = 0;
    for it in all_options() {
        let Some(page) = pages().get(it.name) else { continue };
        compared += 1;
        for (what, text) in differences(it, page) {
            let allowed =
                DIFFERENT.iter().any(|(name, field, _)| *name == it.name && *field == what);
            match allowed {
                true => _ = used.insert((it.name, what)),
                false => wrong.push(format!("{} {what}: {text}", it.name)),
            }
        }
    }
    let unused = DIFFERENT.iter().filter(|(name, what, _)| !used.contains(&(*name, *what)));
    wrong.extend(unused.map(|(name, what, _)| format!("{name} {what}: no longer different")));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(compared > 250, "only {compared} compared");
}

#[test]
fn options_that_fio_does_not_print_are_known_to_be_newer_or_of_other_engines() {
    if !is_fio_3_33() {
        return;
    }
    for it in all_options() {
        let is_explained = it.help.contains("newer versions")
            || it.help.contains("not in fio")
            || it.kind == ValueKind::Deprecated
            || it.engines.iter().any(|engine| NOT_IN_DEBIAN.contains(engine));
        let is_renamed = it.aliases.contains(&"log_max_value");
        let is_known = pages().contains_key(it.name) || is_explained || is_renamed;
        assert!(is_known, "{}: fio 3.33 does not have it", it.name);
    }
}

/// Engines and profiles that Debian's fio is built without, or gives no help on.
const NOT_IN_DEBIAN: &[&str] = &[
    "http",
    "xnvme",
    "libblkio",
    "libhdfs",
    "dfs",
    "nfs",
    "libcufile",
    "profile act",
    "profile tiobench",
    "librpma_apm_client",
];

#[test]
fn every_option_of_the_lists_of_fio_is_in_the_table() {
    let Some(list) = real(&["--cmdhelp=all"]) else { return };
    let mut listed: Vec<String> = first_words(&list);
    let engines = real(&["--enghelp"]).unwrap_or_default();
    for engine in engines.lines().filter_map(|line| line.strip_prefix('\t')) {
        let known = find_option("ioengine").unwrap();
        let mut words = known.choices.iter().chain(known.refused_choices);
        assert!(words.any(|(word, _)| *word == engine), "engine {engine}");
        listed.extend(first_words(&real(&[&format!("--enghelp={engine}")]).unwrap_or_default()));
    }
    let missing: Vec<&String> = listed.iter().filter(|name| find_option(name).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(listed.len() > 200);
}

fn first_words(list: &str) -> Vec<String> {
    let lines = list.lines().filter_map(|line| line.split_once(':'));
    lines.map(|(name, _)| name.trim().to_owned()).collect()
}

#[test]
fn every_option_of_the_howto_is_in_the_table() {
    let path = "/usr/share/doc/fio/HOWTO.rst.gz";
    let Ok(out) = Command::new("zcat").arg(path).output() else { return };
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let mut count = 0;
    for line in text.lines().filter_map(|line| line.strip_prefix(".. option:: ")) {
        let line = line.split(" : ").next().unwrap_or(line);
        for part in line.split(", ").filter(|part| !part.starts_with("--")) {
            let name = part.split(['=', ' ']).next().unwrap_or(part).trim();
            let found = find_option(name).unwrap_or_else(|| panic!("{name} is missing"));
            assert!(option_names(found).any(|known| known == name));
            count += 1;
        }
    }
    assert!(count == 0 || count > 300, "only {count} options read from {path}");
}
