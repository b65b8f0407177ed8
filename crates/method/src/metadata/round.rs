//! One round of a load: all its files made, asked, read, listed, renamed, deleted.

use std::io;

use engine::{Clock, Permutation, StopFlag};
use record::{CacheState, EntriesCounted, MetadataLoad, MetadataOp};
use stats::LatencyHistogram;
use target::{Leaf, OwnFolder, SmallName, drop_host_caches, room};
use units::Nanos;

use super::work::{Start, Work, summed, together};

/// A warm folder is listed so often in a round at least.
const LISTINGS: u32 = 8;
/// A cold look sees so many files however long they take: those of six rounds support a p50.
const COLD_LEAST: u64 = 8;
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
    pub(super) operation: MetadataOp,
    pub(super) cache: CacheState,
    /// Operations a second.
    pub(super) rate: f64,
    pub(super) latency: LatencyHistogram,
}

/// What a round came to, until its end or until something ended it.
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
        if done.files == 0 {
            return;
        }
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
    /// When it is to end, by the clock.
    pub(super) until_ns: u64,
    /// Time that a warm look takes at least.
    pub(super) looking: Nanos,
    /// Time after which a cold look at single files ends, if not all were looked at before.
    pub(super) cold_looking: Nanos,
}

impl Round<'_> {
    /// Makes `most` files, or as many as `making` allows and at least `least`, and goes through all
    /// operations with them while they are in memory.
    pub(super) fn warm(
        &self,
        most: u64,
        least: u64,
        making: Option<Nanos>,
        done: &mut Done,
    ) -> Result<(), Ended> {
        let created = self.make(most, least, making, done)?;
        done.measured.push(created);
        let share = done.files / u64::from(self.load.threads);
        if !self.load.synced {
            for operation in LOOKS {
                done.measured.push(self.look(operation, share, None, self.looking)?);
            }
        }
        for operation in [MetadataOp::Rename, MetadataOp::Delete] {
            // Always of files that are on the disk: what never got there is cheaper to take away,
            // and how much of it did would be the kernel's mood.
            self.own.settle()?;
            let work = self.threads(|thread, start| {
                self.each(thread, start, operation, share, None, Nanos(0))
            })?;
            done.measured.push(summed(operation, CacheState::Warm, &work));
            if operation == MetadataOp::Rename {
                self.expect(done.files, "were renamed")?;
            }
        }
        self.expect(0, "are left after all were deleted")?;
        Ok(self.own.settle()?)
    }

    /// Makes as many files, and looks at them each time after the caches were dropped. They are
    /// used for nothing else: what comes after would find in memory what a look brought there.
    /// Each is asked and opened in a random order of its own: in that of their making, a disk
    /// reads the next ones with every block.
    pub(super) fn cold(&self, files: u64, key: u64, done: &mut Done) -> Result<(), Ended> {
        self.make(files, files, None, done)?;
        let share = files / u64::from(self.load.threads);
        for (place, operation) in (0..).zip(LOOKS) {
            self.own.settle()?;
            drop_host_caches()?;
            let order = Permutation::new(share, key.wrapping_add(place));
            done.measured.push(self.look(operation, share, Some(order), Nanos(0))?);
        }
        self.trim(0)?;
        self.expect(0, "are left after all were deleted")
    }

    /// Makes the files, and counts them.
    fn make(
        &self,
        most: u64,
        least: u64,
        making: Option<Nanos>,
        done: &mut Done,
    ) -> Result<Measured, Ended> {
        let before = self.inodes_used();
        let each = |count: u64| count.div_ceil(u64::from(self.load.threads));
        let created = self
            .threads(|thread, start| self.create(thread, start, each(most), each(least), making))?;
        // Every thread goes on with what the slowest made, so that all have the same.
        let share = created.iter().map(|work| work.operations).min().unwrap_or(0);
        let made: u64 = created.iter().map(|work| work.operations).sum();
        done.inodes = before.zip(self.inodes_used()).map(|(before, after)| after - before);
        done.files = share * u64::from(self.load.threads);
        done.found = self.count()?;
        as_many(made, done.found, "were made")?;
        if making.is_some() {
            self.trim(share)?;
        }
        Ok(summed(MetadataOp::Create, CacheState::Warm, &created))
    }

    /// One look at all files: cold and once in this order, or warm for as long as that.
    fn look(
        &self,
        operation: MetadataOp,
        share: u64,
        order: Option<Permutation>,
        looking: Nanos,
    ) -> Result<Measured, Ended> {
        let cache = if order.is_some() { CacheState::Dropped } else { CacheState::Warm };
        let work = self.threads(|thread, start| match operation {
            MetadataOp::Readdir => self.list(thread, start, looking),
            _ => self.each(thread, start, operation, share, order, looking),
        })?;
        Ok(summed(operation, cache, &work))
    }

    /// Takes away every thread's files from the one with the number `share` on: in the first round
    /// what some made more than others.
    fn trim(&self, share: u64) -> Result<(), Ended> {
        for thread in 0..self.load.threads {
            let mut number = share;
            loop {
                let name = SmallName::first(self.unique(thread, number));
                match self.leaf(thread, number).delete(&name, false) {
                    Ok(()) => number += 1,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    /// The folders of a thread: the one that there is, or a part of the tree of its own.
    fn own_leaves(&self, thread: u32) -> &[Leaf] {
        let each = self.leaves.len() / self.load.threads as usize;
        let begin = each * thread as usize;
        if each == 0 { self.leaves } else { &self.leaves[begin..begin + each] }
    }

    /// The folder of a thread's file: its own are taken in turn.
    fn leaf(&self, thread: u32, number: u64) -> &Leaf {
        let leaves = self.own_leaves(thread);
        &leaves[number as usize % leaves.len()]
    }

    /// The number of a thread's file among those of all.
    fn unique(&self, thread: u32, number: u64) -> u64 {
        number * u64::from(self.load.threads) + u64::from(thread)
    }

    fn threads(
        &self,
        job: impl Fn(u32, &Start) -> Result<Work, Ended> + Sync,
    ) -> Result<Vec<Work>, Ended> {
        together(self.load.threads, self.clock, job)
    }

    fn create(
        &self,
        thread: u32,
        start: &Start,
        most: u64,
        least: u64,
        making: Option<Nanos>,
    ) -> Result<Work, Ended> {
        let content = vec![0xA5; self.load.file_size.0 as usize];
        let mut work = Work::begun(start)?;
        let enough = making.map_or(u64::MAX, |time| work.begun_ns + time.0);
        for number in 0..most {
            if work.ended_ns > enough && number >= least {
                break;
            }
            let (leaf, name) = (self.leaf(thread, number), self.unique(thread, number));
            let name = SmallName::first(name);
            self.timed(&mut work, || leaf.create(&name, &content, self.load.synced))?;
        }
        Ok(work)
    }

    /// One operation with each of a thread's files, in this order or in that of their making; again
    /// and again until `looking` is over.
    fn each(
        &self,
        thread: u32,
        start: &Start,
        operation: MetadataOp,
        share: u64,
        order: Option<Permutation>,
        looking: Nanos,
    ) -> Result<Work, Ended> {
        let (synced, size) = (self.load.synced, self.load.file_size.0);
        let leaves = self.own_leaves(thread);
        // A file that is deleted has been renamed.
        let named: fn(u64) -> SmallName = match operation {
            MetadataOp::Delete => SmallName::second,
            _ => SmallName::first,
        };
        let renames = operation == MetadataOp::Rename;
        let mut second = SmallName::second(0);
        let mut buffer = vec![0; BUFFER];
        let mut work = Work::begun(start)?;
        let enough = work.begun_ns + looking.0;
        let cut_ns = match order {
            Some(_) => work.begun_ns.saturating_add(self.cold_looking.0),
            None => u64::MAX,
        };
        // In the order of their making, the folders are counted through: to divide takes time.
        let (mut number, mut place) = (0, 0);
        while work.operations < share || work.ended_ns < enough {
            if work.ended_ns >= cut_ns && work.operations >= COLD_LEAST {
                break;
            }
            let (leaf, unique) = match order {
                None => (&leaves[place], self.unique(thread, number)),
                Some(order) => {
                    let number = order.at(number);
                    (self.leaf(thread, number), self.unique(thread, number))
                }
            };
            let name = named(unique);
            if renames {
                second = SmallName::second(unique);
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
            (number, place) = (number + 1, place + 1);
            if place == leaves.len() {
                place = 0;
            }
            if number == share {
                (number, place) = (0, 0);
            }
        }
        Ok(work)
    }

    /// All names of a thread's folders; of the one folder, by every thread. Warm ones as often as
    /// `looking` lasts, and often enough that the last listing of one thread does not count much.
    fn list(&self, thread: u32, start: &Start, looking: Nanos) -> Result<Work, Ended> {
        let least = if looking > Nanos(0) { LISTINGS } else { 1 };
        let leaves = self.own_leaves(thread);
        let mut work = Work::begun(start)?;
        let enough = work.begun_ns + looking.0;
        let (mut names, mut times) = (0, 0);
        while times < least || work.ended_ns < enough {
            for leaf in leaves {
                names += self.timed(&mut work, || leaf.count())?;
            }
            times += 1;
        }
        work.operations = names;
        Ok(work)
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
        if begun >= self.until_ns {
            return Err(Ended::Late);
        }
        let answer = operation()?;
        work.ended_ns = self.clock.now();
        work.latency.record(work.ended_ns.saturating_sub(begun));
        work.operations += 1;
        Ok(answer)
    }

    /// What the folders hold, by listing them.
    fn count(&self) -> io::Result<u64> {
        self.leaves.iter().map(Leaf::count).sum()
    }

    /// What is not as it should be ends the run.
    fn expect(&self, expected: u64, what: &str) -> Result<(), Ended> {
        as_many(expected, self.count()?, what)
    }

    /// The file system's own count of inodes in use.
    fn inodes_used(&self) -> Option<i64> {
        let used = room(self.own.handle()).ok()?.inodes_used?;
        i64::try_from(used).ok()
    }
}

fn as_many(expected: u64, found: u64, what: &str) -> Result<(), Ended> {
    if found == expected {
        return Ok(());
    }
    Err(Ended::Wrong(format!("{expected} small files {what}, and the folders list {found}")))
}

#[cfg(test)]
mod tests;
