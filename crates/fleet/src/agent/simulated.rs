//! Agents of one process, each over a simulated disk of its own, for benches and tests. They run
//! the code of agents on hosts of their own, with a connection and a spool each.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use engine::simulated::{DeviceModel, LatencyNoise, Medium, Ssd};
use engine::{SimulatedDevice, StopSignal};
use futures_util::future::join_all;
use tokio::sync::Notify;
use units::{Bytes, Nanos};

use super::{build_runtime, run_agent};
use crate::agent::AgentSettings;
use crate::error::FleetError;

/// A disk that serves one operation at a time.
pub fn simulate_disk(capacity: Bytes, read: Nanos, noise: f64, seed: u64) -> SimulatedDevice {
    let medium = Medium::Ssd(Ssd {
        channels: 1,
        read_ns: read.0,
        write_ns: read.0,
        bytes_per_second: 1e12,
        flush_ns: read.0,
        ..Ssd::FLASH
    });
    let noise = LatencyNoise::LogNormal(noise);
    let model = DeviceModel { noise, ..DeviceModel::new(capacity.0, medium) };
    SimulatedDevice::new(model, seed).in_real_time()
}

/// They end when it is dropped.
pub struct SimulatedAgents {
    stop: StopSignal,
    kills: Vec<Arc<Notify>>,
    threads: Vec<JoinHandle<()>>,
}

impl SimulatedAgents {
    /// Starts an agent for each disk, and returns once all of them are ready: `s0001` and so on,
    /// where `settings` name `s`. `log` receives what is not about a run.
    pub fn start(
        settings: &AgentSettings,
        disks: &[SimulatedDevice],
        log: fn(&str),
    ) -> Result<Self, FleetError> {
        let failed = |error: &dyn std::fmt::Display| {
            FleetError::failed(format!("cannot start simulated agents: {error}"), "try fewer")
        };
        let settings_of = |(place, disk): (usize, &SimulatedDevice)| -> Result<_, String> {
            let name = format!("{}{:04}", settings.name, place + 1).parse()?;
            Ok(AgentSettings { name, simulated: Some(disk.clone()), ..settings.clone() })
        };
        let all: Result<Vec<AgentSettings>, _> =
            disks.iter().enumerate().map(settings_of).collect();
        let all = all.map_err(|error| failed(&error))?;
        // A thread for each processor carries the messages of its share.
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let kills: Vec<Arc<Notify>> = all.iter().map(|_| Arc::default()).collect();
        let of_agents: Vec<_> = all.into_iter().zip(kills.iter().cloned()).collect();
        let mut agents = Self { stop: StopSignal::default(), kills, threads: Vec::new() };
        let (ready, is_ready) = mpsc::channel();
        for some in of_agents.chunks(of_agents.len().div_ceil(processors).max(1)) {
            let (some, stop, ready) = (some.to_vec(), agents.stop.clone(), ready.clone());
            let serving = move || serve_all(&some, &stop, &ready, log);
            let thread = thread::Builder::new().name("agents".to_owned()).spawn(serving);
            agents.threads.push(thread.map_err(|error| failed(&error))?);
        }
        drop(ready);
        is_ready.iter().take(of_agents.len()).collect::<Result<Vec<()>, FleetError>>()?;
        Ok(agents)
    }

    /// Ends the agent of the disk at this place without a word, as when its host fails.
    pub fn kill(&self, place: usize) {
        if let Some(kill) = self.kills.get(place) {
            kill.notify_one();
        }
    }
}

impl Drop for SimulatedAgents {
    fn drop(&mut self) {
        self.stop.raise();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Serves all of them on this thread; reports each that is ready, or why it ended.
fn serve_all(
    all: &[(AgentSettings, Arc<Notify>)],
    stop: &StopSignal,
    ready: &Sender<Result<(), FleetError>>,
    log: fn(&str),
) {
    let serve_one = async |(settings, kill): &(AgentSettings, Arc<Notify>)| {
        // The one that counts them may have given up.
        let report = |result| drop(ready.send(result));
        let mut say = |words: &str| match words {
            words if words.ends_with("is ready") => report(Ok(())),
            words if words.starts_with("run ") => {}
            words => log(&format!("{}: {words}", settings.name)),
        };
        let ended = tokio::select! {
            ended = run_agent(settings, stop, &mut say) => ended,
            () = kill.notified() => Ok(()),
        };
        if let Err(error) = ended {
            log(&format!("{}: {error}", settings.name));
            report(Err(error));
        }
    };
    match build_runtime() {
        Ok(runtime) => {
            runtime.block_on(join_all(all.iter().map(serve_one)));
            runtime.shutdown_background();
        }
        Err(error) => drop(ready.send(Err(error))),
    }
}
