//! What is known of a site.

use record::{Calibration, LayoutRun, TargetInfo};
use target::Roots;
use units::Bytes;
use workload::Span;

#[derive(Debug, Clone)]
pub(crate) struct SiteFacts {
    /// The target, as it was opened; of many hosts that of the first.
    pub(crate) info: TargetInfo,
    pub(crate) span: Span,
    pub(crate) direct: bool,
    pub(crate) writable: bool,
    pub(crate) offset_align: Bytes,
    /// Size of the device or file that was given, whatever part of it is measured.
    pub(crate) given_size: Bytes,
    pub(crate) layout: Option<LayoutRun>,
    pub(crate) calibration: Calibration,
    pub(crate) roots: Roots,
}
