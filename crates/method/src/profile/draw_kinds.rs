//! Which kind of request comes next.

use std::collections::BTreeMap;

use engine::SplitMix64;
use record::RequestKind;
use record::profile::{KindProfile, Places};

use super::choice::{Choice, Counts};

pub(super) struct Kinds {
    /// Those with a place, and what follows each of them.
    placed: Vec<(RequestKind, Choice)>,
    shares: Choice,
    flushes: Option<Flushes>,
}

struct Flushes {
    between: Counts,
    /// Whether only writes count between two flushes.
    counts_writes: bool,
}

/// How far a sequence of kinds has come.
#[derive(Clone)]
pub(super) struct KindState {
    random: SplitMix64,
    last: Option<usize>,
    /// Until the next flush.
    requests_left: u64,
}

impl Kinds {
    pub(super) fn new(profiles: &BTreeMap<RequestKind, KindProfile>) -> Self {
        let placed: Vec<(RequestKind, &KindProfile, &Places)> = profiles
            .iter()
            .filter_map(|(kind, of)| Some((*kind, of, of.places.as_ref()?)))
            .collect();
        let follow = |places: &Places| {
            let weight = |(kind, ..): &(RequestKind, _, _)| places.next.get(kind).copied();
            Choice::new(placed.iter().map(|kind| weight(kind).unwrap_or(0.0)))
        };
        let has_share = |kind: &RequestKind| profiles.get(kind).is_some_and(|of| of.share > 0.0);
        let flushes = profiles.get(&RequestKind::Flush).filter(|of| of.share > 0.0);
        let counts_writes = has_share(&RequestKind::Write);
        Self {
            placed: placed.iter().map(|(kind, _, places)| (*kind, follow(places))).collect(),
            shares: Choice::new(placed.iter().map(|(_, of, _)| of.share)),
            flushes: flushes.map(|of| Flushes { between: Counts::new(&of.between), counts_writes }),
        }
    }

    pub(super) fn begin(&self, seed: u64) -> KindState {
        let mut random = SplitMix64(seed);
        let flushes = self.flushes.as_ref();
        let requests_left = flushes.map_or(0, |flushes| flushes.between.draw(&mut random));
        KindState { random, last: None, requests_left }
    }

    /// `None` of a profile without requests.
    pub(super) fn draw(&self, state: &mut KindState) -> Option<RequestKind> {
        let random = &mut state.random;
        if let Some(flushes) = self.flushes.as_ref().filter(|_| state.requests_left == 0) {
            state.requests_left = flushes.between.draw(random);
            return Some(RequestKind::Flush);
        }
        let after_last = state.last.and_then(|last| self.placed[last].1.draw(random));
        let Some(index) = after_last.or_else(|| self.shares.draw(random)) else {
            // There is nothing but flushes.
            return self.flushes.as_ref().map(|_| RequestKind::Flush);
        };
        state.last = Some(index);
        let kind = self.placed[index].0;
        if let Some(flushes) = &self.flushes {
            let counts = kind == RequestKind::Write || !flushes.counts_writes;
            state.requests_left -= u64::from(counts);
        }
        Some(kind)
    }
}
