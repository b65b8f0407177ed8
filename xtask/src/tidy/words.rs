//! Words that the code no longer uses: names as identifiers, phrases in comments, strings and
//! documents, also across the end of a line.

use super::{Finding, Source, Workspace};

/// Names of types, variants and constants that are not the field's terms.
const REFUSED_NAMES: &str = "Ask Asked Bell Commission Course Crew Crowd Desk Ear Extras Fence \
    FlowSeat Gave Given Ground Hall Introduction Keepsake Kit Lane Manner Of OfRun Papers Parcel \
    Party Pong Recruit Room Said Says Seated Setting Slip Standing Station Stranger Terms What Who \
    Why Witness World";

/// Parts of constants: minima and maxima are called `MIN` and `MAX`.
const REFUSED_PARTS: &[&str] = &["LEAST", "MOST"];

/// Past participles and question words that name no action and no object.
const REFUSED_FUNCTIONS: &str = "asked begun called chosen drawn ended gave given heard held how \
    kept known made met named said seen shown taken told what when where which who whose why";

/// Phrases of prose. Lower case; matched as whole words.
const REFUSED_PHRASES: &str = "are told|as many as|as told|is told|so many|somebody|that are none|\
    the like|unless told|what is there|whoever";

/// This file has the words themselves; the changelog says what was released in the words of then.
const EXEMPT: [&str; 2] = ["xtask/src/tidy/words.rs", "CHANGELOG.md"];

pub(super) fn check_documents(workspace: &Workspace) -> Vec<Finding> {
    let documents = workspace.documents.iter().filter(|(path, _)| !EXEMPT.contains(&path.as_str()));
    documents.flat_map(|(path, text)| in_prose(path, text)).collect()
}

pub(super) fn check_source(source: &Source) -> Vec<Finding> {
    if EXEMPT.contains(&source.path.as_str()) {
        return Vec::new();
    }
    let names = source.facts.identifiers.iter().filter(|(_, name)| is_refused_name(name));
    let finding = |(line, name): &(usize, String)| {
        let message = format!("`{name}` says nothing to a reader; use the field's term");
        Finding::new(&source.path, *line, message)
    };
    let mut findings: Vec<Finding> = names.map(finding).collect();
    findings.extend(in_prose(&source.path, &source.text));
    findings
}

/// A name as [`Facts`](super::facts::Facts) has it: `fn NAME` where a function is defined.
fn is_refused_name(name: &str) -> bool {
    let is_listed = |list: &str, name: &str| list.split(' ').any(|word| word == name);
    match name.strip_prefix("fn ") {
        Some(function) => is_listed(REFUSED_FUNCTIONS, function),
        None => {
            is_listed(REFUSED_NAMES, name)
                || name.split('_').any(|part| REFUSED_PARTS.contains(&part))
        }
    }
}

fn in_prose(path: &str, text: &str) -> Vec<Finding> {
    let (flat, starts) = flatten(text);
    let mut findings = Vec::new();
    for phrase in REFUSED_PHRASES.split('|') {
        for (place, _) in flat.match_indices(phrase) {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let before = flat[..place].chars().next_back().is_some_and(is_part);
            let after = flat[place + phrase.len()..].chars().next().is_some_and(is_part);
            if !before && !after {
                let line = starts.partition_point(|start| *start <= place);
                let message = format!("\"{phrase}\": say the number, the thing or who acts");
                findings.push(Finding::new(path, line, message));
            }
        }
    }
    findings.sort();
    findings
}

/// The text in lower case on one line, and where in it each line begins.
fn flatten(text: &str) -> (String, Vec<usize>) {
    let (mut flat, mut starts) = (String::new(), Vec::new());
    for line in text.lines() {
        starts.push(flat.len());
        let line = line.trim().trim_start_matches(['/', '!', '>']).trim_end_matches('\\');
        flat.push_str(&line.trim().to_lowercase());
        flat.push(' ');
    }
    (flat, starts)
}

#[cfg(test)]
mod tests {
    use super::super::testing::source;
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        check_source(&source("units", "crates/units/src/a.rs", text))
            .iter()
            .map(|f| f.line)
            .collect()
    }

    #[test]
    fn names_are_refused_where_they_are_identifiers() {
        assert_eq!(lines("struct Crew;\nfn hire(crew: Crew) {}"), [1, 2]);
        assert_eq!(lines("const LEAST_LINES: u8 = 1;\nconst TURNS_MOST: u8 = 2;"), [1, 2]);
        assert_eq!(lines("/// What a Crew is.\nstruct WorkerPool;"), [] as [usize; 0]);
    }

    #[test]
    fn a_participle_alone_is_no_name_of_a_function() {
        assert_eq!(lines("fn told() {}\nfn kept_files() {}\nfn f() { let told = 1; }"), [1]);
    }

    #[test]
    fn phrases_are_found_in_comments_and_strings_and_across_lines() {
        assert_eq!(lines("/// So many\n/// lines.\nconst A: &str = \"whoever asks\";"), [1, 3]);
        assert_eq!(lines("// Reads as many\n// as are there.\nfn f() {}"), [1]);
        assert_eq!(lines("// Also manysided.\nfn f() {}"), [] as [usize; 0]);
    }

    #[test]
    fn documents_are_read_too() {
        let found = in_prose("docs/a.md", "# Title\n\nIt is told\nto somebody.\n");
        let found: Vec<usize> = found.iter().map(|finding| finding.line).collect();
        assert_eq!(found, [3, 4]);
    }
}
