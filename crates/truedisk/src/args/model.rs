//! The arguments of `model`.

use std::path::PathBuf;

use clap::Args;
use units::{Bytes, Nanos};

use super::shared::JsonArg;
use super::values::{Sizes, parse_number, parse_size};

const HDD: &str = "A rotating disk (hdd)";

#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// aws:gp2:50GiB, azure:p10, ./plans.toml:NAME; hdd; ladder
    pub(crate) plan: Option<String>,

    /// Bytes per operation; 4k..64k is 4k, 8k and so on [default: 4k,16k,64k,256k,1m]
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    pub(crate) bs: Vec<Sizes>,

    /// Blocks one after the other, merged where the provider merges, instead of random ones
    #[arg(long)]
    pub(crate) sequential: bool,

    /// Writes instead of reads
    #[arg(long)]
    pub(crate) write: bool,

    /// Rotations per minute
    #[arg(long, value_name = "NUMBER", value_parser = parse_number, help_heading = HDD)]
    pub(crate) rpm: Option<f64>,

    /// Average seek, over the whole surface
    #[arg(long, value_name = "TIME", help_heading = HDD)]
    pub(crate) seek: Option<Nanos>,

    /// Seek to the next track [default: 1ms, or the average if that is less]
    #[arg(long, value_name = "TIME", help_heading = HDD)]
    pub(crate) track: Option<Nanos>,

    /// Time that the controller takes [default: none]
    #[arg(long, value_name = "TIME", help_heading = HDD)]
    pub(crate) controller: Option<Nanos>,

    /// Rate of the outermost tracks in MB/s; without it the transfer is left out
    #[arg(long, value_name = "MB/S", value_parser = parse_number, help_heading = HDD)]
    pub(crate) rate: Option<f64>,

    /// Size of the part that is used, of --capacity: a short stroke is a shorter way for the arm
    #[arg(long, alias = "span", value_name = "SIZE", value_parser = parse_size,
          requires = "capacity", help_heading = HDD)]
    pub(crate) size: Option<Bytes>,

    /// Size of the whole disk
    #[arg(long, value_name = "SIZE", value_parser = parse_size, requires = "size",
          help_heading = HDD)]
    pub(crate) capacity: Option<Bytes>,

    #[command(flatten)]
    pub(crate) json: JsonArg,

    /// Put what was measured beside it: the cells of a record
    #[arg(long, value_name = "RECORD")]
    pub(crate) against: Option<PathBuf>,
}

/// What is modelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModelKind {
    List,
    Ladder,
    Hdd,
    Plan,
}

impl ModelArgs {
    pub(crate) fn kind(&self) -> ModelKind {
        match self.plan.as_deref() {
            None => ModelKind::List,
            Some("ladder") => ModelKind::Ladder,
            Some("hdd") => ModelKind::Hdd,
            Some(_) => ModelKind::Plan,
        }
    }

    /// The first argument that does nothing for what is modelled, and what it is for.
    pub(crate) fn first_unused_flag(&self) -> Option<(&'static str, &'static str)> {
        use ModelKind::{Hdd, Ladder, Plan};
        let (hdd, plan) = ((&[Hdd][..], "'hdd' only"), (&[Plan][..], "plans only"));
        let sizes = (&[Hdd, Plan][..], "plans and 'hdd'");
        let measured = (&[Hdd, Plan, Ladder][..], "plans, 'hdd' and 'ladder'");
        let given = [
            ("--rpm", self.rpm.is_some(), hdd),
            ("--seek", self.seek.is_some(), hdd),
            ("--track", self.track.is_some(), hdd),
            ("--controller", self.controller.is_some(), hdd),
            ("--rate", self.rate.is_some(), hdd),
            ("--size", self.size.is_some(), hdd),
            ("--sequential", self.sequential, plan),
            ("--write", self.write, plan),
            ("--bs", !self.bs.is_empty(), sizes),
            ("--against", self.against.is_some(), measured),
        ];
        let kind = self.kind();
        let unused = |(_, given, (kinds, _)): &(_, bool, (&[ModelKind], _))| {
            *given && !kinds.contains(&kind)
        };
        given.into_iter().find(unused).map(|(name, _, (_, what))| (name, what))
    }
}
