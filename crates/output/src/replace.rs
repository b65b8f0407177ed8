//! Replaces a regular file as a whole, if its name still means what it should.

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

/// Attempts while another program changes the name.
const ATTEMPTS: usize = 16;
/// Without setuid, setgid and sticky.
const MODE_BITS: Mode = Mode::RWXU.union(Mode::RWXG).union(Mode::RWXO);

/// Renames `temporary` to `entry`; `look` inspects the name, and refuses protected files.
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

fn copy_mode_and_owner(temporary: &TemporaryFile, before: &OpenedEntry) -> io::Result<()> {
    let stat = &before.stat;
    // Only root may.
    let (owner, group) = (Uid::from_raw(stat.st_uid), Gid::from_raw(stat.st_gid));
    let _ = fchown(&temporary.file, Some(owner), Some(group));
    Ok(fchmod(&temporary.file, Mode::from_raw_mode(stat.st_mode) & MODE_BITS)?)
}

/// `false`, without a change, if the name does not mean `before` any more.
pub(crate) fn rename_into_place(
    temporary: &mut TemporaryFile,
    entry: &Entry,
    before: Option<&OpenedEntry>,
) -> io::Result<bool> {
    let flags = match before {
        None => RenameFlags::NOREPLACE,
        Some(_) => RenameFlags::EXCHANGE,
    };
    // Until the end of an exchange the temporary name is that of another file, which a second
    // signal
    // must not remove.
    temporary.release();
    match rename_with(temporary, entry, flags) {
        Ok(()) => {}
        Err(error) => {
            temporary.reclaim();
            return match error {
                Errno::EXIST | Errno::NOENT => Ok(false),
                // NFS and others know no flags.
                Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP => {
                    rename_if_same(temporary, entry, before)
                }
                error => Err(error.into()),
            };
        }
    }
    let Some(before) = before else { return Ok(true) };
    // The former file has the temporary name now: it goes only if it was inspected.
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

/// Gives the file of the temporary name its own name back. An error says that it keeps the
/// temporary name.
pub(crate) fn undo_exchange(temporary: &mut TemporaryFile, entry: &Entry) -> io::Result<()> {
    let kept = |error: io::Error| {
        let name = temporary.name.display();
        io::Error::other(format!("another program's file is now {name} in that folder: {error}"))
    };
    match rename_with(temporary, entry, RenameFlags::EXCHANGE) {
        Ok(()) => {}
        // The new file was removed meanwhile.
        Err(Errno::NOENT) => {
            rename_with(temporary, entry, RenameFlags::NOREPLACE).map_err(|e| kept(e.into()))?;
            return Err(io::Error::other("another program removed it while it was put in place"));
        }
        Err(error) => return Err(kept(error.into())),
    }
    // A third file may have the name by now.
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

/// A file that comes between check and rename is replaced.
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

pub(crate) fn rename_over(temporary: &TemporaryFile, name: &OsStr) -> io::Result<()> {
    Ok(renameat(&temporary.folder, &temporary.name, &temporary.folder, name)?)
}

fn has_identity(entry: &Entry, seen: &OpenedEntry) -> io::Result<bool> {
    Ok(entry.inspect()?.is_some_and(|found| found.identity() == seen.identity()))
}

/// Makes a new name durable. Some file systems sync no folders.
pub(crate) fn sync_folder(folder: &OwnedFd) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    // It may be writable but not readable.
    let Ok(folder) = openat(folder, ".", flags, Mode::empty()) else { return Ok(()) };
    match fsync(folder) {
        Ok(()) | Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
