use std::path::Path;

use record::EntriesCounted;
use units::Seed;

use super::*;
use crate::observer::SilentObserver;
use record::MetadataOp;
use units::Bytes;

fn request(path: &Path, files: u64) -> MetadataRequest {
    let ask = MeasureRequest {
        path: path.to_owned(),
        size: None,
        read_only: false,
        destroy_data_on: None,
        max_written: None,
        seed: Seed(7),
        command: record::CommandLine::default(),
        version: "0".to_owned(),
    };
    let plan = MetadataPlan { files: Some(files), threads: 2, rounds: 6, keep_caches: true };
    MetadataRequest { ask, plan, budget: None }
}

fn run(request: &MetadataRequest) -> Result<Record, MethodError> {
    metadata(request, &Roots::host(), &StopSignal::default(), &mut SilentObserver)
}

/// /tmp may be memory, which is what is wanted here: many syncs, and no waiting.
pub(super) fn in_memory() -> tempfile::TempDir {
    let shm = Path::new("/dev/shm");
    let place = if shm.is_dir() { shm.to_owned() } else { std::env::temp_dir() };
    tempfile::tempdir_in(place).unwrap()
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn every_load_and_operation_is_measured_and_counted() {
    let folder = in_memory();
    let record = run(&request(folder.path(), 65)).unwrap();
    assert_eq!(record.measured.completion, Completion::Complete);
    assert!(is_empty(folder.path()));
    let found = record.measured.metadata.unwrap();
    assert_eq!((found.loads().len(), found.counted.len()), (16, 16));
    // Without syncs six operations, with them the three that change something.
    assert_eq!(found.phases.len(), 8 * 6 + 8 * 3);
    for phase in &found.phases {
        let shared = 65_u64.next_multiple_of(u64::from(phase.load.threads));
        assert_eq!((phase.files, phase.rounds.len()), (shared, 6), "{}", phase.name);
        assert!(phase.rate.interval().is_some() && phase.rate.value > 0.0, "{}", phase.name);
        let once = phase.latency_ns.histogram.count;
        match phase.operation {
            // A look is repeated; nothing else is.
            MetadataOp::Stat | MetadataOp::Open => assert!(once >= phase.files * 6),
            MetadataOp::Readdir => {}
            _ => assert_eq!(once, phase.files * 6, "{}", phase.name),
        }
        let middle = phase.latency_ns.percentiles.get("p50").copied();
        let middle = middle.unwrap_or_else(|| panic!("{} has no p50", phase.name));
        assert!(middle > 0 && phase.latency_ns.mean > 0.0, "{}", phase.name);
        let rate = phase.rate.value * middle as f64 / 1e9;
        let busy = f64::from(phase.load.threads) * 1.001;
        // Threads do one operation at a time: what they do in a second takes a second each.
        assert!(phase.operation == MetadataOp::Readdir || rate < busy * 3.0, "{}", phase.name);
    }
    let counts =
        |c: &EntriesCounted| c.made == c.found && c.made.is_multiple_of(6) && c.made >= 6 * 65;
    assert!(found.counted.iter().all(counts), "{:?}", found.counted);
    assert!(found.caches.text().contains("Cold caches were not measured"));
}

#[test]
fn a_stop_keeps_what_there_is_and_leaves_nothing() {
    struct StopsAt(StopSignal, u32);
    impl Observer for StopsAt {
        fn on_phase(&mut self, _: &message::Message, _: f64) {
            self.1 -= 1;
            if self.1 == 0 {
                self.0.raise();
            }
        }
        fn on_progress(&mut self, _: &engine::Progress, _: f64) {}
        fn on_note(&mut self, _: &str) {}
        fn confirm(&mut self, _: &str, _: &str) -> bool {
            false
        }
    }
    let folder = in_memory();
    let stop = StopSignal::default();
    let mut observer = StopsAt(stop.clone(), 3);
    let record =
        metadata(&request(folder.path(), 32), &Roots::host(), &stop, &mut observer).unwrap();
    let Completion::Partial { reason, failed: false } = &record.measured.completion else {
        panic!("{:?}", record.measured.completion)
    };
    assert!(reason.text().contains("interrupted"));
    assert_eq!(record.measured.metadata.unwrap().loads().len(), 2);
    assert!(is_empty(folder.path()));
}

#[test]
fn a_budget_is_kept() {
    let folder = in_memory();
    let mut short = request(folder.path(), 100);
    short.plan.files = None;
    short.budget = Some(Nanos::millis(1));
    let record = run(&short).unwrap();
    assert!(matches!(record.measured.completion, Completion::Partial { failed: false, .. }));
    assert!(is_empty(folder.path()));
    let usual = Nanos(expected_time(&short.plan).0 * 2);
    short.budget = Some(usual);
    assert_eq!(short.create_time(), CREATE_TIME);
}

#[test]
fn a_round_that_is_not_over_in_time_is_cut() {
    let folder = in_memory();
    // More files than are made in that time, so that a whole round of them cannot be waited for.
    let mut long = request(folder.path(), 50_000);
    long.budget = Some(Nanos::millis(20));
    let record = run(&long).unwrap();
    let Completion::Partial { reason, failed: false } = &record.measured.completion else {
        panic!("{:?}", record.measured.completion)
    };
    assert!(reason.text().contains("the time of 20.0 ms was up"), "{reason:?}");
    assert_eq!(record.measured.plan.budget, Nanos::millis(20));
    assert!(record.measured.metadata.unwrap().phases.is_empty());
    assert!(is_empty(folder.path()));
}

#[test]
fn a_limit_is_asked_for_or_follows_from_the_time() {
    let mut request = request(Path::new("/"), 50);
    // A number of files without a time sets no limit.
    assert_eq!((request.time_limit(), request.time_budget()), (None, expected_time(&request.plan)));
    assert_eq!(request.cold_look_time(), Nanos(u64::MAX));
    request.plan.files = None;
    assert_eq!(request.cold_look_time(), COLD_LOOK_TIME);
    assert_eq!(request.time_limit(), Some(Nanos(expected_time(&request.plan).0 * 3)));
    request.budget = Some(Nanos::secs(3));
    assert_eq!((request.time_limit(), request.time_budget()), (request.budget, Nanos::secs(3)));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = in_memory();
    let check = |change: &dyn Fn(&mut MetadataRequest), words: &str| {
        let mut request = request(folder.path(), 10);
        change(&mut request);
        let error = run(&request).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.kind(), units::ErrorKind::WrongRequest, "{error}");
        assert!(error.hint().is_some(), "{error}");
        assert!(is_empty(folder.path()));
    };
    check(&|r| r.ask.read_only = true, "--read-only forbids it");
    check(&|r| r.ask.size = Some(Bytes::gib(1)), "have no --size");
    check(&|r| r.ask.destroy_data_on = Some("/dev/sda".into()), "is for a device");
    check(&|r| r.plan.threads = 1, "several threads are 2");
    check(&|r| r.plan.rounds = 0, "rounds, not 0");
    check(&|r| r.plan.files = Some(0), "(--files) is 1 to 10000000");
    check(&|r| r.plan.files = Some(10_000_000), "are to be made");
    check(&|r| r.ask.path = "/no/such".into(), "does not exist");
    check(&|r| r.ask.path = "/proc/version".into(), "is no folder");
}
