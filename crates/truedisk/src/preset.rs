//! `truedisk preset`: list, show, or run the test of another tool or of an application.

mod duration;
pub(crate) mod small_files;

use std::fs;
use std::path::{Path, PathBuf};

use message::messages;
use method::preset::{built_in_groups, built_in_names, preset as measure};
use method::{Preset, PresetError, PresetRequest};
use record::Record;
use report::Sheet;
use report::preset::{FORMATS, Format, PresetResult, find_format as format_named};
use serde_json::{Value, json};
use target::Roots;
use units::Nanos;

use crate::args::PresetArgs;
use crate::exit::{Exit, Failure, Outcome};
use crate::output::{self, Outputs, Run, open_json, write_json};
use crate::site::Site;
use crate::terminal::{self, say, tell};
use duration::format_rough;

const PRESET_EXAMPLE: &str = "truedisk preset etcd --show prints one to start from";

pub(crate) fn run(args: &PresetArgs) -> Outcome {
    let Some(name) = &args.name else { return print_list(args) };
    if args.show {
        return show_preset(name, args);
    }
    let preset = find_preset(name)?;
    // Before anything is announced.
    let outputs = Outputs::from_common(&args.common, &input_files(args))?;
    if let Some(plan) = preset.small_files() {
        return small_files::run(args, &preset, plan.clone(), outputs);
    }
    if let Some(flag) = args.first_small_file_flag() {
        let message = format!("{flag} is for presets of small files, as 'metadata' is");
        return Err(Failure::wrong(message).hint("leave it out"));
    }
    let format = args.format.as_deref().map(|name| find_format(name, "--format")).transpose()?;
    if format.is_some() && outputs.uses_stdout() {
        let message = "--format and a result at - both print to stdout";
        return Err(Failure::wrong(message).hint("write the result to a file: --json FILE"));
    }
    run_preset(args, preset, format, outputs)
}

fn run_preset(
    args: &PresetArgs,
    preset: Preset,
    format: Option<&'static Format>,
    outputs: Outputs,
) -> Outcome {
    let common = &args.common;
    let folder = common.path().is_dir();
    let size = common.extent.size.unwrap_or(preset.plan.size);
    let layout = if folder { Preset::layout_time(size) } else { Nanos::ZERO };
    let whole = Nanos(preset.time_max().0.saturating_add(layout.0));
    let asked = args.budget.budget;
    let budget = asked.map_or(whole, |budget| budget.min(whole));
    // What is written is announced where its size is known, and what is refused is not.
    let only_reads = common.extent.read_only || !preset.has_writes();
    let can_read = common.path().exists() && preset.clone().without_writes().is_some();
    if !common.quiet.quiet && !folder && only_reads && can_read {
        let (preset, path) = (preset.plan.name.clone(), common.path().display().to_string());
        let announcement = tell(OnlyReads { preset, path, time: format_rough(budget) });
        terminal::eprint_line(format_args!("truedisk: {announcement}"))?;
    }
    let text = |record: &Record| Some((format?.render)(&PresetResult::from_record(record)?));
    output::run_method(
        Run { common, site: &Site::Local, outputs, budget, promise: None, text: Some(&text) },
        |ask, _, stop, watch| {
            let request = PresetRequest { ask, preset: preset.clone(), budget: asked };
            measure(&request, &Roots::host(), stop, watch)
        },
    )
}

fn input_files(args: &PresetArgs) -> Vec<&Path> {
    args.name.as_deref().filter(|name| is_path(name)).map(Path::new).into_iter().collect()
}

fn is_path(name: &str) -> bool {
    name.contains('/') || name.ends_with(".toml")
}

fn find_preset(name: &str) -> Result<Preset, Failure> {
    if is_path(name) {
        return read_preset(Path::new(name));
    }
    let own = user_presets();
    let file = own.iter().find(|(known, _)| known == name);
    match (file, built_in_names().any(|known| known == name)) {
        (Some((_, path)), false) => read_preset(path),
        (Some((_, path)), true) => {
            let message = format!("two presets are called '{name}': {} and ours", path.display());
            Err(Failure::wrong(message).hint("give yours another name, or name it by its path"))
        }
        (None, _) => {
            let others: Vec<String> = own.into_iter().map(|(name, _)| name).collect();
            let found = Preset::find(name, &others).and_then(check_format);
            found.map_err(|error| match error {
                PresetError::Unknown { .. } => {
                    Failure::wrong(error).hint("truedisk preset lists all of them")
                }
                _ => Failure::wrong(error).hint(PRESET_EXAMPLE),
            })
        }
    }
}

fn check_format(preset: Preset) -> Result<Preset, PresetError> {
    match &preset.plan.format {
        Some(format) if format_named(format).is_none() => Err(PresetError::Broken {
            name: preset.plan.name.clone(),
            line: 1,
            reason: format!("unknown format '{format}'; it is one of {}", format_names()),
        }),
        _ => Ok(preset),
    }
}

fn format_names() -> String {
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    names.join(", ")
}

fn find_format(name: &str, flag: &str) -> Result<&'static Format, Failure> {
    format_named(name).ok_or_else(|| {
        let message = format!("{flag}: unknown format '{name}'");
        Failure::wrong(message).hint(format!("it is one of {}", format_names()))
    })
}

fn read_preset(path: &Path) -> Result<Preset, Failure> {
    let text = input::read_text(path, input::TEXT_MAX).map_err(|error| {
        let message = format!("cannot read the preset in {}: {error}", path.display());
        Failure::wrong(message).hint(PRESET_EXAMPLE)
    })?;
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let found = Preset::parse(&name.unwrap_or_default(), &text).and_then(check_format);
    found.map_err(|error| {
        Failure::wrong(format_args!("{}: {error}", path.display())).hint(PRESET_EXAMPLE)
    })
}

fn user_presets() -> Vec<(String, PathBuf)> {
    let folder = crate::config::user_folder().map(|folder| folder.join("presets"));
    let entries = folder.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten();
    let mut own: Vec<(String, PathBuf)> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path)))
        .collect();
    own.sort();
    own
}

fn show_preset(name: &str, args: &PresetArgs) -> Outcome {
    let file = open_json(&args.common.result.json)?;
    let preset = find_preset(name)?;
    match file {
        Some(file) => write_json(file, &preset_json(name, &Ok(preset))),
        None => {
            terminal::print(&preset.text)?;
            Ok(Exit::Done)
        }
    }
}

fn print_list(args: &PresetArgs) -> Outcome {
    let ours = |name: &str| Preset::find(name, &[]).map_err(|error| error.to_string());
    let to = open_json(&args.common.result.json)?;
    let mut groups: Vec<PresetGroup> = built_in_groups()
        .map(|(group, names)| {
            (group, names.into_iter().map(|name| (name.to_owned(), ours(name))).collect())
        })
        .collect();
    let own = user_presets().into_iter();
    let own = own.map(|(name, path)| (name, read_preset(&path).map_err(|failure| failure.message)));
    groups.push(("own", own.collect()));
    if let Some(file) = to {
        let entry = |group: &str, (name, found): &ListedPreset| {
            let mut entry = preset_json(name, found);
            entry["group"] = json!(group);
            entry
        };
        let entries: Vec<Value> = groups
            .iter()
            .flat_map(|(group, presets)| presets.iter().map(|preset| entry(group, preset)))
            .collect();
        return write_json(file, &json!({ "presets": entries }));
    }
    terminal::print(&list_sheet(&groups).render(terminal::style()))?;
    Ok(Exit::Done)
}

/// The name, and the preset or why it is broken.
type ListedPreset = (String, Result<Preset, String>);
/// The id of a group, and its presets.
type PresetGroup = (&'static str, Vec<ListedPreset>);

fn list_row((name, found): &ListedPreset) -> Vec<String> {
    let [time, size, title] = match found {
        Ok(preset) => {
            // Small files are no test file, and have no size before they are made.
            let size = preset.small_files().is_none().then(|| preset.plan.size.to_compact());
            let title = tell(report::preset::title_words(name, &preset.plan.title));
            let title = if preset.has_writes() { title } else { tell(ReadingPreset { title }) };
            [format_rough(preset.time_max()), size.unwrap_or_else(|| "-".to_owned()), title]
        }
        Err(error) => {
            let words = tell(BrokenPreset { error: error.clone() });
            ["-".into(), "-".into(), words]
        }
    };
    vec![name.clone(), time, size, title]
}

fn list_sheet(groups: &[PresetGroup]) -> Sheet {
    let mut sheet = Sheet::new(&say("presets-title"));
    let head = ["head-name", "head-at-most", "head-test-file", "head-what"].map(say);
    for (group, presets) in groups.iter().filter(|(_, presets)| !presets.is_empty()) {
        let rows = presets.iter().map(list_row).collect();
        sheet.add_table(&say(&format!("preset-group-{group}")), &head, rows, 4);
    }
    sheet.add_paragraph(&say("presets-note"));
    sheet
}

fn preset_json(name: &str, found: &Result<Preset, String>) -> Value {
    match found {
        Ok(preset) => json!({
            "name": name,
            "title": preset.plan.title,
            "imitates": preset.plan.imitates,
            "sources": preset.plan.sources,
            "format": preset.plan.format,
            "size": preset.plan.size,
            "time_ns": preset.time_max(),
            "writes": preset.has_writes(),
            "steps": preset.plan.steps,
            "thresholds": preset.plan.thresholds,
        }),
        Err(error) => json!({"name": name, "error": error}),
    }
}

messages! {
    ReadingPreset = "preset-only-reads" { title: String };
    BrokenPreset = "preset-broken" { error: String };
    OnlyReads = "announce-only-reads" { preset: String, path: String, time: String };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_that_is_compiled_in_can_be_listed_and_has_its_format() {
        for name in built_in_names() {
            let preset = find_preset(name).unwrap_or_else(|failure| panic!("{}", failure.message));
            assert!(preset.time_max() > Nanos::ZERO, "{name}");
            let title = report::preset::title_words(name, &preset.plan.title);
            assert!(!title.id().is_empty(), "{name}: its title is not among the messages");
        }
        for group in built_in_groups().map(|(group, _)| group).chain(["own"]) {
            let title = message::Message::find(&format!("preset-group-{group}"));
            assert!(title.is_some(), "{group}");
        }
    }

    #[test]
    fn long_titles_go_on_below() {
        let broken = ("mine".to_owned(), Err("some words that are long ".repeat(8)));
        let text = list_sheet(&[("own", vec![broken])]).render(report::Style::PLAIN);
        assert!(text.lines().all(|line| line.chars().count() <= report::WIDTH), "{text}");
        let row = text.lines().position(|line| line.trim_start().starts_with("mine")).unwrap();
        let below = text.lines().nth(row + 1).unwrap();
        assert!(below.starts_with(&" ".repeat(8)) && below.contains("words"), "{text}");
    }

    #[test]
    fn what_is_not_there_is_refused_with_what_to_do() {
        let check = |name: &str, words: &str| {
            let failure = find_preset(name).unwrap_err();
            assert_eq!(failure.exit, Exit::Error(units::ErrorKind::WrongRequest));
            assert!(failure.message.contains(words), "{}", failure.message);
            assert!(failure.hint.is_some());
        };
        check("clout", "unknown preset 'clout'; did you mean 'cloud'?");
        check("./none.toml", "cannot read the preset in ./none.toml");
        check("/", "it is a folder");
        assert!(find_format("linez", "--format").unwrap_err().message.contains("'linez'"));
    }
}
