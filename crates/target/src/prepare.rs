//! The preparation of a target: what it is, how it is opened, and the file that a folder is
//! measured through. What differs between programs is their [`PreparePolicy`].

use std::path::Path;

use record::{TargetInfo, TargetKind};

use crate::content_scan::ContentScan;
use crate::error::TargetError;
use crate::guard::{PermitOptions, open_for_writing, permit_device, permit_named};
use crate::handle::PathHandle;
use crate::identity::describe_target;
use crate::open::{OpenTarget, open_for_reading};
use crate::roots::Roots;
use crate::test_file::TestFile;

/// How an existing file or device is opened: past the page cache where `direct`.
#[derive(Debug, Clone, Copy)]
pub enum TargetAccess<'a> {
    Read {
        direct: bool,
    },
    /// A device that is named twice, after a person's confirmation.
    WriteDevice {
        confirmed: Option<&'a Path>,
    },
    /// What the request itself names: see [`permit_named`].
    WriteNamed {
        options: PermitOptions<'a>,
        direct: bool,
    },
}

/// What a program decides about the preparation of its target.
pub trait PreparePolicy<'a> {
    /// Why it refuses.
    type Error: From<TargetError>;

    fn choose_access(&mut self, info: &TargetInfo) -> Result<TargetAccess<'a>, Self::Error>;

    /// Makes and opens the file that a folder is measured through; a [`TestFile`] is removed with
    /// the target.
    fn open_in_folder(
        &mut self,
        folder: &PathHandle,
        info: &TargetInfo,
    ) -> Result<(OpenTarget, Option<TestFile>), Self::Error>;

    /// Asks a person before a device is written; without anybody to ask, the request is enough.
    fn confirm(&mut self, _question: &str, _expected: &str) -> bool {
        true
    }
}

#[derive(Debug)]
pub struct PreparedTarget {
    pub info: TargetInfo,
    pub opened: OpenTarget,
    /// The file of our own, where a folder is measured.
    pub test_file: Option<TestFile>,
    /// How much of a device was searched for data before it is written.
    pub scan: Option<ContentScan>,
}

/// Describes what `handle` is, and opens it as `policy` says.
pub fn prepare<'a, P: PreparePolicy<'a>>(
    handle: &PathHandle,
    policy: &mut P,
    roots: &Roots,
) -> Result<PreparedTarget, P::Error> {
    let info = describe_target(handle, roots)?;
    if info.kind == TargetKind::Directory {
        let (opened, test_file) = policy.open_in_folder(handle, &info)?;
        return Ok(PreparedTarget { info, opened, test_file, scan: None });
    }
    let (opened, scan) = match policy.choose_access(&info)? {
        TargetAccess::Read { direct } => (open_for_reading(handle, direct)?, None),
        TargetAccess::WriteDevice { confirmed } => {
            let mut confirm = |question: &str, expected: &str| policy.confirm(question, expected);
            let permit = permit_device(handle, confirmed, &mut confirm, roots)?;
            (open_for_writing(&permit, true)?, None)
        }
        TargetAccess::WriteNamed { options, direct } => {
            let permit = permit_named(handle, options, roots)?;
            (open_for_writing(&permit, direct)?, permit.scan().copied())
        }
    };
    Ok(PreparedTarget { info, opened, test_file: None, scan })
}
