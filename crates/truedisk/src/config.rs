//! Defaults of options from the environment and from files, and `truedisk config`, which shows
//! them. The command line comes first, then the environment, the user's file, the system's file.

mod defaults;
mod setting;
mod sources;

use clap::CommandFactory as _;
use message::messages;
use serde_json::json;

pub(crate) use self::defaults::apply_settings;
use self::defaults::{check_value, find_setting};
use self::setting::OptionDefault;
pub(crate) use self::sources::user_folder;
use self::sources::{config_files, load_settings, unknown_variables};
use crate::args::{Arguments, JsonArg};
use crate::exit::{Exit, Failure, Outcome};
use crate::output::{open_json, write_json};
use crate::terminal;

/// `truedisk config`: what is in force, and from where.
pub(crate) fn run(json: &JsonArg) -> Outcome {
    let to = open_json(json)?;
    let files = config_files();
    let settings = load_settings(&files, |name| std::env::var_os(name))?;
    let hidden = |earlier: &[OptionDefault], setting: &OptionDefault| {
        earlier
            .iter()
            .any(|other| (&other.command, &other.option) == (&setting.command, &setting.option))
    };
    let in_force: Vec<&OptionDefault> = (settings.iter().enumerate())
        .filter(|(at, setting)| !hidden(&settings[..*at], setting))
        .map(|(_, setting)| setting)
        .collect();
    for setting in &in_force {
        check_everywhere(setting)?;
    }
    let unknown = unknown_variables(std::env::vars_os().map(|(name, _)| name));
    if let Some(file) = to {
        let files = files.iter().map(|path| json!({"path": path, "exists": path.exists()}));
        let entry = |setting: &&OptionDefault| {
            json!({
                "setting": setting.name(),
                "values": setting.values,
                "from": setting.origin.to_string(),
            })
        };
        let settings = in_force.iter().map(entry).collect::<Vec<_>>();
        let all = json!({
            "files": files.collect::<Vec<_>>(),
            "settings": settings,
            "unknown_variables": unknown,
        });
        return write_json(file, &all);
    }
    let mut out = String::new();
    let row = |setting: &&OptionDefault| {
        vec![setting.name(), setting.values.join(", "), setting.origin.to_string()]
    };
    if !in_force.is_empty() {
        let head = ["head-setting", "head-value", "head-set-by"].map(terminal::say);
        let width = terminal::style().width;
        report::TextTable::fitting(head, in_force.iter().map(row), width).write(&mut out);
        out.push('\n');
    }
    for path in &files {
        let path_words = path.display().to_string();
        let words = match path.exists() {
            true => terminal::tell(FileRead { path: path_words }),
            false => terminal::tell(FileMissing { path: path_words }),
        };
        out.push_str(&format!("{words}\n"));
    }
    for name in unknown {
        out.push_str(&format!("{}\n", terminal::tell(VariableUnknown { name })));
    }
    terminal::print(&out)?;
    Ok(Exit::Done)
}

/// The value by the rules of every command that takes it.
fn check_everywhere(setting: &OptionDefault) -> Result<(), Failure> {
    fn visit(
        command: &clap::Command,
        path: &mut Vec<String>,
        setting: &OptionDefault,
    ) -> Result<(), Failure> {
        for arg in command.get_arguments() {
            if find_setting(arg, path, std::slice::from_ref(setting)).is_some() {
                check_value(path, arg, setting)?;
            }
        }
        for inner in command.get_subcommands() {
            path.push(inner.get_name().to_owned());
            visit(inner, path, setting)?;
            path.pop();
        }
        Ok(())
    }
    visit(&Arguments::command(), &mut Vec::new(), setting)
}

messages! {
    FileRead = "config-file-read" { path: String };
    FileMissing = "config-file-missing" { path: String };
    VariableUnknown = "config-variable-unknown" { name: String };
}

#[cfg(test)]
mod tests;
