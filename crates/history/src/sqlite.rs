//! The history of one host: SQLite, with the records as files beside it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use output::{make_private_file, make_private_folder};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, TransactionBehavior, params_from_iter};

use crate::database::{Database, Row, Statement, Value};
use crate::error::{DatabaseFailure, HistoryError};
use crate::files::RecordFiles;
use crate::schema::{MIGRATIONS, VERSION};

/// Saving a run takes milliseconds: this is for many at once, or a slow disk that is measured.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
/// Pause between attempts at what SQLite's own waiting does not cover.
const RETRY_PAUSE: Duration = Duration::from_millis(10);

const READ_WRITE: OpenFlags = OpenFlags::SQLITE_OPEN_READ_WRITE
    .union(OpenFlags::SQLITE_OPEN_NOFOLLOW)
    .union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

pub(crate) struct Sqlite {
    connection: Connection,
    place: String,
}

impl Sqlite {
    pub(crate) fn create(files: &RecordFiles) -> Result<Self, HistoryError> {
        make_private_folder(&files.folder)?;
        // SQLite gives the files beside a database its mode. Where none can be made, SQLite says
        // why.
        let _ = make_private_file(&files.database_path());
        let flags = READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        Self::prepare(Connection::open_with_flags(checked_database_path(files)?, flags), files)
    }

    /// Opens the history in a folder to read. Where there is none, it is empty and stored nowhere.
    pub(crate) fn open_read_only(files: &RecordFiles) -> Result<Self, HistoryError> {
        if files.database_path().symlink_metadata().is_err() {
            return Self::prepare(Connection::open_in_memory(), files);
        }
        let path = checked_database_path(files)?;
        match Self::prepare(Connection::open_with_flags(&path, READ_WRITE), files) {
            // On a read-only medium nothing changes it meanwhile.
            Err(HistoryError::Database { failure: DatabaseFailure::ReadOnly, .. }) => {
                let name = path.display().to_string();
                let name = name.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
                    | OpenFlags::SQLITE_OPEN_URI
                    | OpenFlags::SQLITE_OPEN_NO_MUTEX;
                let uri = format!("file:{name}?immutable=1");
                Self::prepare(Connection::open_with_flags(uri, flags), files)
            }
            other => other,
        }
    }

    fn prepare(
        connection: rusqlite::Result<Connection>,
        files: &RecordFiles,
    ) -> Result<Self, HistoryError> {
        let place = files.database_path().display().to_string();
        let mut connection = connection.map_err(|error| database_error(&error, &place))?;
        prepare_database(&mut connection, &place)?;
        Ok(Self { connection, place })
    }
}

/// Without links above it: SQLite follows none. Refuses a database, or a file of SQLite's beside
/// it, that is a link or a device, which SQLite would take for an empty database.
fn checked_database_path(files: &RecordFiles) -> Result<PathBuf, HistoryError> {
    let database = files.database_path();
    for end in ["", "-wal", "-shm", "-journal"] {
        let path = database.with_extension(format!("db{end}"));
        if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
            return Err(HistoryError::NotOurs { path });
        }
    }
    let folder = files.folder.canonicalize();
    Ok(folder.map_or(database, |folder| RecordFiles { folder }.database_path()))
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
    // The tables of an older version lack columns, and those that it has say the same.
    let is_readable = found > 0 && connection.is_readonly("main").map_err(failed)?;
    if found == VERSION || is_readable {
        return Ok(());
    }
    let steps =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    // Another process may have been faster.
    let found = version(&steps).map_err(failed)?;
    if found > VERSION {
        return Err(HistoryError::Newer { place: place.to_owned(), found, known: VERSION });
    }
    let tables = "SELECT count(*) FROM sqlite_master";
    let tables: i64 = steps.query_row(tables, [], |row| row.get(0)).map_err(failed)?;
    if found == 0 && tables > 0 {
        let words = "another program's tables are in it".to_owned();
        let failure = DatabaseFailure::Broken;
        return Err(HistoryError::Database { failure, place: place.to_owned(), words });
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
        match connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())) {
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
    let failure = match error.sqlite_error_code() {
        _ if is_busy(error) => DatabaseFailure::Locked,
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            DatabaseFailure::ReadOnly
        }
        Some(ErrorCode::DiskFull) => DatabaseFailure::Full,
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => DatabaseFailure::Broken,
        _ => DatabaseFailure::Other,
    };
    HistoryError::Database { failure, place: place.to_owned(), words: error.to_string() }
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
        let query = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            let columns = statement.column_count();
            let rows = statement.query_map(params_from_iter(values), |row| {
                let values: rusqlite::Result<Vec<Value>> =
                    (0..columns).map(|column| row.get_ref(column).map(read_value)).collect();
                Ok(Row(values?.into_iter()))
            })?;
            rows.collect::<rusqlite::Result<Vec<Row>>>()
        };
        query().map_err(|error| database_error(&error, &self.place))
    }

    fn execute_all(&mut self, statements: &[Statement]) -> Result<(), HistoryError> {
        let mut execute = || {
            let all = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for statement in statements {
                all.prepare_cached(statement.sql)?.execute(params_from_iter(&statement.values))?;
            }
            all.commit()
        };
        execute().map_err(|error| database_error(&error, &self.place))
    }

    fn location(&self) -> String {
        self.place.clone()
    }
}
