//! Who waits: what the program counted by control group.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use target::{BpfMap, BpfMapKind, Roots, find_group_ids};

use super::buckets::{WAITER_VALUE_BYTES, WaiterTotals};
use super::program::{WAITER_KEY_BYTES, parse_waiter_key};
use super::submitters::SubmittersOfGroups;
use crate::disks::Disk;
use crate::error::WatchError;
use crate::sample::{Waiter, WaiterName};

/// Pairs of group and disk that the program can tell apart: 1 MB. Later ones are not counted.
const ENTRIES_MAX: u32 = 256;
/// Beyond this many, pairs without a request in the interval make room for others.
const ENTRIES_KEPT: usize = 128;

const ROOT: &str = "/";

/// Time until groups that were not found are looked for again.
const LOOK_AGAIN_EVERY: Duration = Duration::from_secs(10);

pub(crate) struct WaiterReader {
    map: BpfMap,
    /// One value of zeros.
    blank: BpfMap,
    buffer: Vec<u8>,
    earlier: HashMap<Vec<u8>, WaiterTotals>,
    groups: GroupNames,
    roots: Roots,
}

/// The paths of control groups, by id. To look is to walk all groups.
struct GroupNames {
    paths: HashMap<u64, String>,
    /// Ids that were looked for and not found: outside of this container, or gone.
    unknown: HashSet<u64>,
    looked: Instant,
}

impl GroupNames {
    fn new(paths: HashMap<u64, String>, now: Instant) -> Self {
        Self { paths, unknown: HashSet::new(), looked: now }
    }

    /// Looks for ids that are new, and again for those that were not found, but not often.
    fn find(
        &mut self,
        ids: impl Iterator<Item = u64>,
        now: Instant,
        look: impl FnOnce() -> HashMap<u64, String>,
    ) {
        let missing: HashSet<u64> = ids.filter(|id| !self.paths.contains_key(id)).collect();
        let is_due = now - self.looked >= LOOK_AGAIN_EVERY;
        if missing.is_empty() || (missing.is_subset(&self.unknown) && !is_due) {
            return;
        }
        (self.paths, self.looked) = (look(), now);
        self.unknown = missing.into_iter().filter(|id| !self.paths.contains_key(id)).collect();
    }
}

impl WaiterReader {
    pub(crate) fn create(name: &str, roots: &Roots) -> std::io::Result<Self> {
        let (key_bytes, value_bytes) = (WAITER_KEY_BYTES, WAITER_VALUE_BYTES);
        let map = BpfMap::create(BpfMapKind::Hash, name, key_bytes, value_bytes, ENTRIES_MAX)?;
        let blank = BpfMap::create(BpfMapKind::Array, name, 4, value_bytes, 1)?;
        Ok(Self {
            buffer: map.new_buffer(),
            map,
            blank,
            earlier: HashMap::new(),
            groups: GroupNames::new(find_group_ids(roots), Instant::now()),
            roots: roots.clone(),
        })
    }

    pub(crate) fn map_descriptor(&self) -> i32 {
        self.map.raw_descriptor()
    }

    pub(crate) fn blank_descriptor(&self) -> i32 {
        self.blank.raw_descriptor()
    }

    /// Those with a request since the last time.
    pub(crate) fn read(
        &mut self,
        disks: &[&Disk],
        submitters: &SubmittersOfGroups,
    ) -> Result<Vec<Waiter>, WatchError> {
        let mut found = HashMap::new();
        let mut idle = Vec::new();
        for key in self.list_keys()? {
            if !self.map.read_values(&key, &mut self.buffer).map_err(WatchError::Kernel)? {
                continue;
            }
            let now = WaiterTotals::parse(&self.buffer);
            let delta = match self.earlier.get(&key) {
                Some(then) => now.since(then),
                None => now.clone(),
            };
            if delta.operations == 0 {
                idle.push(key.clone());
            } else if let Some((group, disk, is_background)) = parse_waiter_key(&key) {
                found.insert((group, disk, is_background), delta);
            }
            self.earlier.insert(key, now);
        }
        if self.earlier.len() > ENTRIES_KEPT {
            for key in idle {
                self.map.delete(&key).map_err(WatchError::Kernel)?;
                self.earlier.remove(&key);
            }
        }
        let ids = found.keys().map(|(group, ..)| *group);
        self.groups.find(ids, Instant::now(), || find_group_ids(&self.roots));
        let waiters = found.into_iter().map(|((group, disk, is_background), delta)| Waiter {
            who: self.name_waiter(group, is_background),
            device: disks.get(disk).map_or_else(String::new, |disk| disk.name.clone()),
            // What is written in the background is asked for by threads of the kernel.
            submitters: match is_background {
                true => Vec::new(),
                false => submitters.get(&(group, disk)).cloned().unwrap_or_default(),
            },
            operations: delta.operations,
            bytes: delta.bytes,
            waited_ns: delta.waited_ns,
            total: Some(delta.histogram()),
        });
        let mut waiters: Vec<Waiter> = waiters.collect();
        waiters.sort_by(|one, other| {
            other.waited_ns.cmp(&one.waited_ns).then_with(|| one.who.cmp(&other.who))
        });
        Ok(waiters)
    }

    fn list_keys(&self) -> Result<Vec<Vec<u8>>, WatchError> {
        let mut keys: Vec<Vec<u8>> = Vec::new();
        while keys.len() < ENTRIES_MAX as usize {
            let last = keys.last().map(Vec::as_slice);
            match self.map.next_key(last).map_err(WatchError::Kernel)? {
                Some(key) => keys.push(key),
                None => break,
            }
        }
        Ok(keys)
    }

    /// Pages written in the background are charged to their group where the kernel can; to the
    /// topmost group where it cannot.
    fn name_waiter(&self, group: u64, is_background: bool) -> WaiterName {
        match self.groups.paths.get(&group) {
            Some(path) if path == ROOT && is_background => WaiterName::Writeback,
            Some(path) => WaiterName::Group(path.clone()),
            // Outside of this container, or gone.
            None => WaiterName::Group(format!("#{group}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_are_not_found_are_looked_for_now_and_then() {
        let start = Instant::now();
        let mut names = GroupNames::new(HashMap::from([(1, "/a".to_owned())]), start);
        let mut check = |seconds: u64, ids: &[u64], is_looked: bool| {
            let mut looks = 0;
            let now = start + Duration::from_secs(seconds);
            names.find(ids.iter().copied(), now, || {
                looks += 1;
                let made = (seconds >= 10).then(|| (2, "/b".to_owned()));
                [(1, "/a".to_owned())].into_iter().chain(made).collect()
            });
            assert_eq!(looks, u32::from(is_looked), "{ids:?} after {seconds} s");
        };
        check(0, &[1], false);
        check(1, &[1, 9], true);
        check(2, &[9], false);
        check(10, &[9], false);
        // A new one is looked for at once, and found.
        check(10, &[9, 2], true);
        check(12, &[9, 2], false);
        check(20, &[1, 9], true);
        check(21, &[1, 9], false);
    }
}
