//! `truedisk compare`: finds the runs, or measures them in turns, and compares them.

mod interleave;
mod runs;

use analysis::compare::{CompareError, ComparisonCriteria, Group, compare_groups};
use record::compare::{Basis, CellComparison, Comparison, Outcome as Verdict};
use units::ErrorKind;

use crate::args::{CompareArgs, FailOnWorse};
use crate::exit::{Exit, Failure, Outcome};
use crate::output::{Outputs, guarded_destinations, write_json_text, write_output, write_tables};
use crate::terminal;
pub(crate) use runs::load_run;
use runs::{ComparedRuns, SourcedRecord};

pub(crate) fn run(args: &CompareArgs) -> Outcome {
    let mut all = guarded_destinations(runs::input_files(args));
    let outputs = Outputs::open(&mut all, &args.result)?.with_tables(&mut all, &args.tables)?;
    let found = if args.interleave {
        interleave::measure_sides(args, &mut all)?
    } else {
        ComparedRuns { sides: runs::load_sides(args)?, interrupted: false }
    };
    let sides = &found.sides;
    if sides.iter().flatten().any(|(record, _)| record.measured.watch.is_some()) {
        if args.fail_on.is_some() || !args.price.is_empty() {
            let message =
                "watches are compared without --fail-on and --price: the load was that of others";
            return Err(Failure::wrong(message).hint("truedisk compare --interleave measures"));
        }
        return compare_watches(sides, outputs, args.quiet.quiet);
    }
    if !args.price.is_empty() && args.price.len() != sides.len() {
        let message = format!("{} prices for {} sides", args.price.len(), sides.len());
        return Err(Failure::wrong(message).hint("give one price for each side: --price 24,48"));
    }
    let groups = sides.iter().enumerate().map(|(place, side)| Group {
        runs: side.iter().map(|(record, source)| (record, source.clone())).collect(),
        price: args.price.get(place).copied(),
    });
    let groups: Vec<Group<'_>> = groups.collect();
    let criteria = ComparisonCriteria {
        margin: args.margin,
        currency: args.currency.clone(),
        ..ComparisonCriteria::with_defaults(env!("CARGO_PKG_VERSION"))
    };
    let comparison = compare_groups(&groups, &criteria).map_err(|error| {
        Failure::wrong(&error).hint(match error {
            CompareError::TooFew => "name at least two: truedisk compare a.json b.json",
            CompareError::Unlike { .. } => {
                "measure both with the same command; unlike jobs are not compared"
            }
        })
    })?;
    write_comparison(&comparison, outputs, args.quiet.quiet)?;
    exit_status(&comparison, args, found.interrupted)
}

/// Two watches stand side by side; with a measurement neither is compared.
fn compare_watches(sides: &[Vec<SourcedRecord>], outputs: Outputs, quiet: bool) -> Outcome {
    let compared = match sides {
        [a, b] => match (&a[..], &b[..]) {
            ([(a, _)], [(b, _)]) => analysis::compare::compare_watches(a, b),
            _ => None,
        },
        _ => None,
    };
    let Some(comparison) = compared else {
        let message = "a watch is compared with one other watch, and with nothing else";
        return Err(Failure::wrong(message).hint("truedisk compare RUN RUN, both of watch"));
    };
    if outputs.html.is_some() || outputs.markdown.is_some() || outputs.csv.is_some() {
        let message = "a comparison of watches has no page and no table";
        return Err(Failure::wrong(message).hint("--json FILE writes it as JSON"));
    }
    let to_stdout = outputs.uses_stdout();
    let json = serde_json::to_string(&comparison)?;
    let written = outputs.json.map(|file| write_json_text(file, &json)).transpose()?.flatten();
    if to_stdout {
        return Ok(Exit::Done);
    }
    terminal::print(&report::render_watch_comparison(&comparison, terminal::style()))?;
    for path in written.into_iter().filter(|_| !quiet) {
        terminal::print_line(terminal::tell(crate::output::WrittenTo { path }))?;
    }
    Ok(Exit::Done)
}

fn write_comparison(comparison: &Comparison, outputs: Outputs, quiet: bool) -> Result<(), Failure> {
    let wrong = |what: &str, error: &dyn std::fmt::Display| {
        Failure::failed(format_args!("cannot write the comparison as {what}: {error}"))
    };
    let to_stdout = outputs.uses_stdout();
    let table = report::build_comparison_table(comparison, terminal::language());
    let mut written = write_tables(&table, outputs.markdown, outputs.csv)?;
    if let Some(file) = outputs.html {
        let page = report::render_comparison_html(comparison, crate::terminal::language())
            .map_err(|error| wrong("a page", &error))?;
        written.extend(write_output(file, page.as_bytes())?);
    }
    if let Some(file) = outputs.json {
        let json = serde_json::to_string(comparison).map_err(|error| wrong("JSON", &error))?;
        written.extend(write_json_text(file, &json)?);
    }
    if to_stdout {
        return Ok(());
    }
    let render = match terminal::is_verbose() {
        true => report::render_comparison_text,
        false => report::render_comparison_summary,
    };
    terminal::print(&render(comparison, terminal::style()))?;
    for path in written.into_iter().filter(|_| !quiet) {
        terminal::print_line(terminal::tell(crate::output::WrittenTo { path }))?;
    }
    Ok(())
}

fn exit_status(comparison: &Comparison, args: &CompareArgs, interrupted: bool) -> Outcome {
    if interrupted {
        return Ok(Exit::Error(ErrorKind::Interrupted));
    }
    let Some(FailOnWorse::Worse) = args.fail_on else { return Ok(Exit::Done) };
    if has_slower_side(comparison) {
        return Ok(Exit::Error(ErrorKind::NotMet));
    }
    let figures = || compared_cells(comparison).map(CellComparison::main_figure);
    let outcomes = figures().flatten().map(|main| main.effect.outcome);
    let open = outcomes.filter(|outcome| *outcome == Verdict::CannotTell).count();
    if open > 0 {
        let all = figures().count();
        terminal::eprint_line(format_args!(
            "truedisk: --fail-on worse: {open} of {all} comparisons cannot tell, and count as \
             not worse\nhint: give more runs of each side; 4 are the least"
        ))?;
    }
    Ok(Exit::Done)
}

fn compared_cells(comparison: &Comparison) -> impl Iterator<Item = &CellComparison> {
    comparison.pairs.iter().flat_map(|pair| pair.cells.iter().chain(&pair.limits))
}

/// Over all cells, or in one that holds in the family; of single runs, by more than runs differ.
fn has_slower_side(comparison: &Comparison) -> bool {
    let whole = comparison.pairs.iter().filter_map(|pair| pair.overall.as_ref());
    let of_cell = |cell: &CellComparison| {
        cell.main_figure().is_some_and(|main| {
            main.effect.outcome == Verdict::Slower
                && (cell.holds_in_family || main.effect.basis == Basis::WithinRuns)
        })
    };
    whole.into_iter().any(|effect| effect.outcome == Verdict::Slower)
        || compared_cells(comparison).any(of_cell)
}
