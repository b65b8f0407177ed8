//! Processors, memory, priorities, zones and commands.

/// Processors, memory and priorities.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacementOptions {
    /// `cpus_allowed`, `cpumask`: rising, without repeats; empty: all.
    pub cpus_allowed: Vec<u32>,
    /// `cpus_allowed_policy`.
    pub cpus_policy: CpuPolicy,
    /// `numa_cpu_nodes`: rising; empty: all.
    pub numa_cpu_nodes: Vec<u32>,
    /// `numa_mem_policy`.
    pub numa_mem_policy: MemoryPolicy,
    /// `nice`: -20 to 19.
    pub nice: i32,
    /// `prio`: level of I/O priority, 0 to 7.
    pub prio: Option<u8>,
    /// `prioclass`: class of I/O priority, 0 to 3.
    pub prioclass: Option<u8>,
    /// `mem`: where buffers are.
    pub mem: BufferMemory,
    /// `iomem_align`: in bytes; 0: the page.
    pub mem_align: u64,
    /// `hugepage-size`: in bytes.
    pub hugepage_size: u64,
    /// `lockmem`: bytes pinned per job; 0: none.
    pub lockmem: u64,
    /// `ioscheduler`: switch the device to it.
    pub ioscheduler: Option<String>,
    /// `cgroup`.
    pub cgroup: Option<String>,
    /// `cgroup_weight`: 100 to 1000.
    pub cgroup_weight: Option<u32>,
    /// `cgroup_nodelete`.
    pub cgroup_nodelete: bool,
    /// `uid`.
    pub uid: Option<u32>,
    /// `gid`.
    pub gid: Option<u32>,
}

impl Default for PlacementOptions {
    fn default() -> Self {
        Self {
            cpus_allowed: Vec::new(),
            cpus_policy: CpuPolicy::Shared,
            numa_cpu_nodes: Vec::new(),
            numa_mem_policy: MemoryPolicy::Unset,
            nice: 0,
            prio: None,
            prioclass: None,
            mem: BufferMemory::Malloc,
            mem_align: 0,
            hugepage_size: 2 << 20,
            lockmem: 0,
            ioscheduler: None,
            cgroup: None,
            cgroup_weight: None,
            cgroup_nodelete: false,
            uid: None,
            gid: None,
        }
    }
}

/// `cpus_allowed_policy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CpuPolicy {
    /// Every clone may use all.
    Shared,
    /// Each clone has its own.
    Split,
}

/// `numa_mem_policy`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryPolicy {
    /// Not given.
    Unset,
    /// The system's.
    Default,
    /// Where the job runs.
    Local,
    /// Best from this node.
    Prefer(u32),
    /// Only from these.
    Bind(Vec<u32>),
    /// In turn from these.
    Interleave(Vec<u32>),
}

/// `mem`: where buffers are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BufferMemory {
    /// The heap.
    Malloc,
    /// Shared memory.
    Shm,
    /// Shared memory of huge pages.
    ShmHuge,
    /// A mapping, perhaps of a file.
    Mmap(Option<String>),
    /// A mapping of huge pages, perhaps of a file.
    MmapHuge(Option<String>),
    /// A shared mapping, perhaps of a file.
    MmapShared(Option<String>),
}

/// Zones.
#[derive(Debug, Clone, PartialEq)]
pub struct ZoneOptions {
    /// `zonemode`.
    pub mode: ZoneMode,
    /// `zonesize`: bytes moved per zone.
    pub size: u64,
    /// `zonerange`: bytes of a zone; 0: `zonesize`.
    pub range: u64,
    /// `zonecapacity`: usable bytes of a zone; 0: `zonesize`.
    pub capacity: u64,
    /// `zoneskip`: bytes left out between zones.
    pub skip: super::SizeValue,
    /// `read_beyond_wp`.
    pub read_beyond_wp: bool,
    /// `max_open_zones`: 0: no limit.
    pub max_open: u32,
    /// `job_max_open_zones`: 0: no limit.
    pub job_max_open: u32,
    /// `ignore_zone_limits`.
    pub ignore_limits: bool,
    /// `zone_reset_threshold`: 0 to 1.
    pub reset_threshold: f64,
    /// `zone_reset_frequency`: 0 to 1.
    pub reset_frequency: f64,
}

impl Default for ZoneOptions {
    fn default() -> Self {
        Self {
            mode: ZoneMode::None,
            size: 0,
            range: 0,
            capacity: 0,
            skip: super::SizeValue::Bytes(0),
            read_beyond_wp: false,
            max_open: 0,
            job_max_open: 0,
            ignore_limits: false,
            reset_threshold: 0.0,
            reset_frequency: 0.0,
        }
    }
}

/// `zonemode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZoneMode {
    /// No zones.
    None,
    /// Part of each zone is used.
    Strided,
    /// A zoned device.
    Zbd,
}

/// Commands before and after a job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExecOptions {
    /// `exec_prerun`.
    pub prerun: Option<String>,
    /// `exec_postrun`.
    pub postrun: Option<String>,
}
