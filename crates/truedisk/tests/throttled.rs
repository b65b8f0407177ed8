//! Devices that the kernel throttles, end to end: caps, bursts, promises. They leave the host idle,
//! so their tests run at once, in one program; those of devices at full speed wait for them.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

mod throttled {
    mod over_time;
    mod promise;
}
