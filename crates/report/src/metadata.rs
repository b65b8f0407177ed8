//! Operations on small files, for the terminal and for the page.

use record::{CacheState, EntriesCounted, Metadata, MetadataLoad, MetadataOp, MetadataPhase};
use units::{Iops, Nanos, group_digits};

use crate::text::{FigureTable, Style, wrap_text, write_heading, write_wrapped};
use crate::words::{count_words, or_dash};

/// A figure is unsteady when half the width of its interval is more than this share of it.
const UNSTEADY_HALF_WIDTH_MIN: f64 = 0.5;

/// A table of figures: a row for each load, a column for each operation.
pub(crate) struct Grid {
    pub(crate) title: &'static str,
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

type PhaseFigure = fn(&MetadataPhase) -> String;

pub(crate) fn build_grids(found: &Metadata) -> Vec<Grid> {
    let cold: PhaseFigure = |phase| {
        let [p50, p99] = ["p50", "p99"].map(|name| format_percentile(phase, name));
        format!("{}, p50 {p50}, p99 {p99}", format_rate(phase))
    };
    let tables: [(&'static str, CacheState, PhaseFigure); 5] = [
        ("Operations a second, median over rounds", CacheState::Warm, format_rate),
        ("Half the width of its 95 % interval", CacheState::Warm, format_half_width),
        ("Latency, p50", CacheState::Warm, |phase| format_percentile(phase, "p50")),
        ("Latency, p99", CacheState::Warm, |phase| format_percentile(phase, "p99")),
        ("Cold: operations a second after the caches were dropped", CacheState::Dropped, cold),
    ];
    let grids = tables.map(|(title, cache, figure)| build_grid(found, title, cache, figure));
    grids.into_iter().filter(|grid| !grid.rows.is_empty()).collect()
}

pub(crate) fn build_remarks(found: &Metadata) -> Vec<String> {
    let mut remarks: Vec<String> = unsteady_words(found).into_iter().collect();
    remarks.extend([
        "create: open a new file, write, close; open: open, read, close; list: names a second, and \
         latency of a whole folder. With fsync a create waits for its file, a rename and a delete \
         for their folder. -: not measured, or too few samples to say."
            .to_owned(),
        found.caches.clone(),
    ]);
    remarks.extend(counted_words(found));
    remarks
}

fn unsteady_words(found: &Metadata) -> Option<String> {
    let apart = |phase: &&MetadataPhase| {
        let rate = &phase.rate;
        rate.interval()
            .is_some_and(|(low, high)| high - low > 2.0 * UNSTEADY_HALF_WIDTH_MIN * rate.value)
    };
    let told = |phase: &MetadataPhase| {
        let least = phase.rounds.iter().copied().fold(f64::INFINITY, f64::min);
        let most = phase.rounds.iter().copied().fold(0.0, f64::max);
        let (name, load) = (operation_name(phase.operation), load_words(&phase.load));
        let cold = if phase.cache == CacheState::Dropped { ", cold" } else { "" };
        format!("{name} of {load}{cold} ({} to {} a second)", Iops(least), Iops(most))
    };
    let told: Vec<String> = found.phases.iter().filter(apart).map(told).collect();
    (!told.is_empty()).then(|| {
        format!("Not steady from round to round, so no figure to rely on: {}.", told.join("; "))
    })
}

fn operation_name(operation: MetadataOp) -> &'static str {
    match operation {
        MetadataOp::Readdir => "list",
        other => other.name(),
    }
}

fn counted_words(found: &Metadata) -> Option<String> {
    let sum = |of: fn(&EntriesCounted) -> u64| found.counted.iter().map(of).sum::<u64>();
    let (made, listed) = (sum(|counted| counted.made), sum(|counted| counted.found));
    if made == 0 {
        return None;
    }
    // Load by load: what one has too few of, another may have too many of.
    let list = match sum(|counted| counted.made.abs_diff(counted.found)) {
        0 => "as many".to_owned(),
        _ => format!("{}: the file system lost some, or shows others", group_digits(listed)),
    };
    let (made, inodes) = (group_digits(made), inode_words(found));
    Some(format!(
        "Counted: {made} files were made, and their folders list {list}; the file system {inodes}."
    ))
}

fn inode_words(found: &Metadata) -> String {
    let (mut more, mut fewer) = (0_u64, 0_u64);
    for counted in &found.counted {
        let Some(rise) = counted.inodes else {
            return "keeps no count of inodes".to_owned();
        };
        let made = i64::try_from(counted.made).unwrap_or(i64::MAX);
        let difference = rise.saturating_sub(made);
        let side = if difference > 0 { &mut more } else { &mut fewer };
        *side += difference.unsigned_abs();
    }
    let parts = [(more, "more"), (fewer, "fewer")].into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> =
        parts.map(|(count, than)| format!("{} {than}", group_digits(count))).collect();
    if parts.is_empty() {
        return "counts as many inodes more".to_owned();
    }
    // A note, no error: the count is of all who use the file system.
    format!(
        "counts {} inodes than that: others may have made or removed files meanwhile, or it \
         counts late",
        parts.join(" in some loads and ")
    )
}

fn build_grid(
    found: &Metadata,
    title: &'static str,
    cache: CacheState,
    figure: PhaseFigure,
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
        let mut row = vec![load_words(load), group_digits(known.files)];
        let figures = figures.into_iter();
        row.extend(figures.map(|phase| or_dash(phase.map(figure))));
        Some(row)
    };
    let mut head = vec![String::new(), "files".to_owned()];
    head.extend(operations.iter().map(|op| operation_name(*op).to_owned()));
    Grid { title, head, rows: loads.iter().filter_map(row).collect() }
}

fn load_words(load: &MetadataLoad) -> String {
    let sync = if load.synced { ", fsync" } else { "" };
    let shape = if load.folders > 1 { "tree" } else { "folder" };
    let threads = count_words(load.threads as usize, "thread");
    format!("{}{sync}, {shape}, {threads}", load.file_size)
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
    for grid in build_grids(found).into_iter().take(1) {
        lines.push(style.bold(grid.title));
        let (head, rows) =
            FigureTable::new(grid.head, grid.rows).dispensable(&[1]).lines(style.width);
        lines.extend(head.into_iter().chain(rows.into_iter().flatten()));
    }
    let unsteady = unsteady_words(found);
    lines.extend(unsteady.iter().flat_map(|text| wrap_text(text, style.prose_width())));
    lines
}

pub(crate) fn write_metadata(out: &mut String, found: &Metadata, style: Style) {
    for grid in build_grids(found) {
        write_heading(out, style, grid.title);
        let (head, rows) =
            FigureTable::new(grid.head, grid.rows).dispensable(&[1]).lines(style.width);
        head.into_iter()
            .chain(rows.into_iter().flatten())
            .for_each(|line| out.extend([&line, "\n"]));
    }
    out.push('\n');
    build_remarks(found).iter().for_each(|text| write_wrapped(out, style, "", text));
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::LatencySummary;
    use stats::median_of_few;
    use units::Bytes;

    fn phase(operation: MetadataOp, load: MetadataLoad, cache: CacheState) -> MetadataPhase {
        let rounds = vec![900.0, 950.0, 1000.0, 1000.0, 1050.0, 1100.0];
        let percentiles = [("p50".to_owned(), 12_000)].into();
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

    fn render(found: &Metadata) -> String {
        let mut out = String::new();
        write_metadata(&mut out, found, Style::PLAIN);
        out
    }

    #[test]
    fn rounds_that_say_something_else_each_are_told() {
        let load = MetadataLoad { file_size: Bytes(0), synced: false, folders: 1, threads: 1 };
        let of = |rounds: Vec<f64>| {
            let steady = phase(MetadataOp::Readdir, load, CacheState::Warm);
            let phase = MetadataPhase { rate: median_of_few(&rounds), rounds, ..steady };
            let (phases, counted) = (vec![phase], Vec::new());
            build_remarks(&Metadata { phases, counted, caches: String::new() }).remove(0)
        };
        let wide = of(vec![2000.0, 2000.0, 2100.0, 2100.0, 2200.0, 70_000.0]);
        assert!(wide.starts_with("Not steady") && wide.contains("list of 0 B, folder"), "{wide}");
        assert!(wide.contains("(2,000 to 70,000 a second)"), "{wide}");
        let steady = of(vec![2000.0, 2000.0, 2100.0, 2100.0, 2200.0, 2300.0]);
        assert!(!steady.contains("Not steady"), "{steady}");
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
        let mut found = Metadata { phases, counted: vec![counted], caches: "Warm.".to_owned() };
        let text = render(&found);
        assert!(text.lines().all(|line| line.chars().count() <= crate::text::WIDTH), "{text}");
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
        assert!(words(&render(&found)).contains("counts as many inodes more."));
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
            let found = Metadata { phases: Vec::new(), counted, caches: String::new() };
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
            &made(&format!("{as_many} counts as many inodes more.")),
        );
        check(
            &[(10, 10, Some(12)), (10, 10, Some(10))],
            &made(&format!("{as_many} counts 2 more inodes than that: {late}")),
        );
        check(
            &[(10, 10, Some(11)), (10, 10, Some(9))],
            &made(&format!(
                "{as_many} counts 1 more in some loads and 1 fewer inodes than that: {late}"
            )),
        );
        check(
            &[(1000, 999, Some(1000)), (10, 10, Some(10))],
            &made(
                "1,010 files were made, and their folders list 1,009: the file system lost some, \
                 or shows others; the file system counts as many inodes more.",
            ),
        );
    }
}
