//! From the words to what is asked, with every default filled in.

use std::path::PathBuf;

use ::ping::{PingSettings, Writes};
use units::{Bytes, Nanos};
use workload::Bound;

use super::getopt::ParsedArguments;
use super::numbers;
use crate::args::{LatencyThreshold, ResultArgs};

/// The time of day before a request, unless a format is given.
const TIME_FORMAT: &str = "%b %d %T";
const JSON_FORMAT: &str = "%FT%T%z";
const DEFAULT_SIZE: u64 = 4 << 10;
const DEFAULT_SIZE_LINEAR: u64 = 256 << 10;
/// The most that one request of the kernel moves: MAX_RW_COUNT, 2 GiB less a page.
const SIZE_MAX: u64 = 0x7fff_f000;
const SECOND: u64 = 1_000_000_000;
const RAPID_TIME: u64 = 3 * SECOND;
/// Requests of a burst in contrast mode; the first comes after a pause.
const CONTRAST_BURST: u64 = 8;
/// Maximum number of requesters: more are a load, not a ping.
const DEPTH_MAX: u64 = 1024;

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct DisplayOptions {
    pub(super) quiet: bool,
    pub(super) batch: bool,
    pub(super) json: bool,
    pub(super) time: bool,
    pub(super) time_format: String,
    pub(super) percentiles: bool,
    pub(super) histogram: bool,
    pub(super) rate: bool,
    pub(super) findings: bool,
    pub(super) result: ResultArgs,
    pub(super) language: Option<String>,
    /// The latency that the run must keep below.
    pub(super) fail_on: Option<Bound>,
    /// Whether only the line of a plugin is printed.
    pub(super) nagios: bool,
    /// Whether the run is kept in the history.
    pub(super) keep_run: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum ParsedCommand {
    Help,
    Version,
    Ping(Box<PingSettings>, DisplayOptions),
}

/// Options before their defaults depend on each other.
#[derive(Debug, Default)]
struct Draft {
    interval: Option<u64>,
    interval_default: Option<u64>,
    work_time: Option<u64>,
    size: u64,
    speed: u64,
    rate: f64,
}

pub(super) fn parse_settings(
    words: ParsedArguments,
    as_ioping: bool,
) -> Result<ParsedCommand, String> {
    let mut settings = default_settings();
    let mut look = default_display(as_ioping);
    let mut draft = Draft::default();
    for (name, argument) in words.options {
        match name {
            "help" => return Ok(ParsedCommand::Help),
            "version" => return Ok(ParsedCommand::Version),
            _ => {}
        }
        if !apply_switch(name, &mut settings, &mut look, &mut draft) {
            apply_value(name, argument.as_deref(), &mut settings, &mut look, &mut draft)
                .map_err(|error| format!("--{name}: {error}"))?;
        }
    }
    let result = &look.result;
    settings.record = look.keep_run || result.json.json.is_some() || result.html.is_some();
    settings.paths = words.paths.into_iter().map(PathBuf::from).collect();
    finish_settings(settings, look, &draft, as_ioping)
}

fn default_settings() -> PingSettings {
    PingSettings { version: env!("CARGO_PKG_VERSION").to_owned(), ..PingSettings::default() }
}

fn default_display(as_ioping: bool) -> DisplayOptions {
    DisplayOptions {
        time_format: TIME_FORMAT.to_owned(),
        percentiles: !as_ioping,
        histogram: !as_ioping,
        rate: !as_ioping,
        findings: true,
        ..DisplayOptions::default()
    }
}

/// Applies an option without an argument; whether it is one.
fn apply_switch(
    name: &str,
    settings: &mut PingSettings,
    look: &mut DisplayOptions,
    draft: &mut Draft,
) -> bool {
    match name {
        "async" => settings.io.submitted = true,
        "cached" => settings.io.cached = true,
        "direct" => settings.io.direct = true,
        "read-write" => {
            settings.writes = Writes::Alternating;
            settings.write_confirmations += 1;
        }
        "linear" => settings.io.linear = true,
        "nowait" => settings.io.nowait = true,
        "hipri" => settings.io.hipri = true,
        "write" => {
            if settings.writes == Writes::None {
                settings.writes = Writes::All;
            }
            settings.write_confirmations += 1;
        }
        "sync" => settings.io.sync = true,
        "dsync" => settings.io.dsync = true,
        "rapid" => {
            settings.work.rapid = true;
            look.quiet = true;
            draft.interval_default = Some(0);
        }
        "keep" => settings.work.keep_file = true,
        "batch" => (look.quiet, look.batch) = (true, true),
        "json" => {
            look.json = true;
            JSON_FORMAT.clone_into(&mut look.time_format);
        }
        "quiet" => look.quiet = true,
        "contrast" => settings.contrast = true,
        "percentiles" => look.percentiles = true,
        "histogram" => look.histogram = true,
        "no-findings" => look.findings = false,
        "keep-run" => look.keep_run = true,
        "nagios" => look.nagios = true,
        _ => return false,
    }
    true
}

fn apply_value(
    name: &str,
    argument: Option<&str>,
    settings: &mut PingSettings,
    look: &mut DisplayOptions,
    draft: &mut Draft,
) -> Result<(), String> {
    let text = argument.unwrap_or_default();
    match name {
        "warmup" => settings.figures.warmup = numbers::parse_count(text)?,
        "burst" => settings.schedule.burst = numbers::parse_count(text)?,
        "count" => settings.schedule.count = numbers::parse_count(text)?,
        "entropy" => settings.seed = numbers::parse_seed(text)?,
        "interval" => draft.interval = Some(numbers::parse_time(text)?),
        "size" => draft.size = numbers::parse_size(text)?,
        "work-size" => {
            settings.work.size =
                Some(numbers::parse_size(text)?).filter(|size| *size > 0).map(Bytes);
        }
        "work-offset" => settings.work.offset = Bytes(numbers::parse_size(text)?),
        "work-time" => draft.work_time = Some(numbers::parse_time(text)?),
        "speed-limit" => {
            draft.speed = numbers::parse_size(text)?;
            draft.interval_default = Some(0);
        }
        "rate-limit" => {
            draft.rate = numbers::parse_rate(text)?;
            draft.interval_default = Some(0);
        }
        "min-time" => settings.figures.min_time = Nanos(numbers::parse_time(text)?),
        "max-time" => settings.figures.max_time = Nanos(numbers::parse_time(text)?),
        "print-count" => settings.figures.window_count = numbers::parse_count(text)?,
        "print-interval" => settings.figures.window_time = Nanos(numbers::parse_time(text)?),
        "depth" => settings.schedule.depth = parse_depth(text)?,
        "yes-destroy-data-on" => settings.destroy_data_on = Some(PathBuf::from(text)),
        "time" => {
            look.time = true;
            if let Some(format) = argument {
                let parsed = jiff::fmt::strtime::format(format, &jiff::Zoned::now());
                parsed.map_err(|error| format!("the time format '{format}': {error}"))?;
                format.clone_into(&mut look.time_format);
            }
        }
        "record" => look.result.json.json = Some(PathBuf::from(text)),
        "lang" => look.language = Some(text.to_owned()),
        "fail-on" => look.fail_on = Some(text.parse::<LatencyThreshold>()?.0),
        "html" => look.result.html = Some(PathBuf::from(text)),
        _ => debug_assert!(false, "--{name} has no meaning"),
    }
    Ok(())
}

fn parse_depth(text: &str) -> Result<u32, String> {
    match numbers::parse_count(text)? {
        depth @ 1..=DEPTH_MAX => Ok(depth as u32),
        depth => Err(format!("a depth of {depth} is not between 1 and {DEPTH_MAX}")),
    }
}

fn finish_settings(
    mut settings: PingSettings,
    look: DisplayOptions,
    draft: &Draft,
    as_ioping: bool,
) -> Result<ParsedCommand, String> {
    let default = if settings.io.linear { DEFAULT_SIZE_LINEAR } else { DEFAULT_SIZE };
    settings.size = Bytes(if draft.size == 0 { default } else { draft.size });
    if settings.size.0 > SIZE_MAX {
        return Err(format!("a request has at most {SIZE_MAX} bytes; -s asks for more"));
    }
    if settings.contrast && settings.schedule.burst == 0 {
        settings.schedule.burst = CONTRAST_BURST;
    }
    settings.schedule.interval = Nanos(effective_interval(&settings, draft));
    let rapid = if settings.work.rapid { RAPID_TIME } else { 0 };
    settings.schedule.time = Nanos(draft.work_time.unwrap_or(rapid));
    if settings.contrast
        && (settings.schedule.interval == Nanos::ZERO || settings.schedule.burst == 1)
    {
        return Err("--contrast needs pauses (-i above 0) and bursts (-b above 1)".to_owned());
    }
    if settings.contrast && settings.schedule.depth > 1 {
        return Err(
            "--contrast needs a target that is idle in the pauses: leave out --depth, whose \
                    other requesters go on in them"
                .to_owned(),
        );
    }
    let is_dash = |path: &Option<PathBuf>| path.as_deref().is_some_and(::output::is_dash);
    if look.json && is_dash(&look.result.json.json) {
        return Err(
            "the record and ioping's JSON cannot both go to stdout: leave out -J, or name a \
                    file for the record"
                .to_owned(),
        );
    }
    if look.nagios && (look.json || is_dash(&look.result.json.json) || is_dash(&look.result.html)) {
        return Err("--nagios and a result cannot both go to stdout".to_owned());
    }
    match (settings.paths.len(), as_ioping) {
        (0, true) => return Err("no destination specified".to_owned()),
        (0, false) => settings.paths.push(PathBuf::from(".")),
        (1, _) => {}
        (_, true) => {
            return Err("more than one destination specified; `truedisk ping` takes several, \
                        ioping one"
                .to_owned());
        }
        (_, false) if look.result != ResultArgs::default() => {
            return Err("a record is of one target: name one path, or leave out --json and --html"
                .to_owned());
        }
        (_, false) => {}
    }
    Ok(ParsedCommand::Ping(Box::new(settings), look))
}

/// Time from start to start: as requested, or longer for a rate limit.
fn effective_interval(settings: &PingSettings, draft: &Draft) -> u64 {
    let asked = draft.interval.or(draft.interval_default).unwrap_or(SECOND);
    let burst = settings.schedule.burst.max(1);
    let by_speed = match draft.speed {
        0 => 0,
        speed => {
            let ns = u128::from(settings.size.0) * u128::from(SECOND) / u128::from(speed);
            u64::try_from(ns).unwrap_or(u64::MAX).saturating_mul(burst)
        }
    };
    let by_rate = if draft.rate > 0.0 {
        ((SECOND as f64 / draft.rate) as u64).saturating_mul(burst)
    } else {
        0
    };
    asked.max(by_speed).max(by_rate)
}

#[cfg(test)]
mod tests {
    use super::super::getopt::parse_arguments;
    use super::*;
    use std::ffi::OsString;

    fn parse_words(words: &[&str], as_ioping: bool) -> Result<ParsedCommand, String> {
        let args: Vec<OsString> = words.iter().map(OsString::from).collect();
        parse_settings(parse_arguments(&args, as_ioping)?, as_ioping)
    }

    fn of(words: &[&str]) -> (PingSettings, DisplayOptions) {
        let words = [words, &["."]].concat();
        match parse_words(&words, true).unwrap() {
            ParsedCommand::Ping(settings, look) => (*settings, look),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_option_has_a_meaning() {
        use super::super::table::{ArgumentKind, IOPING_OPTIONS, OWN_OPTIONS};
        for option in IOPING_OPTIONS.iter().chain(OWN_OPTIONS) {
            let argument = match option.argument {
                ArgumentKind::Nothing => None,
                ArgumentKind::Optional(_) => Some("%H".to_owned()),
                ArgumentKind::Required("LATENCY") => Some("p99>2ms".to_owned()),
                ArgumentKind::Required(_) => Some("2".to_owned()),
            };
            // The last of these says what else would be needed.
            let extra = (option.long == "contrast").then_some(("interval", Some("1".into())));
            let mut options = vec![(option.long, argument)];
            options.extend(extra);
            let words = ParsedArguments { options, paths: vec![".".into()], json_file: None };
            let plain = ParsedCommand::Ping(Box::new(plain_at(".")), default_display(true));
            let meant = parse_settings(words, true).unwrap();
            // `-a 1` is the default; 2 is never the default.
            assert_ne!(meant, plain, "{}", option.long);
        }
    }

    fn plain_at(path: &str) -> PingSettings {
        PingSettings { paths: vec![path.into()], ..default_settings() }
    }

    #[test]
    fn defaults_depend_on_each_other_as_in_ioping() {
        let check = |words: &[&str], interval: u64, time: u64, size: u64| {
            let (settings, _) = of(words);
            let told = (settings.schedule.interval.0, settings.schedule.time.0, settings.size.0);
            assert_eq!(told, (interval, time, size), "{words:?}");
        };
        check(&[], SECOND, 0, 4096);
        check(&["-R"], 0, 3 * SECOND, 4096);
        check(&["-R", "-i", "2", "-w", "1"], 2 * SECOND, SECOND, 4096);
        check(&["-i", "2", "-R"], 2 * SECOND, 3 * SECOND, 4096);
        check(&["-L"], SECOND, 0, 256 << 10);
        check(&["-L", "-s", "0"], SECOND, 0, 256 << 10);
        check(&["-l", "400k"], 10_000_000, 0, 4096);
        check(&["-l", "400k", "-b", "3"], 30_000_000, 0, 4096);
        check(&["-r", "50"], 20_000_000, 0, 4096);
        check(&["-r", "50", "-i", "1"], SECOND, 0, 4096);
        check(&["-r", "1/2"], 2 * SECOND, 0, 4096);
        let (settings, look) = of(&["-RG", "-p", "3"]);
        assert!(settings.work.rapid && look.quiet && settings.writes == Writes::Alternating);
        assert_eq!((settings.write_confirmations, settings.figures.window_count), (1, 3));
        assert_eq!(of(&["-WWW"]).0.write_confirmations, 3);
        let (settings, _) = of(&["--contrast"]);
        assert_eq!((settings.schedule.burst, settings.schedule.interval.0), (8, SECOND));
        assert_eq!(of(&["-J"]).1.time_format, "%FT%T%z");
        assert_eq!(of(&["-J", "-I%H"]).1.time_format, "%H");
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let check = |words: &[&str], as_ioping: bool, text: &str| {
            let error = parse_words(words, as_ioping).unwrap_err();
            assert!(error.contains(text), "{words:?}: {error}");
        };
        check(&[], true, "no destination specified");
        check(&["a", "b"], true, "more than one destination");
        check(&["-J", "--json", "-", "."], false, "cannot both go to stdout");
        check(&["a", "b", "--json", "x"], false, "of one target");
        check(&["-s", "2g", "."], true, "at most 2147479552 bytes");
        check(&["-I%Q%", "."], true, "the time format '%Q%'");
        check(&["--depth", "0", "."], true, "not between 1 and 1024");
        check(&["--contrast", "-i", "0", "."], true, "needs pauses");
        check(&["--contrast", "-b", "1", "."], true, "needs pauses");
        check(&["--contrast", "--depth", "2", "."], true, "idle in the pauses");
        assert!(
            matches!(parse_words(&[], false), Ok(ParsedCommand::Ping(s, _)) if s.paths.len() == 1)
        );
        assert_eq!(parse_words(&["-c", "1", "-h", "-v"], true), Ok(ParsedCommand::Help));
        assert_eq!(parse_words(&["-v", "-h"], true), Ok(ParsedCommand::Version));
    }
}
