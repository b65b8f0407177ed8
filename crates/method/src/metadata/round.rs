//! One round of a load: all its files made, asked, read, listed, renamed, deleted.

use std::io;

use engine::{Clock, Permutation, StopSignal};
use record::{CacheState, EntriesCounted, MetadataLoad, MetadataOp};
use target::{LeafFolder, SmallFileName, TestFolder, drop_host_caches, query_free_space};
use units::Nanos;

use super::thread_work::{
    EndReason, OperationSample, StartBarrier, ThreadWork, merge_work, run_threads,
};

/// A warm folder is listed at least this often in a round.
const LISTINGS_MIN: u32 = 8;
/// A cold look sees at least this many files: those of six rounds support a p50.
const COLD_FILES_MIN: u64 = 8;
const READ_ONLY_OPERATIONS: [MetadataOp; 3] =
    [MetadataOp::Stat, MetadataOp::Open, MetadataOp::Readdir];
/// Room for what is read back, and a byte that shows a file that is too long.
const READ_BUFFER_SIZE: usize = (4 << 10) + 1;

#[derive(Debug, Default)]
pub(super) struct LoadSamples {
    pub(super) files: u64,
    pub(super) measured: Vec<OperationSample>,
    pub(super) counted: Option<EntriesCounted>,
}

/// One pass of every thread over its files.
#[derive(Clone, Copy)]
struct FilePass {
    operation: MetadataOp,
    share: u64,
    /// Cold and once in this order, or in that of their making.
    order: Option<Permutation>,
    /// Again and again until this time is over.
    looking: Nanos,
}

pub(super) struct Round<'a> {
    pub(super) load: &'a MetadataLoad,
    pub(super) leaves: &'a [LeafFolder],
    pub(super) own: &'a TestFolder,
    pub(super) clock: Clock,
    pub(super) stop: &'a StopSignal,
    pub(super) until_ns: u64,
    pub(super) looking: Nanos,
    /// Time after which a cold look at single files ends, if not all were looked at before.
    pub(super) cold_looking: Nanos,
}

impl Round<'_> {
    /// Makes `least` to `most` files, within the time of `making`, and goes through all operations
    /// with them while they are in memory.
    pub(super) fn run_warm(
        &self,
        most: u64,
        least: u64,
        making: Option<Nanos>,
        done: &mut LoadSamples,
    ) -> Result<(), EndReason> {
        let created = self.create_files(most, least, making, done)?;
        done.measured.push(created);
        let share = done.files / u64::from(self.load.threads);
        let pass = |operation, looking| FilePass { operation, share, order: None, looking };
        if !self.load.synced {
            for operation in READ_ONLY_OPERATIONS {
                done.measured.push(self.run_pass(pass(operation, self.looking))?);
            }
        }
        for operation in [MetadataOp::Rename, MetadataOp::Delete] {
            // Always of files that are on the disk: what never got there is cheaper to take away,
            // and how much of it did would be the kernel's mood.
            self.own.sync_file_system()?;
            done.measured.push(self.run_pass(pass(operation, Nanos(0)))?);
            if operation == MetadataOp::Rename {
                self.check_count(done.files, "were renamed")?;
            }
        }
        self.check_count(0, "are left after all were deleted")?;
        Ok(self.own.sync_file_system()?)
    }

    /// Makes as many files, and looks at them each time after the caches were dropped. They are
    /// used for nothing else: what comes after would find in memory what a look brought there.
    /// Each is asked and opened in a random order of its own: in that of their making, a disk
    /// reads the next ones with every block.
    pub(super) fn run_cold(
        &self,
        files: u64,
        key: u64,
        done: &mut LoadSamples,
    ) -> Result<(), EndReason> {
        self.create_files(files, files, None, done)?;
        let share = files / u64::from(self.load.threads);
        for (place, operation) in (0..).zip(READ_ONLY_OPERATIONS) {
            self.own.sync_file_system()?;
            drop_host_caches()?;
            let order = Permutation::new(share, key.wrapping_add(place));
            let order = Some(order);
            let pass = FilePass { operation, share, order, looking: Nanos(0) };
            done.measured.push(self.run_pass(pass)?);
        }
        self.delete_files(0)?;
        self.check_count(0, "are left after all were deleted")
    }

    fn create_files(
        &self,
        most: u64,
        least: u64,
        making: Option<Nanos>,
        done: &mut LoadSamples,
    ) -> Result<OperationSample, EndReason> {
        let before = self.inodes_used();
        let each = |count: u64| count.div_ceil(u64::from(self.load.threads));
        let created = self.run_on_threads(|thread, start| {
            self.create_on_thread(thread, start, each(most), each(least), making)
        })?;
        // Every thread goes on with what the slowest made, so that all have the same.
        let share = created.iter().map(|work| work.operations).min().unwrap_or(0);
        let made: u64 = created.iter().map(|work| work.operations).sum();
        let rise = before.zip(self.inodes_used()).map(|(before, after)| after - before);
        done.files = share * u64::from(self.load.threads);
        let found = self.count_entries()?;
        let load = self.load.name();
        let none = EntriesCounted { load, made: 0, found: 0, inodes: Some(0) };
        let counted = done.counted.get_or_insert(none);
        counted.made += done.files;
        counted.found += found;
        counted.inodes = counted.inodes.zip(rise).map(|(sum, rise)| sum + rise);
        check_equal_counts(made, found, "were made")?;
        if making.is_some() {
            self.delete_files(share)?;
        }
        Ok(merge_work(MetadataOp::Create, CacheState::Warm, &created))
    }

    fn run_pass(&self, pass: FilePass) -> Result<OperationSample, EndReason> {
        let cache = if pass.order.is_some() { CacheState::Dropped } else { CacheState::Warm };
        let work = self.run_on_threads(|thread, start| match pass.operation {
            MetadataOp::Readdir => self.list_on_thread(thread, start, pass.looking),
            _ => self.operate_on_thread(thread, start, pass),
        })?;
        Ok(merge_work(pass.operation, cache, &work))
    }

    /// Takes away every thread's files from the one with the number `share` on: in the first round
    /// what some made more than others.
    fn delete_files(&self, share: u64) -> Result<(), EndReason> {
        for thread in 0..self.load.threads {
            let mut number = share;
            loop {
                let name = SmallFileName::original_name(self.global_file_number(thread, number));
                match self.leaf_of_file(thread, number).delete(&name, false) {
                    Ok(()) => number += 1,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    fn leaves_of_thread(&self, thread: u32) -> &[LeafFolder] {
        let each = self.leaves.len() / self.load.threads as usize;
        let begin = each * thread as usize;
        if each == 0 { self.leaves } else { &self.leaves[begin..begin + each] }
    }

    fn leaf_of_file(&self, thread: u32, number: u64) -> &LeafFolder {
        let leaves = self.leaves_of_thread(thread);
        &leaves[number as usize % leaves.len()]
    }

    fn global_file_number(&self, thread: u32, number: u64) -> u64 {
        number * u64::from(self.load.threads) + u64::from(thread)
    }

    fn run_on_threads(
        &self,
        job: impl Fn(u32, &StartBarrier) -> Result<ThreadWork, EndReason> + Sync,
    ) -> Result<Vec<ThreadWork>, EndReason> {
        run_threads(self.load.threads, self.clock, job)
    }

    fn create_on_thread(
        &self,
        thread: u32,
        start: &StartBarrier,
        most: u64,
        least: u64,
        making: Option<Nanos>,
    ) -> Result<ThreadWork, EndReason> {
        let content = vec![0xA5; self.load.file_size.0 as usize];
        let mut work = ThreadWork::start_together(start)?;
        let enough = making.map_or(u64::MAX, |time| work.begun_ns + time.0);
        for number in 0..most {
            if work.ended_ns > enough && number >= least {
                break;
            }
            let (leaf, name) =
                (self.leaf_of_file(thread, number), self.global_file_number(thread, number));
            let name = SmallFileName::original_name(name);
            self.time_operation(&mut work, || leaf.create(&name, &content, self.load.synced))?;
        }
        Ok(work)
    }

    fn operate_on_thread(
        &self,
        thread: u32,
        start: &StartBarrier,
        pass: FilePass,
    ) -> Result<ThreadWork, EndReason> {
        let FilePass { operation, share, order, looking } = pass;
        let (synced, size) = (self.load.synced, self.load.file_size.0);
        let leaves = self.leaves_of_thread(thread);
        // A file that is deleted has been renamed.
        let named: fn(u64) -> SmallFileName = match operation {
            MetadataOp::Delete => SmallFileName::renamed_name,
            _ => SmallFileName::original_name,
        };
        let renames = operation == MetadataOp::Rename;
        let mut second = SmallFileName::renamed_name(0);
        let mut buffer = vec![0; READ_BUFFER_SIZE];
        let mut work = ThreadWork::start_together(start)?;
        let enough = work.begun_ns + looking.0;
        let cut_ns = match order {
            Some(_) => work.begun_ns.saturating_add(self.cold_looking.0),
            None => u64::MAX,
        };
        // In the order of their making, the folders are counted through: to divide takes time.
        let (mut number, mut place) = (0, 0);
        while work.operations < share || work.ended_ns < enough {
            if work.ended_ns >= cut_ns && work.operations >= COLD_FILES_MIN {
                break;
            }
            let (leaf, unique) = match order {
                None => (&leaves[place], self.global_file_number(thread, number)),
                Some(order) => {
                    let number = order.at(number);
                    (self.leaf_of_file(thread, number), self.global_file_number(thread, number))
                }
            };
            let name = named(unique);
            if renames {
                second = SmallFileName::renamed_name(unique);
            }
            let length = self.time_operation(&mut work, || {
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
                return Err(EndReason::Inconsistent(words));
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
    fn list_on_thread(
        &self,
        thread: u32,
        start: &StartBarrier,
        looking: Nanos,
    ) -> Result<ThreadWork, EndReason> {
        let least = if looking > Nanos(0) { LISTINGS_MIN } else { 1 };
        let leaves = self.leaves_of_thread(thread);
        let mut work = ThreadWork::start_together(start)?;
        let enough = work.begun_ns + looking.0;
        let (mut names, mut times) = (0, 0);
        while times < least || work.ended_ns < enough {
            for leaf in leaves {
                names += self.time_operation(&mut work, || leaf.count_names())?;
            }
            times += 1;
        }
        work.operations = names;
        Ok(work)
    }

    fn time_operation<T>(
        &self,
        work: &mut ThreadWork,
        operation: impl FnOnce() -> io::Result<T>,
    ) -> Result<T, EndReason> {
        if self.stop.is_raised() {
            return Err(EndReason::Stopped);
        }
        let begun = self.clock.now();
        if begun >= self.until_ns {
            return Err(EndReason::TimeUp);
        }
        let answer = operation()?;
        work.ended_ns = self.clock.now();
        work.latency.record(work.ended_ns.saturating_sub(begun));
        work.operations += 1;
        Ok(answer)
    }

    fn count_entries(&self) -> io::Result<u64> {
        self.leaves.iter().map(LeafFolder::count_names).sum()
    }

    fn check_count(&self, expected: u64, what: &str) -> Result<(), EndReason> {
        check_equal_counts(expected, self.count_entries()?, what)
    }

    fn inodes_used(&self) -> Option<i64> {
        let used = query_free_space(self.own.handle()).ok()?.inodes_used?;
        i64::try_from(used).ok()
    }
}

fn check_equal_counts(expected: u64, found: u64, what: &str) -> Result<(), EndReason> {
    if found == expected {
        return Ok(());
    }
    Err(EndReason::Inconsistent(format!(
        "{expected} small files {what}, and the folders list {found}"
    )))
}

#[cfg(test)]
mod tests;
