//! Answers of anybody, as a coordinator reads them, adds them up, and judges them.

use std::collections::BTreeMap;
use std::path::Path;

use analysis::fleet::{Part, Total, merged};
use engine::{Progress, StopFlag};
use method::fio::{self as fio_jobs, Commission, Given, SentJobs, Terms};
use method::{
    Ask, Gave, Hosts, Member, MethodError, Readiness, Round, Silent, SweepRequest, Watch,
};
use record::{
    CellRole, Environment, Fleet, FleetHost, FleetSpan, HostCell, Part as Row, Plan, Record,
    SweepPlan,
};
use target::{FolderEntry, Roots};
use units::{Bytes, Nanos, Seed};
use workload::{Access, Job, Mix, Span};

use super::*;
use crate::agent::Slip;
use crate::coordinator::collect::{Gathered, together};
use crate::message::{Going, Kept, Live, Phase, Reply, State, encode_with};
use crate::parcel::{self, Parcel};
use crate::testing::fuzz;

fn ours() -> Version {
    Version::ours("1.0")
}

fn run() -> RunName {
    "r1".parse().unwrap()
}

fn name(text: &str) -> Name {
    text.parse().unwrap()
}

fn introduction() -> Introduction {
    Introduction {
        name: name("a"),
        instance: 7,
        labels: BTreeMap::from([("rack".to_owned(), "b4".to_owned())]),
        environment: record::fixture::ssd().measured.environment,
        allow: vec!["/srv".to_owned()],
        read_only: true,
        busy: None,
        kept: vec![Kept {
            run: run(),
            started: "2026-11-21T02:03:04Z".parse().unwrap(),
            purpose: "limit".to_owned(),
        }],
    }
}

fn states() -> Vec<State> {
    let live = Live { measured_ns: 5, iops: 10.0, bytes_per_second: 1.0, silent_ns: 0 };
    let (what, hint) = ("a disk".to_owned(), Some("another".to_owned()));
    [
        Phase::Examined,
        Phase::Measuring { turn: 7 },
        Phase::NotMeasured { turn: 7, what: what.clone() },
        Phase::Finished { record: "id".to_owned() },
        Phase::Failed { what, hint, status: 2 },
    ]
    .map(|phase| State { run: run(), phase, live: Some(live), going: Some(Going::default()) })
    .to_vec()
}

fn replies() -> Vec<Reply> {
    vec![
        Reply::Pong { monotonic_ns: 77 },
        Reply::Accepted,
        Reply::Refused { what: "no".to_owned(), hint: None, status: 4 },
        Reply::Piece { pieces: 2, sha256: "0".repeat(64) },
    ]
}

/// Introductions, states and replies: read, and looked at by whoever looks at them.
#[test]
fn fuzz_answers() {
    let mut seeds = vec![message::encode(&ours(), &introduction()).unwrap()];
    seeds.extend(states().iter().map(|state| message::encode(&ours(), state).unwrap()));
    seeds.extend(replies().iter().map(|reply| encode_with(&ours(), reply, b"piece").unwrap()));
    fuzz("answers", &seeds, &mut |_, bytes| {
        if let Ok(introduction) = message::decode::<Introduction>(&ours(), bytes) {
            let found = vec![Found { agent: Ok(introduction) }];
            let _ = roll::chosen(found, &Who::default(), &ours());
        }
        if let Ok(state) = message::decode::<State>(&ours(), bytes) {
            let _ = (state.phase.is_over(), state.live.map(|live| live.is_sound()));
            let _ = state.going.map(|going| going.is_sound());
        }
        if let Ok((Reply::Piece { pieces, sha256 }, piece)) =
            message::decode_with::<Reply>(&ours(), bytes)
        {
            let _ = parcel::reasonable(pieces);
            let _ = parcel::joined(&[piece.to_vec()], &sha256);
        }
    });
}

/// Parcels whose compressed bytes are damaged.
#[test]
fn fuzz_parcels() {
    let whole = |parcel: Parcel| parcel.piece(0).unwrap().to_vec();
    let (slip, record) = (slip(), record::fixture::ssd());
    let seeds = vec![
        whole(Parcel::pack(&slip).unwrap()),
        whole(Parcel::pack(&record).unwrap()),
        whole(Parcel::of(record::store::compress(&record).unwrap())),
        whole(Parcel::pack(&vec![0_u64; 100_000]).unwrap()),
    ];
    fuzz("parcels", &seeds, &mut |_, bytes| {
        let _ = parcel::content::<Slip>(bytes);
        let _ = parcel::content::<Vec<HostCell>>(bytes);
        let _ = parcel::content::<Readiness>(bytes);
        let _ = parcel::record(bytes);
    });
}

fn slip() -> Slip {
    let record = record::fixture::ssd();
    Slip {
        run: run(),
        started: record.measured.started,
        purpose: "check".to_owned(),
        began_ns: record.measured.cells.iter().map(|cell| (cell.name.clone(), 7)).collect(),
        clock_error: Nanos(5),
        labels: BTreeMap::new(),
        sharing: FleetSpan::Own,
        hosts: vec![name("a"), name("b")],
    }
}

fn json(content: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(content).unwrap()
}

/// What a host gives to a cell, added to what another gives.
#[test]
fn fuzz_cells() {
    let record = record::fixture::ssd();
    let cells: Vec<HostCell> =
        record.measured.cells.into_iter().map(|cell| HostCell { began_ns: 1_000, cell }).collect();
    let seeds: Vec<Vec<u8>> = cells.iter().map(|cell| json(&vec![cell])).collect();
    fuzz("cells", &seeds, &mut |random, bytes| {
        let Ok(theirs) = serde_json::from_slice::<Vec<HostCell>>(bytes) else { return };
        let good = &cells[random.below(cells.len())];
        for given in &theirs {
            let total = Total {
                job: &good.cell.job,
                role: CellRole::Main,
                planned: Nanos(1_000),
                idle: Vec::new(),
                missing: Vec::new(),
            };
            let part = |host, given| Part { host, given, clock_error: Nanos(5) };
            let _ = merged(&total, &[part("a", good), part("b", given)]);
        }
    });
}

/// A record and a slip that an agent kept, or that somebody put into the server's stream: put
/// together with those of another host, and judged.
#[test]
fn fuzz_kept() {
    let good = || Gathered { slip: slip(), record: record::fixture::ssd(), from_stream: false };
    let (plain, slip_text) = (json(&record::fixture::ssd()), json(&slip()));
    let seeds = vec![plain.clone(), slip_text];
    fuzz("kept", &seeds, &mut |_, bytes| {
        let slip = serde_json::from_slice::<Slip>(bytes);
        let theirs = record::store::parse(bytes, std::path::Path::new("the record"));
        let gathered = match (slip, theirs) {
            (Ok(slip), _) => Gathered { slip, ..good() },
            (_, Ok(record)) => Gathered { record, ..good() },
            _ => return,
        };
        let all = [(name("a"), good()), (name("b"), gathered)];
        let _ = together(&run(), &all, Vec::new(), "1.0");
    });
}

/// Hosts that have what they say, and give nothing.
struct Sayers(Vec<Readiness>);

impl Hosts for Sayers {
    fn prepare(
        &mut self,
        _: &method::Asked<'_>,
        _: &StopFlag,
        _: &mut dyn Watch,
    ) -> Result<method::Party, MethodError> {
        let member = |(number, ready): (usize, &Readiness)| Member {
            host: FleetHost::named(format!("h{number}")),
            ready: ready.clone(),
        };
        let members = self.0.iter().enumerate().map(member).collect();
        let (run, span, absent) = ("r1".to_owned(), FleetSpan::Split, Vec::new());
        Ok(method::Party { run, span, members, absent, processors: 1 })
    }

    fn measure(
        &mut self,
        orders: Vec<Vec<Job>>,
        _: CellRole,
        _: &StopFlag,
        _: &mut dyn FnMut(&Progress),
    ) -> Result<Round, MethodError> {
        let gave = orders.iter().map(|_| Gave::Lost("silent".to_owned())).collect();
        Ok(Round { began: Instant::now(), gave })
    }

    fn finish(&mut self, _: &Plan, _: &mut Fleet) {}
}

/// What a host says that it has: the jobs of all hosts are made of it.
#[test]
fn fuzz_readiness() {
    let record = record::fixture::ssd();
    let mut info = record.measured.targets[0].clone();
    info.kind = record::TargetKind::File;
    let ready = Readiness {
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
        ask: Ask {
            path: "/srv".into(),
            size: None,
            read_only: true,
            destroy: None,
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
        let Ok(theirs) = serde_json::from_slice::<Readiness>(bytes) else { return };
        for both in [vec![theirs.clone()], vec![ready.clone(), theirs]] {
            let mut hosts = Sayers(both);
            let came: Result<Record, MethodError> =
                method::sweep_on(&request, &mut hosts, &StopFlag::default(), &mut Silent);
            drop(came);
        }
    });
}

/// What a host gives to fio's jobs: what is believed of it is told as a run.
#[test]
fn fuzz_given() {
    let sent: SentJobs = serde_json::from_str(crate::testing::JOBS).unwrap();
    let words = fio_jobs::keywords(&Roots::host());
    let commission = Commission::received(&sent, "a", &words).unwrap();
    let jobs = fio_jobs::told(&sent, &words).unwrap();
    let fence = |path: &Path, _| Ok(FolderEntry::at(path).unwrap());
    let terms = Terms { read_only: true, destroy: None, fresh: 7, fence: &fence };
    let (stop, mut gate) = (StopFlag::default(), |clock: &engine::Clock| Some(clock.now()));
    let given = commission.run(&terms, &Roots::host(), &stop, &mut gate, &mut |_| {}).unwrap();
    assert_eq!(given.unsound(&jobs.sections), None);
    let (mut believed, seeds) = (0, vec![json(&given), json(&sent)]);
    fuzz("given", &seeds, &mut |_, bytes| {
        if let Ok(theirs) = serde_json::from_slice::<Given>(bytes)
            && theirs.unsound(&jobs.sections).is_none()
        {
            believed += 1;
            let _ = theirs.into_run(&jobs.sections, &[]);
        }
        if let Ok(theirs) = serde_json::from_slice::<SentJobs>(bytes) {
            let _ = fio_jobs::told(&theirs, &words).map(|jobs| fio_jobs::places(&jobs.sections));
        }
    });
    assert!(believed > 0, "nothing was believed");
}
