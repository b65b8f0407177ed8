//! A place that nothing of this run has written yet.

use record::TargetKind;
use target::{OpenTarget, TestFile, open_for_writing};
use units::Bytes;
use workload::Span;

use crate::error::HaltResult;
use crate::session::Session;

/// Of the free space of the file system, a second test file takes no more than this part.
const FREE_DIVISOR: u64 = 10;

pub(crate) struct FreshSpan {
    pub(crate) span: Span,
    size: Bytes,
    /// Of a folder: a second file of our own, with its blocks reserved and never written.
    file: Option<(TestFile, OpenTarget)>,
}

impl FreshSpan {
    /// Room of `length` bytes: behind the span of a device that may be written, or in a second
    /// test file. `None` where there is none.
    pub(crate) fn find(session: &Session<'_>, length: Bytes) -> Option<Self> {
        match session.facts.info.kind {
            TargetKind::BlockDevice => Self::find_behind_span(session, length),
            TargetKind::Directory => Self::find_beside_file(session, length),
            TargetKind::File => None,
        }
    }

    /// Behind the span: with a span of the whole device, the layout has written everything.
    fn find_behind_span(session: &Session<'_>, length: Bytes) -> Option<Self> {
        let start = (session.facts.span.offset.0 + session.facts.span.length.0)
            .next_multiple_of(Bytes::MIB);
        let size = session.facts.info.size;
        let span = Span { offset: Bytes(start), length };
        let fits = start.checked_add(length.0).is_some_and(|end| end <= size.0);
        fits.then_some(Self { span, size, file: None })
    }

    fn find_beside_file(session: &Session<'_>, length: Bytes) -> Option<Self> {
        // What was free before the first file was laid out.
        let free = session
            .facts
            .info
            .file_system
            .as_ref()?
            .free
            .0
            .saturating_sub(session.facts.span.offset.0 + session.facts.span.length.0);
        if length.0 > free / FREE_DIVISOR {
            return None;
        }
        // No room after all, or no leave: then there is nothing to compare, and the check says so.
        let file = session.create_second_file(length)?;
        let opened = open_for_writing(&file.permit(), true).ok().filter(|opened| opened.direct)?;
        let span = Span { offset: TestFile::SPAN_OFFSET, length };
        Some(Self { span, size: opened.size, file: Some((file, opened)) })
    }

    /// Does `work` with the session's target replaced by the fresh place; the second file is gone
    /// afterwards.
    pub(crate) fn measure_on(
        self,
        session: &mut Session<'_>,
        work: impl FnOnce(&mut Session<'_>) -> HaltResult,
    ) -> HaltResult {
        let (own, opened) = self.file.unzip();
        let result = session.with_target(self.size, opened, |session| work(session));
        drop(own);
        result
    }
}
