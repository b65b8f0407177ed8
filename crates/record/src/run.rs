//! One run: what was measured, and what it means.

use std::sync::LazyLock;

use jiff::Timestamp;
use message::Message;
use serde::{Deserialize, Serialize};
use units::JsonSchema;

use crate::absent::is_unset;
use crate::cell::Cell;
use crate::curve::{Curve, Interference, TwoLimits};
use crate::environment::{Calibration, Environment};
use crate::finding::{Finding, FindingId, Status};
use crate::fleet::Fleet;
use crate::health::RunHealth;
use crate::metadata::Metadata;
use crate::outliers::Outliers;
use crate::plan::Plan;
use crate::preset::PresetOutcome;
use crate::promise::{Promise, PromiseOutcome};
use crate::replay::ReplayOutcome;
use crate::secret::CommandLine;
use crate::surface::{Rotation, Surface};
use crate::target::{LayoutRun, TargetInfo};
use crate::tool::{Completion, Imported, OWN_FIO, SCHEMA_VERSION, Tool};
use crate::trial::ContentSample;
use crate::verdict::Verdict;
use crate::volume::VolumeCounters;
use crate::watch::Watched;
use crate::write_state::{TokenBucket, Writes};

/// One run: what was measured, and what it means.
///
/// What was measured stays as it is; its judgement can be made again at any time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    pub schema_version: u32,
    pub measured: Measured,
    /// What it means (`analysis::judge`); absent until it is judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judgement: Option<Judgement>,
}

/// What was asked, where it ran, and what was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    pub tool: Tool,
    /// Unique and sortable by time: `20261121T020304Z-5f3a9c21`; see [`is_run_id`].
    pub id: String,
    #[schemars(with = "String")]
    pub started: Timestamp,
    #[schemars(with = "String")]
    pub finished: Timestamp,
    /// The command line as given, without its secrets.
    pub command: CommandLine,
    /// Every setting of the run, defaults included.
    pub plan: Plan,
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
    /// What the disks below say of their health, where they do. Of a run that was resumed: of its
    /// last part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub health: Vec<RunHealth>,
    /// What operations on many small files take, where that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
    /// What was seen of live disks, in a watch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<Box<Watched>>,
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
    /// What a replay says: whether the target keeps up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<ReplayOutcome>,
    /// Why the totals of a fleet are not those of all hosts all the time, in words; empty of a
    /// whole run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub degraded: Vec<Message>,
    /// Which hosts of a fleet are slow; absent where they share one storage, or are too few.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outliers: Option<Outliers>,
    pub findings: Vec<Finding>,
    /// What it all means, in words; absent of a run that another program measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// A time at which an interrupted run was gone on with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resumed {
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The command line that did it, without its secrets.
    pub command: CommandLine,
    /// Cells that had been measured by then.
    pub cells: u64,
}

impl Measured {
    /// Where it was measured: the host's name; of a run over many how many they are.
    pub fn describe_host(&self) -> Option<Message> {
        match &self.fleet {
            Some(fleet) => Some(fleet.describe_hosts()),
            None => self.environment.hostname.clone().map(Message::from_text),
        }
    }

    /// The same in English.
    pub fn host(&self) -> Option<String> {
        self.describe_host().map(|host| host.text().to_owned())
    }

    /// The command that asked for it, one of [`crate::COMMANDS`].
    pub fn command_name(&self) -> &'static str {
        match &self.imported {
            Some(imported) if imported.program == OWN_FIO => "fio",
            _ => self.plan.purpose.name(),
        }
    }

    /// What was measured, as a path; of an imported run what its tool says, or nothing.
    pub fn target_path(&self) -> String {
        match (self.target(), &self.imported) {
            (Some(target), _) => target.path.clone(),
            (None, Some(imported)) => imported.paths.join(":"),
            (None, None) => String::new(),
        }
    }

    /// A run at its start: nothing is measured, everything that may be absent is.
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
            health: Vec::new(),
            metadata: None,
            watch: None,
        }
    }

    pub fn target(&self) -> Option<&TargetInfo> {
        self.targets.first()
    }

    pub fn cell(&self, name: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.name == name)
    }
}

impl Judgement {
    pub fn finding(&self, id: FindingId) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.id == id)
    }

    /// Whether a check found that the numbers of this cell must not be used.
    pub fn is_invalid(&self, cell: &str) -> bool {
        self.severe_findings(cell).first().is_some_and(|worst| worst.status == Status::Invalid)
    }

    /// Whether a check ended in this status or a worse one.
    pub fn has_finding(&self, id: FindingId, status: Status) -> bool {
        self.finding(id).is_some_and(|finding| finding.status >= status)
    }

    /// The findings that touch this cell and are worse than a note, worst first.
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
    pub const fn from_measured(measured: Measured) -> Self {
        Self { schema_version: SCHEMA_VERSION, measured, judgement: None }
    }

    /// The judgement; nothing is claimed of a record that was not judged.
    pub fn judgement_or_default(&self) -> &Judgement {
        static NOTHING: LazyLock<Judgement> = LazyLock::new(Judgement::default);
        self.judgement.as_ref().unwrap_or(&NOTHING)
    }

    /// The judgement, to be changed; an empty one of a record that was not judged.
    pub fn judged_mut(&mut self) -> &mut Judgement {
        self.judgement.get_or_insert_default()
    }
}
