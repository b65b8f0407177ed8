//! A stage that stands on many hosts: the same sequence of cells, measured by all of them.

use engine::{Clock, StopSignal, Target};
use jiff::Timestamp;
use record::{Completion, IoUringStatus, Plan};
use units::Bytes;

use super::{LayoutBudget, MeasureRequest, MeasureSession};

use crate::Observer;
use crate::cell::CellRunner;
use crate::error::MethodError;
use crate::host_session::HostLayoutBudget;
use crate::hosts::{HostRequest, HostTransport, RemoteHosts};
use crate::write_budget::describe_writes_on_hosts;

impl<'a> MeasureSession<'a> {
    /// Makes hosts ready, and stands on them. Nothing of this host is measured, nor opened.
    pub(crate) fn on_hosts(
        ask: &MeasureRequest,
        room: LayoutBudget<'_>,
        plan: &Plan,
        hosts: &'a mut dyn HostTransport,
        stop: &'a StopSignal,
        watch: &'a mut dyn Observer,
    ) -> Result<Self, MethodError> {
        let started = Timestamp::now();
        let refusal = engine::io_uring_refusal();
        let clock = Clock::best();
        let epoch_ns = clock.now();
        if !ask.read_only {
            watch.on_announcement(&describe_writes_on_hosts(ask, &room));
        }
        let setting = &HostLayoutBudget::from_layout_budget(room);
        let party = hosts.prepare(&HostRequest { ask, setting, plan }, stop, watch)?;
        let standing = RemoteHosts::new(hosts, party)?;
        let span = standing.span();
        let stage = Self {
            runner: CellRunner {
                target: Target::null(span.length),
                observed: None,
                clock,
                stop,
                epoch_ns,
                end_sync: None,
            },
            observer: watch,
            budget: room.budget,
            span,
            cells: Vec::new(),
            completion: Completion::Complete,
            seed: ask.seed,
            direct: standing.direct(),
            writable: standing.writable(),
            started,
            info: standing.info(),
            layout: standing.layout(),
            content: None,
            calibration: standing.calibration(),
            io_uring: IoUringStatus { available: refusal.is_none(), reason: refusal },
            given_size: span.length,
            write_budget: None,
            test_file: None,
            resumed_run: None,
            hosts: Some(standing),
        };
        stage.check_block_sizes(room.block_sizes)?;
        Ok(stage)
    }

    /// Sizes and offsets are multiples of this.
    pub(crate) fn offset_align(&self) -> Bytes {
        match (&self.hosts, self.opened()) {
            (Some(hosts), _) => hosts.offset_align(),
            (None, Some(opened)) => opened.offset_align,
            (None, None) => Bytes(512),
        }
    }

    /// Whether it stands on hosts, and not on this one.
    pub(crate) fn is_on_hosts(&self) -> bool {
        self.hosts.is_some()
    }

    /// Processors that workers may use: those of the smallest host.
    pub(crate) fn processors(&self) -> u32 {
        let here = || std::thread::available_parallelism().map_or(1, usize::from) as u32;
        self.hosts.as_ref().map_or_else(here, |hosts| hosts.processors.max(1))
    }
}
