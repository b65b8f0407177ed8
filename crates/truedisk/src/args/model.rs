//! The arguments of `model`.

use std::path::PathBuf;

use clap::Args;
use units::{Bytes, Nanos};

use super::values::parse_size;

/// What a plan or a rotating disk gives, by arithmetic: nothing is measured.
///
/// Without a plan: a list of all. `hdd` is a rotating disk by its data sheet; `ladder` shows what
/// typical devices give; ./plans.toml:NAME is a plan of your own.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// aws:gp2:50GiB, azure:p10, ./plans.toml:NAME; hdd; ladder
    pub(crate) plan: Option<String>,

    /// Bytes per operation [default: 4k,16k,64k,256k,1m]
    #[arg(long, value_name = "SIZES", value_delimiter = ',', value_parser = parse_size)]
    pub(crate) bs: Vec<Bytes>,

    /// Blocks one after the other, merged where the provider merges, instead of random ones
    #[arg(long)]
    pub(crate) sequential: bool,

    /// Writes instead of reads
    #[arg(long)]
    pub(crate) write: bool,

    /// hdd: rotations per minute
    #[arg(long, value_name = "NUMBER")]
    pub(crate) rpm: Option<f64>,

    /// hdd: average seek, over the whole surface
    #[arg(long, value_name = "TIME")]
    pub(crate) seek: Option<Nanos>,

    /// hdd: seek to the next track [default: 1ms, or the average if that is less]
    #[arg(long, value_name = "TIME")]
    pub(crate) track: Option<Nanos>,

    /// hdd: what the controller takes [default: none]
    #[arg(long, value_name = "TIME")]
    pub(crate) controller: Option<Nanos>,

    /// hdd: rate of the outermost tracks in MB/s; without it the transfer is left out
    #[arg(long, value_name = "MB/S")]
    pub(crate) rate: Option<f64>,

    /// hdd: the part that is used, of --capacity: a short stroke is a shorter way for the arm
    #[arg(long, value_name = "SIZE", value_parser = parse_size, requires = "capacity")]
    pub(crate) span: Option<Bytes>,

    /// hdd: all of the disk
    #[arg(long, value_name = "SIZE", value_parser = parse_size, requires = "span")]
    pub(crate) capacity: Option<Bytes>,

    /// Print it as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Put what was measured beside it: the cells of a record
    #[arg(long, value_name = "RECORD")]
    pub(crate) against: Option<PathBuf>,
}

impl ModelArgs {
    /// The first argument that only a rotating disk has.
    pub(crate) fn first_hdd_flag(&self) -> Option<&'static str> {
        let given = [
            ("--rpm", self.rpm.is_some()),
            ("--seek", self.seek.is_some()),
            ("--track", self.track.is_some()),
            ("--controller", self.controller.is_some()),
            ("--rate", self.rate.is_some()),
            ("--span", self.span.is_some()),
            ("--capacity", self.capacity.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
}
