//! Files, devices, sizes and offsets.

/// Files and devices of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetOptions {
    /// `filename`: every name given, split at `:`; several `filename` lines accumulate. Empty:
    /// names are made from `filename_format`.
    pub filenames: Vec<String>,
    /// `directory`: split at `:`; clones of a job take them in turn.
    pub directories: Vec<String>,
    /// `opendir`: directories whose files are all taken, recursively, split at `:`.
    pub opendirs: Vec<String>,
    /// `filename_format`: `$jobname`, `$jobnum`, `$filenum`, `$clientuid`.
    pub filename_format: String,
    /// `unique_filename`: prefix generated names with the client's address (client mode).
    pub unique_filename: bool,
    /// `lockfile`.
    pub lockfile: LockFile,
    /// `nrfiles`: files per job when no filename is given.
    pub nrfiles: u32,
    /// `openfiles`: files open at a time; `None`: all.
    pub openfiles: Option<u32>,
    /// `file_service_type`: which file is next.
    pub file_service: FileService,
    /// `filesize`: size of each file; least = most when it is not a range.
    pub filesize: Option<SizeRange>,
    /// `create_on_open`: create files when a job opens them, not before.
    pub create_on_open: bool,
    /// `create_only`: lay out the files and stop.
    pub create_only: bool,
    /// `create_serialize`: lay out one job's files after another's.
    pub create_serialize: bool,
    /// `create_fsync`: flush files after laying them out.
    pub create_fsync: bool,
    /// `fallocate`: how space is reserved when a file is laid out.
    pub fallocate: Fallocate,
    /// `fadvise_hint`.
    pub fadvise_hint: FadviseHint,
    /// `write_hint`: expected life time of the data.
    pub write_hint: WriteHint,
    /// `overwrite`: lay out the file first, so that writes go over existing blocks.
    pub overwrite: bool,
    /// `pre_read`: read the files into memory first.
    pub pre_read: bool,
    /// `unlink`: remove the files at the end.
    pub unlink: bool,
    /// `unlink_each_loop`: remove the files after every loop.
    pub unlink_each_loop: bool,
    /// `invalidate`: drop the files from the page cache first.
    pub invalidate: bool,
    /// `allow_file_create`: missing files may be created.
    pub allow_file_create: bool,
    /// `allow_mounted_write`: writes to a mounted device are allowed.
    pub allow_mounted_write: bool,
    /// `file_append`: begin at the end of the file.
    pub file_append: bool,
}

impl Default for TargetOptions {
    fn default() -> Self {
        Self {
            filenames: Vec::new(),
            directories: Vec::new(),
            opendirs: Vec::new(),
            filename_format: "$jobname.$jobnum.$filenum".to_owned(),
            unique_filename: true,
            lockfile: LockFile::None,
            nrfiles: 1,
            openfiles: None,
            file_service: FileService::RoundRobin { batch: 1 },
            filesize: None,
            create_on_open: false,
            create_only: false,
            create_serialize: true,
            create_fsync: true,
            fallocate: Fallocate::Native,
            fadvise_hint: FadviseHint::Auto,
            write_hint: WriteHint::NotSet,
            overwrite: false,
            pre_read: false,
            unlink: false,
            unlink_each_loop: false,
            invalidate: true,
            allow_file_create: true,
            allow_mounted_write: false,
            file_append: false,
        }
    }
}

/// Locks held around an operation on a shared file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockFile {
    /// None.
    None,
    /// One operation at a time.
    Exclusive,
    /// Many reads or one write.
    ReadWrite,
}

/// Which file serves the next operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FileService {
    /// A random one, kept for `batch` operations.
    Random {
        /// Operations before the next choice.
        batch: u32,
    },
    /// In turn, `batch` operations each.
    RoundRobin {
        /// Operations before the next choice.
        batch: u32,
    },
    /// One file to its end, then the next.
    Sequential {
        /// Operations before the next choice; kept for completeness.
        batch: u32,
    },
    /// Zipf over the files.
    Zipf {
        /// Its theta; above 0, not 1.
        theta: f64,
    },
    /// Pareto over the files.
    Pareto {
        /// Its h; between 0 and 1.
        h: f64,
    },
    /// Normal over the files.
    Normal {
        /// Deviation in percent of the files.
        deviation: f64,
    },
}

/// Two sizes in bytes, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeRange {
    /// Least.
    pub min: u64,
    /// Most.
    pub max: u64,
}

/// How a file's space is reserved before it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallocate {
    /// Not at all.
    None,
    /// The system's own call, silently skipped when the file system has none.
    Native,
    /// `posix_fallocate`.
    Posix,
    /// Reserve without changing the file's length.
    Keep,
    /// Only set the length.
    Truncate,
}

/// What the kernel is told about the order of reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FadviseHint {
    /// Nothing.
    None,
    /// What fits the job: random or sequential.
    Auto,
    /// Random.
    Random,
    /// Sequential.
    Sequential,
    /// Data is read once.
    NoReuse,
}

/// Expected life time of what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteHint {
    /// Nothing is said.
    NotSet,
    /// Explicitly none.
    None,
    /// Short.
    Short,
    /// Medium.
    Medium,
    /// Long.
    Long,
    /// Extreme.
    Extreme,
}

/// How much is done, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct SizeOptions {
    /// `size`: the region of all files together; `None`: the whole of existing files.
    pub size: Option<SizeValue>,
    /// `io_size`: bytes moved per loop; `None`: `size`.
    pub io_size: Option<SizeValue>,
    /// `offset`: where the region begins in each file.
    pub offset: SizeValue,
    /// `offset_increment`: added times the clone's number.
    pub offset_increment: SizeValue,
    /// `offset_align`: the final offset is rounded up to it; 0: the smallest block size, when
    /// the offset is a percentage.
    pub offset_align: u64,
    /// `number_ios`: stop after so many operations; 0: no limit.
    pub number_ios: u64,
    /// `fill_device`: write until the space is used up.
    pub fill_device: bool,
}

impl Default for SizeOptions {
    fn default() -> Self {
        Self {
            size: None,
            io_size: None,
            offset: SizeValue::Bytes(0),
            offset_increment: SizeValue::Bytes(0),
            offset_align: 0,
            number_ios: 0,
            fill_device: false,
        }
    }
}

/// A size, absolute or relative to the file or device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SizeValue {
    /// Bytes.
    Bytes(u64),
    /// Percent of the file or device, 0 to 100.
    Percent(f64),
    /// Zones of a zoned device.
    Zones(u64),
}
