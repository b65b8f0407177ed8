//! How the jobs of a cell are shared out among hosts: pure arithmetic.

use units::{Bytes, BytesPerSecond, Depth, Iops, Seed};
use workload::{Cap, Caps, Job, Pacing, Span, Stop};

use record::FleetSpan;

/// Between the seeds of two hosts: an odd number without a pattern (2^64 over the golden ratio), so
/// that no two hosts visit blocks in the same order.
const SEED_STRIDE: u64 = 0x9E37_79B9_7F4A_7C15;

#[derive(Debug, Clone, Copy)]
pub(super) struct HostShare {
    pub(super) span: Span,
    pub(super) number: usize,
}

/// The jobs of each host that is left, in their order. `all` is how many hosts the run began with:
/// a part that belonged to a lost host is nobody's. `turn` is the number of the cell.
pub(super) fn split_jobs(
    jobs: &[Job],
    places: &[HostShare],
    sharing: FleetSpan,
    all: usize,
    turn: u64,
) -> Vec<Vec<Job>> {
    let mut orders = vec![Vec::new(); places.len()];
    let mut first = 0;
    for job in jobs {
        let takers = count_participants(job, places.len());
        for share in 0..takers {
            let host = (first + share) % places.len();
            let HostShare { span, number } = places[host];
            let span = match sharing {
                FleetSpan::Own | FleetSpan::Shared => span,
                FleetSpan::Split => host_span(span, number, all, turn),
            };
            let job = Job {
                span,
                seed: Seed(job.seed.0.wrapping_add(SEED_STRIDE.wrapping_mul(number as u64))),
                ..split_job(job, share as u64, takers as u64)
            };
            orders[host].push(job);
        }
        // The next job begins where this one ended: two small ones are not on the same host.
        first += takers;
    }
    orders
}

/// How many hosts a job takes: in a closed loop each needs an operation outstanding.
fn count_participants(job: &Job, hosts: usize) -> usize {
    match job.pacing {
        Pacing::Open { .. } => hosts,
        Pacing::Closed | Pacing::Spaced { .. } => hosts.min(job.depth.0.max(1) as usize),
    }
}

fn split_job(job: &Job, share: u64, takers: u64) -> Job {
    let whole = |total: u64| total / takers + u64::from(share < total % takers);
    let depth = (whole(u64::from(job.depth.0)) as u32).max(1);
    Job {
        depth: Depth(depth),
        workers: job.workers.min(depth),
        pacing: match job.pacing {
            Pacing::Open { rate, arrivals } => {
                Pacing::Open { rate: Iops(rate.0 / takers as f64), arrivals }
            }
            pacing => pacing,
        },
        caps: Caps {
            read: job.caps.read.map(|cap| divide_cap(cap, takers)),
            write: job.caps.write.map(|cap| divide_cap(cap, takers)),
            trim: job.caps.trim.map(|cap| divide_cap(cap, takers)),
        },
        stop: Stop {
            time: job.stop.time,
            bytes: job.stop.bytes.map(|bytes| Bytes(whole(bytes.0).max(1))),
            operations: job.stop.operations.map(|operations| whole(operations).max(1)),
        },
        ..job.clone()
    }
}

fn divide_cap(cap: Cap, takers: u64) -> Cap {
    match cap {
        Cap::Operations(rate) => Cap::Operations(Iops(rate.0 / takers as f64)),
        Cap::Bytes(rate) => Cap::Bytes(BytesPerSecond(rate.0 / takers as f64)),
    }
}

/// The part of a shared span that host `number` of `all` touches in cell `turn`: another one each
/// time, which no other host touches meanwhile.
fn host_span(span: Span, number: usize, all: usize, turn: u64) -> Span {
    let all = all.max(1) as u64;
    let length = host_span_length(span.length, all);
    let place = (number as u64 + turn) % all;
    Span { offset: Bytes(span.offset.0 + place * length.0), length }
}

/// The length of a host's part: whole MiB, so that every block size fits.
pub(super) fn host_span_length(length: Bytes, all: u64) -> Bytes {
    Bytes(length.0 / all.max(1) / Bytes::MIB * Bytes::MIB)
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::Nanos;
    use workload::Arrivals;

    fn places(hosts: usize) -> Vec<HostShare> {
        let span = Span { offset: Bytes(4096), length: Bytes::mib(100) };
        (0..hosts).map(|number| HostShare { span, number }).collect()
    }

    fn depths(orders: &[Vec<Job>]) -> Vec<Vec<u32>> {
        orders.iter().map(|jobs| jobs.iter().map(|job| job.depth.0).collect()).collect()
    }

    #[test]
    fn depth_is_shared_out_and_none_is_lost() {
        let check = |hosts, depth, expected: &[&[u32]]| {
            let job = Job { depth: Depth(depth), ..Job::base() };
            let orders = split_jobs(&[job], &places(hosts), FleetSpan::Own, hosts, 0);
            assert_eq!(depths(&orders), expected, "{depth} over {hosts}");
        };
        check(4, 8, &[&[2], &[2], &[2], &[2]]);
        check(4, 10, &[&[3], &[3], &[2], &[2]]);
        check(4, 3, &[&[1], &[1], &[1], &[]]);
        check(1, 7, &[&[7]]);
    }

    #[test]
    fn two_small_jobs_do_not_meet_on_one_host() {
        let job = Job { depth: Depth(2), ..Job::base() };
        let orders = split_jobs(&[job.clone(), job], &places(4), FleetSpan::Own, 4, 0);
        assert_eq!(depths(&orders), [[2 - 1], [1], [1], [1]]);
    }

    #[test]
    fn rates_and_counts_add_up_to_the_total() {
        let pacing = Pacing::Open { rate: Iops(900.0), arrivals: Arrivals::Poisson };
        let stop = Stop { operations: Some(10), ..Stop::after(Nanos::secs(1)) };
        let job = Job { depth: Depth(64), pacing, stop, ..Job::base() };
        let orders = split_jobs(&[job], &places(3), FleetSpan::Own, 3, 0);
        let jobs: Vec<&Job> = orders.iter().flatten().collect();
        let rate = |job: &&Job| match job.pacing {
            Pacing::Open { rate, .. } => rate.0,
            _ => 0.0,
        };
        assert!((jobs.iter().map(rate).sum::<f64>() - 900.0).abs() < 1e-9);
        assert_eq!(jobs.iter().filter_map(|job| job.stop.operations).sum::<u64>(), 10);
        assert_eq!(jobs.iter().map(|job| job.depth.0).sum::<u32>(), 64);
    }

    #[test]
    fn parts_are_disjoint_inside_and_change_hands() {
        let job = Job { depth: Depth(64), ..Job::base() };
        let spans = |turn| -> Vec<Span> {
            let of = split_jobs(std::slice::from_ref(&job), &places(3), FleetSpan::Split, 3, turn);
            of.iter().flatten().map(|job| job.span).collect()
        };
        for turn in 0..5 {
            let mut now = spans(turn);
            assert!(now.iter().zip(&spans(turn + 1)).all(|(now, then)| now != then));
            now.sort_by_key(|span| span.offset);
            assert!(
                now.windows(2).all(|two| { two[0].offset.0 + two[0].length.0 <= two[1].offset.0 })
            );
            assert!(now.iter().all(|span| {
                span.offset.0 >= 4096
                    && span.offset.0 + span.length.0 <= 4096 + Bytes::mib(100).0
                    && span.length == Bytes::mib(33)
            }));
        }
        let shared = split_jobs(std::slice::from_ref(&job), &places(3), FleetSpan::Shared, 3, 1);
        assert!(shared.iter().flatten().all(|job| job.span.length == Bytes::mib(100)));
    }

    #[test]
    fn no_two_hosts_visit_blocks_in_the_same_order() {
        let job = Job { depth: Depth(64), ..Job::base() };
        let orders = split_jobs(&[job], &places(8), FleetSpan::Shared, 8, 0);
        let mut seeds: Vec<u64> = orders.iter().flatten().map(|job| job.seed.0).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 8);
    }
}
