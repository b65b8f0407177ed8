//! Calibration in a process that has run nothing yet. It once ended the process: the signal that
//! wakes a worker was sent before its handler was there.

use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use engine::{Clock, calibrate_generator, io_uring_refusal};

#[test]
fn calibration_comes_first_and_survives() {
    if io_uring_refusal().is_some() {
        return; // nothing to calibrate where io_uring is forbidden
    }
    let clock = Clock::best();
    for _ in 0..20 {
        assert!(calibrate_generator(&clock, Duration::from_millis(3)).is_ok());
    }
}

/// Agents of one process do not measure how they disturb each other.
#[test]
fn those_that_ask_at_the_same_time_share_a_calibration() {
    if io_uring_refusal().is_some() {
        return; // as above
    }
    const THREADS: usize = 16;
    let (clock, together) = (Clock::best(), Barrier::new(THREADS));
    let calibrate = || {
        together.wait();
        calibrate_generator(&clock, Duration::from_millis(30)).unwrap().nop_iops_depth_1
    };
    let mut rates: Vec<f64> = thread::scope(|scope| {
        let started: Vec<_> = (0..THREADS).map(|_| scope.spawn(calibrate)).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    rates.sort_by(f64::total_cmp);
    rates.dedup();
    // The first measures alone; those that waited meanwhile have the second together.
    assert!(rates.len() <= THREADS / 2, "{rates:?}");
}
