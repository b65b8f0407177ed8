//! Other searches as test models, from their description in methodology 2.1 and 2.2.

use super::Device;

/// The deepest queue either may try.
const DEPTH_MAX: u32 = 1024;
/// fio has no limit of its own; the run ends with its runtime.
const WINDOWS_MAX: u32 = 200;

/// fio's `latency_target`, one probe per
/// `latency_window`.
pub fn fio_latency_target(device: &mut Device, bound: f64) -> u32 {
    let (mut depth, mut low, mut high) = (1, 1, DEPTH_MAX);
    let (mut stable, mut ending) = (0, false);
    for _ in 0..WINDOWS_MAX {
        if device.measure(f64::from(depth)).0 <= bound {
            low = depth;
            if depth + 1 == high {
                stable += 1;
                if stable >= 3 {
                    high += 1;
                    stable = 0;
                }
            }
            let next = if high == DEPTH_MAX { depth * 2 } else { (depth + high) / 2 };
            let next = next.min(DEPTH_MAX);
            if next == depth {
                if ending {
                    break;
                }
                ending = true;
            }
            depth = next;
        } else {
            if depth == 1 {
                return 0;
            }
            stable = 0;
            high = depth;
            if depth == low {
                low -= 1;
            }
            depth = (depth + low) / 2;
        }
    }
    depth
}

/// Plain bisection over whole depths after a base check, as PerfKitBenchmarker does from outside
/// of fio.
pub fn bisection(device: &mut Device, bound: f64) -> u32 {
    let mut holds = |depth: u32| device.measure(f64::from(depth)).0 <= bound;
    if !holds(1) {
        return 0;
    }
    let (mut low, mut high) = (1, DEPTH_MAX + 1);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}
