//! Many hosts: their cells merged into one total, and what may be said of it. Counts, histograms,
//! intervals and ticks are added on one clock; no percentile is made of percentiles, and no rate of
//! rates. Start reading at [`merge_cells`].

mod findings;
mod hosts;
mod merge;
mod outliers;
mod part;
mod series;
#[cfg(test)]
mod tests;
mod waves;
mod wording;

pub(crate) use findings::choose_findings;
pub(crate) use outliers::find_outliers;
pub(crate) use waves::judge_waves;
pub(crate) use wording::{add_to_verdict, list_degradations};

pub(crate) use hosts::format_names;
pub use hosts::{host_record, is_one_storage};
pub use merge::{MergedCell, TotalJob, merge_cells, merge_thin_cells};
pub use outliers::{
    describe_figure, describe_outliers, describe_peers, describe_sample, describe_slow_host,
    describe_trait, describe_value, sample_size,
};
pub use part::{HostPart, MergeError};
pub use series::thin_host_cell;
pub use waves::{WaveJoin, list_wave_figures};
pub use wording::main_cell;
