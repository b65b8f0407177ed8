//! A few cases at a time, or one alone.

use std::sync::{Condvar, Mutex, MutexGuard};

/// Cases at a time: most of them wait for a device or for their end by the clock.
pub const SLOTS: usize = 5;

struct Slots {
    free: usize,
    /// Those that want all slots; nobody else may start before them, or they would starve.
    waiting: usize,
}

static GATE: (Mutex<Slots>, Condvar) =
    (Mutex::new(Slots { free: SLOTS, waiting: 0 }), Condvar::new());

/// Held while a case runs.
pub struct Pass(usize);

impl Drop for Pass {
    fn drop(&mut self) {
        lock().free += self.0;
        GATE.1.notify_all();
    }
}

fn lock() -> MutexGuard<'static, Slots> {
    GATE.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn wait(slots: MutexGuard<'static, Slots>) -> MutexGuard<'static, Slots> {
    GATE.1.wait(slots).unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Waits for a slot, or for all of them.
pub fn enter(alone: bool) -> Pass {
    let mut slots = lock();
    if alone {
        slots.waiting += 1;
        while slots.free < SLOTS {
            slots = wait(slots);
        }
        slots.waiting -= 1;
        slots.free = 0;
        return Pass(SLOTS);
    }
    while slots.free == 0 || slots.waiting > 0 {
        slots = wait(slots);
    }
    slots.free -= 1;
    Pass(1)
}
