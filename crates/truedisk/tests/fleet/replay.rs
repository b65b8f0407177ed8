//! One profile on several hosts.

use std::path::Path;

use lab::{NatsServer, Need, Scratch, skip_unless};
use method::profile::ProfileBuilder;
use record::profile::ProfiledDisk;
use record::{RequestKind, TraceRequest};

use crate::support::local_agents::{Agent, complaint, fleet};
use crate::support::{beside, record_of, run};

const SIZE: u64 = 64 << 20;

/// Two seconds of 500 requests a second, of which 70 % are reads; a flush after every 25.
fn write_profile(path: &Path) {
    let name = "vdb".to_owned();
    let mut profile =
        ProfileBuilder::new(ProfiledDisk { name, size_bytes: SIZE, block_bytes: 512 });
    for number in 0..1_000 {
        let kind = match number % 10 {
            0..3 => RequestKind::Write,
            _ => RequestKind::Read,
        };
        let request = |kind, offset, length| TraceRequest {
            start_ns: number * 2_000_000,
            offset,
            length,
            kind,
            is_fua: false,
            latency_ns: Some(2_000_000),
        };
        profile.add(&request(kind, number * 7919 % (SIZE / 4096) * 4096, 4096));
        if number % 25 == 24 {
            profile.add(&request(RequestKind::Flush, 0, 0));
        }
    }
    let profile = profile.finish(jiff::Timestamp::UNIX_EPOCH, 2_000_000_000, 0);
    std::fs::write(path, profile.to_toml().unwrap()).unwrap();
}

#[test]
fn every_host_replays_the_same_requests_and_is_judged() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let server = NatsServer::start_on_loopback().unwrap();
    let url = server.url();
    let words = ["--nats", url.as_str()];
    let agents = ["a", "b"].map(|name| Agent::start_named(scratch.path(), name, &words));
    let profile = scratch.path().join("load.tdprofile");
    write_profile(&profile);
    let replay = |more: &[&str]| {
        let load = profile.to_str().unwrap();
        let options = ["replay", load, "--seed", "7", "--no-history", "--quiet"];
        fleet(&[&words[..], &options, more].concat())
    };
    let folder = scratch.path().join("data");
    let record = record_of(replay(&[folder.to_str().unwrap(), "--size", "64m", "--json", "-"]));
    let members = record.measured.fleet.as_ref().unwrap();
    let total = &record.measured.cells[0];
    let counts = |cell: &record::Cell| {
        let mut counts: Vec<(workload::Direction, u64)> =
            cell.totals.iter().map(|(direction, totals)| (direction, totals.ops)).collect();
        counts.sort();
        counts
    };
    let parts: Vec<_> =
        members.host_cells(&total.name).map(|(_, part)| counts(&part.cell)).collect();
    let [one, other] = &parts[..] else { panic!("{parts:?}") };
    assert_eq!(one, other, "the same requests");
    let all: u64 = one.iter().map(|(_, ops)| ops).sum();
    assert!((950..=1_130).contains(&all), "{one:?}");
    let sum: u64 = counts(total).iter().map(|(_, ops)| ops).sum();
    assert_eq!(sum, 2 * all);
    let judgement = record.judgement_or_default();
    assert!(judgement.replay.is_some());
    let headline = judgement.verdict.as_ref().unwrap().headline.text().to_owned();
    assert!(headline.contains("2 hosts at once"), "{headline}");

    let refused = |options: &[&str], more: &[&str], expected: &str| {
        let load = profile.to_str().unwrap();
        let output = run(fleet(&[&words, options, &["replay", load], more].concat()));
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(complaint(&output).contains(expected), "{}", complaint(&output));
    };
    refused(&[], &["--limit"], "searches on one host");
    refused(&[], &["--plan", "aws:gp3:500GiB"], "needs no hosts");
    refused(&["--span", "shared"], &[], "the same blocks");
    drop(agents);
}
