//! What a history does, over whatever database keeps it.

use std::collections::HashMap;
use std::path::Path;

use jiff::Timestamp;
use record::{Figure, Figures, Metric, Record, RunSummary, is_run_id, short_id, store};

use crate::database::{Database, Row, Statement, Value};
use crate::error::{DatabaseFailure, HistoryError};
use crate::files::{HistoryLocation, RecordFiles};
use crate::postgres::Postgres;
use crate::rows::{figures_statement, read_figure, read_summary, run_statement, to_timestamp};
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
    /// The path that was measured, or the kernel name of the device under it; of a watch, of any of
    /// its disks.
    pub target: Option<String>,
    pub host: Option<String>,
    pub tag: Option<String>,
    pub since: Option<Timestamp>,
    /// `check`, `limit`, `sweep`, `import`.
    pub command: Option<String>,
    /// Leaves out runs of these commands; names of ours only.
    pub without_commands: Vec<&'static str>,
    /// Maximum number of runs, the newest.
    pub newest: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportOutcome {
    New,
    /// It was there already, the same.
    Known,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SeriesPoint {
    pub id: String,
    pub started: Timestamp,
    pub host: Option<String>,
    pub figure: Figure,
    /// Whether a check found that it must not be used.
    pub invalid: bool,
}

/// Every run that was kept.
pub struct History {
    database: Box<dyn Database>,
    /// The records; `None` where they are in a table of the database.
    files: Option<RecordFiles>,
}

impl History {
    /// Opens a history to change it, and makes it where there is none.
    pub fn open(place: &HistoryLocation) -> Result<Self, HistoryError> {
        match place {
            HistoryLocation::Folder(folder) => Self::open_folder(folder, Sqlite::create),
            HistoryLocation::Server(address) => {
                Ok(Self { database: Box::new(Postgres::connect(address)?), files: None })
            }
        }
    }

    /// Opens a history to read it; where there is no folder of one, it is empty and stays so.
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
        let files = RecordFiles { folder: folder.to_owned() };
        Ok(Self { database: Box::new(open(&files)?), files: Some(files) })
    }

    /// For people: a path, or an address without its password.
    pub fn location(&self) -> String {
        self.database.location()
    }

    /// Where the record of a run is, for people: a file, or a name on a server.
    pub fn record_location(&self, id: &str) -> String {
        match &self.files {
            Some(files) => files.record_path(id).display().to_string(),
            None => format!("{id} in {}", self.location()),
        }
    }

    /// Keeps a judged record, all of it or nothing. One with the same id is replaced, and its tags
    /// stay: a resumed sweep is the same run.
    pub fn save_record(&mut self, record: &Record) -> Result<(), HistoryError> {
        self.save(record, None)
    }

    /// The same with a record whose compressed JSON is known.
    pub fn save_packed(&mut self, record: &Record, packed: &[u8]) -> Result<(), HistoryError> {
        self.save(record, Some(packed))
    }

    fn save(&mut self, record: &Record, packed: Option<&[u8]>) -> Result<(), HistoryError> {
        let id = &record.measured.id;
        if !is_run_id(id) {
            return Err(HistoryError::InvalidId { id: id.clone() });
        }
        let mut statements = Vec::new();
        match &self.files {
            // The file is safe before its row is written.
            Some(files) => drop(files.store_record(record, packed)?),
            None => {
                let packed =
                    packed.map_or_else(|| store::compress_record(record), |p| Ok(p.to_vec()));
                let packed = packed.map_err(|error| HistoryError::Damaged {
                    id: id.clone(),
                    words: error.to_string(),
                })?;
                let values = vec![Value::text(id), Value::Bytes(packed)];
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

    /// Takes in a record from elsewhere. Fails when another run has its id.
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

    pub fn has_run(&mut self, id: &str) -> Result<bool, HistoryError> {
        let sql = "SELECT id FROM truedisk_run WHERE id = $1";
        Ok(!self.database.query(sql, &[Value::text(id)])?.is_empty())
    }

    /// The runs that fit, newest first.
    pub fn list_runs(&mut self, filter: &Filter) -> Result<Vec<RunSummary>, HistoryError> {
        let mut values = Vec::new();
        let (conditions, limit) = filter_conditions(filter, &mut values);
        let sql = format!(
            "SELECT id, started, finished, host, target, device, command, tool, complete, trust, \
             headline FROM truedisk_run r WHERE {conditions} ORDER BY started DESC, id DESC{limit}"
        );
        let rows = self.database.query(&sql, &values)?.into_iter();
        let runs: Option<Vec<RunSummary>> = rows.map(read_summary).collect();
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

    /// The id of the run that is meant: by `latest`, its id, a tag, or how the id begins.
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
        let ids = self.list_ids()?;
        // An empty word begins everything and means nothing.
        let is_meant =
            |id: &&String| !name.is_empty() && (id.starts_with(name) || short_id(id) == name);
        let meant: Vec<String> = ids.iter().filter(is_meant).cloned().collect();
        match meant.as_slice() {
            [one] => Ok(one.clone()),
            [_, ..] => Err(HistoryError::Ambiguous { name: name.to_owned(), ids: meant }),
            [] => {
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

    pub fn load_record(&mut self, id: &str) -> Result<Record, HistoryError> {
        let damaged = |words: String| HistoryError::Damaged { id: id.to_owned(), words };
        let bytes = match &self.files {
            Some(files) => files.load_record(id)?,
            None => {
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

    /// Gives a run a name, takes it from the run that had it, and says which that was.
    pub fn tag_run(&mut self, id: &str, tag: &str) -> Result<Option<String>, HistoryError> {
        let is_odd = |c: char| c.is_whitespace() || c.is_control();
        let refusals = [
            (tag.is_empty(), "it is empty"),
            (tag == LATEST, "it means the newest run"),
            (tag.starts_with('-'), "it looks like an option"),
            (tag.chars().count() > TAG_MAX, "it is longer than 40"),
            (tag.contains(is_odd), "it has a space in it"),
            (is_run_id(tag), "it has the form of a run's id"),
            (self.has_run(tag)?, "it is the id of a run"),
        ];
        if let Some((_, why)) = refusals.into_iter().find(|(refused, _)| *refused) {
            return Err(HistoryError::InvalidTag { name: tag.to_owned(), why });
        }
        let before =
            self.list_tags()?.into_iter().find(|(name, _)| name == tag).map(|(_, run)| run);
        self.database
            .execute_all(&[Statement::new(PUT_TAG, vec![Value::text(tag), Value::text(id)])])?;
        Ok(before.filter(|run| run != id))
    }

    /// Takes a name away; gives the run that had it.
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
        all.extend(self.files.is_none().then_some(DELETE_RECORD));
        let statement = |sql| Statement::new(sql, vec![Value::text(id)]);
        let statements: Vec<Statement> = all.into_iter().map(statement).collect();
        self.database.execute_all(&statements)?;
        // The row goes first: a record without one is only in the way.
        self.files.as_ref().map_or(Ok(Vec::new()), |files| files.remove_record(id))
    }

    pub fn load_figures(&mut self, id: &str) -> Result<Vec<Figures>, HistoryError> {
        // A database that is older and read-only lacks the last columns.
        let sql = "SELECT * FROM truedisk_figures WHERE run = $1 ORDER BY place";
        let rows = self.database.query(sql, &[Value::text(id)])?;
        let figures = |mut row: Row| {
            let (_run, _place) = (row.text()?, row.int()?);
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
        let mut values = vec![Value::text(cell), Value::text(direction)];
        let (conditions, limit) = filter_conditions(filter, &mut values);
        // A database that is older and read-only lacks the last columns.
        let sql = format!(
            "SELECT r.id, r.started, r.host, f.* FROM truedisk_run r \
             JOIN truedisk_figures f ON f.run = r.id \
             WHERE f.cell = $1 AND f.direction = $2 AND {conditions} \
             ORDER BY r.started DESC, r.id DESC{limit}"
        );
        let place = Metric::ALL.iter().position(|other| *other == metric).unwrap_or(0);
        let rows = self.database.query(&sql, &values)?;
        let point = |mut row: Row| {
            let id = row.text()?;
            let started = to_timestamp(row.int()?)?;
            let host = row.text();
            let _key = (row.text()?, row.int()?, row.text()?, row.text()?);
            let invalid = row.int()? != 0;
            for _ in 0..place {
                read_figure(&mut row);
            }
            Some(SeriesPoint { id, started, host, figure: read_figure(&mut row)?, invalid })
        };
        Ok(rows.into_iter().rev().filter_map(point).collect())
    }
}

/// A watch has several disks, and figures of each under its name.
const TARGET_CONDITION: &str = "(r.target = ? OR r.device = ? OR (r.command = 'watch' AND EXISTS \
    (SELECT 1 FROM truedisk_figures w WHERE w.run = r.id AND \
    (w.cell = ? OR '/dev/' || w.cell = ?))))";

/// The conditions and the limit that a filter makes; their values come behind the known ones.
fn filter_conditions(filter: &Filter, values: &mut Vec<Value>) -> (String, String) {
    let text = |word: &Option<String>| word.as_ref().map(Value::text);
    let mut add = |condition: &str, value: Option<Value>| {
        values.push(value?);
        Some(condition.replace('?', &format!("${}", values.len())))
    };
    let conditions = [
        add(TARGET_CONDITION, text(&filter.target)),
        add("r.host = ?", text(&filter.host)),
        add("r.id IN (SELECT run FROM truedisk_tag WHERE name = ?)", text(&filter.tag)),
        add("r.started >= ?", filter.since.map(|since| Value::int(since.as_microsecond()))),
        add("r.command = ?", text(&filter.command)),
    ];
    let measured = filter.without_commands.iter().map(|name| format!("r.command <> '{name}'"));
    let limit = add(" LIMIT ?", filter.newest.map(Value::count));
    let all =
        std::iter::once("1 = 1".to_owned()).chain(conditions.into_iter().flatten()).chain(measured);
    (all.collect::<Vec<_>>().join(" AND "), limit.unwrap_or_default())
}
