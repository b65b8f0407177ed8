//! What a run stands on: the open target, and the file of our own where there is one.

use record::{TargetInfo, TargetKind};
use target::{
    OpenTarget, PathHandle, Roots, TargetError, TestFile, describe_target, drop_file_cache,
    open_for_reading, open_for_writing, permit_device, plan_span_size, remove_leftovers,
};
use units::Bytes;
use workload::Span;

use crate::defaults::SPAN_MIN;
use crate::error::MethodError;
use crate::observer::Observer;
use crate::request::{LayoutBudget, MeasureRequest};
use crate::write_budget::{describe_writes, max_layout_size};

pub(crate) struct PreparedTarget {
    pub(crate) info: TargetInfo,
    pub(crate) opened: OpenTarget,
    pub(crate) test_file: Option<TestFile>,
    pub(crate) span: Span,
}

impl PreparedTarget {
    pub(crate) fn prepare(
        ask: &MeasureRequest,
        handle: &PathHandle,
        room: &LayoutBudget,
        roots: &Roots,
        observer: &mut dyn Observer,
    ) -> Result<Self, MethodError> {
        let info = describe_target(handle, roots)?;
        match (info.kind, ask.read_only) {
            (TargetKind::Directory, true) => Err(MethodError::NothingToRead(ask.path.clone())),
            (TargetKind::Directory, false) => {
                Self::prepare_folder(info, ask, handle, room, roots, observer)
            }
            (_, true) => {
                let opened = open_for_reading(handle)?;
                let span = plan_existing_span(handle, &opened, ask.size)?;
                drop_file_cache(&opened.file);
                Ok(Self { info, opened, test_file: None, span })
            }
            (_, false) => {
                let size_max = max_layout_size(ask, room.size)?;
                let mut confirm =
                    |question: &str, expected: &str| observer.confirm(question, expected);
                let permit =
                    permit_device(handle, ask.destroy_data_on.as_deref(), &mut confirm, roots)?;
                let opened = open_for_writing(&permit)?;
                let size = ask.size.unwrap_or(size_max);
                let span = plan_existing_span(handle, &opened, Some(size.min(opened.size)))?;
                let what = format!("over the first {} of {}", span.length, handle.path().display());
                observer.on_announcement(&describe_writes(ask, room, &what));
                Ok(Self { info, opened, test_file: None, span })
            }
        }
    }

    fn prepare_folder(
        info: TargetInfo,
        ask: &MeasureRequest,
        folder: &PathHandle,
        room: &LayoutBudget,
        roots: &Roots,
        observer: &mut dyn Observer,
    ) -> Result<Self, MethodError> {
        if info.file_system.as_ref().is_some_and(|fs| fs.read_only) {
            return Err(TargetError::ReadOnly { path: ask.path.clone() }.into());
        }
        let size_max = max_layout_size(ask, room.size)?;
        let leftovers = remove_leftovers(folder)?;
        let size = plan_span_size(folder, ask.size, size_max)?;
        let what = format!("a test file of {size} in {}", folder.path().display());
        observer.on_announcement(&describe_writes(ask, room, &what));
        for leftover in leftovers {
            observer
                .on_note(&format!("removed a leftover of a killed run: {}", leftover.display()));
        }
        let id = format!("{:016x}", ask.seed.0);
        let own = TestFile::create(folder, &id, size, roots)?;
        let opened = open_for_writing(&own.permit())?;
        let span = Span { offset: TestFile::SPAN_OFFSET, length: size };
        Ok(Self { info, opened, test_file: Some(own), span })
    }
}

/// The part of an existing file or device that is measured: all of it, or its first `size`.
fn plan_existing_span(
    handle: &PathHandle,
    opened: &OpenTarget,
    size: Option<Bytes>,
) -> Result<Span, TargetError> {
    let whole = Bytes(opened.size.0 / Bytes::MIB * Bytes::MIB);
    let length = size.unwrap_or(whole).min(whole);
    let length = Bytes(length.0 / Bytes::MIB * Bytes::MIB);
    if length < SPAN_MIN {
        let path = handle.path().to_owned();
        return Err(TargetError::TargetTooSmall { path, size: opened.size, least: SPAN_MIN });
    }
    Ok(Span { offset: Bytes(0), length })
}
