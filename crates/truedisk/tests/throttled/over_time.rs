//! What shows over time on real devices: bursts that end, and caps whose maker is out of sight.
//! Throttled devices leave the host idle: those that allow for others run at once.

use std::process::Command;
use std::time::Duration;

use crate::support::{alone, assert_status, beside, blind, finding, record_of, truedisk};
use lab::{Limit, LoopDevice, Need, Throttle, TokenBucket};
use record::{FindingId, Status};

const LARGE: u64 = 1 << 30;

fn check(args: &[&str], device: &LoopDevice) -> Command {
    let mut command = truedisk(["check", "--json", "-", "--no-history", "--seed", "1"]);
    command.args(args).args(["--read-only", "--bound", "p99<200ms"]).arg(device.path());
    command
}

#[test]
fn a_cap_out_of_sight_is_a_providers_and_one_in_sight_is_not() {
    lab::skip_unless!(Need::BlkioV1, Need::LoopDevices, Need::Program("unshare"));
    // What others take of the host's time lowers some of the probes that have to agree to 0.5 %.
    let _alone = alone();
    let device = LoopDevice::new(LARGE).unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    throttle.cap_read_iops(3000).unwrap();
    // A run whose long cells the host disturbed may be unable to tell, but never denies it.
    let mut seen = false;
    for _ in 0..3 {
        let record = record_of(blind(&throttle, &check(&[], &device)));
        assert_status(&record, FindingId::OsThrottle, Status::Ok);
        let found = finding(&record, FindingId::ProviderLimit);
        assert_ne!(found.status, Status::Ok, "{found:#?}");
        if found.status == Status::NotObservable {
            println!("{}", found.summary.text());
            continue;
        }
        assert_status(&record, FindingId::ProviderLimit, Status::Note);
        let value = found.evidence[0].figure.unwrap();
        assert!((value / 3000.0 - 1.0).abs() < 0.01, "{value}");
        seen = true;
        break;
    }
    assert!(seen, "three times no cap could be told");

    let record = record_of(throttle.wrap_command(&check(&["--quick"], &device)));
    assert_status(&record, FindingId::OsThrottle, Status::Warning);
    assert!(finding(&record, FindingId::ProviderLimit).status < Status::Note);
}

#[test]
fn a_bucket_is_recovered_from_a_throttled_device() {
    // First, before the test that must be alone waits: that would hold this one back.
    let _beside = beside();
    lab::skip_unless!(Need::BlkioV1, Need::LoopDevices, Need::Program("unshare"));
    let device = LoopDevice::new(LARGE).unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    // Credits are counted as the volume itself does it: a host that pauses gains some.
    let volume = TokenBucket { burst: 4000, baseline: 1000, credits: 75_000 };
    let args = ["--quick", "--until-throttled=120s"];
    // A run that the host disturbed may be unable to tell what paced it, but never denies the fall.
    for _ in 0..3 {
        let refill = throttle.start_token_bucket(volume).unwrap();
        let record = record_of(blind(&throttle, &check(&args, &device)));
        drop(refill);
        let told = finding(&record, FindingId::Burst);
        assert_eq!(told.status, Status::Note, "{told:#?}");
        let Some(bucket) = &record.judgement_or_default().bucket else {
            println!("{}", told.summary.text());
            continue;
        };
        let near = |value: f64, truth: f64| {
            assert!((value / truth - 1.0).abs() < 0.05, "{truth}: {bucket:#?}");
        };
        near(bucket.burst.value, 4000.0);
        near(bucket.baseline.value, 1000.0);
        near(bucket.size.value, 75_000.0);
        return;
    }
    panic!("three times a fall, and never what paced it");
}

#[test]
fn a_burst_that_ends_in_the_middle_of_a_check_is_warned_of() {
    // First, before the test that must be alone waits: that would hold this one back.
    let _beside = beside();
    lab::skip_unless!(Need::BlkioV1, Need::LoopDevices, Need::Program("unshare"));
    let device = LoopDevice::new(LARGE).unwrap();
    let throttle = Throttle::new(device.major_minor()).unwrap();
    throttle.cap_read_iops(4000).unwrap();
    let later = Duration::from_millis(1);
    let plan = vec![(Duration::ZERO, Limit::ReadIops(4000)), (later, Limit::ReadIops(1000))];
    let schedule = throttle.schedule_after_reads(30_000, plan).unwrap();
    let record = record_of(blind(&throttle, &check(&[], &device)));
    schedule.finish().unwrap();
    assert_status(&record, FindingId::Burst, Status::Warning);
    let baseline = record.judgement_or_default().bucket.as_ref().unwrap().baseline.value;
    assert!((baseline / 1000.0 - 1.0).abs() < 0.05, "{baseline}");
}
