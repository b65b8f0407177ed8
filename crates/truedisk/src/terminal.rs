//! The one writer of text for people: all that goes to stdout and stderr passes here.
//!
//! Text is escaped here, except for styles of our own: foreign names may hold control characters.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Stdout, Write};
use std::os::fd::AsFd;
use std::sync::OnceLock;

use message::{Language, Message, Render as _, label};
use report::Style;
use units::escape_controls;

/// The styles that our reports and clap's help print. Nothing else begins with an escape.
const STYLES: [&str; 8] = [
    RESET,
    "\u{1b}[1m",
    "\u{1b}[4m",
    "\u{1b}[31m",
    "\u{1b}[32m",
    "\u{1b}[33m",
    "\u{1b}[36m",
    "\u{1b}[2m",
];
const RESET: &str = "\u{1b}[0m";
/// Moves to the beginning of the line and clears it.
const CLEAR_LINE: &str = "\r\u{1b}[K";

pub(crate) fn print(text: &str) -> io::Result<()> {
    write_to(io::stdout().lock(), &escape_text(text, style().colour))
}

pub(crate) fn print_line(line: impl Display) -> io::Result<()> {
    print(&format!("{line}\n"))
}

/// Stdout for data whose writer has escaped it: an export.
pub(crate) fn data_stdout() -> Stdout {
    io::stdout()
}

/// Writes text for people to stderr, without the secrets that it may quote.
pub(crate) fn eprint(text: impl Display) -> io::Result<()> {
    eprint_text(&text.to_string())
}

pub(crate) fn eprint_line(line: impl Display) -> io::Result<()> {
    eprint_text(&format!("{line}\n"))
}

fn eprint_text(text: &str) -> io::Result<()> {
    let text = record::redact_secrets(text);
    write_to(io::stderr().lock(), &escape_text(&text, uses_colour(&io::stderr())))
}

/// Clears the line of progress on stderr and writes another in its place.
pub(crate) fn redraw_line(line: &str) -> io::Result<()> {
    write_to(io::stderr().lock(), &format!("{CLEAR_LINE}{}", escape_controls(line)))
}

/// fio's line of progress, which ends with a carriage return instead of a line feed.
fn escape_eta_line(text: &str) -> String {
    let parts: Vec<_> = text.split('\r').map(escape_controls).collect();
    parts.join("\r")
}

pub(crate) fn print_eta(text: &str) -> io::Result<()> {
    write_to(io::stdout().lock(), &escape_eta_line(text))
}

pub(crate) fn eprint_eta(text: &str) -> io::Result<()> {
    write_to(io::stderr().lock(), &escape_eta_line(text))
}

/// clap's own output: help and version on stdout, errors on stderr.
pub(crate) fn print_clap_message(error: &clap::Error) -> io::Result<()> {
    let text = error.render().ansi().to_string();
    let plain = || error.render().to_string();
    match error.use_stderr() {
        true if uses_colour(&io::stderr()) => eprint(text),
        true => eprint(plain()),
        false if style().colour => print(&text),
        false => print(&plain()),
    }
}

/// Lets a terminal write again that Ctrl-S stopped: a thread that is blocked there would neither
/// end nor show its result. A key that interrupts does the same, a signal of another program not.
pub(crate) fn resume_output() {
    use rustix::termios::{Action, tcflow, tcgetpgrp};
    let resume = |stream: &dyn AsFd| {
        let group = rustix::process::getpgrp();
        // A job in the background would be stopped for it.
        if stream.as_fd().is_terminal() && tcgetpgrp(stream.as_fd()).is_ok_and(|of| of != group) {
            return;
        }
        // Only what a program stopped can be resumed by one. Both fail where there is no terminal.
        let _ = tcflow(stream.as_fd(), Action::OOff);
        let _ = tcflow(stream.as_fd(), Action::OOn);
    };
    resume(&io::stdout());
    resume(&io::stderr());
}

/// The words of a label, in the language of this run.
pub(crate) fn say(id: &str) -> String {
    label(id).render(language())
}

pub(crate) fn tell(message: impl Into<Message>) -> String {
    message.into().render(language())
}

pub(crate) fn is_stdout_terminal() -> bool {
    io::stdout().is_terminal()
}

pub(crate) fn is_stderr_terminal() -> bool {
    io::stderr().is_terminal()
}

pub(crate) fn is_interactive() -> bool {
    io::stdin().is_terminal() && is_stderr_terminal()
}

/// Asks a question on stderr; whether the answer is the expected one.
pub(crate) fn confirm(question: &str, expected: &str) -> bool {
    let mut answer = String::new();
    let asked = eprint(format_args!("{question} "));
    asked.and_then(|()| io::stdin().read_line(&mut answer)).is_ok() && answer.trim() == expected
}

/// Whether a screen can be drawn on stdout, and keys read from stdin.
pub(crate) fn can_draw_screen() -> bool {
    let can_move = std::env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb");
    can_move && is_stdout_terminal() && io::stdin().is_terminal()
}

fn uses_colour(stream: &impl io::IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

pub(crate) fn style() -> Style {
    Style::new(uses_colour(&io::stdout()), language(), columns())
}

/// A run on one screen; with `--verbose` everything that is known of it.
pub(crate) fn render_record(record: &record::Record) -> String {
    match is_verbose() {
        true => report::render_terminal(record, style()),
        false => report::render_summary(record, style()),
    }
}

/// Set once, before anything is rendered.
static VERBOSE: OnceLock<bool> = OnceLock::new();

pub(crate) fn set_verbose(verbose: bool) {
    let _ = VERBOSE.set(verbose);
}

pub(crate) fn is_verbose() -> bool {
    VERBOSE.get().copied().unwrap_or_default()
}

/// Set once, before anything is rendered.
static LANGUAGE: OnceLock<Language> = OnceLock::new();

/// By `--lang`, else by the environment; English, with a line on stderr, where it is none of ours.
pub(crate) fn choose_language(flag: Option<&str>) {
    let choice = Language::choose(flag, |name| std::env::var(name).ok());
    if let Some(unknown) = choice.unknown {
        let known = Language::ALL.map(Language::tag).join(", ");
        let words = format!("truedisk: no language '{unknown}': English; there are {known}");
        let _ = eprint_line(words);
    }
    let _ = LANGUAGE.set(choice.language);
}

/// The language of this run's results.
pub(crate) fn language() -> Language {
    *LANGUAGE.get_or_init(|| Language::choose(None, |name| std::env::var(name).ok()).language)
}

/// Where stdout is no terminal, and says no COLUMNS.
const COLUMNS_DEFAULT: usize = 80;

/// By the terminal, else by COLUMNS.
pub(crate) fn columns() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok();
    let asked = size.map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0);
    let said = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns > 0);
    asked.or_else(said).unwrap_or(COLUMNS_DEFAULT)
}

/// A path that is too long for its line without the folder of the user: `~` is that to a shell.
pub(crate) fn shorten_home(path: &str) -> String {
    const LEAD: usize = "report: ".len();
    let home = std::env::var("HOME").ok().filter(|home| !home.is_empty() && home != "/");
    let below = home.and_then(|home| path.strip_prefix(&format!("{home}/")).map(str::to_owned));
    match below.filter(|_| LEAD + path.chars().count() > columns()) {
        Some(below) => format!("~/{below}"),
        None => path.to_owned(),
    }
}

/// Columns of the terminal that progress goes to.
pub(crate) fn stderr_columns() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stderr()).ok();
    let asked = size.map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0);
    asked.unwrap_or(COLUMNS_DEFAULT)
}

fn write_to(mut stream: impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// Escapes control characters but line feeds and tabs; with `styled`, our own styles stay, and end
/// with their line.
fn escape_text(text: &str, styled: bool) -> String {
    if !styled {
        return escape_controls(text).into_owned();
    }
    text.split_inclusive('\n').map(escape_styled_line).collect()
}

fn escape_styled_line(line: &str) -> String {
    let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
    let mut out = String::with_capacity(line.len());
    let mut open = false;
    let mut rest = line;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&escape_controls(&rest[..at]));
        rest = &rest[at..];
        let own = STYLES.iter().find(|style| rest.starts_with(**style));
        let taken = own.map_or(1, |style| style.len());
        match own {
            Some(style) => {
                open = *style != RESET;
                out.push_str(style);
            }
            None => out.push_str(&escape_controls(&rest[..taken])),
        }
        rest = &rest[taken..];
    }
    out.push_str(&escape_controls(rest));
    if open {
        out.push_str(RESET);
    }
    out + end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_styles_of_our_own_reach_a_terminal() {
        let check = |text: &str, plain: &str, styled: &str| {
            assert_eq!(escape_text(text, false), plain);
            assert_eq!(escape_text(text, true), styled);
        };
        check("a\tb\n", "a\tb\n", "a\tb\n");
        check(
            "\u{1b}[1m\u{1b}[31mbad\u{1b}[0m x\n",
            "\\u{1b}[1m\\u{1b}[31mbad\\u{1b}[0m x\n",
            "\u{1b}[1m\u{1b}[31mbad\u{1b}[0m x\n",
        );
        check("\u{1b}]0;x\u{7}", "\\u{1b}]0;x\\u{7}", "\\u{1b}]0;x\\u{7}");
        check("\u{1b}[8m\u{9b}31m", "\\u{1b}[8m\\u{9b}31m", "\\u{1b}[8m\\u{9b}31m");
        check("\u{1b}", "\\u{1b}", "\\u{1b}");
        // A style that a foreign name opens ends with its line.
        check("\u{1b}[31mx\ny\n", "\\u{1b}[31mx\ny\n", "\u{1b}[31mx\u{1b}[0m\ny\n");
    }

    #[test]
    fn the_styles_of_reports_are_known() {
        let record = record::fixture::ssd_record();
        let text = report::render_terminal(&record, Style { colour: true, ..Style::PLAIN });
        assert!(text.contains('\u{1b}'));
        assert_eq!(escape_text(&text, true), text);
    }

    #[test]
    fn the_styles_of_help_are_known() {
        use clap::Parser as _;
        for words in [&["truedisk", "--help"][..], &["truedisk", "check", "--bad"]] {
            let error = crate::args::Arguments::try_parse_from(words).unwrap_err();
            let text = error.render().ansi().to_string();
            assert!(text.contains('\u{1b}'));
            assert_eq!(escape_text(&text, true), text);
        }
    }

    #[test]
    fn a_line_of_progress_keeps_its_carriage_return() {
        assert_eq!(escape_eta_line("\rJobs: \u{1b}[2J"), "\rJobs: \\u{1b}[2J");
    }
}
