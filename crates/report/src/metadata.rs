//! Operations on small files, for the terminal and for the page.

use analysis::is_unsteady;
use message::{Language, Message, Names, Render as _, label, messages};
use record::{CacheState, EntriesCounted, Metadata, MetadataLoad, MetadataOp, MetadataPhase};
use units::{Iops, Nanos, group_digits};

use crate::text::{FigureTable, Style, text_width, wrap_text, write_heading, write_wrapped};
use crate::words::{AndMore, or_dash, say};

/// Rates that are named as unsteady, those that differ most; the table of intervals has all.
const UNSTEADY_NAMED_MAX: usize = 3;

/// A table of figures: a row for each load, a column for each operation.
pub(crate) struct Grid {
    pub(crate) title: String,
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

type PhaseFigure = fn(&MetadataPhase) -> String;

/// The tables of a run, in a language.
pub(crate) fn build_grids(found: &Metadata, language: Language) -> Vec<Grid> {
    let cold: PhaseFigure = |phase| {
        let [p50, p99] = ["p50", "p99"].map(|name| format_percentile(phase, name));
        format!("{}, p50 {p50}, p99 {p99}", format_rate(phase))
    };
    let tables: [(String, CacheState, PhaseFigure); 5] = [
        (say("metadata-rates", language), CacheState::Warm, format_rate),
        (say("metadata-half-widths", language), CacheState::Warm, format_half_width),
        (say("metadata-p50", language), CacheState::Warm, |of| format_percentile(of, "p50")),
        (say("metadata-p99", language), CacheState::Warm, |of| format_percentile(of, "p99")),
        (say("metadata-cold", language), CacheState::Dropped, cold),
    ];
    let grids =
        tables.map(|(title, cache, figure)| build_grid(found, title, (cache, figure), language));
    grids.into_iter().filter(|grid| !grid.rows.is_empty()).collect()
}

pub(crate) fn build_remarks(found: &Metadata, language: Language) -> Vec<String> {
    let mut remarks: Vec<String> = Vec::new();
    remarks.extend(unsteady_words(found).map(|words| words.render(language)));
    remarks.push(say("metadata-key", language));
    remarks.push((&found.caches).render(language));
    remarks.extend(counted_words(found).map(|words| words.render(language)));
    remarks
}

fn unsteady_words(found: &Metadata) -> Option<Message> {
    let told = |phase: &MetadataPhase| -> Message {
        let (low, high) = phase.round_range();
        let (low, high) = (Iops(low), Iops(high));
        let operation = operation_name(phase.operation).to_owned();
        let load = load_words(&phase.load);
        match phase.cache == CacheState::Dropped {
            true => RateOfCold { operation, load, low, high }.into(),
            false => RateOf { operation, load, low, high }.into(),
        }
    };
    let mut phases: Vec<&MetadataPhase> =
        found.phases.iter().filter(|phase| is_unsteady(phase)).collect();
    let range = |phase: &MetadataPhase| {
        let (low, high) = phase.round_range();
        high / low
    };
    phases.sort_by(|one, other| range(other).total_cmp(&range(one)));
    let mut rates: Vec<Message> =
        phases.iter().take(UNSTEADY_NAMED_MAX).copied().map(told).collect();
    let more = phases.len() - rates.len();
    rates.extend((more > 0).then(|| AndMore { count: more }.into()));
    (!rates.is_empty()).then(|| Unsteady { rates }.into())
}

pub(crate) fn operation_name(operation: MetadataOp) -> &'static str {
    match operation {
        MetadataOp::Readdir => "list",
        other => other.name(),
    }
}

fn counted_words(found: &Metadata) -> Option<Message> {
    let sum = |of: fn(&EntriesCounted) -> u64| found.counted.iter().map(of).sum::<u64>();
    let (made, listed) = (sum(|counted| counted.made), sum(|counted| counted.found));
    if made == 0 {
        return None;
    }
    let inodes = inode_words(found);
    // Load by load: what one has too few of, another may have too many of.
    Some(match sum(|counted| counted.made.abs_diff(counted.found)) {
        0 => CountedAsMany { made, inodes }.into(),
        _ => CountedDiffer { made, listed, inodes }.into(),
    })
}

fn inode_words(found: &Metadata) -> Message {
    let (mut more, mut fewer) = (0_u64, 0_u64);
    for counted in &found.counted {
        let Some(rise) = counted.inodes else { return label("metadata-no-inodes") };
        let made = i64::try_from(counted.made).unwrap_or(i64::MAX);
        let difference = rise.saturating_sub(made);
        let side = if difference > 0 { &mut more } else { &mut fewer };
        *side += difference.unsigned_abs();
    }
    let more = (more > 0).then(|| InodesMore { count: more }.into());
    let fewer = (fewer > 0).then(|| InodesFewer { count: fewer }.into());
    let parts: Vec<Message> = more.into_iter().chain(fewer).collect();
    // A note, no error: the count is of all who use the file system.
    match parts.is_empty() {
        true => label("metadata-inodes-as-many"),
        false => InodesDiffer { parts: Names(parts) }.into(),
    }
}

fn build_grid(
    found: &Metadata,
    title: String,
    (cache, figure): (CacheState, PhaseFigure),
    language: Language,
) -> Grid {
    let of = |op: MetadataOp, load: &MetadataLoad| found.phase(op, load, cache);
    let loads = found.loads();
    let operations: Vec<MetadataOp> = MetadataOp::ALL
        .into_iter()
        .filter(|op| loads.iter().any(|load| of(*op, load).is_some()))
        .collect();
    let row = |load: &MetadataLoad| {
        let figures: Vec<Option<&MetadataPhase>> =
            operations.iter().map(|op| of(*op, load)).collect();
        let known = figures.iter().flatten().next()?;
        let files = language.punctuate(&group_digits(known.files));
        let mut row = vec![load_words(load).render(language), files];
        let figures = figures.into_iter().map(|phase| or_dash(phase.map(figure)));
        row.extend(figures.map(|figure| language.punctuate(&figure)));
        Some(row)
    };
    let mut head = vec![String::new(), say("head-files", language)];
    head.extend(operations.iter().map(|op| operation_name(*op).to_owned()));
    Grid { title, head, rows: loads.iter().filter_map(row).collect() }
}

/// The lines of a table; of one that is too wide, without the number of files, and in several
/// tables below each other.
fn grid_lines(grid: &Grid, width: usize) -> Vec<String> {
    let widest = |at: usize| {
        let cells = grid.rows.iter().chain([&grid.head]).filter_map(|row| row.get(at));
        cells.map(|cell| text_width(cell)).max().unwrap_or(0)
    };
    let label = widest(0).min(width * 9 / 20);
    let needed =
        |columns: &[usize]| label + columns.iter().map(|at| widest(*at) + 2).sum::<usize>();
    let all: Vec<usize> = (1..grid.head.len()).collect();
    let shown = if needed(&all) <= width { &all[..] } else { all.get(1..).unwrap_or_default() };
    let mut tables: Vec<Vec<usize>> = Vec::new();
    for column in shown {
        match tables.last_mut() {
            Some(last) if needed(&[&last[..], &[*column]].concat()) <= width => last.push(*column),
            _ => tables.push(vec![*column]),
        }
    }
    let lines = |columns: &Vec<usize>| {
        let pick = |row: &Vec<String>| -> Vec<String> {
            let cells = [0].iter().chain(columns).map(|at| row.get(*at).cloned());
            cells.map(Option::unwrap_or_default).collect()
        };
        let table = FigureTable::new(pick(&grid.head), grid.rows.iter().map(pick));
        let (head, rows) = table.lines(width);
        head.into_iter().chain(rows.into_iter().flatten()).collect::<Vec<String>>()
    };
    tables.iter().flat_map(lines).collect()
}

pub(crate) fn load_words(load: &MetadataLoad) -> Message {
    let sync = if load.synced { ", fsync" } else { "" };
    let size = format!("{}{sync}", load.file_size);
    let threads = load.threads;
    match load.folders > 1 {
        true => LoadTree { size, threads }.into(),
        false => LoadFolder { size, threads }.into(),
    }
}

fn format_rate(phase: &MetadataPhase) -> String {
    Iops(phase.rate.value).to_string()
}

fn format_half_width(phase: &MetadataPhase) -> String {
    or_dash(phase.rate.relative_half_width().map(|half| format!("{:.0} %", half * 100.0)))
}

fn format_percentile(phase: &MetadataPhase, name: &str) -> String {
    or_dash(phase.latency_ns.percentiles.get(name).map(|ns| Nanos(*ns)))
}

/// The rates, and which of them are none.
pub(crate) fn summarise_metadata(found: &Metadata, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    for grid in build_grids(found, style.language).into_iter().take(1) {
        lines.extend(wrap_text(&grid.title, style.prose_width()).iter().map(|l| style.bold(l)));
        lines.extend(grid_lines(&grid, style.width));
    }
    let unsteady = unsteady_words(found).map(|words| words.render(style.language));
    lines.extend(unsteady.iter().flat_map(|text| wrap_text(text, style.prose_width())));
    lines
}

pub(crate) fn write_metadata(out: &mut String, found: &Metadata, style: Style) {
    for grid in build_grids(found, style.language) {
        write_heading(out, style, &grid.title);
        grid_lines(&grid, style.width).iter().for_each(|line| out.extend([line.as_str(), "\n"]));
    }
    out.push('\n');
    build_remarks(found, style.language)
        .iter()
        .for_each(|text| write_wrapped(out, style, "", text));
}

messages! {
    Unsteady = "metadata-unsteady" { rates: Vec<Message> };
    RateOf = "metadata-rate-of" { operation: String, load: Message, low: Iops, high: Iops };
    RateOfCold = "metadata-rate-of-cold" {
        operation: String, load: Message, low: Iops, high: Iops,
    };
    LoadFolder = "metadata-load-folder" { size: String, threads: u32 };
    LoadTree = "metadata-load-tree" { size: String, threads: u32 };
    CountedAsMany = "metadata-counted-as-many" { made: u64, inodes: Message };
    CountedDiffer = "metadata-counted-differ" { made: u64, listed: u64, inodes: Message };
    InodesDiffer = "metadata-inodes-differ" { parts: Names };
    InodesMore = "metadata-inodes-more" { count: u64 };
    InodesFewer = "metadata-inodes-fewer" { count: u64 };
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use record::LatencySummary;
    use stats::median_of_few;
    use units::Bytes;

    pub(crate) fn phase(
        operation: MetadataOp,
        load: MetadataLoad,
        cache: CacheState,
    ) -> MetadataPhase {
        let rounds = vec![900.0, 950.0, 1000.0, 1000.0, 1050.0, 1100.0];
        let percentiles = [("p50", 12_000)].into_iter().collect();
        MetadataPhase {
            name: String::new(),
            operation,
            load,
            cache,
            files: 1200,
            rate: median_of_few(&rounds),
            rounds,
            latency_ns: LatencySummary { percentiles, ..LatencySummary::default() },
        }
    }

    fn render_at(found: &Metadata, width: usize) -> String {
        let mut out = String::new();
        let style = Style { width, ..Style::PLAIN };
        write_metadata(&mut out, found, style);
        summarise_metadata(found, style).iter().for_each(|l| out.extend([l.as_str(), "\n"]));
        let wide = out.lines().find(|line| text_width(line) > width);
        assert_eq!(wide, None, "at {width}: {out}");
        out
    }

    fn render(found: &Metadata) -> String {
        render_at(found, crate::text::WIDTH)
    }

    #[test]
    fn rounds_that_say_something_else_each_are_told() {
        let load = MetadataLoad { file_size: Bytes(0), synced: false, folders: 1, threads: 1 };
        let of = |rounds: Vec<f64>| {
            let steady = phase(MetadataOp::Readdir, load, CacheState::Warm);
            let phase = MetadataPhase { rate: median_of_few(&rounds), rounds, ..steady };
            let (phases, counted) = (vec![phase], Vec::new());
            let found = Metadata { phases, counted, caches: Message::default() };
            build_remarks(&found, Language::English).remove(0)
        };
        let wide = of(vec![2000.0, 2000.0, 2100.0, 2100.0, 2200.0, 70_000.0]);
        assert!(
            wide.starts_with("These rates differ too much") && wide.contains("list of 0 B, folder"),
            "{wide}"
        );
        assert!(wide.contains("(2,000 to 70,000 a second)"), "{wide}");
        let steady = of(vec![2000.0, 2000.0, 2100.0, 2100.0, 2200.0, 2300.0]);
        assert!(!steady.contains("These rates"), "{steady}");
    }

    #[test]
    fn of_many_unsteady_rates_the_three_worst_are_named() {
        let load = MetadataLoad { file_size: Bytes(0), synced: false, folders: 1, threads: 1 };
        let most = [9e3, 70e3, 8e3, 80e3, 90e3];
        let phases = MetadataOp::ALL.into_iter().zip(most).map(|(operation, most)| {
            let rounds = vec![2000.0, 2000.0, 2100.0, 2100.0, 2200.0, most];
            let steady = phase(operation, load, CacheState::Warm);
            MetadataPhase { rate: median_of_few(&rounds), rounds, ..steady }
        });
        let found =
            Metadata { phases: phases.collect(), counted: Vec::new(), caches: Message::default() };
        let told = build_remarks(&found, Language::English).remove(0);
        let places = ["90,000", "80,000", "70,000", "and 2 more"].map(|words| told.find(words));
        assert!(places.is_sorted() && places.iter().all(Option::is_some), "{told}");
        assert!(!told.contains("to 9,000") && !told.contains("to 8,000"), "{told}");
    }

    #[test]
    fn the_tables_fit_and_miss_nothing() {
        let load =
            |file_size, synced, folders| MetadataLoad { file_size, synced, folders, threads: 1 };
        let (plain, synced) = (load(Bytes(0), false, 1), load(Bytes::kib(4), true, 64));
        let mut phases: Vec<MetadataPhase> =
            MetadataOp::ALL.map(|op| phase(op, plain, CacheState::Warm)).into();
        phases.push(phase(MetadataOp::Create, synced, CacheState::Warm));
        phases.push(phase(MetadataOp::Stat, plain, CacheState::Dropped));
        let counted = EntriesCounted { load: plain.name(), made: 7200, found: 7200, inodes: None };
        let mut found =
            Metadata { phases, counted: vec![counted], caches: Message::from_text("Warm.") };
        let text = render(&found);
        for width in [40, 60, 80] {
            let narrow = render_at(&found, width);
            for op in MetadataOp::ALL {
                assert!(narrow.contains(operation_name(op)), "{op:?} at {width}: {narrow}");
            }
        }
        let line = |words: &str| text.lines().find(|line| line.contains(words)).unwrap();
        assert!(line("0 B, folder, 1 thread").matches("1,000").count() == 6, "{text}");
        assert!(line("4 KiB, fsync, tree, 1 thread").matches(" -").count() == 5, "{text}");
        assert!(
            text.contains("10 %") && text.contains("12.0 us") || text.contains("12 us"),
            "{text}"
        );
        assert!(text.contains("Cold: ") && text.contains("7,200 files were made"), "{text}");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&text).contains("keeps no count of inodes"), "{text}");
        found.counted[0].inodes = Some(7200);
        assert!(words(&render(&found)).contains("counts the same number of new inodes."));
    }

    #[test]
    fn what_was_counted_is_held_against_what_was_made() {
        let check = |loads: &[(u64, u64, Option<i64>)], expected: &str| {
            let counted = |(made, found, inodes): &(u64, u64, Option<i64>)| EntriesCounted {
                load: String::new(),
                made: *made,
                found: *found,
                inodes: *inodes,
            };
            let counted: Vec<EntriesCounted> = loads.iter().map(counted).collect();
            let found = Metadata { phases: Vec::new(), counted, caches: Message::default() };
            assert_eq!(super::counted_words(&found).unwrap_or_default(), expected);
        };
        check(&[], "");
        let made = |words: &str| format!("Counted: {words}");
        let late = "others may have made or removed files meanwhile, or it counts late.";
        let as_many = "20 files were made, and their folders list as many; the file system";
        check(
            &[(10, 10, None), (10, 10, None)],
            &made(&format!("{as_many} keeps no count of inodes.")),
        );
        check(
            &[(10, 10, Some(10)), (10, 10, Some(10))],
            &made(&format!("{as_many} counts the same number of new inodes.")),
        );
        check(
            &[(10, 10, Some(12)), (10, 10, Some(10))],
            &made(&format!("{as_many} counts a different number of new inodes (2 more): {late}")),
        );
        check(
            &[(10, 10, Some(11)), (10, 10, Some(9))],
            &made(&format!(
                "{as_many} counts a different number of new inodes (1 more, 1 fewer): {late}"
            )),
        );
        check(
            &[(1000, 999, Some(1000)), (10, 10, Some(10))],
            &made(
                "1,010 files were made, and their folders list 1,009: the file system lost some, \
                 or shows others; the file system counts the same number of new inodes.",
            ),
        );
    }
}
