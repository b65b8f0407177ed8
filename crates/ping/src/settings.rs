//! What is asked, with every default filled in.

use std::path::PathBuf;

use record::CommandLine;
use units::{Bytes, Nanos};
use workload::Direction;

/// Reads, writes, or both in turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Writes {
    /// Reads only.
    #[default]
    None,
    /// Writes only.
    All,
    /// A write, then a read, and so on.
    Alternating,
}

impl Writes {
    pub(crate) fn any(self) -> bool {
        self != Self::None
    }

    pub(crate) fn direction(self, number: u64) -> Direction {
        match self {
            Self::None => Direction::Read,
            Self::All => Direction::Write,
            Self::Alternating if number % 2 == 1 => Direction::Write,
            Self::Alternating => Direction::Read,
        }
    }
}

/// What is asked; the defaults are ioping's.
#[derive(Debug, Clone, PartialEq)]
pub struct PingSettings {
    pub paths: Vec<PathBuf>,
    pub size: Bytes,
    pub work: WorkArea,
    pub io: RequestOptions,
    pub writes: Writes,
    /// How often writing was asked for: three times for what is not our own.
    pub write_confirmations: u32,
    pub schedule: RequestSchedule,
    pub figures: FigureOptions,
    pub seed: u64,
    /// Requests after a pause and back to back have figures of their own.
    pub contrast: bool,
    /// The device whose data may be destroyed, as named a second time.
    pub destroy_data_on: Option<PathBuf>,
    /// Whether a record is wanted, with its series; else only findings.
    pub record: bool,
    pub command: CommandLine,
    pub version: String,
}

/// The part of a target that requests go to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WorkArea {
    /// Its size; `None` for the whole of a file or device.
    pub size: Option<Bytes>,
    pub offset: Bytes,
    /// Whether the work file in a folder is the larger one of a rapid run.
    pub rapid: bool,
    /// The work file keeps its name and stays.
    pub keep_file: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RequestOptions {
    /// One block after the other instead of at random.
    pub linear: bool,
    /// O_DIRECT.
    pub direct: bool,
    /// The page cache is left alone, and writes are not synced.
    pub cached: bool,
    /// RWF_NOWAIT.
    pub nowait: bool,
    /// RWF_HIPRI.
    pub hipri: bool,
    /// Through io_submit.
    pub submitted: bool,
    /// Each write with data and metadata durable.
    pub sync: bool,
    /// Each write with its data durable.
    pub dsync: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RequestSchedule {
    /// Between two starts.
    pub interval: Nanos,
    /// Requests without a pause between them; 0 for single ones.
    pub burst: u64,
    /// Number of requests after which it ends; 0 for never.
    pub count: u64,
    /// Time after which it ends; 0 for never.
    pub time: Nanos,
    /// Requesters per target.
    pub depth: u32,
}

/// Which requests count, and when a window of figures ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FigureOptions {
    /// Number of requests at the start that are in no figure.
    pub warmup: u64,
    /// Faster ones are in no figure.
    pub min_time: Nanos,
    /// Slower ones are in no figure.
    pub max_time: Nanos,
    /// Number of requests that count in a window; 0 for no limit.
    pub window_count: u64,
    /// Time of a window; 0 for no limit.
    pub window_time: Nanos,
}

impl Default for PingSettings {
    fn default() -> Self {
        Self {
            paths: Vec::new(),
            size: Bytes::kib(4),
            work: WorkArea::default(),
            io: RequestOptions::default(),
            writes: Writes::None,
            write_confirmations: 0,
            schedule: RequestSchedule {
                interval: Nanos::secs(1),
                burst: 0,
                count: 0,
                time: Nanos::ZERO,
                depth: 1,
            },
            figures: FigureOptions {
                warmup: 1,
                min_time: Nanos::ZERO,
                max_time: Nanos(u64::MAX),
                window_count: 0,
                window_time: Nanos::ZERO,
            },
            seed: 0,
            contrast: false,
            destroy_data_on: None,
            record: false,
            command: CommandLine::default(),
            version: String::new(),
        }
    }
}
