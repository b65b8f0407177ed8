//! What a history does, over whatever database keeps it.

use std::collections::HashMap;
use std::path::Path;

use jiff::Timestamp;
use record::{Figure, Figures, Metric, Record, RunSummary, is_run_id, store};

use crate::database::{Database, Row, Statement, Value};
use crate::error::{DatabaseFailure, HistoryError};
use crate::files::{HistoryLocation, RecordFiles};
use crate::postgres::Postgres;
use crate::rows::{
    figures_statement, metric_column, read_figure, read_summary, run_statement, to_timestamp,
};
use crate::schema::{
    DELETE_FIGURES, DELETE_RECORD, DELETE_RUN, DELETE_TAG, DELETE_TAGS, PUT_RECORD, PUT_TAG,
};
use crate::sqlite::Sqlite;
use crate::suggestions::nearest_names;

/// The word for the newest run.
const LATEST: &str = "latest";
/// Longest tag: it stands in a column.
const TAG_MAX: usize = 40;

/// Selects runs; every condition that is set must hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// The path that was measured, or the kernel name of the device under it.
    pub target: Option<String>,
    /// Name of the host.
    pub host: Option<String>,
    /// A tag.
    pub tag: Option<String>,
    /// Not before then.
    pub since: Option<Timestamp>,
    /// `check`, `limit`, `sweep`, `import`.
    pub command: Option<String>,
    /// Maximum number of runs, the newest.
    pub newest: Option<usize>,
}

/// The outcome of importing a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportOutcome {
    /// It is new.
    New,
    /// It was there already, the same.
    Known,
}

/// One run in a series.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesPoint {
    /// The run.
    pub id: String,
    /// When it began.
    pub started: Timestamp,
    /// Where it ran.
    pub host: Option<String>,
    /// The figure.
    pub figure: Figure,
    /// Whether a check found that it must not be used.
    pub invalid: bool,
}

/// Every run that was kept.
pub struct History {
    database: Box<dyn Database>,
    records: Records,
}

enum Records {
    /// Files beside the database.
    Files(RecordFiles),
    /// A table of the database.
    Table,
}

impl History {
    /// Opens a history to change it, and makes it where there is none. Fails when it cannot be
    /// reached, read or made, or a newer truedisk made it.
    pub fn open(place: &HistoryLocation) -> Result<Self, HistoryError> {
        match place {
            HistoryLocation::Folder(folder) => Self::open_folder(folder, Sqlite::create),
            HistoryLocation::Server(address) => {
                let database = Box::new(Postgres::connect(address)?);
                Ok(Self { database, records: Records::Table })
            }
        }
    }

    /// Opens a history to read it; where there is no folder of one, it is empty and stays so. Fails
    /// when it cannot be reached or read, or a newer truedisk made it.
    pub fn open_read_only(place: &HistoryLocation) -> Result<Self, HistoryError> {
        match place {
            HistoryLocation::Folder(folder) => Self::open_folder(folder, Sqlite::open_read_only),
            HistoryLocation::Server(_) => Self::open(place),
        }
    }

    fn open_folder(
        folder: &Path,
        open: fn(&RecordFiles) -> Result<Sqlite, HistoryError>,
    ) -> Result<Self, HistoryError> {
        let files = RecordFiles::new(folder);
        let database = Box::new(open(&files)?);
        Ok(Self { database, records: Records::Files(files) })
    }

    /// For people: a path, or an address without its password.
    pub fn location(&self) -> String {
        self.database.location()
    }

    /// Where the record of a run is, for people: a file, or a name on a server.
    pub fn record_location(&self, id: &str) -> String {
        match &self.records {
            Records::Files(files) => files.record_path(id).display().to_string(),
            Records::Table => format!("{id} in {}", self.location()),
        }
    }

    /// Keeps a judged record. One with the same id is replaced: a resumed sweep is the same run.
    /// Its tags stay. Fails when it cannot be written; then what was there before is there still.
    pub fn save_record(&mut self, record: &Record) -> Result<(), HistoryError> {
        if !is_run_id(&record.measured.id) {
            return Err(HistoryError::InvalidId { id: record.measured.id.clone() });
        }
        let bytes = store::compress_record(record).map_err(|error| HistoryError::Damaged {
            id: record.measured.id.clone(),
            words: error.to_string(),
        })?;
        let id = &record.measured.id;
        let mut statements = Vec::new();
        match &self.records {
            // The file is safe before its row is written.
            Records::Files(files) => drop(files.store_record(id, &bytes)?),
            Records::Table => {
                let values = vec![Value::text(id), Value::Bytes(bytes)];
                statements.push(Statement::new(PUT_RECORD, values));
            }
        }
        statements.push(run_statement(record));
        statements.push(Statement::new(DELETE_FIGURES, vec![Value::text(id)]));
        let figures = Figures::from_record(record);
        let rows = figures.iter().enumerate();
        statements.extend(rows.map(|(place, figures)| figures_statement(record, place, figures)));
        self.database.execute_all(&statements)
    }

    /// Takes a record in that comes from elsewhere. Fails when another run has its id, or it cannot
    /// be written.
    pub fn import_record(&mut self, record: &Record) -> Result<ImportOutcome, HistoryError> {
        let id = &record.measured.id;
        if self.has_run(id)? {
            match self.load_record(id) {
                Ok(known) if known == *record => return Ok(ImportOutcome::Known),
                Ok(_) => return Err(HistoryError::DuplicateId { id: id.clone() }),
                // The lost record comes back.
                Err(HistoryError::Damaged { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        self.save_record(record).map(|()| ImportOutcome::New)
    }

    /// Whether a run of that id is there.
    pub fn has_run(&mut self, id: &str) -> Result<bool, HistoryError> {
        let sql = "SELECT id FROM truedisk_run WHERE id = $1";
        Ok(!self.database.query(sql, &[Value::text(id)])?.is_empty())
    }

    /// The runs that fit, newest first.
    pub fn list_runs(&mut self, filter: &Filter) -> Result<Vec<RunSummary>, HistoryError> {
        let (conditions, mut values) = filter_conditions(filter, 1);
        let mut sql = format!(
            "SELECT id, started, finished, host, target, device, command, tool, complete, trust, \
             headline FROM truedisk_run r {conditions} ORDER BY started DESC, id DESC"
        );
        if let Some(most) = filter.newest {
            values.push(Value::count(most));
            sql += &format!(" LIMIT ${}", values.len());
        }
        let rows = self.database.query(&sql, &values)?;
        let runs: Option<Vec<RunSummary>> = rows.into_iter().map(read_summary).collect();
        let mut runs = runs.ok_or_else(|| HistoryError::Database {
            failure: DatabaseFailure::Broken,
            place: self.location(),
            words: "an odd row".to_owned(),
        })?;
        let mut tags: HashMap<String, Vec<String>> = HashMap::new();
        for (tag, run) in self.list_tags()? {
            tags.entry(run).or_default().push(tag);
        }
        for run in &mut runs {
            run.tags = tags.remove(&run.id).unwrap_or_default();
        }
        Ok(runs)
    }

    /// How many runs there are.
    pub fn count_runs(&mut self) -> Result<u64, HistoryError> {
        let rows = self.database.query("SELECT COUNT(*) FROM truedisk_run", &[])?;
        let count = rows.into_iter().next().and_then(|mut row| row.int());
        Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0))
    }

    fn list_tags(&mut self) -> Result<Vec<(String, String)>, HistoryError> {
        let rows = self.database.query("SELECT name, run FROM truedisk_tag", &[])?;
        let pair = |mut row: Row| Some((row.text()?, row.text()?));
        let mut tags: Vec<(String, String)> = rows.into_iter().filter_map(pair).collect();
        tags.sort();
        Ok(tags)
    }

    /// The id of the run that is meant: by `latest`, its id, a tag, or how the id begins. Fails
    /// when none is meant, with the nearest names, or several are.
    pub fn find_run(&mut self, name: &str) -> Result<String, HistoryError> {
        if name == LATEST {
            let newest = Filter { newest: Some(1), ..Filter::default() };
            let run = self.list_runs(&newest)?.into_iter().next();
            let none = HistoryError::UnknownRun { name: name.to_owned(), nearest: Vec::new() };
            return run.map(|run| run.id).ok_or(none);
        }
        if self.has_run(name)? {
            return Ok(name.to_owned());
        }
        let tags = self.list_tags()?;
        if let Some((_, run)) = tags.iter().find(|(tag, _)| tag == name) {
            return Ok(run.clone());
        }
        let mut ids = self.list_ids()?;
        // An empty word begins everything and means nothing.
        let mut meant = ids.iter().filter(|id| !name.is_empty() && id.starts_with(name));
        match (meant.next(), meant.next()) {
            (Some(one), None) => Ok(one.clone()),
            (Some(_), Some(_)) => {
                ids.retain(|id| id.starts_with(name));
                Err(HistoryError::Ambiguous { name: name.to_owned(), ids })
            }
            (None, _) => {
                let names = ids.into_iter().chain(tags.into_iter().map(|(tag, _)| tag));
                let nearest = nearest_names(name, names.chain([LATEST.to_owned()]));
                Err(HistoryError::UnknownRun { name: name.to_owned(), nearest })
            }
        }
    }

    fn list_ids(&mut self) -> Result<Vec<String>, HistoryError> {
        let rows = self.database.query("SELECT id FROM truedisk_run", &[])?;
        let mut ids: Vec<String> = rows.into_iter().filter_map(|mut row| row.text()).collect();
        ids.sort_unstable();
        Ok(ids)
    }

    /// The record of a run, as it was kept. Fails when it is not there, damaged, or of a newer
    /// schema.
    pub fn load_record(&mut self, id: &str) -> Result<Record, HistoryError> {
        let damaged = |words: String| HistoryError::Damaged { id: id.to_owned(), words };
        let bytes = match &self.records {
            Records::Files(files) => files.load_record(id)?,
            Records::Table => {
                let sql = "SELECT gz FROM truedisk_record WHERE run = $1";
                let rows = self.database.query(sql, &[Value::text(id)])?;
                rows.into_iter().next().and_then(|mut row| row.bytes())
            }
        };
        let bytes = bytes.ok_or_else(|| damaged("it is gone".to_owned()))?;
        let origin = format!("run {id}");
        match store::parse_record(&bytes, origin.as_ref()) {
            Err(error @ store::StoreError::Newer { .. }) => Err(error.into()),
            other => other.map_err(|error| damaged(error.to_string())),
        }
    }

    /// Gives a run a name, takes it from the run that had it, and says which that was. Fails when
    /// the name would be taken for something else, or it cannot be written.
    pub fn tag_run(&mut self, id: &str, tag: &str) -> Result<Option<String>, HistoryError> {
        let refuse = |why| HistoryError::InvalidTag { name: tag.to_owned(), why };
        match () {
            () if tag.is_empty() => return Err(refuse("it is empty")),
            () if tag == LATEST => return Err(refuse("it means the newest run")),
            () if tag.starts_with('-') => return Err(refuse("it looks like an option")),
            () if tag.chars().count() > TAG_MAX => return Err(refuse("it is longer than 40")),
            () if tag.contains(|c: char| c.is_whitespace() || c.is_control()) => {
                return Err(refuse("it has a space in it"));
            }
            () if is_run_id(tag) => return Err(refuse("it has the form of a run's id")),
            () if self.has_run(tag)? => return Err(refuse("it is the id of a run")),
            () => {}
        }
        let before =
            self.list_tags()?.into_iter().find(|(name, _)| name == tag).map(|(_, run)| run);
        self.database
            .execute_all(&[Statement::new(PUT_TAG, vec![Value::text(tag), Value::text(id)])])?;
        Ok(before.filter(|run| run != id))
    }

    /// Takes a name away; gives the run that had it. Fails when no run has it, or it cannot be
    /// written.
    pub fn remove_tag(&mut self, tag: &str) -> Result<String, HistoryError> {
        let tags = self.list_tags()?;
        let Some((_, run)) = tags.iter().find(|(name, _)| name == tag) else {
            let nearest = nearest_names(tag, tags.into_iter().map(|(name, _)| name));
            return Err(HistoryError::UnknownRun { name: tag.to_owned(), nearest });
        };
        self.database.execute_all(&[Statement::new(DELETE_TAG, vec![Value::text(tag)])])?;
        Ok(run.clone())
    }

    /// Removes a run with its record; returns the files that were removed.
    pub fn delete_run(&mut self, id: &str) -> Result<Vec<String>, HistoryError> {
        let mut all = vec![DELETE_RUN, DELETE_FIGURES, DELETE_TAGS];
        all.extend(matches!(self.records, Records::Table).then_some(DELETE_RECORD));
        let statement = |sql| Statement::new(sql, vec![Value::text(id)]);
        let statements: Vec<Statement> = all.into_iter().map(statement).collect();
        self.database.execute_all(&statements)?;
        // The row goes first: a record without one is only in the way.
        match &self.records {
            Records::Files(files) => files.remove_record(id),
            Records::Table => Ok(Vec::new()),
        }
    }

    /// The figures of a run, in their order.
    pub fn load_figures(&mut self, id: &str) -> Result<Vec<Figures>, HistoryError> {
        let sql = "SELECT cell, direction, invalid, iops, iops_low, iops_high, bytes, bytes_low, \
                   bytes_high, mean, mean_low, mean_high, p50, p50_low, p50_high, p99, p99_low, \
                   p99_high, p999, p999_low, p999_high \
                   FROM truedisk_figures WHERE run = $1 ORDER BY place";
        let rows = self.database.query(sql, &[Value::text(id)])?;
        let figures = |mut row: Row| {
            let (cell, direction) = (row.text()?, row.text()?);
            let invalid = row.int()? != 0;
            let metrics = std::array::from_fn(|_| read_figure(&mut row));
            Some(Figures { cell, direction, invalid, metrics })
        };
        Ok(rows.into_iter().filter_map(figures).collect())
    }

    /// One figure over time, oldest first, of the runs that fit.
    pub fn load_series(
        &mut self,
        filter: &Filter,
        (cell, direction): (&str, &str),
        metric: Metric,
    ) -> Result<Vec<SeriesPoint>, HistoryError> {
        let (conditions, values) = filter_conditions(filter, 3);
        let column = metric_column(metric);
        let further = conditions.replacen("WHERE", "AND", 1);
        let mut sql = format!(
            "SELECT r.id, r.started, r.host, f.invalid, f.{column}, f.{column}_low, \
             f.{column}_high FROM truedisk_run r JOIN truedisk_figures f ON f.run = r.id \
             WHERE f.cell = $1 AND f.direction = $2 {further} ORDER BY r.started DESC, r.id DESC"
        );
        let mut all = vec![Value::text(cell), Value::text(direction)];
        all.extend(values);
        if let Some(most) = filter.newest {
            all.push(Value::count(most));
            sql += &format!(" LIMIT ${}", all.len());
        }
        let rows = self.database.query(&sql, &all)?;
        let point = |mut row: Row| {
            let id = row.text()?;
            let started = to_timestamp(row.int()?)?;
            let host = row.text();
            let invalid = row.int()? != 0;
            Some(SeriesPoint { id, started, host, figure: read_figure(&mut row)?, invalid })
        };
        Ok(rows.into_iter().rev().filter_map(point).collect())
    }
}

/// The part of a statement that a filter makes, its values numbered from `first` on.
fn filter_conditions(filter: &Filter, first: usize) -> (String, Vec<Value>) {
    let mut parts: Vec<String> = Vec::new();
    let mut values = Vec::new();
    let mut add = |text: &str, value: Value| {
        parts.push(text.replace('?', &format!("${}", first + values.len())));
        values.push(value);
    };
    if let Some(target) = &filter.target {
        add("(r.target = ? OR r.device = ?)", Value::text(target));
    }
    if let Some(host) = &filter.host {
        add("r.host = ?", Value::text(host));
    }
    if let Some(tag) = &filter.tag {
        add("r.id IN (SELECT run FROM truedisk_tag WHERE name = ?)", Value::text(tag));
    }
    if let Some(since) = filter.since {
        add("r.started >= ?", Value::int(since.as_microsecond()));
    }
    if let Some(command) = &filter.command {
        add("r.command = ?", Value::text(command));
    }
    match parts.is_empty() {
        true => (String::new(), values),
        false => (format!("WHERE {}", parts.join(" AND ")), values),
    }
}
