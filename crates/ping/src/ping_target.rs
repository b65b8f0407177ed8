//! What is pinged: found out about, laid out, open.

use std::ffi::OsStr;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use engine::{SingleOptions, Target};
use message::{Message, label, messages};
use method::CounterReading;
use record::{PingTarget, TargetInfo, TargetKind};
use target::{
    CounterSnapshot, KEPT_WORK_FILE_NAME, OpenTarget, PathHandle, PermitOptions, PreparePolicy,
    PreparedTarget, Roots, TargetAccess, TargetError, TestFile, WorkFile, is_contentless_device,
    open_contentless_device, open_for_writing, permit_named, prepare, query_extents,
    query_free_space, query_residency, reserved_space, set_direct_io,
};
use units::{Bytes, Nanos};
use workload::{DurableWrites, Span};

use crate::error::PingError;
use crate::observer::Announcer;
use crate::random_stream::RandomStream;
use crate::settings::PingSettings;
use crate::stop::PingStop;

const WORK_FILE_SIZE: Bytes = Bytes::mib(1);
/// The same of a run as fast as it goes.
const RAPID_WORK_FILE_SIZE: Bytes = Bytes::mib(64);

pub(crate) struct OpenPingTarget {
    pub(crate) place: PingTarget,
    pub(crate) target: Target,
    pub(crate) span: Span,
    /// What its first requester draws from.
    pub(crate) random: RandomStream,
    /// How much of a device was looked at before it is written.
    pub(crate) scan: Option<String>,
    /// What is known of it; nothing of a character device.
    pub(crate) evidence: Option<PingEvidence>,
}

/// What is looked at before the requests, to be compared with after.
pub(crate) struct PingEvidence {
    pub(crate) info: TargetInfo,
    pub(crate) before: CounterReading,
    /// The file once more, for its page cache.
    pub(crate) file: std::fs::File,
}

impl PingEvidence {
    pub(crate) fn read_again(&self, span: Span, roots: &Roots) -> CounterReading {
        let query = |_| query_residency(&self.file, span.offset, span.length);
        CounterReading {
            cached: self.before.cached.and_then(query),
            counters: CounterSnapshot::take(&self.info.stack, roots),
        }
    }
}

impl OpenPingTarget {
    fn new(place: PingTarget, opened: OpenTarget, span: Span, random: RandomStream) -> Self {
        let (limits, align) = (opened.limits(), opened.memory_align);
        let target = Target::new(opened.file, limits, align);
        Self { place, target, span, random, scan: None, evidence: None }
    }

    /// Reads once more what is compared with after the requests.
    pub(crate) fn refresh_counters(&mut self, roots: &Roots) {
        if let Some(evidence) = &mut self.evidence {
            evidence.before.counters = CounterSnapshot::take(&evidence.info.stack, roots);
        }
    }
}

impl PingSettings {
    pub(crate) fn single_options(&self) -> SingleOptions {
        let durable = match (self.io.sync, self.io.dsync) {
            (true, _) => Some(DurableWrites::DataAndMetadata),
            (false, true) => Some(DurableWrites::Data),
            (false, false) => None,
        };
        SingleOptions {
            submitted: self.io.submitted,
            nowait: self.io.nowait,
            hipri: self.io.hipri,
            durable,
            forget: !self.io.cached,
            settle: !self.io.cached,
        }
    }

    fn announce_requests(&self, announce: Announcer, place: Message) {
        if let Some(announce) = announce {
            announce(&RequestsWrite { size: self.size, place, end: self.describe_end() }.into());
        }
    }

    /// Announces what is written in `folder`: a new work file of `size`, requests, or both. Nobody
    /// needs to hear of the usual work file of a run that reads.
    fn announce_work_file(&self, announce: Announcer, folder: &Path, size: Option<Bytes>) {
        let (folder, requests) = (folder.display().to_string(), self.writes.any());
        match (size, announce) {
            (Some(work), Some(announce)) if requests || work > WORK_FILE_SIZE => {
                let (size, end) = (self.size, self.describe_end());
                announce(&match requests {
                    true => WritesWorkFile { work, folder, size, end }.into(),
                    false => OnlyWritesWorkFile { work, folder, end }.into(),
                });
            }
            (None, _) if requests => self.announce_requests(announce, ToWorkFile { folder }.into()),
            _ => {}
        }
    }

    fn describe_end(&self) -> Message {
        match (self.schedule.count, self.schedule.time) {
            (0, Nanos::ZERO) => label("announce-until-stopped"),
            (0, time) => ForTime { time }.into(),
            (times, _) => AtMost { times }.into(),
        }
    }

    fn plan_span(&self, path: &Path, size: Option<Bytes>) -> Result<Span, PingError> {
        let of_work = if self.work.rapid { RAPID_WORK_FILE_SIZE } else { WORK_FILE_SIZE };
        let work = self.work.size.unwrap_or(of_work.max(self.size));
        let offset = self.work.offset;
        let whole = size.unwrap_or(Bytes(offset.0.saturating_add(work.0)));
        let wanted = self.work.size.unwrap_or(Bytes(0));
        let path = path.display();
        if wanted > whole || offset.0 > whole.0 - wanted.0 {
            let what = format!(
                "{path} has {whole}: too small for a work size of {wanted} from {offset} on"
            );
            return Err(PingError::invalid_setup(what, "use a smaller -S or -o"));
        }
        let length = match wanted {
            Bytes(0) => Bytes(whole.0 - offset.0),
            wanted => wanted,
        };
        if self.size > length {
            let what = format!("a request of {} does not fit into {length} of {path}", self.size);
            let hint = "use a smaller -s, or a larger -S or target";
            return Err(PingError::invalid_setup(what, hint));
        }
        Ok(Span { offset, length })
    }
}

struct PingPolicy<'a> {
    path: &'a Path,
    settings: &'a PingSettings,
    random: RandomStream,
    /// One request's contents.
    chunk: Vec<u8>,
    roots: &'a Roots,
    stop: &'a PingStop,
    announce: Announcer,
    /// The part of a work file that was made.
    work_span: Option<Span>,
}

impl<'a> PreparePolicy<'a> for PingPolicy<'a> {
    type Error = PingError;

    fn choose_access(&mut self, _: &TargetInfo) -> Result<TargetAccess<'a>, PingError> {
        let (settings, direct) = (self.settings, self.settings.io.direct);
        if !settings.writes.any() {
            return Ok(TargetAccess::Read { direct });
        }
        if settings.write_confirmations < 3 {
            return Err(PingError::Shred(self.path.to_owned()));
        }
        let path = self.path.display().to_string();
        settings.announce_requests(self.announce, OverContents { path }.into());
        let options = PermitOptions {
            confirmed_device: settings.destroy_data_on.as_deref(),
            announce: self.announce,
            ..PermitOptions::default()
        };
        Ok(TargetAccess::WriteNamed { options, direct })
    }

    fn open_in_folder(
        &mut self,
        folder: &PathHandle,
        _: &TargetInfo,
    ) -> Result<(OpenTarget, Option<TestFile>), PingError> {
        let span = self.settings.plan_span(self.path, None)?;
        self.work_span = Some(span);
        Ok((self.create_work_file(folder, span)?, None))
    }
}

/// Finds out what `path` is and makes it ready, unless it is stopped before.
pub(crate) fn prepare_target(
    path: &Path,
    settings: &PingSettings,
    roots: &Roots,
    stop: &PingStop,
    announce: Announcer,
) -> Result<OpenPingTarget, PingError> {
    let handle = &PathHandle::open(path)?;
    let mut random = RandomStream::new(settings.seed);
    // Drawn by ioping of every target, whether it is written or not.
    let mut chunk = vec![0; settings.size.0 as usize];
    random.fill(&mut chunk);
    if is_contentless_device(handle) {
        return prepare_contentless(handle, settings, random, announce);
    }
    let work_span = None;
    let mut policy = PingPolicy { path, settings, random, chunk, roots, stop, announce, work_span };
    let PreparedTarget { mut info, opened, scan, .. } = prepare(handle, &mut policy, roots)?;
    let span = match policy.work_span {
        Some(span) => span,
        None => settings.plan_span(path, Some(opened.size))?,
    };
    check_direct_io(path, settings, &opened, span)?;
    let place = describe_place(path, &info, opened.size);
    opened.describe_in(&mut info);
    // Requests through the page cache ask it to forget first: whether it did, counters tell.
    info.direct = opened.direct || !settings.io.cached;
    if info.kind != TargetKind::BlockDevice {
        info.extents = query_extents(&opened.file, span.offset, span.length).ok().flatten();
    }
    let file = opened
        .file
        .try_clone()
        .map_err(|error| PingError::invalid_setup(format!("{}: {error}", path.display()), ""))?;
    let looks = opened.direct || settings.io.cached;
    let cached = looks.then(|| query_residency(&file, span.offset, span.length)).flatten();
    let before = CounterReading { cached, counters: CounterSnapshot::take(&info.stack, roots) };
    Ok(OpenPingTarget {
        scan: scan.map(|scan| format!("{}: {}", path.display(), scan.describe_outcome())),
        evidence: Some(PingEvidence { info, before, file }),
        ..OpenPingTarget::new(place, opened, span, policy.random)
    })
}

/// A device behind which nothing is kept: reading it harms nobody, and there is nothing to find.
fn prepare_contentless(
    handle: &PathHandle,
    settings: &PingSettings,
    random: RandomStream,
    announce: Announcer,
) -> Result<OpenPingTarget, PingError> {
    let path = handle.path();
    if settings.writes.any() && settings.write_confirmations < 3 {
        return Err(PingError::Shred(path.to_owned()));
    }
    let opened = match settings.writes.any() {
        true => {
            let path = path.display().to_string();
            settings.announce_requests(announce, ToPath { path }.into());
            let permit = permit_named(handle, PermitOptions::default(), &Roots::host())?;
            open_for_writing(&permit, false)?
        }
        false => open_contentless_device(handle)?,
    };
    if settings.io.direct {
        set_direct_io(&opened.file, true).map_err(|_| no_direct_io_error(path))?;
    }
    let place = PingTarget {
        path: path.to_string_lossy().into_owned(),
        kind: "character".to_owned(),
        device: "device".to_owned(),
        size: Bytes(0),
    };
    Ok(OpenPingTarget::new(place, opened, settings.plan_span(path, None)?, random))
}

impl PingPolicy<'_> {
    fn create_work_file(
        &mut self,
        folder: &PathHandle,
        span: Span,
    ) -> Result<OpenTarget, PingError> {
        let Self { settings, random, chunk, .. } = self;
        refuse_without_space(folder, settings, span)?;
        let work = match settings.work.keep_file {
            true => WorkFile::open_or_create_kept(folder, self.roots)?,
            false => WorkFile::create_unnamed(folder)?,
        };
        let path = folder.path().display();
        let failed = |attempt: &str, error: &io::Error| {
            let what = format!("cannot {attempt} the work file in {path}: {error}");
            PingError::invalid_setup(what, "use a smaller work size (-S), or another folder")
        };
        let Span { offset, length } = span;
        let end = Bytes(offset.0.saturating_add(length.0));
        let written = !(settings.work.keep_file && work.is_written_to(end));
        settings.announce_work_file(self.announce, folder.path(), written.then_some(length));
        let mut at = if written { 0 } else { length.0 };
        while at < length.0 {
            // Written for minutes, it is not synced either: what has no name is gone with it.
            if self.stop.is_raised() {
                return Err(PingError::Interrupted);
            }
            let part = &mut chunk[..settings.size.0.min(length.0 - at) as usize];
            if at > 0 {
                random.fill(part);
            }
            let offset = Bytes(offset.0.saturating_add(at));
            work.write(part, offset).map_err(|error| failed("write", &error))?;
            at += part.len() as u64;
        }
        let opened =
            work.into_open_target(settings.io.direct).map_err(|error| failed("sync", &error))?;
        // Written as ioping writes it: directly, its last piece too.
        let lengths = [settings.size.0, offset.0, length.0];
        let fits = |align: u64| lengths.iter().all(|bytes| bytes.is_multiple_of(align));
        if written && opened.direct && !known_alignment(&opened).is_none_or(fits) {
            let what = format!(
                "direct I/O in {path} takes multiples of {}; a work file of {length} from \
                 {offset} on, in pieces of {}, is none",
                opened.offset_align, settings.size
            );
            return Err(PingError::invalid_setup(what, "change -s, -S and -o, or leave out -D"));
        }
        Ok(opened)
    }
}

/// Refuses a work file that would leave less of its file system free than every layout leaves.
fn refuse_without_space(
    folder: &PathHandle,
    settings: &PingSettings,
    span: Span,
) -> Result<(), PingError> {
    let room = query_free_space(folder)?;
    let kept = folder.entry_named(OsStr::new(KEPT_WORK_FILE_NAME))?;
    // Of a kept file behind an offset it is not known which part has its space already.
    let counts = settings.work.keep_file && span.offset.0 == 0;
    let kept = if counts { kept.open().ok().flatten() } else { None };
    let present = kept.and_then(|file| file.metadata().ok()).map_or(0, |file| file.blocks() * 512);
    let needed = Bytes(span.length.0.saturating_sub(present));
    let available = Bytes(room.free.0.saturating_sub(reserved_space(room.total).0));
    // What does not say how large it is cannot be checked.
    if needed <= available || room.total.0 == 0 {
        return Ok(());
    }
    let path = folder.path().to_owned();
    Err(TargetError::NoSpace { path, needed, available, free: room.free }.into())
}

/// Whether direct I/O can be had as it was asked for. An alignment that is only assumed is for the
/// kernel to judge, request by request.
fn check_direct_io(
    path: &Path,
    settings: &PingSettings,
    opened: &OpenTarget,
    span: Span,
) -> Result<(), PingError> {
    if !settings.io.direct {
        return Ok(());
    }
    if !opened.direct {
        return Err(no_direct_io_error(path));
    }
    let starts = [settings.size.0, span.offset.0];
    if known_alignment(opened).is_none_or(|align| starts.iter().all(|n| n.is_multiple_of(align))) {
        return Ok(());
    }
    let what = format!(
        "direct I/O on {} takes multiples of {}; requests of {} from {} on are none",
        path.display(),
        opened.offset_align,
        settings.size,
        span.offset
    );
    Err(PingError::Misaligned(what))
}

fn no_direct_io_error(path: &Path) -> PingError {
    let what = format!("{} cannot be opened with O_DIRECT", path.display());
    PingError::invalid_setup(what, "try again without -D")
}

/// What direct I/O must be a multiple of, where the system says so.
fn known_alignment(opened: &OpenTarget) -> Option<u64> {
    (opened.align_source != "assumed").then_some(opened.offset_align.0.max(1))
}

fn describe_place(path: &Path, info: &TargetInfo, size: Bytes) -> PingTarget {
    let path = path.to_string_lossy().into_owned();
    if info.kind == TargetKind::BlockDevice {
        return PingTarget { path, kind: "block".to_owned(), device: "device".to_owned(), size };
    }
    let Some(system) = &info.file_system else {
        return PingTarget { path, ..PingTarget::default() };
    };
    let device = match std::fs::canonicalize(&system.source) {
        Ok(real) if system.source.starts_with('/') => real.to_string_lossy().into_owned(),
        _ => system.source.clone(),
    };
    PingTarget { path, kind: system.kind.clone(), device, size: system.size }
}

messages! {
    RequestsWrite = "announce-requests-write" { size: Bytes, place: Message, end: Message };
    ToPath = "announce-to-path" { path: String };
    OverContents = "announce-over-contents" { path: String };
    ToWorkFile = "announce-to-work-file" { folder: String };
    WritesWorkFile = "announce-work-file-then-requests" {
        work: Bytes, folder: String, size: Bytes, end: Message,
    };
    OnlyWritesWorkFile = "announce-work-file-then-reads" {
        work: Bytes, folder: String, end: Message,
    };
    ForTime = "announce-for-time" { time: Nanos };
    AtMost = "announce-at-most" { times: u64 };
}
