//! fio's own example job files, made small: each ends as with the real fio.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::compare::last_json;
use crate::harness::case::case;
use crate::harness::run::{Outcome, Side, run_case};
use crate::harness::{Group, Verdict, folder, gate, is_old_fio, say, wanted};

const FOLDER: &str = "/usr/share/doc/fio/examples";

/// Bytes of the file `f` that stands for a device.
const DEVICE: usize = 4 << 20;

/// What is done with an example.
#[derive(Clone, Copy)]
enum Plan {
    /// Run with these settings: every line of that option becomes this; where there is none, it
    /// goes to the globals. An empty value takes the lines out.
    Run(&'static str),
    /// The same, but only ours: the reference hangs at it now and then.
    Ours(&'static str),
    /// Not run, and why.
    NotHere(&'static str),
}

use Plan::{NotHere, Ours, Run};

const RANDOM: &str = "size=1m runtime=300ms numjobs=2";
const SCSI: &str = "needs a SCSI disk with verify and write-same commands";
const PMEM: &str = "needs persistent memory";
const RDMA: &str = "needs an RDMA network";
const HTTP: &str = "needs an object store";
const CEPH: &str = "needs a Ceph cluster";
const ZONED: &str = "needs a zoned device";
const NVME: &str = "needs an NVMe device for passthrough";
const NET: &str = "moves bytes over the network, not storage";
const GPU: &str = "needs a GPU";

const TABLE: &[(&str, Plan)] = &[
    ("1mbs_clients", Run("startdelay=0 size=64k rate=100m ratemin= directory=.")),
    ("aio-read", Run("directory=. size=1m")),
    ("backwards-read", Run("filename=f size=1m")),
    ("basic-verify", Run("filename=f size=1m")),
    ("butterfly", Run("filename=f size=1m")),
    ("cmdprio-bssplit", Run("filename=f size=2m")),
    ("cmdprio-percentage", Run("filename=f size=2m")),
    ("cpp_null", NotHere("an engine to be compiled by the reader")),
    ("cpuio", Run("runtime=300ms numjobs=1")),
    (
        // The second loop goes on where the first ended, on both sides: 2 MiB keep it out of the
        // other job's blocks, which would be checked while it writes them.
        "cross-stripe-verify",
        Run("filename=f numjobs=2 offset_increment=2m io_size=128k offset=120k size=2m"),
    ),
    ("dedupe-global", Run("size=1m")),
    ("dev-dax", NotHere(PMEM)),
    ("dfs", NotHere("needs a DAOS store")),
    ("disk-zone-profile", Run("filename=f zonesize=64k zoneskip=128k size=4m")),
    ("e4defrag", NotHere("moves extents by an ioctl of ext4: no load for a device")),
    ("e4defrag2", NotHere("moves extents by an ioctl of ext4: no load for a device")),
    ("enospc-pressure", NotHere("fills the file system, which is what it is for")),
    ("exec", Run("program=/bin/true arguments=x runtime=300ms numjobs=1")),
    ("exitwhat", Run("filename=f filesize=1m number_ios=50")),
    ("falloc", Run("directory=. size=1m filesize=1m runtime=300ms")),
    ("filecreate-ioengine", Run("nrfiles=10")),
    ("filedelete-ioengine", Run("nrfiles=10")),
    ("filestat-ioengine", Run("nrfiles=10")),
    ("fio-rand-RW", Run(RANDOM)),
    ("fio-rand-read", Run(RANDOM)),
    ("fio-rand-write", Run(RANDOM)),
    ("fio-seq-RW", Run(RANDOM)),
    ("fio-seq-read", Run(RANDOM)),
    ("fio-seq-write", Run(RANDOM)),
    ("fixed-rate-submission", Ours("size=1m")),
    ("flow", Run("filename=f size=4m runtime=500ms iodepth=16 flow_sleep=100")),
    ("fsx", Run("loops=5")),
    ("ftruncate", Run("directory=. size=104k runtime=300ms")),
    ("gfapi", NotHere("needs a Gluster volume")),
    ("gpudirect-rdmaio-client", NotHere(RDMA)),
    ("gpudirect-rdmaio-server", NotHere(RDMA)),
    ("http-s3-crypto", NotHere(HTTP)),
    ("http-s3-storage-class", NotHere(HTTP)),
    ("http-s3", NotHere(HTTP)),
    ("http-swift", NotHere(HTTP)),
    ("http-webdav", NotHere(HTTP)),
    ("ime", NotHere("needs an IME store")),
    ("iometer-file-access-server", Run("size=2m")),
    ("jesd219", Run("filename=f size=4m numjobs=2 runtime=500ms")),
    ("latency-profile", Run("filename=f latency_window=100000 runtime=500ms time_based=1")),
    ("libcufile-cufile", NotHere(GPU)),
    ("libcufile-posix", NotHere(GPU)),
    ("libhdfs", NotHere("needs an HDFS store")),
    ("libiscsi", NotHere("needs an iSCSI target")),
    ("libpmem", NotHere(PMEM)),
    ("librpma_apm-client", NotHere(RDMA)),
    ("librpma_apm-server", NotHere(RDMA)),
    ("librpma_gpspm-client", NotHere(RDMA)),
    ("librpma_gpspm-server", NotHere(RDMA)),
    ("libzbc-rand-write", NotHere(ZONED)),
    ("libzbc-seq-read", NotHere(ZONED)),
    ("mtd", NotHere("needs a flash chip behind the MTD layer")),
    ("nbd", NotHere("needs an NBD server")),
    ("netio", NotHere(NET)),
    ("netio_multicast", NotHere(NET)),
    ("nfs", NotHere("needs an NFS server")),
    ("null", Run("size=1m")),
    ("numa", Run("filename=f size=1m numa_cpu_nodes=0 numa_mem_policy=bind:0")),
    ("pmemblk", NotHere(PMEM)),
    ("poisson-rate-submission", Ours("size=40k")),
    ("rados", NotHere(CEPH)),
    ("rand-zones", Run("size=2m")),
    ("rbd", NotHere(CEPH)),
    ("rdmaio-client", NotHere(RDMA)),
    ("rdmaio-server", NotHere(RDMA)),
    ("sg_verify-fail", NotHere(SCSI)),
    ("sg_verify", NotHere(SCSI)),
    ("sg_write_same_ndob", NotHere(SCSI)),
    ("ssd-steadystate", Run("filename=f size=2m numjobs=2")),
    ("ssd-test", Run("directory=. size=1m runtime=1")),
    ("steadystate", Run("runtime=1 ss_dur=1 ss_ramp=0 size=1m numjobs=2")),
    ("surface-scan", Run("filename=f fill_device= size=1m")),
    ("tiobench-example", Run("size=256k timeout=1")),
    ("uring-cmd-ng", NotHere(NVME)),
    ("uring-cmd-zoned", NotHere(NVME)),
    ("waitfor", Run("filename=f filesize=1m runtime=1")),
    (
        "xnvme-compare",
        Run("filename=f size=1m runtime=300ms ramp_time=0 rw=randread iodepth=1 bs=4k"),
    ),
    ("xnvme-zoned", NotHere(ZONED)),
    ("zbd-rand-write", NotHere(ZONED)),
    ("zbd-seq-read", NotHere(ZONED)),
    ("zipf", Run("size=1m")),
];

/// Names of all examples, without `.fio`.
pub fn names() -> Vec<String> {
    TABLE.iter().map(|(name, _)| (*name).to_string()).collect()
}

/// A job file with these settings in place of its own.
fn edited(text: &str, settings: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for setting in settings.split_whitespace() {
        let Some((key, value)) = setting.split_once('=') else { continue };
        let is_it = |line: &String| line.split(['=', ';', '#']).next().map(str::trim) == Some(key);
        let found = lines.iter().any(is_it);
        if value.is_empty() {
            lines.retain(|line| !is_it(line));
            continue;
        }
        for line in lines.iter_mut().filter(|line| is_it(line)) {
            *line = setting.to_string();
        }
        if !found {
            let global = lines.iter().position(|line| line.trim() == "[global]");
            let place = global.unwrap_or_else(|| {
                lines.insert(0, "[global]".to_string());
                0
            });
            lines.insert(place + 1, setting.to_string());
        }
    }
    lines.join("\n") + "\n"
}

/// One example on both sides.
///
/// # Errors
/// It could not be run at all.
pub fn one(name: &str, show: bool) -> Result<Verdict, String> {
    let found = TABLE.iter().find(|(file, _)| *file == name);
    let (_, plan) = found.ok_or_else(|| format!("no example '{name}'"))?;
    let (settings, real_too) = match plan {
        Run(settings) => (settings, true),
        Ours(settings) => (settings, false),
        NotHere(reason) => {
            say(&format!("not run: example-{name}: {reason}"));
            return Ok(Verdict::Skipped);
        }
    };
    if !real_too && is_old_fio() {
        return Ok(Verdict::Skipped);
    }
    let path = Path::new(FOLDER).join(format!("{name}.fio"));
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = edited(&text, settings);
    let case = case("example", "t.fio").text("t.fio", &text).noise("f", DEVICE).allows_exec();
    let root = folder()?;
    let _pass = gate::enter(gate::Company::Any);
    let ours = run_case(Side::Ours, &case, root.path())?;
    let real = if real_too { run_case(Side::Real, &case, root.path())? } else { ours.clone() };
    if show {
        say(&format!("===== real: {}\n{}", real.status, real.words()));
        say(&format!("===== ours: {}\n{}", ours.status, ours.words()));
    }
    Ok(verdict(&real, &ours, real_too))
}

fn verdict(real: &Outcome, ours: &Outcome, real_too: bool) -> Verdict {
    let first = ours.words().lines().find(|line| !line.is_empty()).unwrap_or("").to_string();
    if ours.status != 0 && (real.status == 0 || !real_too) {
        return Verdict::Refused(first);
    }
    if real.status != ours.status {
        return Verdict::Differs(vec![format!("status {}, ours {}", real.status, ours.status)]);
    }
    let jobs = |outcome: &Outcome| -> Vec<String> {
        let json = last_json(&outcome.stdout);
        let jobs = json.as_ref().and_then(|json| json.get("jobs"));
        (0..)
            .map_while(|n: u32| jobs?.get(&n.to_string())?.get("jobname").cloned())
            .map(|name| format!("{name:?}"))
            .collect()
    };
    if jobs(real) != jobs(ours) {
        return Verdict::Differs(vec![format!("jobs {:?}, ours {:?}", jobs(real), jobs(ours))]);
    }
    Verdict::Same
}

#[test]
fn examples_end_as_with_fio() {
    if wanted().is_some() {
        return;
    }
    if !Path::new(FOLDER).is_dir() {
        return say("skipped: examples_end_as_with_fio: apt-get install fio-examples");
    }
    let here = |entry: &&(&'static str, Plan)| !matches!(entry.1, NotHere(_));
    let names: Vec<&str> = TABLE.iter().filter(here).map(|(name, _)| *name).collect();
    Group::of(&names, |name| format!("example-{name}"), |name| one(name, false));
}

#[test]
fn every_example_is_in_the_table() {
    let listed: BTreeSet<String> = names().into_iter().collect();
    assert_eq!(listed.len(), TABLE.len());
    let here: BTreeSet<String> = fs::read_dir(FOLDER)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".fio").map(str::to_string))
        .collect();
    let missing: Vec<_> = here.difference(&listed).collect();
    assert!(missing.is_empty(), "not in the table: {missing:?}");
}

#[test]
fn settings_replace_lines_or_join_the_globals() {
    let check = |text: &str, settings: &str, expected: &str| {
        assert_eq!(edited(text, settings), expected);
    };
    check("[global]\nsize=4g ; big\n[a]\n", "size=1m", "[global]\nsize=1m\n[a]\n");
    check("[global]\n[a]\n", "size=1m", "[global]\nsize=1m\n[a]\n");
    check("[a]\nrw=read\n", "size=1m", "[global]\nsize=1m\n[a]\nrw=read\n");
    check("[a]\nfill_device=1\nsize=1\n", "fill_device=", "[a]\nsize=1\n");
    check("[a]\nfilesize=1\nsize=1\n", "size=2", "[a]\nfilesize=1\nsize=2\n");
}
