//! Which of several targets comes next.

use workload::{Distribution, Job, TargetOrder};

use super::distribution::Sampler;
use super::place_map::PlaceMap;
use super::random_stream::RandomStream;

#[derive(Debug, Clone)]
pub(super) struct TargetChoice {
    order: ChoiceOrder,
    pub(super) current: u16,
    /// Targets that this pass is through with, where a pass visits every place once.
    passed: PlaceMap,
    /// Targets that have no place: a pass begins with them passed.
    empty: PlaceMap,
    passes_targets: bool,
    draw: RandomStream,
    /// Operations on a target before the next is chosen.
    batch: u32,
    batch_left: u32,
    /// Targets that are not open, where the number of open ones is bounded.
    closed: Option<PlaceMap>,
    open_most: u64,
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
        let mut empty = PlaceMap::new(u64::from(count));
        for target in (0..count).filter(|target| is_empty(*target) && !all_empty) {
            empty.visit(u64::from(target), 1);
        }
        let order = ChoiceOrder::new(&job.targets, targets, seed);
        let passes_targets = match order {
            ChoiceOrder::Sequential => true,
            ChoiceOrder::Skewed(_) => false,
            _ => !job.repeats_blocks(),
        };
        let closed = job.open_targets.map(|_| PlaceMap::full(u64::from(count)));
        Self {
            // Round robin goes on before it looks: so it begins with the first target.
            current: if matches!(order, ChoiceOrder::RoundRobin) { count - 1 } else { 0 },
            order,
            passed: empty.clone(),
            empty,
            passes_targets,
            draw: RandomStream::new(seed ^ 0x7A_26E7, worker),
            batch: job.target_batch.max(1),
            batch_left: 0,
            closed,
            open_most: u64::from(job.open_targets.unwrap_or(0).max(1)),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.passed.places() as usize
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
        self.passed.copy_from(&self.empty);
        self.closed.iter_mut().for_each(PlaceMap::fill);
    }

    /// Chooses the target of the next operation; `ended` says that the last one ended a pass over
    /// its target.
    pub(super) fn choose(&mut self, ended: bool) {
        let count = self.passed.places() as u16;
        let current = u64::from(self.current);
        if ended && self.passes_targets && !self.passed.is_visited(current) {
            self.passed.visit(current, 1);
            self.closed.iter_mut().for_each(|closed| _ = closed.visit(current, 1));
            if self.passed.is_full() {
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
            ChoiceOrder::Sequential if self.passed.is_visited(current) => next,
            ChoiceOrder::Sequential => self.current,
            ChoiceOrder::Skewed(sampler) => sampler.sample(&mut self.draw) as u16,
        };
        let chosen = u64::from(self.current);
        let Some(closed) = &mut self.closed else {
            self.current = self.passed.next_free(chosen) as u16;
            return;
        };
        // Where no other may be opened, an open one is next.
        let all_open = closed.left() >= self.open_most;
        let among = if all_open { &*closed } else { &self.passed };
        let chosen = among.next_free(chosen);
        closed.release(chosen);
        self.current = chosen as u16;
    }
}
