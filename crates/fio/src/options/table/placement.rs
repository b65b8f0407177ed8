//! Processors, memory, priorities, users.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Placement;

const CGROUP: &str = "groups are not changed; start the run with systemd-run or cgexec";

pub(super) const TABLE: &[OptionSpec] = &[
    special("cpus_allowed", C, "Processors on which the job may run, 0-3,5."),
    choice("cpus_allowed_policy", C, "How instances share those processors.", POLICY)
        .under("cpus_allowed"),
    int("cpumask", C, "Processors on which the job may run, as bits of a number."),
    special("numa_cpu_nodes", C, "Nodes on whose processors the job may run."),
    special("numa_mem_policy", C, "Where memory is from: mode[:nodes].").words(NUMA),
    int("nice", C, "Priority on the processor.").default("0").range(-20, 19),
    int("prio", C, "Priority on the disk within its class; 0 is the highest.").range(0, 7),
    int("prioclass", C, "Class of the priority on the disk: 1 real time, 2 normal, 3 idle.")
        .range(0, 3),
    int("priohint", C, "Hint to the disk besides the priority (newer versions).")
        .refused("hints are not passed to the disk; use prio and prioclass"),
    choice("mem", C, "Where buffers are; may be followed by :file.", MEM)
        .without(&[("cudamalloc", "memory of graphics cards is not used; use malloc")])
        .alias(&["iomem"])
        .default("malloc"),
    size("iomem_align", C, "Multiple at which buffers begin.")
        .alias(&["mem_align"])
        .default("0")
        .range(0, NO_MAX)
        .noted("buffers begin at multiples that suit direct access"),
    size("hugepage-size", C, "Size of huge pages for mem.").default("2m").range(0, NO_MAX),
    size("lockmem", C, "Memory to take away from the page cache, per instance.").default("0"),
    text("ioscheduler", C, "Scheduler of the disk during the run.")
        .refused("settings of the system are not changed; write /sys/block/*/queue/scheduler"),
    text("cgroup", C, "Control group of the job.").refused(CGROUP),
    flag("cgroup_nodelete", C, "Keep the group after the job.")
        .default("0")
        .under("cgroup")
        .refused(CGROUP),
    int("cgroup_weight", C, "Weight of the group.")
        .range(100, 1000)
        .under("cgroup")
        .refused(CGROUP),
    int("uid", C, "User of the job.")
        .refused("the user is not changed; start the run with setpriv or sudo -u"),
    int("gid", C, "Group of the user of the job.")
        .refused("the group is not changed; start the run with setpriv or sudo -g"),
    flag("fdp", C, "Tell the drive where to place data (newer versions).")
        .default("0")
        .refused(PLACEMENT),
    choice("dataplacement", C, "By which means data is placed (newer versions).", PLACE)
        .default("none")
        .refused(PLACEMENT),
    choice("plid_select", C, "Order of placements (newer versions).", SELECT)
        .alias(&["fdp_pli_select"])
        .refused(PLACEMENT),
    special("plids", C, "Placements to use (newer versions).")
        .alias(&["fdp_pli"])
        .refused(PLACEMENT),
    text("dp_scheme", C, "File with places and their placements (newer versions).")
        .refused(PLACEMENT),
];

const PLACEMENT: &str = "the drive is not told where to place data; leave it out";

const POLICY: &[(&str, &str)] =
    &[("shared", "all instances on all of them"), ("split", "each instance on one of its own")];

const NUMA: &[(&str, &str)] = &[
    ("default", "as the kernel does it"),
    ("prefer", "from one node, if it has some"),
    ("bind", "only from these nodes"),
    ("interleave", "from these nodes in turn"),
    ("local", "from the node of the processor"),
];

const MEM: &[(&str, &str)] = &[
    ("malloc", "plain memory"),
    ("shm", "shared memory"),
    ("shmhuge", "shared memory of huge pages"),
    ("mmap", "a mapping, of a file if one is named"),
    ("mmapshared", "a shared mapping"),
    ("mmaphuge", "a mapping of huge pages"),
];

const PLACE: &[(&str, &str)] = &[
    ("none", "none"),
    ("fdp", "flexible data placement of NVMe"),
    ("streams", "write streams of NVMe"),
];

const SELECT: &[(&str, &str)] =
    &[("random", "any"), ("roundrobin", "one after the other"), ("scheme", "as dp_scheme says")];
