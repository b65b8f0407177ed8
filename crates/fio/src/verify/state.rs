//! How far a job had come: what `verify_state_save` leaves for `verify_state_load`.
//!
//! The format is our own, version 1; fio's files are recognised and refused. Numbers are
//! little-endian:
//!
//! | byte    | field                                                                  |
//! |---------|------------------------------------------------------------------------|
//! | 0       | magic, `tdvstate`                                                      |
//! | 8       | version: 1, u32                                                        |
//! | 12      | number n of writes in flight, u32                                      |
//! | 16      | seed of the job, u64                                                   |
//! | 24      | completed writes, u64                                                  |
//! | 32      | n times: sequence u64, offset in bytes u64, length in bytes u32, target u32 |
//! | 32+24 n | CRC-32C of all before, u32                                             |

use crc32c::crc32c;

const MAGIC: &[u8; 8] = b"tdvstate";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 32;
const ENTRY_BYTES: usize = 24;
const CRC_BYTES: usize = 4;

fn read_u64(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word| u64::from_le_bytes(*word))
}

fn read_u32(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word| u32::from_le_bytes(*word))
}

/// How far a job had come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifyState {
    pub seed: u64,
    pub completed: u64,
    /// Writes that were started and not seen to complete: each may be there, in part or not.
    pub in_flight: Vec<InFlight>,
}

/// A write in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InFlight {
    pub sequence: u64,
    /// Place on its target in bytes.
    pub offset: u64,
    pub length: u32,
    /// Which file or device of the job, from 0.
    pub target: u32,
}

/// Bytes that are no state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    #[error(
        "the verify state does not start with \"tdvstate\", so it is some other file: name the \
         one that verify_state_save left, or leave out verify_state_load to verify everything"
    )]
    Other,
    #[error(
        "the verify state is one of fio's, whose blocks and order are not ours: verify with fio \
         what fio wrote, or write again with truedisk"
    )]
    Fio,
    #[error("the verify state has version {found}, and this truedisk reads 1: use a later one")]
    Version { found: u32 },
    #[error(
        "the verify state has {found} bytes instead of {expected}, so it was not saved whole: \
         leave out verify_state_load to verify everything"
    )]
    Length { expected: u64, found: u64 },
    #[error(
        "the verify state is damaged, checksum {found:08x} instead of {expected:08x}: leave out \
         verify_state_load to verify everything"
    )]
    Checksum { expected: u32, found: u32 },
}

/// Name of the state of the instance of number `index`, from 0 over all instances of a run, of
/// `job`. `prefix` is `local`, or the address of a client. The file lies in `--aux-path`.
pub fn state_name(prefix: &str, job: &str, index: u32) -> String {
    // As fio does: a job may have a slash in its name, a file may not.
    format!("{prefix}-{}-{index}-verify.state", job.replace('/', "."))
}

impl VerifyState {
    /// The bytes of the file, the writes in flight by their sequence. Of more than `u32::MAX` of
    /// these only this many.
    pub fn to_bytes(&self) -> Vec<u8> {
        let count = u32::try_from(self.in_flight.len()).unwrap_or(u32::MAX);
        let mut in_flight = self.in_flight.clone();
        in_flight.sort_by_key(|write| (write.sequence, write.target, write.offset));
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, count].map(u32::to_le_bytes).as_flattened());
        bytes.extend([self.seed, self.completed].map(u64::to_le_bytes).as_flattened());
        for write in in_flight.iter().take(count as usize) {
            bytes.extend([write.sequence, write.offset].map(u64::to_le_bytes).as_flattened());
            bytes.extend([write.length, write.target].map(u32::to_le_bytes).as_flattened());
        }
        let crc = crc32c(&bytes);
        bytes.extend_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// The state in the bytes of a file.
    /// Errors: when they are none, of another version, cut off or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StateError> {
        let found = bytes.len() as u64;
        let too_short = StateError::Length { expected: (HEADER_BYTES + CRC_BYTES) as u64, found };
        if bytes.get(..8) != Some(MAGIC) {
            return Err(match bytes {
                _ if is_fio_state(bytes) => StateError::Fio,
                _ if MAGIC.starts_with(bytes) => too_short,
                _ => StateError::Other,
            });
        }
        if bytes.len() < HEADER_BYTES + CRC_BYTES {
            return Err(too_short);
        }
        let version = read_u32(bytes, 8);
        if version != VERSION {
            return Err(StateError::Version { found: version });
        }
        let expected =
            u64::from(read_u32(bytes, 12)) * ENTRY_BYTES as u64 + (HEADER_BYTES + CRC_BYTES) as u64;
        if found != expected {
            return Err(StateError::Length { expected, found });
        }
        let (covered, crc) = bytes.split_at(bytes.len() - CRC_BYTES);
        let (expected, found) = (crc32c(covered), read_u32(crc, 0));
        if expected != found {
            return Err(StateError::Checksum { expected, found });
        }
        let in_flight = covered[HEADER_BYTES..].chunks_exact(ENTRY_BYTES).map(|entry| InFlight {
            sequence: read_u64(entry, 0),
            offset: read_u64(entry, 8),
            length: read_u32(entry, 16),
            target: read_u32(entry, 20),
        });
        Ok(Self {
            seed: read_u64(bytes, 16),
            completed: read_u64(bytes, 24),
            in_flight: in_flight.collect(),
        })
    }
}

/// Whether this looks like fio's: seen with 3.33, a small version and the length of the rest.
fn is_fio_state(bytes: &[u8]) -> bool {
    (1..=64).contains(&read_u64(bytes, 0))
        && read_u64(bytes, 8).saturating_add(24) == bytes.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        let write = |sequence, target| InFlight { sequence, offset: 8192, length: 4096, target };
        VerifyState { seed: 42, completed: 1000, in_flight: vec![write(1002, 1), write(1001, 0)] }
    }

    #[test]
    fn golden() {
        // What this version saved must be readable for ever.
        let hex: String = state().to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            hex,
            "74647673746174650100000002000000\
             2a00000000000000e803000000000000\
             e90300000000000000200000000000000010000000000000\
             ea0300000000000000200000000000000010000001000000\
             5ac437bd"
        );
    }

    #[test]
    fn what_is_no_state() {
        let check = |bytes: &[u8], expected: StateError, word: &str| {
            let error = VerifyState::from_bytes(bytes).unwrap_err();
            assert_eq!(error, expected);
            assert!(error.to_string().contains(word), "{error}");
        };
        let bytes = state().to_bytes();
        check(b"hello, world", StateError::Other, "tdvstate");
        check(b"", StateError::Length { expected: 36, found: 0 }, "0 bytes instead of 36");
        check(&bytes[..5], StateError::Length { expected: 36, found: 5 }, "not saved whole");
        check(&bytes[..50], StateError::Length { expected: 84, found: 50 }, "not saved whole");
        let longer = [&bytes[..], b"x"].concat();
        check(&longer, StateError::Length { expected: 84, found: 85 }, "85 bytes");
        let mut later = bytes.clone();
        later[8] = 2;
        check(&later, StateError::Version { found: 2 }, "version 2");
        // The start of a state of fio 3.33, and its length.
        let mut fio = vec![0; 192];
        (fio[0], fio[8]) = (3, 0xA8);
        check(&fio, StateError::Fio, "fio's");
    }

    proptest! {
        #[test]
        fn round_trip_and_damage(
            seed: u64,
            completed: u64,
            writes in prop::collection::vec(any::<(u64, u64, u32, u32)>(), 0..40),
            flip: prop::sample::Index,
        ) {
            let write = |&(sequence, offset, length, target): &(u64, u64, u32, u32)| {
                InFlight { sequence, offset, length, target }
            };
            let mut in_flight: Vec<_> = writes.iter().map(write).collect();
            let shuffled = VerifyState { seed, completed, in_flight: in_flight.clone() };
            in_flight.sort_by_key(|write| (write.sequence, write.target, write.offset));
            let mut bytes = shuffled.to_bytes();
            let read = VerifyState::from_bytes(&bytes);
            prop_assert_eq!(read, Ok(VerifyState { seed, completed, in_flight }));
            let bit = flip.index(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(VerifyState::from_bytes(&bytes).is_err());
            bytes.truncate(bit / 8);
            prop_assert!(VerifyState::from_bytes(&bytes).is_err());
        }
    }
}
