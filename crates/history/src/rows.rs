//! Runs and figures as rows of the database.

use jiff::Timestamp;
use message::Message;
use record::{Figure, Figures, Record, RunSummary, Trust};

use crate::database::{Row, Statement, Value};
use crate::schema::{PUT_FIGURES, PUT_RUN};

/// Value, low, high; `None` where there is no value.
pub(crate) fn read_figure(row: &mut Row) -> Option<Figure> {
    let (value, low, high) = (row.real(), row.real(), row.real());
    Some(Figure { value: value?, between: low.zip(high) })
}

pub(crate) fn to_timestamp(micros: i64) -> Option<Timestamp> {
    Timestamp::from_microsecond(micros).ok()
}

pub(crate) fn run_statement(record: &Record) -> Statement {
    let run = RunSummary::from_record(record);
    let values = vec![
        Value::Text(Some(run.id)),
        Value::int(run.started.as_microsecond()),
        Value::int(run.finished.as_microsecond()),
        Value::Text(run.host),
        Value::Text(Some(run.target)),
        Value::Text(run.device),
        Value::Text(Some(run.command)),
        Value::Text(Some(run.tool)),
        Value::int(i64::from(run.complete)),
        Value::Text(run.trust.map(|trust| trust.name().to_owned())),
        Value::Text(run.headline.and_then(|words| serde_json::to_string(&words).ok())),
    ];
    Statement::new(PUT_RUN, values)
}

pub(crate) fn figures_statement(record: &Record, place: usize, figures: &Figures) -> Statement {
    let mut values = vec![
        Value::text(&record.measured.id),
        Value::count(place),
        Value::text(&figures.cell),
        Value::text(&figures.direction),
        Value::int(i64::from(figures.invalid)),
    ];
    for figure in figures.metrics {
        // What is no number in a record of old is none here either.
        let number = |x: f64| x.is_finite().then_some(x);
        let between = figure.and_then(|figure| figure.between);
        values.push(Value::Real(figure.and_then(|figure| number(figure.value))));
        values.push(Value::Real(between.and_then(|(low, _)| number(low))));
        values.push(Value::Real(between.and_then(|(_, high)| number(high))));
    }
    Statement::new(PUT_FIGURES, values)
}

/// A message; the column of older rows has its English text.
fn read_message(column: String) -> Message {
    serde_json::from_str(&column).unwrap_or_else(|_| Message::from_text(column))
}

pub(crate) fn read_summary(mut row: Row) -> Option<RunSummary> {
    Some(RunSummary {
        id: row.text()?,
        started: to_timestamp(row.int()?)?,
        finished: to_timestamp(row.int()?)?,
        host: row.text(),
        target: row.text()?,
        device: row.text(),
        command: row.text()?,
        tool: row.text()?,
        complete: row.int()? != 0,
        trust: row.text().and_then(|word| Trust::ALL.into_iter().find(|t| t.name() == word)),
        headline: row.text().map(read_message),
        tags: Vec::new(),
    })
}
