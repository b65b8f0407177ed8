//! Where a command measures: on this host, or from many hosts at once.

mod host_records;
mod wave_run;

use std::path::{Path, PathBuf};

use engine::{SplitMix64, StopSignal};
use fleet::{
    AgentInfo, Coordinator, HostSelection, NatsServer, WaveContext, WaveLimits, plan_waves,
};
use method::{MeasureRequest, MethodError, Observer, Place};
use record::{FleetSpan, Record};
use target::Roots;
use units::{ErrorKind, Seed};
use workload::Bound;

use crate::args::Common;
use crate::exit::Failure;
use crate::terminal;
pub(crate) use host_records::{history_location, save_to_history, unsaved_records};
use wave_run::HostRun;
pub(crate) use wave_run::new_run_name;

pub(crate) enum Site {
    Local,
    Hosts(Box<HostSite>),
}

pub(crate) struct HostSite {
    server: NatsServer,
    selection: HostSelection,
    span: FleetSpan,
    path: Option<PathBuf>,
    keeps_records: bool,
    /// The share of the hosts that is measured, where that is not all.
    canary: Option<f64>,
    limits: WaveLimits,
    stop_on: Option<Bound>,
}

impl Site {
    pub(crate) fn is_local(&self) -> bool {
        matches!(self, Self::Local)
    }

    pub(crate) fn measure(
        &self,
        request: &MeasureRequest,
        stop: &StopSignal,
        observer: &mut dyn Observer,
        mut method: impl for<'a> FnMut(
            MeasureRequest,
            Place<'a>,
            &'a StopSignal,
            &'a mut dyn Observer,
        ) -> Result<Record, MethodError>,
    ) -> Result<Record, MethodError> {
        let Self::Hosts(site) = self else {
            return method(request.clone(), Place::Here(&Roots::host()), stop, observer);
        };
        let coordinator = Coordinator::connect(&site.server, &request.version)?;
        let mut chosen = coordinator.choose_hosts(&site.selection)?;
        let sampled_from = site.canary.map(|_| chosen.len() as u64);
        if let Some(share) = site.canary {
            chosen = choose_sample(chosen, share, request.seed);
            let (hosts, all) = (chosen.len() as u64, sampled_from.unwrap_or_default());
            observer.on_note(&terminal::tell(analysis::fleet::describe_sample(hosts, all)));
        }
        let request = MeasureRequest { path: site.resolve_path(&chosen)?, ..request.clone() };
        let mut ask = |question: &str, expected: &str| observer.confirm(question, expected);
        confirm_destruction(request.destroy_data_on.as_deref(), chosen.len(), &mut ask)?;
        let mut waves = plan_waves(chosen, &site.limits)?;
        let mut of_hosts = HostRun {
            coordinator: &coordinator,
            span: site.span,
            limits: &site.limits,
            stop_on: site.stop_on,
            breach: None,
            waves: WaveContext::default(),
            keeps_records: site.keeps_records,
            stop,
            history: None,
        };
        let mut record = match (waves.pop(), waves.is_empty()) {
            (Some(all), true) => {
                let run = new_run_name(request.seed.0)?;
                of_hosts.measure_at_once(all, run, request, observer, &mut method)?
            }
            (last, _) => {
                waves.extend(last);
                of_hosts.measure_waves(waves, &request, observer, &mut method)?
            }
        };
        if let (Some(all), Some(fleet)) = (sampled_from, record.measured.fleet.as_mut()) {
            fleet.sampled_from = Some(all);
            record = analysis::judge_record(record.measured);
        }
        Ok(record)
    }
}

impl HostSite {
    pub(crate) fn new(
        server: NatsServer,
        selection: HostSelection,
        span: FleetSpan,
        common: &Common,
    ) -> Result<Self, Failure> {
        if let Some(path) = common.path.as_deref().filter(|path| !path.is_absolute()) {
            return Err(relative_path(path));
        }
        if common.extent.max_written.is_some() {
            let what = "--max-written bounds a run on this host, not one over many";
            let hint = "bound the test file, --size, and the time: --quick of check, else --budget";
            return Err(Failure::wrong(what).hint(hint));
        }
        let keeps_records = !common.no_history;
        let path = common.path.clone();
        let limits = WaveLimits::default();
        let (canary, stop_on) = (None, None);
        Ok(Self { server, selection, span, path, keeps_records, canary, limits, stop_on })
    }

    pub(crate) fn with_canary(self, canary: Option<f64>) -> Self {
        Self { canary, ..self }
    }

    pub(crate) fn with_stop_on(self, stop_on: Option<Bound>) -> Self {
        Self { stop_on, ..self }
    }

    pub(crate) fn with_limits(self, limits: WaveLimits) -> Self {
        Self { limits, ..self }
    }

    /// The path on the hosts: the one that was given, else the only one that they allow.
    fn resolve_path(&self, chosen: &[AgentInfo]) -> Result<PathBuf, MethodError> {
        if let Some(path) = &self.path {
            return Ok(path.clone());
        }
        let only = |agent: &AgentInfo| match agent.allow.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        };
        let first = chosen.first().and_then(only);
        match first.filter(|path| chosen.iter().all(|agent| only(agent).as_ref() == Some(path))) {
            Some(path) => Ok(PathBuf::from(path)),
            None => Err(MethodError::Request {
                what: "the hosts do not all allow one and the same path".to_owned(),
                hint: "say what is measured: truedisk fleet ... PATH".to_owned(),
            }),
        }
    }
}

/// A random sample by seed, ascending by name as before.
fn choose_sample(mut chosen: Vec<AgentInfo>, share: f64, seed: Seed) -> Vec<AgentInfo> {
    let size = analysis::fleet::sample_size(chosen.len() as u64, share) as usize;
    let mut random = SplitMix64(seed.0);
    for place in 0..size {
        let left = (chosen.len() - place) as u64;
        chosen.swap(place, place + (random.next_bits() % left) as usize);
    }
    chosen.truncate(size);
    chosen.sort_by(|a, b| a.name.cmp(&b.name));
    chosen
}

pub(crate) fn relative_path(path: &Path) -> Failure {
    Failure::wrong(format_args!("{} is a path on this host, not on others", path.display()))
        .hint("give an absolute path, such as /srv/test")
}

/// On a terminal, destroying what is on many hosts is asked for once more.
pub(crate) fn confirm_destruction(
    destroy: Option<&Path>,
    hosts: usize,
    confirm: &mut dyn FnMut(&str, &str) -> bool,
) -> Result<(), MethodError> {
    let Some(device) = destroy else { return Ok(()) };
    let device = device.display().to_string();
    let question =
        format!("All data on {device} of {hosts} hosts will be destroyed. Type its path to go on:");
    if !terminal::is_interactive() || confirm(&question, &device) {
        return Ok(());
    }
    Err(MethodError::Hosts {
        what: format!("refused to write to {device}: it was not confirmed"),
        hint: Some(format!("type {device} when you are asked")),
        kind: ErrorKind::Refused,
    })
}
