//! A place that nothing of this run has written yet.

use record::TargetKind;
use target::{OpenTarget, TestFile, open_for_writing};
use units::Bytes;
use workload::Span;

use crate::error::MethodError;
use crate::session::{Flow, MeasureSession};

/// Of the free space of the file system, a second test file takes no more than this part.
const FREE_DIVISOR: u64 = 10;

/// A fresh place, and what it lies on.
pub(crate) struct FreshSpan {
    span: Span,
    /// Its size with everything before the place.
    size: Bytes,
    /// Of a folder: a second file of our own, with its blocks reserved and never written.
    file: Option<(TestFile, OpenTarget)>,
}

impl FreshSpan {
    /// Room of `length` bytes: behind the span of a device that may be written, or in a second
    /// test file. `None` where there is none.
    pub(crate) fn find(stage: &MeasureSession<'_>, length: Bytes) -> Option<Self> {
        match stage.target_kind() {
            TargetKind::BlockDevice => Self::find_behind_span(stage, length),
            TargetKind::Directory => Self::find_beside_file(stage, length),
            TargetKind::File => None,
        }
    }

    /// Behind the span: with a span of the whole device, the layout has written everything.
    fn find_behind_span(stage: &MeasureSession<'_>, length: Bytes) -> Option<Self> {
        let start = (stage.span.offset.0 + stage.span.length.0).next_multiple_of(Bytes::MIB);
        let size = stage.device_size()?;
        let span = Span { offset: Bytes(start), length };
        let fits = start.checked_add(length.0).is_some_and(|end| end <= size.0);
        fits.then_some(Self { span, size, file: None })
    }

    fn find_beside_file(stage: &MeasureSession<'_>, length: Bytes) -> Option<Self> {
        // What was free before the first file was laid out.
        let free = stage.free_space()?.0.saturating_sub(stage.span.offset.0 + stage.span.length.0);
        if length.0 > free / FREE_DIVISOR {
            return None;
        }
        // No room after all, or no leave: then there is nothing to compare, and the check says so.
        let file = stage.create_second_file(length)?;
        let opened = open_for_writing(&file.permit()).ok().filter(|opened| opened.direct)?;
        let span = Span { offset: TestFile::SPAN_OFFSET, length };
        Some(Self { span, size: opened.size, file: Some((file, opened)) })
    }

    pub(crate) const fn span(&self) -> Span {
        self.span
    }

    /// Does `work` with the stage's target replaced by the fresh place; the second file is gone
    /// afterwards.
    pub(crate) fn measure_on<'a>(
        self,
        stage: &mut MeasureSession<'a>,
        work: impl FnOnce(&mut MeasureSession<'a>) -> Result<Flow, MethodError>,
    ) -> Result<Flow, MethodError> {
        let Self { size, file, .. } = self;
        let (own, opened) = match file {
            Some((own, opened)) => (Some(own), Some(opened)),
            None => (None, None),
        };
        let before = stage.override_target(size, opened)?;
        let flow = work(stage);
        stage.restore_target(before);
        drop(own);
        flow
    }
}
