//! From names to runs: records, folders of them, fio's JSON, runs of the history.

use std::borrow::Cow;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use history::{History, HistoryError};
use record::Record;
use record::store::{self, StoreError};

use crate::args::CompareArgs;
use crate::exit::Failure;
use crate::site::history_location;

pub(super) type SourcedRecord = (Record, String);

/// The runs of all sides, and whether measuring them was interrupted.
pub(super) struct ComparedRuns {
    pub(super) sides: Vec<Vec<SourcedRecord>>,
    pub(super) interrupted: bool,
}

const NAME_HINT: &str = "name records (truedisk check --json FILE), folders of them, fio's JSON, \
                     or runs of truedisk history list";

const FOLDER_FILES_MAX: usize = 1000;
/// Most bytes of a text with broken UTF-8.
const LOSSY_MAX: u64 = 32 << 20;

pub(super) fn load_sides(args: &CompareArgs) -> Result<Vec<Vec<SourcedRecord>>, Failure> {
    let named: Vec<Vec<String>> = if args.a.is_empty() {
        args.sides.iter().map(|side| split_names(side)).collect()
    } else {
        vec![args.a.clone(), args.b.clone()]
    };
    if named.len() < 2 {
        let message = format!("a comparison takes two sides, {} given", named.len());
        return Err(Failure::wrong(message)
            .hint("truedisk compare a.json b.json, or a1.json,a2.json b1.json,b2.json"));
    }
    named.iter().map(|names| load_side(names)).collect()
}

/// The files of all sides: no result may replace them.
pub(super) fn input_files(args: &CompareArgs) -> Vec<PathBuf> {
    let named = args.sides.iter().flat_map(|side| split_names(side));
    let named = named.chain(args.a.iter().chain(&args.b).cloned()).map(PathBuf::from);
    let with_files = |path: PathBuf| {
        let inside = fs::read_dir(&path).into_iter().flatten().flatten();
        inside.map(|entry| entry.path()).chain([path]).collect::<Vec<PathBuf>>()
    };
    named.flat_map(with_files).collect()
}

/// Splits the names of one side at commas; an existing file keeps its commas.
fn split_names(side: &str) -> Vec<String> {
    if Path::new(side).exists() {
        return vec![side.to_owned()];
    }
    side.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn load_side(names: &[String]) -> Result<Vec<SourcedRecord>, Failure> {
    let mut all: Vec<SourcedRecord> = Vec::new();
    for name in names {
        for (record, source) in resolve_name(name)? {
            let id = &record.measured.id;
            if let Some((_, first)) = all.iter().find(|(known, _)| known.measured.id == *id) {
                let failure = Failure::wrong(format!("{source} is the same run as {first}"));
                return Err(failure.hint("a run counts once; leave one of them out"));
            }
            all.push((record, source));
        }
    }
    Ok(all)
}

/// The record of a file, or of a run of the history.
pub(crate) fn load_run(name: &str) -> Result<record::Record, Failure> {
    if Path::new(name).is_dir() {
        let message = format!("{name} is a folder, not a record");
        return Err(Failure::wrong(message).hint("name one of its files"));
    }
    let found = resolve_name(name)?.pop();
    found.map(|(record, _)| record).ok_or_else(|| Failure::failed("no record"))
}

/// A file, all of a folder, or where there is neither, a run of the history.
fn resolve_name(name: &str) -> Result<Vec<SourcedRecord>, Failure> {
    let path = Path::new(name);
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => load_folder(path),
        Ok(_) => Ok(vec![(load_file(path)?, name.to_owned())]),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(vec![load_from_history(name)?]),
        Err(error) => Err(Failure::wrong(format!("cannot read {name}: {error}")).hint(NAME_HINT)),
    }
}

/// A run of the history, by its tag or id, as it was judged when it was measured.
fn load_from_history(name: &str) -> Result<SourcedRecord, Failure> {
    let read = || -> Result<SourcedRecord, HistoryError> {
        let mut history = History::open_read_only(&history_location()?)?;
        let id = history.find_run(name)?;
        let source = if id == name { id.clone() } else { format!("{name} ({id})") };
        Ok((history.load_record(&id)?, source))
    };
    read().map_err(|error| match error {
        HistoryError::UnknownRun { nearest, .. } => {
            let message = format!("cannot read {name}: no such file, and no run of the history");
            let hint = match nearest.is_empty() {
                true => NAME_HINT.to_owned(),
                false => format!("the nearest runs: {}", nearest.join(", ")),
            };
            Failure::wrong(message).hint(hint)
        }
        HistoryError::Ambiguous { .. } | HistoryError::Damaged { .. } => error.into(),
        // It may well have been meant for a file.
        error => {
            let message = format!("cannot read {name}: no such file, and {error}");
            Failure::new(units::ErrorKind::WrongRequest, message, error.hint())
        }
    })
}

/// Every finished record in a folder, by name.
fn load_folder(path: &Path) -> Result<Vec<SourcedRecord>, Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::wrong(format_args!("cannot read the folder {}: {error}", path.display()))
    };
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.ends_with(".json") && !name.ends_with(".partial.json") && !name.starts_with('.') {
            files.push(file);
        }
    }
    if files.len() > FOLDER_FILES_MAX {
        let message = format!("{} holds {} records", path.display(), files.len());
        let hint = format!("at most {FOLDER_FILES_MAX} are compared at once; name the files");
        return Err(Failure::wrong(message).hint(hint));
    }
    files.sort();
    if files.is_empty() {
        let message = format!("there is no record in {}", path.display());
        return Err(Failure::wrong(message).hint("records are files that end in .json"));
    }
    files.iter().map(|file| Ok((load_file(file)?, file.display().to_string()))).collect()
}

fn load_file(path: &Path) -> Result<record::Record, Failure> {
    let no_record = |error: StoreError| {
        let hint = match &error {
            StoreError::Io { .. } => "name a file that may be read",
            _ => "records come from truedisk --json FILE, or from fio with --output-format=json",
        };
        Failure::wrong(error).hint(hint)
    };
    let bytes = store::load_record_bytes(path).map_err(no_record)?;
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => Cow::Borrowed(text),
        // fio writes names of files and hosts as they are. Such a text grows threefold.
        Err(_) if bytes.len() as u64 <= LOSSY_MAX => String::from_utf8_lossy(&bytes),
        Err(_) => Cow::Borrowed(""),
    };
    if !fio::import::looks_like_fio(&text) {
        return store::parse_record(&bytes, path).map_err(no_record);
    }
    let mut record = fio::import::import_record(&text).map_err(|error| {
        Failure::wrong(format!("{}: {error}", path.display()))
            .hint("run fio with --output-format=json and keep its whole output")
    })?;
    record.judgement = Some(analysis::judge(&record.measured));
    Ok(record)
}
