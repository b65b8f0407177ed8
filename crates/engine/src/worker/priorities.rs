//! Operations with a priority of their own, and the latencies of each priority.

use workload::{Direction, Job, OperationPriority};

use crate::outcome::PriorityLatency;
use crate::sequence::{Operation, RandomStream};

/// Draws the priority of each operation. Its memory is allocated before the start.
pub(crate) struct Priorities {
    rules: Vec<OperationPriority>,
    draw: RandomStream,
    /// By slot: the operation's place in `latencies`.
    classes: Vec<u8>,
    latencies: Vec<PriorityLatency>,
}

impl Priorities {
    /// `None` for a job whose operations have the priority of the process.
    pub(crate) fn from_job(job: &Job, worker: u64, depth: u32) -> Option<Box<Self>> {
        if job.priorities.is_empty() {
            return None;
        }
        let new = |direction, ioprio| PriorityLatency::new(direction, ioprio);
        let mut latencies = vec![new(Direction::Read, None), new(Direction::Write, None)];
        for rule in &job.priorities {
            let key = (rule.direction, Some(rule.ioprio));
            if !latencies.iter().any(|known| (known.direction, known.ioprio) == key) {
                latencies.push(new(rule.direction, Some(rule.ioprio)));
            }
        }
        Some(Box::new(Self {
            rules: job.priorities.clone(),
            draw: RandomStream::new(job.seed.0 ^ 0x0010_9910, worker),
            classes: vec![0; depth as usize],
            latencies,
        }))
    }

    /// The value of ioprio for the operation in `slot`; 0 for that of the process.
    #[inline]
    pub(super) fn choose(&mut self, slot: u32, operation: &Operation) -> u16 {
        let mut drawn = self.draw.next_below(100) as u8;
        let mut ioprio = None;
        for rule in &self.rules {
            let size = rule.size.is_none_or(|size| size.0 == u64::from(operation.length));
            if rule.direction != operation.direction || !size {
                continue;
            }
            if drawn < rule.percent {
                ioprio = Some(rule.ioprio);
                break;
            }
            drawn -= rule.percent;
        }
        let key = (operation.direction, ioprio);
        let class = self.latencies.iter().position(|of| (of.direction, of.ioprio) == key);
        self.classes[slot as usize] = class.unwrap_or(0) as u8;
        ioprio.unwrap_or(0)
    }

    /// That of the operation in `slot`, whose rest is submitted again.
    pub(super) fn of_slot(&self, slot: u32) -> u16 {
        self.latencies[usize::from(self.classes[slot as usize])].ioprio.unwrap_or(0)
    }

    #[inline]
    pub(super) fn record(&mut self, slot: u32, total_ns: u64, completion_ns: u64) {
        let latency = &mut self.latencies[usize::from(self.classes[slot as usize])];
        latency.total.record(total_ns);
        latency.completion.record(completion_ns);
    }

    pub(super) fn into_latencies(self) -> Vec<PriorityLatency> {
        self.latencies
    }
}
