//! What a stage stands on, and how it measures for a while on something else.

use std::path::PathBuf;

use engine::{StopSignal, Target};
use record::{TargetInfo, TargetKind};
use target::{OpenTarget, PathHandle, Roots, TargetError, TestFile};
use units::Bytes;

use super::{Flow, LayoutBudget, MeasureRequest, MeasureSession};
use crate::Observer;
use crate::error::MethodError;

/// What a stage stood on before it measured on something else.
pub(crate) struct TargetOverride {
    target: Target,
    opened: Option<OpenTarget>,
}

impl<'a> MeasureSession<'a> {
    /// Opens the target, and sets up on it: [`Stage::open_on`].
    pub(crate) fn open(
        ask: &MeasureRequest,
        room: LayoutBudget<'_>,
        roots: &'a Roots,
        stop: &'a StopSignal,
        watch: &'a mut dyn Observer,
    ) -> Result<(Self, Flow), MethodError> {
        Self::open_on(ask, &PathHandle::open(&ask.path)?, room, roots, stop, watch)
    }

    /// What kind of thing is measured.
    pub(crate) fn target_kind(&self) -> TargetKind {
        self.info.kind
    }

    /// Size of the whole device, of which the span may be a part.
    pub(crate) fn device_size(&self) -> Option<Bytes> {
        (self.info.kind == TargetKind::BlockDevice).then_some(self.info.size)
    }

    /// What the file system had free at the start.
    pub(crate) fn free_space(&self) -> Option<Bytes> {
        self.info.file_system.as_ref().map(|fs| fs.free)
    }

    /// A second test file next to the first, its blocks reserved; `None` where there is no first,
    /// or where the system refuses.
    pub(crate) fn create_second_file(&self, size: Bytes) -> Option<TestFile> {
        let own = self.test_file.as_ref()?;
        let roots = self.runner.observed.as_ref()?.roots;
        own.create_beside(&format!("{:016x}-2", self.seed.0), size, roots).ok()
    }

    /// Measures on another file, or on more of the device, until [`Self::restore_target`].
    pub(crate) fn override_target(
        &mut self,
        size: Bytes,
        other: Option<OpenTarget>,
    ) -> Result<TargetOverride, MethodError> {
        let target = match &other {
            Some(opened) => {
                let path = PathBuf::from(&self.info.path);
                let file = opened.file.try_clone().map_err(|source| TargetError::Io {
                    attempt: "use",
                    path,
                    source,
                })?;
                Target::new(file, opened.limits(), opened.memory_align)
            }
            None => self.runner.target.clone().with_size(size),
        };
        let target = std::mem::replace(&mut self.runner.target, target);
        let opened = self.runner.observed.as_mut().zip(other);
        let opened = opened.map(|(observed, other)| std::mem::replace(&mut observed.opened, other));
        Ok(TargetOverride { target, opened })
    }

    /// Measures again on what it was set up on.
    pub(crate) fn restore_target(&mut self, before: TargetOverride) {
        self.runner.target = before.target;
        if let Some((observed, opened)) = self.runner.observed.as_mut().zip(before.opened) {
            observed.opened = opened;
        }
    }
}

pub(super) fn describe_open_target(info: &mut TargetInfo, opened: &OpenTarget) {
    info.size = opened.size;
    info.direct = opened.direct;
    info.dio_memory_align = opened.memory_align;
    info.dio_offset_align = opened.offset_align;
    opened.align_source.clone_into(&mut info.dio_align_source);
}
