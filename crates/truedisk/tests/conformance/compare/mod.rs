//! Two outcomes side by side.

pub mod blocks;
pub mod files;
pub mod json;
pub mod json_shape;
pub mod logs;
pub mod normal;
pub mod terse;

use crate::harness::case::{Case, Exit, Output};
use crate::harness::run::Outcome;
use blocks::Block;
use json::Node;

/// Everything that is wrong with ours, or with the case itself (marked `fio:`).
pub fn outcomes(case: &Case, real: &Outcome, ours: &Outcome) -> Vec<String> {
    let mut all = Vec::new();
    all.extend(ending(case, "fio", real));
    all.extend(ending(case, "ours", ours));
    if !all.is_empty() {
        all.push(format!("fio said: {}", first_lines(real)));
        all.push(format!("ours said: {}", first_lines(ours)));
        return all;
    }
    if case.exit == Exit::Code(0) && real.stderr.is_empty() && !ours.stderr.is_empty() {
        all.push(format!("stderr is not empty: {}", ours.stderr.trim_end()));
    }
    if case.output == Output::Blocks {
        all.extend(outputs("stdout", case, &real.stdout, &ours.stdout));
    }
    for name in &case.reads {
        all.extend(outputs(name, case, &real.text(name), &ours.text(name)));
    }
    for (name, lines) in &case.logs {
        all.extend(logs::compare(name, &real.text(name), &ours.text(name), *lines));
    }
    if case.files {
        all.extend(files::compare(&real.dir, &ours.dir));
    }
    for (side, outcome) in [("fio", real), ("ours", ours)] {
        all.extend(left(case, outcome).into_iter().map(|text| format!("{side}: {text}")));
    }
    all.extend(figures(case, real, ours));
    for check in &case.checks {
        all.extend(check(real, ours).err());
    }
    all
}

fn first_lines(outcome: &Outcome) -> String {
    let words = outcome.words();
    words.lines().filter(|line| !line.trim().is_empty()).take(4).collect::<Vec<_>>().join(" | ")
}

fn ending(case: &Case, side: &str, outcome: &Outcome) -> Vec<String> {
    let status = outcome.status;
    match case.exit {
        Exit::Code(code) if status != code => {
            vec![format!("{side}: status {status} instead of {code}")]
        }
        Exit::Failure if status == 0 => vec![format!("{side}: status 0 instead of a failure")],
        _ if status != 0 && outcome.words().trim().is_empty() => {
            vec![format!("{side}: fails without a word")]
        }
        _ => Vec::new(),
    }
}

fn outputs(name: &str, case: &Case, real: &str, ours: &str) -> Vec<String> {
    let (old, new) = match (blocks::cut(real), blocks::cut(ours)) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(error), _) => return vec![format!("{name}: fio's: {error}")],
        (_, Err(error)) => return vec![format!("{name}: {error}")],
    };
    let kinds = |list: &[Block]| list.iter().map(Block::kind).collect::<Vec<_>>();
    // Periodic reports: how many there are hangs on timing.
    let (mut old_kinds, mut new_kinds) = (kinds(&old), kinds(&new));
    if case.timed {
        old_kinds.dedup();
        new_kinds.dedup();
    }
    if old_kinds != new_kinds {
        return vec![format!("{name}: is {old_kinds:?}, ours {new_kinds:?}\n{}", head(ours))];
    }
    let mut all = Vec::new();
    if real.starts_with('{') && !ours.starts_with('{') {
        all.push(format!("{name}: does not begin with '{{': {}", head(ours)));
    }
    for (old, new) in old.iter().zip(&new) {
        all.extend(match (old, new) {
            (Block::Json(old, _), Block::Json(new, text)) => {
                let mut found = json_shape::compare(old, new, !case.timed);
                found.extend(json_shape::layout(text));
                found
            }
            (Block::Terse(old), Block::Terse(new)) => terse::compare(old, new, !case.timed),
            (Block::Text(old), Block::Text(new)) => normal::compare(old, new, case.timed),
            _ => Vec::new(),
        });
    }
    all
}

fn head(text: &str) -> String {
    text.lines().take(3).collect::<Vec<_>>().join("\n")
}

fn left(case: &Case, outcome: &Outcome) -> Vec<String> {
    let there = files::list(&outcome.dir);
    let mut all = Vec::new();
    for (name, bytes) in &case.leaves {
        match (there.get(*name), bytes) {
            (None, _) => all.push(format!("leaves no {name}")),
            (Some(found), Some(bytes)) if found != bytes => {
                all.push(format!("{name} has {found} bytes instead of {bytes}"));
            }
            _ => {}
        }
    }
    let gone = case.absent.iter().filter(|name| there.contains_key(**name));
    all.extend(gone.map(|name| format!("{name} is still there")));
    all
}

/// The last JSON document of an output, or of the first file that holds one.
pub fn document(case: &Case, outcome: &Outcome) -> Option<Node> {
    let mut texts = vec![outcome.stdout.clone()];
    texts.extend(case.reads.iter().map(|name| outcome.text(name)));
    texts.iter().find_map(|text| last_json(text))
}

/// The last JSON document of a text.
pub fn last_json(text: &str) -> Option<Node> {
    let blocks = blocks::cut(text).ok()?;
    blocks.into_iter().rev().find_map(|block| match block {
        Block::Json(node, _) => Some(node),
        _ => None,
    })
}

fn figures(case: &Case, real: &Outcome, ours: &Outcome) -> Vec<String> {
    let mut all = Vec::new();
    let figures = case.figures.is_empty() && case.near.is_empty();
    let (Some(old), Some(new)) = (document(case, real), document(case, ours)) else {
        return if figures { all } else { vec!["figures: no JSON to read them from".into()] };
    };
    for figure in &case.figures {
        for (side, node) in [("fio", &old), ("ours", &new)] {
            let (path, value) = (&figure.path, figure.value);
            match node.figure(path) {
                Some(found) if (found - value).abs() <= value.abs() * figure.tolerance => {}
                Some(found) => all.push(format!("{side}: {path} is {found} instead of {value}")),
                None => all.push(format!("{side}: no {path}")),
            }
        }
    }
    for (path, share) in &case.near {
        match (old.figure(path), new.figure(path)) {
            (Some(a), Some(b)) if (a - b).abs() <= a.abs().max(b.abs()) * share => {}
            (a, b) => all.push(format!("{path}: {a:?}, ours {b:?}: more than {share} apart")),
        }
    }
    all
}
