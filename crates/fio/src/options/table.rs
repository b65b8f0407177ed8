//! The table itself, one file per chapter of the reference page.

pub mod build;
mod data;
mod engine;
mod errors;
mod exec;
mod foreign;
mod goal;
mod job;
mod log;
mod pattern;
mod placement;
mod rate;
mod replay;
mod report;
mod sizes;
mod sync;
mod target;
mod timing;
mod verify;
mod zone;

use super::spec::OptionSpec;

/// All entries, in the order in which the help lists them. Names and aliases are unique.
pub static TABLES: &[&[OptionSpec]] = &[
    job::TABLE,
    target::TABLE,
    sizes::TABLE,
    pattern::TABLE,
    data::TABLE,
    engine::TABLE,
    sync::TABLE,
    timing::TABLE,
    rate::TABLE,
    goal::TABLE,
    verify::TABLE,
    log::TABLE,
    replay::TABLE,
    report::TABLE,
    errors::TABLE,
    placement::TABLE,
    zone::TABLE,
    exec::TABLE,
    foreign::TABLE,
];

#[cfg(test)]
mod compare;
