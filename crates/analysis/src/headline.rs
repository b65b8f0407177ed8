//! The headline of a run: one line, and the cells that its figure rests on.

use message::{Argument, Message, messages};
use record::{Cell, Finding, Judgement, Measured, Purpose, Status};

use crate::curve::{WorkloadAtDepth, curve_name};
use crate::support::describe_doubt;
use crate::words::Clauses;

/// Invalid measurements that a headline names.
const NAMES_MAX: usize = 3;

/// Headlines that leave the question open.
pub(crate) const OPEN_HEADLINES: [&str; 9] = [
    "curve-headline-unproven",
    "curve-unsure",
    "curve-unsure-because",
    "preset-no-figure",
    "preset-undecided",
    "verdict-cannot-tell",
    "verdict-too-little",
    "verdict-too-little-after-layout",
    "verdict-too-little-in-time",
];

/// Whether a headline says that the question of a run has no answer.
pub(crate) fn is_open_headline(headline: &Message) -> bool {
    OPEN_HEADLINES.contains(&find_answer(headline).id())
}

/// A headline without what it says of invalid measurements.
pub fn find_answer(headline: &Message) -> &Message {
    let answer = match (headline.id(), headline.argument("clauses")) {
        ("clauses", Some(Argument::Clauses(clauses))) => clauses.first(),
        _ => match headline.argument("headline") {
            Some(Argument::Message(answer)) if INVALID_HEADLINES.contains(&headline.id()) => {
                Some(answer)
            }
            _ => None,
        },
    };
    answer.unwrap_or(headline)
}

/// Headlines that hold another, and say what is invalid.
const INVALID_HEADLINES: [&str; 2] =
    ["verdict-headline-invalid", "verdict-headline-beside-invalid"];

pub(crate) struct Headline {
    pub(crate) words: Message,
    pub(crate) basis: Basis,
}

/// What the figure of a headline rests on.
pub(crate) enum Basis {
    /// There is no figure: the headline says why.
    NoFigure,
    AllCells,
    /// Without one, nothing could be decided.
    Cells(Vec<String>),
}

impl Headline {
    /// Beside a badge "do not use", a headline names what is invalid: its own figure, or the other
    /// measurements.
    pub(crate) fn tell_invalid(self, measured: &Measured, judgement: &Judgement) -> Message {
        let headline = self.words;
        let own = match &self.basis {
            Basis::NoFigure => return headline,
            Basis::AllCells => None,
            Basis::Cells(cells) => Some(cells),
        };
        let is_own = |finding: &&Finding| {
            let rests_on = |cell| own.is_none_or(|own| own.contains(cell));
            finding.cells.is_empty() || finding.cells.iter().any(rests_on)
        };
        let invalid = || judgement.findings.iter().filter(|f| f.status == Status::Invalid);
        let Some(worst) = invalid().next() else { return headline };
        if own.is_some_and(Vec::is_empty) {
            // The headline says that nothing could be decided, and this is why.
            return Clauses { clauses: vec![headline, describe_doubt(worst)] }.into();
        }
        if let Some(finding) = invalid().find(is_own) {
            return HeadlineInvalid { reason: finding.summary.clone(), headline }.into();
        }
        let is_invalid = |cell: &&Cell| invalid().any(|of| of.cells.contains(&cell.name));
        let cells = name_cells(measured, measured.cells.iter().filter(is_invalid));
        match cells.is_empty() {
            true => headline,
            false => HeadlineBesideInvalid { cells, headline }.into(),
        }
    }
}

/// The cells that warnings touch, as a headline names invalid ones.
pub fn name_warned_cells(measured: &Measured, judgement: &Judgement) -> Vec<Message> {
    let warnings = || judgement.findings.iter().filter(|f| f.status == Status::Warning);
    let is_warned = |cell: &&Cell| warnings().any(|of| of.cells.contains(&cell.name));
    name_cells(measured, measured.cells.iter().filter(is_warned))
}

/// `sequential read 1m, depth 8`; of a preset, the labels of its steps.
fn name_cells<'a>(measured: &Measured, cells: impl Iterator<Item = &'a Cell>) -> Vec<Message> {
    let plan = match &measured.plan.purpose {
        Purpose::Preset(plan) => Some(plan),
        _ => None,
    };
    let mut names: Vec<Message> = Vec::new();
    for cell in cells {
        let step = cell.step.as_ref().and_then(|of| plan?.step(&of.step));
        let name = step.map_or_else(
            || {
                let workload = curve_name(&cell.job.access, cell.job.mix, cell.job.block_size).1;
                WorkloadAtDepth { workload, depth: cell.job.depth }.into()
            },
            |step| step.label.clone(),
        );
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let count = names.len().saturating_sub(NAMES_MAX);
    if count > 0 {
        names.truncate(NAMES_MAX);
        names.push(MoreCells { count }.into());
    }
    names
}

messages! {
    HeadlineInvalid = "verdict-headline-invalid" { reason: Message, headline: Message };
    HeadlineBesideInvalid = "verdict-headline-beside-invalid" {
        cells: Vec<Message>, headline: Message,
    };
    MoreCells = "verdict-more-cells" { count: usize };
}

#[cfg(test)]
mod tests {
    use units::Bytes;

    use crate::testing::{cell_mut, sample_record};

    /// Of a sample whose reads of these cells the page cache answered.
    fn headline(cells: &[&str]) -> String {
        let mut record = sample_record();
        for name in cells {
            cell_mut(&mut record, name).ledger.layers[0].read_bytes = Bytes(0);
        }
        let verdict = crate::judge(&record).verdict.unwrap();
        assert_eq!(verdict.trust == record::Trust::Broken, !cells.is_empty());
        verdict.headline.text().to_owned()
    }

    #[test]
    fn a_headline_beside_invalid_cells_names_them() {
        let sound = headline(&[]);
        let beside = headline(&["seqread-1m"]);
        let (first, figure) = beside.split_once(". Apart from that: ").unwrap();
        assert_eq!(first, "Not the disk's numbers: sequential read 1m, depth 8");
        assert_eq!(figure, sound);
    }

    #[test]
    fn a_figure_of_invalid_cells_is_led_by_the_reason() {
        let record = record::fixture::ssd_record().measured;
        let words = message::Message::from_text("9,000 files/s");
        let judgement = record::Judgement {
            findings: vec![crate::judge(&record).findings[0].clone()],
            ..record::Judgement::default()
        };
        let tell = |basis: super::Basis, judgement: &record::Judgement| {
            let headline = super::Headline { words: words.clone(), basis };
            headline.tell_invalid(&record, judgement).text().to_owned()
        };
        assert_eq!(tell(super::Basis::AllCells, &judgement), "9,000 files/s");
        let mut invalid = judgement;
        invalid.findings[0].status = record::Status::Invalid;
        invalid.findings[0].summary = message::Message::from_text("it is cached");
        invalid.findings[0].cells = vec!["seqread-1m".to_owned()];
        let led = "Not the disk's numbers: it is cached. Do not use: 9,000 files/s";
        let of = |cell: &str| super::Basis::Cells(vec![cell.to_owned()]);
        assert_eq!(tell(super::Basis::AllCells, &invalid), led);
        assert_eq!(tell(of("seqread-1m"), &invalid), led);
        assert!(tell(of("randread-4k-qd1"), &invalid).ends_with("Apart from that: 9,000 files/s"));
        assert_eq!(tell(super::Basis::NoFigure, &invalid), "9,000 files/s");
        let because = tell(super::Basis::Cells(Vec::new()), &invalid);
        assert!(because.starts_with("9,000 files/s; ") && because.ends_with(": it is cached"));
    }
}
