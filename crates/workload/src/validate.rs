//! Contradictions, found before any I/O.

use units::{Bytes, Nanos};

use crate::backend::BackendChoice;
use crate::job::{Job, Mix, Span};
use crate::pacing::{Cap, Pacing};
use crate::payload::{Payload, Verify};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetLimits {
    pub size: Bytes,
    /// Alignment that direct I/O needs for offsets and lengths.
    pub offset_align: Bytes,
    pub writable: bool,
}

/// Two parts of a job, or a job and its target, that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("job '{job}': {conflict}")]
pub struct JobError {
    pub job: String,
    /// Both sides of the contradiction.
    pub conflict: String,
}

/// The deepest queue that is accepted: io_uring's largest submission ring.
const DEPTH_MAX: u32 = 32_768;

/// Places of the largest map of visited places: a bit each, 512 MiB.
const MAP_PLACES_MAX: u64 = 1 << 32;

/// The first contradiction; each function names both sides.
type Conflict = Option<String>;

impl Job {
    /// Checks the job against itself and against what its target demands.
    ///
    /// # Errors
    /// The first contradiction, naming both sides.
    pub fn validate(&self, limits: &TargetLimits) -> Result<(), JobError> {
        self.validate_on(limits, 0)
    }

    /// Checks the job against itself and its target number `target`.
    ///
    /// # Errors
    /// The first contradiction, naming both sides.
    pub fn validate_on(&self, limits: &TargetLimits, target: usize) -> Result<(), JobError> {
        // Sizes of zero first: the others divide by them.
        let conflict = self
            .size_conflict()
            .or_else(|| self.shape_conflict())
            .or_else(|| self.pacing_conflict())
            .or_else(|| self.sync_conflict())
            .or_else(|| self.verify_conflict())
            .or_else(|| self.payload.conflict())
            .or_else(|| self.placement.conflict())
            .or_else(|| self.stop.conflict())
            .or_else(|| self.span_conflict(limits, self.span_length(target)))
            .or_else(|| self.target_conflict(limits))
            .or_else(|| {
                let (length, block) = (self.span_length(target), self.block_size);
                let mut orders = [&self.access].into_iter().chain(self.write_access.as_deref());
                orders.find_map(|access| access.conflict(length, block))
            });
        conflict.map_or(Ok(()), |conflict| Err(JobError { job: self.name.clone(), conflict }))
    }

    fn size_conflict(&self) -> Conflict {
        if self.block_size.0 == 0 {
            return Some("the block size is 0".to_owned());
        }
        self.sizes.conflict()
    }

    fn shape_conflict(&self) -> Conflict {
        if self.depth.0 == 0 || self.depth.0 > DEPTH_MAX {
            return Some(format!("depth {} is outside 1 to {DEPTH_MAX}", self.depth));
        }
        if self.workers == 0 {
            return Some("it has no workers; 1 will do".to_owned());
        }
        if let Mix::Mixed { read_percent } = self.mix
            && !(1..=99).contains(&read_percent)
        {
            return Some(format!("a mix of {read_percent} % reads is no mix; use 1 to 99"));
        }
        if self.max_block_size().0 > 1 << 31 {
            return Some(format!("operations of {} are larger than 2 GiB", self.max_block_size()));
        }
        if self.mix.trims() && !self.backend.can_trim() {
            return Some(format!("it trims, which {:?} has no call for", self.backend));
        }
        if self.backend == BackendChoice::Sync && self.depth.0 > 1 {
            return Some(format!(
                "sync seeks and then reads, with one position for the whole file, but the threads \
                 of depth {} would share it; psync has no position",
                self.depth
            ));
        }
        if matches!(self.backend, BackendChoice::Mmap | BackendChoice::MmapWith(_)) && self.direct {
            return Some(
                "a mapping goes through the page cache, but direct I/O is asked".to_owned(),
            );
        }
        (self.interval < Nanos::millis(1))
            .then(|| format!("intervals of {} are shorter than 1 ms", self.interval))
    }

    fn pacing_conflict(&self) -> Conflict {
        let depth = self.depth.0;
        let closed = self.pacing == Pacing::Closed && self.caps.is_none() && self.think.is_none();
        if self.finish && !(closed && self.stop.time.is_some()) {
            return Some(
                "what is under way when the time is up is to be counted, and there is no time or \
                 something paces it"
                    .to_owned(),
            );
        }
        match self.pacing {
            Pacing::Spaced { .. } if depth > 1 => {
                return Some(format!(
                    "spaced requests are one at a time, but the depth is {depth}"
                ));
            }
            Pacing::Spaced { interval: Nanos::ZERO } => {
                return Some("spaced requests with an interval of 0".to_owned());
            }
            Pacing::Open { rate, .. } => {
                if !(rate.0 > 0.0 && rate.0.is_finite()) {
                    return Some(format!("an open loop of {} operations per second", rate.0));
                }
                if self.backend.is_synchronous() && depth > 1 {
                    return Some(format!(
                        "an open loop starts operations whatever became of the last, but each \
                         thread of {:?} waits for its own; use a depth of 1",
                        self.backend
                    ));
                }
                if !self.caps.is_none() || self.think.is_some() {
                    return Some(
                        "an open loop follows its plan, but a rate cap or think time holds it back"
                            .to_owned(),
                    );
                }
            }
            _ => {}
        }
        let rates = [self.caps.read, self.caps.write, self.caps.trim];
        for cap in rates.into_iter().flatten() {
            let value = match cap {
                Cap::Operations(iops) => iops.0,
                Cap::Bytes(bytes) => bytes.0,
            };
            if !(value > 0.0 && value.is_finite()) {
                return Some(format!("a rate of {value} per second lets nothing through"));
            }
        }
        self.think
            .filter(|think| think.every == 0 && think.after == Nanos::ZERO)
            .map(|_| "a pause after every 0 operations".to_owned())
    }

    fn sync_conflict(&self) -> Conflict {
        if self.durable.is_some() && !self.mix.sends_data() {
            return Some("its writes are durable, but it writes nothing".to_owned());
        }
        let sync = self.sync?;
        if !self.mix.sends_data() {
            return Some("it syncs but writes nothing".to_owned());
        }
        (sync.every == 0).then(|| "a sync after every 0 writes".to_owned())
    }

    fn verify_conflict(&self) -> Conflict {
        let verify = self.verify?;
        match verify {
            Verify::Batches { .. } | Verify::AtEnd if self.mix.trims() => {
                return Some("it verifies blocks, but trims give them back".to_owned());
            }
            Verify::Earlier if self.mix != Mix::Read => {
                return Some("it verifies an earlier job's blocks, but writes itself".to_owned());
            }
            Verify::SealOnly if !self.mix.sends_data() => {
                return Some("it seals blocks, but writes none".to_owned());
            }
            Verify::Batches { .. } | Verify::AtEnd if self.mix != Mix::Write => {
                return Some("it verifies what it writes, but it does not only write".to_owned());
            }
            _ => {}
        }
        if verify == (Verify::Batches { writes: 0 }) {
            return Some("verification after every 0 writes".to_owned());
        }
        if self.payload != Payload::Unique {
            return Some(
                "verified blocks carry a header and a body of their own, but another payload is \
                 asked"
                    .to_owned(),
            );
        }
        if matches!(verify, Verify::Earlier | Verify::SealOnly) {
            return None;
        }
        if !self.sizes.is_plain() {
            return Some("verified blocks have one size, but several are asked".to_owned());
        }
        if self.depth.0 > 1 && self.repeats_blocks() {
            return Some(format!(
                "with blocks that repeat and a depth of {}, two writes of one block may overtake \
                 each other: what to expect is unknown",
                self.depth
            ));
        }
        (self.depth.0 > 1 && self.backend.is_synchronous()).then(|| {
            format!(
                "verification needs one client, but depth {} of {:?} takes a thread each",
                self.depth, self.backend
            )
        })
    }

    fn span_conflict(&self, limits: &TargetLimits, length: Bytes) -> Conflict {
        let Span { offset, length: longest } = self.span;
        if longest < self.max_block_size() {
            return Some(format!(
                "the span of {longest} is smaller than a block of {}",
                self.max_block_size()
            ));
        }
        if length > longest {
            return Some(format!("a span of {length} on one target, and {longest} at most"));
        }
        if self.sizes.cut && self.blocks() > MAP_PLACES_MAX {
            return Some(format!(
                "a map of the {} places of {longest} takes more than {}; use larger blocks, or \
                 random places that repeat",
                self.blocks(),
                Bytes(MAP_PLACES_MAX / 8)
            ));
        }
        offset.0.checked_add(length.0).is_none_or(|end| end > limits.size.0).then(|| {
            format!(
                "the span ends at {}, the target at {}",
                Bytes(offset.0.saturating_add(length.0)),
                limits.size
            )
        })
    }

    fn target_conflict(&self, limits: &TargetLimits) -> Conflict {
        if self.mix.writes() && !limits.writable {
            return Some("it writes, but the target is open for reading only".to_owned());
        }
        let align = limits.offset_align.0.max(1);
        let unaligned = |bytes: &Bytes| !bytes.0.is_multiple_of(align);
        let first = self.span.offset;
        let wrong =
            self.sizes.size_units(self.block_size).into_iter().chain([first]).find(unaligned);
        wrong.filter(|_| self.direct).map(|wrong| {
            format!(
                "direct I/O on this target needs multiples of {}, but the job has {} (block size \
                 {}, span from {})",
                limits.offset_align, wrong.0, self.block_size, first.0
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{Access, Distribution};
    use crate::backend::UringSwitches;
    use crate::blocks::{Sizes, Weight};
    use crate::durability::{DurableWrites, SyncKind, SyncPolicy};
    use crate::pacing::{Arrivals, Caps, Stop, ThinkTime};
    use units::{Depth, Iops};

    const LIMITS: TargetLimits =
        TargetLimits { size: Bytes::mib(1), offset_align: Bytes(512), writable: true };

    fn refused(spoil: &dyn Fn(&mut Job, &mut TargetLimits)) -> String {
        let (mut job, mut limits) = (Job::base(), LIMITS);
        spoil(&mut job, &mut limits);
        job.validate(&limits).unwrap_err().to_string()
    }

    fn check(spoil: &dyn Fn(&mut Job, &mut TargetLimits), expected: &str) {
        let error = refused(spoil);
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn a_sound_job_is_accepted() {
        Job::base().validate(&LIMITS).unwrap();
        let switches = BackendChoice::IoUringWith(UringSwitches::default());
        Job { backend: switches, ..Job::base() }.validate(&LIMITS).unwrap();
    }

    #[test]
    fn contradictions_are_refused_and_both_sides_named() {
        check(&|j, _| j.block_size = Bytes(0), "block size is 0");
        check(&|j, _| j.depth = Depth(0), "depth 0");
        check(&|j, _| j.workers = 0, "no workers");
        check(&|j, _| j.mix = Mix::Mixed { read_percent: 100 }, "100 % reads is no mix");
        let sync = Some(SyncPolicy { kind: SyncKind::Fdatasync, every: 1 });
        check(&|j, _| j.sync = sync, "syncs but writes nothing");
        check(&|j, _| j.durable = Some(DurableWrites::Data), "durable, but it writes nothing");
        check(&|j, _| j.stop.time = None, "nothing ends it");
        check(&|j, _| j.stop.time = Some(Nanos::ZERO), "before it starts");
        check(&|j, _| (j.finish, j.stop) = (true, Stop::operations(9)), "there is no time");
        let interval = Nanos::millis(1);
        check(&|j, _| (j.finish, j.pacing) = (true, Pacing::Spaced { interval }), "paces it");
        check(&|j, _| j.span.length = Bytes(2048), "smaller than a block");
        check(&|j, _| j.span.offset = Bytes(4096), "the target at 1 MiB");
        check(&|j, _| j.span.offset = Bytes(u64::MAX), "the target at 1 MiB");
        check(&|j, l| (j.mix, l.writable) = (Mix::Write, false), "open for reading only");
        check(&|_, l| l.offset_align = Bytes(8192), "needs multiples of 8 KiB");
        check(&|j, _| j.backend = BackendChoice::Mmap, "page cache, but direct I/O");
        check(&|j, _| (j.backend, j.depth) = (BackendChoice::Sync, Depth(2)), "would share it");
        check(
            &|j, _| (j.mix, j.backend) = (Mix::Trim, BackendChoice::Splice),
            "it trims, which Splice has no call for",
        );
    }

    #[test]
    fn contradictions_of_pacing() {
        let open = |rate: f64| Pacing::Open { rate: Iops(rate), arrivals: Arrivals::Poisson };
        check(
            &|j, _| {
                j.pacing = Pacing::Spaced { interval: Nanos::millis(1) };
                j.depth = Depth(2);
            },
            "one at a time, but the depth is 2",
        );
        check(&|j, _| j.pacing = open(0.0), "an open loop of 0 operations");
        check(
            &|j, _| {
                (j.pacing, j.backend, j.depth) = (open(9.0), BackendChoice::Psync, Depth(2));
            },
            "each thread of Psync waits for its own",
        );
        let cap = Caps { read: Some(Cap::Operations(Iops(5.0))), ..Caps::default() };
        check(&|j, _| (j.pacing, j.caps) = (open(9.0), cap), "a rate cap or think time");
        let none = Caps { read: Some(Cap::Operations(Iops(0.0))), ..Caps::default() };
        check(&|j, _| j.caps = none, "a rate of 0 per second");
        let think = ThinkTime { time: Nanos(1), spin: Nanos::ZERO, every: 0, after: Nanos::ZERO };
        check(&|j, _| j.think = Some(think), "a pause after every 0");
    }

    #[test]
    fn contradictions_of_sizes_and_places() {
        check(&|j, _| j.sizes.read = Sizes::Fixed(Bytes(0)), "block size of 0");
        let range = Sizes::Range { least: Bytes(8192), most: Bytes(4096) };
        check(&|j, _| j.sizes.read = range.clone(), "block sizes from 8 KiB to 4 KiB");
        let weights = vec![Weight { size: Bytes(4096), percent: 60 }];
        check(&|j, _| j.sizes.write = Sizes::Weighted(weights.clone()), "shares of 60 %");
        check(&|j, _| j.sizes.read = Sizes::Fixed(Bytes(1000)), "needs multiples of 512 B");
        check(&|j, _| j.sizes.read = Sizes::Fixed(Bytes::mib(2)), "smaller than a block of 2 MiB");
        let gaps = Access::Gapped { run: Bytes(6000), skip: Bytes(4096) };
        check(&|j, _| j.access = gaps.clone(), "not a whole number of blocks");
        check(&|j, _| j.access = Access::PartlyRandom { random_percent: 0 }, "0 % of random");
        let zipf = Access::Distributed(Distribution::Zipf { theta: 1.0 });
        check(&|j, _| j.access = zipf.clone(), "zipf exponent of 1");
    }

    #[test]
    fn contradictions_of_verification() {
        let at_end = Some(Verify::AtEnd);
        check(&|j, _| j.verify = at_end, "it does not only write");
        check(&|j, _| (j.verify, j.mix) = (at_end, Mix::TrimWrite), "trims give them back");
        check(&|j, _| (j.verify, j.mix) = (Some(Verify::Earlier), Mix::Write), "but writes itself");
        check(
            &|j, _| {
                (j.verify, j.mix, j.depth) = (at_end, Mix::Write, Depth(8));
                j.access = Access::RandomRepeating;
            },
            "may overtake each other",
        );
        check(
            &|j, _| {
                (j.verify, j.mix, j.depth) = (at_end, Mix::Write, Depth(8));
                j.backend = BackendChoice::Psync;
            },
            "takes a thread each",
        );
        check(
            &|j, _| (j.verify, j.mix, j.payload) = (at_end, Mix::Write, Payload::Zero),
            "another payload",
        );
    }
}
