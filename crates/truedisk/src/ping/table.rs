//! The options of `ping`, each with its one definition: names, argument, help.

/// What an option means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
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
pub(super) enum Takes {
    Nothing,
    Maybe(&'static str),
    One(&'static str),
}

/// One option.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) key: Key,
    /// One letter, after one hyphen; only ioping's have one.
    pub(super) short: Option<char>,
    /// A word: after one hyphen or two where it is ioping's, after two where it is ours.
    pub(super) long: &'static str,
    pub(super) takes: Takes,
    pub(super) help: &'static str,
}

const fn option(
    key: Key,
    short: char,
    long: &'static str,
    takes: Takes,
    help: &'static str,
) -> Definition {
    Definition { key, short: Some(short), long, takes, help }
}

const fn ours(key: Key, long: &'static str, takes: Takes, help: &'static str) -> Definition {
    Definition { key, short: None, long, takes, help }
}

const COUNT: Takes = Takes::One("count");
const TIME: Takes = Takes::One("time");
const SIZE: Takes = Takes::One("size");
const FILE: Takes = Takes::One("FILE");

/// ioping's options, in the order in which help lists them.
pub(super) const IOPING: &[Definition] = &[
    option(Key::Async, 'A', "async", Takes::Nothing, "asynchronous I/O (io_submit)"),
    option(Key::Cached, 'C', "cached", Takes::Nothing, "leave the page cache alone, sync nothing"),
    option(Key::Direct, 'D', "direct", Takes::Nothing, "bypass the page cache (O_DIRECT)"),
    option(Key::ReadWrite, 'G', "read-write", Takes::Nothing, "write and read in turns"),
    option(Key::Linear, 'L', "linear", Takes::Nothing, "one block after the other, of 256k"),
    option(Key::Nowait, 'N', "nowait", Takes::Nothing, "fail instead of waiting (RWF_NOWAIT)"),
    option(Key::Hipri, 'H', "hipri", Takes::Nothing, "poll for completion (RWF_HIPRI)"),
    option(Key::Write, 'W', "write", Takes::Nothing, "write; -WWW shreds a file or device"),
    option(Key::Sync, 'Y', "sync", Takes::Nothing, "every write durable (as O_SYNC)"),
    option(Key::Dsync, 'y', "dsync", Takes::Nothing, "the data of every write durable (O_DSYNC)"),
    option(Key::Rapid, 'R', "rapid", Takes::Nothing, "as fast as it goes for 3s (-q -i 0 -w 3)"),
    option(Key::Keep, 'k', "keep", Takes::Nothing, "keep the work file (ioping.tmp), or reuse it"),
    option(Key::Warmup, 'a', "warmup", COUNT, "leave the first requests out [default: 1]"),
    option(Key::Burst, 'b', "burst", COUNT, "so many requests without a pause"),
    option(Key::Count, 'c', "count", COUNT, "stop after so many requests"),
    option(Key::Entropy, 'e', "entropy", Takes::One("seed"), "what random numbers follow from"),
    option(Key::Interval, 'i', "interval", TIME, "from start to start [default: 1s]"),
    option(Key::Size, 's', "size", SIZE, "bytes per request [default: 4k]"),
    option(Key::WorkSize, 'S', "work-size", SIZE, "part worked on [default: 1m of a folder, all]"),
    option(Key::WorkOffset, 'o', "work-offset", SIZE, "where that part begins [default: 0]"),
    option(Key::WorkTime, 'w', "work-time", TIME, "stop after this time"),
    option(Key::SpeedLimit, 'l', "speed-limit", SIZE, "bytes per second at most"),
    option(Key::RateLimit, 'r', "rate-limit", COUNT, "requests per second at most"),
    option(Key::MinTime, 't', "min-time", TIME, "leave faster requests out"),
    option(Key::MaxTime, 'T', "max-time", TIME, "leave slower requests out"),
    option(Key::Batch, 'B', "batch", Takes::Nothing, "print one raw line at the end"),
    option(Key::Time, 'I', "time", Takes::Maybe("format"), "time of day before every request"),
    option(Key::Json, 'J', "json", Takes::Nothing, "ioping's JSON"),
    option(Key::PrintCount, 'p', "print-count", COUNT, "a raw line after so many requests"),
    option(Key::PrintInterval, 'P', "print-interval", TIME, "a raw line after this time"),
    option(Key::Quiet, 'q', "quiet", Takes::Nothing, "no line per request"),
    option(Key::Help, 'h', "help", Takes::Nothing, "print this"),
    option(Key::Version, 'v', "version", Takes::Nothing, "print the version"),
];

/// What is not ioping's.
pub(super) const OURS: &[Definition] = &[
    ours(Key::Depth, "depth", Takes::One("N"), "N requesters per target at a time"),
    ours(Key::Contrast, "contrast", Takes::Nothing, "latency after a pause and back to back"),
    ours(Key::Percentiles, "percentiles", Takes::Nothing, "percentiles at the end"),
    ours(Key::Histogram, "histogram", Takes::Nothing, "all latencies as bars at the end"),
    ours(Key::NoFindings, "no-findings", Takes::Nothing, "leave the truth checks out"),
    ours(Key::Record, "record", FILE, "write the record as JSON to FILE"),
    ours(Key::Page, "html", FILE, "write the page to FILE"),
    ours(
        Key::Destroy,
        "yes-destroy-data-on",
        Takes::One("DEVICE"),
        "leave to shred DEVICE although it holds something",
    ),
];

/// `truedisk ping --json FILE`, as every command of truedisk has it.
pub(super) const RECORD_AS_JSON: Definition =
    ours(Key::Record, "json", FILE, "as --record (ioping's JSON is -J)");

/// Where we differ from ioping by intent; docs/ping.md says why.
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

/// All of it, for people; `as_ioping` when called by that name.
pub(super) fn help(as_ioping: bool) -> String {
    let usage = if as_ioping {
        "Usage: ioping [options] directory|file|device\n"
    } else {
        "Request by request, as ioping does it\n\nUsage: truedisk ping [options] [PATH]...\n"
    };
    let lines = |definitions: &[Definition]| definitions.iter().map(line).collect::<String>();
    let mut text = format!("{usage}\nioping's options, with one hyphen or two:\n{}", lines(IOPING));
    text.push_str("\ntruedisk's own:\n");
    text.push_str(&lines(OURS));
    if !as_ioping {
        text.push_str(&line(&RECORD_AS_JSON));
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

fn line(definition: &Definition) -> String {
    let argument = match definition.takes {
        Takes::Nothing => String::new(),
        Takes::Maybe(what) => format!(" [{what}]"),
        Takes::One(what) => format!(" <{what}>"),
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
        let all = || IOPING.iter().chain(OURS);
        for (at, one) in all().enumerate() {
            for other in all().skip(at + 1) {
                assert_ne!(one.long, other.long);
                assert!(one.short.is_none() || one.short != other.short, "{}", one.long);
                assert_ne!(one.key, other.key);
            }
        }
        assert!(IOPING.iter().all(|option| option.short.is_some()));
    }

    #[test]
    fn help_lists_every_option_in_lines_that_fit() {
        for as_ioping in [false, true] {
            let text = help(as_ioping);
            for option in IOPING.iter().chain(OURS) {
                assert!(text.contains(&format!("-{}", option.long)), "{}", option.long);
            }
            for line in text.lines() {
                assert!(line.chars().count() <= 100, "{line}");
            }
        }
    }
}
