//! What a history on disk does when the disk, or another process, is in its way.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

use std::fs;
use std::path::Path;

use history::export::{Export, Format, RowKind};
use history::{DatabaseFailure, Filter, History, HistoryError, HistoryLocation};
use record::{Record, fixture};

fn place(folder: &Path) -> HistoryLocation {
    HistoryLocation::Folder(folder.to_owned())
}

fn is_failure(error: &HistoryError, wanted: DatabaseFailure) -> bool {
    matches!(error, HistoryError::Database { failure, .. } if *failure == wanted)
}

fn refused(result: Result<History, HistoryError>) -> HistoryError {
    result.err().unwrap()
}

#[test]
fn looking_into_a_history_that_is_not_there_makes_none() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("truedisk");
    let mut history = History::open_read_only(&place(&inside)).unwrap();
    assert!(history.list_runs(&Filter::default()).unwrap().is_empty());
    assert!(!inside.exists());
}

#[test]
fn what_is_no_database_is_said_to_be_none() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("history.db"), "x".repeat(5000)).unwrap();
    for opened in
        [History::open(&place(folder.path())), History::open_read_only(&place(folder.path()))]
    {
        let error = refused(opened);
        assert!(is_failure(&error, DatabaseFailure::Broken), "{error}");
    }
    let missing = refused(History::open(&place(Path::new("/dev/null/truedisk"))));
    assert!(matches!(missing, HistoryError::Output(_)), "{missing}");
}

#[test]
fn links_devices_and_databases_of_others_are_not_written() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let precious = outside.path().join("precious");
    for (number, contents) in [Vec::new(), b"precious".to_vec()].into_iter().enumerate() {
        for end in ["", "-wal", "-shm", "-journal"] {
            fs::write(&precious, &contents).unwrap();
            let link = folder.path().join(format!("history.db{end}"));
            std::os::unix::fs::symlink(&precious, &link).unwrap();
            // Files beside a database are of interest only where there is one.
            if !end.is_empty() {
                fs::write(folder.path().join("history.db"), "").unwrap();
            }
            for opened in [
                History::open(&place(folder.path())),
                History::open_read_only(&place(folder.path())),
            ] {
                let error = refused(opened);
                assert!(matches!(error, HistoryError::NotOurs { .. }), "{number} {end}: {error}");
            }
            assert_eq!(fs::read(&precious).unwrap(), contents);
            fs::remove_file(&link).unwrap();
            let _ = fs::remove_file(folder.path().join("history.db"));
        }
    }
    let foreign = rusqlite::Connection::open(folder.path().join("history.db")).unwrap();
    foreign.execute_batch("CREATE TABLE bookmarks (url TEXT)").unwrap();
    drop(foreign);
    let error = refused(History::open(&place(folder.path())));
    assert!(error.to_string().contains("another program's tables"), "{error}");
    // The folder itself may be a link.
    let link = outside.path().join("link");
    fs::remove_file(folder.path().join("history.db")).unwrap();
    std::os::unix::fs::symlink(folder.path(), &link).unwrap();
    History::open(&place(&link)).unwrap().save_record(&fixture::ssd_record()).unwrap();
    assert_eq!(History::open_read_only(&place(&link)).unwrap().count_runs().unwrap(), 1);
}

#[test]
fn a_locked_history_is_waited_for_and_then_said_to_be_locked() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = History::open(&place(folder.path())).unwrap();
    history.save_record(&fixture::ssd_record()).unwrap();
    let other = rusqlite::Connection::open(folder.path().join("history.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut another = fixture::ssd_record();
    another.measured.id = "20261119T110640Z-another".to_owned();
    let error = history.save_record(&another).unwrap_err();
    assert!(is_failure(&error, DatabaseFailure::Locked), "{error}");
    // Readers are not kept waiting, and what was there is there.
    assert_eq!(history.list_runs(&Filter::default()).unwrap().len(), 1);
    other.execute_batch("ROLLBACK").unwrap();
    history.save_record(&another).unwrap();
    assert_eq!(history.count_runs().unwrap(), 2);
}

#[test]
fn a_damaged_record_is_named_and_can_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = History::open(&place(folder.path())).unwrap();
    let record = fixture::ssd_record();
    history.save_record(&record).unwrap();
    let file = folder.path().join("runs").join(format!("{}.json.gz", record.measured.id));
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let error = history.load_record(&record.measured.id).unwrap_err();
    assert!(matches!(error, HistoryError::Damaged { .. }), "{error}");
    history.import_record(&record).unwrap();
    assert_eq!(history.load_record(&record.measured.id).unwrap(), record);
}

fn records() -> Vec<Record> {
    let mut several = [
        fixture::ssd_record(),
        fixture::limit_record(),
        fixture::two_job_limit_record(),
        fixture::open_loop_limit_record(),
    ]
    .to_vec();
    for (number, record) in several.iter_mut().enumerate() {
        record.measured.id = format!("20261119T110640Z-{number}");
    }
    several
}

fn no_foreign(_: &str) -> Option<Result<Vec<Record>, String>> {
    None
}

fn read(path: &Path) -> Result<Vec<Record>, HistoryError> {
    let mut all = Vec::new();
    history::import::read_records(path, &no_foreign, &mut |record| {
        all.push(record);
        Ok(())
    })?;
    Ok(all)
}

#[test]
fn json_and_json_lines_come_back_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let check = |format: Format, records: &[Record]| {
        let path = folder.path().join("runs");
        let file = fs::File::create(&path).unwrap();
        let mut export = Export::new(file, format, RowKind::Cells).unwrap();
        records.iter().for_each(|record| export.add_record(record).unwrap());
        export.finish().unwrap();
        assert_eq!(read(&path).unwrap(), records);
        fs::read(&path).unwrap()
    };
    check(Format::Jsonl, &records());
    for some in [0, 1, 2] {
        let text = check(Format::Json, &records()[..some]);
        let list: Vec<serde_json::Value> = serde_json::from_slice(&text).unwrap();
        assert_eq!(list.len(), some);
    }
}

#[test]
fn files_of_one_record_are_read_plain_pretty_and_compressed() {
    let folder = tempfile::tempdir().unwrap();
    let record = fixture::ssd_record();
    let check = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        assert_eq!(read(&path).unwrap(), std::slice::from_ref(&record), "{name}");
    };
    check("plain.json", record::store::to_json(&record).unwrap().as_bytes());
    check("pretty.json", serde_json::to_string_pretty(&record).unwrap().as_bytes());
    check("packed.json.gz", &record::store::compress_record(&record).unwrap());
}

#[test]
fn bad_files_are_refused_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let json = record::store::to_json(&fixture::ssd_record()).unwrap();
    let check = |name: &str, text: &str, words: &[&str]| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let error = read(&path).unwrap_err().to_string();
        for word in words.iter().chain(&[name]) {
            assert!(error.contains(word), "'{word}' is missing: {error}");
        }
    };
    check("cut.json", &json[..json.len() / 2], &["ends early"]);
    check("lines.jsonl", &format!("{json}\n{}", &json[..900]), &["line 2", "ends early"]);
    let newer = json.replacen("\"schema_version\":5", "\"schema_version\":99", 1);
    check("newer.json", &newer, &["schema version 99"]);
    check("other.json", "{\"a\": 1}", &["no record"]);
    check("empty.json", "", &["ends early"]);
    check("text.txt", "hello\n", &["no record"]);
}

/// Small texts that unpack to `length` bytes.
fn bomb(length: u64) -> Vec<u8> {
    use std::io::{Read as _, Write as _};
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let mut rest = std::io::repeat(b'[').take(length);
    std::io::copy(&mut rest, &mut packed).unwrap();
    packed.flush().unwrap();
    packed.finish().unwrap()
}

#[test]
fn what_unpacks_to_too_much_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.json.gz");
    fs::write(&path, bomb(input::RECORD_MAX + 1)).unwrap();
    assert!(fs::metadata(&path).unwrap().len() < 1 << 20);
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("bomb.json.gz: it is larger than 256 MiB"), "{error}");
    let zero = read(Path::new("/dev/zero")).unwrap_err().to_string();
    assert!(zero.contains("a character device"), "{zero}");
}

#[test]
fn an_error_quotes_little_of_a_long_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.json");
    let record = record::store::to_json(&fixture::ssd_record()).unwrap();
    let long =
        record.replacen("\"cells\":", &format!("\"cells\":\"{}\",\"x\":", "y".repeat(1 << 20)), 1);
    // Version 1 had everything at the top.
    let mut old: serde_json::Value = serde_json::from_str(&record).unwrap();
    let mut old = old["measured"].take();
    (old["schema_version"], old["cells"]) = (1.into(), "y".repeat(1 << 20).into());
    for text in [long, old.to_string()] {
        fs::write(&path, text).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("invalid type: string") && error.len() < 1000, "{}", error.len());
    }
}

#[test]
fn an_id_in_a_file_is_never_a_path_or_a_word_of_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.json");
    let record = fixture::ssd_record();
    let json = record::store::to_json(&record).unwrap();
    for odd in ["latest", "before-upgrade", "-o", "../../evil", "/tmp/evil", ""] {
        fs::write(&path, json.replacen(&record.measured.id, odd, 1)).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains(&format!("'{odd}' is no id of a run")), "{error}");
    }
}

/// Version 1 had no column for the share of a limit that a watch sees used.
#[test]
fn a_history_of_version_1_is_read_and_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let record = fixture::ssd_record();
    let id = record.measured.id.clone();
    History::open(&place(folder.path())).unwrap().save_record(&record).unwrap();
    let database = rusqlite::Connection::open(folder.path().join("history.db")).unwrap();
    for column in ["used", "used_low", "used_high"] {
        let sql = format!("ALTER TABLE truedisk_figures DROP COLUMN {column}");
        database.execute_batch(&sql).unwrap();
    }
    database.pragma_update(None, "user_version", 1).unwrap();
    drop(database);
    let mut history = History::open(&place(folder.path())).unwrap();
    let figures = history.load_figures(&id).unwrap();
    assert_eq!(figures, record::Figures::from_record(&record));
    let watch = fixture::watch_record();
    history.save_record(&watch).unwrap();
    let series = |history: &mut History, target: &str| {
        let filter = Filter { target: Some(target.to_owned()), ..Filter::default() };
        history.load_series(&filter, ("vda", "all"), record::Metric::Used).unwrap()
    };
    for target in ["vda", "/dev/vda", "/srv/data"] {
        let [point] = &series(&mut history, target)[..] else { panic!("{target}") };
        let used = watch.measured.watch.as_ref().unwrap().disks[0].used.as_ref().unwrap();
        assert_eq!((&point.id, point.figure.value), (&watch.measured.id, used.share().0));
    }
    assert!(series(&mut history, "sda").is_empty());
}
