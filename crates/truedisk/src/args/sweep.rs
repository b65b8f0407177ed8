//! The arguments of `sweep`.

use std::path::PathBuf;

use clap::Args;
use units::Nanos;

use super::measure::Common;
use super::shared::{BudgetArg, PrecisionArg, SIZE_DEFAULT, with_default};
use super::values::{Depths, Kind, Sizes, parse_kind, parse_percent, parse_time};

#[derive(Debug, Args)]
#[command(
    mut_arg("size", |arg| with_default(arg, SIZE_DEFAULT)),
    mut_arg("budget", |arg| with_default(arg, "2m")),
    mut_arg("precision", |arg| with_default(arg, "2%"))
)]
pub(crate) struct SweepArgs {
    #[command(flatten)]
    pub(crate) common: Common,

    /// Workloads: randread, randwrite, randrw, read, write, rw
    #[arg(long, value_name = "WORKLOADS", default_value = "randread", value_delimiter = ',',
          value_parser = parse_kind)]
    pub(crate) rw: Vec<Kind>,

    /// Shares of reads in the mixes of randrw and rw, in percent [default: 75]
    #[arg(long, value_name = "PERCENT", value_delimiter = ',', value_parser = parse_percent)]
    pub(crate) mix: Vec<u8>,

    /// Bytes per operation; 4k..64k is 4k, 8k and so on [default: 4k,16k,64k,256k,1m; with
    /// --interference 4k]
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    pub(crate) bs: Vec<Sizes>,

    /// Operations outstanding; 1..256 is 1, 2, 4 and so on [default: 1,4,16,64; with
    /// --interference 1]
    #[arg(long, value_name = "DEPTHS", value_delimiter = ',')]
    pub(crate) depth: Vec<Depths>,

    #[command(flatten)]
    pub(crate) precision: PrecisionArg,

    /// Longest time of a cell
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    pub(crate) cell_max: Nanos,

    #[command(flatten)]
    pub(crate) budget: BudgetArg,

    /// Measure what writes do to reads: random reads beside 0, 10, 25, 50, 75 and 100 % of the
    /// highest rate of random writes
    #[arg(long, conflicts_with_all = ["rw", "mix", "precision"])]
    pub(crate) interference: bool,

    /// Go on with an interrupted sweep: FILE is its record, ID.partial.json; path, size and
    /// everything else that was asked are those of that run
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rw", "mix", "bs", "depth",
          "precision", "cell_max", "budget", "interference", "seed", "size", "read_only"])]
    pub(crate) resume: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use units::Bytes;

    use super::super::{Arguments, Command};
    use super::*;

    fn parsed(args: &[&str]) -> Result<SweepArgs, clap::Error> {
        let full = ["truedisk", "sweep"].iter().chain(args);
        match Arguments::try_parse_from(full)?.command {
            Some(Command::Sweep(sweep)) => Ok(sweep),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn ranges_double() {
        let check = |text: &str, expected: &[u32]| {
            assert_eq!(text.parse::<Depths>().unwrap().0, expected, "{text}");
        };
        check("7", &[7]);
        check("1..16", &[1, 2, 4, 8, 16]);
        check("3..20", &[3, 6, 12, 20]);
        check("5..5", &[5]);
        let sizes = "4k..20k".parse::<Sizes>().unwrap();
        assert_eq!(sizes.0, [4, 8, 16, 20].map(Bytes::kib));
    }

    #[test]
    fn bad_input_is_refused_with_what_and_why() {
        let check = |args: &[&str], words: &str| {
            let error = parsed(args).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{args:?}");
            assert!(error.to_string().contains(words), "{args:?}: {error}");
        };
        check(&["--depth", "0"], "a depth of 0 asks for nothing");
        check(&["--depth", "1..0"], "a depth of 0 asks for nothing");
        check(&["--depth", "8..2"], "write 2..8");
        check(&["--depth", "1,,2"], "a depth is a whole number");
        check(&["--depth", ""], "a depth is a whole number");
        check(&["--depth", "5000"], "beyond 4096");
        check(&["--depth", "8-4"], "or a range: 4..8");
        check(&["--depth", "1:8"], "or a range: 4..8");
        check(&["--bs", "4k-64k"], "a range is written 4k..64k");
        check(&["--bs", "4k,0"], "measures nothing");
        check(&["--bs", ""], "--bs");
        check(&["--rw", "randread,erase"], "unknown workload 'erase'");
        check(&["--rw", ""], "unknown workload ''");
        check(&["--mix", "100"], "is no mix");
        check(&["--precision", "0"], "between 0.1 and 50");
        check(&["--cell-max", "0s"], "no time measures nothing");
        check(&["--interference", "--rw", "randread"], "cannot be used with");
        check(&["--resume", "x", "--seed", "1"], "cannot be used with");
        check(&["--resume", "x", "--bs", "4k"], "cannot be used with");
    }

    #[test]
    fn a_list_may_be_written_at_once_or_in_parts() {
        let sweep = parsed(&["--depth", "1..4,64", "--bs", "4k", "--bs", "1m"]).unwrap();
        assert_eq!(sweep.depth, [Depths(vec![1, 2, 4]), Depths(vec![64])]);
        assert_eq!(sweep.bs, [Bytes::kib(4), Bytes::mib(1)].map(|size| Sizes(vec![size])));
        assert!(parsed(&["--resume", "x", "/srv"]).is_ok());
    }
}
