//! A figure of a target over time.

use std::path::Path;

use analysis::{NewestLevel, Trend, TrendPoint};
use history::{Filter, History, SeriesPoint};
use record::{Figures, RunSummary};
use report::TrendSubject;
use serde_json::{Value, json};
use units::ErrorKind;

use super::runs::{load_judged, run_filter};
use crate::args::TrendArgs;
use crate::exit::{Exit, Failure, Outcome};
use crate::output::{Outputs, guarded_destinations, write_json, write_output};
use crate::site::history_location;
use crate::terminal;

const SEARCHED_RUNS: usize = 50;

pub(super) fn show_trend(args: &TrendArgs) -> Outcome {
    let outputs = Outputs::open(&mut guarded_destinations::<&Path>([]), &args.result)?;
    let to_stdout = outputs.uses_stdout();
    let mut history = History::open_read_only(&history_location()?)?;
    let filter = run_filter(&args.filter, Some(&args.target), args.count);
    let FollowedFigure { run, cell, direction, is_of_watch } =
        choose_figure(&mut history, &filter, args)?;
    let series = history.load_series(&filter, (&cell, &direction), args.metric)?;
    require_one_host(&series)?;
    let all = series.len();
    let sound: Vec<TrendPoint> = series
        .into_iter()
        .filter(|point| !point.invalid)
        .map(|point| TrendPoint { id: point.id, started: point.started, figure: point.figure })
        .collect();
    let left_out = all - sound.len();
    let name = match direction.as_str() {
        "all" => format!("{cell} on {}", args.target),
        _ => format!("{cell} {direction} on {}", args.target),
    };
    let trend = analysis::analyse_trend(args.metric, sound);
    let trend = if is_of_watch { trend.without_verdict() } else { trend };
    let record = load_judged(&mut history, &run)?;
    let subject = TrendSubject::new(&record, (&cell, &direction), &args.target);
    if let Some(file) = outputs.json {
        write_json(file, &trend_json(&name, &trend, left_out))?;
    }
    if let Some(file) = outputs.html {
        let page = report::render_trend_html(&subject, &trend, terminal::language())
            .map_err(Failure::failed)?;
        write_output(file, page.as_bytes())?;
    }
    if !to_stdout {
        terminal::print(&report::render_trend_text(&subject, &trend, terminal::style()))?;
        if left_out > 0 {
            terminal::print_line(terminal::tell(super::words::TrendLeftOut { runs: left_out }))?;
        }
    }
    let worse = matches!(trend.newest, NewestLevel::Worse(_));
    Ok(match worse && args.fail_on.is_some() {
        true => Exit::Error(ErrorKind::NotMet),
        false => Exit::Done,
    })
}

fn trend_json(name: &str, trend: &Trend, left_out: usize) -> Value {
    let (newest, ratio) = match &trend.newest {
        NewestLevel::TooFew { .. } => ("too_few", None),
        NewestLevel::Same => ("same", None),
        NewestLevel::Better(ratio) => ("better", Some(ratio)),
        NewestLevel::Worse(ratio) => ("worse", Some(ratio)),
        NewestLevel::Within(ratio) => ("within", Some(ratio)),
        NewestLevel::Changed(ratio) => ("changed", Some(ratio)),
    };
    let point = |point: &TrendPoint| {
        let TrendPoint { id, started, figure } = point;
        json!({"run": id, "started": started, "figure": figure})
    };
    json!({
        "figure": name,
        "metric": trend.metric,
        "runs": trend.points.iter().map(point).collect::<Vec<_>>(),
        "left_out": left_out,
        "newest": newest,
        "newest_to_earlier": ratio,
    })
}

struct FollowedFigure {
    /// A run that has it.
    run: String,
    cell: String,
    direction: String,
    /// Of a watch: the load is that of others, and differs from run to run.
    is_of_watch: bool,
}

/// As asked, or the first that has the metric; of a ping or a watch only where no other run has it.
fn choose_figure(
    history: &mut History,
    filter: &Filter,
    args: &TrendArgs,
) -> Result<FollowedFigure, Failure> {
    // Pings and watches that are newer must not hide other runs.
    let mut newest = Vec::new();
    for (without, is_meant) in [
        (vec!["ping", "watch"], (|_| true) as fn(&RunSummary) -> bool),
        (vec!["watch"], |run| run.command == "ping"),
        (Vec::new(), is_watch),
    ] {
        let without_commands = without;
        let newest_runs = Some(SEARCHED_RUNS);
        let searched = Filter { newest: newest_runs, without_commands, ..filter.clone() };
        newest.extend(history.list_runs(&searched)?.into_iter().filter(is_meant));
    }
    if newest.is_empty() {
        let message = format!("no run of {} in the history", args.target);
        return Err(Failure::wrong(message).hint("truedisk history list shows the runs"));
    }
    let disk = args.target.strip_prefix("/dev/").unwrap_or(&args.target);
    let fits = |figures: &&Figures| {
        args.cell.as_ref().is_none_or(|cell| figures.cell == *cell)
            && args.direction.as_ref().is_none_or(|direction| figures.direction == *direction)
            && figures.get(args.metric).is_some()
    };
    // A run of another kind may be the newest: the first that has it says.
    let mut figures = Vec::new();
    for run in &newest {
        let these = history.load_figures(&run.id)?;
        // A watch may have seen other disks too.
        let is_meant = |figures: &&Figures| fits(figures) && figures.cell == disk;
        if let Some(found) = these.iter().find(is_meant).or_else(|| these.iter().find(fits)) {
            let (cell, direction) = (found.cell.clone(), found.direction.clone());
            let (run, is_of_watch) = (run.id.clone(), is_watch(run));
            return Ok(FollowedFigure { run, cell, direction, is_of_watch });
        }
        figures.extend(these);
    }
    let metric = args.metric.name();
    let asked = match (&args.cell, &args.direction) {
        (Some(cell), Some(direction)) => format!("cell '{cell}' {direction}"),
        (Some(cell), None) => format!("cell '{cell}'"),
        (None, _) => "cell".to_owned(),
    };
    let message = format!("no run of {} has a {asked} with {metric}", args.target);
    let with = figures.iter().filter(|figures| figures.get(args.metric).is_some());
    let mut cells: Vec<&str> = with.map(|figures| figures.cell.as_str()).collect();
    cells.sort_unstable();
    cells.dedup();
    cells.truncate(8);
    Err(Failure::wrong(message).hint(format!("there is: {}", cells.join(", "))))
}

fn is_watch(run: &RunSummary) -> bool {
    run.command == "watch"
}

/// Figures of several hosts do not form a series.
fn require_one_host(series: &[SeriesPoint]) -> Result<(), Failure> {
    let mut hosts: Vec<&str> =
        series.iter().map(|point| point.host.as_deref().unwrap_or("unknown")).collect();
    hosts.sort_unstable();
    hosts.dedup();
    if hosts.len() < 2 {
        return Ok(());
    }
    let message = format!("{} hosts measured it: {}", hosts.len(), hosts.join(", "));
    Err(Failure::wrong(message).hint("choose one with --host"))
}
