//! A scenario: what it is called, what is true of it, and what it is built of.

use record::{BoundedBy, Effort, FindingId, Kept, Record, Status};

use super::base::Base;
use super::situation::Situation;
use crate::{FileSystem, Missing, Mount, Need, RecordedMachine, Result, require};

/// A situation that can be built, and what is true of it.
#[derive(Debug, Clone, Copy)]
pub struct Scenario {
    /// As it is asked for: `host-cache`.
    pub name: &'static str,
    pub about: &'static str,
    pub truth: GroundTruth,
    /// What is asked of it.
    pub question: Question,
    /// The shortest check that claims to see it.
    pub effort: Effort,
    /// Whether a check of it needs little of the processors: several can be checked at a time.
    pub light: bool,
    base: Base,
    /// Made on the device; the check then writes a test file, and else only reads.
    file_system: Option<FileSystem>,
    /// Bytes that the check measures; else it decides.
    size: Option<u64>,
    /// Sysfs and procfs of another machine around the device.
    machine: Option<RecordedMachine>,
}

/// What a check must say of a situation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GroundTruth {
    /// Each of these, with this status or a worse one; empty of a plain disk.
    pub raises: &'static [(FindingId, Status)],
    /// These are true of it too, and no false alarm: they may be raised or not.
    pub allows: &'static [FindingId],
    /// Random reads per second at the most, where the situation fixes them.
    pub read_iops: Option<f64>,
}

/// What is asked of a situation, and with it what is true.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Question {
    Check,
    /// A check against promised numbers, and what it must say of reads.
    Promise(&'static str, Kept),
    /// The most reads within a bound: confirmed, or said to be unsure.
    Limit(&'static str),
}

impl Question {
    /// How `truedisk` is asked.
    pub fn arguments(self, effort: Effort) -> Vec<&'static str> {
        let check = match effort {
            Effort::Quick => &["check", "--quick"][..],
            Effort::Standard => &["check"],
            Effort::Thorough => &["check", "--thorough"],
        };
        match self {
            Question::Check => check.to_vec(),
            Question::Promise(numbers, _) => [check, &["--promise", numbers]].concat(),
            Question::Limit(bound) => vec!["limit", "--bound", bound],
        }
    }

    /// What is wrong with an answer.
    pub fn find_fault(self, record: &Record) -> Option<String> {
        let judgement = record.judgement_or_default();
        match self {
            Question::Check => None,
            Question::Promise(_, truth) => {
                let wrong = judgement.promise.iter().find(|outcome| outcome.kept != truth);
                wrong.map(|outcome| {
                    format!("{}: {}", outcome.kept.label().text(), outcome.why.text())
                })
            }
            Question::Limit(_) => {
                let limit = judgement.curves.first().and_then(|curve| curve.main_limit());
                let is_right = limit.is_some_and(|limit| match limit.confirmed {
                    true => limit.statistic.is_some_and(|value| value < limit.bound.limit),
                    false => limit.bounded_by == BoundedBy::Unsure,
                });
                (!is_right).then(|| format!("{limit:?}"))
            }
        }
    }
}

/// The mildest status that alarms a reader: nothing of a plain disk may have it.
pub const ALARM_STATUS: Status = Status::Warning;

impl GroundTruth {
    /// Whether a finding of this status is what has to be found.
    pub fn is_met(&self, id: FindingId, status: Status) -> bool {
        self.raises.iter().any(|&(raised, mildest)| raised == id && status >= mildest)
    }

    pub fn is_false_alarm(&self, id: FindingId, status: Status) -> bool {
        let known = self.raises.iter().any(|&(raised, _)| raised == id);
        status >= ALARM_STATUS && !known && !self.allows.contains(&id)
    }
}

impl Scenario {
    /// A plain disk that a quick check looks at.
    pub(super) const fn new(name: &'static str, base: Base) -> Scenario {
        let truth = GroundTruth { raises: &[], allows: &[], read_iops: None };
        let (question, effort, light) = (Question::Check, Effort::Quick, false);
        let (file_system, size, machine) = (None, None, None);
        Scenario {
            name,
            about: "",
            truth,
            question,
            effort,
            light,
            base,
            file_system,
            size,
            machine,
        }
    }

    pub(super) const fn about(mut self, about: &'static str) -> Scenario {
        self.about = about;
        self
    }

    pub(super) const fn formatted(mut self, system: FileSystem) -> Scenario {
        self.file_system = Some(system);
        self
    }

    pub(super) const fn sized(mut self, bytes: u64) -> Scenario {
        self.size = Some(bytes);
        self
    }

    /// Under ext4, with a test file of `bytes` bytes.
    pub(super) const fn written(self, bytes: u64) -> Scenario {
        self.formatted(FileSystem::Ext4).sized(bytes)
    }

    pub(super) const fn on_machine(mut self, machine: RecordedMachine) -> Scenario {
        self.machine = Some(machine);
        self
    }

    pub(super) const fn raises(mut self, raises: &'static [(FindingId, Status)]) -> Scenario {
        self.truth.raises = raises;
        self
    }

    pub(super) const fn allows(mut self, allows: &'static [FindingId]) -> Scenario {
        self.truth.allows = allows;
        self
    }

    pub(super) const fn fixes_read_iops(mut self, iops: f64) -> Scenario {
        self.truth.read_iops = Some(iops);
        self
    }

    pub(super) const fn with_question(mut self, question: Question) -> Scenario {
        self.question = question;
        self
    }

    pub(super) const fn standard(mut self) -> Scenario {
        self.effort = Effort::Standard;
        self
    }

    pub(super) const fn light(mut self) -> Scenario {
        self.light = true;
        self
    }

    /// Builds it. When the system refuses a part of it, what was built until then is undone.
    pub fn set_up(&self) -> Result<Situation> {
        let mut built = Situation { size: self.size, ..Situation::default() };
        built.path = self.base.build(&mut built)?;
        if let (Some(system), Some(device)) = (self.file_system, &built.device) {
            let mount = built.mount.insert(Mount::on_node(device, &built.path, system, "rw")?);
            built.path = mount.path().to_owned();
        }
        if let (Some(machine), Some(device)) = (self.machine, &built.device) {
            built.tree = Some(machine.build_tree(device.major_minor(), device.size()? / 512)?);
        }
        let is_folder = matches!(self.base, Base::Memory(_) | Base::Folder);
        built.is_read_only = !is_folder && self.file_system.is_none();
        Ok(built)
    }

    pub fn needs(&self) -> Vec<Need> {
        let mut needs = self.base.needs();
        needs.extend(self.file_system.map(|system| Need::FileSystem(system.name())));
        needs
    }

    /// Whether this machine has what it needs; the error says what is missing.
    pub fn require(&self) -> std::result::Result<(), Missing> {
        require(&self.needs())
    }

    /// Whether nothing may be raised of it.
    pub fn is_control(&self) -> bool {
        self.truth.raises.is_empty()
    }
}
