//! Patterns with places for the offset of the block (fio's `%o`).

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatternPiece<'a> {
    Bytes(&'a [u8]),
    /// The offset of the block on the target: 8 bytes, little-endian.
    Offset,
}

/// Bytes that are repeated from the start of a block to its end; empty: no pattern.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PatternPlan {
    /// One period, with zeros in the place of offsets.
    bytes: Vec<u8>,
    /// Runs of `bytes` in order, without gaps.
    runs: Vec<PatternRun>,
    /// Bytes of a block after which it starts again, with the offset there; 0: never.
    restart: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PatternRun {
    start: usize,
    end: usize,
    is_offset: bool,
}

/// A part between two starts of the pattern.
struct Piece {
    range: std::ops::Range<usize>,
    /// Its first byte, from the start of the pattern.
    from: usize,
    /// What the pattern has as the offset.
    offset: u64,
}

impl PatternPlan {
    pub(crate) fn new(pieces: &[PatternPiece<'_>]) -> Self {
        let mut plan = Self::default();
        for piece in pieces {
            let start = plan.bytes.len();
            match piece {
                PatternPiece::Bytes(bytes) => plan.bytes.extend_from_slice(bytes),
                PatternPiece::Offset => plan.bytes.extend_from_slice(&[0; 8]),
            }
            let is_offset = *piece == PatternPiece::Offset;
            if plan.bytes.len() > start {
                plan.runs.push(PatternRun { start, end: plan.bytes.len(), is_offset });
            }
        }
        plan
    }

    /// The same, started again after each `bytes` of a block; 0: never.
    pub(crate) fn restarting(self, bytes: usize) -> Self {
        Self { restart: bytes, ..self }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Bytes after which it repeats.
    fn period(&self) -> usize {
        self.bytes.len()
    }

    /// Fills `block`, which lies at byte `offset` of the target.
    #[inline]
    pub(crate) fn fill(&self, block: &mut [u8], offset: u64) {
        if self.restart == 0 {
            return self.fill_once(block, offset);
        }
        for (start, part) in (offset..).step_by(self.restart).zip(block.chunks_mut(self.restart)) {
            self.fill_once(part, start);
        }
    }

    #[inline]
    fn fill_once(&self, block: &mut [u8], offset: u64) {
        let mut done = self.period().min(block.len());
        if done == 0 {
            return;
        }
        self.copy_period(&mut block[..done], 0, offset);
        // Twice as much each time: for any period this is as fast as copying.
        while done < block.len() {
            let next = done.min(block.len() - done);
            block.copy_within(..next, done);
            done += next;
        }
    }

    /// Whether `part`, which starts at byte `from` of the block at `offset`, is as `fill` makes it.
    #[inline]
    pub(crate) fn matches_at(&self, part: &[u8], from: usize, offset: u64) -> bool {
        self.pieces(part.len(), from, offset)
            .all(|piece| self.matches_once(&part[piece.range.clone()], piece.from, piece.offset))
    }

    /// The pieces of a part of `length` bytes, cut where the pattern starts again.
    #[inline]
    fn pieces(&self, length: usize, from: usize, offset: u64) -> impl Iterator<Item = Piece> {
        let restart = if self.restart == 0 { usize::MAX } else { self.restart };
        let mut at = 0;
        std::iter::from_fn(move || {
            let inside = (from + at) % restart;
            let next = length.min(at.saturating_add(restart - inside));
            let start = offset.wrapping_add((from + at - inside) as u64);
            let piece = Piece { range: at..next, from: inside, offset: start };
            at = next;
            (!piece.range.is_empty()).then_some(piece)
        })
    }

    #[inline]
    fn matches_once(&self, part: &[u8], from: usize, offset: u64) -> bool {
        let period = self.period();
        if period == 0 {
            return true;
        }
        let phase = from % period;
        let (head, rest) = part.split_at(((period - phase) % period).min(part.len()));
        let (first, _) = rest.split_at(period.min(rest.len()));
        // The rest repeats: each byte is as the one a period before, which is one long comparison.
        self.matches_period(head, phase, offset)
            && self.matches_period(first, 0, offset)
            && rest.get(period..).is_none_or(|later| *later == rest[..later.len()])
    }

    /// As [`Self::fill`], from byte `from` of the block on. For the cold paths.
    pub(crate) fn fill_from(&self, out: &mut [u8], from: usize, offset: u64) {
        for piece in self.pieces(out.len(), from, offset) {
            self.fill_once_from(&mut out[piece.range], piece.from, piece.offset);
        }
    }

    fn fill_once_from(&self, out: &mut [u8], from: usize, offset: u64) {
        let period = self.period().max(1);
        let mut at = 0;
        while at < out.len() {
            let phase = (from + at) % period;
            let next = (period - phase).min(out.len() - at);
            self.copy_period(&mut out[at..at + next], phase, offset);
            at += next;
        }
    }

    #[inline]
    fn copy_period(&self, out: &mut [u8], phase: usize, offset: u64) {
        let end = phase + out.len();
        for run in &self.runs {
            let (low, high) = (run.start.max(phase), run.end.min(end));
            if low < high {
                let word = offset.to_le_bytes();
                out[low - phase..high - phase]
                    .copy_from_slice(self.run_bytes(run, low, high, &word));
            }
        }
    }

    #[inline]
    fn matches_period(&self, part: &[u8], phase: usize, offset: u64) -> bool {
        let end = phase + part.len();
        self.runs.iter().all(|run| {
            let (low, high) = (run.start.max(phase), run.end.min(end));
            low >= high || {
                let word = offset.to_le_bytes();
                part[low - phase..high - phase] == *self.run_bytes(run, low, high, &word)
            }
        })
    }

    /// Bytes `low..high` of the period, inside `run`.
    #[inline]
    fn run_bytes<'a>(
        &'a self,
        run: &PatternRun,
        low: usize,
        high: usize,
        word: &'a [u8; 8],
    ) -> &'a [u8] {
        match run.is_offset {
            true => &word[low - run.start..high - run.start],
            false => &self.bytes[low..high],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Byte `at` of a block, the slow way.
    fn byte(pieces: &[(Vec<u8>, bool)], at: usize, offset: u64, restart: usize) -> u8 {
        let inside = if restart == 0 { at } else { at % restart };
        let (at, offset) = (inside, offset.wrapping_add((at - inside) as u64));
        let period: Vec<u8> = pieces
            .iter()
            .flat_map(
                |(bytes, is_offset)| {
                    if *is_offset { offset.to_le_bytes().to_vec() } else { bytes.clone() }
                },
            )
            .collect();
        period[at % period.len()]
    }

    fn plan(pieces: &[(Vec<u8>, bool)]) -> PatternPlan {
        let pieces: Vec<_> = pieces
            .iter()
            .map(
                |(bytes, is_offset)| {
                    if *is_offset { PatternPiece::Offset } else { PatternPiece::Bytes(bytes) }
                },
            )
            .collect();
        PatternPlan::new(&pieces)
    }

    #[test]
    fn the_bytes_of_fio() {
        // fio 3.33, verify=pattern, verify_pattern=0xabcd%o, bs=8k, with and without
        // verify_interval=4096: at bytes 8192 and 12288 of the file.
        let plan = PatternPlan::new(&[PatternPiece::Bytes(&[0xAB, 0xCD]), PatternPiece::Offset]);
        let mut block = vec![0; 8192];
        plan.fill(&mut block, 8192);
        let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
        assert_eq!(hex(&block[..16]), "abcd0020000000000000abcd00200000");
        assert_eq!(hex(&block[4096..4112]), "00000000abcd0020000000000000abcd");
    }

    #[test]
    fn nothing_is_no_pattern() {
        let plan = PatternPlan::new(&[PatternPiece::Bytes(&[])]);
        assert!(plan.is_empty());
        let mut block = [7; 5];
        plan.fill(&mut block, 0);
        assert_eq!(block, [7; 5]);
    }

    proptest! {
        #[test]
        fn fills_and_compares(
            pieces in prop::collection::vec(
                (prop::collection::vec(any::<u8>(), 1..20), any::<bool>()), 1..5),
            length in 1_usize..300,
            from in 0_usize..300,
            flip: prop::sample::Index,
            offset: u64,
            restart in prop::sample::select(vec![0_usize, 1, 7, 64, 1000]),
        ) {
            let plan = plan(&pieces).restarting(restart);
            let mut block = vec![0; from + length];
            plan.fill(&mut block, offset);
            for (at, &found) in block.iter().enumerate() {
                prop_assert_eq!(found, byte(&pieces, at, offset, restart), "{}", at);
            }
            let mut part = block[from..].to_vec();
            prop_assert!(plan.matches_at(&part, from, offset));
            let mut again = vec![0; length];
            plan.fill_from(&mut again, from, offset);
            prop_assert_eq!(&again, &part);
            part[flip.index(length)] ^= 4;
            prop_assert!(!plan.matches_at(&part, from, offset));
        }
    }
}
