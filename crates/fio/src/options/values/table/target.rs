//! Files, devices, sizes.

use super::super::super::job::{FadviseHint, Fallocate, LockFile, SizeRange, WriteHint};
use super::super::{distribution, lists, number};
use super::Table;

pub(super) const TABLE: Table = &[
    ("name", set!(text name)),
    ("description", set!(text description)),
    ("filename", |o, i| {
        o.target.filenames.extend(lists::read_names(i, "file names separated by colons")?);
        Ok(())
    }),
    ("directory", |o, i| {
        o.target.directories = lists::read_names(i, "folders separated by colons")?;
        Ok(())
    }),
    ("opendir", |o, i| {
        o.target.opendirs = lists::read_names(i, "folders separated by colons")?;
        Ok(())
    }),
    ("filename_format", |o, i| {
        o.target.filename_format = i.any()?;
        Ok(())
    }),
    ("unique_filename", set!(flag target.unique_filename)),
    (
        "lockfile",
        set!(choice target.lockfile, &[
            ("none", LockFile::None),
            ("exclusive", LockFile::Exclusive),
            ("readwrite", LockFile::ReadWrite),
        ]),
    ),
    ("nrfiles", set!(u32 target.nrfiles, 1)),
    ("nr_files", set!(u32 target.nrfiles, 1)),
    ("openfiles", |o, i| {
        o.target.openfiles = Some(i.whole32(0)?).filter(|files| *files > 0);
        Ok(())
    }),
    ("file_service_type", distribution::read_file_service),
    ("filesize", |o, i| {
        let expected = "a size such as 1m, or a range such as 4k-64k";
        let text = i.text(expected)?;
        o.target.filesize = Some(match lists::split_range(text) {
            Some(_) => lists::read_size_range(i, text, 1)?,
            None => {
                let size = i.size_of(text, 1)?;
                SizeRange { min: size, max: size }
            }
        });
        Ok(())
    }),
    ("create_on_open", set!(flag target.create_on_open)),
    ("create_only", set!(flag target.create_only)),
    ("create_serialize", set!(flag target.create_serialize)),
    ("create_fsync", set!(flag target.create_fsync)),
    (
        "fallocate",
        set!(choice target.fallocate, &[
            ("none", Fallocate::None),
            ("native", Fallocate::Native),
            ("posix", Fallocate::Posix),
            ("keep", Fallocate::Keep),
            ("truncate", Fallocate::Truncate),
            ("0", Fallocate::None),
            ("1", Fallocate::Posix),
        ]),
    ),
    (
        "fadvise_hint",
        set!(choice target.fadvise_hint, &[
            ("0", FadviseHint::None),
            ("1", FadviseHint::Auto),
            ("random", FadviseHint::Random),
            ("sequential", FadviseHint::Sequential),
            ("noreuse", FadviseHint::NoReuse),
        ]),
    ),
    (
        "write_hint",
        set!(choice target.write_hint, &[
            ("none", WriteHint::None),
            ("short", WriteHint::Short),
            ("medium", WriteHint::Medium),
            ("long", WriteHint::Long),
            ("extreme", WriteHint::Extreme),
        ]),
    ),
    ("overwrite", set!(flag target.overwrite)),
    ("pre_read", set!(flag target.pre_read)),
    ("unlink", set!(flag target.unlink)),
    ("unlink_each_loop", set!(flag target.unlink_each_loop)),
    ("invalidate", set!(flag target.invalidate)),
    ("allow_file_create", set!(flag target.allow_file_create)),
    ("allow_mounted_write", set!(flag target.allow_mounted_write)),
    ("file_append", set!(flag target.file_append)),
    ("size", |o, i| {
        o.size.size = number::read_positive_size_value(i)?;
        Ok(())
    }),
    ("io_size", |o, i| {
        o.size.io_size = number::read_positive_size_value(i)?;
        Ok(())
    }),
    ("io_limit", |o, i| {
        o.size.io_size = number::read_positive_size_value(i)?;
        Ok(())
    }),
    ("offset", |o, i| {
        o.size.offset = number::read_size_value(i)?;
        Ok(())
    }),
    ("fileoffset", |o, i| {
        o.size.offset = number::read_size_value(i)?;
        Ok(())
    }),
    ("offset_increment", |o, i| {
        o.size.offset_increment = number::read_size_value(i)?;
        Ok(())
    }),
    ("offset_align", set!(size size.offset_align, 0)),
    ("number_ios", set!(whole size.number_ios, 0)),
    ("fill_device", set!(flag size.fill_device)),
    ("fill_fs", set!(flag size.fill_device)),
];
