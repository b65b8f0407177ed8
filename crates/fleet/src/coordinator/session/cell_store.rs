//! What hosts gave to a cell, compressed as it came, in a file without a name.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;

use crate::error::FleetError;

pub(super) struct CellStore {
    file: File,
    /// Offset and length by host.
    places: BTreeMap<usize, (u64, usize)>,
    end: u64,
}

impl CellStore {
    pub(super) fn new() -> Result<Self, FleetError> {
        let file = output::make_scratch_file(&scratch_folder()).map_err(|error| {
            FleetError::failed(error.to_string(), "name a folder with free space: TMPDIR=FOLDER")
        })?;
        Ok(Self { file, places: BTreeMap::new(), end: 0 })
    }

    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.end = 0;
        // What is left of it is written over.
        let _ = self.file.set_len(0);
    }

    pub(super) fn contains(&self, host: usize) -> bool {
        self.places.contains_key(&host)
    }

    pub(super) fn store(&mut self, host: usize, bytes: &[u8]) -> Result<(), String> {
        let written = self.file.write_all_at(bytes, self.end);
        written.map_err(|error| format!("its figures were not kept in a file: {error}"))?;
        self.places.insert(host, (self.end, bytes.len()));
        self.end += bytes.len() as u64;
        Ok(())
    }

    pub(super) fn load(&self, host: usize) -> Result<Vec<u8>, String> {
        let &(offset, length) = self.places.get(&host).ok_or("it gave nothing")?;
        let mut bytes = vec![0; length];
        let read = self.file.read_exact_at(&mut bytes, offset);
        read.map_err(|error| format!("its figures cannot be read again: {error}"))?;
        Ok(bytes)
    }
}

/// `TMPDIR`, or `/var/tmp`: on many hosts `/tmp` is memory.
fn scratch_folder() -> PathBuf {
    let asked = std::env::var_os("TMPDIR").filter(|folder| !folder.is_empty());
    asked.map_or_else(|| PathBuf::from("/var/tmp"), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_gets_back_its_own_of_the_last_cell() {
        let mut cells = CellStore::new().unwrap();
        cells.store(2, b"two").unwrap();
        cells.store(0, b"none").unwrap();
        assert_eq!(cells.load(2).unwrap(), b"two");
        assert_eq!(cells.load(0).unwrap(), b"none");
        assert!(cells.load(1).is_err() && !cells.contains(1));
        cells.clear();
        assert!(cells.load(2).is_err());
        cells.store(1, b"1").unwrap();
        assert_eq!(cells.load(1).unwrap(), b"1");
    }
}
