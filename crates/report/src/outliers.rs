//! Which hosts of a fleet are slow, in the words that the terminal and the page share.

use message::{Language, Message, Render as _, messages};
use record::{Outliers, PeerFigures, Record, SlowHost};

/// Slow hosts of one part of the table on the page.
const PAGE_ROWS: usize = 50;

pub(crate) struct OutlierReport {
    /// `17 of 4,000 hosts are slow: 15 of them have firmware X.`
    pub(crate) answer: String,
    /// What a random sample stands for, and how many with and without a trait are slow.
    pub(crate) evidence: Vec<String>,
    pub(crate) slow: Vec<SlowRow>,
    pub(crate) peers: Vec<PeerRow>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SlowRow {
    pub(crate) host: String,
    /// Its slowest figure: of what load, its value, the median of hosts alike, and their ratio.
    pub(crate) load: String,
    pub(crate) value: String,
    pub(crate) median: String,
    pub(crate) times: String,
    /// Deviation in units of the spread.
    pub(crate) z_score: String,
    /// Its other slow figures.
    pub(crate) others: String,
    /// Labels, by which it is found in its rack.
    pub(crate) labels: String,
}

pub(crate) struct PeerRow {
    pub(crate) load: String,
    /// `1,980 hosts with SAMSUNG MZQL2, spread 3.1 %`.
    pub(crate) peers: String,
    /// From the slowest host to the fastest.
    pub(crate) quantiles: Vec<String>,
}

/// A part of the table of slow hosts: `1-50`.
pub(crate) struct SlowPage {
    pub(crate) title: String,
    pub(crate) rows: Vec<SlowRow>,
    pub(crate) is_open: bool,
}

impl OutlierReport {
    pub(crate) fn pages(&self) -> Vec<SlowPage> {
        let page = |(number, rows): (usize, &[SlowRow])| SlowPage {
            title: format!("{}-{}", number * PAGE_ROWS + 1, number * PAGE_ROWS + rows.len()),
            rows: rows.to_vec(),
            is_open: number == 0,
        };
        self.slow.chunks(PAGE_ROWS).enumerate().map(page).collect()
    }
}

/// Absent where hosts were not compared.
pub(crate) fn build_outlier_report(record: &Record, language: Language) -> Option<OutlierReport> {
    let outliers = record.judgement_or_default().outliers.as_ref()?;
    let sentence = |clause: Message| Sentence { clause }.render(language);
    let slow = outliers.slow.iter();
    let traits = outliers.traits.iter().map(analysis::fleet::describe_trait);
    let sample = record.measured.fleet.as_ref().and_then(|fleet| {
        Some(analysis::fleet::describe_sample(outliers.compared, fleet.sampled_from?))
    });
    Some(OutlierReport {
        answer: sentence(analysis::fleet::describe_outliers(outliers)),
        evidence: sample.into_iter().chain(traits).map(sentence).collect(),
        slow: slow.filter_map(|slow| build_slow_row(record, outliers, slow, language)).collect(),
        peers: outliers.peers.iter().map(|peers| build_peer_row(peers, language)).collect(),
    })
}

fn build_slow_row(
    record: &Record,
    outliers: &Outliers,
    slow: &SlowHost,
    language: Language,
) -> Option<SlowRow> {
    let (first, more) = slow.figures.split_first()?;
    let peers = outliers.peers.get(first.peers)?;
    let others = more.iter().filter_map(|figure| {
        let words = analysis::fleet::describe_figure(outliers.peers.get(figure.peers)?, figure);
        Some(words.render(language))
    });
    let host = record.measured.fleet.as_ref().and_then(|fleet| fleet.host(&slow.host));
    let labels = host.into_iter().flat_map(|host| &host.labels);
    let labels: Vec<String> = labels.map(|(key, value)| format!("{key}={value}")).collect();
    Some(SlowRow {
        host: slow.host.clone(),
        load: (&peers.load).render(language),
        value: format_value(peers, first.value, language),
        median: format_value(peers, peers.median, language),
        times: language.punctuate(&format!("{:.2} x", first.times)),
        z_score: language.punctuate(&format!("{:.1}", first.z_score)),
        others: others.collect::<Vec<_>>().join("; "),
        labels: labels.join(" "),
    })
}

fn build_peer_row(peers: &PeerFigures, language: Language) -> PeerRow {
    PeerRow {
        load: (&peers.load).render(language),
        peers: analysis::fleet::describe_peers(peers).render(language),
        quantiles: peers.quantiles.map(|value| format_value(peers, value, language)).to_vec(),
    }
}

fn format_value(peers: &PeerFigures, value: f64, language: Language) -> String {
    let words = analysis::fleet::describe_value(peers.statistic, value);
    language.punctuate(&words.render(language))
}

messages! {
    Sentence = "fleet-sentence" { clause: Message };
}
