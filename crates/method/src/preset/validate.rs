//! What a written preset means: typed, checked, every default filled in.

use std::iter::successors;

use message::Message;
use record::{MetadataPlan, PresetPlan, PresetStep, PresetThreshold, Score, StepFigure, StepWork};
use toml::Spanned;
use units::{Bytes, BytesPerSecond, Depth, Iops, Nanos};
use workload::{
    Arrivals, BackendChoice, Cap, Caps, Direction, Job, Mix, Pacing, Span, Stop, SyncPolicy,
    TargetLimits, ThinkTime,
};

use super::catalogue::{PresetError, find_nearest_name};
use super::plan::{JobTemplate, Preset, Step};
use super::schema::{DefaultsSchema, JobSchema, PresetSchema, StepSchema, ThresholdSchema};
use super::values::{
    self, ARRIVALS, DIRECTIONS, DURABLE_WRITES, END_SYNCS, ENGINES, SCORES, SYNCS, SizeOrShare,
    parse_choice,
};
use crate::metadata;
use crate::surface::STREAM_SHAPE;

/// Where a preset says nothing: the file of most peers, and how long a job is measured.
const DEFAULT_SIZE: Bytes = Bytes::gib(1);
const DEFAULT_TIME: Nanos = Nanos::secs(5);
/// The most passes, jobs beside each other, and time of one job: beyond is a slip of the hand.
const PASSES_MAX: u32 = 1000;
const JOBS_MAX: usize = 64;
const TIME_MAX: Nanos = Nanos::secs(24 * 3600);
const SIZE_MIN: Bytes = crate::defaults::SPAN_MIN;

/// Where a refusal belongs: a byte of the text, and what is wrong.
pub(super) type Refusal = (usize, String);

impl Preset {
    /// Reads the text of a preset that is called `name`.
    pub fn parse(name: &str, text: &str) -> Result<Self, PresetError> {
        let line = |byte: usize| text[..byte.min(text.len())].matches('\n').count() + 1;
        let broken = |line: usize, reason: String| PresetError::Broken {
            name: name.to_owned(),
            line,
            reason: reason.lines().collect::<Vec<_>>().join(" "),
        };
        let written: PresetSchema = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let reason = match error.message() {
                gone if gone.starts_with("unknown field `keep-caches`") => {
                    "keep-caches is gone: caches are kept by default; --drop-caches drops them"
                }
                reason => reason,
            };
            broken(line(at), reason.to_owned())
        })?;
        validate_preset(name, text, &written).map_err(|(at, reason)| broken(line(at), reason))
    }
}

fn validate_preset(name: &str, text: &str, written: &PresetSchema) -> Result<Preset, Refusal> {
    let top = |reason: String| (0, reason);
    let size = written.size.as_deref().map_or(Ok(DEFAULT_SIZE), values::parse_size).map_err(top)?;
    if size < SIZE_MIN {
        return Err(top(format!("a size of {size} is too small; {SIZE_MIN} is the least")));
    }
    if written.step.is_empty() {
        return Err(top("it has no step; add a [[step]]".to_owned()));
    }
    let mut steps: Vec<Step> = Vec::new();
    for written_step in &written.step {
        let at = written_step.span().start;
        let made = validate_step(name, written_step.get_ref(), &written.defaults, size)
            .map_err(|reason| (at, format!("step '{}': {reason}", written_step.get_ref().name)))?;
        if steps.iter().any(|step| step.plan.name == made.plan.name) {
            return Err((at, format!("two steps are called '{}'", made.plan.name)));
        }
        steps.push(made);
    }
    check_groups(&steps).map_err(top)?;
    let small_files = |step: &Step| matches!(step.plan.work, StepWork::Metadata(_));
    if steps.iter().any(small_files) && (steps.len() > 1 || !written.threshold.is_empty()) {
        return Err(top("small files are measured by themselves: one step, no threshold".into()));
    }
    let thresholds = written.threshold.iter().map(|written| validate_threshold(written, &steps));
    let plan = PresetPlan {
        name: name.to_owned(),
        title: written.title.clone(),
        imitates: find_words(
            &format!("preset-imitates-{name}"),
            written.imitates.trim_end_matches('.'),
        ),
        sources: written.sources.clone(),
        format: written.format.clone(),
        size,
        steps: steps.iter().map(|step| step.plan.clone()).collect(),
        thresholds: thresholds.collect::<Result<_, _>>()?,
        notes: written.notes.iter().map(|note| find_note(name, note)).collect(),
        departures: Vec::new(),
    };
    Ok(Preset { plan, steps, text: text.to_owned() })
}

/// What a built-in preset says, in every language; a preset of the user's own has the words of its
/// file.
fn find_words(id: &str, written: &str) -> Message {
    let known = Message::find(id).filter(|known| known.text() == written);
    known.unwrap_or_else(|| Message::from_text(written))
}

/// The same of a note; a variant (`crystaldiskmark-flash`) also has the notes of its family.
fn find_note(preset: &str, written: &str) -> Message {
    let families = successors(Some(preset), |name| Some(name.rsplit_once('-')?.0));
    let notes_of = |family: &str| {
        let ids = (1..).map(|number| format!("preset-plan-note-{family}-{number}"));
        ids.map_while(|id| Message::find(&id)).collect::<Vec<_>>()
    };
    let known = families.flat_map(notes_of).find(|known| known.text() == written);
    known.unwrap_or_else(|| Message::from_text(written))
}

/// A name is a word of a command line and of a cell's name.
fn is_valid_name(name: &str) -> bool {
    let fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !name.is_empty() && name.chars().all(fine)
}

fn validate_step(
    preset: &str,
    written: &StepSchema,
    defaults: &DefaultsSchema,
    size: Bytes,
) -> Result<Step, String> {
    if !is_valid_name(&written.name) {
        return Err("a name is made of letters, digits, '-', '_' and '.'".to_owned());
    }
    let passes = written.passes.or(defaults.passes).unwrap_or(1);
    let discarded = written.discard.or(defaults.discard).unwrap_or(0);
    if passes == 0 || passes > PASSES_MAX || discarded > PASSES_MAX {
        return Err(format!("{passes} passes after {discarded}; use 1 to {PASSES_MAX}"));
    }
    if written.until_steady && passes < 5 {
        return Err(format!("five passes in a row say whether it is steady, not {passes}"));
    }
    let time = |own: &Option<String>, default: &Option<String>| {
        own.as_ref().or(default.as_ref()).map_or(Ok(Nanos::ZERO), |text| values::parse_time(text))
    };
    let score = written.score.as_ref().or(defaults.score.as_ref());
    let score = score.map_or(Ok(Score::Median), |text| parse_choice("score", text, SCORES))?;
    let direct = written.direct.or(defaults.direct).unwrap_or(true);
    let fresh = written.fresh.as_deref().map(values::parse_size).transpose()?;
    let (work, jobs) = match written.kind.as_deref().unwrap_or("jobs") {
        "jobs" => validate_jobs(written, defaults, direct, fresh.unwrap_or(size))?,
        "surface" => validate_surface(written, direct)?,
        "metadata" => validate_small_files(written)?,
        other => {
            return Err(format!("unknown kind '{other}'; it is one of jobs, surface, metadata"));
        }
    };
    let parse_sync = |text: &str| parse_choice("sync", text, END_SYNCS);
    let end_sync = written.end_sync.as_deref().map(parse_sync).transpose()?;
    if end_sync.is_some() && !jobs.iter().any(|shape| shape.job.mix.writes()) {
        return Err("end-sync makes writes durable, but nothing is written".to_owned());
    }
    let metadata_key = written.first_key(|kind| kind == "metadata");
    if let Some(key) = metadata_key.filter(|_| !matches!(work, StepWork::Metadata(_))) {
        return Err(format!("'{key}' belongs to the kind metadata"));
    }
    let name = &written.name;
    let label = written.label.as_ref().unwrap_or(name);
    let note = written.note.as_ref();
    let plan = PresetStep {
        name: name.clone(),
        label: find_words(&format!("preset-step-{preset}-{name}"), label),
        note: note.map(|note| find_words(&format!("preset-note-{preset}-{name}"), note)),
        work,
        passes,
        discarded,
        settle: time(&written.settle, &defaults.settle)?,
        pause: time(&written.pause, &defaults.pause)?,
        rest: time(&written.rest, &defaults.rest)?,
        score,
        group: written.group.clone(),
        until_steady: written.until_steady,
        direct,
        fresh,
        cache_dropped: written.drop_cache.or(defaults.drop_cache).unwrap_or(false),
        end_sync,
        skips_unaligned: written.skip_unaligned,
    };
    Ok(Step { plan, jobs, stream: surface_stream(written)? })
}

fn check_groups(steps: &[Step]) -> Result<(), String> {
    let turns = |step: &Step| (step.plan.passes, step.plan.discarded);
    for (place, step) in steps.iter().enumerate() {
        let Some(group) = &step.plan.group else { continue };
        let before =
            steps[..place].iter().rposition(|other| other.plan.group.as_ref() == Some(group));
        let Some(before) = before else { continue };
        if before + 1 != place {
            return Err(format!("the steps of group '{group}' do not follow each other"));
        }
        if turns(&steps[before]) != turns(step) {
            return Err(format!(
                "the steps of group '{group}' take turns, but '{}' has other passes than '{}'",
                step.plan.name, steps[before].plan.name
            ));
        }
    }
    Ok(())
}

fn validate_jobs(
    written: &StepSchema,
    defaults: &DefaultsSchema,
    direct: bool,
    whole: Bytes,
) -> Result<(StepWork, Vec<JobTemplate>), String> {
    if let Some(key) = written.first_key(|kind| kind == "surface") {
        return Err(format!("'{key}' belongs to the kind surface, or into a job"));
    }
    if written.job.is_empty() || written.job.len() > JOBS_MAX {
        let reason = "it needs 1 to 64 jobs, such as job = [{ access = \"random\", bs = \"4k\" }]";
        return Err(reason.to_owned());
    }
    let alone = written.job.len() == 1;
    let mut shapes: Vec<JobTemplate> = Vec::new();
    for job in &written.job {
        let job = job.with_defaults(&defaults.job);
        let name = match (&job.name, alone) {
            (Some(name), _) if is_valid_name(name) => name.clone(),
            (None, true) => "job".to_owned(),
            (Some(name), _) => return Err(format!("a job is called '{name}'")),
            (None, false) => return Err("jobs beside each other need a name each".to_owned()),
        };
        if shapes.iter().any(|shape| shape.name == name) {
            return Err(format!("two of its jobs are called '{name}'"));
        }
        let shape =
            validate_job(&name, &job, direct).and_then(|shape| check_template(shape, whole));
        shapes.push(shape.map_err(|reason| match alone {
            true => reason,
            false => format!("job '{name}': {reason}"),
        })?);
    }
    Ok((StepWork::Jobs { jobs: shapes.iter().map(|shape| shape.name.clone()).collect() }, shapes))
}

fn validate_small_files(written: &StepSchema) -> Result<(StepWork, Vec<JobTemplate>), String> {
    if let Some(key) = written.first_key(|kind| kind != "metadata") {
        return Err(format!("kind = \"metadata\" takes files, threads and rounds, not '{key}'"));
    }
    let plan = MetadataPlan {
        files: written.files,
        threads: written.threads.unwrap_or_else(metadata::default_threads),
        rounds: written.rounds.unwrap_or(metadata::DEFAULT_ROUNDS),
        // Dropping the caches of the host is for the command line to ask.
        keep_caches: true,
    };
    metadata::validate_plan(&plan)?;
    Ok((StepWork::Metadata(plan), Vec::new()))
}

fn validate_surface(
    written: &StepSchema,
    direct: bool,
) -> Result<(StepWork, Vec<JobTemplate>), String> {
    if !written.job.is_empty() {
        return Err("a surface is read place by place; it has no jobs".to_owned());
    }
    if written.passes.is_some_and(|n| n != 1) || written.discard.is_some_and(|n| n != 0) {
        return Err("a surface is read once; it has no passes".to_owned());
    }
    if !direct || written.fresh.is_some() || written.until_steady || written.group.is_some() {
        return Err("a surface is what lies below: direct, not fresh, by itself".to_owned());
    }
    if written.skip_unaligned || written.drop_cache.is_some() {
        return Err("a surface has no blocks to skip, and no cache to drop".to_owned());
    }
    let time = |text: &Option<String>, otherwise: Nanos| {
        text.as_deref().map_or(Ok(otherwise), values::parse_time)
    };
    let places = written.places.unwrap_or(51);
    if !(2..=10_000).contains(&places) {
        return Err(format!("{places} places; use 2 to 10000"));
    }
    let slice = time(&written.slice, Nanos::millis(250))?;
    let access = time(&written.access, Nanos::millis(120))?;
    if slice == Nanos::ZERO {
        return Err("slices of no time".to_owned());
    }
    Ok((StepWork::Surface { places, slice, access }, Vec::new()))
}

fn surface_stream(written: &StepSchema) -> Result<(Bytes, Depth), String> {
    let (block, depth) = STREAM_SHAPE;
    let block = written.bs.as_deref().map_or(Ok(block), values::parse_size)?;
    let depth = written.depth.map_or(depth, Depth);
    // Places begin and end at whole MiB.
    if !(Bytes::MIB.is_multiple_of(block.0) && block.0.is_multiple_of(512)) {
        return Err(format!("a surface is read in blocks that divide 1 MiB, not of {block}"));
    }
    if !(1..=4096).contains(&depth.0) {
        return Err(format!("a depth of {depth}; use 1 to 4096"));
    }
    Ok((block, depth))
}

fn validate_job(name: &str, written: &JobSchema, direct: bool) -> Result<JobTemplate, String> {
    let text = |field: &Option<String>, otherwise: &str| {
        field.clone().unwrap_or_else(|| otherwise.to_owned())
    };
    let (block_size, sizes) = values::parse_sizes(&text(&written.bs, "4k"))?;
    let mut job = Job {
        name: name.to_owned(),
        access: values::parse_access(&text(&written.access, "random"))?,
        mix: values::parse_mix(&text(&written.mix, "read"))?,
        block_size,
        depth: Depth(written.depth.unwrap_or(1)),
        workers: written.workers.unwrap_or(1),
        backend: parse_choice("engine", &text(&written.engine, "auto"), ENGINES)?,
        payload: values::parse_payload(&text(&written.payload, "unique"))?,
        pacing: parse_pacing(written)?,
        caps: parse_caps(written),
        warm_up: written.warm_up.as_deref().map_or(Ok(Nanos::ZERO), values::parse_time)?,
        touch: written.touch.unwrap_or(false),
        finish: written.finish.unwrap_or(false),
        direct,
        ..Job::base()
    };
    if sizes != workload::Sizes::Block {
        (job.sizes.read, job.sizes.write) = (sizes.clone(), sizes);
    }
    let every = written.sync_every.unwrap_or(1);
    job.sync = match &written.sync {
        Some(kind) => Some(SyncPolicy { kind: parse_choice("sync", kind, SYNCS)?, every }),
        None if written.sync_every.is_some() => {
            return Err("sync-every says how often, but no sync is asked".to_owned());
        }
        None => None,
    };
    let parse_durable = |text: &str| parse_choice("durable", text, DURABLE_WRITES);
    job.durable = written.durable.as_deref().map(parse_durable).transpose()?;
    if job.durable.is_some() && !has_write_flags(job.backend) {
        return Err("durable takes a flag of each write; use the engine auto or threads".to_owned());
    }
    job.think = parse_think_time(written)?;
    let time = written.time.as_deref().map_or(Ok(DEFAULT_TIME), values::parse_time)?;
    if time == Nanos::ZERO || time > TIME_MAX || job.warm_up > TIME_MAX {
        return Err(format!("a time of {time}; use more than none and at most {TIME_MAX}"));
    }
    job.stop = Stop { time: Some(time), bytes: None, operations: written.operations };
    let share =
        |field: &Option<String>| field.as_deref().map(str::parse::<SizeOrShare>).transpose();
    Ok(JobTemplate {
        name: name.to_owned(),
        span: share(&written.span)?.unwrap_or(SizeOrShare::Fraction(1.0)),
        offset: share(&written.offset)?.unwrap_or(SizeOrShare::Size(Bytes(0))),
        bytes: share(&written.bytes)?,
        job,
    })
}

fn has_write_flags(backend: BackendChoice) -> bool {
    use BackendChoice::{Mmap, Psync, Pvsync, Sync};
    !matches!(backend, Sync | Psync | Pvsync | Mmap)
}

fn parse_pacing(written: &JobSchema) -> Result<Pacing, String> {
    if written.arrivals.is_some() && written.rate.is_none() {
        return Err("arrivals are those of a rate, but no rate is asked".to_owned());
    }
    match (written.rate, &written.interval) {
        (Some(_), Some(_)) => Err("a rate and an interval; give one of them".to_owned()),
        (Some(rate), None) => {
            let arrivals = match &written.arrivals {
                Some(text) => parse_choice("arrivals", text, ARRIVALS)?,
                None => Arrivals::Poisson,
            };
            Ok(Pacing::Open { rate: Iops(rate), arrivals })
        }
        (None, Some(interval)) => Ok(Pacing::Spaced { interval: values::parse_time(interval)? }),
        (None, None) => Ok(Pacing::Closed),
    }
}

fn parse_caps(written: &JobSchema) -> Caps {
    let bytes = written.cap_mbps.map(|mb| Cap::Bytes(BytesPerSecond::from_mb(mb)));
    let cap = written.cap_iops.map(|iops| Cap::Operations(Iops(iops))).or(bytes);
    Caps { read: cap, write: cap, trim: None }
}

fn parse_think_time(written: &JobSchema) -> Result<Option<ThinkTime>, String> {
    if written.cap_iops.is_some() && written.cap_mbps.is_some() {
        return Err("cap-iops and cap-mbps; give one of them".to_owned());
    }
    let every = written.think_every.unwrap_or(1);
    match &written.think {
        Some(text) => {
            let time = values::parse_time(text)?;
            Ok(Some(ThinkTime { time, spin: Nanos::ZERO, every, after: Nanos::ZERO }))
        }
        None if written.think_every.is_some() => {
            Err("think-every says how often, but no think time is asked".to_owned())
        }
        None => Ok(None),
    }
}

/// Refuses what contradicts itself, on the file that the preset is meant for.
fn check_template(shape: JobTemplate, whole: Bytes) -> Result<JobTemplate, String> {
    let limits = TargetLimits { size: whole, offset_align: Bytes(512), writable: true };
    let job = shape
        .instantiate(Span { offset: Bytes(0), length: whole })
        .map_err(|why| why.to_string())?;
    job.validate(&limits).map_err(|error| error.conflict)?;
    if job.backend == BackendChoice::Auto && job.depth.0 > 4096 {
        return Err(format!("a depth of {} is beyond 4096", job.depth));
    }
    Ok(shape)
}

fn validate_threshold(
    written: &Spanned<ThresholdSchema>,
    steps: &[Step],
) -> Result<PresetThreshold, Refusal> {
    let (at, written) = (written.span().start, written.get_ref());
    build_threshold(written, steps)
        .map_err(|reason| (at, format!("threshold on '{}': {reason}", written.step)))
}

fn build_threshold(written: &ThresholdSchema, steps: &[Step]) -> Result<PresetThreshold, String> {
    let step = steps.iter().find(|step| step.plan.name == written.step);
    let step = step.ok_or_else(|| {
        let names = steps.iter().map(|step| step.plan.name.as_str());
        match find_nearest_name(&written.step, names) {
            Some(near) => format!("no such step; did you mean '{near}'?"),
            None => "no such step".to_owned(),
        }
    })?;
    let job = match (&written.job, step.jobs.as_slice()) {
        (_, []) => return Err("a surface has no thresholds".to_owned()),
        (None, [one]) => one,
        (None, _) => return Err("the step has several jobs; name one".to_owned()),
        (Some(name), jobs) => jobs
            .iter()
            .find(|job| job.name == *name)
            .ok_or_else(|| format!("the step has no job '{name}'"))?,
    };
    let has = job_directions(&job.job);
    let direction = match (&written.of, has.as_slice()) {
        (Some(word), _) => parse_choice("operation", word, DIRECTIONS)?,
        (None, [one]) => *one,
        (None, _) => return Err("the job has several kinds of operations; say of which".to_owned()),
    };
    if !has.contains(&direction) {
        return Err(format!("the job has no {}s", direction.name()));
    }
    let what = values::parse_figure(&written.statistic)?;
    let limit = match (what.is_rate(), written.at_least, &written.below) {
        (true, Some(limit), None) if limit > 0.0 && limit.is_finite() => match what {
            StepFigure::BytesPerSecond => limit * 1e6,
            _ => limit,
        },
        (true, ..) => return Err(format!("{} needs at-least, above 0", written.statistic)),
        (false, None, Some(text)) => match values::parse_time(text)? {
            Nanos::ZERO => return Err("no operation takes less than no time".to_owned()),
            time => time.0 as f64,
        },
        (false, ..) => return Err(format!("{} needs below, a time", written.statistic)),
    };
    let source = match (&written.source, written.convention) {
        (Some(url), false) if url.starts_with("https://") => Some(url.clone()),
        (None, true) => None,
        (Some(_), false) => return Err("its source is no https:// address".to_owned()),
        _ => {
            let what = "say where it is from: source = \"https://...\", or convention = true";
            return Err(what.to_owned());
        }
    };
    Ok(PresetThreshold {
        step: step.plan.name.clone(),
        job: job.name.clone(),
        direction,
        what,
        limit,
        source,
        recommended: written.recommended,
    })
}

fn job_directions(job: &Job) -> Vec<Direction> {
    let mut all = Vec::new();
    all.extend(job.mix.reads().then_some(Direction::Read));
    all.extend(job.mix.sends_data().then_some(Direction::Write));
    all.extend(job.sync.is_some().then_some(Direction::Sync));
    debug_assert!(!matches!(job.mix, Mix::Trim | Mix::TrimWrite), "presets have no trims");
    all
}
