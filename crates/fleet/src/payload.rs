//! Payloads larger than a message: compressed, hashed, sent in pieces.

use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use record::Record;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use crate::message::Reply;

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
        let json = serde_json::to_vec(content)?;
        // Writing into memory does not fail.
        let packed = packed.write_all(&json).and_then(|()| packed.finish());
        Ok(Self::from_packed(packed.map_err(serde_json::Error::io)?))
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

    /// A piece with the reply that announces it.
    pub(crate) fn piece(&self, number: u32) -> Option<(Reply, &[u8])> {
        let from = (number as usize).checked_mul(PIECE_BYTES_MAX)?;
        let within = from < self.bytes.len() || number == 0;
        let piece =
            within.then(|| &self.bytes[from..(from + PIECE_BYTES_MAX).min(self.bytes.len())])?;
        let (pieces, sha256) = (self.piece_count(), self.sha256.clone());
        Some((Reply::Piece { pieces, sha256 }, piece))
    }
}

/// The pieces of a payload that have arrived.
#[derive(Debug, Default)]
pub(crate) struct PieceCollector(Vec<Vec<u8>>);

impl PieceCollector {
    pub(crate) fn next_number(&self) -> u32 {
        self.0.len() as u32
    }

    /// Adds the next piece; returns the payload once it is complete.
    pub(crate) fn add(&mut self, reply: Reply, piece: &[u8]) -> Result<Option<Vec<u8>>, String> {
        let Reply::Piece { pieces, sha256 } = reply else {
            return Err("it gave something else than a piece".to_owned());
        };
        if !(1..=PIECES_MAX).contains(&pieces) {
            return Err(format!("it has {pieces} pieces, where 1 to {PIECES_MAX} are possible"));
        }
        self.0.push(piece.to_vec());
        if self.next_number() < pieces {
            return Ok(None);
        }
        let bytes = self.0.concat();
        if sha256_hex(&bytes) != sha256 {
            return Err("what arrived is not what was sent: its hash is another".to_owned());
        }
        Ok(Some(bytes))
    }
}

fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, String> {
    unpack_within(bytes, input::RECORD_MAX)
}

fn unpack_within(mut bytes: &[u8], most: u64) -> Result<Vec<u8>, String> {
    let plain = input::read_to_limit(GzDecoder::new(&mut bytes), most)
        .map_err(|error| format!("it cannot be unpacked: {error}"))?;
    match bytes.len() {
        0 => Ok(plain),
        more => Err(format!("{more} bytes follow its end")),
    }
}

pub(crate) fn unpack_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    serde_json::from_slice(&unpack(bytes)?)
        .map_err(|error| format!("it is malformed: {}", input::shorten_message(&error.to_string())))
}

pub(crate) fn unpack_record(bytes: Vec<u8>) -> Result<Record, String> {
    unpack_to_keep(bytes).map(|(record, _)| record)
}

/// A record, and its bytes where they can be kept as they came: with a judgement, and harmless to
/// a terminal. To write and compress a record again is what a host costs its coordinator most.
pub(crate) fn unpack_to_keep(bytes: Vec<u8>) -> Result<(Record, Option<Vec<u8>>), String> {
    let plain = unpack(&bytes)?;
    let mut record = record::store::parse_record(&plain, Path::new("the record"))
        .map_err(|error| error.to_string())?;
    let packed = record.judgement.is_some() && record::store::is_harmless(&plain);
    // The judgement of an agent of an older version cannot be read.
    record.judgement.get_or_insert_with(|| analysis::judge(&record.measured));
    Ok((record, packed.then_some(bytes)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_record_of_an_older_agent_is_judged() {
        let old = include_bytes!("../../record/tests/golden/v3.json");
        let plain = record::store::parse_record(old, std::path::Path::new("old")).unwrap();
        assert!(plain.judgement.is_none());
        let packed = record::store::compress_record(&plain).unwrap();
        let (judged, kept) = unpack_to_keep(packed).unwrap();
        assert!(!judged.judgement.unwrap().findings.is_empty());
        assert_eq!(kept, None, "its judgement is not in those bytes");
    }

    #[test]
    fn bytes_are_kept_as_they_came_unless_they_harm_a_terminal() {
        let record = analysis::judge_record(record::fixture::ssd_record().measured);
        let pack = |json: &str| {
            let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
            packed.write_all(json.as_bytes()).unwrap();
            packed.finish().unwrap()
        };
        let json = record::store::to_json(&record).unwrap();
        let packed = pack(&json);
        let (same, kept) = unpack_to_keep(packed.clone()).unwrap();
        assert!(same == record && kept == Some(packed));
        // U+009B begins a control sequence of a terminal, and JSON allows it.
        let harmful = json.replacen("\"cells\":[{\"name\":\"", "\"cells\":[{\"name\":\"\u{9b}", 1);
        assert_ne!(harmful, json);
        let (_, kept) = unpack_to_keep(pack(&harmful)).unwrap();
        assert_eq!(kept, None);
    }

    #[test]
    fn nothing_may_follow_what_was_packed() {
        let mut packed = ChunkedPayload::pack(&7).unwrap().bytes().to_vec();
        assert_eq!(unpack_json::<u32>(&packed).unwrap(), 7);
        packed.extend_from_slice(b"more");
        assert_eq!(unpack_json::<u32>(&packed).unwrap_err(), "4 bytes follow its end");
    }

    const LONGEST: usize = PIECE_BYTES_MAX + PIECE_BYTES_MAX / 2;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4))]
        #[test]
        fn what_is_packed_arrives(bytes in prop::collection::vec(any::<u8>(), 0..LONGEST)) {
            let payload = ChunkedPayload::from_packed(bytes.clone());
            let mut collector = PieceCollector::default();
            let mut arrived = None;
            while let Some((reply, piece)) = payload.piece(collector.next_number()) {
                prop_assert!(arrived.is_none() && piece.len() <= PIECE_BYTES_MAX);
                arrived = collector.add(reply, piece).unwrap();
            }
            prop_assert_eq!(collector.next_number(), payload.piece_count());
            prop_assert_eq!(arrived, Some(bytes));
        }
    }

    #[test]
    fn a_damaged_payload_is_not_taken() {
        let payload = ChunkedPayload::pack(&vec![1_u64; 1000]).unwrap();
        let (reply, piece) = payload.piece(0).unwrap();
        let mut piece = piece.to_vec();
        assert_eq!(unpack_json::<Vec<u64>>(&piece).unwrap(), vec![1; 1000]);
        assert!(unpack_json::<Vec<String>>(&piece).unwrap_err().contains("malformed"));
        piece[20] ^= 1;
        let error = PieceCollector::default().add(reply, &piece).unwrap_err();
        assert!(error.contains("hash"), "{error}");
        assert!(unpack_json::<Vec<u64>>(&piece[..20]).unwrap_err().contains("unpacked"));
    }

    #[test]
    fn a_small_payload_does_not_unpack_to_everything() {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&[0; 100_001]).unwrap();
        let packed = packed.finish().unwrap();
        assert!(packed.len() < 2000);
        assert!(unpack_within(&packed, 100_000).unwrap_err().contains("larger"));
        assert_eq!(unpack_within(&packed, 100_001).unwrap().len(), 100_001);
    }
}
