//! How many other events lie between two of one kind: shorter gaps between pauses, writes between
//! flushes.

use std::collections::BTreeMap;

use record::profile::Distribution;

use super::numbers::describe_distribution;

#[derive(Default)]
pub(super) struct SpacingFit {
    /// Others before the first of the kind.
    before: Option<u64>,
    between: BTreeMap<u64, u64>,
    /// Others since the last of the kind, or since the start.
    since: u64,
}

impl SpacingFit {
    pub(super) fn add_other(&mut self) {
        self.since += 1;
    }

    /// Adds an event of the kind.
    pub(super) fn add(&mut self) {
        let others = std::mem::take(&mut self.since);
        match self.before {
            None => self.before = Some(others),
            Some(_) => *self.between.entry(others).or_default() += 1,
        }
    }

    /// Adds what came later.
    pub(super) fn append(&mut self, next: &Self) {
        let Some(before) = next.before else {
            self.since += next.since;
            return;
        };
        self.since += before;
        self.add();
        next.between.iter().for_each(|(to, n)| *self.between.entry(*to).or_default() += n);
        self.since = next.since;
    }

    /// The capture as a circle: the part after the last of the kind joins the part before the
    /// first.
    pub(super) fn describe(&self) -> Distribution {
        let mut between = self.between.clone();
        let ends = self.before.map(|before| before + self.since);
        ends.into_iter().for_each(|ends| *between.entry(ends).or_default() += 1);
        describe_distribution(&between)
    }
}
