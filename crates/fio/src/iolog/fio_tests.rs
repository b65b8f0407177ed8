//! Both ways between us and the real fio.

use super::read::tests::read_all;
use super::*;
use crate::options::job::JobOptions;
use crate::options::replay::ReplayOptions;
use crate::tests::{Folder, skip_unless};

fn replay(folder: &Folder, trace: &str, options: &str) -> serde_json::Value {
    let log = folder.path(trace);
    let output = folder.fio(&format!(
        "--output-format=json --name=j --ioengine=psync --read_iolog={log} {options}"
    ));
    let text = String::from_utf8(output.stdout).unwrap();
    // fio may print notices before.
    let json = &text[text.find('{').unwrap()..];
    serde_json::from_str::<serde_json::Value>(json).unwrap()["jobs"][0].clone()
}

fn ours(file: &str) -> Vec<u8> {
    let mut log = IologWriter::new(Vec::new()).unwrap();
    log.add_file(0, file).unwrap();
    log.open_file(0, file).unwrap();
    log.write_operation(1_000_000, file, IoKind::Write, 8192, 4096).unwrap();
    log.write_operation(2_000_000, file, IoKind::Sync, 0, 0).unwrap();
    log.write_operation(3_000_000, file, IoKind::Read, 4096, 512).unwrap();
    log.write_operation(4_000_000, file, IoKind::Datasync, 0, 0).unwrap();
    log.write_operation(300_000_000, file, IoKind::Read, 0, 1024).unwrap();
    log.close_file(300_100_000, file).unwrap();
    log.finish().unwrap()
}

#[test]
fn fio_replays_our_traces() {
    skip_unless!("fio");
    let folder = Folder::new();
    folder.write("data", vec![7; 16 << 10]);
    folder.write("t.log", ours(&folder.path("data")));
    let job = replay(&folder, "t.log", "--write_lat_log=q --log_offset=1");
    assert_eq!(job["error"], 0);
    assert_eq!((&job["read"]["total_ios"], &job["write"]["total_ios"]), (&2.into(), &1.into()));
    assert_eq!(job["read"]["io_bytes"], 1536);
    assert!(job["job_runtime"].as_u64().unwrap() >= 290);
    let log = folder.read("q_clat.1.log");
    let places: Vec<String> = log
        .lines()
        .map(|line| line.split(", ").collect::<Vec<_>>())
        .map(|cells| [cells[2], cells[3], cells[4]].join(" "))
        .collect();
    assert_eq!(places, ["1 4096 8192", "0 512 4096", "0 1024 0"]);
}

#[test]
fn we_read_fios_traces() {
    skip_unless!("fio");
    let folder = Folder::new();
    let (one, two) = (folder.path("one"), folder.path("two"));
    folder.fio(&format!(
        "--output=/dev/null --name=j --ioengine=psync --rw=randrw --bs=4k --size=128k \
         --filename={one}:{two} --fsync=2 --write_iolog=w.log --write_lat_log=q --log_offset=1"
    ));
    let log = read_all(folder.read("w.log").as_bytes()).unwrap();
    assert_eq!((log.version, &log.files), (Version::V3, &vec![one, two]));
    // Operation by operation what the latency log tells.
    let traced: Vec<String> = log
        .entries
        .iter()
        .filter_map(|entry| match entry.action {
            Action::Io { kind: IoKind::Read, offset, length } => Some((0, length, offset)),
            Action::Io { kind: IoKind::Write, offset, length } => Some((1, length, offset)),
            _ => None,
        })
        .map(|(direction, length, offset)| format!("{direction}, {length}, {offset}"))
        .collect();
    let done: Vec<String> = folder
        .read("q_clat.1.log")
        .lines()
        .map(|line| line.split(", ").skip(2).take(3).collect::<Vec<_>>().join(", "))
        .collect();
    assert_eq!(traced, done);
    assert_eq!(traced.len(), 32);
    let syncs = |e: &&Entry| matches!(e.action, Action::Io { kind: IoKind::Sync, .. });
    assert!(log.entries.iter().any(|entry| syncs(&entry)));
    let times: Vec<_> = log.entries.iter().map(|entry| entry.time_ns.unwrap()).collect();
    assert!(times.is_sorted());
}

#[test]
fn fios_times_are_microseconds() {
    skip_unless!("fio");
    let folder = Folder::new();
    folder.fio(&format!(
        "--output=/dev/null --name=j --ioengine=null --rw=trim --bs=4k --size=64k --number_ios=3 \
         --thinktime=20000 --filename={} --write_iolog=w.log",
        folder.path("data")
    ));
    let log = read_all(folder.read("w.log").as_bytes()).unwrap();
    let times: Vec<u64> = log
        .entries
        .iter()
        .filter(|e| matches!(e.action, Action::Io { kind: IoKind::Trim, .. }))
        .map(|e| e.time_ns.unwrap() / 1_000_000)
        .collect();
    assert_eq!(times.len(), 3);
    assert!(times[2] - times[0] >= 39 && times[2] < 2000, "{times:?}");
}

#[test]
fn a_trace_that_fio_appended_to_is_refused() {
    skip_unless!("fio");
    let folder = Folder::new();
    let args = "--output=/dev/null --name=j --ioengine=null --rw=write --bs=4k --size=8k \
                --write_iolog=w.log";
    folder.fio(args);
    folder.fio(args);
    let error = read_all(folder.read("w.log").as_bytes()).unwrap_err().to_string();
    assert!(error.contains("second trace"), "{error}");
}

#[test]
fn steps_are_what_fio_does() {
    skip_unless!("fio");
    let check = |options: &str, settings: ReplayOptions, due_ms: u64| {
        let folder = Folder::new();
        folder.write("data", vec![7; 64 << 10]);
        let data = folder.path("data");
        let trace = format!(
            "fio version 3 iolog\n0 {data} add\n0 {data} open\n10 {data} read 12288 4096\n\
             20 {data} read 40960 4608\n200000 {data} read 5000 512\n200001 {data} close\n"
        );
        folder.write("t.log", &trace);
        let job = replay(&folder, "t.log", &format!("{options} --write_lat_log=q --log_offset=1"));
        let runtime = job["job_runtime"].as_u64().unwrap();
        let reader = IologReader::new(trace.as_bytes()).unwrap();
        let steps = replay_steps(reader, Version::V3, settings);
        let steps: Vec<ReplayStep> = steps.map(|step| step.unwrap()).collect();
        let ours: Vec<_> = steps.iter().map(|s| format!("{}, {}", s.length, s.offset)).collect();
        let theirs: Vec<_> = folder
            .read("q_clat.1.log")
            .lines()
            .map(|line| line.split(", ").skip(3).take(2).collect::<Vec<_>>().join(", "))
            .collect();
        assert_eq!(ours, theirs, "{options}");
        assert_eq!(steps[2].due_ns / 1_000_000, due_ms, "{options}");
        let near = due_ms.saturating_sub(2)..due_ms + 80;
        assert!(near.contains(&runtime), "{options}: {runtime} ms");
    };
    let plain = JobOptions::default().replay;
    check("", plain.clone(), 200);
    check("--replay_scale=3", ReplayOptions { scale: 3, ..plain.clone() }, 200);
    check("--replay_align=4096", ReplayOptions { align: 4096, ..plain.clone() }, 200);
    let both = ReplayOptions { scale: 3, align: 512, ..plain.clone() };
    check("--replay_scale=3 --replay_align=512", both, 200);
    check("--replay_no_stall=1", ReplayOptions { no_stall: true, ..plain.clone() }, 0);
    check("--replay_time_scale=200", ReplayOptions { time_scale: 200, ..plain.clone() }, 100);
    check("--replay_time_scale=50", ReplayOptions { time_scale: 50, ..plain }, 400);
}

#[test]
fn waits_are_due_when_fio_says() {
    skip_unless!("fio");
    let check = |waits: &[u64], due_ms: u64| {
        let folder = Folder::new();
        folder.write("data", vec![7; 4 << 10]);
        let data = folder.path("data");
        let mut trace = format!("fio version 2 iolog\n{data} add\n{data} open\n");
        for wait in waits {
            trace.push_str(&format!("{data} wait {wait} 0\n{data} read 0 512\n"));
        }
        folder.write("t.log", &trace);
        let runtime = replay(&folder, "t.log", "")["job_runtime"].as_u64().unwrap();
        let settings = JobOptions::default().replay;
        let reader = IologReader::new(trace.as_bytes()).unwrap();
        let last = replay_steps(reader, Version::V2, settings.clone()).last().unwrap().unwrap();
        assert_eq!(last.due_ns / 1_000_000, due_ms, "{waits:?}");
        // fio starts up to a dozen milliseconds early where waits follow each other.
        let near = due_ms.saturating_sub(25)..due_ms + 80;
        assert!(near.contains(&runtime), "{waits:?}: {runtime} ms");
    };
    check(&[90], 0);
    check(&[150], 50);
    check(&[200, 400], 300);
    check(&[300, 300, 300], 200);
    check(&[600, 200, 400], 500);
}
