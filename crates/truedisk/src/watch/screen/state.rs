//! What the screen shows: the newest figures, and what the user asked to see of them.

use std::cmp::Reverse;
use std::collections::HashMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use message::{Language, Message, Render as _, label};
use units::Nanos;
use watch::{DiskFacts, DiskJudgement, DiskSummary, SourceKind, WatchSummary};
use workload::Statistic;

use super::map::LatencyMap;

/// One interval, and the answers at its end.
#[derive(Debug, Clone, Default)]
pub(super) struct Figures {
    pub(super) time: Timestamp,
    pub(super) interval: WatchSummary,
    /// Of the last intervals, those that matter most first.
    pub(super) judgements: Vec<DiskJudgement>,
    pub(super) celsius: HashMap<String, f64>,
    pub(super) maps: HashMap<String, LatencyMap>,
}

/// The order of the disks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Verdict,
    Rate,
    Latency,
    Name,
}

impl Order {
    fn next(self) -> Self {
        match self {
            Self::Verdict => Self::Rate,
            Self::Rate => Self::Latency,
            Self::Latency => Self::Name,
            Self::Name => Self::Verdict,
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct ScreenState {
    pub(super) language: Language,
    pub(super) has_colour: bool,
    pub(super) zone: TimeZone,
    pub(super) source: SourceKind,
    /// Why not a better source, and what it does not see.
    pub(super) notes: Vec<Message>,
    pub(super) newest: Figures,
    /// What was shown when the user paused the screen.
    paused: Option<Figures>,
    /// Without a choice the disk that matters most.
    chosen: Option<String>,
    pub(super) order: Order,
    pub(super) is_help: bool,
    /// What a capture does, or what came of it.
    pub(super) capture_note: Option<Message>,
}

impl ScreenState {
    pub(super) fn new(
        language: Language,
        has_colour: bool,
        zone: TimeZone,
        source: SourceKind,
        notes: &[Message],
    ) -> Self {
        Self {
            language,
            has_colour,
            zone,
            source,
            notes: notes.to_vec(),
            newest: Figures::default(),
            paused: None,
            chosen: None,
            order: Order::Verdict,
            is_help: false,
            capture_note: None,
        }
    }

    pub(super) fn say(&self, id: &str) -> String {
        label(id).render(self.language)
    }

    pub(super) fn tell(&self, message: impl Into<Message>) -> String {
        message.into().render(self.language)
    }

    pub(super) fn add(
        &mut self,
        time: Timestamp,
        interval: &WatchSummary,
        judgements: Vec<DiskJudgement>,
        facts: &[DiskFacts],
    ) {
        let newest = &mut self.newest;
        for disk in &interval.disks {
            newest.maps.entry(disk.name.clone()).or_default().add(time, disk);
        }
        let celsius =
            facts.iter().filter_map(|disk| Some((disk.name.clone(), disk.health.run.end.celsius?)));
        newest.celsius = celsius.collect();
        (newest.time, newest.interval, newest.judgements) = (time, interval.clone(), judgements);
    }

    /// The figures that are shown.
    pub(super) fn figures(&self) -> &Figures {
        self.paused.as_ref().unwrap_or(&self.newest)
    }

    pub(super) const fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    pub(super) fn switch_pause(&mut self) {
        self.paused = match self.paused.take() {
            Some(_) => None,
            None => Some(self.newest.clone()),
        };
    }

    pub(super) fn change_order(&mut self) {
        self.order = self.order.next();
    }

    /// The disk that the sentence, the map and those who wait are about.
    pub(super) fn chosen_disk(&self) -> Option<&str> {
        let figures = self.figures();
        let chosen = self.chosen.as_deref().filter(|name| figures.interval.disk(name).is_some());
        chosen.or_else(|| figures.judgements.first().map(|first| first.disk.as_str()))
    }

    pub(super) fn is_chosen(&self, disk: &str) -> bool {
        self.chosen_disk() == Some(disk)
    }

    /// Chooses the disk `by` rows below the chosen one.
    pub(super) fn move_choice(&mut self, by: isize) {
        let disks = self.sort_disks();
        let place = disks.iter().position(|disk| self.is_chosen(&disk.name));
        let Some(place) = place else { return };
        let place = place.saturating_add_signed(by).min(disks.len() - 1);
        self.chosen = Some(disks[place].name.clone());
    }

    pub(super) fn sort_disks(&self) -> Vec<&DiskSummary> {
        let figures = self.figures();
        let mut disks: Vec<&DiskSummary> = figures.interval.disks.iter().collect();
        let place =
            |disk: &DiskSummary| figures.judgements.iter().position(|one| one.disk == disk.name);
        match self.order {
            Order::Verdict => disks.sort_by_key(|disk| place(disk).unwrap_or(usize::MAX)),
            Order::Rate => disks.sort_by_key(|disk| Reverse(disk.operations())),
            Order::Latency => disks.sort_by_key(|disk| Reverse(worst_latency(disk))),
            Order::Name => disks.sort_by(|a, b| a.name.cmp(&b.name)),
        }
        disks
    }
}

/// The p99, else the mean.
fn worst_latency(disk: &DiskSummary) -> Option<Nanos> {
    let worst = |statistic| disk.worst(statistic).map(|(_, latency)| latency);
    worst(Statistic::Percentile(99.0)).or_else(|| worst(Statistic::Mean))
}
