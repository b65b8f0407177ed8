//! What was measured: the record's schema, and its files.
//!
//! A [`Record`] is one JSON document per run: everything that was measured, the environment it
//! was measured in, and the judgement that was made of it. Analyses and reports are functions of
//! it, so an old run can be judged again by a better analysis. It is also the only place for
//! types that are stored: no other crate defines what stands on disk.
//!
//! Invariants
//! - [`SCHEMA_VERSION`] rises with every change that an older reader would misread; a record of
//!   a newer schema is refused, not half understood.
//! - What could not be observed is `None` (absent in JSON), never zero.
//! - Latencies are integer nanoseconds, sizes integer bytes, rates per second.
//! - No command line that is stored holds a secret: [`CommandLine`] redacts whatever it is made of.
//! - This crate measures nothing and judges nothing.
//!
//! Start reading at [`Record`], then [`Cell`]; [`store`] has the files.
#![forbid(unsafe_code)]

mod cell;
pub mod compare;
mod curve;
mod environment;
mod finding;
#[cfg(feature = "fixture")]
pub mod fixture;
mod fleet;
mod imported;
mod inventory;
mod metadata;
mod pause;
mod ping;
mod plan;
mod preset;
mod promise;
mod run_id;
mod secret;
pub mod store;
mod summary;
mod surface;
mod target;
mod trial;
mod upgrade;
mod verdict;
mod write_state;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use cell::{
    AchievedDepth, Cell, CellError, CellRole, Confidence, CpuTime, DirectionInterval,
    DirectionTotals, Directions, Failures, Interval, LatencySummary, LayerCounters, Ledger,
    OpenLoop, PerDirection, ProcessCounters, Residency, SystemCounters, TickSeries, Ticks,
    Verified,
};
pub use curve::{
    BoundedBy, Curve, CurvePoint, Fall, Fit, Interference, InterferencePoint, Limit, LimitPart,
    Shape, Stand, TwoLimits,
};
pub use environment::{
    Calibration, ClockSource, ContainerInfo, Environment, IoLimit, IoUringStatus,
};
pub use finding::{Evidence, Finding, FindingId, Status};
pub use fleet::{
    Fleet, FleetCell, FleetHost, FleetSpan, HostCell, HostClock, Lost, Slowest, Window, WindowRate,
};
pub use imported::Imported;
pub use inventory::{Device, Inventory, Mounted, Swap, WriteStand};
pub use metadata::{
    CacheState, EntriesCounted, Metadata, MetadataLoad, MetadataOp, MetadataPhase, MetadataPlan,
};
pub use pause::{Pause, PauseKind};
pub use ping::{PingFigures, PingMark, PingPlan, PingRequest, PingTarget};
pub use plan::{Effort, LimitPlan, Part, Plan, Purpose, SweepPlan};
pub use preset::{
    PresetOutcome, PresetPlan, PresetStep, PresetThreshold, Score, StepCell, StepFigure,
    StepFigures, StepOutcome, StepScore, StepWork, ThresholdOutcome,
};
pub use promise::{Kept, Promise, PromiseOutcome, Promised, PromisedWhat, VolumeCounters};
pub use run_id::{RUN_ID_EXAMPLE, is_run_id};
pub use secret::{CommandLine, redact_address, redact_secrets};
pub use summary::{Figure, Figures, Metric, RunSummary};
pub use surface::{
    AccessPoint, Rotation, Slice, SliceStand, StretchPoint, Surface, ZoneLaw, Zones,
};
pub use target::{
    ExtentSummary, FileSystem, Layer, LayerKind, LayoutRun, Link, QueueLimits, TargetInfo,
    TargetKind,
};
pub use trial::{Content, ContentSample, Trial};
pub use verdict::{ClassClaim, ClassMatch, ClassVerdict, Trust, Verdict};
pub use write_state::{Counted, TokenBucket, WriteState, Writes};

/// Version of the schema that this program writes and the newest that it reads.
pub const SCHEMA_VERSION: u32 = 4;

/// One run: what was measured, and what it means.
///
/// What was measured stays as it is; its judgement can be made again at any time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    /// See [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// What was asked, where it ran, and what was measured.
    pub measured: Measured,
    /// What it means (`analysis::judge`); absent until it is judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judgement: Option<Judgement>,
}

/// What was asked, where it ran, and what was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// What wrote the record.
    pub tool: Tool,
    /// Unique and sortable by time: `20261121T020304Z-5f3a9c21`; see [`is_run_id`].
    pub id: String,
    /// Start of the run.
    #[schemars(with = "String")]
    pub started: Timestamp,
    /// End of the run.
    #[schemars(with = "String")]
    pub finished: Timestamp,
    /// The command line as given, without its secrets.
    pub command: CommandLine,
    /// Every setting of the run, defaults included.
    pub plan: Plan,
    /// Whether the run came to its end.
    pub completion: Completion,
    /// When it had been interrupted and was gone on with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resumed: Vec<Resumed>,
    /// Where it came from, when another program measured it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
    /// The hosts of a run over many: its cells are their totals then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fleet: Option<Fleet>,
    /// The host; absent where another program measured and did not say. Of a run over many hosts:
    /// the coordinator's.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub environment: Environment,
    /// What was measured: the first is the target of the cells. Of a run over many hosts: as its
    /// first host sees it.
    pub targets: Vec<TargetInfo>,
    /// How the test file was written, when there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<LayoutRun>,
    /// What the load generator itself can do here; absent where another program measured.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub calibration: Calibration,
    /// The measured points, in the order in which they ran.
    pub cells: Vec<Cell>,
    /// What blocks held before anything was measured, where that was looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<ContentSample>,
    /// What was promised of the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promise: Option<Promise>,
    /// What the volumes below counted themselves, where they do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub volumes: Vec<VolumeCounters>,
    /// What operations on many small files take, where that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// What a run means. It follows from [`Measured`] alone.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// The cells over depth, or over the rate of arrivals.
    pub curves: Vec<Curve>,
    /// What cells over block sizes say about the two limits of a device.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub two_limits: Vec<TwoLimits>,
    /// What writes do to reads, where that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interference: Option<Interference>,
    /// The end of a burst, where one was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bucket: Option<TokenBucket>,
    /// What the figures of the writes stand for, where the run looked for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writes: Option<Writes>,
    /// The curve over the surface of the device, where that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<Surface>,
    /// What the times of reads say of a turning platter and a moving arm, where they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    /// Whether each number of the promise is kept, in the order of its items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub promise: Vec<PromiseOutcome>,
    /// What the steps of a preset gave, and whether its thresholds are met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<PresetOutcome>,
    /// Why the totals of a fleet are not those of all hosts all the time, in words; empty of a
    /// whole run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub degraded: Vec<String>,
    /// The outcome of every truth check.
    pub findings: Vec<Finding>,
    /// What it all means, in words; absent of a run that another program measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// Whether nothing is known of it: then it is absent in JSON.
fn is_unset<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What wrote a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// `truedisk`.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl Tool {
    /// This program, in that version.
    #[must_use]
    pub fn ours(version: &str) -> Self {
        Self { name: "truedisk".to_owned(), version: version.to_owned() }
    }
}

/// Whether a run came to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum Completion {
    /// Everything planned was measured.
    Complete,
    /// It was ended early; what was measured is kept.
    Partial {
        /// Why, in words: `interrupted by SIGINT`, `no space left on device`.
        reason: String,
        /// Whether a measurement failed, rather than a person having stopped it.
        failed: bool,
    },
}

/// A time at which an interrupted run was gone on with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resumed {
    /// When.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The command line that did it, without its secrets.
    pub command: CommandLine,
    /// Cells that had been measured by then.
    pub cells: u64,
}

impl Measured {
    /// Where it was measured: the host's name; of a run over many how many they are.
    #[must_use]
    pub fn host(&self) -> Option<String> {
        match &self.fleet {
            Some(fleet) => Some(fleet.describe_hosts()),
            None => self.environment.hostname.clone(),
        }
    }

    /// What was measured, as a path; of an imported run what its tool says, or nothing.
    #[must_use]
    pub fn target_path(&self) -> String {
        match (self.target(), &self.imported) {
            (Some(target), _) => target.path.clone(),
            (None, Some(imported)) => imported.paths.join(":"),
            (None, None) => String::new(),
        }
    }

    /// A run at its start: nothing is measured, everything that may be absent is.
    #[must_use]
    pub fn new(tool: Tool, started: Timestamp, plan: Plan) -> Self {
        Self {
            tool,
            id: String::new(),
            started,
            finished: started,
            command: CommandLine::default(),
            plan,
            completion: Completion::Complete,
            resumed: Vec::new(),
            imported: None,
            fleet: None,
            environment: Environment::default(),
            targets: Vec::new(),
            layout: None,
            calibration: Calibration::default(),
            cells: Vec::new(),
            content: None,
            promise: None,
            volumes: Vec::new(),
            metadata: None,
        }
    }

    /// The measured target.
    #[must_use]
    pub fn target(&self) -> Option<&TargetInfo> {
        self.targets.first()
    }

    /// The cell with this name.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.name == name)
    }
}

impl Judgement {
    /// The finding of this check.
    #[must_use]
    pub fn finding(&self, id: FindingId) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.id == id)
    }

    /// The findings that touch this cell and are worse than a note, worst first.
    #[must_use]
    pub fn severe_findings(&self, cell: &str) -> Vec<&Finding> {
        let mut marks: Vec<&Finding> = self
            .findings
            .iter()
            .filter(|f| matches!(f.status, Status::Warning | Status::Invalid))
            .filter(|f| f.cells.iter().any(|name| name == cell))
            .collect();
        marks.sort_by_key(|finding| std::cmp::Reverse(finding.status));
        marks
    }
}

impl Record {
    /// What was measured, not judged yet.
    #[must_use]
    pub const fn from_measured(measured: Measured) -> Self {
        Self { schema_version: SCHEMA_VERSION, measured, judgement: None }
    }

    /// The judgement; nothing is claimed of a record that was not judged.
    #[must_use]
    pub fn judgement_or_default(&self) -> &Judgement {
        static NOTHING: Judgement = Judgement {
            curves: Vec::new(),
            two_limits: Vec::new(),
            interference: None,
            bucket: None,
            writes: None,
            surface: None,
            rotation: None,
            promise: Vec::new(),
            preset: None,
            degraded: Vec::new(),
            findings: Vec::new(),
            verdict: None,
        };
        self.judgement.as_ref().unwrap_or(&NOTHING)
    }

    /// The judgement, to be changed; an empty one of a record that was not judged.
    pub fn judged_mut(&mut self) -> &mut Judgement {
        self.judgement.get_or_insert_default()
    }
}
