//! The file system that the kernel asks: one folder with one file, `disk`.

use std::ffi::OsStr;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use engine::simulated::{Content, Op, OpKind};
use fuser::{
    Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation, INodeNo, InitFlags,
    KernelConfig, LockOwner, OpenFlags, ReplyAttr, ReplyData, ReplyDirectory, ReplyEmpty,
    ReplyEntry, ReplyOpen, ReplyStatfs, ReplyWrite, Request, TimeOrNow, WriteFlags,
};

use super::completion::{PendingReply, SharedState};
use super::store::PageStore;

pub(super) const FILE_NAME: &str = "disk";
const DISK_INODE: INodeNo = INodeNo(2);

/// Bytes of a request at most: the kernel's own limit of 256 pages, so that 1 MiB is one request.
const REQUEST_BYTES_MAX: u32 = 1 << 20;
/// Requests that the kernel may have sent and not answered: far more than any depth measured.
const IN_FLIGHT_MAX: u16 = 4096;
/// Nothing changes behind the kernel's back, so it may remember names and sizes.
const ATTRIBUTE_LIFETIME: Duration = Duration::from_secs(1 << 30);

/// `fallocate(2)`: keep the size; punch a hole; zero a range (`linux/falloc.h`).
const KEEP_SIZE: i32 = 1;
const PUNCH_HOLE: i32 = 2;
const ZERO_RANGE: i32 = 16;

#[derive(Debug)]
pub(super) struct DiskFileSystem {
    pub(super) capacity: u64,
    pub(super) store: Mutex<PageStore>,
    pub(super) device: Arc<SharedState>,
}

impl DiskFileSystem {
    fn attributes(&self, node: INodeNo) -> Option<FileAttr> {
        let (kind, perm, size) = match node {
            INodeNo::ROOT => (FileType::Directory, 0o700, 0),
            DISK_INODE => (FileType::RegularFile, 0o600, self.capacity),
            _ => return None,
        };
        Some(FileAttr {
            ino: node,
            size,
            blocks: size / 512,
            atime: UNIX_EPOCH,
            mtime: UNIX_EPOCH,
            ctime: UNIX_EPOCH,
            crtime: UNIX_EPOCH,
            kind,
            perm,
            nlink: 1,
            uid: 0,
            gid: 0,
            rdev: 0,
            blksize: 4096,
            flags: 0,
        })
    }

    fn reply_attributes(&self, node: INodeNo, reply: ReplyAttr) {
        match self.attributes(node) {
            Some(attributes) => reply.attr(&ATTRIBUTE_LIFETIME, &attributes),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn lock_store(&self) -> std::sync::MutexGuard<'_, PageStore> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn submit_flush(&self, reply: ReplyEmpty) {
        let op = Op { kind: OpKind::Flush, offset: 0, length: 0 };
        self.device.submit(op, Content::Noise, PendingReply::Done(reply));
    }
}

impl Filesystem for DiskFileSystem {
    fn init(&mut self, _: &Request, config: &mut KernelConfig) -> io::Result<()> {
        // Without it every read with O_DIRECT waits for its answer before the next is sent.
        let missing = |flags| io::Error::other(format!("the kernel does not offer {flags:?}"));
        config.add_capabilities(InitFlags::FUSE_ASYNC_DIO).map_err(missing)?;
        let refused = |most| io::Error::other(format!("the kernel takes {most} at most"));
        config.set_max_write(REQUEST_BYTES_MAX).map_err(refused)?;
        let refused = |most| io::Error::other(format!("the kernel takes {most} at most"));
        config.set_max_background(IN_FLIGHT_MAX).map_err(refused)?;
        config.set_congestion_threshold(IN_FLIGHT_MAX).map_err(refused)?;
        Ok(())
    }

    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        match self.attributes(DISK_INODE).filter(|_| parent == INodeNo::ROOT && name == FILE_NAME) {
            Some(attributes) => reply.entry(&ATTRIBUTE_LIFETIME, &attributes, Generation(0)),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn getattr(&self, _: &Request, node: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        self.reply_attributes(node, reply);
    }

    /// A disk keeps its size; other attributes do not matter.
    fn setattr(
        &self,
        _: &Request,
        node: INodeNo,
        _: Option<u32>,
        _: Option<u32>,
        _: Option<u32>,
        size: Option<u64>,
        _: Option<TimeOrNow>,
        _: Option<TimeOrNow>,
        _: Option<std::time::SystemTime>,
        _: Option<FileHandle>,
        _: Option<std::time::SystemTime>,
        _: Option<std::time::SystemTime>,
        _: Option<std::time::SystemTime>,
        _: Option<fuser::BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        match size {
            Some(size) if size != self.capacity => reply.error(Errno::EINVAL),
            _ => self.reply_attributes(node, reply),
        }
    }

    fn open(&self, _: &Request, node: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        if node != DISK_INODE {
            return reply.error(Errno::EISDIR);
        }
        // Parallel writes are taken only of files that are never cached.
        let flags = FopenFlags::FOPEN_DIRECT_IO | FopenFlags::FOPEN_PARALLEL_DIRECT_WRITES;
        reply.opened(FileHandle(0), flags);
    }

    fn read(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let left = self.capacity.saturating_sub(offset);
        let length = u64::from(size).min(left) as u32;
        if length == 0 {
            return reply.data(&[]);
        }
        let (bytes, content) = self.lock_store().read(offset, length as usize);
        let op = Op { kind: OpKind::Read, offset, length };
        self.device.submit(op, content, PendingReply::Read(reply, bytes));
    }

    fn write(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        let length = data.len() as u32;
        if offset.saturating_add(u64::from(length)) > self.capacity {
            return reply.error(Errno::ENOSPC);
        }
        let content = self.lock_store().write(offset, data);
        let op = Op { kind: OpKind::Write, offset, length };
        self.device.submit(op, content, PendingReply::Write(reply, length));
    }

    /// Of each close; nothing is written by it.
    fn flush(&self, _: &Request, _: INodeNo, _: FileHandle, _: LockOwner, reply: ReplyEmpty) {
        reply.ok();
    }

    fn fsync(&self, _: &Request, _: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        self.submit_flush(reply);
    }

    /// A loop device's discards and zeroed ranges.
    fn fallocate(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        length: u64,
        mode: i32,
        reply: ReplyEmpty,
    ) {
        let known = [PUNCH_HOLE | KEEP_SIZE, ZERO_RANGE, ZERO_RANGE | KEEP_SIZE];
        if !known.contains(&mode) || offset.saturating_add(length) > self.capacity {
            return reply.error(Errno::EOPNOTSUPP);
        }
        self.lock_store().zero(offset, length);
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        let op = Op { kind: OpKind::Trim, offset, length };
        self.device.submit(op, Content::Zeros, PendingReply::Done(reply));
    }

    fn readdir(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        let entries = [
            (INodeNo::ROOT, FileType::Directory, "."),
            (INodeNo::ROOT, FileType::Directory, ".."),
            (DISK_INODE, FileType::RegularFile, FILE_NAME),
        ];
        for (next, (node, kind, name)) in (1..).zip(entries).skip(offset as usize) {
            if reply.add(node, next, kind, name) {
                break;
            }
        }
        reply.ok();
    }

    fn statfs(&self, _: &Request, _: INodeNo, reply: ReplyStatfs) {
        reply.statfs(self.capacity / 4096, 0, 0, 1, 0, 4096, 255, 4096);
    }
}
