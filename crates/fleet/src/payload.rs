//! Payloads larger than a message: compressed, hashed, sent in pieces.

use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

/// With its head a piece stays below the limit of a message.
pub(crate) const PIECE_BYTES_MAX: usize = 512 << 10;
/// 128 MiB, compressed, are days of intervals.
pub(crate) const PIECES_MAX: u32 = 256;
#[derive(Debug, Clone)]
pub(crate) struct ChunkedPayload {
    bytes: Vec<u8>,
    sha256: String,
}

impl ChunkedPayload {
    pub(crate) fn pack(content: &impl Serialize) -> Result<Self, serde_json::Error> {
        // Fast: a cell is packed between two cells.
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        serde_json::to_writer(&mut packed, content)?;
        packed.flush().map_err(serde_json::Error::io)?;
        Ok(Self::from_packed(packed.finish().map_err(serde_json::Error::io)?))
    }

    pub(crate) fn from_packed(bytes: Vec<u8>) -> Self {
        let sha256 = sha256_hex(&bytes);
        Self { bytes, sha256 }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn piece_count(&self) -> u32 {
        self.bytes.len().div_ceil(PIECE_BYTES_MAX).max(1) as u32
    }

    pub(crate) fn sha256(&self) -> &str {
        &self.sha256
    }

    pub(crate) fn piece(&self, number: u32) -> Option<&[u8]> {
        let from = (number as usize).checked_mul(PIECE_BYTES_MAX)?;
        let within = from < self.bytes.len() || number == 0;
        within.then(|| &self.bytes[from..(from + PIECE_BYTES_MAX).min(self.bytes.len())])
    }
}

pub(crate) fn check_piece_count(pieces: u32) -> Result<(), String> {
    match pieces {
        1..=PIECES_MAX => Ok(()),
        _ => Err(format!("it has {pieces} pieces, where 1 to {PIECES_MAX} are possible")),
    }
}

fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn join_pieces(pieces: &[Vec<u8>], sha256: &str) -> Result<Vec<u8>, String> {
    let bytes = pieces.concat();
    if sha256_hex(&bytes) == sha256 {
        return Ok(bytes);
    }
    Err("what arrived is not what was sent: its hash is another".to_owned())
}

pub(crate) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, String> {
    unpack_within(bytes, input::RECORD_MAX)
}

fn unpack_within(bytes: &[u8], most: u64) -> Result<Vec<u8>, String> {
    input::read_to_limit(GzDecoder::new(bytes), most)
        .map_err(|error| format!("it cannot be unpacked: {error}"))
}

pub(crate) fn unpack_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    serde_json::from_slice(&unpack(bytes)?)
        .map_err(|error| format!("it is malformed: {}", input::shorten_message(&error.to_string())))
}

pub(crate) fn unpack_record(bytes: &[u8]) -> Result<record::Record, String> {
    let plain = unpack(bytes)?;
    let mut record = record::store::parse_record(&plain, Path::new("the record"))
        .map_err(|error| error.to_string())?;
    // The judgement of an agent of an older version cannot be read.
    record.judgement.get_or_insert_with(|| analysis::judge(&record.measured));
    Ok(record)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_record_of_an_older_agent_is_judged() {
        let old = include_bytes!("../../record/tests/golden/v3.json");
        let plain = record::store::parse_record(old, std::path::Path::new("old")).unwrap();
        assert!(plain.judgement.is_none());
        let packed = record::store::compress_record(&plain).unwrap();
        let findings = super::unpack_record(&packed).unwrap().judgement.unwrap().findings;
        assert!(!findings.is_empty());
    }

    use proptest::prelude::*;

    use super::*;

    const LONGEST: usize = PIECE_BYTES_MAX + PIECE_BYTES_MAX / 2;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4))]
        #[test]
        fn what_is_packed_arrives(bytes in prop::collection::vec(any::<u8>(), 0..LONGEST)) {
            let parcel = ChunkedPayload::from_packed(bytes.clone());
            let pieces: Vec<Vec<u8>> =
                (0..parcel.piece_count()).map(|n| parcel.piece(n).unwrap().to_vec()).collect();
            prop_assert!(parcel.piece(parcel.piece_count()).is_none());
            prop_assert!(pieces.iter().all(|piece| piece.len() <= PIECE_BYTES_MAX));
            prop_assert_eq!(join_pieces(&pieces, parcel.sha256()).unwrap(), bytes);
        }
    }

    #[test]
    fn a_damaged_parcel_is_not_taken() {
        let parcel = ChunkedPayload::pack(&vec![1_u64; 1000]).unwrap();
        let mut piece = parcel.piece(0).unwrap().to_vec();
        assert_eq!(unpack_json::<Vec<u64>>(&piece).unwrap(), vec![1; 1000]);
        assert!(unpack_json::<Vec<String>>(&piece).unwrap_err().contains("malformed"));
        piece[20] ^= 1;
        assert!(join_pieces(&[piece.clone()], parcel.sha256()).unwrap_err().contains("hash"));
        assert!(unpack_json::<Vec<u64>>(&piece[..20]).unwrap_err().contains("unpacked"));
    }

    #[test]
    fn a_small_parcel_does_not_unpack_to_everything() {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&[0; 100_001]).unwrap();
        let packed = packed.finish().unwrap();
        assert!(packed.len() < 2000);
        assert!(unpack_within(&packed, 100_000).unwrap_err().contains("larger"));
        assert_eq!(unpack_within(&packed, 100_001).unwrap().len(), 100_001);
    }
}
