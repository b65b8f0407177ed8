//! What is printed: text, JSON, terse; where, and when.

use crate::harness::case::{Case, case, null};
use crate::harness::run::Outcome;

fn estimates(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    let count = |outcome: &Outcome| outcome.stdout.matches("Jobs: 1 (f=").count();
    if count(real) == 0 || count(ours) == 0 {
        return Err(format!("lines of estimates: fio {}, ours {}", count(real), count(ours)));
    }
    Ok(())
}

fn no_estimates(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    let any = [real, ours].iter().any(|outcome| outcome.stdout.contains("Jobs: 1"));
    if any { Err("prints estimates".into()) } else { Ok(()) }
}

fn several_documents(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    for (side, outcome) in [("fio", real), ("ours", ours)] {
        let count = outcome.stdout.matches("\"fio version\"").count();
        if !(2..=4).contains(&count) {
            return Err(format!("{side} prints {count} documents instead of 2 to 4"));
        }
    }
    Ok(())
}

/// Output formats and what goes with them.
pub fn outputs() -> Vec<Case> {
    let wal =
        "--name=w --filename=f --ioengine=sync --size=256k --rw=write --bs=2300 --fdatasync=1";
    let depth = "--name=a --filename=f --size=1m --ioengine=libaio --iodepth=4 --rw=randrw";
    let second = "--name=a --ioengine=null --size=64m --rw=randrw --time_based --runtime=1 \
                  --rate_iops=2000";
    let mut all = vec![
        null("out-normal", "--rw=randrw").plain(),
        case("out-normal-depth", depth).format("normal"),
        case("out-normal-sync", wal).format("normal"),
        case("out-normal-windows", second).plain().timed(),
        case("out-normal-description", &format!("{second} --description=some")).plain().timed(),
        null("out-normal-two-jobs", "--numjobs=2").plain(),
        null("out-normal-grouped", "--numjobs=2 --group_reporting").plain(),
        null("out-normal-thread", "--thread --numjobs=2").plain(),
        null("out-normal-stonewall", "--name=b --ioengine=null --size=1m --stonewall").plain(),
        null("out-normal-many", "--rw=trim").plain(),
        null("out-normal-percentiles", "--percentile_list=50:99:99.9").plain(),
        null("out-normal-percentiles-fine", "--percentile_list=50:99.9999").plain(),
        null("out-normal-percentile-one", "--percentile_list=50").plain(),
        null("out-normal-lat-percentiles", "--lat_percentiles=1").plain(),
        null("out-normal-no-percentiles", "--clat_percentiles=0").plain(),
        case("out-normal-slat-percentiles", &format!("{depth} --slat_percentiles=1")).plain(),
        null("out-normal-gtod-reduce", "--gtod_reduce=1").plain(),
        null("out-normal-disable-clat", "--disable_clat=1").plain(),
        null("out-normal-disable-lat", "--disable_lat=1").plain(),
        null("out-normal-mixed", "--rw=randrw --unified_rw_reporting=mixed").plain(),
        null("out-normal-both", "--rw=randrw --unified_rw_reporting=both").plain(),
        null("out-normal-significant", "--significant_figures=8").plain(),
        null("out-normal-kb-base", "--kb_base=1000 --size=1000k").plain(),
        null("out-normal-bits", "--unit_base=8 --numjobs=1").plain(),
        null("out-normal-unit-bits", "--unit_base=1").plain(),
        null("out-normal-disk-util", "--disk_util=0").plain(),
    ];
    all.extend(documents());
    all
}

/// JSON, terse, several at once, into files, while it runs.
fn documents() -> Vec<Case> {
    let wal =
        "--name=w --filename=f --ioengine=sync --size=256k --rw=write --bs=2300 --fdatasync=1";
    let depth = "--name=a --filename=f --size=1m --ioengine=libaio --iodepth=4 --rw=randrw";
    let second = "--name=a --ioengine=null --size=64m --rw=randrw --time_based --runtime=1 \
                  --rate_iops=2000";
    let mut all = vec![
        case("out-json-sync", wal).eq("jobs/0/write/total_ios", 113),
        case("out-json-depth", depth),
        case("out-json-windows", second)
            .timed()
            .about("jobs/0/read/bw_samples", 2.0, 0.5)
            .near("jobs/0/read/iops_samples", 0.5),
        case("out-json-plus", depth).format("json+"),
        case("out-json-plus-sync", wal).format("json+"),
        null("out-json-grouped", "--numjobs=3 --group_reporting --rw=randrw"),
        null("out-json-numjobs", "--numjobs=3"),
        null("out-json-control", "--description=a'\t'b"),
        null("out-json-mixed", "--rw=randrw --unified_rw_reporting=1"),
        null("out-json-both", "--rw=randrw --unified_rw_reporting=both"),
        null("out-json-lat-percentiles", "--lat_percentiles=1"),
        null("out-json-only-lat-percentiles", "--lat_percentiles=1 --clat_percentiles=0"),
        case("out-json-slat-percentiles", &format!("{depth} --slat_percentiles=1")),
        null("out-json-percentile-list", "--percentile_list=50:99:99.999"),
        null("out-json-gtod-reduce", "--gtod_reduce=1"),
        null(
            "out-json-disable-all",
            "--disable_lat=1 --disable_clat=1 --disable_slat=1 \
            --disable_bw_measurement=1",
        ),
        null("out-json-description", "--description=hello"),
        null("out-json-quoted-description", "--description='say \"x\"'").free(),
        null("out-json-idle-prof", "--idle-prof=percpu").timed(),
        null("out-normal-idle-prof", "--idle-prof=system").plain().timed(),
        null("out-minimal", "--minimal").plain(),
        null("out-terse", "--output-format=terse --rw=randrw").plain(),
        null("out-terse-2", "--minimal --terse-version=2").plain(),
        null("out-terse-3", "--minimal --terse-version=3").plain(),
        null("out-terse-4", "--minimal --terse-version=4 --rw=trim").plain(),
        null("out-terse-5", "--minimal --terse-version=5 --rw=randrw").plain(),
        null("out-terse-description", "--minimal --description=hello").plain(),
        null("out-terse-2-description", "--minimal --terse-version=2 --description=hello").plain(),
        null(
            "out-terse-grouped",
            "--minimal --numjobs=2 --group_reporting \
            --gtod_reduce=1",
        )
        .plain(),
        null("out-terse-two", "--minimal --numjobs=2").plain(),
        case("out-terse-disk", &format!("--minimal {depth}")).plain(),
        null("out-append-terse", "--append-terse").plain(),
        null("out-json-and-normal", "").format("json,normal"),
        null("out-normal-and-json", "").format("normal,json"),
        null("out-terse-and-json", "").format("terse,json"),
        null("out-all", "").format("normal,terse,json+"),
    ];
    all.extend(written_elsewhere());
    all
}

/// Into files, while it runs, beside the results.
fn written_elsewhere() -> Vec<Case> {
    vec![
        null("out-file", "--output=r.out").plain().reads("r.out"),
        null("out-file-json", "--output=r.json").reads("r.json").ios([256, 0, 0]),
        null("out-file-terse", "--output=r.out --minimal").plain().reads("r.out"),
        case(
            "out-status-interval",
            "--status-interval=500ms --name=a --ioengine=null --size=1g \
            --time_based --runtime=1400ms --rate_iops=1000",
        )
        .paced()
        .check(several_documents),
        case(
            "out-eta-always",
            "--eta=always --name=a --ioengine=null --size=1g --time_based \
            --runtime=1500ms --rate_iops=1000 --output-format=normal --eta-newline=500ms",
        )
        .plain()
        .paced()
        .check(estimates),
        null("out-eta-never", "--eta=never").plain().check(no_estimates),
        null("out-eta-auto", "--eta=auto").plain().check(no_estimates),
        null("out-bandwidth-log", "--bandwidth-log").free().no_files(),
        case(
            "out-laying-out",
            "--name=a --filename=f --size=1m \
            --rw=read",
        )
        .plain()
        .leaves("f", 1 << 20),
        case("out-laying-out-two", "--name=a --nrfiles=2 --size=1m --rw=read").plain(),
    ]
}
