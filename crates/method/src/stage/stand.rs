//! What a stage stands on, and how it measures for a while on something else.

use std::path::PathBuf;

use engine::{StopFlag, Target};
use record::{TargetInfo, TargetKind};
use target::{Opened, PathHandle, Roots, TargetError, TestFile};
use units::Bytes;

use super::{Ask, Flow, Room, Stage};
use crate::Watch;
use crate::error::MethodError;

/// What a stage stood on before it measured on something else.
pub(crate) struct Stand {
    target: Target,
    opened: Option<Opened>,
}

impl<'a> Stage<'a> {
    /// Opens the target, and sets up on it: [`Stage::set_on`].
    pub(crate) fn set(
        ask: &Ask,
        room: Room<'_>,
        roots: &'a Roots,
        stop: &'a StopFlag,
        watch: &'a mut dyn Watch,
    ) -> Result<(Self, Flow), MethodError> {
        Self::set_on(ask, &PathHandle::open(&ask.path)?, room, roots, stop, watch)
    }

    /// What kind of thing is measured.
    pub(crate) fn kind(&self) -> TargetKind {
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
    pub(crate) fn second_file(&self, size: Bytes) -> Option<TestFile> {
        let own = self.own.as_ref()?;
        let roots = self.bench.observed.as_ref()?.roots;
        own.create_beside(&format!("{:016x}-2", self.seed.0), size, roots).ok()
    }

    /// Measures on another file, or on more of the device, until [`Self::stand_again`].
    pub(crate) fn stand_on(
        &mut self,
        size: Bytes,
        other: Option<Opened>,
    ) -> Result<Stand, MethodError> {
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
            None => self.bench.target.clone().resized(size),
        };
        let target = std::mem::replace(&mut self.bench.target, target);
        let opened = self.bench.observed.as_mut().zip(other);
        let opened = opened.map(|(observed, other)| std::mem::replace(&mut observed.opened, other));
        Ok(Stand { target, opened })
    }

    /// Measures again on what it was set up on.
    pub(crate) fn stand_again(&mut self, before: Stand) {
        self.bench.target = before.target;
        if let Some((observed, opened)) = self.bench.observed.as_mut().zip(before.opened) {
            observed.opened = opened;
        }
    }
}

pub(super) fn describe_opening(info: &mut TargetInfo, opened: &Opened) {
    info.size = opened.size;
    info.direct = opened.direct;
    info.dio_memory_align = opened.memory_align;
    info.dio_offset_align = opened.offset_align;
    opened.align_source.clone_into(&mut info.dio_align_source);
}
