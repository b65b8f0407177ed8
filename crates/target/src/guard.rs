//! The guard: the one gate to writing.
//!
//! A [`WritePermit`] is for one file or device, not for a name, and cannot be made elsewhere. A raw
//! device gets one when all of these hold: the words name exactly this device; neither it nor a
//! partition of it, by whatever path, is mounted, swapped on, held by another device, behind a loop
//! device or open for writing in another program; the kernel gives it exclusively; and, on a
//! terminal, a person has confirmed it. What cannot be looked at counts as in use.
//!
//! In fio's dialect the request itself names what its job writes: see [`permit_named`].

use std::ffi::CStr;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use message::{Message, messages};
use record::TargetKind;
use rustix::fs::{Mode, OFlags, openat};
use units::Bytes;

use crate::content_scan::{ContentScan, ScanMode, WHOLE_MAX, scan_contents};
use crate::error::TargetError;
use crate::folder_entry::{FolderEntry, Location};
use crate::handle::{FileIdentity, PathHandle};
use crate::identity::{classify_target, describe_stack, format_device_number, read_mounts};
use crate::open::{OpenTarget, is_contentless, open, seek_size};
use crate::roots::Roots;
use crate::usage::{DeviceWriters, find_file_use, find_use};

/// Asks a person: the question, and the answer that is expected. Whether it was given.
type Confirm<'a> = &'a mut dyn FnMut(&str, &str) -> bool;

/// Attempts to claim a device, and the time between them.
const CLAIM_ATTEMPTS: u32 = 6;
const CLAIM_PAUSE: Duration = Duration::from_millis(20);
/// Reading a device of this size takes a second on a slow disk.
const SLOW_SCAN_MIN: Bytes = Bytes::mib(128);
/// How long a program that has it open for writing is waited for.
const WRITERS_TIMEOUT: Duration = Duration::from_secs(1);

/// Leave to write to one file or device.
#[derive(Debug)]
pub struct WritePermit {
    entry: FolderEntry,
    path: PathBuf,
    identity: FileIdentity,
    /// The device, claimed exclusively.
    claim: Option<File>,
    /// What was looked at before the device was found empty.
    scan: Option<ContentScan>,
    /// Asking for the permit made the file.
    is_new: bool,
}

impl WritePermit {
    pub(crate) fn for_own_file(entry: &FolderEntry, metadata: &Metadata) -> Self {
        Self { is_new: true, ..Self::new(entry.clone(), FileIdentity::from_metadata(metadata)) }
    }

    fn new(entry: FolderEntry, identity: FileIdentity) -> Self {
        let path = entry.resolved();
        Self { path, entry, identity, claim: None, scan: None, is_new: false }
    }

    /// Whether it is for a block device, not for a file.
    pub fn is_for_device(&self) -> bool {
        matches!(self.identity, FileIdentity::Device { .. })
    }

    /// What was found on the device; `None` where that does not matter.
    pub fn scan(&self) -> Option<&ContentScan> {
        self.scan.as_ref()
    }

    /// Device and inode of the file, if asking for the permit made it.
    pub fn new_file_id(&self) -> Option<(u64, u64)> {
        match self.identity {
            FileIdentity::File { device, inode } if self.is_new => Some((device, inode)),
            _ => None,
        }
    }
}

/// Opens what the permit is for, for reading and writing, past the page cache where `direct` and
/// where it can be. Fails when another file has the name.
pub fn open_for_writing(permit: &WritePermit, direct: bool) -> Result<OpenTarget, TargetError> {
    let look = |error| TargetError::from_io("look at", &permit.path, error);
    let handle = permit.entry.open_handle()?;
    require_same(&permit.path, &handle.metadata().map_err(look)?, permit.identity)?;
    let mut opened = open(&handle, true, direct)?;
    opened.claim = permit.claim.as_ref().map(File::try_clone).transpose().map_err(look)?;
    Ok(opened)
}

/// Asks for leave to write to the block device `path`, named again as `words`
/// (`--yes-destroy-data-on`). Last of all `confirm` is called for its serial number or size.
pub(crate) fn permit_device(
    path: &(impl Location + ?Sized),
    words: Option<&Path>,
    confirm: Confirm<'_>,
    roots: &Roots,
) -> Result<WritePermit, TargetError> {
    let handle = &path.open_handle()?;
    let path = handle.path();
    let refused = |reason: String| TargetError::Refused { path: path.to_owned(), reason };
    let look = |path, found: io::Result<Metadata>| {
        found.map_err(|error| TargetError::from_io("look at", path, error))
    };
    let metadata = look(path, handle.metadata())?;
    if !metadata.file_type().is_block_device() {
        let reason = "it exists already, and only a test file of truedisk's own is written";
        return Err(refused(reason.to_owned()));
    }
    let Some(words) = words else {
        let reason = "all data on it would be destroyed; say so with --yes-destroy-data-on";
        return Err(refused(format!("{reason} {}", path.display())));
    };
    let identity = FileIdentity::from_metadata(&metadata);
    if FileIdentity::from_metadata(&look(words, std::fs::metadata(words))?) != identity {
        return Err(refused(format!("--yes-destroy-data-on names {}", words.display())));
    }
    let device = format_device_number(metadata.rdev());
    refuse_in_use(path, &device, roots)?;
    // Asked last: the claim keeps what was found true while a person thinks.
    let question = |_: &File| confirm_destruction(path, &device, confirm, roots).map_err(&refused);
    let permit = claim_device(handle, identity, question)?;
    // A claim does not see who opens it without one, nor a loop device that came over it.
    refuse_in_use(path, &device, roots)?;
    Ok(permit)
}

fn require_same(path: &Path, found: &Metadata, known: FileIdentity) -> Result<(), TargetError> {
    if FileIdentity::from_metadata(found) == known {
        return Ok(());
    }
    let reason = "another file took its name after the check".to_owned();
    Err(TargetError::Refused { path: path.to_owned(), reason })
}

fn refuse_in_use(path: &Path, device: &str, roots: &Roots) -> Result<(), TargetError> {
    let refused = |usage: Message| {
        Err(TargetError::Refused { path: path.to_owned(), reason: usage.text().to_owned() })
    };
    if let Some(usage) = find_use(device, roots) {
        return refused(usage);
    }
    let begun = Instant::now();
    loop {
        match DeviceWriters::scan_processes(roots).find_writer(device, roots) {
            // Who looks for a free loop device has one open for a moment.
            Some(_) if begun.elapsed() < WRITERS_TIMEOUT => std::thread::sleep(CLAIM_PAUSE),
            Some(usage) => return refused(usage),
            None => return Ok(()),
        }
    }
}

/// Claims the device, for reading until `agreed` has looked at it.
fn claim_device(
    handle: &PathHandle,
    identity: FileIdentity,
    agreed: impl FnOnce(&File) -> Result<(), TargetError>,
) -> Result<WritePermit, TargetError> {
    let path = handle.path();
    let failed = |error| TargetError::from_io("look at", path, error);
    let descriptor = handle.descriptor_path();
    let checked = |attempt, claimed: io::Result<File>| {
        let claimed = claimed.map_err(|error| claim_error(attempt, path, error))?;
        require_same(path, &claimed.metadata().map_err(failed)?, identity).map(|()| claimed)
    };
    let look = checked("look at", claim_for_reading(&descriptor))?;
    agreed(&look)?;
    drop(look);
    let claim = checked("write", claim_for_writing(&descriptor))?;
    let permit = WritePermit::new(FolderEntry::from(handle.clone()), identity);
    Ok(WritePermit { claim: Some(claim), ..permit })
}

/// How a file or device that a person named for writing may be written.
#[derive(Debug, Clone, Copy, Default)]
pub struct PermitOptions<'a> {
    /// It may be written although it is mounted, held or signed.
    pub allow_in_use: bool,
    /// The device as named a second time: what is on it does not matter, but whether it is in use
    /// does.
    pub confirmed_device: Option<&'a Path>,
    /// Tells a person that the device is about to be read, if that takes seconds.
    pub announce: Option<fn(&Message)>,
}

/// The kind of a file system that keeps no data, such as /proc: its files are empty, and a write is
/// an order to the kernel.
fn find_kernel_interface(file: &Metadata, roots: &Roots) -> Option<String> {
    let device = format_device_number(file.dev());
    let mut mounts = read_mounts(roots).into_iter();
    Some(mounts.find(|mount| mount.device == device && mount.is_pseudo())?.kind)
}

/// Leave to write to `path`, which the request itself names: fio's way. A file that does not exist
/// is made. An existing file is written unless it is swapped on or behind a loop device, a block
/// device when it is not in use, and holds nothing but what another benchmark may have left.
pub fn permit_named(
    path: &(impl Location + ?Sized),
    named: PermitOptions<'_>,
    roots: &Roots,
) -> Result<WritePermit, TargetError> {
    let entry = path.entry()?;
    let path = entry.path();
    let failed = |attempt: &'static str| move |error| TargetError::from_io(attempt, path, error);
    let refused = |reason: String| TargetError::Refused { path: path.to_owned(), reason };
    match entry.create(0o644) {
        Ok(made) => {
            let metadata = made.metadata().map_err(failed("look at"))?;
            return Ok(WritePermit::for_own_file(&entry, &metadata));
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(entry.io_error("create", error)),
    }
    let handle = &entry.open_handle()?;
    let metadata = handle.metadata().map_err(failed("look at"))?;
    let identity = FileIdentity::from_metadata(&metadata);
    let permit = || WritePermit::new(entry.clone(), identity);
    if is_contentless(&metadata) {
        return Ok(permit());
    }
    match classify_target(path, &metadata.file_type())? {
        TargetKind::Directory => return Err(TargetError::IsFolder { path: path.to_owned() }),
        TargetKind::File => {
            if let Some(kind) = find_kernel_interface(&metadata, roots) {
                return Err(TargetError::KernelInterface { path: path.to_owned(), kind });
            }
            let usage = find_file_use(&metadata, roots).filter(|_| !named.allow_in_use);
            return usage.map_or_else(|| Ok(permit()), |usage| Err(refused(usage)));
        }
        TargetKind::BlockDevice => {}
    }
    if named.allow_in_use {
        return Ok(permit());
    }
    refuse_in_use(path, &format_device_number(metadata.rdev()), roots)?;
    let meant = named.confirmed_device.and_then(|words| std::fs::metadata(words).ok());
    let meant = meant.is_some_and(|meant| FileIdentity::from_metadata(&meant) == identity);
    let refuse_data = |device: &File, thoroughness| -> Result<Option<ContentScan>, TargetError> {
        if meant {
            return Ok(None);
        }
        let look = scan_contents(device, thoroughness).map_err(failed("read"))?;
        look.refusal_reason().map_or(Ok(Some(look)), |reason| Err(refused(reason)))
    };
    let mut look = None;
    let mut permit = claim_device(handle, identity, |device| {
        if !meant && let Some(announce) = named.announce {
            announce_scan(path, device, announce).map_err(failed("look at"))?;
        }
        look = refuse_data(device, ScanMode::Thorough)?;
        Ok(())
    })?;
    // Another program may have written between the look and the claim.
    if let Some(claim) = &permit.claim {
        refuse_data(claim, ScanMode::Quick)?;
    }
    permit.scan = look;
    Ok(permit)
}

/// The folder of `entry`, opened, in which a request itself makes and removes names: fio's way. Not
/// where a name is an order to the kernel, as in cgroupfs.
pub fn open_parent_folder(entry: &FolderEntry, roots: &Roots) -> Result<PathHandle, TargetError> {
    let failed = |error| entry.io_error("look at the folder of", error);
    let (folder, _) = entry.parent().map_err(failed)?;
    refuse_kernel_interface(&folder, entry.path(), roots).map(|()| folder)
}

/// Refuses to make `path` in `folder`, or in folders that are missing there, if the folder is an
/// interface of the kernel.
pub fn refuse_kernel_interface(
    folder: &PathHandle,
    path: &Path,
    roots: &Roots,
) -> Result<(), TargetError> {
    let metadata = folder.metadata();
    let metadata =
        metadata.map_err(|error| TargetError::from_io("look at", folder.path(), error))?;
    match find_kernel_interface(&metadata, roots) {
        Some(kind) => Err(TargetError::KernelInterface { path: path.to_owned(), kind }),
        None => Ok(()),
    }
}

/// Opens the file `name` of the open `folder` for reading and writing, and makes it where it is
/// missing; with `exclusive` an existing one is an error. A link is one always.
pub fn create_in_folder(folder: &File, name: &CStr, exclusive: bool) -> io::Result<OwnedFd> {
    let flags = OFlags::CREATE | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let flags = if exclusive { flags | OFlags::EXCL } else { flags };
    Ok(openat(folder, name, flags, Mode::RUSR | Mode::WUSR)?)
}

fn announce_scan(path: &Path, device: &File, announce: fn(&Message)) -> io::Result<()> {
    let (path, size) = (path.display().to_string(), Bytes(seek_size(device)?));
    if size > WHOLE_MAX {
        announce(&SearchesPart { path }.into());
    } else if size >= SLOW_SCAN_MIN {
        announce(&SearchesWhole { size, path }.into());
    }
    Ok(())
}

messages! {
    SearchesPart = "announce-search-part" { path: String };
    SearchesWhole = "announce-search-whole" { size: Bytes, path: String };
}

fn claim_error(attempt: &'static str, path: &Path, error: io::Error) -> TargetError {
    match error.raw_os_error() {
        Some(libc::EBUSY) => TargetError::Refused {
            path: path.to_owned(),
            reason: format!("the kernel says that it is in use: {error}"),
        },
        _ => TargetError::from_io(attempt, path, error),
    }
}

fn claim_for_writing(path: &Path) -> io::Result<File> {
    open_exclusive(OpenOptions::new().read(true).write(true), libc::O_EXCL, path)
}

/// What has no medium in it is not waited for.
pub(crate) fn claim_for_reading(path: &Path) -> io::Result<File> {
    open_exclusive(OpenOptions::new().read(true), libc::O_EXCL | libc::O_NONBLOCK, path)
}

/// O_EXCL without O_CREAT: the kernel refuses while anything else claims the device. Claims of a
/// moment are waited out: who looks for a free loop device, or at a new device, makes them.
fn open_exclusive(options: &mut OpenOptions, flags: i32, path: &Path) -> io::Result<File> {
    options.custom_flags(flags);
    let mut looks = 1;
    loop {
        match options.open(path) {
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) && looks < CLAIM_ATTEMPTS => {
                looks += 1;
                std::thread::sleep(CLAIM_PAUSE);
            }
            result => return result,
        }
    }
}

fn confirm_destruction(
    path: &Path,
    device: &str,
    confirm: Confirm<'_>,
    roots: &Roots,
) -> Result<(), String> {
    let stack = describe_stack(device, roots);
    let layer = stack.first().ok_or("its size is not in sysfs")?;
    let (what, expected) = match &layer.serial {
        Some(serial) => ("serial number", serial.clone()),
        None => ("size in bytes", layer.size.0.to_string()),
    };
    let model = layer.model.as_ref().map(|model| format!("{model}, ")).unwrap_or_default();
    let question = format!(
        "All data on {} ({model}{}) will be destroyed. Type its {what}, {expected}, to go on:",
        path.display(),
        layer.size
    );
    if confirm(&question, &expected) { Ok(()) } else { Err("not confirmed".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_disk;
    use lab::{LoopDevice, LoopOptions, Need};

    fn agree(_: &str, _: &str) -> bool {
        true
    }

    fn refusal(path: &Path, words: Option<&Path>) -> String {
        let error = permit_device(path, words, &mut agree, &Roots::host()).unwrap_err();
        assert_eq!(error.kind(), units::ErrorKind::Refused, "{error}");
        assert!(error.hint().unwrap().contains("--read-only"));
        error.to_string()
    }

    fn small_loop() -> LoopDevice {
        let options: LoopOptions = LoopDevice::options(16 << 20);
        options.sparse().direct_io(false).attach().unwrap()
    }

    #[test]
    fn files_and_folders_that_exist_are_never_permitted() {
        let folder = on_disk();
        let file = folder.path().join("precious");
        std::fs::write(&file, b"precious").unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        for path in [&file, &link, folder.path(), Path::new("/dev/null")] {
            assert!(refusal(path, Some(path)).contains("exists already"), "{}", path.display());
        }
        assert_eq!(std::fs::read(&file).unwrap(), b"precious");
        let missing = folder.path().join("missing");
        let error = permit_device(&missing, None, &mut agree, &Roots::host()).unwrap_err();
        assert_eq!(error.kind(), units::ErrorKind::WrongRequest, "{error}");
    }

    /// Files of /proc and sysfs have no length: a job that fills empty files would write there.
    #[test]
    fn an_interface_of_the_kernel_is_never_written() {
        let path = Path::new("/proc/self/comm");
        let before = std::fs::read(path).unwrap();
        for allow_in_use in [false, true] {
            let options = PermitOptions { allow_in_use, ..PermitOptions::default() };
            let error = permit_named(path, options, &Roots::host()).unwrap_err();
            assert_eq!(error.kind(), units::ErrorKind::Refused, "{error}");
            assert!(error.to_string().contains("it is on proc, where a write"), "{error}");
        }
        assert_eq!(std::fs::read(path).unwrap(), before);
    }

    #[test]
    fn a_free_device_is_permitted_once_it_is_named_twice() {
        lab::skip_unless!(Need::LoopDevices);
        let (device, other) = (small_loop(), small_loop());
        let path = device.path();
        assert!(refusal(path, None).contains("--yes-destroy-data-on /dev/loop"));
        assert!(refusal(path, Some(other.path())).contains("names /dev/loop"));
        assert!(refusal(path, Some(Path::new("/dev/null"))).contains("names /dev/null"));
        let permit = permit_device(path, Some(path), &mut agree, &Roots::host()).unwrap();
        assert!(refusal(path, Some(path)).contains("in use"), "the permit claims it");
        let opened = open_for_writing(&permit, true).unwrap();
        assert!(opened.writable && opened.size == Bytes::mib(16));
        drop(permit);
        assert!(refusal(path, Some(path)).contains("in use"), "what was opened claims it on");
        drop(opened);
        permit_device(path, Some(path), &mut agree, &Roots::host()).unwrap();
    }

    #[test]
    fn what_comes_to_use_a_device_while_a_person_thinks_is_seen() {
        lab::skip_unless!(Need::LoopDevices);
        let device = small_loop();
        let path = device.path();
        let mut above = None;
        let mut agree_late = |_: &str, _: &str| {
            above = Some(losetup(&["--find", "--show", path.to_str().unwrap()]));
            true
        };
        let permit = permit_device(path, Some(path), &mut agree_late, &Roots::host());
        losetup(&["--detach", &above.unwrap()]);
        let said = permit.unwrap_err().to_string();
        assert!(said.contains("behind loop"), "{said}");
    }

    fn losetup(arguments: &[&str]) -> String {
        let output = std::process::Command::new("losetup").args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    #[test]
    fn a_person_is_asked_for_the_size_of_a_device_without_serial() {
        lab::skip_unless!(Need::LoopDevices);
        let device = small_loop();
        let path = device.path();
        let mut asked = Vec::new();
        let mut deny = |question: &str, expected: &str| {
            asked.push((question.to_owned(), expected.to_owned()));
            false
        };
        let roots = Roots::host();
        let error = permit_device(path, Some(path), &mut deny, &roots).unwrap_err();
        assert!(error.to_string().contains("not confirmed"), "{error}");
        let (question, expected) = asked.pop().unwrap();
        assert_eq!(expected, (16 << 20).to_string());
        assert!(question.contains("16 MiB") && question.contains("size in bytes"), "{question}");
        permit_device(path, Some(path), &mut agree, &roots).unwrap();
    }

    fn named_refusal(path: &Path, named: PermitOptions<'_>) -> String {
        let error = permit_named(path, named, &Roots::host()).unwrap_err();
        assert_eq!(error.kind(), units::ErrorKind::Refused, "{error}");
        error.to_string()
    }

    #[test]
    fn a_named_file_is_made_or_written_and_a_link_is_resolved() {
        let folder = on_disk();
        let file = folder.path().join("new");
        let permit = permit_named(&file, PermitOptions::default(), &Roots::host()).unwrap();
        assert!(open_for_writing(&permit, false).unwrap().writable);
        std::fs::write(&file, b"there").unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let permit = permit_named(&link, PermitOptions::default(), &Roots::host()).unwrap();
        assert_eq!(permit.path, std::fs::canonicalize(&file).unwrap());
        assert_eq!(std::fs::read(&file).unwrap(), b"there", "a permit alone changes nothing");
        let error =
            permit_named(folder.path(), PermitOptions::default(), &Roots::host()).unwrap_err();
        assert_eq!(error.kind(), units::ErrorKind::WrongRequest, "{error}");
    }

    #[test]
    fn a_named_device_is_written_only_when_it_is_free_and_empty() {
        lab::skip_unless!(Need::LoopDevices);
        let (device, other) = (small_loop(), small_loop());
        let path = device.path();
        drop(permit_named(path, PermitOptions::default(), &Roots::host()).unwrap());
        let made = std::process::Command::new("mkfs.ext4").args(["-q", "-F"]).arg(path).status();
        assert!(made.unwrap().success());
        assert!(named_refusal(path, PermitOptions::default()).contains("holds an ext2/3/4"));
        let words =
            |words| PermitOptions { confirmed_device: Some(words), ..PermitOptions::default() };
        assert!(named_refusal(path, words(other.path())).contains("holds an ext2/3/4"));
        drop(permit_named(path, words(path), &Roots::host()).unwrap());
        let folder = on_disk();
        let mount = std::process::Command::new("mount").arg(path).arg(folder.path()).status();
        assert!(mount.unwrap().success());
        let said = named_refusal(path, words(path));
        let in_use_too = PermitOptions { allow_in_use: true, ..PermitOptions::default() };
        let allowed = permit_named(path, in_use_too, &Roots::host()).is_ok();
        let umount = std::process::Command::new("umount").arg(folder.path()).status();
        assert!(umount.unwrap().success());
        assert!(said.contains("is mounted on") && allowed, "{said}");
    }

    #[test]
    fn a_named_file_behind_a_loop_device_is_refused() {
        lab::skip_unless!(Need::LoopDevices);
        let folder = on_disk();
        let file = folder.path().join("image");
        std::fs::write(&file, vec![0; 1 << 20]).unwrap();
        let losetup = |arguments: &[&str]| {
            let output = std::process::Command::new("losetup").args(arguments).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        };
        let above = losetup(&["--find", "--show", file.to_str().unwrap()]);
        let error = permit_named(&file, PermitOptions::default(), &Roots::host());
        losetup(&["--detach", &above]);
        let said = error.unwrap_err().to_string();
        assert!(said.contains(&format!("behind {}", above.trim_start_matches("/dev/"))), "{said}");
    }

    #[test]
    fn a_device_behind_a_loop_device_is_refused() {
        lab::skip_unless!(Need::LoopDevices);
        let below = small_loop();
        let above = losetup(&["--find", "--show", below.path().to_str().unwrap()]);
        let said = refusal(below.path(), Some(below.path()));
        losetup(&["--detach", &above]);
        assert!(said.contains(&format!("behind {}", above.trim_start_matches("/dev/"))), "{said}");
    }
}
