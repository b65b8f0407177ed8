//! The places that a pass has visited.

/// A bit for each place.
#[derive(Debug, Clone)]
pub(super) struct PlaceMap {
    words: Vec<u64>,
    places: u64,
    left: u64,
}

impl PlaceMap {
    pub(super) fn new(places: u64) -> Self {
        Self { words: vec![0; places.div_ceil(64) as usize], places, left: places }
    }

    /// All of them visited.
    pub(super) fn full(places: u64) -> Self {
        let mut map = Self::new(places);
        map.fill();
        map
    }

    pub(super) fn fill(&mut self) {
        self.words.fill(u64::MAX);
        self.left = 0;
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.words.copy_from_slice(&other.words);
        self.left = other.left;
    }

    pub(super) const fn places(&self) -> u64 {
        self.places
    }

    /// Places that were not visited.
    pub(super) const fn left(&self) -> u64 {
        self.left
    }

    /// Makes a place as if it had not been visited.
    pub(super) fn release(&mut self, place: u64) {
        self.left += u64::from(self.is_visited(place));
        self.words[(place / 64) as usize] &= !(1 << (place % 64));
    }

    pub(super) fn clear(&mut self) {
        self.words.fill(0);
        self.left = self.places;
    }

    pub(super) const fn is_full(&self) -> bool {
        self.left == 0
    }

    /// The first place from `place` on that was not visited, else the first of all; 0 when full.
    pub(super) fn next_free(&self, place: u64) -> u64 {
        if !self.is_visited(place) {
            return place;
        }
        let first = (place / 64) as usize;
        let behind = self.words[first] | ((1 << (place % 64)) - 1);
        let later = (first + 1..self.words.len()).chain(0..=first);
        let words = std::iter::once((first, behind)).chain(later.map(|at| (at, self.words[at])));
        let mut free = words
            .filter(|(_, word)| *word != u64::MAX)
            .map(|(at, word)| at as u64 * 64 + u64::from(word.trailing_ones()));
        // The last word has bits of no place.
        free.find(|free| *free < self.places).unwrap_or(0)
    }

    pub(super) fn is_visited(&self, place: u64) -> bool {
        self.words[(place / 64) as usize] >> (place % 64) & 1 == 1
    }

    /// Visits places from `place` on: `count` of them, or fewer where one was visited before, or
    /// where they end. Returns their number.
    pub(super) fn visit(&mut self, place: u64, count: u64) -> u64 {
        let end = self.places.min(place.saturating_add(count));
        let mut at = place;
        while at < end && !self.is_visited(at) {
            self.words[(at / 64) as usize] |= 1 << (at % 64);
            at += 1;
        }
        self.left -= at - place;
        at - place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_ends_where_an_earlier_one_was_and_at_the_end() {
        let mut map = PlaceMap::new(130);
        assert_eq!(map.visit(60, 10), 10);
        assert_eq!(map.visit(50, 100), 10);
        assert_eq!(map.visit(69, 4), 0);
        assert_eq!(map.visit(70, 500), 60);
        assert!(!map.is_full() && !map.is_visited(49) && map.is_visited(129));
        assert_eq!((map.next_free(49), map.next_free(60), map.next_free(129)), (49, 0, 0));
        assert_eq!(map.visit(0, 50), 50);
        assert!(map.is_full());
        map.release(129);
        map.release(129);
        assert_eq!((map.left(), map.next_free(7)), (1, 129));
        map.clear();
        assert!(!map.is_full() && map.visit(0, 130) == 130);
        assert_eq!(PlaceMap::full(130).next_free(5), 0);
    }
}
