//! The history of one host: SQLite, with the records as files beside it.

use std::path::Path;
use std::time::{Duration, Instant};

use output::{make_private_file, make_private_folder};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, TransactionBehavior, params_from_iter};

use crate::HistoryError;
use crate::backend::{Backend, Row, Statement, Value};
use crate::files::Files;
use crate::schema::{MIGRATIONS, VERSION};

/// How long another process may hold the database before that is an error. Saving a run takes
/// milliseconds, so this is for many of them at once, or a slow disk that is being measured.
const PATIENCE: Duration = Duration::from_secs(5);
/// Pause between attempts at what SQLite's own waiting does not cover.
const PAUSE: Duration = Duration::from_millis(10);

/// A database, and its files.
pub(crate) struct Sqlite {
    connection: Connection,
    files: Files,
}

impl Sqlite {
    /// Opens the history in a folder, and makes it where there is none.
    pub(crate) fn create(folder: &Path) -> Result<Self, HistoryError> {
        make_private_folder(folder)?;
        let files = Files::new(folder);
        // SQLite gives the files beside a database its mode. Where none can be made, SQLite says
        // why.
        let _ = make_private_file(&files.database());
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Self::prepared(Connection::open_with_flags(files.database(), flags), files)
    }

    /// Opens the history in a folder to read; where there is none, an empty one that is kept
    /// nowhere.
    pub(crate) fn read(folder: &Path) -> Result<Self, HistoryError> {
        let files = Files::new(folder);
        let path = files.database();
        if !path.exists() {
            return Self::prepared(Connection::open_in_memory(), files);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        match Self::prepared(Connection::open_with_flags(&path, flags), files.clone()) {
            // On a medium that nobody can write, nobody changes it while it is read.
            Err(HistoryError::ReadOnly { .. }) => {
                let name = path.display().to_string();
                let name = name.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
                    | OpenFlags::SQLITE_OPEN_URI
                    | OpenFlags::SQLITE_OPEN_NO_MUTEX;
                let uri = format!("file:{name}?immutable=1");
                Self::prepared(Connection::open_with_flags(uri, flags), files)
            }
            other => other,
        }
    }

    fn prepared(
        connection: rusqlite::Result<Connection>,
        files: Files,
    ) -> Result<Self, HistoryError> {
        let place = files.database().display().to_string();
        let failed = |error| failure(&error, &place);
        let mut connection = connection.map_err(failed)?;
        prepare(&mut connection, &place)?;
        Ok(Self { connection, files })
    }

    fn failure(&self, error: &rusqlite::Error) -> HistoryError {
        failure(error, &self.place())
    }
}

/// Waits for others, makes every commit safe against a loss of power, and brings the tables to
/// this version.
fn prepare(connection: &mut Connection, place: &str) -> Result<(), HistoryError> {
    let failed = |error| failure(&error, place);
    connection.busy_timeout(PATIENCE).map_err(failed)?;
    let version = |connection: &Connection| {
        connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))
    };
    let found = version(connection).map_err(failed)?;
    if found > VERSION {
        return Err(HistoryError::Newer { place: place.to_owned(), found, known: VERSION });
    }
    if !connection.is_readonly("main").map_err(failed)? {
        write_ahead(connection).map_err(failed)?;
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
    for step in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        steps.execute_batch(step).map_err(failed)?;
    }
    steps.pragma_update(None, "user_version", VERSION).map_err(failed)?;
    steps.commit().map_err(failed)
}

/// Switches to write-ahead logging, which SQLite refuses at once, without waiting, while another
/// process does the same.
fn write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        let switched = connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()));
        match switched {
            Err(error) if is_busy(&error) && begun.elapsed() < PATIENCE => {
                std::thread::sleep(PAUSE);
            }
            other => return other,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn failure(error: &rusqlite::Error, place: &str) -> HistoryError {
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

fn owned(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Text(None),
        ValueRef::Integer(number) => Value::int(number),
        ValueRef::Real(number) => Value::Real(Some(number)),
        ValueRef::Text(text) => Value::text(String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
    }
}

impl Backend for Sqlite {
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, HistoryError> {
        let found = (|| {
            let mut statement = self.connection.prepare_cached(sql)?;
            let columns = statement.column_count();
            let rows = statement.query_map(params_from_iter(values), |row| {
                let values: rusqlite::Result<Vec<Value>> =
                    (0..columns).map(|column| row.get_ref(column).map(owned)).collect();
                Ok(Row(values?.into_iter()))
            })?;
            rows.collect::<rusqlite::Result<Vec<Row>>>()
        })();
        found.map_err(|error| self.failure(&error))
    }

    fn write(&mut self, statements: &[Statement]) -> Result<Vec<u64>, HistoryError> {
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
        done.map_err(|error| self.failure(&error))
    }

    fn keep(&mut self, id: &str, record: Vec<u8>) -> Result<Option<Statement>, HistoryError> {
        self.files.keep(id, &record)?;
        Ok(None)
    }

    fn fetch(&mut self, id: &str) -> Result<Option<Vec<u8>>, HistoryError> {
        self.files.fetch(id)
    }

    fn forget(&mut self, id: &str) -> Result<Vec<String>, HistoryError> {
        self.files.forget(id)
    }

    fn origin(&self, id: &str) -> String {
        self.files.record(id).display().to_string()
    }

    fn place(&self) -> String {
        self.files.database().display().to_string()
    }
}
