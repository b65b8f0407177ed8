//! How jobs run: several of them, in order, for how long, how fast, where.

use crate::harness::case::{Case, case, file, job, null, refused};
use crate::harness::run::Outcome;

/// Several instances.
pub fn jobs() -> Vec<Case> {
    vec![
        null("jobs-2", "--numjobs=2").ios([512, 0, 0]).eq("jobs/1/groupid", 0),
        null("jobs-2-grouped", "--numjobs=2 --group_reporting").ios([512, 0, 0]),
        null("jobs-2-threads", "--numjobs=2 --thread").ios([512, 0, 0]),
        null("jobs-8-grouped", "--numjobs=8 --group_reporting --thread").ios([2048, 0, 0]),
        null("jobs-grouped-mix", "--numjobs=2 --group_reporting --rw=randrw"),
        null("jobs-new-group", "--numjobs=2 --new_group"),
        file("jobs-own-files", "--numjobs=2 --rw=write --size=64k"),
        job(
            "jobs-grouped-two-sections",
            "[global]\nioengine=null\nsize=1m\ngroup_reporting\n[a]\nrw=read\n[b]\nrw=write\n\
                numjobs=2\n",
        )
        .ios([256, 512, 0]),
        job(
            "jobs-partly-grouped",
            "[global]\nioengine=null\nsize=1m\n[a]\nnumjobs=2\ngroup_reporting\n[b]\nstonewall\n\
                numjobs=2\n",
        ),
        null("jobs-stats-off", "--stats=0").free(),
        null("jobs-clocksource-gtod", "--clocksource=gettimeofday"),
        null("jobs-clocksource-clock", "--clocksource=clock_gettime"),
        null("jobs-clocksource-cpu", "--clocksource=cpu"),
    ]
}

/// The first job's log of reads lies before the second's, by the epoch.
fn one_after_the_other(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    for (side, outcome) in [("fio", real), ("ours", ours)] {
        let times = |name: &str| -> Vec<u64> {
            let text = outcome.text(name);
            text.lines().filter_map(|line| line.split(',').next()?.parse().ok()).collect()
        };
        let (first, second) = (times("a_iops.1.log"), times("b_iops.2.log"));
        let (end, start) = (first.iter().max(), second.iter().min());
        if end.is_none() || start.is_none() || end > start {
            return Err(format!("{side}: a ends at {end:?}, b starts at {start:?}"));
        }
    }
    Ok(())
}

const LOGGED: &str = "[global]\nioengine=null\nsize=256k\nlog_unix_epoch=1\nthinktime=500\n";

/// Order of jobs and how they end each other.
pub fn order() -> Vec<Case> {
    let two =
        |rest: &str| format!("{LOGGED}[a]\nwrite_iops_log=a\n[b]\n{rest}\nwrite_iops_log=b\n");
    // `a` takes a tenth of a second: the others have begun by then.
    let quick = "number_ios=100\nthinktime=1000\n";
    let slow = "time_based\nruntime=20\nthinktime=1000\n";
    let mut all = vec![
        job("order-stonewall", &two("stonewall")).check(one_after_the_other),
        job("order-wait-for-previous", &two("wait_for_previous")).check(one_after_the_other),
        job("order-wait-for", &two("wait_for=a")).check(one_after_the_other),
        job("order-stonewall-0", "[global]\nioengine=null\nsize=1m\n[a]\n[b]\nstonewall=0\n"),
        job(
            "order-exitall",
            &format!("[global]\nioengine=null\nsize=1m\n[a]\n{quick}exitall\n[b]\n{slow}"),
        )
        .timed(),
        job(
            "order-exit-what-group",
            &format!(
                "[global]\nioengine=null\nsize=1m\n[a]\n{quick}exitall\nexit_what=group\n\
                [b]\n{slow}"
            ),
        )
        .timed(),
        job(
            "order-exit-what-stonewall",
            &format!(
                "[global]\nioengine=null\nsize=1m\n[a]\n{quick}exitall\nexit_what=stonewall\n[b]\n\
                    {slow}\n[c]\nstonewall\n"
            ),
        )
        .timed(),
        job(
            "order-exit-what-all",
            &format!(
                "[global]\nioengine=null\nsize=1m\n[a]\n{quick}exitall\nexit_what=all\n[b]\n\
                    {slow}\n[c]\nstonewall\n"
            ),
        )
        .timed(),
        job(
            "order-exitall-on-error",
            &format!(
                "[global]\nioengine=null\nsize=1m\n[a]\nioengine=psync\nfilename=x\nrw=read\n\
                    allow_file_create=0\nexitall_on_error\n[b]\n{slow}"
            ),
        )
        .timed()
        .free()
        .exit(1),
    ];
    all.extend(delays_and_flows());
    all
}

/// The second job does this multiple of the operations of the first, within a tenth.
fn in_ratio(real: &Outcome, ours: &Outcome, wanted: f64) -> Result<(), String> {
    for (side, outcome) in [("fio", real), ("ours", ours)] {
        let json = crate::compare::last_json(&outcome.stdout).ok_or("no JSON")?;
        let ops = |path: &str| json.figure(path).ok_or(format!("{side}: no {path}"));
        let (first, second) = (ops("jobs/0/read/total_ios")?, ops("jobs/1/read/total_ios")?);
        if (second / first / wanted - 1.0).abs() > 0.1 {
            return Err(format!("{side}: {first} and {second} operations, not 1 to {wanted}"));
        }
    }
    Ok(())
}

/// Delays, groups, jobs that share a flow.
fn delays_and_flows() -> Vec<Case> {
    vec![
        job("order-startdelay", "[global]\nioengine=null\nsize=1m\n[a]\n[b]\nstartdelay=500ms\n"),
        job(
            "order-three-groups",
            "[global]\nioengine=null\nsize=64k\n[a]\n[b]\nstonewall\n[c]\n\
            stonewall\n",
        )
        .plain(),
        job(
            "order-flow",
            "[global]\nioengine=null\nsize=16m\ntime_based\nruntime=500ms\nthread\n\
            [a]\nflow=1\n[b]\nflow=4\n",
        )
        .alone()
        .check(|real, ours| in_ratio(real, ours, 4.0)),
        job(
            "order-flow-id",
            "[global]\nioengine=null\nsize=1m\ntime_based\nruntime=300ms\n[a]\n\
            flow=1\nflow_id=1\n[b]\nflow=1\nflow_id=1\n",
        )
        .timed(),
        job(
            "order-flow-sleep",
            "[global]\nioengine=null\nsize=16m\ntime_based\nruntime=500ms\nthread\n\
            flow_id=7\nflow_sleep=1000\n[a]\nflow=2\n[b]\nflow=6\n",
        )
        .alone()
        .check(|real, ours| in_ratio(real, ours, 3.0)),
        job(
            "order-flow-below-0",
            "[global]\nioengine=null\nsize=1g\nruntime=300ms\nflow_id=1\nthread\n\
            [a]\nflow=-8\nrate_iops=1000\n[b]\nflow=1\n",
        )
        .alone()
        .about("jobs/0/read/total_ios", 300.0, 0.1)
        .eq("jobs/1/read/total_ios", 1),
        job(
            "order-flow-alone",
            "[global]\nioengine=null\nsize=1m\nthread\n[a]\nflow=5\nflow_id=1\n\
            [b]\nflow=1\nflow_id=2\n[c]\n",
        )
        .ios([768, 0, 0]),
    ]
}

/// How long.
pub fn times() -> Vec<Case> {
    vec![
        null("time-based", "--time_based --runtime=300ms").timed().about(
            "jobs/0/read/runtime",
            300.0,
            0.2,
        ),
        null("time-runtime-only", "--runtime=5").ios([256, 0, 0]),
        null("time-based-0", "--runtime=5 --time_based=0").ios([256, 0, 0]),
        null("time-cut", "--size=100g --runtime=300ms --rw=randread --norandommap").timed().about(
            "jobs/0/read/runtime",
            300.0,
            0.2,
        ),
        null("time-ramp", "--time_based --runtime=400ms --ramp_time=300ms --rate_iops=1000")
            .paced()
            .about("jobs/0/read/runtime", 400.0, 0.2)
            .about("jobs/0/read/iops", 1000.0, 0.15),
        null("time-ramp-size-bound", "--size=1g --ramp_time=100ms --runtime=200ms --rate_iops=500")
            .paced()
            .free(),
        null("time-ramp-samples", "--time_based --runtime=1 --ramp_time=1 --rate_iops=1000")
            .paced()
            .near("jobs/0/read/bw_samples", 0.1),
        null("time-ramp-longer", "--time_based --runtime=1 --ramp_time=1500ms --rate_iops=1000")
            .paced()
            .near("jobs/0/read/bw_samples", 0.1),
        null("time-ramp-longer-free", "--size=100g --time_based --runtime=400ms --ramp_time=600ms")
            .alone()
            .about("jobs/0/read/runtime", 400.0, 0.2),
        null("time-startdelay", "--startdelay=300ms").ios([256, 0, 0]),
        null("time-startdelay-range", "--startdelay=100ms-300ms").ios([256, 0, 0]),
        null("time-loops", "--loops=5 --rw=write").ios([0, 1280, 0]),
        file("time-loops-file", "--loops=2 --rw=randread").ios([512, 0, 0]),
        null("time-based-number-ios", "--time_based --runtime=200ms --number_ios=500").timed(),
        null("time-based-io-size", "--time_based --runtime=300ms --io_size=2m").timed(),
        null("time-job-runtime", "--time_based --runtime=300ms --numjobs=2 --group_reporting")
            .timed()
            .about("jobs/0/job_runtime", 600.0, 0.2),
    ]
}

/// Rates and pauses. Bandwidths are within a tenth of what was asked, on both sides.
pub fn rates() -> Vec<Case> {
    let on = |name: &'static str, args: &str| {
        null(name, &format!("--size=1g --time_based --runtime=600ms {args}")).paced()
    };
    vec![
        null("rate-min-of-one", "--rw=write --rate_min=1k --time_based --runtime=3")
            .timed()
            .free()
            .eq("jobs/0/error", 0),
        on("rate-bytes", "--rate=8m").about("jobs/0/read/bw_bytes", 8_388_608.0, 0.1),
        on("rate-iops", "--rate_iops=1000").about("jobs/0/read/iops", 1000.0, 0.1),
        on("rate-iops-depth", "--rate_iops=2000 --iodepth=8").about(
            "jobs/0/read/iops",
            2000.0,
            0.1,
        ),
        on("rate-ways", "--rw=randrw --rate=4m,2m")
            .about("jobs/0/read/bw_bytes", 4_194_304.0, 0.1)
            .about("jobs/0/write/bw_bytes", 2_097_152.0, 0.1),
        on("rate-second-way", "--rw=randrw --rate_iops=,500").about(
            "jobs/0/write/iops",
            500.0,
            0.12,
        ),
        on("rate-poisson", "--rate_iops=1000 --rate_process=poisson").about(
            "jobs/0/read/iops",
            1000.0,
            0.15,
        ),
        on("rate-linear", "--rate_iops=1000 --rate_process=linear").about(
            "jobs/0/read/iops",
            1000.0,
            0.1,
        ),
        on("rate-numjobs", "--rate_iops=500 --numjobs=2 --group_reporting").about(
            "jobs/0/read/iops",
            1000.0,
            0.1,
        ),
        on("rate-ignore-thinktime", "--rate_iops=500 --thinktime=100 --rate_ignore_thinktime=1")
            .about("jobs/0/read/iops", 500.0, 0.15),
        on("rate-min-met", "--rate_iops=1000 --rate_iops_min=10"),
        on("rate-cycle", "--rate=8m --rate_cycle=500").about(
            "jobs/0/read/bw_bytes",
            8_388_608.0,
            0.1,
        ),
        null("rate-size-bound", "--rate=2m").paced().about("jobs/0/read/runtime", 500.0, 0.15),
        null(
            "rate-min-missed",
            "--size=1g --time_based --runtime=3 --thinktime=10ms --rate_min=100m",
        )
        .paced()
        .free()
        .added() // 3.33 looks at the rate too late now and then
        .exit(1),
        on("think-time", "--thinktime=10000").about("jobs/0/read/total_ios", 59.0, 0.15),
        on("think-blocks", "--thinktime=10ms --thinktime_blocks=4").about(
            "jobs/0/read/total_ios",
            236.0,
            0.15,
        ),
        on("think-spin", "--thinktime=10ms --thinktime_spin=5ms")
            .added() // 3.33 hangs when it spun too long
            .about("jobs/0/read/total_ios", 59.0, 0.15),
        on("think-iotime", "--thinktime=50ms --thinktime_iotime=50ms").free(),
        on(
            "think-iotime-blocks",
            "--thinktime=50ms --thinktime_iotime=50ms --thinktime_blocks=10 --rate_iops=1000",
        )
        .about("jobs/0/read/total_ios", 120.0, 0.15),
        on(
            "think-blocks-type",
            "--thinktime=10ms --thinktime_blocks=4 --thinktime_blocks_type=issue",
        )
        .about("jobs/0/read/total_ios", 236.0, 0.15),
    ]
}

fn has_steady(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    for (side, outcome) in [("fio", real), ("ours", ours)] {
        let json = crate::compare::last_json(&outcome.stdout).ok_or("no JSON")?;
        let state = json.get("jobs").and_then(|jobs| jobs.get("0")?.get("steadystate"));
        let Some(state) = state else { return Err(format!("{side}: no steadystate")) };
        if state.figure("attained").is_none() || state.get("data").is_none() {
            return Err(format!("{side}: steadystate without figures"));
        }
    }
    Ok(())
}

/// Latency targets, limits, steady states.
pub fn goals() -> Vec<Case> {
    let steady = |name: &'static str, what: &str| {
        let args = format!("--size=1g --time_based --runtime=5 --rate_iops=1000 --ss={what}");
        null(name, &format!("{args} --ss_dur=2")).paced()
    };
    vec![
        null(
            "goal-latency-target",
            "--size=1g --time_based --runtime=1 --iodepth=8 \
            --latency_target=10ms --latency_window=100ms --latency_percentile=90 --thinktime=100",
        )
        .alone()
        .eq("jobs/0/latency_target", 10_000_000),
        null(
            "goal-latency-target-run",
            "--size=1g --time_based --runtime=1 --iodepth=8 \
            --latency_target=10ms --latency_window=100ms --latency_percentile=90 --latency_run=1 \
            --thinktime=100",
        )
        .alone(),
        null(
            "goal-latency-target-size",
            "--size=1m --latency_target=10ms --latency_window=10s --latency_percentile=90",
        )
        .ios([256, 0, 0]),
        null("goal-max-latency-met", "--max_latency=10s").ios([256, 0, 0]),
        file("goal-max-latency-missed", "--rw=write --fsync=1 --direct=1 --max_latency=1us")
            .free()
            .no_files()
            .exit(1),
        steady("goal-steady-iops", "iops:50%").check(has_steady),
        steady("goal-steady-bw", "bw:50%").check(has_steady),
        steady("goal-steady-iops-slope", "iops_slope:50%").check(has_steady),
        steady("goal-steady-bw-slope", "bw_slope:50%").check(has_steady),
        steady("goal-steady-normal", "iops:50%").plain(),
        null(
            "goal-steady-long-names",
            "--size=1g --time_based --runtime=2 --rate_iops=1000 \
            --steadystate=iops:0.001% --steadystate_duration=1 --steadystate_ramp_time=1",
        )
        .paced()
        .check(has_steady),
    ]
}

/// The log names both priorities: the job's and that of a share of the operations.
fn priorities_are_logged(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    for (side, outcome) in [("fio", real), ("ours", ours)] {
        let text = outcome.text("l_clat.1.log");
        let column = |line: &str| line.rsplit(", ").next().unwrap_or_default().to_owned();
        let found: std::collections::BTreeSet<String> = text.lines().map(column).collect();
        if found.iter().ne(["0x0000", "0x4000"]) {
            return Err(format!("{side} logs {found:?}"));
        }
    }
    Ok(())
}

/// Processors, memory, priorities.
pub fn placement() -> Vec<Case> {
    let mut all = vec![
        null("place-cpus-allowed", "--cpus_allowed=0"),
        null("place-cpus-list", "--cpus_allowed=0,1"),
        null("place-cpus-range", "--cpus_allowed=0-1"),
        null("place-cpus-split", "--cpus_allowed=0-1 --cpus_allowed_policy=split --numjobs=2"),
        null("place-cpus-shared", "--cpus_allowed=0-1 --cpus_allowed_policy=shared --numjobs=2"),
        null("place-cpumask", "--cpumask=1"),
        null("place-nice", "--nice=5"),
        null("place-prio", "--prio=4"),
        null("place-prioclass", "--prioclass=2 --prio=4"),
        null("place-ioscheduler", "--ioscheduler=none").free().no_files(),
        // 3.33 breaks at its end now and then.
        null("place-gtod-cpu", "--gtod_cpu=0").added(),
        null("place-lockmem", "--lockmem=1m"),
        null("place-lockmem-2", "--lockmem=256k --numjobs=2"),
        null("place-iomem-align", "--iomem_align=512"),
        file(
            "place-cmdprio",
            "--ioengine=libaio --direct=1 --rw=randread --cmdprio_percentage=50 \
            --cmdprio_class=2 --cmdprio=4",
        )
        .free(),
        file(
            "cmdprio-percentage",
            "--ioengine=libaio --direct=1 --rw=randrw --iodepth=4 --cmdprio_percentage=50,30 \
            --cmdprio_class=2 --cmdprio=4,6",
        ),
        file(
            "cmdprio-bssplit",
            "--ioengine=io_uring --direct=1 --rw=randread --bssplit=4k/50:8k/50 --prioclass=2 \
            --prio=5 --cmdprio_class=3 --cmdprio_bssplit=4k/30/2/3:4k/20:8k/0 --numjobs=2 \
            --group_reporting --lat_percentiles=1",
        )
        .timed(),
        file(
            "cmdprio-log",
            "--ioengine=libaio --direct=1 --rw=read --iodepth=4 --cmdprio_percentage=50 \
            --cmdprio_class=2 --write_lat_log={dir}/l --log_prio=1",
        )
        .log("l_clat.1.log", 256)
        .check(priorities_are_logged),
        refused(
            "cmdprio-both",
            "--name=a --filename=f --size=64k --ioengine=libaio --cmdprio_percentage=50 \
            --cmdprio_bssplit=4k/50",
        ),
        null("think-cycles", "--thinkcycles=100000 --number_ios=20").added().ios([20, 0, 0]),
        null("place-numa-policy", "--numa_mem_policy=default").free(),
        null("place-thread-nice", "--thread --nice=1"),
        null("place-uid", "--uid=65534 --gid=65534 --thread=0").free(),
    ];
    for (name, what) in [
        ("mem-malloc", "malloc"),
        ("mem-shm", "shm"),
        ("mem-mmap", "mmap"),
        ("mem-mmapshared", "mmapshared"),
        ("mem-mmap-file", "mmap:{dir}/buffer"),
    ] {
        let args = format!("--name=a --ioengine=psync --filename=f --size=64k --mem={what}");
        all.push(case(name, &args).ios([16, 0, 0]));
    }
    all
}
