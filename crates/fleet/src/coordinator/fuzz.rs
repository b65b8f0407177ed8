//! Answers of anybody, as a coordinator reads them, adds them up, and judges them.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use analysis::fleet::{HostPart, TotalJob, merge_cells};
use engine::{Progress, StopSignal};
use fio_run::{self as fio_jobs, RemoteJobs, RemoteResult, RunPolicy, SentJobs};
use method::{
    CellResults, HostReadiness, HostResult, HostTransport, MeasureRequest, MethodError, Observer,
    ReadyHost, SilentObserver, SweepRequest,
};
use record::{
    CellRole, Environment, Fleet, FleetHost, FleetSpan, HostCell, Part as Row, Plan, Record,
    SweepPlan,
};
use target::{FolderEntry, Roots};
use units::{Bytes, ErrorKind, Nanos, Seed};
use workload::{Access, Job, Mix, Span};

use super::discovery::select_hosts;
use super::*;
use crate::coordinator::collect::{KeptRecord, merge_records};
use crate::message::{
    self, AgentInfo, CellProgress, KeptRun, Phase, Refusal, Reply, RunState, Version,
    encode_with_piece,
};
use crate::name::{AgentName, RunName};
use crate::payload::{self, ChunkedPayload, PieceCollector};
use crate::spool::Manifest;
use crate::testing::fuzz;

fn ours() -> Version {
    Version::current("1.0")
}

fn run() -> RunName {
    "r1".parse().unwrap()
}

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

fn agent() -> AgentInfo {
    AgentInfo {
        name: name("a"),
        instance: 7,
        labels: BTreeMap::from([("rack".to_owned(), "b4".to_owned())]),
        environment: record::fixture::ssd_record().measured.environment,
        allow: vec!["/srv".to_owned()],
        read_only: true,
        busy: None,
        relay: false,
        kept: vec![KeptRun {
            run: run(),
            started: "2026-11-21T02:03:04Z".parse().unwrap(),
            purpose: "limit".to_owned(),
        }],
    }
}

fn states() -> Vec<RunState> {
    let live = CellProgress { measured_ns: 5, iops: 10.0, bytes_per_second: 1.0, silent_ns: 0 };
    let (what, hint) = ("a disk".to_owned(), Some("another".to_owned()));
    [
        Phase::Examined { target: None },
        Phase::Measuring { turn: 7 },
        Phase::NotMeasured { turn: 7, what: what.clone() },
        Phase::Finished { record: "id".to_owned() },
        Phase::Failed(Refusal { what, hint, kind: ErrorKind::WrongRequest }),
    ]
    .map(|phase| RunState {
        run: run(),
        phase,
        live: Some(live),
        going: Some(fio_run::EtaState::default()),
        others: Some(record::OthersSeen::default()),
    })
    .to_vec()
}

fn replies() -> Vec<Reply> {
    vec![
        Reply::Clock { monotonic_ns: 77 },
        Reply::Accepted,
        Reply::Refused(Refusal { what: "no".to_owned(), hint: None, kind: ErrorKind::Refused }),
        Reply::Piece { pieces: 2, sha256: "0".repeat(64) },
    ]
}

/// Introductions, states and replies: read and checked.
#[test]
fn fuzz_answers() {
    let mut seeds = vec![message::encode(&ours(), &agent()).unwrap()];
    seeds.extend(states().iter().map(|state| message::encode(&ours(), state).unwrap()));
    seeds
        .extend(replies().iter().map(|reply| encode_with_piece(&ours(), reply, b"piece").unwrap()));
    fuzz("answers", &seeds, &mut |_, bytes| {
        if let Ok(agent) = message::decode::<AgentInfo>(&ours(), bytes) {
            let found = vec![FoundAgent { agent: Ok(agent) }];
            let _ = select_hosts(found, &HostSelection::default(), &ours());
        }
        if let Ok(state) = message::decode::<RunState>(&ours(), bytes) {
            let _ = (state.phase.is_over(), state.live.map(|live| live.is_sound()));
            let _ = state.going.map(|going| message::is_jobs_progress_sound(&going));
        }
        if let Ok((reply, piece)) = message::decode_with_piece::<Reply>(&ours(), bytes) {
            let _ = PieceCollector::default().add(reply, piece);
        }
    });
}

/// Payloads whose compressed bytes are damaged.
#[test]
fn fuzz_payloads() {
    let whole = |payload: ChunkedPayload| payload.piece(0).unwrap().1.to_vec();
    let (manifest, record) = (manifest(), record::fixture::ssd_record());
    let seeds = vec![
        whole(ChunkedPayload::pack(&manifest).unwrap()),
        whole(ChunkedPayload::pack(&record).unwrap()),
        whole(ChunkedPayload::from_packed(record::store::compress_record(&record).unwrap())),
        whole(ChunkedPayload::pack(&vec![0_u64; 100_000]).unwrap()),
    ];
    fuzz("parcels", &seeds, &mut |_, bytes| {
        let _ = payload::unpack_json::<Manifest>(bytes);
        let _ = payload::unpack_json::<Vec<HostCell>>(bytes);
        let _ = payload::unpack_json::<HostReadiness>(bytes);
        let _ = payload::unpack_record(bytes.to_vec());
    });
}

fn manifest() -> Manifest {
    let record = record::fixture::ssd_record();
    Manifest {
        run: run(),
        started: record.measured.started,
        purpose: "check".to_owned(),
        began_ns: record.measured.cells.iter().map(|cell| (cell.name.clone(), 7)).collect(),
        clock_error: Nanos(5),
        labels: BTreeMap::new(),
        sharing: FleetSpan::Own,
        hosts: vec![name("a"), name("b")],
        host_count: 3,
    }
}

fn json(content: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(content).unwrap()
}

/// What a host gives to a cell, added to what another gives.
#[test]
fn fuzz_cells() {
    let record = record::fixture::ssd_record();
    let host_cell = |cell| HostCell { began_ns: 1_000, cell: Box::new(cell) };
    let cells: Vec<HostCell> = record.measured.cells.into_iter().map(host_cell).collect();
    let seeds: Vec<Vec<u8>> = cells.iter().map(|cell| json(&vec![cell])).collect();
    fuzz("cells", &seeds, &mut |random, bytes| {
        let Ok(theirs) = serde_json::from_slice::<Vec<HostCell>>(bytes) else { return };
        let good = &cells[random.next_below(cells.len())];
        for given in &theirs {
            let total = TotalJob {
                job: &good.cell.job,
                role: CellRole::Main,
                planned: Nanos(1_000),
                idle: Vec::new(),
                missing: Vec::new(),
            };
            let part = |host, given| HostPart { host, host_cell: given, clock_error: Nanos(5) };
            let _ = merge_cells(&total, &[part("a", good), part("b", given)]);
        }
    });
}

/// A record and a manifest that an agent kept, or that was put into the server's stream: put
/// together with those of another host, and judged.
#[test]
fn fuzz_kept() {
    let good = || KeptRecord {
        manifest: manifest(),
        record: record::fixture::ssd_record(),
        from_stream: false,
    };
    let (plain, slip_text) = (json(&record::fixture::ssd_record()), json(&manifest()));
    let seeds = vec![plain.clone(), slip_text];
    fuzz("kept", &seeds, &mut |_, bytes| {
        let manifest = serde_json::from_slice::<Manifest>(bytes);
        let theirs = record::store::parse_record(bytes, std::path::Path::new("the record"));
        let gathered = match (manifest, theirs) {
            (Ok(manifest), _) => KeptRecord { manifest, ..good() },
            (_, Ok(record)) => KeptRecord { record, ..good() },
            _ => return,
        };
        let all = [(name("a"), good()), (name("b"), gathered)];
        let _ = merge_records(&run(), &all, Vec::new(), "1.0");
    });
}

/// Hosts that have what they say, and give nothing.
struct FakeHosts(Vec<HostReadiness>);

impl HostTransport for FakeHosts {
    fn prepare(
        &mut self,
        _: &method::HostRequest<'_>,
        _: &StopSignal,
        _: &mut dyn Observer,
    ) -> Result<method::HostGroup, MethodError> {
        let member = |(number, ready): (usize, &HostReadiness)| ReadyHost {
            host: FleetHost::new(format!("h{number}")),
            ready: ready.clone(),
        };
        let members = self.0.iter().enumerate().map(member).collect();
        let (run, span, absent) = ("r1".to_owned(), FleetSpan::Split, Vec::new());
        Ok(method::HostGroup { run, span, hosts: members, absent, processors: 1 })
    }

    fn measure(
        &mut self,
        orders: Vec<Vec<Job>>,
        _: CellRole,
        _: &StopSignal,
        _: &mut dyn FnMut(&Progress),
    ) -> Result<CellResults, MethodError> {
        let gave = orders
            .iter()
            .map(|_| HostResult::Lost(::message::Message::from_text("silent")))
            .collect();
        Ok(CellResults { started_at: Instant::now(), results: gave })
    }

    fn load_cells(&mut self, _: usize) -> Result<Vec<HostCell>, String> {
        Ok(Vec::new())
    }

    fn finish(&mut self, _: &Plan, _: &mut Fleet) {}
}

/// What a host says that it has: the jobs of all hosts are made of it.
#[test]
fn fuzz_readiness() {
    let record = record::fixture::ssd_record();
    let mut info = record.measured.targets[0].clone();
    info.kind = record::TargetKind::File;
    let ready = HostReadiness {
        environment: Environment::default(),
        info,
        calibration: record.measured.calibration.clone(),
        span: Span { offset: Bytes(0), length: Bytes::gib(1) },
        offset_align: Bytes(512),
        direct: true,
        writable: false,
        layout: None,
    };
    let request = SweepRequest {
        ask: MeasureRequest {
            path: "/srv".into(),
            size: None,
            read_only: true,
            destroy_data_on: None,
            max_written: None,
            seed: Seed(7),
            command: record::CommandLine::default(),
            version: "1.0".to_owned(),
        },
        plan: SweepPlan {
            parts: vec![Row { access: Access::Random, mix: Mix::Read, block_size: Bytes::kib(4) }],
            block_sizes: vec![Bytes::kib(4)],
            depths: vec![1, 16],
            precision: 0.02,
            cell_time: method::cell_times(Nanos::secs(1)),
            write_shares: Vec::new(),
        },
        budget: Nanos::secs(20),
        earlier: None,
    };
    let seeds = vec![json(&ready)];
    fuzz("readiness", &seeds, &mut |_, bytes| {
        let Ok(theirs) = serde_json::from_slice::<HostReadiness>(bytes) else { return };
        for both in [vec![theirs.clone()], vec![ready.clone(), theirs]] {
            let mut hosts = FakeHosts(both);
            let came: Result<Record, MethodError> = method::sweep(
                &request,
                method::Place::Hosts(&mut hosts),
                &StopSignal::default(),
                &mut SilentObserver,
                &mut |_| (),
            );
            drop(came);
        }
    });
}

/// What a host gives to fio's jobs: the plausible part becomes a run.
#[test]
fn fuzz_given() {
    let sent: SentJobs = serde_json::from_str(crate::testing::JOBS).unwrap();
    let words = fio_jobs::host_keywords(&Roots::host());
    let commission = RemoteJobs::from_sent(&sent, "a", &words).unwrap();
    let jobs = fio_jobs::type_sent_jobs(&sent, &words).unwrap();
    let fence = |path: &Path, _| Ok(FolderEntry::from_path(path).unwrap());
    let terms = RunPolicy { read_only: true, destroy: None, random_seed: 7, path_policy: &fence };
    let (stop, mut gate) = (StopSignal::default(), |clock: &engine::Clock| Some(clock.now()));
    let given = commission.run(&terms, &Roots::host(), &stop, &mut gate, &mut |_| {}).unwrap();
    assert_eq!(given.find_contradiction(&jobs.sections), None);
    let (mut believed, seeds) = (0, vec![json(&given), json(&sent)]);
    fuzz("given", &seeds, &mut |_, bytes| {
        if let Ok(theirs) = serde_json::from_slice::<RemoteResult>(bytes)
            && theirs.find_contradiction(&jobs.sections).is_none()
        {
            believed += 1;
            let _ = theirs.into_run(&jobs.sections, &[]);
        }
        if let Ok(theirs) = serde_json::from_slice::<SentJobs>(bytes) {
            let _ = fio_jobs::type_sent_jobs(&theirs, &words)
                .map(|jobs| fio_jobs::list_target_paths(&jobs.sections));
        }
    });
    assert!(believed > 0, "nothing was believed");
}
