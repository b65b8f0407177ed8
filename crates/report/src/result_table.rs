//! The results of a record or of a comparison as one table: Markdown for an issue, CSV for a
//! program. CSV has exact numbers, English words and the names of columns that `history export`
//! has; Markdown has what the terminal shows.

use message::{Language, Message, Render as _};
use record::compare::{Basis, Comparison, FigureKind};
use record::{Cell, MetadataPhase, Purpose, Record, Status};
use stats::Estimate;
use units::{Iops, Ratio, escape_controls, quote_csv};

use crate::compare::{format_figure, format_interval, format_ratio, verdict_words};
use crate::limit::point_cells;
use crate::preset::PresetResult;
use crate::terminal::badge_and_headline;
use crate::words::{
    Mark, Row, RowDepth, RowEstimates, RowRate, TitleWithoutHost, build_key_rows, build_load_rows,
    build_rows, cell_label, format_minute, format_nanos, has_invalid, is_ping, is_vague,
    mark_vague, megabytes, or_dash, say, target_words,
};

/// A table that [`ResultTable::to_markdown`] and [`ResultTable::to_csv`] print.
pub struct ResultTable {
    /// Lines above the table, of Markdown only.
    lines: Vec<String>,
    columns: Vec<Column>,
    rows: Vec<Vec<Field>>,
    language: Language,
}

struct Column {
    /// In CSV; a column without it is not printed there.
    name: Option<&'static str>,
    /// In Markdown; a column without it is not printed there.
    head: Option<String>,
    is_number: bool,
}

/// A value as each of the two prints it.
#[derive(Clone, Default)]
struct Field {
    csv: String,
    markdown: String,
}

impl Field {
    fn text(words: &str, shown: &str) -> Self {
        Self { csv: quote_csv(words).into_owned(), markdown: escape_markdown(shown) }
    }

    fn number(value: Option<f64>, shown: impl Fn(f64) -> String, language: Language) -> Self {
        let value = value.filter(|value| value.is_finite());
        let csv = value.map(|value| value.to_string()).unwrap_or_default();
        Self { csv, markdown: language.punctuate(&or_dash(value.map(shown))) }
    }
}

/// The table of a record.
///
/// # Errors
/// Why there is none: a watch has other figures.
pub fn build_record_table(record: &Record, language: Language) -> Result<ResultTable, String> {
    if record.measured.watch.is_some() {
        return Err("a watch has no table of results".to_owned());
    }
    let rows = data_rows(record, language);
    // The words of CSV are the same in every language.
    let english = data_rows(record, Language::English);
    let path = record.measured.target_path();
    let run = [record.measured.id.as_str(), path.as_str()].map(|words| Field::text(words, words));
    let row = |(row, english): (DataRow, DataRow)| {
        run.iter().cloned().chain(record_fields(&row, &english, language)).collect()
    };
    Ok(ResultTable {
        lines: record_lines(record, language),
        columns: record_columns(language),
        rows: rows.into_iter().zip(english).map(row).collect(),
        language,
    })
}

fn record_lines(record: &Record, language: Language) -> Vec<String> {
    let measured = &record.measured;
    let command = measured.command_name().to_owned();
    let path = measured.target_path();
    let when = format_minute(measured.started);
    // Issues are read by strangers: without the host.
    let title = TitleWithoutHost { command, path, when }.render(language);
    let target = measured.target().map(|target| target_words(target).render(language));
    let verdict = badge_and_headline(record, language);
    let verdict = verdict.map(|(_, words)| format!("**{}**", escape_markdown(&words)));
    let lines = [title].into_iter().chain(target).map(|line| escape_markdown(&line));
    lines.chain(verdict).collect()
}

/// A figure that a reader looks for first, in English.
pub struct KeyFigure {
    pub label: String,
    pub iops: Option<f64>,
    pub p99_ns: Option<f64>,
}

/// The key figures of a record; numbers that must not be used are left out.
pub fn list_key_figures(record: &Record) -> Vec<KeyFigure> {
    let rows = build_key_rows(record, Language::English).into_iter();
    let figure = |row: Row| {
        let label = row.label.trim().trim_end_matches(" *").to_owned();
        KeyFigure { label, iops: row.figures.iops, p99_ns: row.figures.latency_ns[2] }
    };
    rows.filter(|row| !has_invalid(&row.marks)).map(figure).collect()
}

/// The rows of every point of every curve; of two jobs beside each other, of each job.
fn build_point_rows(record: &Record, language: Language) -> Vec<Row> {
    let mut rows = Vec::new();
    for curve in &record.judgement_or_default().curves {
        for point in curve.all_points() {
            let cells: Vec<&Cell> = point_cells(record, point).collect();
            let (curve_label, depth) = (curve.label.clone(), point.depth);
            let label: Message = match point.rate {
                Some(rate) => RowRate { curve: curve_label, rate }.into(),
                None => RowDepth { curve: curve_label, depth }.into(),
            };
            let mut of_point = match curve.independent {
                true => cells
                    .iter()
                    .flat_map(|cell| build_load_rows(record, &[cell], cell_label(cell), language))
                    .collect(),
                false => build_load_rows(record, &cells, label, language),
            };
            if curve.left_out.contains(point) {
                let left_out = (Status::Warning, message::label("point-left-out"));
                of_point.iter_mut().for_each(|row| row.marks.push(left_out.clone()));
            }
            rows.extend(of_point);
        }
    }
    rows
}

/// A row of a record, whatever was measured.
#[derive(Default)]
struct DataRow {
    label: String,
    direction: &'static str,
    iops: Option<f64>,
    estimates: RowEstimates,
    bytes_per_second: Option<f64>,
    latency_ns: [Option<f64>; 4],
    marks: String,
}

impl DataRow {
    fn of_rate(label: String, rate: &Estimate) -> Self {
        let estimates = RowEstimates { iops: Some(rate.clone()), ..RowEstimates::default() };
        Self { label, iops: Some(rate.value), estimates, ..Self::default() }
    }
}

fn data_rows(record: &Record, language: Language) -> Vec<DataRow> {
    if let Some(found) = &record.measured.metadata {
        return found.phases.iter().map(metadata_row).collect();
    }
    if let Some(found) = PresetResult::from_record(record) {
        return preset_rows(&found, language);
    }
    let is_search = matches!(record.measured.plan.purpose, Purpose::Limit(_) | Purpose::Sweep(_));
    let rows = match is_search && !is_ping(record) {
        true => build_point_rows(record, language),
        false => build_rows(record, language),
    };
    rows.into_iter().map(|row| row_of_words(row, language)).collect()
}

fn row_of_words(row: Row, language: Language) -> DataRow {
    DataRow {
        label: row.label.trim().to_owned(),
        direction: row.direction.name(),
        iops: row.figures.iops,
        estimates: row.estimates,
        bytes_per_second: row.figures.bytes_per_second,
        latency_ns: row.figures.latency_ns,
        marks: join_marks(&row.marks, language),
    }
}

fn metadata_row(phase: &MetadataPhase) -> DataRow {
    let latency = &phase.latency_ns;
    let percentile = |name: &str| latency.percentiles.get(name).map(|&ns| ns as f64);
    let mean = (!latency.is_absent()).then_some(latency.mean);
    DataRow {
        latency_ns: [mean, percentile("p50"), percentile("p99"), percentile("p99.9")],
        ..DataRow::of_rate(phase.name.clone(), &phase.rate)
    }
}

fn preset_rows(found: &PresetResult<'_>, language: Language) -> Vec<DataRow> {
    let mut rows = Vec::new();
    for step in found.steps() {
        let marks = crate::preset::table::step_marks(found, &step);
        for figures in &step.outcome.figures {
            let percentile = |name: &str| figures.percentiles_ns.get(name);
            let value = |name: &str| percentile(name).map(|found| found.value);
            let label = crate::preset::table::part_label(&step, figures).render(language);
            let has_rate = figures.direction != workload::Direction::Sync;
            rows.push(DataRow {
                label,
                iops: Some(figures.iops.value),
                estimates: RowEstimates {
                    iops: Some(figures.iops.clone()),
                    p50: percentile("p50").cloned(),
                    p99: percentile("p99").cloned(),
                },
                direction: figures.direction.name(),
                bytes_per_second: has_rate.then_some(figures.bytes_per_second.value),
                latency_ns: [
                    Some(figures.mean_latency_ns.value),
                    value("p50"),
                    value("p99"),
                    value("p99.9"),
                ],
                marks: join_marks(&marks, language),
            });
        }
    }
    rows
}

fn join_marks(marks: &[Mark], language: Language) -> String {
    let words: Vec<String> = marks.iter().map(|(_, words)| words.render(language)).collect();
    words.join("; ")
}

const fn csv_column(name: &'static str) -> Column {
    Column { name: Some(name), head: None, is_number: true }
}

fn figure_column(name: &'static str, head: &str) -> Column {
    Column { name: Some(name), head: Some(head.to_owned()), is_number: true }
}

fn text_column(name: &'static str, head: &str) -> Column {
    Column { is_number: false, ..figure_column(name, head) }
}

fn shown_column(head: &str) -> Column {
    Column { name: None, head: Some(head.to_owned()), is_number: true }
}

fn record_columns(language: Language) -> Vec<Column> {
    vec![
        csv_column("run"),
        csv_column("target"),
        text_column("workload", ""),
        csv_column("direction"),
        figure_column("iops", "IOPS"),
        csv_column("iops_low"),
        csv_column("iops_high"),
        shown_column("95 %"),
        figure_column("bytes_per_second", "MB/s"),
        figure_column("latency_mean_ns", &say("head-mean", language)),
        figure_column("latency_p50_ns", "p50"),
        figure_column("latency_p99_ns", "p99"),
        figure_column("latency_p99_9_ns", "p99.9"),
        text_column("marks", &say("head-stands", language)),
    ]
}

/// Behind the fields of the run.
fn record_fields(row: &DataRow, english: &DataRow, language: Language) -> Vec<Field> {
    let RowEstimates { iops: rate, p50, p99 } = &row.estimates;
    let interval = rate.as_ref().and_then(Estimate::interval);
    let exact = |value: Option<f64>| Field::number(value, |value| value.to_string(), language);
    let half = rate.as_ref().and_then(Estimate::relative_half_width);
    let half = half.map(|half| format!("±{}", Ratio(half)));
    let mut fields = vec![
        Field::text(&english.label, &row.label),
        Field::text(row.direction, ""),
        Field::number(row.iops, |iops| mark_vague(Iops(iops).to_string(), rate.as_ref()), language),
        exact(interval.map(|(low, _)| low)),
        exact(interval.map(|(_, high)| high)),
        Field { csv: String::new(), markdown: language.punctuate(&or_dash(half)) },
        Field::number(row.bytes_per_second, megabytes, language),
    ];
    let estimates = [None, p50.as_ref(), p99.as_ref(), None];
    fields.extend(row.latency_ns.into_iter().zip(estimates).map(|(ns, estimate)| {
        Field::number(ns, |ns| mark_vague(format_nanos(ns), estimate), language)
    }));
    fields.push(match row.marks.is_empty() {
        true => Field::default(),
        false => Field::text(&english.marks, &row.marks),
    });
    fields
}

/// The table of a comparison: every figure in CSV, the rates in Markdown.
pub fn build_comparison_table(comparison: &Comparison, language: Language) -> ResultTable {
    let name = |place: usize| comparison.sides.get(place).map_or("?", |side| side.label.as_str());
    let (mut lines, mut rows) = (Vec::new(), Vec::new());
    for side in &comparison.sides {
        lines.push(escape_markdown(&format!("{}: {}", side.label, (&side.name).render(language))));
    }
    for pair in &comparison.pairs {
        lines.push(format!("**{}**", escape_markdown(&(&pair.headline).render(language))));
        let sides = [name(pair.a), name(pair.b)];
        for cell in pair.cells.iter().chain(&pair.limits) {
            for figure in &cell.figures {
                let is_rate = figure.figure.kind == FigureKind::Iops;
                rows.push((is_rate, comparison_fields(sides, cell, figure, language)));
            }
        }
    }
    let columns = vec![
        text_column("side_a", "A"),
        text_column("side_b", "B"),
        text_column("workload", &say("head-workload", language)),
        text_column("figure", &say("head-figure", language)),
        figure_column("a", "A"),
        figure_column("b", "B"),
        figure_column("ratio", &say("head-ratio", language)),
        csv_column("ratio_low"),
        csv_column("ratio_high"),
        shown_column("95 %"),
        text_column("verdict", &say("head-verdict", language)),
        csv_column("basis"),
    ];
    // A row without words in Markdown is of CSV only.
    let rows = rows.into_iter().map(|(is_shown, mut fields): (bool, Vec<Field>)| {
        if !is_shown {
            fields.iter_mut().for_each(|field| field.markdown.clear());
        }
        fields
    });
    ResultTable { lines, columns, rows: rows.collect(), language }
}

fn comparison_fields(
    [a, b]: [&str; 2],
    cell: &record::compare::CellComparison,
    of: &record::compare::FigureComparison,
    language: Language,
) -> Vec<Field> {
    let (effect, ratio) = (&of.effect, &of.effect.ratio);
    let label = |language| (&cell.label).render(language);
    let figure = |language| of.figure.label().render(language);
    let verdict = |language| verdict_words(effect).render(language);
    let shown = |value| format_figure(&of.figure, value);
    let exact = |value: Option<f64>| Field::number(value, |value| value.to_string(), language);
    let basis = match effect.basis {
        Basis::BetweenRuns => "between_runs",
        Basis::WithinRuns => "within_runs",
        Basis::Figures => "figures",
    };
    let english = Language::English;
    vec![
        Field::text(a, a),
        Field::text(b, b),
        Field::text(&label(english), &label(language)),
        Field::text(&csv_figure(of, &figure(english)), &figure(language)),
        Field::number(Some(of.a.value), shown, language),
        Field::number(Some(of.b.value), shown, language),
        Field::number(Some(ratio.value), format_ratio, language),
        exact(ratio.interval().map(|(low, _)| low)),
        exact(ratio.interval().map(|(_, high)| high)),
        Field { csv: String::new(), markdown: format_interval(ratio, language) },
        Field::text(&verdict(english), &verdict(language)),
        Field::text(basis, ""),
    ]
}

/// The figure with the unit of its exact number: bytes per second, nanoseconds.
fn csv_figure(of: &record::compare::FigureComparison, label: &str) -> String {
    match of.figure.kind {
        FigureKind::Iops => label.to_owned(),
        FigureKind::BytesPerSecond => label.replace("MB/s", "bytes/s"),
        FigureKind::Latency(_) => format!("{label} ns"),
    }
}

impl ResultTable {
    pub fn to_csv(&self) -> String {
        let names = self.columns.iter().filter_map(|column| column.name);
        let mut out = format!("{}\n", names.collect::<Vec<_>>().join(","));
        for row in &self.rows {
            let fields = row.iter().zip(&self.columns).filter(|(_, column)| column.name.is_some());
            let fields: Vec<&str> = fields.map(|(field, _)| field.csv.as_str()).collect();
            out.push_str(&fields.join(","));
            out.push('\n');
        }
        out
    }

    /// A heading, lines of text and a table, as GitHub has them.
    pub fn to_markdown(&self) -> String {
        let mut out: String = self.lines.iter().flat_map(|line| [line.as_str(), "\n\n"]).collect();
        let is_shown = |row: &&Vec<Field>| row.iter().any(|field| !field.markdown.is_empty());
        let rows: Vec<&Vec<Field>> = self.rows.iter().filter(is_shown).collect();
        let has_words =
            |place: usize| rows.iter().any(|row| !matches!(row[place].markdown.as_str(), "" | "-"));
        let columns: Vec<(usize, &Column, &str)> = (self.columns.iter().enumerate())
            .filter_map(|(place, column)| Some((place, column, column.head.as_deref()?)))
            .filter(|(place, ..)| has_words(*place))
            .collect();
        if columns.is_empty() {
            out.push_str(&escape_markdown(&say("badge-reason-nothing", self.language)));
            out.push('\n');
            return out;
        }
        let mut write_row = |fields: Vec<String>| {
            out.push_str(&format!("| {} |\n", fields.join(" | ")));
        };
        write_row(columns.iter().map(|(.., head)| (*head).to_owned()).collect());
        let rule = |is_number: bool| if is_number { "---:" } else { "---" }.to_owned();
        write_row(columns.iter().map(|(_, column, _)| rule(column.is_number)).collect());
        for row in &rows {
            write_row(columns.iter().map(|(place, ..)| row[*place].markdown.clone()).collect());
        }
        if rows.iter().any(|row| row.iter().any(|field| is_vague(&field.markdown))) {
            let key = escape_markdown(&say("summary-key-vague", self.language));
            out.push_str(&format!("\n{key}\n"));
        }
        out
    }
}

/// Text as Markdown shows it to the letter, in one line.
fn escape_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in escape_controls(text).chars() {
        match c {
            '\n' | '\t' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(mut record: Record) -> Record {
        record.judgement = Some(analysis::judge(&record.measured));
        record
    }

    fn table(record: Record) -> ResultTable {
        build_record_table(&judged(record), Language::English).unwrap()
    }

    fn csv_rows(csv: &str) -> Vec<Vec<&str>> {
        // No field of these fixtures has a comma but labels, which are quoted.
        let split = |line| -> Vec<&str> {
            let mut fields = vec![];
            let (mut start, mut quoted) = (0, false);
            let line: &str = line;
            for (at, c) in line.char_indices() {
                quoted ^= c == '"';
                if c == ',' && !quoted {
                    fields.push(&line[start..at]);
                    start = at + 1;
                }
            }
            fields.push(&line[start..]);
            fields
        };
        csv.lines().map(split).collect()
    }

    #[test]
    fn csv_has_the_exact_numbers_of_the_record() {
        let record = judged(record::fixture::ssd_record());
        let csv = build_record_table(&record, Language::English).unwrap().to_csv();
        let rows = csv_rows(&csv);
        assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{csv}");
        let column = |name: &str| rows[0].iter().position(|head| *head == name).unwrap();
        let row = rows.iter().find(|row| row[2] == "\"random write 4k, depth 1\"").unwrap();
        let cells = record.measured.cells.iter().filter(|cell| cell.name == "randwrite-4k-qd1");
        let totals = cells.into_iter().next_back().unwrap().totals.write.as_ref().unwrap();
        assert_eq!(row[column("iops")].parse::<f64>().unwrap(), totals.iops);
        let mean = row[column("latency_mean_ns")].parse::<f64>().unwrap();
        assert_eq!(mean, totals.latency_ns.mean);
        assert_eq!(row[column("run")], record.measured.id);
        let [low, high] = ["iops_low", "iops_high"].map(|name| row[column(name)].parse::<f64>());
        assert!(low.unwrap() < totals.iops && totals.iops < high.unwrap());
    }

    #[test]
    fn markdown_has_the_headline_and_aligned_rows() {
        let text = table(record::fixture::ssd_record()).to_markdown();
        assert!(text.starts_with("check of /srv/data"), "{text}");
        assert!(text.contains("\n**"), "{text}");
        assert!(text.contains("|  | IOPS | 95 % | MB/s | mean | p50 | p99 | p99.9 |"), "{text}");
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert!(rows.len() > 8 && rows[1].starts_with("| --- | ---: |"), "{text}");
        let pipes = |row: &&str| row.matches('|').count();
        assert!(rows.iter().all(|row| pipes(row) == pipes(&rows[0])), "{text}");
    }

    #[test]
    fn a_search_has_a_row_for_every_point() {
        for record in [record::fixture::limit_record(), record::fixture::open_loop_limit_record()] {
            let record = judged(record);
            let curves = &record.judgement_or_default().curves;
            let points: usize = curves.iter().map(|curve| curve.all_points().len()).sum();
            let csv = build_record_table(&record, Language::English).unwrap().to_csv();
            assert_eq!(csv.lines().count(), points + 1, "{csv}");
        }
        let open = table(record::fixture::open_loop_limit_record()).to_csv();
        assert!(open.contains(" arrivals/s\""), "{open}");
        // Of two jobs each has its own rate: they are not added up.
        let csv = table(record::fixture::two_job_limit_record()).to_csv();
        assert!(csv.contains("\"random read 4k, depth 12\""), "{csv}");
        assert!(csv.contains("\"random write 4k, depth 4\""), "{csv}");
    }

    #[test]
    fn presets_have_their_steps_and_invalid_rows_their_marks() {
        let record = crate::preset::tests::render_with(|record| {
            let cells = record.measured.cells.iter_mut();
            cells.for_each(|cell| cell.ledger.layers[0].read_bytes = units::Bytes(0));
        });
        let table = build_record_table(&record, Language::English).unwrap();
        let (csv, text) = (table.to_csv(), table.to_markdown());
        assert!(csv.contains("random read 4k,read,"), "{csv}");
        assert!(csv.contains("INVALID: page-cache"), "{csv}");
        assert!(text.contains("| INVALID: page-cache |"), "{text}");
    }

    #[test]
    fn a_watch_has_no_table() {
        let record = record::fixture::watch_record();
        assert!(build_record_table(&record, Language::English).is_err());
    }

    #[test]
    fn csv_is_english_in_every_language() {
        let record = judged(record::fixture::limit_record());
        let csv = |language| build_record_table(&record, language).unwrap().to_csv();
        assert_eq!(csv(Language::Russian), csv(Language::English));
        let text = build_record_table(&record, Language::Russian).unwrap().to_markdown();
        assert!(text.contains("глубина"), "{text}");
    }

    #[test]
    fn foreign_text_breaks_no_table() {
        let mut record = record::fixture::ssd_record();
        record.measured.targets[0].path = "/a|b<i>\n`x`,\"y\"".to_owned();
        let table = table(record);
        let (csv, text) = (table.to_csv(), table.to_markdown());
        assert!(csv.contains("\"/a|b<i>\n`x`,\"\"y\"\"\""), "{csv}");
        assert!(text.contains("/a\\|b\\<i\\> \\`x\\`"), "{text}");
    }

    #[test]
    fn a_comparison_has_every_figure_in_csv_and_the_rates_in_markdown() {
        let comparison = crate::compare::tests::comparison();
        let table = build_comparison_table(&comparison, Language::English);
        let figures: usize = comparison
            .pairs
            .iter()
            .flat_map(|pair| pair.cells.iter().chain(&pair.limits))
            .map(|cell| cell.figures.len())
            .sum();
        let csv = table.to_csv();
        assert_eq!(csv.lines().count(), figures + 1, "{csv}");
        assert!(csv.contains("p99 ns"), "{csv}");
        let text = table.to_markdown();
        assert!(!text.contains("| p99 |") && text.contains("| IOPS |"), "{text}");
    }
}
