//! Methods over several simulated devices as hosts, on the virtual clock.

use std::time::Instant;

use engine::SimulatedDevice;
use engine::simulated::{DeviceModel, Medium, Ssd};
use record::{Cell, Completion, Part, Record};
use units::{Bytes, Nanos, Seed};
use workload::{Access, Mix};

use super::*;
use crate::host_session::HostSession;
use crate::host_transport::{HostRequest, Place};
use crate::session::Session;
use crate::{
    CheckRequest, LimitRequest, MeasureRequest, Observer, SilentObserver, SweepRequest, cell_times,
    check, limit, sweep,
};

const CAPACITY: Bytes = Bytes::gib(4);

/// Hosts in this process: each has a device of its own with a clock of its own.
struct Rack<'a> {
    stations: Vec<HostSession<'a>>,
    span: FleetSpan,
    /// The host of this number is lost in this cell.
    lose: Option<(usize, usize)>,
    turn: usize,
    /// What each host gave to the last cell.
    gave: Vec<Vec<HostCell>>,
    /// What each host was ordered, cell by cell.
    ordered: Vec<Vec<u32>>,
    finished: bool,
}

impl HostTransport for Rack<'_> {
    fn prepare(
        &mut self,
        _: &HostRequest<'_>,
        _: &StopSignal,
        _: &mut dyn Observer,
    ) -> Result<HostGroup, MethodError> {
        let member = |(number, station): (usize, &HostSession<'_>)| {
            let mut ready = station.readiness();
            ready.info.kind = record::TargetKind::File;
            ReadyHost { host: FleetHost::new(format!("host{number}")), ready }
        };
        let members = self.stations.iter().enumerate().map(member).collect();
        let (run, absent) = ("run".to_owned(), Vec::new());
        Ok(HostGroup { run, span: self.span, hosts: members, absent, processors: 1 })
    }

    fn measure(
        &mut self,
        orders: Vec<Vec<Job>>,
        role: CellRole,
        stop: &StopSignal,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<CellResults, MethodError> {
        let turn = self.turn;
        self.turn += 1;
        self.ordered.push(orders.iter().map(|jobs| jobs.iter().map(|j| j.depth.0).sum()).collect());
        let began = Instant::now();
        let mut results = Vec::new();
        self.gave = vec![Vec::new(); orders.len()];
        for (number, (station, jobs)) in self.stations.iter_mut().zip(orders).enumerate() {
            results.push(match jobs.is_empty() {
                true => HostResult::Idle,
                false if self.lose == Some((turn, number)) => {
                    HostResult::Lost(message::Message::from_text("pulled"))
                }
                false => {
                    let start = &mut |clock: &engine::Clock| Some(clock.now());
                    match station.measure(&jobs, role, stop, start, progress) {
                        Ok(cells) => {
                            self.gave[number] = cells.unwrap_or_default();
                            HostResult::Measured
                        }
                        Err(error) => {
                            HostResult::Lost(message::Message::from_text(error.to_string()))
                        }
                    }
                }
            });
        }
        Ok(CellResults { started_at: began, results })
    }

    fn load_cells(&mut self, host: usize) -> Result<Vec<HostCell>, String> {
        Ok(self.gave[host].clone())
    }

    fn finish(&mut self, _: &Plan, _: &mut Fleet) {
        self.finished = true;
    }
}

fn ask() -> MeasureRequest {
    MeasureRequest {
        path: "simulated".into(),
        size: None,
        read_only: false,
        destroy_data_on: None,
        max_written: None,
        seed: Seed(7),
        command: record::CommandLine::default(),
        version: "test".to_owned(),
    }
}

/// One server of 100 us: ten thousand operations a second at any depth.
fn device(seed: u64) -> SimulatedDevice {
    let medium = Medium::Ssd(Ssd { channels: 1, bytes_per_second: 1e13, ..Ssd::FLASH });
    SimulatedDevice::new(DeviceModel::new(CAPACITY.0, medium), seed)
}

/// What `method` makes of this number of hosts, and what they were ordered.
fn on<T>(
    hosts: usize,
    span: FleetSpan,
    lose: Option<(usize, usize)>,
    method: impl FnOnce(&mut dyn HostTransport) -> T,
) -> (T, Vec<Vec<u32>>) {
    let stop = StopSignal::default();
    let mut watches: Vec<SilentObserver> = (0..hosts).map(|_| SilentObserver).collect();
    let stations = watches
        .iter_mut()
        .enumerate()
        .map(|(number, observer)| {
            let session = Session::simulated(device(number as u64), CAPACITY, &stop, observer);
            HostSession::with_session(session, ask())
        })
        .collect();
    let mut rack = Rack {
        stations,
        span,
        lose,
        turn: 0,
        gave: Vec::new(),
        ordered: Vec::new(),
        finished: false,
    };
    let came = method(&mut rack);
    (came, rack.ordered)
}

fn limited(hosts: usize, span: FleetSpan, lose: Option<(usize, usize)>) -> (Record, Vec<Vec<u32>>) {
    let request = LimitRequest {
        ask: ask(),
        plan: record::LimitPlan {
            parts: vec![Part { access: Access::Random, mix: Mix::Read, block_size: Bytes::kib(4) }],
            first_percent: None,
            arrivals: None,
            depth_min: None,
            depth_max: 256,
            probe_max: Nanos::secs(30),
        },
        bounds: vec!["p99<5ms".parse().unwrap()],
        budget: Nanos::secs(3600),
    };
    let (record, ordered) = on(hosts, span, lose, |hosts| {
        limit(&request, Place::Hosts(hosts), &StopSignal::default(), &mut SilentObserver)
    });
    (record.unwrap(), ordered)
}

fn iops(record: &Record) -> f64 {
    record.judgement_or_default().curves[0].main_limit().unwrap().iops.value
}

#[test]
fn four_hosts_have_four_times_the_limit_of_one() {
    let one = iops(&limited(1, FleetSpan::Own, None).0);
    assert!((one / 10_000.0 - 1.0).abs() < 0.02, "{one}");
    for span in [FleetSpan::Own, FleetSpan::Shared, FleetSpan::Split] {
        let (record, ordered) = limited(4, span, None);
        let four = iops(&record);
        assert!((four / one - 4.0).abs() < 0.08, "{span:?}: {four} of {one}");
        // The total depth is what the hosts had together, in every cell.
        for (cell, depths) in record.measured.cells.iter().zip(&ordered) {
            assert_eq!(cell.job.depth.0, depths.iter().sum::<u32>(), "{}", cell.name);
        }
        let fleet = record.measured.fleet.as_ref().unwrap();
        assert_eq!((fleet.hosts.len(), fleet.span), (4, span));
        assert_eq!(fleet.cells.len(), record.measured.cells.len());
        // At depth 1 one host works, and the others are named.
        let first = &fleet.cells[0];
        assert_eq!((first.hosts.len(), first.idle.len()), (1, 3), "{first:#?}");
        let ops: u64 = fleet
            .host_cells(&record.measured.cells[3].name)
            .flat_map(|(_, part)| part.cell.data_directions().map(|t| t.ops).collect::<Vec<_>>())
            .sum();
        assert_eq!(ops, record.measured.cells[3].data_directions().map(|t| t.ops).sum::<u64>());
    }
}

#[test]
fn a_lost_host_is_named_and_the_others_go_on() {
    let (record, ordered) = limited(4, FleetSpan::Own, Some((3, 2)));
    let fleet = record.measured.fleet.as_ref().unwrap();
    let degraded = &record.judgement_or_default().degraded;
    assert!(degraded[0].text().contains("host2 was lost"), "{degraded:?}");
    assert_eq!(fleet.cells[3].missing, ["host2"]);
    let lost = fleet.hosts[2].lost.as_ref().unwrap();
    assert_eq!(
        (lost.reason.text(), lost.cell.as_deref()),
        ("pulled", Some(&*record.measured.cells[3].name))
    );
    assert!(ordered[4..].iter().all(|depths| depths[2] == 0), "{ordered:?}");
    assert_eq!(record.measured.completion, Completion::Complete);
    let three = iops(&record);
    assert!((three / 30_000.0 - 1.0).abs() < 0.03, "{three}");
}

#[test]
fn when_all_are_lost_the_run_ends_with_what_there_is() {
    let (record, _) = limited(1, FleetSpan::Own, Some((2, 0)));
    let Completion::Partial { reason, failed: true } = &record.measured.completion else {
        panic!("{:?}", record.measured.completion)
    };
    assert!(
        reason.text().contains("all hosts were lost") && reason.text().contains("pulled"),
        "{reason:?}"
    );
    assert_eq!(record.measured.cells.len(), 2);
}

#[test]
fn a_check_and_a_sweep_stand_on_hosts_too() {
    let bounds = vec!["p99<10ms".parse().unwrap()];
    let (effort, until_throttled) = (record::Effort::Quick, None);
    let request = CheckRequest { ask: ask(), effort, bounds, until_throttled };
    let (checked, _) = on(2, FleetSpan::Own, None, |hosts| {
        check(&request, Place::Hosts(hosts), &StopSignal::default(), &mut SilentObserver)
    });
    let checked = checked.unwrap();
    let most = checked.measured.cells.iter().map(Cell::iops).fold(0.0, f64::max);
    assert!((most / 20_000.0 - 1.0).abs() < 0.05, "{most}");
    // Disks of their own: each is asked for what a check asks of one disk.
    let fleet = checked.measured.fleet.as_ref().unwrap();
    assert!(fleet.cells.iter().all(|met| met.hosts.len() == 2), "{:?}", fleet.cells);
    let depths = |cells: &mut dyn Iterator<Item = &Cell>| -> Vec<u32> {
        cells.filter(|cell| cell.role == CellRole::Main).map(|cell| cell.job.depth.0).collect()
    };
    let of_host = depths(&mut fleet.hosts[1].cells.iter().map(|part| &*part.cell));
    assert!(of_host.contains(&1) && of_host.contains(&8), "{of_host:?}");
    let of_all = depths(&mut checked.measured.cells.iter());
    assert!(of_all.iter().zip(&of_host).all(|(all, one)| *all == 2 * one), "{of_all:?}");
    assert!(checked.measured.cells.iter().all(|cell| cell.trial.is_none()));
    let plan = record::SweepPlan {
        parts: vec![Part { access: Access::Random, mix: Mix::Read, block_size: Bytes::kib(4) }],
        block_sizes: vec![Bytes::kib(4)],
        depths: vec![1, 16],
        precision: 0.02,
        cell_time: cell_times(Nanos::secs(1)),
        write_shares: Vec::new(),
    };
    let request = SweepRequest { ask: ask(), plan, budget: Nanos::secs(20), earlier: None };
    let (swept, _) = on(2, FleetSpan::Shared, None, |hosts| {
        sweep(
            &request,
            Place::Hosts(hosts),
            &StopSignal::default(),
            &mut SilentObserver,
            &mut |_| (),
        )
    });
    let swept = swept.unwrap();
    let at = |depth| {
        let of = swept.measured.cells.iter().find(|cell| cell.job.depth.0 == depth);
        of.map(Cell::iops).unwrap()
    };
    let (shallow, deep) = (at(1) / 10_000.0, at(16) / 20_000.0);
    assert!((shallow - 1.0).abs() < 0.02 && (deep - 1.0).abs() < 0.02, "{shallow} {deep}");
}

#[test]
fn a_station_refuses_what_it_may_not_do() {
    let (stop, mut silent) = (StopSignal::default(), SilentObserver);
    let mut session = Session::simulated(device(1), CAPACITY, &stop, &mut silent);
    session.facts.writable = false;
    let good = Job { name: "good".to_owned(), ..session.base_job() };
    let mut station = HostSession::with_session(session, ask());
    let mut refused = |jobs: &[Job]| {
        let start = &mut |clock: &engine::Clock| Some(clock.now());
        let came =
            station.measure(jobs, CellRole::Main, &StopSignal::default(), start, &mut |_| ());
        came.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let with = |change: &dyn Fn(&mut Job)| {
        let mut job = good.clone();
        change(&mut job);
        [job]
    };
    assert!(refused(&with(&|job| job.span.offset = CAPACITY)).contains("leaves the part"));
    assert!(refused(&with(&|job| job.span.offset = Bytes(u64::MAX))).contains("leaves the part"));
    assert!(refused(&with(&|job| job.mix = Mix::Write)).contains("nothing may be written"));
    assert!(refused(&with(&|job| job.depth.0 = u32::MAX)).contains("at the same time"));
    assert!(refused(&with(&|job| job.stop.time = None)).contains("no end"));
    assert!(refused(&with(&|job| job.warm_up = Nanos(u64::MAX))).contains("warms up"));
    assert!(refused(&with(&|job| job.interval = Nanos(9))).contains("intervals of"));
    assert!(refused(&[]).contains("0 jobs"));
}

/// The coordinator measures a job again whose first figures it left out, under the same name.
#[test]
fn a_job_measured_again_takes_the_place_of_its_first_figures() {
    let (stop, mut silent) = (StopSignal::default(), SilentObserver);
    let session = Session::simulated(device(1), CAPACITY, &stop, &mut silent);
    let job = session.base_job();
    let mut station = HostSession::with_session(session, ask());
    let mut measure = |seconds: u64| {
        let job = Job { stop: workload::Stop::after(Nanos::secs(seconds)), ..job.clone() };
        let start = &mut |clock: &engine::Clock| Some(clock.now());
        let stop = StopSignal::default();
        let came = station.measure(&[job], CellRole::Main, &stop, start, &mut |_| ());
        came.unwrap().unwrap().remove(0).cell
    };
    let (first, second) = (measure(1), measure(3));
    assert!(first.name == second.name && first.elapsed < second.elapsed);
    let record = station.finish(record::fixture::ssd_record().measured.plan, None);
    let kept: Vec<_> = record.measured.cells.iter().map(|cell| cell.elapsed).collect();
    assert_eq!(kept, [second.elapsed]);
}
