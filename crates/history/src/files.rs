//! Where a history lies, and the record files beside a database.

use std::fs;
use std::io;
use std::path::PathBuf;

use output::{OutputError, save_private, write_private};
use record::{Record, store};

use crate::error::HistoryError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HistoryLocation {
    /// A database in this folder, with the records beside it.
    Folder(PathBuf),
    /// A PostgreSQL server, by its address.
    Server(String),
}

impl HistoryLocation {
    /// `TRUEDISK_HISTORY` where it is set, else `truedisk` in the folder for data. Fails when that
    /// is neither an address nor a folder, or there is no home.
    pub fn from_env(env: impl Fn(&str) -> Option<String>) -> Result<Self, HistoryError> {
        match env("TRUEDISK_HISTORY").filter(|address| !address.is_empty()) {
            None => Ok(Self::Folder(store::default_folder(env)?)),
            Some(address) => {
                let words = match address.split_once("://") {
                    Some(("postgres" | "postgresql", _)) => return Ok(Self::Server(address)),
                    Some((scheme, _)) => format!("'{scheme}://' is not known"),
                    None => "it does not begin with postgres://".to_owned(),
                };
                Err(HistoryError::Address { words })
            }
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct RecordFiles {
    pub(crate) folder: PathBuf,
}

impl RecordFiles {
    pub(crate) fn database_path(&self) -> PathBuf {
        self.folder.join("history.db")
    }

    pub(crate) fn record_path(&self, id: &str) -> PathBuf {
        self.folder.join("runs").join(format!("{id}.json.gz"))
    }

    /// `packed` is its compressed JSON, where that is known.
    pub(crate) fn store_record(
        &self,
        record: &Record,
        packed: Option<&[u8]>,
    ) -> Result<PathBuf, OutputError> {
        let (folder, name) = (self.folder.join("runs"), format!("{}.json.gz", record.measured.id));
        match packed {
            Some(packed) => save_private(&folder, &name, packed),
            None => {
                write_private(&folder, &name, &mut |file| store::write_compressed(record, file))
            }
        }
    }

    pub(crate) fn load_record(&self, id: &str) -> Result<Option<Vec<u8>>, HistoryError> {
        let path = self.record_path(id);
        match input::read_file(&path, input::RECORD_MAX) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(HistoryError::Io { attempt: "read", path, source }),
        }
    }

    /// Removes record and page; returns those that existed.
    pub(crate) fn remove_record(&self, id: &str) -> Result<Vec<String>, HistoryError> {
        let mut gone = Vec::new();
        for path in [self.record_path(id), self.folder.join(format!("{id}.html"))] {
            match fs::remove_file(&path) {
                Ok(()) => gone.push(path.display().to_string()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(HistoryError::Io { attempt: "remove", path, source }),
            }
        }
        Ok(gone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_lies_in_the_data_folder_or_on_a_server() {
        let of = |pairs: &[(&str, &str)]| {
            let pairs: Vec<_> = pairs.iter().map(|(k, v)| (*k, (*v).to_owned())).collect();
            HistoryLocation::from_env(|name| {
                pairs.iter().find(|(k, _)| *k == name).map(|(_, v)| v.clone())
            })
        };
        let data = ("XDG_DATA_HOME", "/data");
        assert_eq!(of(&[data]).unwrap(), HistoryLocation::Folder("/data/truedisk".into()));
        assert_eq!(
            of(&[data, ("TRUEDISK_HISTORY", "")]).unwrap(),
            HistoryLocation::Folder("/data/truedisk".into())
        );
        let address = "postgres://a:b@h/d".to_owned();
        assert_eq!(
            of(&[("TRUEDISK_HISTORY", &address)]).unwrap(),
            HistoryLocation::Server(address)
        );
        for wrong in ["mysql://h/d", "/srv/history"] {
            let error = of(&[data, ("TRUEDISK_HISTORY", wrong)]).unwrap_err();
            assert!(error.to_string().contains("TRUEDISK_HISTORY"), "{error}");
            assert!(error.hint().unwrap().contains("postgres://"));
        }
    }
}
