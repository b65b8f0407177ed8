//! The options of `ping`, each with its one definition: names, argument, help.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionKey {
    Help,
    Version,
    Async,
    Cached,
    Direct,
    ReadWrite,
    Linear,
    Nowait,
    Hipri,
    Write,
    Sync,
    Dsync,
    Rapid,
    Keep,
    Warmup,
    Burst,
    Count,
    Entropy,
    Interval,
    Size,
    WorkSize,
    WorkOffset,
    WorkTime,
    SpeedLimit,
    RateLimit,
    MinTime,
    MaxTime,
    Batch,
    Time,
    Json,
    PrintCount,
    PrintInterval,
    Quiet,
    Depth,
    Contrast,
    Percentiles,
    Histogram,
    NoFindings,
    Record,
    Page,
    Destroy,
}

/// Whether an option has an argument, and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArgumentKind {
    Nothing,
    Optional(&'static str),
    Required(&'static str),
}

#[derive(Debug)]
pub(super) struct OptionDefinition {
    pub(super) key: OptionKey,
    /// One letter, after one hyphen; only ioping's have one.
    pub(super) short: Option<char>,
    /// A word: after one hyphen or two where it is ioping's, after two where it is ours.
    pub(super) long: &'static str,
    pub(super) argument: ArgumentKind,
    pub(super) help: &'static str,
}

const fn ioping_option(
    key: OptionKey,
    short: char,
    long: &'static str,
    takes: ArgumentKind,
    help: &'static str,
) -> OptionDefinition {
    OptionDefinition { key, short: Some(short), long, argument: takes, help }
}

const fn own_option(
    key: OptionKey,
    long: &'static str,
    takes: ArgumentKind,
    help: &'static str,
) -> OptionDefinition {
    OptionDefinition { key, short: None, long, argument: takes, help }
}

const COUNT: ArgumentKind = ArgumentKind::Required("count");
const TIME: ArgumentKind = ArgumentKind::Required("time");
const SIZE: ArgumentKind = ArgumentKind::Required("size");
const FILE: ArgumentKind = ArgumentKind::Required("FILE");

/// ioping's options, in the order in which help lists them.
pub(super) const IOPING_OPTIONS: &[OptionDefinition] = &[
    ioping_option(
        OptionKey::Async,
        'A',
        "async",
        ArgumentKind::Nothing,
        "asynchronous I/O (io_submit)",
    ),
    ioping_option(
        OptionKey::Cached,
        'C',
        "cached",
        ArgumentKind::Nothing,
        "leave the page cache alone, sync nothing",
    ),
    ioping_option(
        OptionKey::Direct,
        'D',
        "direct",
        ArgumentKind::Nothing,
        "bypass the page cache (O_DIRECT)",
    ),
    ioping_option(
        OptionKey::ReadWrite,
        'G',
        "read-write",
        ArgumentKind::Nothing,
        "write and read in turns",
    ),
    ioping_option(
        OptionKey::Linear,
        'L',
        "linear",
        ArgumentKind::Nothing,
        "one block after the other, of 256k",
    ),
    ioping_option(
        OptionKey::Nowait,
        'N',
        "nowait",
        ArgumentKind::Nothing,
        "fail instead of waiting (RWF_NOWAIT)",
    ),
    ioping_option(
        OptionKey::Hipri,
        'H',
        "hipri",
        ArgumentKind::Nothing,
        "poll for completion (RWF_HIPRI)",
    ),
    ioping_option(
        OptionKey::Write,
        'W',
        "write",
        ArgumentKind::Nothing,
        "write; -WWW shreds a file or device",
    ),
    ioping_option(
        OptionKey::Sync,
        'Y',
        "sync",
        ArgumentKind::Nothing,
        "every write durable (as O_SYNC)",
    ),
    ioping_option(
        OptionKey::Dsync,
        'y',
        "dsync",
        ArgumentKind::Nothing,
        "the data of every write durable (O_DSYNC)",
    ),
    ioping_option(
        OptionKey::Rapid,
        'R',
        "rapid",
        ArgumentKind::Nothing,
        "as fast as it goes for 3s (-q -i 0 -w 3)",
    ),
    ioping_option(
        OptionKey::Keep,
        'k',
        "keep",
        ArgumentKind::Nothing,
        "keep the work file (ioping.tmp), or reuse it",
    ),
    ioping_option(
        OptionKey::Warmup,
        'a',
        "warmup",
        COUNT,
        "leave the first requests out [default: 1]",
    ),
    ioping_option(OptionKey::Burst, 'b', "burst", COUNT, "so many requests without a pause"),
    ioping_option(OptionKey::Count, 'c', "count", COUNT, "stop after so many requests"),
    ioping_option(
        OptionKey::Entropy,
        'e',
        "entropy",
        ArgumentKind::Required("seed"),
        "what random numbers follow from",
    ),
    ioping_option(OptionKey::Interval, 'i', "interval", TIME, "from start to start [default: 1s]"),
    ioping_option(OptionKey::Size, 's', "size", SIZE, "bytes per request [default: 4k]"),
    ioping_option(
        OptionKey::WorkSize,
        'S',
        "work-size",
        SIZE,
        "part worked on [default: 1m of a folder, all]",
    ),
    ioping_option(
        OptionKey::WorkOffset,
        'o',
        "work-offset",
        SIZE,
        "where that part begins [default: 0]",
    ),
    ioping_option(OptionKey::WorkTime, 'w', "work-time", TIME, "stop after this time"),
    ioping_option(OptionKey::SpeedLimit, 'l', "speed-limit", SIZE, "bytes per second at most"),
    ioping_option(OptionKey::RateLimit, 'r', "rate-limit", COUNT, "requests per second at most"),
    ioping_option(OptionKey::MinTime, 't', "min-time", TIME, "leave faster requests out"),
    ioping_option(OptionKey::MaxTime, 'T', "max-time", TIME, "leave slower requests out"),
    ioping_option(
        OptionKey::Batch,
        'B',
        "batch",
        ArgumentKind::Nothing,
        "print one raw line at the end",
    ),
    ioping_option(
        OptionKey::Time,
        'I',
        "time",
        ArgumentKind::Optional("format"),
        "time of day before every request",
    ),
    ioping_option(OptionKey::Json, 'J', "json", ArgumentKind::Nothing, "ioping's JSON"),
    ioping_option(
        OptionKey::PrintCount,
        'p',
        "print-count",
        COUNT,
        "a raw line after so many requests",
    ),
    ioping_option(
        OptionKey::PrintInterval,
        'P',
        "print-interval",
        TIME,
        "a raw line after this time",
    ),
    ioping_option(OptionKey::Quiet, 'q', "quiet", ArgumentKind::Nothing, "no line per request"),
    ioping_option(OptionKey::Help, 'h', "help", ArgumentKind::Nothing, "print this"),
    ioping_option(OptionKey::Version, 'v', "version", ArgumentKind::Nothing, "print the version"),
];

/// Options that ioping does not have.
pub(super) const OWN_OPTIONS: &[OptionDefinition] = &[
    own_option(
        OptionKey::Depth,
        "depth",
        ArgumentKind::Required("N"),
        "N requesters per target at a time",
    ),
    own_option(
        OptionKey::Contrast,
        "contrast",
        ArgumentKind::Nothing,
        "latency after a pause and back to back",
    ),
    own_option(
        OptionKey::Percentiles,
        "percentiles",
        ArgumentKind::Nothing,
        "percentiles at the end",
    ),
    own_option(
        OptionKey::Histogram,
        "histogram",
        ArgumentKind::Nothing,
        "all latencies as bars at the end",
    ),
    own_option(
        OptionKey::NoFindings,
        "no-findings",
        ArgumentKind::Nothing,
        "leave the truth checks out",
    ),
    own_option(OptionKey::Record, "record", FILE, "write the record as JSON to FILE"),
    own_option(OptionKey::Page, "html", FILE, "write the page to FILE"),
    own_option(
        OptionKey::Destroy,
        "yes-destroy-data-on",
        ArgumentKind::Required("DEVICE"),
        "leave to shred DEVICE although it holds something",
    ),
];

/// `truedisk ping --json FILE`, as every command of truedisk has it.
pub(super) const RECORD_AS_JSON: OptionDefinition =
    own_option(OptionKey::Record, "json", FILE, "as --record (ioping's JSON is -J)");

/// Intended differences from ioping; docs/ping.md has the reasons.
const DIFFERENCES: &str = "\
what differs from ioping 1.3 by intent:
  -WWW on a device that is mounted, held, or holds something, and on a file that is swapped on or
    behind a loop device, is refused (see --yes-destroy-data-on); so is ioping.tmp that is a link
  -D with sizes or offsets that the system says it cannot take is refused before the first request
  a request that fails ends the run with its statistics, not without
  of a request that returns less than expected, the bytes that moved are counted, not the whole
  numbers that are none (-c k, -c '', -e x) are errors; requests end at 2 GiB - 4 KiB
  character devices other than null, zero, full, random, urandom are not opened
  strings in JSON are escaped; an unknown letter in -I FORMAT is an error
  a read of the user's own file leaves its time of access; btrfs's devices are found by path
  errors are one line and a hint; truedisk's own options cannot be cut short
  findings (page-cache, unwritten) follow the statistics, as ioping on stderr
";

/// The help; `as_ioping` when called by that name.
pub(super) fn help_text(as_ioping: bool) -> String {
    let usage = if as_ioping {
        "Usage: ioping [options] directory|file|device\n"
    } else {
        "Request by request, as ioping does it\n\nUsage: truedisk ping [options] [PATH]...\n"
    };
    let lines =
        |definitions: &[OptionDefinition]| definitions.iter().map(help_line).collect::<String>();
    let mut text =
        format!("{usage}\nioping's options, with one hyphen or two:\n{}", lines(IOPING_OPTIONS));
    text.push_str("\ntruedisk's own:\n");
    text.push_str(&lines(OWN_OPTIONS));
    if !as_ioping {
        text.push_str(&help_line(&RECORD_AS_JSON));
        text.push_str(
            "Several paths are pinged at the same time. Percentiles, bars and the rate are \
                       always told.\n",
        );
    }
    text.push_str(
        "\ntimes: ns, us, ms, s, m, h [s]; sizes: k, m, g, t, sector, page; counts: k, m, g, t; \
         1/3 is a third\n\n",
    );
    text.push_str(DIFFERENCES);
    text
}

fn help_line(definition: &OptionDefinition) -> String {
    let argument = match definition.argument {
        ArgumentKind::Nothing => String::new(),
        ArgumentKind::Optional(what) => format!(" [{what}]"),
        ArgumentKind::Required(what) => format!(" <{what}>"),
    };
    let names = match definition.short {
        Some(short) => format!("-{short}, -{}{argument}", definition.long),
        None => format!("    --{}{argument}", definition.long),
    };
    format!("  {names:32} {}\n", definition.help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_means_two_things() {
        let all = || IOPING_OPTIONS.iter().chain(OWN_OPTIONS);
        for (at, one) in all().enumerate() {
            for other in all().skip(at + 1) {
                assert_ne!(one.long, other.long);
                assert!(one.short.is_none() || one.short != other.short, "{}", one.long);
                assert_ne!(one.key, other.key);
            }
        }
        assert!(IOPING_OPTIONS.iter().all(|option| option.short.is_some()));
    }

    #[test]
    fn help_lists_every_option_in_lines_that_fit() {
        for as_ioping in [false, true] {
            let text = help_text(as_ioping);
            for option in IOPING_OPTIONS.iter().chain(OWN_OPTIONS) {
                assert!(text.contains(&format!("-{}", option.long)), "{}", option.long);
            }
            for line in text.lines() {
                assert!(line.chars().count() <= 100, "{line}");
            }
        }
    }
}
