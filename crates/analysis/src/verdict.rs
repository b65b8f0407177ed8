//! The verdict: what it all means, in words.

mod uses;

use std::borrow::Cow;

use message::{Message, label, messages};
use record::{
    BoundedBy, Cell, CellRole, ClassVerdict, Completion, Curve, Finding, FindingId, Judgement,
    Limit, Measured, Purpose, RunHealth, Status, Trust, Verdict,
};
use units::{Bytes, BytesPerSecond, Iops, Nanos, Ratio};
use workload::{Access, Job, Mix, Pacing, SyncKind};

use crate::class::is_unlike_all;
use crate::curve::wording::{describe_curve, describe_unreachable, limit_headline};
use crate::curve::{is_point_figure, pool_cells};
use crate::headline::{Basis, Headline, is_open_headline};
use crate::ladder::describe_rung;
use crate::support::{find_doubt, supports};

const READ_SIZE: Bytes = Bytes::kib(4);
/// A layout that takes a quarter of the time of a search is named when the search gives nothing.
const LAYOUT_DIVISOR: u64 = 4;
/// Load that makes a disk hot takes minutes; a run of this length has shown it.
const HEAT_MIN: i64 = 1800;

/// Puts curves and findings into words.
pub(crate) fn build_verdict(
    measured: &Measured,
    judgement: &Judgement,
    class: Option<ClassVerdict>,
) -> Verdict {
    let facts = VerdictFacts::from_record(measured, judgement);
    let label = class.as_ref().map(|class| &class.label);
    let headline = choose_headline(measured, judgement, facts.main_curve(), label);
    let trust = judge_trust(measured, judgement, &headline.words);
    let mut meaning = facts.describe_meaning(measured, judgement);
    meaning.extend(crate::sweep::describe_sweep(measured, judgement));
    meaning.extend(crate::interference::describe_interference(measured, judgement));
    meaning.extend(crate::rotation::describe_rotation(judgement));
    meaning.extend(crate::surface::describe_surface(judgement));
    meaning.extend(crate::replay::describe_replay(measured, judgement));
    if trust == Trust::Broken {
        meaning.insert(0, describe_invalid(judgement));
    }
    let (good_for, mut too_slow_for) = facts.list_uses();
    if is_held_back(judgement) {
        too_slow_for.clear();
    }
    Verdict {
        headline: headline.tell_invalid(measured, judgement),
        trust,
        class,
        meaning,
        good_for,
        too_slow_for,
        limited_by: facts.list_limits(measured, judgement),
        not_seen: list_not_seen(measured, judgement),
    }
}

/// Whether a control group or the processor held the disk back: what it gave is the least.
fn is_held_back(judgement: &Judgement) -> bool {
    let holds_back = |id| matches!(id, FindingId::OsThrottle | FindingId::ClientBound);
    judgement.findings.iter().any(|f| holds_back(f.id) && f.status >= Status::Warning)
}

/// The badge never contradicts the headline: a run that leaves its question open is not sound.
pub(crate) fn judge_trust(measured: &Measured, judgement: &Judgement, headline: &Message) -> Trust {
    match judgement.findings.iter().map(|f| f.status).max() {
        Some(Status::Invalid) => Trust::Broken,
        Some(Status::Warning) => Trust::Caution,
        // No check could look.
        Some(_) if judgement.findings.iter().all(|f| f.status == Status::NotObservable) => {
            Trust::Caution
        }
        // What failed ended before all of it was looked at.
        _ if matches!(measured.completion, Completion::Partial { failed: true, .. }) => {
            Trust::Caution
        }
        _ if is_unsure_search(measured, judgement) => Trust::Caution,
        _ if !has_figures(measured) || crate::ping::has_too_few(measured) => Trust::Caution,
        _ if is_open_headline(headline) => Trust::Caution,
        _ => Trust::Sound,
    }
}

/// Whether a search ended without its answer; the headline may tell of levels instead.
fn is_unsure_search(measured: &Measured, judgement: &Judgement) -> bool {
    let mut limits = judgement.curves.iter().flat_map(|curve| &curve.limits);
    matches!(measured.plan.purpose, Purpose::Limit(_))
        && limits.any(|limit| limit.bounded_by == BoundedBy::Unsure)
}

/// Whether anything was measured to its end, so that there is something to trust.
pub fn has_figures(measured: &Measured) -> bool {
    let is_figure = |cell: &Cell| {
        !matches!(cell.role, CellRole::Disturbed | CellRole::Trial)
            && cell.totals.iter().count() > 0
    };
    let has_phases = measured.metadata.as_ref().is_some_and(|found| !found.phases.is_empty());
    let waves = measured.fleet.iter().filter(|fleet| fleet.waves.is_some());
    let of_hosts = waves.flat_map(|fleet| &fleet.hosts).flat_map(|host| &host.cells);
    let mut cells = measured.cells.iter().chain(of_hosts.map(|part| &*part.cell));
    has_phases || cells.any(is_figure)
}

fn describe_invalid(judgement: &Judgement) -> Message {
    let invalid = judgement.findings.iter().filter(|f| f.status == Status::Invalid);
    SomeNumbersInvalid { reasons: invalid.map(|f| f.summary.clone()).collect() }.into()
}

fn is_open_loop_search(measured: &Measured) -> bool {
    matches!(&measured.plan.purpose, Purpose::Limit(plan) if plan.arrivals.is_some())
}

struct VerdictFacts<'a> {
    depth1: Option<Cow<'a, Cell>>,
    /// All visits to the first job of that kind.
    commits: Option<Cow<'a, Cell>>,
    sequential_read: Option<BytesPerSecond>,
    sequential_write: Option<BytesPerSecond>,
    idle: Option<&'a Cell>,
    curves: Vec<(&'a Curve, &'a Limit)>,
}

/// Whether one client makes each of its writes durable before the next, without pauses.
fn is_commit_job(job: &Job) -> bool {
    let each = job.sync.is_some_and(|sync| sync.every == 1 && sync.kind != SyncKind::FileRange);
    let free = job.pacing == Pacing::Closed && job.caps.is_none() && job.think.is_none();
    each && free && job.mix == Mix::Write && job.depth.0 == 1
}

impl<'a> VerdictFacts<'a> {
    fn from_record(measured: &'a Measured, judgement: &'a Judgement) -> Self {
        let sound = |cell: &&Cell| supports(judgement, cell);
        let find = |wanted: &dyn Fn(&Cell) -> bool| {
            measured.cells.iter().filter(sound).find(|cell| wanted(cell))
        };
        // One at a time says what a turn takes. Of several sizes, the fastest: small blocks stream
        // less.
        let sequential = |mix: Mix| {
            let curves = judgement.curves.iter();
            let streams = curves.filter(|c| c.access == Access::Sequential && c.mix == mix);
            let rates = streams.flat_map(|curve| {
                let points = curve.points.iter().filter(|point| point.depth.0 > 1);
                let points = points.filter(|point| is_point_figure(point));
                let sound =
                    points.filter(|p| measured.cell(p.newest_cell()).is_some_and(|c| sound(&c)));
                sound.map(|point| BytesPerSecond(point.iops * curve.block_size.0 as f64))
            });
            rates.max_by(|a, b| a.0.total_cmp(&b.0))
        };
        let depth1 = judgement.curves.iter().find(|curve| {
            let random_reads = curve.access == Access::Random && curve.mix == Mix::Read;
            let alone = !curve.open_loop && !curve.independent;
            random_reads && alone && curve.block_size == READ_SIZE
        });
        let depth1 = depth1.and_then(|curve| curve.points.iter().find(|p| p.depth.0 == 1));
        let depth1 = depth1.map(|point| &point.cells);
        // Trials are a few operations long: they answer the question of a truth check alone.
        let first_commit = find(&|c| c.trial.is_none() && is_commit_job(&c.job));
        let is_same = |a: &Cell, b: &Cell| {
            let step = |cell: &Cell| cell.step.as_ref().map(|of| (of.step.clone(), of.job.clone()));
            (a.role, a.job.block_size, a.job.sync) == (b.role, b.job.block_size, b.job.sync)
                && step(a) == step(b)
        };
        let commits = Vec::from_iter(measured.cells.iter().filter(sound).filter(|cell| {
            is_commit_job(&cell.job) && first_commit.is_some_and(|first| is_same(first, cell))
        }));
        let curves = judgement
            .curves
            .iter()
            .filter_map(|curve| Some((curve, curve.main_limit()?)))
            .filter(|(_, limit)| measured.cell(&limit.cell).is_some_and(|c| sound(&c)))
            .filter(|(curve, _)| curve.open_loop || !is_open_loop_search(measured))
            .collect();
        Self {
            depth1: pool_cells(&Vec::from_iter(
                depth1.into_iter().flatten().filter_map(|name| measured.cell(name)).filter(sound),
            )),
            commits: pool_cells(&commits),
            sequential_read: sequential(Mix::Read),
            sequential_write: sequential(Mix::Write),
            idle: find(&|c| c.role == CellRole::Idle),
            curves,
        }
    }

    fn main_curve(&self) -> Option<(&'a Curve, &'a Limit)> {
        let open = self.curves.iter().copied().find(|(curve, _)| curve.open_loop);
        open.or(self.random_read_curve()).or(self.curves.first().copied())
    }

    fn random_read_curve(&self) -> Option<(&'a Curve, &'a Limit)> {
        self.curves.iter().copied().find(|(curve, _)| {
            curve.mix == Mix::Read && !curve.independent && curve.access == Access::Random
        })
    }

    fn median_read_latency(&self) -> Option<Nanos> {
        let latency = &self.depth1.as_ref()?.totals.read.as_ref()?.latency_ns;
        Some(Nanos(latency.percentiles.get("p50").copied().unwrap_or(latency.mean as u64)))
    }

    fn commit_rate(&self) -> Option<(f64, Nanos)> {
        let totals = &self.commits.as_ref()?.totals;
        let (write, sync) = (totals.write.as_ref()?, totals.sync.as_ref()?);
        let mean = Nanos((write.latency_ns.mean + sync.latency_ns.mean) as u64);
        Some((sync.iops, mean))
    }

    fn describe_meaning(&self, measured: &Measured, judgement: &Judgement) -> Vec<Message> {
        let mut said = Vec::new();
        if let Some((latency, depth1)) = self.median_read_latency().zip(self.depth1.as_ref()) {
            said.push(OneReadAtATime { latency, iops: Iops(depth1.iops()) }.into());
        }
        if let (Some(idle), Some(busy)) = (self.idle, self.median_read_latency())
            && let Some(read) = &idle.totals.read
        {
            let latency = Nanos(read.latency_ns.percentiles.get("p50").copied().unwrap_or(0));
            if latency.0 > busy.0.saturating_mul(2) {
                said.push(SlowAfterPause { latency }.into());
            }
        }
        for (curve, _) in &self.curves {
            said.extend(describe_curve(curve));
        }
        said.extend(judgement.writes.as_ref().map(describe_writes).into_iter().flatten());
        said.extend(judgement.bucket.as_ref().map(describe_bucket));
        let is_sure = |(_, limit): &(&Curve, &Limit)| limit.bounded_by != BoundedBy::Unsure;
        let reads = self.random_read_curve().filter(is_sure);
        said.extend(reads.and_then(|(curve, _)| describe_rung(measured, judgement, curve)));
        if let Some((rate, mean)) = self.commit_rate()
            && let Some(job) = self.commits.as_ref().map(|cell| &cell.job)
        {
            let fsync = job.sync.is_some_and(|sync| sync.kind == SyncKind::Fsync);
            let call = if fsync { "fsync" } else { "fdatasync" };
            let rate = Iops(rate);
            said.push(DurableWrite { size: job.block_size, call, mean, rate }.into());
        }
        if let Some(layout) = &measured.layout
            && let Some(again) = self.sequential_write
        {
            let (first, again) = (layout.rate().0, again.0);
            if again > 1.2 * first {
                let (first, again) = (BytesPerSecond(first), BytesPerSecond(again));
                said.push(FirstWriteSlower { first, again }.into());
            }
        }
        said
    }

    fn list_limits(&self, measured: &Measured, judgement: &Judgement) -> Vec<Message> {
        let severe = judgement.findings.iter().filter(|f| f.status >= Status::Warning);
        let mut limits: Vec<Message> = severe.map(describe_finding).collect();
        for (curve, limit) in &self.curves {
            if limit.bounded_by == BoundedBy::Unreachable {
                let unreachable = describe_unreachable(curve, limit);
                limits.push(BoundUnreachable { label: curve.label.clone(), unreachable }.into());
            }
        }
        limits.extend(measured.health.iter().filter_map(RunHealth::describe_disk));
        limits
    }
}

/// `neighbour: others used the disk`.
pub(crate) fn describe_finding(finding: &Finding) -> Message {
    let (check, summary) = (finding.id.to_string(), finding.summary.clone());
    FindingOfCheck { check, summary }.into()
}

fn describe_writes(writes: &record::Writes) -> [Message; 2] {
    let because = writes.because.clone();
    let state = match writes.state {
        record::WriteState::Burst => WritesBurst { because }.into(),
        record::WriteState::Sustained => WritesSustained { because }.into(),
        record::WriteState::NotSettled => WritesNotSettled { because }.into(),
    };
    let (written, span) = (writes.written, writes.span);
    let times = written.0 as f64 / span.0.max(1) as f64;
    let written = match writes.capacity.filter(|size| size.0 > 0) {
        Some(device) => {
            let share = Ratio(written.0 as f64 / device.0 as f64);
            WrittenOfDevice { written, times, span, share, device }.into()
        }
        None => Written { written, times, span }.into(),
    };
    [state, written]
}

fn describe_bucket(bucket: &record::TokenBucket) -> Message {
    let (burst, baseline) = (bucket.burst.value, bucket.baseline.value);
    let size = bucket.size.value;
    match bucket.counts {
        record::Counted::Operations => BucketOfOperations {
            size: Iops(size),
            baseline: Iops(baseline),
            burst: Iops(burst),
            lasts: Nanos((size / (burst - baseline).max(1e-9) * 1e9) as u64),
        }
        .into(),
        record::Counted::Bytes => BucketOfBytes {
            size: Bytes(size as u64),
            baseline: BytesPerSecond(baseline),
            burst: BytesPerSecond(burst),
        }
        .into(),
    }
}

fn choose_headline(
    measured: &Measured,
    judgement: &Judgement,
    main_curve: Option<(&Curve, &Limit)>,
    class: Option<&Message>,
) -> Headline {
    let of_all = |words: Message| Headline { words, basis: Basis::AllCells };
    let of_plan = crate::preset::preset_headline(measured, judgement)
        .or_else(|| crate::preset::metadata_headline(measured).map(of_all))
        .or_else(|| crate::sweep::sweep_headline(measured, judgement))
        .or_else(|| crate::interference::interference_headline(measured, judgement))
        .or_else(|| crate::replay::replay_headline(measured, judgement).map(of_all));
    if let Some(headline) = of_plan {
        return headline;
    }
    let without = |words: Message| Headline { words, basis: Basis::NoFigure };
    let invalid = judgement.findings.iter().find(|f| f.status == Status::Invalid);
    if let Some(finding) = invalid.filter(|_| main_curve.is_none()) {
        return without(NotTheDisk { reason: finding.summary.clone() }.into());
    }
    if let Some(doubt) = crate::replay::replay_doubt(measured, judgement) {
        return without(CannotTell { reason: doubt.summary.clone() }.into());
    }
    if let Some(headline) = crate::ping::ping_headline(measured) {
        return of_all(headline);
    }
    let Some((curve, limit)) = main_curve else {
        let points = judgement.curves.iter().flat_map(Curve::all_points);
        let mut cells = points.flat_map(|point| &point.cells);
        return without(match cells.find_map(|cell| find_doubt(judgement, cell)) {
            Some(doubt) => CannotTell { reason: doubt.summary.clone() }.into(),
            None => describe_too_little(measured),
        });
    };
    let headline = limit_headline(curve, limit);
    // A device of two levels behaves like none of one.
    let is_figure = !matches!(limit.bounded_by, BoundedBy::Unsure | BoundedBy::Unreachable);
    let of_one_level = curve.earlier.is_none() && is_figure;
    let words = match class.filter(|label| of_one_level && !is_unlike_all(label)) {
        Some(class) => HeadlineLike { headline, class: class.clone() }.into(),
        None => headline,
    };
    Headline { words, basis: Basis::Cells(vec![limit.cell.clone()]) }
}

/// What the time of a search went to, where it gave nothing.
fn describe_too_little(measured: &Measured) -> Message {
    let Purpose::Limit(_) = &measured.plan.purpose else { return label("verdict-too-little") };
    let budget = measured.plan.budget;
    let layout =
        measured.layout.as_ref().map(|run| Nanos(run.elapsed.0.saturating_add(run.sync.0)));
    match layout.filter(|layout| layout.0 >= budget.0 / LAYOUT_DIVISOR) {
        Some(layout) => TooLittleAfterLayout { layout, budget }.into(),
        None => TooLittleInTime { budget }.into(),
    }
}

pub(crate) fn list_not_seen(measured: &Measured, judgement: &Judgement) -> Vec<Message> {
    let seconds = measured.finished.as_second() - measured.started.as_second();
    let is_hot = measured.health.iter().any(|health| health.describe_heat().is_some());
    let heat = (seconds < HEAT_MIN && !is_hot).then(|| label("verdict-heat-not-seen"));
    let writes: Option<Message> = match measured.layout {
        Some(_) => Some(CacheEndNotSeen { written: crate::writes::bytes_written(measured) }.into()),
        // Small files are written.
        None if measured.metadata.is_some() => None,
        None => Some(label("verdict-writes-not-seen")),
    };
    let cannot = judgement.findings.iter().filter(|f| f.status == Status::NotObservable);
    let of_run = heat.into_iter().chain(writes).chain([label("verdict-power-cut-not-seen")]);
    of_run.chain(cannot.map(describe_finding)).collect()
}

messages! {
    NotTheDisk = "verdict-not-the-disk" { reason: Message };
    CannotTell = "verdict-cannot-tell" { reason: Message };
    TooLittleAfterLayout = "verdict-too-little-after-layout" { layout: Nanos, budget: Nanos };
    TooLittleInTime = "verdict-too-little-in-time" { budget: Nanos };
    HeadlineLike = "verdict-headline-like" { headline: Message, class: Message };
    SomeNumbersInvalid = "verdict-some-numbers-invalid" { reasons: Vec<Message> };
    FindingOfCheck = "verdict-finding" { check: String, summary: Message };
    OneReadAtATime = "verdict-one-read-at-a-time" { latency: Nanos, iops: Iops };
    SlowAfterPause = "verdict-slow-after-pause" { latency: Nanos };
    DurableWrite = "verdict-durable-write" {
        size: Bytes, call: &'static str, mean: Nanos, rate: Iops,
    };
    FirstWriteSlower = "verdict-first-write-slower" {
        first: BytesPerSecond, again: BytesPerSecond,
    };
    WritesBurst = "verdict-writes-burst" { because: Message };
    WritesSustained = "verdict-writes-sustained" { because: Message };
    WritesNotSettled = "verdict-writes-not-settled" { because: Message };
    Written = "verdict-written" { written: Bytes, times: f64, span: Bytes };
    WrittenOfDevice = "verdict-written-of-device" {
        written: Bytes, times: f64, span: Bytes, share: Ratio, device: Bytes,
    };
    BucketOfOperations = "verdict-bucket-of-operations" {
        size: Iops, baseline: Iops, burst: Iops, lasts: Nanos,
    };
    BucketOfBytes = "verdict-bucket-of-bytes" {
        size: Bytes, baseline: BytesPerSecond, burst: BytesPerSecond,
    };
    BoundUnreachable = "verdict-bound-unreachable" { label: Message, unreachable: Message };
    CacheEndNotSeen = "verdict-cache-end-not-seen" { written: Bytes };
}

#[cfg(test)]
mod tests {
    use stats::Estimate;

    use super::*;
    use crate::testing::{cell_mut, sample_record};
    use record::Cell;
    use units::Bytes;

    #[test]
    fn a_plain_run_is_sound_and_says_what_it_is_good_for() {
        let record = sample_record();
        let judgement = crate::judge(&record);
        let verdict = judgement.verdict.unwrap();
        assert_eq!(verdict.trust, Trust::Sound);
        assert!(verdict.headline.text().contains("random reads/s within p99<10ms"), "{verdict:#?}");
        assert!(verdict.good_for.iter().any(|g| g.text().contains("etcd")), "{verdict:#?}");
        let has_margin =
            |good: &Message| good.argument("needed").and(good.argument("times")).is_some();
        assert!(verdict.good_for.iter().all(has_margin), "{verdict:#?}");
        assert!(verdict.limited_by.is_empty(), "{verdict:#?}");
        let read = &judgement.curves[0];
        let limit = read.main_limit().unwrap();
        assert_eq!(limit.depth.0, 64, "the smallest depth that is as good as the best");
        assert_eq!(limit.bounded_by, BoundedBy::Saturation);
    }

    #[test]
    fn a_headline_that_leaves_the_question_open_is_never_trusted() {
        let mut record = sample_record();
        let mut judgement = crate::judge(&record);
        let trust = |measured: &Measured, judgement: &Judgement, id: &str| {
            let headline = label(id);
            judge_trust(measured, judgement, &headline)
        };
        assert_eq!(trust(&record, &judgement, "curve-headline"), Trust::Sound);
        for id in crate::headline::OPEN_HEADLINES {
            assert_eq!(trust(&record, &judgement, id), Trust::Caution, "{id}");
        }
        assert!(
            crate::headline::OPEN_HEADLINES.iter().all(|id| message::is_known(id)),
            "a headline that nothing says"
        );
        let reason = Message::from_text("an operation failed");
        record.completion = Completion::Partial { reason, failed: true };
        assert_eq!(trust(&record, &judgement, "curve-headline"), Trust::Caution, "it failed");
        record.completion = Completion::Complete;
        // Of the whole judgement: nothing random was measured.
        record.cells.retain(|cell| cell.job.access != Access::Random);
        judgement.findings.clear();
        let verdict = crate::judge(&record).verdict.unwrap();
        assert!(is_open_headline(&verdict.headline), "{:?}", verdict.headline);
        assert_ne!(verdict.trust, Trust::Sound);
    }

    #[test]
    fn a_read_of_4_kib_is_one_alone_that_waits_for_its_answer() {
        let told = |spoil: &dyn Fn(&mut Cell)| {
            let mut record = sample_record();
            for name in ["randread-4k-qd1", "randread-4k-qd1-repeat"] {
                spoil(cell_mut(&mut record, name));
            }
            let judgement = crate::judge(&record);
            let verdict = judgement.verdict.unwrap();
            let said =
                message::texts(&verdict.meaning).join("\n").contains("a 4 KiB random read takes");
            assert_eq!(
                said,
                message::texts(&verdict.good_for).join("\n").contains("interactive use")
            );
            said
        };
        assert!(told(&|_| ()));
        assert!(!told(&|cell| cell.job.block_size = Bytes::kib(64)));
        assert!(!told(&|cell| cell.beside = Some("randwrite-4k-qd1".to_owned())));
        let (rate, arrivals) = (Iops(100.0), workload::Arrivals::Poisson);
        assert!(!told(&|cell| cell.job.pacing = Pacing::Open { rate, arrivals }));
    }

    #[test]
    fn etcd_is_judged_by_the_interval_of_its_percentile() {
        let told = |low: f64, high: f64| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "syncwrite-4k");
            let sync = cell.totals.sync.as_mut().unwrap();
            sync.latency_ns.percentiles.insert("p99".to_owned(), 10_500_000);
            let p99 = Estimate::without_interval(10.5e6, 20, Message::default());
            let p99 = Estimate { low: Some(low), high: Some(high), ..p99 };
            let of_sync = [("p99".to_owned(), p99)].into_iter().collect();
            cell.confidence.percentiles_ns.set(workload::Direction::Sync, of_sync);
            let verdict = crate::judge(&record).verdict.unwrap();
            let has =
                |words: &[message::Message]| message::texts(words).join("\n").contains("etcd");
            (has(&verdict.good_for), has(&verdict.too_slow_for))
        };
        assert_eq!(told(9e6, 12e6), (false, false), "cannot tell");
        assert_eq!(told(10.1e6, 12e6), (false, true));
        assert_eq!(told(9e6, 9.9e6), (true, false));
    }

    #[test]
    fn commits_are_of_one_client_that_waits_for_each() {
        let told = |spoil: &dyn Fn(&mut Cell)| {
            let mut record = sample_record();
            spoil(cell_mut(&mut record, "syncwrite-4k"));
            let judgement = crate::judge(&record);
            message::texts(&judgement.verdict.unwrap().meaning).join("\n")
        };
        let words = "A 4 KiB write made durable with fdatasync takes";
        assert!(told(&|_| ()).contains(words));
        let each = |every, kind| Some(workload::SyncPolicy { kind, every });
        let fsync = |cell: &mut Cell| cell.job.sync = each(1, SyncKind::Fsync);
        assert!(told(&fsync).contains("durable with fsync takes"));
        let none = |spoil: &dyn Fn(&mut Cell)| assert!(!told(spoil).contains("made durable"));
        none(&|cell| cell.job.sync = each(1000, SyncKind::Fdatasync));
        none(&|cell| cell.job.sync = each(1, SyncKind::FileRange));
        none(&|cell| cell.job.depth.0 = 4);
        none(&|cell| cell.job.pacing = Pacing::Spaced { interval: Nanos::millis(1) });
    }

    /// Where the cell of commits is not the disk's, the trials of `flush` do not replace it.
    #[test]
    fn trials_are_no_figure_of_commits() {
        let mut record = sample_record();
        let mut trial = cell_mut(&mut record, "syncwrite-4k").clone();
        trial.name = "write-flushed-4k".to_owned();
        (trial.role, trial.trial) = (CellRole::Trial, Some(record::Trial::Soak));
        record.cells.push(trial);
        record.cells.retain(|cell| cell.name != "syncwrite-4k");
        let judgement = crate::judge(&record);
        assert!(VerdictFacts::from_record(&record, &judgement).commits.is_none());
    }

    #[test]
    fn streaming_is_told_of_cells_that_stream() {
        let facts = |record: &Measured| {
            let judgement = crate::judge(record);
            VerdictFacts::from_record(record, &judgement).sequential_read
        };
        let streams = |role, depth: u32| {
            let mut record = sample_record();
            for name in ["seqread-1m", "seqwrite-1m"] {
                let cell = cell_mut(&mut record, name);
                (cell.role, cell.job.depth.0) = (role, depth);
            }
            facts(&record).is_some()
        };
        assert!(streams(CellRole::Main, 8) && streams(CellRole::Point, 8));
        assert!(!streams(CellRole::Point, 1) && !streams(CellRole::Disturbed, 8));
        assert!(!streams(CellRole::Contrast, 8));
        let mut record = sample_record();
        let large = facts(&record).unwrap();
        let mut small = cell_mut(&mut record, "seqread-1m").clone();
        "seqread-4k".clone_into(&mut small.name);
        small.job.block_size = Bytes::kib(4);
        record.cells.insert(0, small);
        assert_eq!(facts(&record), Some(large), "small blocks stream less");
        // Visits to one load are one figure, and not the best of them.
        let mut again = cell_mut(&mut record, "seqread-1m").clone();
        "seqread-1m-2".clone_into(&mut again.name);
        again.totals.read.as_mut().unwrap().iops *= 1.2;
        record.cells.push(again);
        assert!((facts(&record).unwrap().0 / large.0 - 1.1).abs() < 0.01);
    }

    #[test]
    fn a_broken_run_claims_nothing() {
        let mut record = sample_record();
        record.targets[0].file_system.as_mut().unwrap().memory = true;
        let judgement = crate::judge(&record);
        let verdict = judgement.verdict.unwrap();
        assert_eq!(verdict.trust, Trust::Broken);
        assert!(
            verdict.headline.text().starts_with("Not the disk's numbers"),
            "{}",
            verdict.headline.text()
        );
        assert!(verdict.good_for.is_empty());
    }

    #[test]
    fn a_headline_is_never_of_cells_that_are_invalid() {
        let mut record = sample_record();
        let reads = record.cells.iter_mut().filter(|cell| cell.name.starts_with("randread"));
        reads.for_each(|cell| cell.ledger.layers[0].read_bytes = Bytes(0));
        let headline = crate::judge(&record).verdict.unwrap().headline;
        let text = headline.text();
        assert!(!text.contains("random reads/s") && !text.contains("118,"), "{text}");
        assert!(text.contains("random writes/s"), "{text}");
    }

    #[test]
    fn a_search_that_measured_nothing_says_what_its_time_went_to() {
        let headline = |layout: Option<Nanos>| {
            let mut record = record::fixture::limit_record().measured;
            record.cells.clear();
            record.plan.budget = Nanos::secs(20);
            let run = sample_record().layout.unwrap();
            record.layout = layout.map(|elapsed| record::LayoutRun { elapsed, ..run });
            let verdict = crate::judge(&record).verdict.unwrap();
            assert_eq!(verdict.trust, Trust::Caution);
            verdict.headline.id().to_owned()
        };
        assert_eq!(headline(Some(Nanos::secs(10))), "verdict-too-little-after-layout");
        assert_eq!(headline(Some(Nanos::secs(1))), "verdict-too-little-in-time");
        assert_eq!(headline(None), "verdict-too-little-in-time");
    }

    #[test]
    fn a_bound_below_the_idle_latency_is_called_unreachable() {
        let mut record = sample_record();
        record.plan.bounds = vec!["p99<20us".parse().unwrap()];
        let judgement = crate::judge(&record);
        let limit = judgement.curves[0].main_limit().unwrap();
        assert_eq!(limit.bounded_by, BoundedBy::Unreachable);
        assert!(
            judgement.verdict.unwrap().headline.text().contains("is not reachable: idle p99 is")
        );
    }

    #[test]
    fn a_headline_fits_one_line() {
        use record::fixture::{limit_record, open_loop_limit_record, ssd_record};
        let mut unreachable = sample_record();
        unreachable.plan.bounds = vec!["p99<20us".parse().unwrap()];
        let mut invalid = sample_record();
        invalid.targets[0].file_system.as_mut().unwrap().memory = true;
        let of_fixtures = [ssd_record(), limit_record(), open_loop_limit_record()];
        let records = of_fixtures.into_iter().map(|record| record.measured);
        for record in records.chain([unreachable, invalid]) {
            let headline = crate::judge(&record).verdict.unwrap().headline;
            assert!(headline.text().chars().count() <= 100, "{headline:?}");
        }
    }

    #[test]
    fn a_limit_that_was_not_proven_says_so() {
        let mut record = sample_record();
        record.plan.bounds = vec!["p99.99<10ms".parse().unwrap()];
        record.cells.retain(|cell| cell.name == "randread-4k-qd1");
        let cell = &mut record.cells[0];
        let mut few = stats::LatencyHistogram::new();
        (0..100).for_each(|_| few.record(8_000_000));
        cell.totals.read.as_mut().unwrap().latency_ns = crate::summarise_latency(&few);
        cell.intervals.clear();
        let judgement = crate::judge(&record);
        let verdict = judgement.verdict.unwrap();
        assert!(verdict.headline.text().contains("too few to judge p99.99<10ms"), "{verdict:#?}");
        assert!(!verdict.headline.text().contains("within"), "{}", verdict.headline.text());
        let unproven = |said: &Message| said.id() == "curve-limit-unproven";
        assert!(verdict.meaning.iter().any(unproven), "{verdict:#?}");
    }

    #[test]
    fn what_a_short_run_cannot_see_is_said() {
        let unseen = |seconds: i64| {
            let mut record = sample_record();
            let end = record.started.as_second() + seconds;
            // A whole second is always within the range of a timestamp here.
            while record.finished.as_second() < end {
                record.finished += std::time::Duration::from_secs(60);
            }
            message::texts(&super::list_not_seen(&record, &crate::judge(&record))).join("\n")
        };
        let short = unseen(60);
        assert!(short.contains("heat"), "{short}");
        assert!(short.contains("write cache") && short.contains("power cut"), "{short}");
        assert!(!unseen(4000).contains("heat"));
    }

    #[test]
    fn a_disk_that_slowed_itself_down_is_a_limit_and_heat_was_seen() {
        let mut record = sample_record();
        let counted = |seconds| {
            let light_throttled = Nanos::secs(seconds);
            let nvme = record::NvmeHealth { light_throttled, ..Default::default() };
            record::DiskHealth { nvme: Some(nvme), ..Default::default() }
        };
        let verdict = |record: &Measured| crate::judge(record).verdict.unwrap();
        let (device, start) = ("nvme0n1".to_owned(), counted(7));
        record.health = vec![RunHealth { device, end: start.clone(), start }];
        let cool = verdict(&record);
        assert!(message::texts(&cool.not_seen).concat().contains("heat"), "{cool:#?}");
        record.health[0].end = counted(41);
        let hot = verdict(&record);
        let words =
            "nvme0n1: by its own count it slowed itself down because of heat for about 34 s";
        let limits = message::texts(&hot.limited_by);
        assert!(limits.iter().any(|limit| limit.starts_with(words)), "{hot:#?}");
        assert!(!message::texts(&hot.not_seen).concat().contains("heat"), "{hot:#?}");
        assert_eq!(hot.headline, cool.headline);
    }

    #[test]
    fn slow_disks_are_for_archives_only() {
        let mut record = sample_record();
        for cell in &mut record.cells {
            for way in [workload::Direction::Read, workload::Direction::Write] {
                let Some(mut totals) = cell.totals.get(way).cloned() else { continue };
                let share = (90e6_f64 / totals.bytes_per_second).min(1.0);
                totals.bytes_per_second *= share;
                totals.iops *= share;
                totals.latency_ns.percentiles.values_mut().for_each(|p| *p *= 200);
                cell.totals.set(way, totals);
                if let Some(known) = cell.confidence.iops.get(way).cloned() {
                    cell.confidence.iops.set(way, known.map(|iops| iops * share));
                }
            }
            if let Some(sync) = &mut cell.totals.sync {
                sync.iops = 60.0;
                sync.latency_ns.percentiles.insert("p99".to_owned(), 30_000_000);
            }
        }
        let mut slow = stats::LatencyHistogram::new();
        (0..100).for_each(|_| slow.record(8_000_000));
        let visits = record.cells.iter_mut().filter(|cell| cell.name.contains("randread-4k-qd1"));
        for read in visits.filter_map(|cell| cell.totals.read.as_mut()) {
            read.latency_ns = crate::summarise_latency(&slow);
        }
        let judgement = crate::judge(&record);
        let verdict = judgement.verdict.unwrap();
        assert!(verdict.good_for.iter().any(|g| g.text().contains("archives")), "{verdict:#?}");
        assert!(!verdict.good_for.iter().any(|g| g.text().contains("etcd")), "{verdict:#?}");
        let too_slow = message::texts(&verdict.too_slow_for);
        let expected = ["etcd: ", "60.0 a second", "a read takes 8.00 ms", "streaming: 90.0 MB/s"];
        for words in expected {
            assert!(too_slow.iter().any(|text| text.contains(words)), "{words}: {too_slow:#?}");
        }
    }
}
