//! Which of several targets comes next.

use workload::{Distribution, Job, TargetOrder};

use super::distribution::Sampler;
use super::random_stream::RandomStream;

#[derive(Debug, Clone)]
pub(super) struct TargetChoice {
    order: ChoiceOrder,
    pub(super) current: u16,
    /// Targets that this pass is through with, where a pass visits every place once.
    passed: Vec<bool>,
    /// Targets that it is not through with.
    left: usize,
    /// Targets that have no place.
    empty: Vec<bool>,
    passes_targets: bool,
    draw: RandomStream,
    /// Operations on a target before the next is chosen.
    batch: u32,
    batch_left: u32,
    /// Between these is chosen; empty: between all.
    open: Vec<bool>,
    open_most: usize,
}

#[derive(Debug, Clone)]
enum ChoiceOrder {
    RoundRobin,
    Random,
    Sequential,
    Skewed(Box<Sampler>),
}

impl ChoiceOrder {
    fn new(order: &TargetOrder, targets: u16, seed: u64) -> Self {
        let skewed = |law: &Distribution| {
            Self::Skewed(Box::new(Sampler::new(law, u64::from(targets.max(1)), 1, seed)))
        };
        match order {
            TargetOrder::RoundRobin => Self::RoundRobin,
            TargetOrder::Random => Self::Random,
            TargetOrder::Sequential => Self::Sequential,
            TargetOrder::Distributed(law) => skewed(law),
        }
    }
}

impl TargetChoice {
    pub(super) fn new(job: &Job, seed: u64, worker: u64, targets: u16) -> Self {
        let is_empty = |target: u16| job.span_length(usize::from(target)) < job.smallest_place();
        let all_empty = (0..targets).all(is_empty);
        let count = targets.max(1);
        let empty: Vec<bool> = (0..count).map(|target| is_empty(target) && !all_empty).collect();
        let order = ChoiceOrder::new(&job.targets, targets, seed);
        let passes_targets = match order {
            ChoiceOrder::Sequential => true,
            ChoiceOrder::Skewed(_) => false,
            _ => !job.access.repeats_blocks(),
        };
        let open_most = job.open_targets.map_or(0, |most| most.max(1) as usize);
        Self {
            // Round robin goes on before it looks: so it begins with the first target.
            current: if matches!(order, ChoiceOrder::RoundRobin) { count - 1 } else { 0 },
            order,
            passed: empty.clone(),
            left: empty.iter().filter(|empty| !**empty).count(),
            empty,
            passes_targets,
            draw: RandomStream::new(seed ^ 0x7A_26E7, worker),
            batch: job.target_batch.max(1),
            batch_left: 0,
            open: if open_most > 0 { vec![false; usize::from(count)] } else { Vec::new() },
            open_most,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.passed.len()
    }

    /// Begins again as `first` was; where `draws_on`, with other random numbers.
    pub(super) fn rewind_to(&mut self, first: &Self, draws_on: bool) {
        self.current = first.current;
        self.batch_left = first.batch_left;
        self.begin_pass();
        if !draws_on {
            self.draw = first.draw;
        }
    }

    fn begin_pass(&mut self) {
        self.passed.copy_from_slice(&self.empty);
        self.left = self.empty.iter().filter(|empty| !**empty).count();
        self.open.fill(false);
    }

    /// Chooses the target of the next operation; `ended` says that the last one ended a pass over
    /// its target.
    pub(super) fn choose(&mut self, ended: bool) {
        let count = self.passed.len() as u16;
        let current = self.current as usize;
        if ended && self.passes_targets && !self.passed[current] {
            self.passed[current] = true;
            if let Some(open) = self.open.get_mut(current) {
                *open = false;
            }
            self.left -= 1;
            if self.left == 0 {
                self.begin_pass();
            }
            // Another is chosen, also where the pass over all begins again.
            self.batch_left = 0;
        }
        if self.batch_left > 0 {
            self.batch_left -= 1;
            return;
        }
        self.batch_left = self.batch - 1;
        let next = (self.current + 1) % count;
        self.current = match &self.order {
            ChoiceOrder::RoundRobin => next,
            ChoiceOrder::Random => self.draw.next_below(u64::from(count)) as u16,
            ChoiceOrder::Sequential if self.passed[current] => next,
            ChoiceOrder::Sequential => self.current,
            ChoiceOrder::Skewed(sampler) => sampler.sample(&mut self.draw) as u16,
        };
        while self.passed[self.current as usize] || !self.open_current() {
            self.current = (self.current + 1) % count;
        }
    }

    /// Opens the current target, unless the most that may be are open.
    fn open_current(&mut self) -> bool {
        let current = self.current as usize;
        if self.open.is_empty() || self.open[current] {
            return true;
        }
        let opens = self.open.iter().filter(|open| **open).count() < self.open_most;
        self.open[current] = opens;
        opens
    }
}
