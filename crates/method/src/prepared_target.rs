//! How a procedure prepares its target: a test file in a folder, a device after confirmation, what
//! exists for reading only.

use record::TargetInfo;
use target::{
    OpenTarget, PathHandle, PreparePolicy, PreparedTarget, Roots, TargetAccess, TargetError,
    TestFile, drop_file_cache, open_for_writing, plan_span_size, prepare, remove_leftovers,
};
use units::Bytes;
use workload::Span;

use crate::defaults::SPAN_MIN;
use crate::error::{MethodError, refuse};
use crate::observer::Observer;
use crate::request::{LayoutBudget, MeasureRequest};
use crate::write_budget::{InTestFile, OverTarget, describe_writes, max_layout_size};

struct MeasurePolicy<'a, 'o> {
    request: &'a MeasureRequest,
    budget: &'a LayoutBudget,
    roots: &'a Roots,
    observer: &'o mut dyn Observer,
}

impl<'a> PreparePolicy<'a> for MeasurePolicy<'a, '_> {
    type Error = MethodError;

    fn choose_access(&mut self, _: &TargetInfo) -> Result<TargetAccess<'a>, MethodError> {
        if self.request.read_only {
            return Ok(TargetAccess::Read { direct: true });
        }
        // A bound on writes that leaves too little is refused before a person is asked.
        max_layout_size(self.request, self.budget.size)?;
        Ok(TargetAccess::WriteDevice { confirmed: self.request.destroy_data_on.as_deref() })
    }

    fn open_in_folder(
        &mut self,
        folder: &PathHandle,
        info: &TargetInfo,
    ) -> Result<(OpenTarget, Option<TestFile>), MethodError> {
        let Self { request, budget, roots, observer } = self;
        if request.read_only {
            return Err(MethodError::NothingToRead(request.path.clone()));
        }
        if request.destroy_data_on.is_some() {
            let what = "--yes-destroy-data-on is for a device, and a folder is measured through a \
                        test file";
            return refuse(what, "leave it out, or name the device as what is measured too");
        }
        if info.file_system.as_ref().is_some_and(|fs| fs.read_only) {
            return Err(TargetError::ReadOnly { path: request.path.clone() }.into());
        }
        let size_max = max_layout_size(request, budget.size)?;
        let leftovers = remove_leftovers(folder)?;
        let size = plan_span_size(folder, request.size, size_max)?;
        let path = folder.path().display().to_string();
        let what = InTestFile { size, path };
        observer.on_announcement(&describe_writes(request, budget, what));
        for leftover in leftovers {
            observer
                .on_note(&format!("removed a leftover of a killed run: {}", leftover.display()));
        }
        let file = TestFile::create(folder, &format!("{:016x}", request.seed.0), size, roots)?;
        Ok((open_for_writing(&file.permit(), true)?, Some(file)))
    }

    fn confirm(&mut self, question: &str, expected: &str) -> bool {
        self.observer.confirm(question, expected)
    }
}

pub(crate) fn prepare_span(
    request: &MeasureRequest,
    handle: &PathHandle,
    budget: &LayoutBudget,
    roots: &Roots,
    observer: &mut dyn Observer,
) -> Result<(PreparedTarget, Span), MethodError> {
    let mut policy = MeasurePolicy { request, budget, roots, observer };
    let prepared = prepare(handle, &mut policy, roots)?;
    let opened = &prepared.opened;
    let span = if let Some(file) = &prepared.test_file {
        Span { offset: TestFile::SPAN_OFFSET, length: file.span() }
    } else if request.read_only {
        let span = plan_existing_span(handle, opened, request.size)?;
        drop_file_cache(&opened.file);
        span
    } else {
        let size = request.size.map_or_else(|| max_layout_size(request, budget.size), Ok)?;
        let span = plan_existing_span(handle, opened, Some(size.min(opened.size)))?;
        let what = OverTarget { size: span.length, path: handle.path().display().to_string() };
        policy.observer.on_announcement(&describe_writes(request, budget, what));
        span
    };
    Ok((prepared, span))
}

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
