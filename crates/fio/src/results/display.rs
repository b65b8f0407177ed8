//! How a job's options want its figures to be shown.

use super::types::Display;
use crate::options::report::{ReportOptions, UnitBase};

impl From<&ReportOptions> for Display {
    fn from(report: &ReportOptions) -> Self {
        Self {
            kb_base: report.kb_base.bytes(),
            unit_base: match report.unit_base {
                UnitBase::Auto => 0,
                UnitBase::Byte => 8,
                UnitBase::Bit => 1,
            },
            significant_figures: u32::from(report.significant_figures),
            percentiles: report.percentile_list.clone(),
            clat_percentiles: report.clat_percentiles,
            lat_percentiles: report.lat_percentiles,
            slat_percentiles: report.slat_percentiles,
            disable_lat: report.disable_lat,
            disable_clat: report.disable_clat,
            disable_slat: report.disable_slat,
            disable_bw: report.disable_bw,
            unified: report.unified,
        }
    }
}
