//! One round of a load: all its files made, asked, read, listed, renamed, deleted.

use std::io;
use std::sync::{PoisonError, RwLock};

use engine::{Clock, StopFlag};
use record::{CacheState, EntriesCounted, MetadataLoad, MetadataOp};
use stats::LatencyHistogram;
use target::{Leaf, OwnFolder, SmallName, drop_host_caches, room};
use units::Nanos;

/// A warm folder is listed so often in a round: one listing takes too short to be timed alone.
const LISTINGS: u32 = 8;
/// What changes nothing.
const LOOKS: [MetadataOp; 3] = [MetadataOp::Stat, MetadataOp::Open, MetadataOp::Readdir];
/// Room for what is read back, and a byte that shows a file that is too long.
const BUFFER: usize = (4 << 10) + 1;

/// Why a run ended before its end.
#[derive(Debug)]
pub(super) enum Ended {
    /// Somebody asked for it.
    Stopped,
    /// Its time was up.
    Late,
    /// The file system refused.
    Failed(io::Error),
    /// What is there is not what was made: in words.
    Wrong(String),
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// One operation of one round.
#[derive(Debug)]
pub(super) struct Measured {
    operation: MetadataOp,
    cache: CacheState,
    /// Operations a second.
    pub(super) rate: f64,
    pub(super) latency: LatencyHistogram,
}

/// What a round came to.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) files: u64,
    measured: Vec<Measured>,
    found: u64,
    inodes: Option<i64>,
}

/// The rounds of a load that count.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    pub(super) files: u64,
    measured: Vec<Measured>,
    pub(super) counted: Option<EntriesCounted>,
}

impl Rounds {
    pub(super) fn keep(&mut self, load: &MetadataLoad, done: Done) {
        self.files = done.files;
        let counted = self.counted.get_or_insert_with(|| super::counted(load));
        counted.made += done.files;
        counted.found += done.found;
        counted.inodes = counted.inodes.zip(done.inodes).map(|(sum, rise)| sum + rise);
        self.measured.extend(done.measured);
    }

    /// The phases, in the order in which they were first measured.
    pub(super) fn phases(&self) -> Vec<(MetadataOp, CacheState)> {
        let mut phases = Vec::new();
        for measured in &self.measured {
            let phase = (measured.operation, measured.cache);
            if !phases.contains(&phase) {
                phases.push(phase);
            }
        }
        phases
    }

    pub(super) fn of(&self, phase: (MetadataOp, CacheState)) -> impl Iterator<Item = &Measured> {
        self.measured.iter().filter(move |m| (m.operation, m.cache) == phase)
    }
}

/// What a round works with.
pub(super) struct Round<'a> {
    pub(super) load: &'a MetadataLoad,
    pub(super) leaves: &'a [Leaf],
    pub(super) own: &'a OwnFolder,
    pub(super) clock: Clock,
    pub(super) stop: &'a StopFlag,
}

/// What one thread did.
struct Work {
    begun_ns: u64,
    ended_ns: u64,
    operations: u64,
    latency: LatencyHistogram,
}

impl Round<'_> {
    /// Makes `most` files, or as many as `making` allows and at least `least`, and goes through all
    /// operations with them while they are in memory.
    pub(super) fn warm(&self, most: u64, least: u64, making: Option<Nanos>) -> Result<Done, Ended> {
        let mut done = self.make(most, least, making)?;
        let share = done.files / u64::from(self.load.threads);
        if !self.load.synced {
            for operation in LOOKS {
                done.measured.push(self.phase(operation, CacheState::Warm, share)?);
            }
        }
        for operation in [MetadataOp::Rename, MetadataOp::Delete] {
            // Always of files that are on the disk: what never got there is cheaper to take away,
            // and how much of it did would be the kernel's mood.
            self.own.settle()?;
            done.measured.push(self.phase(operation, CacheState::Warm, share)?);
            if operation == MetadataOp::Rename {
                self.expect(done.files, "were renamed")?;
            }
        }
        self.expect(0, "are left after all were deleted")?;
        self.own.settle()?;
        Ok(done)
    }

    /// Makes as many files, and looks at them each time after the caches were dropped. They are
    /// used for nothing else: what comes after would find in memory what a look brought there.
    pub(super) fn cold(&self, files: u64) -> Result<Done, Ended> {
        let mut done = self.make(files, files, None)?;
        done.measured.clear();
        let share = files / u64::from(self.load.threads);
        for operation in LOOKS {
            self.own.settle()?;
            drop_host_caches()?;
            done.measured.push(self.phase(operation, CacheState::Dropped, share)?);
        }
        self.trim(0)?;
        self.expect(0, "are left after all were deleted")?;
        Ok(done)
    }

    fn make(&self, most: u64, least: u64, making: Option<Nanos>) -> Result<Done, Ended> {
        let before = self.inodes_used();
        let each = |count: u64| count.div_ceil(u64::from(self.load.threads));
        let created =
            self.threads(|thread| self.create(thread, each(most), each(least), making))?;
        // Every thread goes on with what the slowest made, so that all have the same.
        let share = created.iter().map(|work| work.operations).min().unwrap_or(0);
        let made: u64 = created.iter().map(|work| work.operations).sum();
        let inodes = before.zip(self.inodes_used()).map(|(before, after)| after - before);
        let found = self.expect(made, "were made")?;
        let measured = vec![summed(MetadataOp::Create, CacheState::Warm, created)];
        if making.is_some() {
            self.trim(share)?;
        }
        Ok(Done { files: share * u64::from(self.load.threads), measured, found, inodes })
    }

    fn phase(
        &self,
        operation: MetadataOp,
        cache: CacheState,
        share: u64,
    ) -> Result<Measured, Ended> {
        let work = self.threads(|thread| match operation {
            MetadataOp::Readdir => self.list(thread, cache),
            _ => self.each(thread, operation, share),
        })?;
        Ok(summed(operation, cache, work))
    }

    /// Takes away every thread's files from the one with the number `share` on: in the first round
    /// what some made more than others.
    fn trim(&self, share: u64) -> Result<(), Ended> {
        for thread in 0..self.load.threads {
            let mut number = share;
            loop {
                let (leaf, name) = self.file(thread, number);
                match leaf.delete(&name, false) {
                    Ok(()) => number += 1,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    /// The place and the name of a thread's file: a tree's leaves are taken in turn, so that
    /// threads, where they divide them, have folders of their own.
    fn file(&self, thread: u32, number: u64) -> (&Leaf, SmallName) {
        let global = number * u64::from(self.load.threads) + u64::from(thread);
        let leaf = &self.leaves[(global % self.leaves.len() as u64) as usize];
        (leaf, SmallName::first(global))
    }

    fn create(
        &self,
        thread: u32,
        most: u64,
        least: u64,
        making: Option<Nanos>,
    ) -> Result<Work, Ended> {
        let content = vec![0xA5; self.load.file_size.0 as usize];
        let begun = self.clock.now();
        let mut work = Work::begun(begun);
        for number in 0..most {
            let late = making.is_some_and(|time| self.clock.now() - begun > time.0);
            if late && number >= least {
                break;
            }
            let (leaf, name) = self.file(thread, number);
            self.timed(&mut work, || leaf.create(&name, &content, self.load.synced))?;
        }
        Ok(work.ended(self.clock.now()))
    }

    /// One operation with each of a thread's files, in the order in which they were made.
    fn each(&self, thread: u32, operation: MetadataOp, share: u64) -> Result<Work, Ended> {
        let synced = self.load.synced;
        let size = self.load.file_size.0;
        let mut buffer = vec![0; BUFFER];
        let mut work = Work::begun(self.clock.now());
        // What a file has been renamed to is its name when it is deleted.
        let (renames, deletes) = (operation == MetadataOp::Rename, operation == MetadataOp::Delete);
        for number in 0..share {
            let (leaf, mut name) = self.file(thread, number);
            let mut second = name;
            if renames || deletes {
                let global = number * u64::from(self.load.threads) + u64::from(thread);
                second = SmallName::second(global);
            }
            if deletes {
                name = second;
            }
            let length = self.timed(&mut work, || {
                Ok(match operation {
                    MetadataOp::Stat => leaf.stat(&name)?,
                    MetadataOp::Open => leaf.read(&name, &mut buffer)? as u64,
                    MetadataOp::Rename => leaf.rename(&name, &second, synced).map(|()| size)?,
                    MetadataOp::Delete => leaf.delete(&name, synced).map(|()| size)?,
                    MetadataOp::Create | MetadataOp::Readdir => size,
                })
            })?;
            if length != size {
                let words = format!("a small file of {size} bytes came back with {length}");
                return Err(Ended::Wrong(words));
            }
        }
        Ok(work.ended(self.clock.now()))
    }

    /// All names of a thread's folders; of the one folder, by every thread.
    fn list(&self, thread: u32, cache: CacheState) -> Result<Work, Ended> {
        let times = if cache == CacheState::Warm { LISTINGS } else { 1 };
        let threads = self.load.threads as usize;
        let own = |place: usize| self.leaves.len() == 1 || place % threads == thread as usize;
        let mut work = Work::begun(self.clock.now());
        let mut names = 0;
        for _ in 0..times {
            for (_, leaf) in self.leaves.iter().enumerate().filter(|(place, _)| own(*place)) {
                self.timed(&mut work, || {
                    names += leaf.count()?;
                    Ok(())
                })?;
            }
        }
        work.operations = names;
        Ok(work.ended(self.clock.now()))
    }

    fn timed<T>(
        &self,
        work: &mut Work,
        operation: impl FnOnce() -> io::Result<T>,
    ) -> Result<T, Ended> {
        if self.stop.is_raised() {
            return Err(Ended::Stopped);
        }
        let begun = self.clock.now();
        let answer = operation()?;
        work.latency.record(self.clock.now().saturating_sub(begun));
        work.operations += 1;
        Ok(answer)
    }

    /// Runs a job on every thread of the load, all from the same moment on.
    fn threads(&self, job: impl Fn(u32) -> Result<Work, Ended> + Sync) -> Result<Vec<Work>, Ended> {
        // Locked until all threads are there; then it says whether they may begin.
        let gate = RwLock::new(false);
        let (job, gate) = (&job, &gate);
        std::thread::scope(|scope| {
            let mut closed = gate.write().unwrap_or_else(PoisonError::into_inner);
            let begin = |thread: u32| {
                let work = move || {
                    let open = *gate.read().unwrap_or_else(PoisonError::into_inner);
                    if open { job(thread) } else { Err(Ended::Stopped) }
                };
                let name = format!("small-{thread}");
                std::thread::Builder::new().name(name).spawn_scoped(scope, work)
            };
            let begun = (0..self.load.threads).map(begin).collect::<io::Result<Vec<_>>>();
            *closed = begun.is_ok();
            drop(closed);
            let mut works = Vec::new();
            for thread in begun? {
                match thread.join() {
                    Ok(work) => works.push(work?),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok(works)
        })
    }

    /// What the folders hold, by listing them; not what it should be ends the run.
    fn expect(&self, expected: u64, what: &str) -> Result<u64, Ended> {
        let mut found = 0;
        for leaf in self.leaves {
            found += leaf.count()?;
        }
        if found != expected {
            let words = format!("{expected} small files {what}, and the folders list {found}");
            return Err(Ended::Wrong(words));
        }
        Ok(found)
    }

    /// The file system's own count of inodes in use.
    fn inodes_used(&self) -> Option<i64> {
        let used = room(self.own.path()).ok()?.inodes_used?;
        i64::try_from(used).ok()
    }
}

impl Work {
    fn begun(begun_ns: u64) -> Self {
        let latency = LatencyHistogram::new();
        Self { begun_ns, ended_ns: begun_ns, operations: 0, latency }
    }

    fn ended(self, ended_ns: u64) -> Self {
        Self { ended_ns, ..self }
    }
}

/// The work of all threads as one: from when the first began until the last ended.
fn summed(operation: MetadataOp, cache: CacheState, works: Vec<Work>) -> Measured {
    let begun = works.iter().map(|work| work.begun_ns).min().unwrap_or(0);
    let ended = works.iter().map(|work| work.ended_ns).max().unwrap_or(0);
    let operations: u64 = works.iter().map(|work| work.operations).sum();
    let mut latency = LatencyHistogram::new();
    works.iter().for_each(|work| latency.merge(&work.latency));
    let seconds = Nanos(ended.saturating_sub(begun).max(1)).as_secs_f64();
    Measured { operation, cache, rate: operations as f64 / seconds, latency }
}

#[cfg(test)]
mod tests;
