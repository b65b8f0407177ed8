//! What is pinged: found out about, laid out, open.

use std::ffi::OsStr;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use engine::{Clock, SingleOptions, Target};
use record::{PingTarget, TargetInfo, TargetKind};
use target::{
    CounterSnapshot, KEPT_WORK_FILE_NAME, OpenTarget, PathHandle, PermitOptions, PreparePolicy,
    PreparedTarget, Roots, TargetAccess, TargetError, TestFile, WorkFile, is_contentless_device,
    open_contentless_device, open_for_writing, permit_named, prepare, query_extents,
    query_free_space, query_residency, reserved_space, set_direct_io,
};
use units::{Bytes, Nanos};
use workload::DurableWrites;

use crate::error::PingError;
use crate::observer::Announcer;
use crate::random_stream::RandomStream;
use crate::settings::PingSettings;
use crate::stop::PingStop;

/// Size of the work file in a folder.
const WORK_FILE_SIZE: Bytes = Bytes::mib(1);
/// The same of a run as fast as it goes.
const RAPID_WORK_FILE_SIZE: Bytes = Bytes::mib(64);

pub(crate) struct OpenPingTarget {
    pub(crate) place: PingTarget,
    pub(crate) target: Target,
    /// Where the requests go.
    pub(crate) offset: Bytes,
    pub(crate) span: Bytes,
    /// How much of a device was looked at before it is written.
    pub(crate) scan: Option<String>,
    /// What is known of it; nothing of a character device.
    pub(crate) evidence: Option<PingEvidence>,
}

/// What is looked at before the requests, to be compared with after.
pub(crate) struct PingEvidence {
    pub(crate) info: TargetInfo,
    pub(crate) before: CounterSnapshot,
    pub(crate) cached_before: Option<(&'static str, u64, u64)>,
    /// The file once more, for its page cache.
    pub(crate) file: std::fs::File,
}

impl PingEvidence {
    pub(crate) fn query_residency_again(
        &self,
        prepared: &OpenPingTarget,
    ) -> Option<(&'static str, u64, u64)> {
        self.cached_before.and_then(|_| query_residency(&self.file, prepared.offset, prepared.span))
    }
}

impl OpenPingTarget {
    /// Reads once more what is compared with after the requests.
    pub(crate) fn refresh_counters(&mut self, roots: &Roots) {
        if let Some(evidence) = &mut self.evidence {
            evidence.before = CounterSnapshot::take(&evidence.info.stack, roots);
        }
    }
}

struct RequestSpan {
    offset: Bytes,
    span: Bytes,
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

    fn announce(&self, announce: Announcer, place: &str) {
        if let Some(announce) = announce {
            announce(&format!("writes {} per request {place}, {}", self.size, self.describe_end()));
        }
    }

    /// Announces what is written in `folder`: a new work file of `size`, requests, or both. Nobody
    /// needs to hear of the usual work file of a run that reads.
    fn announce_work_file(&self, announce: Announcer, folder: &Path, size: Option<Bytes>) {
        let (folder, requests) = (folder.display(), self.writes.any());
        match (size, announce) {
            (Some(size), Some(announce)) if requests || size > WORK_FILE_SIZE => {
                let each = format!("{} per request", self.size);
                let then = if requests { &*each } else { "only reads" };
                let end = self.describe_end();
                announce(&format!("writes a work file of {size} in {folder}, then {then}, {end}"));
            }
            (None, _) if requests => {
                self.announce(announce, &format!("to the work file in {folder}"));
            }
            _ => {}
        }
    }

    fn describe_end(&self) -> String {
        match (self.schedule.count, self.schedule.time) {
            (0, Nanos::ZERO) => "until it is stopped".to_owned(),
            (0, time) => format!("for {time}"),
            (count, _) => format!("{count} times at most"),
        }
    }

    fn plan_span(&self, path: &Path, size: Option<Bytes>) -> Result<RequestSpan, PingError> {
        let of_work = if self.work.rapid { RAPID_WORK_FILE_SIZE } else { WORK_FILE_SIZE };
        let work = self.work.size.unwrap_or(of_work.max(self.size));
        let whole = size.unwrap_or(Bytes(self.work.offset.0.saturating_add(work.0)));
        let wanted = self.work.size.unwrap_or(Bytes(0));
        if wanted > whole || self.work.offset.0 > whole.0 - wanted.0 {
            let what = format!(
                "{} has {whole}: too small for a work size of {wanted} from {} on",
                path.display(),
                self.work.offset
            );
            return Err(PingError::invalid_setup(what, "use a smaller -S or -o"));
        }
        let span = match wanted {
            Bytes(0) => Bytes(whole.0 - self.work.offset.0),
            wanted => wanted,
        };
        if self.size > span {
            let what = format!(
                "a request of {} does not fit into {span} of {}",
                self.size,
                path.display()
            );
            return Err(PingError::invalid_setup(
                what,
                "use a smaller -s, or a larger -S or target",
            ));
        }
        Ok(RequestSpan { offset: self.work.offset, span })
    }
}

struct PingPolicy<'a> {
    path: &'a Path,
    settings: &'a PingSettings,
    random: &'a mut RandomStream,
    roots: &'a Roots,
    stop: &'a PingStop,
    announce: Announcer,
    /// The part of a work file that was made.
    part: Option<RequestSpan>,
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
        let what = format!("to {}, overwriting its contents", self.path.display());
        settings.announce(self.announce, &what);
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
        let Self { path, settings, random, roots, stop, announce, .. } = self;
        let part = settings.plan_span(path, None)?;
        let opened = create_work_file(folder, settings, &part, random, roots, stop, *announce)?;
        self.part = Some(part);
        Ok((opened, None))
    }
}

/// Finds out what `path` is and makes it ready, unless it is stopped before.
pub(crate) fn prepare_target(
    path: &Path,
    settings: &PingSettings,
    random: &mut RandomStream,
    roots: &Roots,
    stop: &PingStop,
    announce: Announcer,
) -> Result<OpenPingTarget, PingError> {
    let handle = &PathHandle::open(path)?;
    if is_contentless_device(handle) {
        return prepare_contentless(handle, settings, random, announce);
    }
    let mut policy = PingPolicy { path, settings, random, roots, stop, announce, part: None };
    let PreparedTarget { mut info, opened, scan, .. } = prepare(handle, &mut policy, roots)?;
    let part = match policy.part {
        Some(part) => part,
        None => {
            random.fill(&mut vec![0; settings.size.0 as usize]);
            settings.plan_span(path, Some(opened.size))?
        }
    };
    check_direct_io(path, settings, &opened, &part)?;
    let place = describe_place(path, &info, opened.size);
    opened.describe_in(&mut info);
    // Requests through the page cache ask it to forget first: whether it did, counters tell.
    info.direct = opened.direct || !settings.io.cached;
    if info.kind != TargetKind::BlockDevice {
        info.extents = query_extents(&opened.file, part.offset, part.span).ok().flatten();
    }
    let failed =
        |error: io::Error| PingError::invalid_setup(format!("{}: {error}", path.display()), "");
    let file = opened.file.try_clone().map_err(failed)?;
    let looks = opened.direct || settings.io.cached;
    let cached_before = looks.then(|| query_residency(&file, part.offset, part.span)).flatten();
    let before = CounterSnapshot::take(&info.stack, roots);
    let (limits, align) = (opened.limits(), opened.memory_align);
    Ok(OpenPingTarget {
        place,
        target: Target::new(opened.file, limits, align),
        offset: part.offset,
        span: part.span,
        scan: scan.map(|scan| format!("{}: {}", path.display(), scan.describe_outcome())),
        evidence: Some(PingEvidence { info, before, cached_before, file }),
    })
}

/// A device behind which nothing is kept: reading it harms nobody, and there is nothing to find.
fn prepare_contentless(
    handle: &PathHandle,
    settings: &PingSettings,
    random: &mut RandomStream,
    announce: Announcer,
) -> Result<OpenPingTarget, PingError> {
    let path = handle.path();
    if settings.writes.any() && settings.write_confirmations < 3 {
        return Err(PingError::Shred(path.to_owned()));
    }
    let opened = match settings.writes.any() {
        true => {
            settings.announce(announce, &format!("to {}", path.display()));
            let permit = permit_named(handle, PermitOptions::default(), &Roots::host())?;
            open_for_writing(&permit, false)?
        }
        false => open_contentless_device(handle)?,
    };
    if settings.io.direct {
        set_direct_io(&opened.file, true).map_err(|_| no_direct_io_error(path))?;
    }
    random.fill(&mut vec![0; settings.size.0 as usize]);
    let part = settings.plan_span(path, None)?;
    let place = PingTarget {
        path: path.to_string_lossy().into_owned(),
        kind: "character".to_owned(),
        device: "device".to_owned(),
        size: Bytes(0),
    };
    let (limits, align) = (opened.limits(), opened.memory_align);
    let target = Target::new(opened.file, limits, align);
    Ok(OpenPingTarget {
        place,
        target,
        offset: part.offset,
        span: part.span,
        scan: None,
        evidence: None,
    })
}

fn create_work_file(
    folder: &PathHandle,
    settings: &PingSettings,
    part: &RequestSpan,
    random: &mut RandomStream,
    roots: &Roots,
    stop: &PingStop,
    announce: Announcer,
) -> Result<OpenTarget, PingError> {
    refuse_without_space(folder, settings, part)?;
    let work = match settings.work.keep_file {
        true => WorkFile::open_or_create_kept(folder, roots)?,
        false => WorkFile::create_unnamed(folder)?,
    };
    let failed = |attempt: &str, error: &io::Error| {
        let what =
            format!("cannot {attempt} the work file in {}: {error}", folder.path().display());
        PingError::invalid_setup(what, "use a smaller work size (-S), or another folder")
    };
    let end = Bytes(part.offset.0.saturating_add(part.span.0));
    let mut chunk = vec![0; settings.size.0 as usize];
    random.fill(&mut chunk);
    let written = !(settings.work.keep_file && work.is_written_to(end));
    settings.announce_work_file(announce, folder.path(), written.then_some(part.span));
    if written {
        let mut at = 0;
        while at < part.span.0 {
            // Written for minutes, it is not synced either: what has no name is gone with it.
            if stop.is_raised() {
                return Err(PingError::Interrupted);
            }
            let length = settings.size.0.min(part.span.0 - at) as usize;
            if at > 0 {
                random.fill(&mut chunk[..length]);
            }
            let offset = Bytes(part.offset.0.saturating_add(at));
            work.write(&chunk[..length], offset).map_err(|error| failed("write", &error))?;
            at += length as u64;
        }
    }
    let opened =
        work.into_open_target(settings.io.direct).map_err(|error| failed("sync", &error))?;
    if written && opened.direct && !is_work_file_aligned(&opened, part, settings.size) {
        let what = format!(
            "direct I/O in {} takes multiples of {}; a work file of {} from {} on, in pieces of \
             {}, is none",
            folder.path().display(),
            opened.offset_align,
            part.span,
            part.offset,
            settings.size
        );
        return Err(PingError::invalid_setup(what, "change -s, -S and -o, or leave out -D"));
    }
    Ok(opened)
}

/// Refuses a work file that would leave less of its file system free than every layout leaves.
fn refuse_without_space(
    folder: &PathHandle,
    settings: &PingSettings,
    part: &RequestSpan,
) -> Result<(), PingError> {
    let room = query_free_space(folder)?;
    let kept = folder.entry_named(OsStr::new(KEPT_WORK_FILE_NAME))?;
    // Of a kept file behind an offset it is not known which part has its space already.
    let counts = settings.work.keep_file && part.offset.0 == 0;
    let kept = if counts { kept.open().ok().flatten() } else { None };
    let present = kept.and_then(|file| file.metadata().ok()).map_or(0, |file| file.blocks() * 512);
    let needed = Bytes(part.span.0.saturating_sub(present));
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
    part: &RequestSpan,
) -> Result<(), PingError> {
    if !settings.io.direct {
        return Ok(());
    }
    if !opened.direct {
        return Err(no_direct_io_error(path));
    }
    match known_alignment(opened) {
        Some(align) if !settings.size.0.is_multiple_of(align) => {}
        Some(align) if !part.offset.0.is_multiple_of(align) => {}
        _ => return Ok(()),
    }
    let what = format!(
        "direct I/O on {} takes multiples of {}; requests of {} from {} on are none",
        path.display(),
        opened.offset_align,
        settings.size,
        part.offset
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

/// Whether a work file could have been written as ioping writes it: directly, its last piece too.
fn is_work_file_aligned(opened: &OpenTarget, part: &RequestSpan, size: Bytes) -> bool {
    let lengths = [size.0, part.offset.0, part.span.0];
    known_alignment(opened)
        .is_none_or(|align| lengths.iter().all(|bytes| bytes.is_multiple_of(align)))
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

/// The clock that replies are stamped by: the kernel's, read as ioping reads it.
pub(crate) fn reply_clock() -> Clock {
    Clock::monotonic()
}
