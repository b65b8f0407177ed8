use super::*;
use crate::results::{DiskUse, Samples, Unified};

fn busy() -> RunResult {
    let mut job = JobResult { name: "wal".to_owned(), group: 1, ..JobResult::default() };
    job.write.bytes = 8192 * 256;
    job.write.ops = 256;
    job.write.runtime_ms = 27;
    for latency in [900, 7_000, 129_500] {
        job.write.clat.record(latency);
        job.write.lat.record(latency + 1000);
        job.latency.record(latency);
    }
    job.write.bw =
        Samples { min: 74_672, max: 81_488, mean: 77_454.0, dev: 2_143.598_043, samples: 7 };
    job.write.iops = Samples { min: 9, max: 11, mean: 10.0, dev: 0.5, samples: 7 };
    job.display.percentile_list = vec![50.0, 99.0];
    job.depth_level[0] = 383;
    job.sync.ops = 127;
    job.ctx = 262;
    RunResult { instances: vec![job], ..RunResult::default() }
}

fn fields(run: &RunResult, version: u8) -> Vec<String> {
    render_terse(run, version).trim_end().split(';').map(str::to_owned).collect()
}

#[test]
fn field_counts_are_fios() {
    let check = |version, unified, expected| {
        let mut run = busy();
        run.instances[0].display.unified = unified;
        assert_eq!(fields(&run, version).len(), expected, "{version} {unified:?}");
    };
    // Counted in outputs of the real one.
    check(2, Unified::None, 161);
    check(3, Unified::None, 121);
    check(4, Unified::None, 162);
    check(5, Unified::None, 180);
    check(2, Unified::Mixed, 79);
    check(3, Unified::Mixed, 80);
    check(4, Unified::Mixed, 80);
    check(2, Unified::Both, 202);
    check(3, Unified::Both, 162);
    check(4, Unified::Both, 203);
    check(5, Unified::Both, 227);
    check(9, Unified::None, 121);
}

#[test]
fn a_line_of_version_3() {
    let list = fields(&busy(), 3);
    assert_eq!(list[..9].join(";"), "3;fio-3.42-truedisk;wal;1;0;0;0;0;0");
    let write = "2048;75851;9481;27;0;0;0.000000;0.000000;0;129;45.800000;72.550465;\
                 50.000000%=7;99.000000%=129;0%=0";
    assert_eq!(list[46..61].join(";"), write);
    let after = "1;130;46.800000;72.550465;74672;81488;100.000000%;77454.000000;2143.598043;\
                 0.000000%;0.000000%;262;0;0;149.6%;0.0%";
    assert_eq!(list[78..94].join(";"), after);
    assert_eq!(list[99..102].join(";"), "0.39%;0.00%;0.39%");
}

#[test]
fn version_5_adds_windows() {
    let list = fields(&busy(), 5);
    assert_eq!(list[93..99].join(";"), "7;9;11;10.000000;0.500000;7");
}

#[test]
fn disks_errors_and_description_end_the_line() {
    let mut run = busy();
    run.instances[0].continued = Some((1, 28));
    run.instances[0].description = Some("hello;x".to_owned());
    run.disks = vec![DiskUse {
        name: "vda".to_owned(),
        ios: [213_352, 168_989],
        merges: [0, 3],
        ticks: [14_623, 9421],
        in_queue: 25_531,
        util: 72.0,
        ..DiskUse::default()
    }];
    let check = |version, expected: &str| {
        let text = render_terse(&run, version);
        assert!(text.ends_with(expected), "{text}");
    };
    check(3, "0.00%;vda;213352;168989;0;3;14623;9421;25531;72.00%;1;28;hello;x\n");
    check(2, "0.00%;1;28\n;hello;x\n");
}

#[test]
fn percentile_fields() {
    let check = |change: &dyn Fn(&mut ReportOptions), read: &str, write: &str| {
        let mut run = busy();
        change(&mut run.instances[0].display);
        let list = fields(&run, 3);
        assert_eq!(list[17..20].join(";"), read);
        assert_eq!(list[58..61].join(";"), write);
    };
    let none = "0%=0;0%=0;0%=0";
    let empty = "50.000000%=0;99.000000%=0;0%=0";
    check(&|_| {}, empty, "50.000000%=7;99.000000%=129;0%=0");
    check(&|d| d.clat_percentiles = false, none, none);
    check(&|d| d.disable_clat = true, none, none);
    check(&|d| d.lat_percentiles = true, empty, "50.000000%=8;99.000000%=130;0%=0");
    let both = |d: &mut ReportOptions| (d.lat_percentiles, d.disable_lat) = (true, true);
    check(&both, empty, "50.000000%=7;99.000000%=129;0%=0");
}
