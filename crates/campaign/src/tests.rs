use super::*;
use crate::oracle::Outcome;
use crate::world::{DeviceLaw, Disturbance, Procedure};

/// A quick check of a device that nothing disturbs.
fn plain_world() -> SimulatedWorld {
    let numbers = (0..).step_by(world::KINDS.len());
    let mut worlds = numbers.map(|number| draw_world(1, number).unwrap().current());
    worlds.find(|world| world.procedure == Procedure::Quick).unwrap()
}

#[test]
fn the_same_seed_and_number_are_the_same_world_and_record() {
    let draw = |seed, number| draw_world(seed, number).unwrap().current();
    assert_eq!(draw(1, 3), draw(1, 3));
    assert_ne!(draw(1, 3), draw(2, 3));
    assert_ne!(draw(1, 3), draw(1, 11));
    let world = plain_world();
    let figures = || {
        let record = measure::measure(&world).unwrap();
        record.measured.cells.iter().map(|cell| cell.iops()).collect::<Vec<_>>()
    };
    assert_eq!(figures(), figures());
}

#[test]
fn the_oracle_sees_a_figure_that_is_off_and_blame_of_what_is_not_there() {
    let world = plain_world();
    let mut record = measure::measure(&world).unwrap();
    let before = oracle::compare(&world, &record).unwrap();
    let judgement = record.judgement.as_mut().unwrap();
    judgement.curves[0].points[0].iops *= 1.2;
    let stall = record::FindingId::Stall;
    let finding = judgement.findings.iter_mut().find(|finding| finding.id == stall).unwrap();
    finding.status = record::Status::Warning;
    finding.cells = vec!["none of the figures".to_owned()];
    let after = oracle::compare(&world, &record).unwrap();
    let added: Vec<&String> =
        after.failures().filter(|words| before.failures().all(|other| other != *words)).collect();
    let begins =
        ["randread-4k at depth 1: ", "the record as JSON is judged otherwise", "false stall: "];
    assert_eq!(added.len(), begins.len(), "{added:?}");
    assert!(added.iter().zip(begins).all(|(one, begin)| one.starts_with(begin)), "{added:?}");
}

#[test]
fn the_oracle_sees_a_change_that_was_not_there_or_at_another_time() {
    let step = Disturbance::Step { before: 100, at_ms: 6_000, after: 30 };
    let stepped = SimulatedWorld { disturbance: step, ..plain_world() };
    for (world, gradual, until_s, why) in [
        (plain_world(), false, 5, "is not there"),
        (stepped.clone(), true, 5, "is no ramp"),
        (stepped, false, 12, "was earlier"),
    ] {
        let mut record = measure::measure(&world).unwrap();
        let (iops, until) = (units::Iops(9_000.0), units::Nanos::secs(until_s));
        let earlier = Some(record::EarlierRate { iops, until, gradual });
        record.judgement.as_mut().unwrap().curves[0].earlier = earlier;
        let outcome = oracle::compare(&world, &record).unwrap();
        assert!(outcome.false_blame.iter().any(|words| words.ends_with(why)), "{outcome:?}");
    }
}

fn world(device: DeviceLaw, disturbance: Disturbance, procedure: Procedure) -> SimulatedWorld {
    SimulatedWorld { device, disturbance, procedure, seed: 24 }
}

const FLASH: DeviceLaw = DeviceLaw {
    channels: 8,
    service_us: 1_200,
    write_percent: 90,
    link_mb: 1_400,
    noise_percent: 60,
    crowded_from: 0,
    rotates: false,
    capped_percent: 0,
};

fn device(channels: u32, service_us: u64, write_percent: u64, noise_percent: u32) -> DeviceLaw {
    DeviceLaw { channels, service_us, write_percent, noise_percent, ..FLASH }
}

fn assert_judged_rightly(world: &SimulatedWorld) {
    let outcome = try_once(world).unwrap();
    assert_eq!(outcome.failures().collect::<Vec<_>>(), Vec::<&String>::new(), "{world:?}");
}

/// Further ones, with devices of their own.
fn shrunk_worlds() -> [SimulatedWorld; 3] {
    let cap = |percent, in_bytes, slice_ms| {
        let scope = engine::simulated::ThrottleScope::Reads;
        Disturbance::Cap { percent, in_bytes, scope, slice_ms }
    };
    let stop = Disturbance::Stop { start_ms: 5_011, lasts_ms: 922, every_ms: 3_510 };
    [
        // A deep queue hid the pauses between the slices of a cap of bytes.
        world(device(5, 849, 142, 101), cap(66, true, 100), Procedure::Limit(35)),
        // A cap of reads only.
        world(device(12, 1_697, 69, 12), cap(43, false, 0), Procedure::Standard),
        // A whole probe of a search within a stop.
        world(device(5, 300, 62, 118), stop, Procedure::Limit(19)),
    ]
}

/// Of a small cap by bytes, which holds back what follows a large request: none fell silent.
#[test]
fn what_a_large_request_owes_a_cap_of_bytes_is_no_stall() {
    use engine::simulated::ThrottleScope::{Both, Reads};
    let worlds = [
        (device(5, 1_427, 30, 50), (14, Reads, 100), 301),
        (device(1, 1_427, 32, 73), (82, Both, 0), 720),
        (device(2, 1_427, 90, 115), (27, Both, 100), 44),
    ];
    for (device, (percent, scope, slice_ms), seed) in worlds {
        let disturbance = Disturbance::Cap { percent, in_bytes: true, scope, slice_ms };
        let procedure = Procedure::Quick;
        assert_judged_rightly(&SimulatedWorld { device, disturbance, procedure, seed });
    }
}

/// Worlds of a campaign in which text, badge or exit status were wrong, or a cause was named twice.
#[test]
fn text_badge_and_exit_status_agree() {
    let link = |link_mb, crowded_from, device| DeviceLaw { link_mb, crowded_from, ..device };
    let limit = |factor| Procedure::Limit(factor);
    let length = units::Bytes::mib(8);
    let worlds = [
        // The rate of a probe that saw the end of the burst was called the rate before it.
        (
            link(1_482, 49, device(9, 714, 147, 74)),
            Disturbance::Bucket { burst: 51, base: 5, lasts_ms: 6_526 },
            (limit(20), 788),
        ),
        // A bound was unreachable by a load that had lost most of its processor time.
        (
            link(1_041, 0, device(2, 424, 65, 36)),
            Disturbance::Quota { percent: 11, operation_us: 164 },
            (limit(40), 746),
        ),
        // Sound, after an operation had failed.
        (
            link(418, 0, device(9, 424, 146, 39)),
            Disturbance::Error { at_percent: 40, length, start_ms: 0 },
            (Procedure::Quick, 560),
        ),
        // Holes were called impossible besides, and so was the page cache.
        (
            link(1_548, 25, device(5, 357, 148, 91)),
            Disturbance::Holes { written_percent: 3, read_us: 17 },
            (Procedure::Quick, 239),
        ),
    ];
    for (device, disturbance, (procedure, seed)) in worlds {
        assert_judged_rightly(&SimulatedWorld { device, disturbance, procedure, seed });
    }
}

/// Worlds in which a judgement was wrong, and what it did not see.
#[test]
fn worlds_that_were_judged_wrongly_are_judged_rightly() {
    let limit = |factor| Procedure::Limit(factor);
    let neighbour = Disturbance::Neighbour {
        start_ms: 100,
        lasts_ms: 30_000,
        every_ms: 0,
        percent: 84,
        length_kib: 4,
    };
    let worlds = [
        // The limit was that of the time before, and all was sound: no load was repeated.
        world(FLASH, Disturbance::Bucket { burst: 119, base: 10, lasts_ms: 18_412 }, limit(20)),
        // Small requests of others took four fifths of the sequential reads.
        world(FLASH, neighbour, Procedure::Quick),
        // Half of the rate at depth 1 was unmarked beside cells that had lost more.
        world(FLASH, Disturbance::Quota { percent: 10, operation_us: 145 }, Procedure::Quick),
    ];
    for world in worlds.into_iter().chain(shrunk_worlds()) {
        assert!(try_once(&world).unwrap().disturbed, "{world:?}");
        assert_judged_rightly(&world);
    }
}

/// Worlds of a campaign in which something was blamed, or ruled out, on too little.
#[test]
fn what_chance_or_one_slow_operation_makes_is_blamed_on_nothing() {
    let link = |link_mb, crowded_from, device| DeviceLaw { link_mb, crowded_from, ..device };
    let length = units::Bytes::kib(128);
    let worlds = [
        // One read of 110 ms held up the queue of its channel: a stall.
        (
            link(1_052, 0, device(6, 2_400, 100, 96)),
            Disturbance::Error { at_percent: 92, length, start_ms: 0 },
            (Procedure::Limit(10), 654),
        ),
        // Half of the probes of one server were alike by chance: a cap.
        (
            link(797, 64, device(1, 1_200, 53, 60)),
            Disturbance::Quota { percent: 21, operation_us: 81 },
            (Procedure::Standard, 262),
        ),
        (
            link(1_990, 9, device(1, 1_009, 120, 56)),
            Disturbance::Sleep { after_ms: 2_096, wake_ms: 38 },
            (Procedure::Standard, 670),
        ),
        // Nine of ten reads after a pause came from the half that is written: the device sleeps.
        (
            link(1_466, 0, device(7, 1_697, 50, 90)),
            Disturbance::Holes { written_percent: 48, read_us: 29 },
            (Procedure::Quick, 779),
        ),
        // The page cache answered nearly half of the reads: so did a cache below this host.
        (
            link(853, 0, device(1, 300, 96, 118)),
            Disturbance::PageCache { cached_percent: 49, read_us: 8 },
            (Procedure::Quick, 165),
        ),
        // Deep queues were slower again just beyond a cap: more depth gave no more, so it was none.
        (
            link(1_004, 25, device(9, 2_018, 115, 29)),
            Disturbance::Bucket { burst: 66, base: 18, lasts_ms: 25_853 },
            (Procedure::Limit(11), 340),
        ),
        // The rate swings every 103 ms: no cap.
        (
            link(451, 43, device(3, 424, 46, 28)),
            Disturbance::Period { high: 153, high_ms: 38, low: 25, low_ms: 65 },
            (Procedure::Limit(40), 959),
        ),
    ];
    for (device, disturbance, (procedure, seed)) in worlds {
        assert_judged_rightly(&SimulatedWorld { device, disturbance, procedure, seed });
    }
}

#[test]
fn a_cap_beside_another_disturbance_is_not_ruled_out_unseen() {
    let device = DeviceLaw { capped_percent: 30, ..FLASH };
    let disturbance = Disturbance::Stall { every_ms: 4_000, lasts_ms: 400 };
    let world = world(device, disturbance, Procedure::Standard);
    let mut record = measure::measure(&world).unwrap();
    assert_eq!(oracle::compare(&world, &record).unwrap().missed, Vec::<String>::new());
    let findings = &mut record.judgement.as_mut().unwrap().findings;
    let cap = record::FindingId::ProviderLimit;
    findings.iter_mut().find(|finding| finding.id == cap).unwrap().status = record::Status::Ok;
    let missed = oracle::compare(&world, &record).unwrap().missed;
    assert!(missed.len() == 1 && missed[0].contains("a cap took"), "{missed:?}");
}

#[test]
fn a_frozen_file_system_is_a_stall_of_what_writes() {
    let frozen = |start_ms, procedure| {
        world(FLASH, Disturbance::Freeze { start_ms, lasts_ms: 1_500 }, procedure)
    };
    let worlds = [4_000, 5_500, 7_000].map(|start_ms| frozen(start_ms, Procedure::Quick));
    worlds.iter().for_each(assert_judged_rightly);
    let is_disturbed = |world: &SimulatedWorld| try_once(world).unwrap().disturbed;
    assert!(worlds.iter().any(is_disturbed));
    assert!(!is_disturbed(&frozen(5_500, Procedure::Limit(20))), "what only reads passes");
}

/// As many worlds as take a minute of processor time where only the simulated device is optimised.
const WORLDS: u64 = 120;

/// The failures of each way among them that are known; fewer are welcome.
#[test]
fn random_worlds_are_judged_as_well_as_before() {
    let time_max = Duration::MAX;
    let request = CampaignRequest { worlds: WORLDS, seed: 1, first: 0, shrink: 0, time_max };
    let results = measure_worlds(&request).unwrap();
    let worlds_with = |failures: fn(&Outcome) -> &Vec<String>| {
        let failed = results.iter().filter(|result| !failures(&result.outcome).is_empty());
        Vec::from_iter(failed.map(|result| (result.number, &failures(&result.outcome)[0])))
    };
    let check = |what: &str, failures: fn(&Outcome) -> &Vec<String>, known: usize| {
        let failed = worlds_with(failures);
        assert!(failed.len() <= known, "{what} in {} of {WORLDS}: {failed:#?}", failed.len());
    };
    check("wrong figures", |outcome| &outcome.wrong_figures, 0);
    check("wrong claims", |outcome| &outcome.wrong_limits, 0);
    check("false blame", |outcome| &outcome.false_blame, 0);
    check("missed", |outcome| &outcome.missed, 2);
}

/// What the history keeps of a standard check: its record and its page.
#[test]
fn sixty_checks_take_at_most_25_mb() {
    const KEPT_MAX: usize = 25_000_000 / 60;
    let device = DeviceLaw { service_us: 400, ..FLASH };
    let record =
        measure::measure(&world(device, Disturbance::Nothing, Procedure::Standard)).unwrap();
    let page = report::render_html(&record, report::Style::PLAIN.language).unwrap().len();
    let kept = record::store::compress_record(&record).unwrap().len();
    let cells = record.measured.cells.len();
    assert!(cells > 100 && kept + page <= KEPT_MAX, "{cells} cells: {kept} + {page} bytes");
}

#[test]
fn a_campaign_whose_time_is_over_begins_no_world() {
    let time_max = Duration::ZERO;
    let request = CampaignRequest { worlds: 4, seed: 1, first: 0, shrink: 0, time_max };
    assert!(measure_worlds(&request).unwrap().is_empty());
}
