//! `truedisk generate`: man pages and completions of shells, from the definition of the arguments.

use std::ffi::OsString;

use clap::CommandFactory as _;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use crate::args::Arguments;
use crate::exit::{Exit, Failure, Outcome};
use crate::{ping, terminal};

/// clap_complete offers fish no values of arguments without a name.
const FISH_VALUES: [(&str, &str); 2] = [("preset", "name"), ("explain", "topic")];

pub(crate) fn run(words: &[OsString]) -> Outcome {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let text = match words[..] {
        ["man"] => {
            list_commands().iter().map(|command| format!("{}\n", page_name(command))).collect()
        }
        ["man", name] => {
            let commands = list_commands();
            let command = commands.iter().find(|command| page_name(command) == name);
            let missing = || Failure::wrong(format_args!("no page '{name}'"));
            let hint = "truedisk generate man lists the pages";
            render_page(command.ok_or_else(|| missing().hint(hint))?)?
        }
        ["completions", "bash"] => render_completions(Shell::Bash)?,
        ["completions", "zsh"] => render_completions(Shell::Zsh)?,
        ["completions", "fish"] => render_completions(Shell::Fish)?,
        _ => {
            let hint =
                "truedisk generate man [PAGE], or truedisk generate completions bash|zsh|fish";
            return Err(Failure::wrong("generate prints man pages and completions").hint(hint));
        }
    };
    terminal::print(&text)?;
    Ok(Exit::Done)
}

/// Every command that help shows, with the names and the options that clap adds.
fn list_commands() -> Vec<clap::Command> {
    fn collect(command: &clap::Command, all: &mut Vec<clap::Command>) {
        all.push(command.clone());
        let shown = command.get_subcommands().filter(|inner| !inner.is_hide_set());
        shown.for_each(|inner| collect(inner, all));
    }
    // The list of commands after the help stands in a section of its own on a page.
    let mut root = Arguments::command().disable_help_subcommand(true).after_help("");
    root.build();
    let mut all = Vec::new();
    collect(&root, &mut all);
    all
}

/// `truedisk-history-list`.
fn page_name(command: &clap::Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

fn render_page(command: &clap::Command) -> Result<String, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    let page = String::from_utf8_lossy(&page);
    let title = page_name(command).to_ascii_uppercase().replace('-', "\\-");
    let version = env!("CARGO_PKG_VERSION");
    // Without a date, clap_mangen writes the source in its place.
    let title = format!(".TH {title} 1 \"\" \"truedisk {version}\"");
    let lines = page.lines().map(|line| if line.starts_with(".TH ") { &title } else { line });
    let mut text: String = lines.map(|line| format!("{line}\n")).collect();
    if page_name(command) == "truedisk-ping" {
        text.push_str(".SH ALL OPTIONS\n.nf\n");
        for line in ping::help_text().lines().skip(4) {
            text.push_str(&format!("\\&{}\n", line.replace('\\', "\\e").replace('-', "\\-")));
        }
        text.push_str(".fi\n");
    }
    Ok(text)
}

fn render_completions(shell: Shell) -> Result<String, Failure> {
    // More values are taken than are offered: a preset may be a file.
    let names = PossibleValuesParser::new(method::preset::built_in_names());
    let mut root = Arguments::command()
        .mut_subcommand("preset", |preset| preset.mut_arg("name", |arg| arg.value_parser(names)))
        .mut_subcommand("explain", |explain| {
            explain.mut_arg("topic", |arg| arg.hide_possible_values(false))
        });
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut root, "truedisk", &mut script);
    let mut text = String::from_utf8_lossy(&script).into_owned();
    if shell == Shell::Fish {
        for (command, argument) in FISH_VALUES {
            let found = root.find_subcommand(command);
            let arg = found.and_then(|found| {
                found.get_arguments().find(|arg| arg.get_id().as_str() == argument)
            });
            let values = arg.map(clap::Arg::get_possible_values).unwrap_or_default();
            let values: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
            let condition = format!("__fish_truedisk_using_subcommand {command}");
            let values = values.join(" ");
            text.push_str(&format!("complete -c truedisk -n \"{condition}\" -a \"{values}\"\n"));
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn every_command_has_a_page_that_mandoc_takes() {
        let commands = list_commands();
        let names: Vec<&str> = commands.iter().map(page_name).collect();
        for name in ["truedisk", "truedisk-check", "truedisk-history-list", "truedisk-fleet-fio"] {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
        assert!(!names.iter().any(|name| name.contains("generate") || name.contains("help")));
        let folder = tempfile::tempdir().unwrap();
        for command in &commands {
            let page = render_page(command).unwrap();
            let options = command.get_arguments().filter(|arg| !arg.is_hide_set());
            for option in options.filter_map(clap::Arg::get_long) {
                let option = format!("\\-\\-{}", option.replace('-', "\\-"));
                assert!(page.contains(&option), "{option} in {}", page_name(command));
            }
            std::fs::write(folder.path().join(format!("{}.1", page_name(command))), page).unwrap();
        }
        let ping = std::fs::read_to_string(folder.path().join("truedisk-ping.1")).unwrap();
        assert!(ping.contains("\\-\\-fail\\-on"), "{ping}");
        let pages = names.iter().map(|name| folder.path().join(format!("{name}.1")));
        let mut mandoc = Command::new("mandoc");
        // It is not installed everywhere.
        if let Ok(output) = mandoc.args(["-Tlint", "-Werror"]).args(pages).output() {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(said.is_empty(), "{said}");
        }
    }

    #[test]
    fn shells_offer_the_names_of_presets_terms_and_findings() {
        let script = render_completions(Shell::Bash).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("truedisk.bash");
        std::fs::write(&path, script).unwrap();
        let offered = |words: &str| {
            let at = words.split(' ').count() - 1;
            let program = format!(
                "source \"$1\"; COMP_WORDS=({words} \"\"); COMP_CWORD={}; \
                 _truedisk truedisk '' {}; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
                at + 1,
                words.rsplit(' ').next().unwrap(),
            );
            let mut bash = Command::new("bash");
            let output = bash.args(["-c", &program, "bash"]).arg(&path).output().unwrap();
            assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap()
        };
        let has = |text: &str, word: &str| text.lines().any(|line| line == word);
        for (words, expected) in [
            ("truedisk", "check"),
            ("truedisk preset", "crystaldiskmark"),
            ("truedisk explain", "page-cache"),
            ("truedisk explain", "thrashing"),
            ("truedisk check", "--read-only"),
        ] {
            let text = offered(words);
            assert!(has(&text, expected), "{words}: {text}");
        }
        assert!(!has(&offered("truedisk"), "generate"));
        for shell in [Shell::Zsh, Shell::Fish] {
            let script = render_completions(shell).unwrap();
            for word in ["crystaldiskmark", "page-cache", "thrashing", "read-only"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
        }
    }
}
