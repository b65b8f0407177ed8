//! What a check stands on: the open target, and the file of our own where there is one.

use std::path::Path;

use record::{TargetInfo, TargetKind};
use target::{
    Opened, Roots, TargetError, TestFile, describe, drop_cache, open_for_reading, open_for_writing,
    permit_device, plan_size, sweep,
};
use units::Bytes;
use workload::Span;

use crate::Watch;
use crate::check::{CheckError, CheckRequest};
use crate::plan::Times;

/// The least span that is measured.
pub(crate) const SPAN_MIN: Bytes = Bytes::mib(16);

/// What a check stands on: the open target, and the file of our own where there is one.
pub(crate) struct Ground {
    pub(crate) info: TargetInfo,
    pub(crate) opened: Opened,
    pub(crate) own: Option<TestFile>,
    pub(crate) span: Span,
}

impl Ground {
    /// Looks at the path, and makes what a check of it needs.
    pub(crate) fn prepare(
        request: &CheckRequest,
        roots: &Roots,
        watch: &mut dyn Watch,
    ) -> Result<Self, CheckError> {
        let info = describe(&request.path, roots)?;
        let path = Path::new(&request.path);
        match (info.kind, request.read_only) {
            (TargetKind::Directory, true) => Err(CheckError::NothingToRead(request.path.clone())),
            (TargetKind::Directory, false) => Self::folder(info, request, roots, watch),
            (_, true) => {
                let opened = open_for_reading(path)?;
                let span = existing_span(path, &opened, request.size)?;
                drop_cache(&opened.file);
                Ok(Self { info, opened, own: None, span })
            }
            (_, false) => {
                let mut confirm =
                    |question: &str, expected: &str| watch.confirm(question, expected);
                let permit = permit_device(path, request.destroy.as_deref(), &mut confirm, roots)?;
                let opened = open_for_writing(&permit)?;
                let size = request.size.unwrap_or(Times::of(request.effort).size);
                let span = existing_span(path, &opened, Some(size.min(opened.size)))?;
                Ok(Self { info, opened, own: None, span })
            }
        }
    }

    fn folder(
        info: TargetInfo,
        request: &CheckRequest,
        roots: &Roots,
        watch: &mut dyn Watch,
    ) -> Result<Self, CheckError> {
        let folder = request.path.clone();
        if info.file_system.as_ref().is_some_and(|fs| fs.read_only) {
            return Err(TargetError::ReadOnly { path: folder }.into());
        }
        for leftover in sweep(&folder)? {
            watch.note(&format!("removed a leftover of a killed run: {}", leftover.display()));
        }
        let size = plan_size(&folder, request.size, Times::of(request.effort).size)?;
        let id = format!("{:016x}", request.seed.0);
        let own = TestFile::create(&folder, &id, size, roots)?;
        let opened = open_for_writing(&own.permit())?;
        let span = Span { offset: TestFile::SPAN_OFFSET, length: size };
        Ok(Self { info, opened, own: Some(own), span })
    }
}

/// The part of an existing file or device that is measured: all of it, or its first `size`.
fn existing_span(path: &Path, opened: &Opened, size: Option<Bytes>) -> Result<Span, TargetError> {
    let whole = Bytes(opened.size.0 / Bytes::MIB * Bytes::MIB);
    let length = size.unwrap_or(whole).min(whole);
    let length = Bytes(length.0 / Bytes::MIB * Bytes::MIB);
    if length < SPAN_MIN {
        let path = path.to_owned();
        return Err(TargetError::TargetTooSmall { path, size: opened.size, least: SPAN_MIN });
    }
    Ok(Span { offset: Bytes(0), length })
}
