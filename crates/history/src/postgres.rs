//! The history of a team: PostgreSQL, which keeps the compressed records too.

use std::time::Duration;

use postgres::config::Host;
use postgres::error::SqlState;
use postgres::types::{ToSql, Type};
use postgres::{Client, Config, NoTls};

use crate::database::{Database, Row, Statement, Value};
use crate::error::{DatabaseFailure, HistoryError};
use crate::schema::{MIGRATIONS, RECORD_MIGRATIONS, VERSION};

/// Time limit for connecting, unless the address sets one.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Advisory-lock key that serialises migrations: the letters `truedisk`.
const MIGRATION_LOCK: i64 = 0x7472_7565_6469_736b;

pub(crate) struct Postgres {
    client: Client,
    place: String,
}

const FOUND: &str = "SELECT COALESCE(MAX(version), 0) FROM truedisk_version";

impl Postgres {
    /// Connects, and brings the tables to this version.
    pub(crate) fn connect(address: &str) -> Result<Self, HistoryError> {
        let mut config: Config = address
            .parse()
            .map_err(|error| HistoryError::Address { words: describe_error_chain(&error) })?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        let place = describe_address(&config);
        let mut client = config.connect(NoTls).map_err(|error| connection_error(&error, &place))?;
        let migrated = migrate(&mut client).map_err(|error| statement_error(&error, &place));
        let found = match migrated {
            // The tables of an older version lack columns, and those that it has say the same.
            Err(error @ HistoryError::Database { failure: DatabaseFailure::ReadOnly, .. }) => {
                match client.query_one(FOUND, &[]) {
                    Ok(row) if row.get::<_, i64>(0) > 0 => row.get(0),
                    _ => return Err(error),
                }
            }
            other => other?,
        };
        if found > VERSION {
            return Err(HistoryError::Newer { place, found, known: VERSION });
        }
        Ok(Self { client, place })
    }
}

/// Brings older tables to this version; returns the version that was found.
fn migrate(client: &mut Client) -> Result<i64, postgres::Error> {
    const LOCK: &str = "SELECT pg_advisory_xact_lock($1)";
    let mut steps = client.transaction()?;
    let exists = "SELECT to_regclass('truedisk_version') IS NOT NULL";
    if !steps.query_one(exists, &[])?.get::<_, bool>(0) {
        steps.execute(LOCK, &[&MIGRATION_LOCK])?;
        steps.batch_execute(
            "CREATE TABLE IF NOT EXISTS truedisk_version (version BIGINT NOT NULL)",
        )?;
    }
    let mut found: i64 = steps.query_one(FOUND, &[])?.get(0);
    if found < VERSION {
        steps.execute(LOCK, &[&MIGRATION_LOCK])?;
        // Another process may have been faster.
        found = steps.query_one(FOUND, &[])?.get(0);
        if found < VERSION {
            let all = MIGRATIONS.iter().zip(&RECORD_MIGRATIONS);
            for step in all.skip(usize::try_from(found).unwrap_or(0)).flat_map(|(a, b)| [a, b]) {
                steps.batch_execute(step)?;
            }
            steps.batch_execute("DELETE FROM truedisk_version")?;
            steps.execute("INSERT INTO truedisk_version VALUES ($1)", &[&VERSION])?;
        }
    }
    steps.commit()?;
    Ok(found)
}

/// The address for people: without its password.
fn describe_address(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        Some(Host::Unix(path)) => path.display().to_string(),
        None => "localhost".to_owned(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432);
    let user = config.get_user().map(|user| format!("{user}@")).unwrap_or_default();
    format!("postgres://{user}{host}:{port}/{}", config.get_dbname().unwrap_or_default())
}

/// An error with its causes, each once.
fn describe_error_chain(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let more = inner.to_string();
        if !words.contains(&more) {
            words = format!("{words}: {more}");
        }
        cause = inner.source();
    }
    words
}

fn connection_error(error: &postgres::Error, place: &str) -> HistoryError {
    let refused = [
        SqlState::INVALID_PASSWORD,
        SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
        SqlState::INVALID_CATALOG_NAME,
    ];
    let words = describe_error_chain(error);
    let failure = match error.code() {
        Some(code) if refused.contains(code) => DatabaseFailure::Login,
        // The client itself, where the server asks for a password and the address has none.
        None if words.contains("password") => DatabaseFailure::Login,
        _ => DatabaseFailure::Unreachable,
    };
    HistoryError::Database { failure, place: place.to_owned(), words }
}

fn statement_error(error: &postgres::Error, place: &str) -> HistoryError {
    let failures = [
        (SqlState::READ_ONLY_SQL_TRANSACTION, DatabaseFailure::ReadOnly),
        (SqlState::INSUFFICIENT_PRIVILEGE, DatabaseFailure::ReadOnly),
        (SqlState::DISK_FULL, DatabaseFailure::Full),
        (SqlState::LOCK_NOT_AVAILABLE, DatabaseFailure::Locked),
    ];
    let known = failures.iter().find(|(state, _)| error.code() == Some(state));
    let failure = match known {
        Some((_, failure)) => *failure,
        None if error.code().is_none() && error.is_closed() => DatabaseFailure::Unreachable,
        None => DatabaseFailure::Other,
    };
    let words = describe_error_chain(error);
    HistoryError::Database { failure, place: place.to_owned(), words }
}

fn to_parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    let parameters = values.iter().map(|value| match value {
        Value::Int(number) => number as &(dyn ToSql + Sync),
        Value::Real(number) => number,
        Value::Text(text) => text,
        Value::Bytes(bytes) => bytes,
    });
    parameters.collect()
}

fn read_row(row: &postgres::Row) -> Result<Row, postgres::Error> {
    let columns = row.columns().iter().enumerate();
    let values: Result<Vec<Value>, _> = columns
        .map(|(place, column)| match *column.type_() {
            Type::INT8 => row.try_get(place).map(Value::Int),
            Type::FLOAT8 => row.try_get(place).map(Value::Real),
            Type::BYTEA => row.try_get(place).map(Value::Bytes),
            _ => row.try_get(place).map(Value::Text),
        })
        .collect();
    Ok(Row(values?.into_iter()))
}

impl Database for Postgres {
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, HistoryError> {
        let rows = self.client.query(sql, &to_parameters(values));
        let rows = rows.and_then(|rows| rows.iter().map(read_row).collect());
        rows.map_err(|error| statement_error(&error, &self.place))
    }

    fn execute_all(&mut self, statements: &[Statement]) -> Result<(), HistoryError> {
        let mut execute = || {
            let mut all = self.client.transaction()?;
            // A run has many rows of the same kind.
            for same in statements.chunk_by(|a, b| a.sql == b.sql) {
                let prepared = all.prepare(same[0].sql)?;
                for statement in same {
                    all.execute(&prepared, &to_parameters(&statement.values))?;
                }
            }
            all.commit()
        };
        execute().map_err(|error| statement_error(&error, &self.place))
    }

    fn location(&self) -> String {
        self.place.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let config: Config = "postgres://ann:secret@db.example:5433/lab".parse().unwrap();
        assert_eq!(describe_address(&config), "postgres://ann@db.example:5433/lab");
        let config: Config = "postgres://db.example/lab".parse().unwrap();
        assert_eq!(describe_address(&config), "postgres://db.example:5432/lab");
    }

    #[test]
    fn an_odd_address_is_refused_before_anything_is_asked() {
        let error = Postgres::connect("postgres://h:port/d").err().unwrap();
        assert!(matches!(error, HistoryError::Address { .. }), "{error}");
    }

    #[test]
    fn a_server_that_is_not_there_is_unreachable() {
        // Nobody listens on the port of a listener that is gone.
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let address = format!("postgres://ann:secret@127.0.0.1:{port}/lab");
        let error = Postgres::connect(&address).err().unwrap();
        assert!(
            matches!(error, HistoryError::Database { failure: DatabaseFailure::Unreachable, .. }),
            "{error}"
        );
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
