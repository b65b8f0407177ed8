//! A target of this host: opened, laid out, and measured by this process.

use std::time::Duration;

use engine::{Clock, StopSignal, Target};
use record::reasons::{Interrupted, LayoutFailed, LayoutTooSmall};
use record::{Calibration, ClockSource, Completion, TargetInfo, TargetKind};
use target::{OpenTarget, PathHandle, PreparedTarget, Roots, TargetError, TestFile, query_extents};
use units::{Bytes, Iops, Nanos};
use workload::{Payload, Span};

use super::facts::{RunClock, SiteFacts};
use crate::cell::{CellRunner, ObservedTarget};
use crate::defaults::SPAN_MIN;
use crate::error::MethodError;
use crate::layout::{LayoutOutcome, LayoutRequest, write_layout};
use crate::observer::Observer;
use crate::phase::{LayingOutFile, LookingAtTarget};
use crate::prepared_target::prepare_span;
use crate::record_builder::{ended_early, failed};
use crate::request::{LayoutBudget, MeasureRequest};
use crate::request_checks::check_block_sizes;

const CALIBRATION_TIME: Duration = Duration::from_millis(60);

pub(crate) struct LocalSite {
    pub(crate) runner: CellRunner,
    /// Removed with the site.
    pub(crate) test_file: Option<TestFile>,
}

impl LocalSite {
    /// Looks at the open target, lays out a test file in a folder, and makes ready to measure.
    ///
    /// Where the layout failed or was stopped, the completion says so.
    pub(crate) fn open(
        request: &MeasureRequest,
        handle: &PathHandle,
        budget: &LayoutBudget,
        roots: &Roots,
        stop: &StopSignal,
        observer: &mut dyn Observer,
    ) -> Result<(Self, SiteFacts, RunClock, Completion), MethodError> {
        observer.on_phase(&LookingAtTarget {}.into(), 0.0);
        let (prepared, span) = prepare_span(request, handle, budget, roots, observer)?;
        let PreparedTarget { info, opened, test_file, .. } = prepared;
        check_block_sizes(&budget.block_sizes, opened.offset_align, span.length)?;
        let clock = Clock::best();
        let mut facts = SiteFacts {
            span,
            direct: opened.direct,
            writable: opened.writable,
            offset_align: opened.offset_align,
            given_size: opened.size,
            layout: None,
            calibration: calibrate(&clock, engine::io_uring_refusal().is_none()),
            roots: roots.clone(),
            health: target::read_stack_health(&info.stack, roots),
            info,
        };
        let target = open_again(&opened, &facts.info)?;
        let clock = RunClock::start(clock, budget.budget);
        let stack = facts.info.stack.clone();
        let observed = Some(ObservedTarget { opened, stack, roots: roots.clone() });
        let (epoch_ns, clock_source) = (clock.epoch_ns, clock.clock);
        let runner = CellRunner {
            target,
            observed,
            clock: clock_source,
            epoch_ns,
            end_sync: None,
            steps: None,
            simulated_limits: Vec::new(),
        };
        let mut site = Self { runner, test_file };
        let mut completion = Completion::Complete;
        if facts.writable {
            observer.on_phase(&LayingOutFile {}.into(), clock.share_used());
            let layout = LayoutRequest {
                target: &site.runner.target,
                span,
                direct: facts.direct,
                seed: request.seed,
                payload: Payload::Unique,
                time_max: budget.layout,
            };
            let laid_out = write_layout(&layout, &clock.clock, stop, &mut |progress| {
                observer.on_progress(progress, clock.share_used());
            })?;
            completion = site.keep_layout(&laid_out, &mut facts.span)?;
            facts.layout = Some(laid_out.run);
        }
        if completion == Completion::Complete {
            site.use_span(&mut facts);
            // The layout may have come out smaller.
            check_block_sizes(&budget.block_sizes, facts.offset_align, facts.span.length)?;
        }
        Ok((site, facts, clock, completion))
    }

    fn keep_layout(
        &mut self,
        laid_out: &LayoutOutcome,
        span: &mut Span,
    ) -> Result<Completion, MethodError> {
        if let Some(error) = laid_out.failed.clone() {
            return Ok(failed(LayoutFailed { error }));
        }
        if laid_out.stopped {
            return Ok(ended_early(Interrupted {}));
        }
        let written = Bytes(laid_out.run.written.0 / Bytes::MIB * Bytes::MIB);
        if written < span.length {
            if written < SPAN_MIN {
                return Ok(failed(LayoutTooSmall { written }));
            }
            span.length = written;
            if let Some(file) = &mut self.test_file {
                file.shrink(written)?;
            }
        }
        Ok(Completion::Complete)
    }

    fn use_span(&mut self, facts: &mut SiteFacts) {
        let Span { offset, length } = facts.span;
        let size = Bytes(offset.0 + length.0);
        let Some(observed) = &mut self.runner.observed else { return };
        if facts.writable {
            observed.opened.size = size;
            self.runner.target = self.runner.target.clone().with_size(size);
        }
        if facts.info.kind != TargetKind::BlockDevice {
            // A file system that cannot say leaves it absent: the check then says not-observable.
            let extents = query_extents(&observed.opened.file, offset, length);
            facts.info.extents = extents.ok().flatten();
        }
    }

    pub(crate) fn opened(&self) -> Option<&OpenTarget> {
        self.runner.observed.as_ref().map(|observed| &observed.opened)
    }

    /// Measures on another file, or on more of the device; what was measured on before, to be
    /// replaced again.
    pub(crate) fn replace_target(
        &mut self,
        info: &TargetInfo,
        size: Bytes,
        other: Option<OpenTarget>,
    ) -> Result<(Target, Option<OpenTarget>), MethodError> {
        let target = match &other {
            Some(opened) => open_again(opened, info)?,
            None => self.runner.target.clone().with_size(size),
        };
        Ok(self.restore_target((target, other)))
    }

    pub(crate) fn restore_target(
        &mut self,
        (target, opened): (Target, Option<OpenTarget>),
    ) -> (Target, Option<OpenTarget>) {
        let target = std::mem::replace(&mut self.runner.target, target);
        let observed = self.runner.observed.as_mut().zip(opened);
        let opened = observed.map(|(observed, new)| std::mem::replace(&mut observed.opened, new));
        (target, opened)
    }
}

fn open_again(opened: &OpenTarget, info: &TargetInfo) -> Result<Target, MethodError> {
    let file = opened.file.try_clone().map_err(|source| TargetError::Io {
        attempt: "use",
        path: (&info.path).into(),
        source,
    })?;
    Ok(Target::new(file, opened.limits(), opened.memory_align))
}

/// What the load generator can do without a disk.
fn calibrate(clock: &Clock, io_uring: bool) -> Calibration {
    let before = clock.now();
    let capability =
        io_uring.then(|| engine::calibrate_generator(clock, CALIBRATION_TIME).ok()).flatten();
    Calibration {
        clock: match clock.kind() {
            engine::ClockKind::Tsc => ClockSource::Tsc,
            engine::ClockKind::Monotonic => ClockSource::Monotonic,
        },
        clock_read_ns: engine::measure_clock_cost(clock),
        tsc_hz: clock.hz(),
        nop_iops_depth_1: capability.map(|c| Iops(c.nop_iops_depth_1)),
        nop_iops_depth_32: capability.map(|c| Iops(c.nop_iops_depth_32)),
        took: Nanos(clock.now() - before),
    }
}
