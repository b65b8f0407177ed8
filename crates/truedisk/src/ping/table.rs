//! The options of `ping`, each with its one definition: names, argument, help.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArgumentKind {
    Nothing,
    Optional(&'static str),
    Required(&'static str),
}

#[derive(Debug)]
pub(super) struct OptionDefinition {
    /// One letter, after one hyphen; only ioping's have one.
    pub(super) short: Option<char>,
    /// A word: after one hyphen or two where it is ioping's, after two where it is ours.
    pub(super) long: &'static str,
    pub(super) argument: ArgumentKind,
    pub(super) help: &'static str,
}

const fn option(
    short: char,
    long: &'static str,
    takes: ArgumentKind,
    help: &'static str,
) -> OptionDefinition {
    OptionDefinition { short: Some(short), long, argument: takes, help }
}

const fn own(long: &'static str, takes: ArgumentKind, help: &'static str) -> OptionDefinition {
    OptionDefinition { short: None, long, argument: takes, help }
}

const NONE: ArgumentKind = ArgumentKind::Nothing;
const COUNT: ArgumentKind = ArgumentKind::Required("count");
const TIME: ArgumentKind = ArgumentKind::Required("time");
const SIZE: ArgumentKind = ArgumentKind::Required("size");
const SEED: ArgumentKind = ArgumentKind::Required("seed");
const FILE: ArgumentKind = ArgumentKind::Required("FILE");

/// ioping's options, in the order in which help lists them.
pub(super) const IOPING_OPTIONS: &[OptionDefinition] = &[
    option('A', "async", NONE, "asynchronous I/O (io_submit)"),
    option('C', "cached", NONE, "leave the page cache alone, sync nothing"),
    option('D', "direct", NONE, "bypass the page cache (O_DIRECT)"),
    option('G', "read-write", NONE, "write and read in turns"),
    option('L', "linear", NONE, "one block after the other, of 256k"),
    option('N', "nowait", NONE, "fail instead of waiting (RWF_NOWAIT)"),
    option('H', "hipri", NONE, "poll for completion (RWF_HIPRI)"),
    option('W', "write", NONE, "write; -WWW shreds a file or device"),
    option('Y', "sync", NONE, "every write durable (as O_SYNC)"),
    option('y', "dsync", NONE, "the data of every write durable (O_DSYNC)"),
    option('R', "rapid", NONE, "as fast as it goes for 3s (-q -i 0 -w 3)"),
    option('k', "keep", NONE, "keep the work file (ioping.tmp), or reuse it"),
    option('a', "warmup", COUNT, "leave the first requests out [default: 1]"),
    option('b', "burst", COUNT, "requests in a row without a pause"),
    option('c', "count", COUNT, "stop after this number of requests"),
    option('e', "entropy", SEED, "seed of random numbers"),
    option('i', "interval", TIME, "from start to start [default: 1s]"),
    option('s', "size", SIZE, "bytes per request [default: 4k]"),
    option('S', "work-size", SIZE, "part worked on [default: 1m of a folder, else all]"),
    option('o', "work-offset", SIZE, "where that part begins [default: 0]"),
    option('w', "work-time", TIME, "stop after this time"),
    option('l', "speed-limit", SIZE, "bytes per second at most"),
    option('r', "rate-limit", COUNT, "requests per second at most"),
    option('t', "min-time", TIME, "leave faster requests out"),
    option('T', "max-time", TIME, "leave slower requests out"),
    option('B', "batch", NONE, "print one raw line at the end"),
    option('I', "time", ArgumentKind::Optional("format"), "time of day before every request"),
    option('J', "json", NONE, "ioping's JSON (in `truedisk ping` one hyphen)"),
    option('p', "print-count", COUNT, "a raw line after this number of requests"),
    option('P', "print-interval", TIME, "a raw line after this time"),
    option('q', "quiet", NONE, "no line per request"),
    option('h', "help", NONE, "print this"),
    option('v', "version", NONE, "print the version"),
];

/// Options that ioping does not have.
pub(super) const OWN_OPTIONS: &[OptionDefinition] = &[
    own("depth", ArgumentKind::Required("N"), "N requesters per target at a time"),
    own("contrast", NONE, "latency after a pause and back to back"),
    own("percentiles", NONE, "percentiles at the end"),
    own("histogram", NONE, "all latencies as bars at the end"),
    own("no-findings", NONE, "leave the truth checks out"),
    own(
        "lang",
        ArgumentKind::Required("LANGUAGE"),
        "language of truedisk's own lines: en, vi, ru, zh-CN, id",
    ),
    own(
        "fail-on",
        ArgumentKind::Required("LATENCY"),
        "exit with status 3 above a latency: p99>20ms, mean>2ms, max>1s",
    ),
    own("nagios", NONE, "one line, as a plugin of Nagios; --fail-on is critical"),
    own("keep-run", NONE, "keep the run in the history of truedisk"),
    own("record", FILE, "write the record as JSON to FILE"),
    own("html", FILE, "write the page to FILE"),
    own(
        "yes-destroy-data-on",
        ArgumentKind::Required("DEVICE"),
        "permission to shred DEVICE although it holds something",
    ),
];

/// As every command of truedisk has it, for `--record`; ioping's `json` takes no file.
const RECORD_AS_JSON: OptionDefinition =
    own("json", ArgumentKind::Optional("FILE|-"), "as --record; no FILE: to stdout");

/// Intended differences from ioping; docs/ping.md has the reasons.
const DIFFERENCES: &str = "\
what differs from ioping 1.3 by intent:
  -WWW on a device that is mounted, held, or holds something, and on a file in use as swap or
    behind a loop device, is refused (see --yes-destroy-data-on); so is ioping.tmp that is a link
  -D with sizes or offsets that the system says it cannot take is refused before the first request
  a request that fails ends the run with its statistics, not without
  of a request that returns less than expected, the bytes that moved are counted, not the whole
  invalid numbers (-c k, -c '', -e x) are errors; requests end at 2 GiB - 4 KiB
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
                       always shown.\n",
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
