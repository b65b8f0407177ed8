//! The history of one host: SQLite, with the records as files beside it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use output::{make_private_file, make_private_folder};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, TransactionBehavior, params_from_iter};

use crate::HistoryError;
use crate::backend::{Database, Row, Statement, Value};
use crate::files::RecordFiles;
use crate::schema::{MIGRATIONS, VERSION};

/// How long another process may hold the database before that is an error. Saving a run takes
/// milliseconds, so this is for many of them at once, or a slow disk that is being measured.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
/// Pause between attempts at what SQLite's own waiting does not cover.
const RETRY_PAUSE: Duration = Duration::from_millis(10);

/// A database, and its files.
pub(crate) struct Sqlite {
    connection: Connection,
    files: RecordFiles,
}

impl Sqlite {
    /// Opens the history in a folder, and makes it where there is none.
    pub(crate) fn create(folder: &Path) -> Result<Self, HistoryError> {
        make_private_folder(folder)?;
        let files = RecordFiles::new(folder);
        // SQLite gives the files beside a database its mode. Where none can be made, SQLite says
        // why.
        let _ = make_private_file(&files.database_path());
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Self::open_prepared(
            Connection::open_with_flags(checked_database_path(&files)?, flags),
            files,
        )
    }

    /// Opens the history in a folder to read; where there is none, an empty one that is kept
    /// nowhere.
    pub(crate) fn open_read_only(folder: &Path) -> Result<Self, HistoryError> {
        let files = RecordFiles::new(folder);
        if files.database_path().symlink_metadata().is_err() {
            return Self::open_prepared(Connection::open_in_memory(), files);
        }
        let path = checked_database_path(&files)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        match Self::open_prepared(Connection::open_with_flags(&path, flags), files.clone()) {
            // On a medium that nobody can write, nobody changes it while it is read.
            Err(HistoryError::ReadOnly { .. }) => {
                let name = path.display().to_string();
                let name = name.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
                    | OpenFlags::SQLITE_OPEN_URI
                    | OpenFlags::SQLITE_OPEN_NO_MUTEX;
                let uri = format!("file:{name}?immutable=1");
                Self::open_prepared(Connection::open_with_flags(uri, flags), files)
            }
            other => other,
        }
    }

    fn open_prepared(
        connection: rusqlite::Result<Connection>,
        files: RecordFiles,
    ) -> Result<Self, HistoryError> {
        let place = files.database_path().display().to_string();
        let failed = |error| database_error(&error, &place);
        let mut connection = connection.map_err(failed)?;
        prepare_database(&mut connection, &place)?;
        Ok(Self { connection, files })
    }

    fn to_history_error(&self, error: &rusqlite::Error) -> HistoryError {
        database_error(error, &self.location())
    }
}

/// Where the database lies, without links above it: SQLite follows none. Refuses a database, or a
/// file of SQLite's beside it, that is a link or a device: SQLite would take a device for an empty
/// database, and write to it.
fn checked_database_path(files: &RecordFiles) -> Result<PathBuf, HistoryError> {
    let database = files.database_path();
    for end in ["", "-wal", "-shm", "-journal"] {
        let mut path = database.clone().into_os_string();
        path.push(end);
        let path = PathBuf::from(path);
        if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
            return Err(HistoryError::NotOurs { path });
        }
    }
    let (folder, name) = (database.parent(), database.file_name());
    let folder = folder.and_then(|folder| folder.canonicalize().ok());
    Ok(match (folder, name) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => database,
    })
}

/// Waits for others, makes every commit safe against a loss of power, and brings the tables to
/// this version.
fn prepare_database(connection: &mut Connection, place: &str) -> Result<(), HistoryError> {
    let failed = |error| database_error(&error, place);
    connection.busy_timeout(LOCK_TIMEOUT).map_err(failed)?;
    let version = |connection: &Connection| {
        connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))
    };
    let found = version(connection).map_err(failed)?;
    if found > VERSION {
        return Err(HistoryError::Newer { place: place.to_owned(), found, known: VERSION });
    }
    if !connection.is_readonly("main").map_err(failed)? {
        enable_write_ahead_log(connection).map_err(failed)?;
    }
    // In WAL mode NORMAL would lose the newest commits with the power.
    connection.execute_batch("PRAGMA synchronous = FULL").map_err(failed)?;
    if found == VERSION {
        return Ok(());
    }
    let steps =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    // Another process may have been faster.
    let found = version(&steps).map_err(failed)?;
    let tables = "SELECT count(*) FROM sqlite_master";
    let tables: i64 = steps.query_row(tables, [], |row| row.get(0)).map_err(failed)?;
    if found == 0 && tables > 0 {
        let words = "another program's tables are in it".to_owned();
        return Err(HistoryError::Broken { place: place.to_owned(), words });
    }
    for step in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        steps.execute_batch(step).map_err(failed)?;
    }
    steps.pragma_update(None, "user_version", VERSION).map_err(failed)?;
    steps.commit().map_err(failed)
}

/// Switches to write-ahead logging, which SQLite refuses at once, without waiting, while another
/// process does the same.
fn enable_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        let switched = connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()));
        match switched {
            Err(error) if is_busy(&error) && begun.elapsed() < LOCK_TIMEOUT => {
                std::thread::sleep(RETRY_PAUSE);
            }
            other => return other,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn database_error(error: &rusqlite::Error, place: &str) -> HistoryError {
    let (place, words) = (place.to_owned(), error.to_string());
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => HistoryError::Locked { place },
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            HistoryError::ReadOnly { place, words }
        }
        Some(ErrorCode::DiskFull) => HistoryError::Full { place, words },
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            HistoryError::Broken { place, words }
        }
        _ => HistoryError::Database { place, words },
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value = match self {
            Self::Int(Some(number)) => ValueRef::Integer(*number),
            Self::Real(Some(number)) => ValueRef::Real(*number),
            Self::Text(Some(text)) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
            Self::Int(None) | Self::Real(None) | Self::Text(None) => ValueRef::Null,
        };
        Ok(ToSqlOutput::Borrowed(value))
    }
}

fn read_value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Text(None),
        ValueRef::Integer(number) => Value::int(number),
        ValueRef::Real(number) => Value::Real(Some(number)),
        ValueRef::Text(text) => Value::text(String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
    }
}

impl Database for Sqlite {
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, HistoryError> {
        let found = (|| {
            let mut statement = self.connection.prepare_cached(sql)?;
            let columns = statement.column_count();
            let rows = statement.query_map(params_from_iter(values), |row| {
                let values: rusqlite::Result<Vec<Value>> =
                    (0..columns).map(|column| row.get_ref(column).map(read_value)).collect();
                Ok(Row(values?.into_iter()))
            })?;
            rows.collect::<rusqlite::Result<Vec<Row>>>()
        })();
        found.map_err(|error| self.to_history_error(&error))
    }

    fn execute_all(&mut self, statements: &[Statement]) -> Result<Vec<u64>, HistoryError> {
        let done = (|| {
            let all = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut touched = Vec::with_capacity(statements.len());
            for statement in statements {
                let mut prepared = all.prepare_cached(statement.sql)?;
                touched.push(prepared.execute(params_from_iter(&statement.values))? as u64);
            }
            all.commit()?;
            Ok(touched)
        })();
        done.map_err(|error| self.to_history_error(&error))
    }

    fn store_record(
        &mut self,
        id: &str,
        record: Vec<u8>,
    ) -> Result<Option<Statement>, HistoryError> {
        self.files.store_record(id, &record)?;
        Ok(None)
    }

    fn load_record(&mut self, id: &str) -> Result<Option<Vec<u8>>, HistoryError> {
        self.files.load_record(id)
    }

    fn remove_record(&mut self, id: &str) -> Result<Vec<String>, HistoryError> {
        self.files.remove_record(id)
    }

    fn record_location(&self, id: &str) -> String {
        self.files.record_path(id).display().to_string()
    }

    fn location(&self) -> String {
        self.files.database_path().display().to_string()
    }
}
