//! Processors, memory, priorities, users.

use super::parse::{ValueProblem, ValueResult, parse_numbers, parse_numbers_or_all};
use super::reader::ValueReader;
use super::spec::*;

/// Processors, memory and priorities.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlacementOptions {
    /// Rising, without repeats; empty: all. `cpumask` sets it too.
    pub cpus_allowed: Vec<u32>,
    pub cpus_policy: CpuPolicy,
    /// Rising; empty: all.
    pub numa_cpu_nodes: Vec<u32>,
    pub numa_mem_policy: MemoryPolicy,
    pub nice: i32,
    /// Level of I/O priority, 0 to 7.
    pub prio: Option<u8>,
    /// Class of I/O priority, 0 to 3.
    pub prioclass: Option<u8>,
    pub mem: BufferMemory,
    /// Bytes locked per job; 0: none.
    pub lockmem: u64,
    pub cgroup: ControlGroup,
}

/// The control group of a job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ControlGroup {
    pub name: Option<String>,
    pub weight: Option<u32>,
    /// It stays after the run.
    pub keeps: bool,
}

type O = PlacementOptions;

const CGROUP: &str = "it would change control groups of another host; leave it out";
const PLACEMENT: &str = "the drive is not told where to place data; leave it out";

pub(super) const TABLE: &[Entry<O>] = &[
    special("cpus_allowed", "", "Processors on which the job may run, 0-3,5.").reads(
        Any,
        |o: &mut O, reader| {
            parse_numbers(reader.require_text("processors such as 0-3,5")?)
                .map(|value| o.cpus_allowed = value)
        },
    ),
    choice("cpus_allowed_policy", "", "How instances share those processors.")
        .under("cpus_allowed")
        .sets(Any, |o: &mut O| &mut o.cpus_policy),
    int("cpumask", "", "Processors on which the job may run, as bits of a number.").reads(
        Any,
        |o: &mut O, reader| {
            let mask = reader.read_whole(1, u64::MAX)?;
            o.cpus_allowed = (0..64).filter(|bit| mask >> bit & 1 == 1).collect();
            Ok(())
        },
    ),
    special("numa_cpu_nodes", "", "Nodes on whose processors the job may run.").reads(
        Any,
        |o: &mut O, reader| {
            let text = reader.require_text("nodes such as 0-1,3, or all")?;
            o.numa_cpu_nodes = parse_numbers_or_all(text)?;
            Ok(())
        },
    ),
    special("numa_mem_policy", "", "Where memory is from: mode[:nodes].")
        .words(POLICIES)
        .sets(Any, |o: &mut O| &mut o.numa_mem_policy),
    int("nice", "0", "Priority on the processor.").range(-20, 19).reads(
        Any,
        |o: &mut O, reader| {
            o.nice = i32::try_from(reader.read_signed(-20, 19)?).unwrap_or(0);
            Ok(())
        },
    ),
    int("prio", "", "Priority on the disk within its class; 0 is the highest.")
        .range(0, 7)
        .sets(Any, |o: &mut O| &mut o.prio),
    int("prioclass", "", "Class of the priority on the disk: 1 real time, 2 normal, 3 idle.")
        .range(0, 3)
        .sets(Any, |o: &mut O| &mut o.prioclass),
    int("priohint", "", "Hint to the disk besides the priority (newer versions).")
        .refused("hints are not passed to the disk; use prio and prioclass")
        .unread(),
    choice("mem", "malloc", "Where buffers are; may be followed by :file.")
        .words(MEMORY)
        .without(&[("cudamalloc", "memory of graphics cards is not used; use malloc")])
        .alias(&["iomem"])
        .sets(
            AnyWithout(':', "a mapping of a file writes to it; leave the file out"),
            |o: &mut O| &mut o.mem,
        ),
    size("iomem_align", "0", "Multiple at which buffers begin.")
        .alias(&["mem_align"])
        .range(0, NO_MAX)
        .noted("buffers begin at multiples that suit direct access"),
    size("hugepage-size", "2m", "Size of huge pages for mem.").range(0, NO_MAX).checks(),
    size("lockmem", "0", "Memory to take away from the page cache, per instance.")
        .sets(Any, |o: &mut O| &mut o.lockmem),
    text("ioscheduler", "", "Scheduler of the disk during the run.")
        .refused("settings of the system are not changed; write /sys/block/*/queue/scheduler"),
    text("cgroup", "", "Control group (blkio, version 1) in which the job runs.")
        .sets(Local(CGROUP), |o: &mut O| &mut o.cgroup.name),
    flag("cgroup_nodelete", "0", "Keep a group that the run made.")
        .under("cgroup")
        .sets(Local(CGROUP), |o: &mut O| &mut o.cgroup.keeps),
    int(
        "cgroup_weight",
        "",
        "Weight of the group, set back after the run; without cgroup it has the job's name.",
    )
    .range(100, 1000)
    .under("cgroup")
    .sets(Local(CGROUP), |o: &mut O| &mut o.cgroup.weight),
    int("uid", "", "User of the job.")
        .refused("the user is not changed; start the run with setpriv or sudo -u"),
    int("gid", "", "Group of the user of the job.")
        .refused("the group is not changed; start the run with setpriv or sudo -g"),
    flag("fdp", "0", "Tell the drive where to place data (newer versions).")
        .refused(PLACEMENT)
        .unread(),
    choice("dataplacement", "none", "By which means data is placed (newer versions).")
        .words(PLACE)
        .refused(PLACEMENT)
        .unread(),
    choice("plid_select", "", "Order of placements (newer versions).")
        .words(SELECT)
        .alias(&["fdp_pli_select"])
        .refused(PLACEMENT)
        .unread(),
    special("plids", "", "Placements to use (newer versions).")
        .alias(&["fdp_pli"])
        .refused(PLACEMENT)
        .unread(),
    text("dp_scheme", "", "File with places and their placements (newer versions).")
        .refused(PLACEMENT)
        .unread(),
];

const PLACE: Words = &[
    ("none", "none"),
    ("fdp", "flexible data placement of NVMe"),
    ("streams", "write streams of NVMe"),
];

const SELECT: Words =
    &[("random", "any"), ("roundrobin", "one after the other"), ("scheme", "as dp_scheme says")];

/// `cpus_allowed_policy`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CpuPolicy {
    #[default]
    Shared,
    Split,
}

impl Choice for CpuPolicy {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("shared", "all instances on all of them", Self::Shared),
        ("split", "each instance on one of its own", Self::Split),
    ];
}

/// `numa_mem_policy`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum MemoryPolicy {
    #[default]
    Unset,
    Default,
    Local,
    Prefer(u32),
    Bind(Vec<u32>),
    Interleave(Vec<u32>),
}

impl ReadValue for MemoryPolicy {
    fn read(reader: &mut ValueReader<'_>, _: &OptionSpec) -> ValueResult<Self> {
        let expected = "default, local, prefer:node, bind:nodes or interleave:nodes";
        let text = reader.require_text(expected)?;
        Ok(match text.split_once(':').unwrap_or((text, "")) {
            ("default", "") => Self::Default,
            ("local", "") => Self::Local,
            ("prefer", node) => {
                let node = node.parse();
                let one = |_| ValueProblem::new("prefer needs one node", expected);
                Self::Prefer(node.map_err(one)?)
            }
            ("bind", nodes) if !nodes.is_empty() => Self::Bind(parse_numbers_or_all(nodes)?),
            ("interleave", nodes) if !nodes.is_empty() => {
                Self::Interleave(parse_numbers_or_all(nodes)?)
            }
            _ => return Err(ValueProblem::new("it is not a policy with its nodes", expected)),
        })
    }
}

const POLICIES: Words = &[
    ("default", "as the kernel does it"),
    ("prefer", "from one node, if it has some"),
    ("bind", "only from these nodes"),
    ("interleave", "from these nodes in turn"),
    ("local", "from the node of the processor"),
];

/// `mem`: where buffers are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum BufferMemory {
    #[default]
    Malloc,
    Shm,
    ShmHuge,
    Mmap(Option<String>),
    MmapHuge(Option<String>),
    MmapShared(Option<String>),
}

impl ReadValue for BufferMemory {
    fn read(reader: &mut ValueReader<'_>, _: &OptionSpec) -> ValueResult<Self> {
        let expected = "one of malloc, shm, shmhuge, mmap, mmaphuge, mmapshared; :file may follow \
                        the last three";
        let text = reader.require_text(expected)?;
        let (word, file) = match text.split_once(':') {
            Some((word, file)) => (word, Some(file.to_owned()).filter(|file| !file.is_empty())),
            None => (text, None),
        };
        Ok(match (word, &file) {
            ("malloc", None) => Self::Malloc,
            ("shm", None) => Self::Shm,
            ("shmhuge", None) => Self::ShmHuge,
            ("mmap", _) => Self::Mmap(file),
            ("mmaphuge", _) => Self::MmapHuge(file),
            ("mmapshared", _) => Self::MmapShared(file),
            _ => {
                let what = format!("{text} is not one of the choices");
                return Err(ValueProblem::new(what, expected));
            }
        })
    }
}

const MEMORY: Words = &[
    ("malloc", "plain memory"),
    ("shm", "shared memory"),
    ("shmhuge", "shared memory of huge pages"),
    ("mmap", "a mapping, of a file if one is named"),
    ("mmapshared", "a shared mapping"),
    ("mmaphuge", "a mapping of huge pages"),
];
