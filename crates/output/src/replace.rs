//! A regular file replaced as a whole, and only while its name means what it should.

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{
    Gid, Mode, OFlags, RenameFlags, Uid, fchmod, fchown, fsync, openat, renameat, renameat_with,
    unlinkat,
};
use rustix::io::Errno;

use crate::entry::{Entry, Seen};
use crate::error::OutputError;
use crate::temporary::Temporary;

/// How often another program may change the name while it is replaced.
const ATTEMPTS: usize = 16;
/// The bits of a mode that a replaced file hands on; not those that run it as somebody else.
const MODE_BITS: Mode = Mode::RWXU.union(Mode::RWXG).union(Mode::RWXO);

/// Puts `temporary` in the place of `entry`; `look` says what the name means now, and refuses what
/// must not be replaced.
pub(crate) fn replace(
    temporary: Temporary,
    entry: &Entry,
    path: &Path,
    look: impl Fn() -> Result<Option<Seen>, OutputError>,
) -> Result<(), OutputError> {
    let failed = |error| OutputError::io("write", path, error);
    temporary.file.sync_all().map_err(failed)?;
    for _ in 0..ATTEMPTS {
        let before = look()?;
        if let Some(before) = &before {
            hand_on(&temporary, before).map_err(failed)?;
        }
        if put(&temporary, entry, before.as_ref()).map_err(failed)? {
            return sync_folder(&entry.folder).map_err(failed);
        }
    }
    Err(OutputError::unsuitable(path, "another program changes it all the time"))
}

/// Gives the new file the mode of the old one and, where this is allowed, its owner.
fn hand_on(temporary: &Temporary, before: &Seen) -> io::Result<()> {
    let stat = &before.stat;
    // Only root may, and for anybody else the file is their own.
    let (owner, group) = (Uid::from_raw(stat.st_uid), Gid::from_raw(stat.st_gid));
    let _ = fchown(&temporary.file, Some(owner), Some(group));
    Ok(fchmod(&temporary.file, Mode::from_raw_mode(stat.st_mode) & MODE_BITS)?)
}

/// Renames; `false` when the name did not mean `before` any more, which is left untouched then.
pub(crate) fn put(temporary: &Temporary, entry: &Entry, before: Option<&Seen>) -> io::Result<bool> {
    let flags = match before {
        None => RenameFlags::NOREPLACE,
        Some(_) => RenameFlags::EXCHANGE,
    };
    let rename = |flags| {
        renameat_with(&temporary.folder, &temporary.name, &entry.folder, &entry.name, flags)
    };
    match rename(flags) {
        Ok(()) => {}
        Err(Errno::EXIST | Errno::NOENT) => return Ok(false),
        // File systems that know no flags, such as NFS.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            return put_plainly(temporary, entry, before);
        }
        Err(error) => return Err(error.into()),
    }
    let Some(before) = before else { return Ok(true) };
    // What had the name has the temporary one now: it goes only if it is what was looked at.
    let aside = Entry { folder: temporary.folder.clone(), name: temporary.name.clone() };
    if is_at(&aside, before)? {
        unlinkat(&aside.folder, &aside.name, rustix::fs::AtFlags::empty())?;
        return Ok(true);
    }
    rename(RenameFlags::EXCHANGE)?;
    Ok(false)
}

/// Looks and renames; what comes to the name between the two is replaced.
fn put_plainly(temporary: &Temporary, entry: &Entry, before: Option<&Seen>) -> io::Result<bool> {
    let same = match before {
        Some(before) => is_at(entry, before)?,
        None => entry.look()?.is_none(),
    };
    if same {
        rename_over(temporary, &entry.name)?;
    }
    Ok(same)
}

/// Renames within the folder, whatever has the name.
pub(crate) fn rename_over(temporary: &Temporary, name: &OsStr) -> io::Result<()> {
    Ok(renameat(&temporary.folder, &temporary.name, &temporary.folder, name)?)
}

fn is_at(entry: &Entry, seen: &Seen) -> io::Result<bool> {
    Ok(entry.look()?.is_some_and(|found| found.identity() == seen.identity()))
}

/// A new name is safe only when its folder is. Some file systems sync no folders.
pub(crate) fn sync_folder(folder: &OwnedFd) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    // A folder that may be written but not read cannot be synced.
    let Ok(folder) = openat(folder, ".", flags, Mode::empty()) else { return Ok(()) };
    match fsync(folder) {
        Ok(()) | Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
