//! How far a job had come: what `verify_state_save` leaves for `verify_state_load`.
//!
//! The format is that of fio 3.33, version 3. Numbers are little-endian:
//!
//! | byte     | field                                                              |
//! |----------|--------------------------------------------------------------------|
//! | 0        | version: 3, u64                                                    |
//! | 8        | length of what follows byte 24, u64                                |
//! | 16       | CRC-32C of it, without the final inversion, u64                    |
//! | 24       | number n of completions, u64                                       |
//! | 32       | depth, u32; number of files, u32                                   |
//! | 40       | writes that were started, u64                                      |
//! | 48       | number of the instance over all jobs, u64                          |
//! | 56       | state of a random generator, 56 bytes; zeros here                  |
//! | 112      | name of the job, 64 bytes, padded with zeros                       |
//! | 176      | n times: file, u64, and offset in bytes, u64: the newest completed |
//!
//! That of fio 3.41, version 5, is read too. Behind the CRC it has:
//!
//! | byte     | field                                                              |
//! |----------|--------------------------------------------------------------------|
//! | 24       | depth, u32, and four bytes of nothing                              |
//! | 32       | writes that were started, u64                                      |
//! | 40       | number of the instance, u64; state of a generator, 56 bytes        |
//! | 104      | name of the job, 64 bytes                                          |
//! | 168      | depth times: number of a write in flight, u64, or all ones         |

use std::collections::BTreeSet;

use crc32c::crc32c;

const VERSION: u64 = 3;
const VERSION_341: u64 = 5;
const PREFIX_BYTES: usize = 24;
const HEADER_BYTES: usize = 152;
const NAME_BYTES: usize = 64;
const ENTRY_BYTES: usize = 16;
const HEADER_BYTES_341: usize = 144;

fn read_u64(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word| u64::from_le_bytes(*word))
}

fn read_u32(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word| u32::from_le_bytes(*word))
}

/// How far a job had come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifyState {
    pub name: String,
    /// Number of the instance over all jobs, from 0.
    pub index: u64,
    pub depth: u32,
    pub files: u32,
    /// Writes that were started.
    pub started: u64,
    /// File and offset in bytes of the newest completed writes: one per depth in each file.
    pub completed: BTreeSet<(u64, u64)>,
    /// Of fio 3.41, instead: numbers of the writes that were started and had not completed.
    pub in_flight: Option<BTreeSet<u64>>,
}

/// Bytes that are no state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    #[error(
        "the verify state has version {found}, and this truedisk reads those of fio 3.33 and \
         3.41, 3 and 5: leave out verify_state_load to verify everything"
    )]
    Version { found: u64 },
    #[error(
        "the verify state has {found} bytes instead of {expected}, so it was not saved whole: \
         leave out verify_state_load to verify everything"
    )]
    Length { expected: u64, found: u64 },
    #[error(
        "the verify state is damaged, checksum {found:08x} instead of {expected:08x}: leave out \
         verify_state_load to verify everything"
    )]
    Checksum { expected: u64, found: u64 },
}

/// Name of the state of the instance of number `index`, from 0 over all instances of a run, of
/// `job`. `prefix` is `local`, or the address of a client. The file lies in `--aux-path`.
pub fn state_name(prefix: &str, job: &str, index: u32) -> String {
    // As fio does: a job may have a slash in its name, a file may not.
    format!("{prefix}-{}-{index}-verify.state", job.replace('/', "."))
}

impl VerifyState {
    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let count = self.completed.len() as u64;
        let mut bytes = count.to_le_bytes().to_vec();
        bytes.extend([self.depth, self.files].map(u32::to_le_bytes).as_flattened());
        bytes.extend([self.started, self.index].map(u64::to_le_bytes).as_flattened());
        bytes.resize(HEADER_BYTES - NAME_BYTES, 0);
        // The last byte of the name is a zero.
        bytes.extend(self.name.bytes().take(NAME_BYTES - 1));
        bytes.resize(HEADER_BYTES, 0);
        for (file, offset) in &self.completed {
            bytes.extend([*file, *offset].map(u64::to_le_bytes).as_flattened());
        }
        let prefix = [VERSION, bytes.len() as u64, u64::from(!crc32c(&bytes))];
        [prefix.map(u64::to_le_bytes).as_flattened(), &bytes].concat()
    }

    /// The state in the bytes of a file.
    /// Errors: when they are none, of another version, cut off or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StateError> {
        let found = bytes.len() as u64;
        let header_bytes = match read_u64(bytes, 0) {
            VERSION => HEADER_BYTES,
            VERSION_341 => HEADER_BYTES_341,
            _ if bytes.len() < 8 => HEADER_BYTES,
            found => return Err(StateError::Version { found }),
        };
        let shortest = (PREFIX_BYTES + header_bytes) as u64;
        let stated = read_u64(bytes, 8).saturating_add(PREFIX_BYTES as u64);
        if found < shortest {
            return Err(StateError::Length { expected: stated.max(shortest), found });
        }
        if found != stated {
            return Err(StateError::Length { expected: stated, found });
        }
        let covered = &bytes[PREFIX_BYTES..];
        let (expected, found_crc) = (u64::from(!crc32c(covered)), read_u64(bytes, 16));
        let checksum = StateError::Checksum { expected, found: found_crc };
        if header_bytes == HEADER_BYTES_341 {
            return if expected == found_crc { Ok(Self::of_341(covered)) } else { Err(checksum) };
        }
        let entries = covered[HEADER_BYTES..].as_chunks::<ENTRY_BYTES>().0;
        let count = read_u64(covered, 0);
        if count != entries.len() as u64 {
            let entries = count.saturating_mul(ENTRY_BYTES as u64);
            return Err(StateError::Length { expected: shortest.saturating_add(entries), found });
        }
        if expected != found_crc {
            return Err(checksum);
        }
        Ok(Self {
            name: read_name(&covered[HEADER_BYTES - NAME_BYTES..HEADER_BYTES]),
            index: read_u64(covered, 24),
            depth: read_u32(covered, 8),
            files: read_u32(covered, 12),
            started: read_u64(covered, 16),
            completed: entries.iter().map(|one| (read_u64(one, 0), read_u64(one, 8))).collect(),
            in_flight: None,
        })
    }

    fn of_341(covered: &[u8]) -> Self {
        let (header, entries) = covered.split_at(HEADER_BYTES_341);
        let numbers = entries.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        Self {
            name: read_name(&header[HEADER_BYTES_341 - NAME_BYTES..]),
            index: read_u64(header, 16),
            depth: read_u32(header, 0),
            started: read_u64(header, 8),
            in_flight: Some(numbers.filter(|number| *number != u64::MAX).collect()),
            ..Self::default()
        }
    }

    /// Whether the write of this number, from 0, to that place is known to have completed: of the
    /// newest only those that are listed.
    pub fn has_completed(&self, number: u64, file: u64, offset: u64) -> bool {
        if let Some(in_flight) = &self.in_flight {
            return number < self.started && !in_flight.contains(&number);
        }
        let window = u64::from(self.depth) * u64::from(self.files.max(1));
        number < self.started.saturating_sub(window)
            || number < self.started && self.completed.contains(&(file, offset))
    }
}

fn read_name(bytes: &[u8]) -> String {
    let name = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `--ioengine=libaio --iodepth=2 --number_ios=5`.
    const OF_FIO_341: &str = "\
        0500000000000000a0000000000000008b3538dd000000000200000000000000050000000000\
        0000000000000000000000000000000000005bcba8a49aaa2ceb30e25e480000000000000000\
        000000000000000000000000000000000000000000000000000000006a000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000\
        00000000000000000000000000000000ffffffffffffffffffffffffffffffff";

    #[test]
    fn states_of_newer_versions_are_read() {
        let hex = |at: usize| u8::from_str_radix(&OF_FIO_341[at..at + 2], 16).unwrap();
        let mut bytes: Vec<u8> = (0..OF_FIO_341.len()).step_by(2).map(hex).collect();
        let state = VerifyState::from_bytes(&bytes).unwrap();
        assert_eq!((state.name.as_str(), state.index, state.depth), ("j", 0, 2));
        assert_eq!((state.started, state.in_flight.as_ref().map(BTreeSet::len)), (5, Some(0)));
        assert!(state.has_completed(4, 0, 0) && !state.has_completed(5, 0, 0));
        let flying = VerifyState { in_flight: Some([3].into()), ..state };
        assert!(flying.has_completed(4, 0, 0) && !flying.has_completed(3, 0, 0));
        bytes[40] ^= 1;
        assert!(matches!(VerifyState::from_bytes(&bytes), Err(StateError::Checksum { .. })));
    }

    #[test]
    fn names_are_those_of_fio() {
        let check = |job: &str, index, expected: &str| {
            assert_eq!(state_name("local", job, index), expected);
        };
        // Measured: --numjobs=2, a second section, and a name with slash and space.
        check("a", 0, "local-a-0-verify.state");
        check("b", 2, "local-b-2-verify.state");
        check("x/y z", 0, "local-x.y z-0-verify.state");
        assert_eq!(state_name("192.168.0.1", "a", 1), "192.168.0.1-a-1-verify.state");
    }

    fn state() -> VerifyState {
        VerifyState {
            name: "j".to_owned(),
            index: 0,
            depth: 1,
            files: 1,
            started: 16,
            completed: BTreeSet::from([(0, 61_440)]),
            in_flight: None,
        }
    }

    #[test]
    fn the_bytes_of_fio() {
        // fio 3.33: --name=j --size=64k --bs=4k --rw=write --verify=crc32c.
        let bytes = state().to_bytes();
        let words: Vec<u64> =
            bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let mut expected = vec![0; 24];
        expected[..6].copy_from_slice(&[3, 168, 0x75bb_a538, 1, 0x1_0000_0001, 16]);
        (expected[14], expected[23]) = (u64::from(b'j'), 61_440);
        assert_eq!(words, expected);
    }

    #[test]
    fn what_is_no_state() {
        let check = |bytes: &[u8], expected: StateError| {
            assert_eq!(VerifyState::from_bytes(bytes), Err(expected));
        };
        let bytes = state().to_bytes();
        check(b"", StateError::Length { expected: 176, found: 0 });
        check(&bytes[..100], StateError::Length { expected: 192, found: 100 });
        check(&[&bytes[..], b"x"].concat(), StateError::Length { expected: 192, found: 193 });
        let mut later = bytes.clone();
        later[0] = 4;
        check(&later, StateError::Version { found: 4 });
        // A state without completions is the shortest; a length that says less is damaged.
        let mut shorter = VerifyState::default().to_bytes();
        shorter[8] ^= 8;
        check(&shorter, StateError::Length { expected: 168, found: 176 });
    }

    #[test]
    fn of_the_newest_writes_only_those_listed_completed() {
        let state = VerifyState { started: 10, depth: 2, ..state() };
        let check = |number, offset, expected| {
            assert_eq!(state.has_completed(number, 0, offset), expected, "{number} {offset}");
        };
        check(7, 0, true);
        check(8, 0, false);
        check(9, 61_440, true);
        check(10, 61_440, false);
    }

    proptest! {
        #[test]
        fn round_trip_and_damage(
            numbers: (u64, u32, u32, u64),
            completed in prop::collection::btree_set(any::<(u64, u64)>(), 0..40),
            name in "[a-z/ ]{0,63}",
            flip: prop::sample::Index,
        ) {
            let (index, depth, files, started) = numbers;
            let in_flight = None;
            let state = VerifyState { name, index, depth, files, started, completed, in_flight };
            let mut bytes = state.to_bytes();
            prop_assert_eq!(VerifyState::from_bytes(&bytes), Ok(state));
            let bit = flip.index(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(VerifyState::from_bytes(&bytes).is_err());
            bytes.truncate(bit / 8);
            prop_assert!(VerifyState::from_bytes(&bytes).is_err());
        }
    }
}
