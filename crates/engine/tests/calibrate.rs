//! Calibration in a process that has run nothing yet. It once ended the process: the signal that
//! wakes a worker was sent before its handler was there.

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
