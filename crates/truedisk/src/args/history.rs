//! The arguments of `history`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Zoned};
use record::Metric;

use super::shared::{FailOnWorse, JsonArg, OUTPUT, ResultArgs, TableArgs};
use super::values::parse_whole;

const WHICH_RUNS: &str = "Which runs";

#[derive(Debug, Subcommand)]
pub(crate) enum HistoryCommand {
    /// The runs, newest first
    List(ListArgs),
    /// The report of a run, judged again as of today
    Show(ShowArgs),
    /// Give a run a name, which moves there if another run has it
    Tag {
        /// Run id, tag or `latest`
        run: String,
        /// The name
        name: String,
        #[command(flatten)]
        json: JsonArg,
    },
    /// Take a name away
    Untag {
        /// The name
        name: String,
        #[command(flatten)]
        json: JsonArg,
    },
    /// What changed from one run to another: target, environment, plan, figures
    Diff {
        /// The one
        #[arg(value_name = "RUN")]
        a: String,
        /// The other
        #[arg(value_name = "RUN")]
        b: String,
        #[command(flatten)]
        json: JsonArg,
    },
    /// Remove runs with their records, without asking
    Delete {
        /// Which runs
        #[arg(required = true, value_name = "RUN")]
        runs: Vec<String>,
        #[command(flatten)]
        json: JsonArg,
    },
    /// Remove old runs with their records, without asking; tagged runs stay
    Prune(PruneArgs),
    /// Write runs as JSON Lines, CSV or Parquet
    Export(ExportArgs),
    /// Take in records, our JSON Lines, or the JSON of fio 3
    Import(ImportArgs),
    /// A figure of a target over time, and where its level changed
    Trend(TrendArgs),
}

/// Which runs are meant.
#[derive(Debug, Args)]
pub(crate) struct FilterArgs {
    /// Only runs of this host
    #[arg(long, help_heading = WHICH_RUNS)]
    pub(crate) host: Option<String>,

    /// Only the run with this tag
    #[arg(long, help_heading = WHICH_RUNS)]
    pub(crate) tag: Option<String>,

    /// Only runs since then: 2026-11-21, 2026-11-21T10:00:00Z, 7d, 12h
    #[arg(long, value_name = "AGE", value_parser = parse_since, allow_hyphen_values = true,
          help_heading = WHICH_RUNS)]
    pub(crate) since: Option<Timestamp>,

    /// Only runs of this command
    #[arg(long, value_parser = PossibleValuesParser::new(record::COMMANDS),
          help_heading = WHICH_RUNS)]
    pub(crate) command: Option<String>,
}

/// Which runs are meant, of which target.
#[derive(Debug, Args)]
pub(crate) struct TargetFilterArgs {
    #[command(flatten)]
    pub(crate) other: FilterArgs,

    /// Only runs of this path, or of this device (vda)
    #[arg(long, help_heading = WHICH_RUNS)]
    pub(crate) target: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) filter: TargetFilterArgs,

    /// How many, the newest; 0 for all
    #[arg(short = 'n', long, value_name = "COUNT", default_value = "30")]
    #[arg(value_parser = parse_whole)]
    pub(crate) count: u64,

    #[command(flatten)]
    pub(crate) json: JsonArg,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Run id, tag or `latest`
    #[arg(default_value = "latest")]
    pub(crate) run: String,

    #[command(flatten)]
    pub(crate) result: ResultArgs,

    #[command(flatten)]
    pub(crate) tables: TableArgs,

    /// Write the pictures of the page as SVG files to FOLDER, created if missing
    #[arg(long, value_name = "FOLDER")]
    pub(crate) svg: Option<PathBuf>,
}

/// Which runs go.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("age").required(true)))]
pub(crate) struct PruneArgs {
    /// Only runs of this host; needed where the history is on a server
    #[arg(long)]
    pub(crate) host: Option<String>,

    /// Remove all but the newest N runs and the newest N watches without a tag
    #[arg(long, value_name = "N", group = "age", value_parser = parse_kept_count)]
    pub(crate) keep: Option<u64>,

    /// Remove runs from before then: 90d, 12w, 12h, 2026-11-21, 2026-11-21T10:00:00Z
    #[arg(long, value_name = "AGE", group = "age", value_parser = parse_removed_age,
          allow_hyphen_values = true)]
    pub(crate) older_than: Option<Timestamp>,

    #[command(flatten)]
    pub(crate) json: JsonArg,
}

/// How an export is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    /// Whole records, one a line: what import takes in again
    Jsonl,
    /// Rows
    Csv,
    /// Rows
    Parquet,
}

/// What is a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowsArg {
    /// A cell in one direction
    Cells,
    /// An interval of a cell's time series in one direction
    Intervals,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Which runs; all that fit when none is named
    #[arg(value_name = "RUN", conflicts_with_all = ["host", "tag", "since", "command", "target"])]
    pub(crate) runs: Vec<String>,

    #[command(flatten)]
    pub(crate) filter: TargetFilterArgs,

    /// How it is written
    #[arg(long, default_value = "jsonl", conflicts_with = "json")]
    pub(crate) format: FormatArg,

    /// What is a row of CSV and Parquet [default: cells]
    #[arg(long, conflicts_with = "json")]
    pub(crate) rows: Option<RowsArg>,

    /// File for the runs; -: stdout
    #[arg(short, long, value_name = "FILE", default_value = "-", conflicts_with = "json")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) json: JsonArg,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// Records (plain or .gz), JSON or JSON Lines of an export, or what fio 3 printed with
    /// --output-format=json
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) json: JsonArg,
}

#[derive(Debug, Args)]
pub(crate) struct TrendArgs {
    /// The path that was measured, or its device (vda)
    pub(crate) target: String,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    /// Figure to follow: iops, mbps, mean, p50, p99, p99.9; `used` for watches
    #[arg(long, default_value = "iops")]
    pub(crate) metric: Metric,

    /// Cell to follow; of a watch, its disk [default: the newest run's limit, or its first cell]
    #[arg(long)]
    pub(crate) cell: Option<String>,

    /// Of which direction of the cell: read, write, sync, trim [default: its first]
    #[arg(long)]
    pub(crate) direction: Option<String>,

    /// How many runs, the newest; 0 for all
    #[arg(short = 'n', long, value_name = "COUNT", default_value = "0", value_parser = parse_whole)]
    pub(crate) count: u64,

    #[command(flatten)]
    pub(crate) result: ResultArgs,

    /// Exit with status 3 when it got worse
    #[arg(long, value_name = "WHEN", help_heading = OUTPUT)]
    pub(crate) fail_on: Option<FailOnWorse>,
}

/// A day, a time, or how long ago.
pub(crate) fn parse_since(text: &str) -> Result<Timestamp, String> {
    let odd = || format!("'{text}' is no time; use 2026-11-21, 2026-11-21T10:00:00Z, 7d or 12h");
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time);
    }
    if let Ok(day) = text.parse::<Date>() {
        let begin = day.to_zoned(TimeZone::system()).map_err(|_| odd())?;
        return Ok(begin.timestamp());
    }
    let ago: Span = text.parse().map_err(|_| odd())?;
    if ago.is_negative() {
        return Err(odd());
    }
    let then = Zoned::now().checked_sub(ago).map_err(|_| odd())?;
    Ok(then.timestamp())
}

/// When the runs began that are removed: earlier than this. Removing asks nothing, so that an age
/// has a unit that is not mistaken (`6m` would be minutes), and something is kept.
fn parse_removed_age(text: &str) -> Result<Timestamp, String> {
    let number = text.strip_suffix(['h', 'd', 'w']);
    let is_age = number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    let is_date = text.parse::<Timestamp>().is_ok() || text.parse::<Date>().is_ok();
    if !is_age && !is_date {
        return Err(format!(
            "'{text}' is no age in hours, days or weeks, and no date; write 180d, 12w, 12h or \
             2026-11-21"
        ));
    }
    let then = parse_since(text)?;
    let is_zero = number.is_some_and(|number| number.bytes().all(|digit| digit == b'0'));
    if is_zero || then > Timestamp::now() {
        return Err(format!("no run is newer than {text}: {NOTHING_KEPT}"));
    }
    Ok(then)
}

const NOTHING_KEPT: &str = "nothing would be kept; use history delete";

fn parse_kept_count(text: &str) -> Result<u64, String> {
    match parse_whole(text)? {
        0 => Err(NOTHING_KEPT.to_owned()),
        count => Ok(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_removed_by_a_clear_age_only() {
        for clear in ["90d", "12w", "12h", "2026-01-21", "2026-01-21T10:00:00Z"] {
            let [a, b] = [parse_removed_age(clear), parse_since(clear)].map(Result::unwrap);
            assert!((a.as_second() - b.as_second()).abs() <= 2, "{clear}: {a} and {b}");
        }
        for unclear in ["6m", "6mo", "3y", "90s", "1.5d", "1d12h", "P3D", "d", "-3d", "", "soon"] {
            let error = parse_removed_age(unclear).unwrap_err();
            assert!(error.contains("180d") || error.contains("12h"), "{unclear}: {error}");
        }
        for all in ["0d", "9999-01-01", "9999-01-01T00:00:00Z"] {
            let error = parse_removed_age(all).unwrap_err();
            assert!(error.contains("nothing would be kept"), "{all}: {error}");
        }
        assert!(parse_kept_count("0").unwrap_err().contains("use history delete"));
        assert_eq!(parse_kept_count("1"), Ok(1));
    }

    #[test]
    fn a_time_is_a_day_an_instant_or_how_long_ago() {
        let instant = parse_since("2026-11-21T10:00:00Z").unwrap();
        assert_eq!(instant.as_second(), 1_795_255_200);
        let day = parse_since("2026-11-21").unwrap();
        assert!((day.as_second() - 1_795_219_200).abs() <= 14 * 3600);
        let week = Timestamp::now().as_second() - parse_since("7d").unwrap().as_second();
        assert!((week - 7 * 86_400).abs() <= 2 * 3600, "{week}");
        for odd in ["", "yesterday", "-7d", "2026-13-01"] {
            assert!(parse_since(odd).is_err(), "{odd}");
        }
    }
}
