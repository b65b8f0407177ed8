//! A few cases at a time, paced ones beside each other, or one alone.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Cases at a time: most of them wait for a device or for their end by the clock.
pub const SLOTS: usize = 5;
/// Paced cases at a time: both sides of each run at once, and must be on time.
const PACED_SLOTS: usize = 3;

/// What a case may run beside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Company {
    Any,
    /// Its figures are of time, and it asks for far less than the machine can do.
    Paced,
    /// Its figures are of speed.
    None,
}

/// How many run, and wait, of each kind.
struct Counts {
    any: usize,
    paced: usize,
    alone: usize,
    paced_waiting: usize,
    alone_waiting: usize,
}

static GATE: (Mutex<Counts>, Condvar) = (
    Mutex::new(Counts { any: 0, paced: 0, alone: 0, paced_waiting: 0, alone_waiting: 0 }),
    Condvar::new(),
);

impl Counts {
    /// Those that need the rest to be gone come first, or they would starve.
    fn admits(&self, company: Company) -> bool {
        match company {
            Company::Any => {
                let others = self.paced + self.alone + self.paced_waiting + self.alone_waiting;
                others == 0 && self.any < SLOTS
            }
            Company::Paced => self.any + self.alone == 0 && self.paced < PACED_SLOTS,
            Company::None => self.any + self.paced + self.alone == 0,
        }
    }

    fn running(&mut self, company: Company) -> &mut usize {
        match company {
            Company::Any => &mut self.any,
            Company::Paced => &mut self.paced,
            Company::None => &mut self.alone,
        }
    }
}

/// Held while a case runs.
pub struct Pass(Company);

impl Drop for Pass {
    fn drop(&mut self) {
        *lock().running(self.0) -= 1;
        GATE.1.notify_all();
    }
}

fn lock() -> MutexGuard<'static, Counts> {
    GATE.0.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until a case may run in this company.
pub fn enter(company: Company) -> Pass {
    let mut counts = lock();
    counts.paced_waiting += usize::from(company == Company::Paced);
    counts.alone_waiting += usize::from(company == Company::None);
    while !counts.admits(company) {
        counts = GATE.1.wait(counts).unwrap_or_else(PoisonError::into_inner);
    }
    counts.paced_waiting -= usize::from(company == Company::Paced);
    counts.alone_waiting -= usize::from(company == Company::None);
    *counts.running(company) += 1;
    drop(counts);
    // A place for one more of its kind may be left.
    GATE.1.notify_all();
    Pass(company)
}
