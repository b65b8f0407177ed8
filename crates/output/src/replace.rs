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

use crate::entry::{Entry, OpenedEntry};
use crate::error::OutputError;
use crate::temporary::TemporaryFile;

/// Attempts to replace a name that another program changes meanwhile.
const ATTEMPTS: usize = 16;
/// The bits of a mode that a replaced file hands on; not those that run it as another user.
const MODE_BITS: Mode = Mode::RWXU.union(Mode::RWXG).union(Mode::RWXO);

/// Puts `temporary` in the place of `entry`; `look` says what the name means now, and refuses what
/// must not be replaced.
pub(crate) fn replace_file(
    mut temporary: TemporaryFile,
    entry: &Entry,
    path: &Path,
    look: impl Fn() -> Result<Option<OpenedEntry>, OutputError>,
) -> Result<(), OutputError> {
    let failed = |error| OutputError::io("write", path, error);
    temporary.file.sync_all().map_err(failed)?;
    for _ in 0..ATTEMPTS {
        let before = look()?;
        if let Some(before) = &before {
            copy_mode_and_owner(&temporary, before).map_err(failed)?;
        }
        if rename_into_place(&mut temporary, entry, before.as_ref()).map_err(failed)? {
            return sync_folder(&entry.folder).map_err(failed);
        }
    }
    Err(OutputError::unsuitable(path, format!("its name changed in each of {ATTEMPTS} attempts")))
}

/// Gives the new file the mode of the old one and, where this is allowed, its owner.
fn copy_mode_and_owner(temporary: &TemporaryFile, before: &OpenedEntry) -> io::Result<()> {
    let stat = &before.stat;
    // Only root may, and for anybody else the file is their own.
    let (owner, group) = (Uid::from_raw(stat.st_uid), Gid::from_raw(stat.st_gid));
    let _ = fchown(&temporary.file, Some(owner), Some(group));
    Ok(fchmod(&temporary.file, Mode::from_raw_mode(stat.st_mode) & MODE_BITS)?)
}

/// Renames; `false` when the name did not mean `before` any more, which is left untouched then.
pub(crate) fn rename_into_place(
    temporary: &mut TemporaryFile,
    entry: &Entry,
    before: Option<&OpenedEntry>,
) -> io::Result<bool> {
    let flags = match before {
        None => RenameFlags::NOREPLACE,
        Some(_) => RenameFlags::EXCHANGE,
    };
    // From an exchange until its end the temporary name is that of another file, which a second
    // signal must not remove.
    temporary.release();
    match rename_with(temporary, entry, flags) {
        Ok(()) => {}
        Err(error) => {
            temporary.reclaim();
            return match error {
                Errno::EXIST | Errno::NOENT => Ok(false),
                // File systems that know no flags, such as NFS.
                Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP => {
                    rename_if_same(temporary, entry, before)
                }
                error => Err(error.into()),
            };
        }
    }
    let Some(before) = before else { return Ok(true) };
    // What had the name has the temporary one now: it goes only if it is what was looked at.
    let aside = temporary.entry();
    match has_identity(&aside, before) {
        Ok(true) => {
            unlinkat(&aside.folder, &aside.name, rustix::fs::AtFlags::empty())?;
            Ok(true)
        }
        Ok(false) => undo_exchange(temporary, entry).map(|()| false),
        Err(error) => undo_exchange(temporary, entry).and(Err(error)),
    }
}

/// Gives the file that has the temporary name its own name back. Where this is not possible it
/// keeps the temporary name, which the error says: it is another program's.
pub(crate) fn undo_exchange(temporary: &mut TemporaryFile, entry: &Entry) -> io::Result<()> {
    let kept = |error: io::Error| {
        let name = temporary.name.display();
        io::Error::other(format!("another program's file is now {name} in that folder: {error}"))
    };
    match rename_with(temporary, entry, RenameFlags::EXCHANGE) {
        Ok(()) => {}
        // Its name was removed meanwhile, and with it what we had put there.
        Err(Errno::NOENT) => {
            rename_with(temporary, entry, RenameFlags::NOREPLACE).map_err(|e| kept(e.into()))?;
            return Err(io::Error::other("another program removed it while it was put in place"));
        }
        Err(error) => return Err(kept(error.into())),
    }
    // A third file may have had the name by now.
    let ours =
        OpenedEntry::from_file(temporary.file.try_clone().map_err(&kept)?.into()).map_err(&kept)?;
    if !has_identity(&temporary.entry(), &ours).map_err(&kept)? {
        return Err(kept(io::Error::other("another program changed its name again")));
    }
    temporary.reclaim();
    Ok(())
}

fn rename_with(temporary: &TemporaryFile, entry: &Entry, flags: RenameFlags) -> Result<(), Errno> {
    renameat_with(&temporary.folder, &temporary.name, &entry.folder, &entry.name, flags)
}

/// Looks and renames; what comes to the name between the two is replaced.
fn rename_if_same(
    temporary: &TemporaryFile,
    entry: &Entry,
    before: Option<&OpenedEntry>,
) -> io::Result<bool> {
    let same = match before {
        Some(before) => has_identity(entry, before)?,
        None => entry.inspect()?.is_none(),
    };
    if same {
        rename_over(temporary, &entry.name)?;
    }
    Ok(same)
}

/// Renames within the folder, whatever has the name.
pub(crate) fn rename_over(temporary: &TemporaryFile, name: &OsStr) -> io::Result<()> {
    Ok(renameat(&temporary.folder, &temporary.name, &temporary.folder, name)?)
}

fn has_identity(entry: &Entry, seen: &OpenedEntry) -> io::Result<bool> {
    Ok(entry.inspect()?.is_some_and(|found| found.identity() == seen.identity()))
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
