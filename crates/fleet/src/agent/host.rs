//! State of an agent, without its connection: orders in, replies out.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::sync::Arc;

use async_nats::Client;
use engine::SimulatedDevice;
use record::{Environment, IoUringStatus};
use target::Roots;
use tokio::sync::Notify;
use units::ErrorKind;

use super::agent_run::AgentRun;
use super::allow_list::AllowList;
use super::jobs::{JobsWork, run_jobs};
use super::mailbox::Mailbox;
use super::measure::{MeasureWork, measure_run};
use super::order_log::OrderLog;
use super::run_context::RunContext;
use super::settings::{AgentSettings, label_map};
use crate::error::FleetError;
use crate::message::{
    AgentInfo, BeginJobs, BeginRun, FetchItem, Order, Refusal, Reply, RunState, SentOrder,
    StopCause, Version,
};
use crate::name::{AgentName, RunName};
use crate::spool::Spool;
use crate::stream;

pub(super) struct Host {
    name: AgentName,
    instance: u64,
    labels: BTreeMap<String, String>,
    environment: Environment,
    version: Version,
    allowed: AllowList,
    spool: Arc<Spool>,
    simulated: Option<SimulatedDevice>,
    session: Option<AgentRun>,
    orders: OrderLog,
    /// Stands in where there is no run.
    never_notified: Arc<Notify>,
}

impl Host {
    pub(super) fn new(
        settings: &AgentSettings,
        allowed: AllowList,
        spool: Spool,
    ) -> Result<Self, FleetError> {
        let refusal = engine::io_uring_refusal();
        let io_uring = IoUringStatus { available: refusal.is_none(), reason: refusal };
        let instance = random_number().map_err(|error| {
            let what = format!("cannot read /dev/urandom: {error}");
            FleetError::failed(what, "it must be there for an agent to have an identity")
        })?;
        Ok(Self {
            name: settings.name.clone(),
            instance,
            labels: label_map(&settings.labels),
            environment: target::describe_environment(&Roots::host(), io_uring),
            version: Version::current(&settings.version),
            allowed,
            spool: Arc::new(spool),
            simulated: settings.simulated.clone(),
            session: None,
            orders: OrderLog::default(),
            never_notified: Arc::new(Notify::new()),
        })
    }

    pub(super) const fn name(&self) -> &AgentName {
        &self.name
    }

    pub(super) const fn version(&self) -> &Version {
        &self.version
    }

    /// Why an order is too old to be done.
    pub(super) fn find_replay(&mut self, sent: &SentOrder) -> Option<String> {
        self.orders.find_replay(sent, self.instance)
    }

    pub(super) fn agent_info(&self) -> AgentInfo {
        let running = self.session.as_ref().filter(|session| !session.is_over());
        AgentInfo {
            name: self.name.clone(),
            instance: self.instance,
            labels: self.labels.clone(),
            environment: self.environment.clone(),
            allow: self.allowed.paths(),
            read_only: self.allowed.read_only(),
            busy: running.map(|session| session.run.clone()),
            relay: false,
            kept: self.spool.list_kept(),
        }
    }

    /// Removes the test files of killed runs; gives log lines.
    pub(super) fn remove_leftovers(&self) -> Vec<String> {
        let mut said = Vec::new();
        for folder in self.spool.take_unfinished() {
            let shown = folder.display();
            let Ok(folder) = self.allowed.open_allowed(&folder) else {
                said.push(format!("a run was killed in {shown}, which is not allowed any more"));
                continue;
            };
            match target::remove_leftovers(&folder) {
                Ok(removed) => {
                    said.extend(removed.iter().map(|file| {
                        format!("removed a leftover of a killed run: {}", file.display())
                    }))
                }
                Err(error) => said.push(error.to_string()),
            }
        }
        said
    }

    pub(super) fn state_changed(&self) -> Arc<Notify> {
        self.session
            .as_ref()
            .map_or_else(|| Arc::clone(&self.never_notified), AgentRun::state_changed)
    }

    pub(super) fn is_busy(&self) -> bool {
        self.session.as_ref().is_some_and(|session| !session.is_over())
    }

    pub(super) fn is_measuring(&self) -> bool {
        self.session.as_ref().is_some_and(AgentRun::is_measuring)
    }

    pub(super) fn renew(&mut self, run: &str) {
        if let Some(session) = self.session.as_mut().filter(|s| s.run.as_str() == run) {
            session.renew();
        }
    }

    pub(super) fn end_run(&mut self, reason: &str) {
        if let Some(session) = &self.session {
            session.end(reason);
        }
    }

    /// The state of the run, its group, and a log line.
    pub(super) fn run_state(&mut self) -> Option<(RunState, u32, Option<String>)> {
        self.session.as_mut().filter(|session| !session.is_stale()).map(AgentRun::take_state)
    }

    /// Uploads the record of a finished run; gives a log line.
    pub(super) fn upload_record(
        &self,
        client: &Client,
        run: &RunName,
    ) -> impl Future<Output = Option<String>> + Send + use<> {
        let (client, version) = (client.clone(), self.version.clone());
        let (name, run, spool) = (self.name.clone(), run.clone(), Arc::clone(&self.spool));
        async move {
            match stream::upload(&client, &version, &name, &run, &spool).await {
                Ok(true) => Some(format!("run {run}: its record is in the server's stream, too")),
                Ok(false) => None,
                Err(what) => Some(format!(
                    "run {run}: its record is kept on this host only: the server's stream {} did \
                     not take it: {what}",
                    stream::STREAM_NAME
                )),
            }
        }
    }

    pub(super) fn check_run(&mut self) -> Option<String> {
        self.session.as_mut().and_then(AgentRun::check_alive)
    }

    /// Executes an order: the reply, and the bytes of a piece.
    pub(super) fn execute(&mut self, order: Order) -> (Reply, Vec<u8>) {
        if let Some(run) = order.run() {
            let run = run.to_string();
            self.renew(&run);
        }
        let reply = match order {
            Order::Fetch { run, what, piece } => return self.fetch_piece(&run, what, piece),
            Order::Begin(begin) => self.begin_run(*begin),
            Order::BeginJobs(begin) => self.begin_jobs(*begin),
            Order::Acknowledge { run } => {
                self.spool.remove(&run);
                Reply::Accepted
            }
            Order::Stop { run, cause } => self.stop_run(run.as_ref(), cause),
            Order::Ping => Reply::Clock { monotonic_ns: engine::monotonic_ns() },
            Order::Relay(_) | Order::MeasureClocks { .. } => refusal("this agent is no relay"),
            order => match self.find_run(&order) {
                Ok(session) => session.execute(order),
                Err(reply) => reply,
            },
        };
        (reply, Vec::new())
    }

    fn begin_run(&mut self, begin: BeginRun) -> Reply {
        self.start_run((begin.run.clone(), begin.members.group), |host| {
            let (begin, target) = host.allowed.admit_run(begin)?;
            let (version, simulated) = (host.version.program.clone(), host.simulated.clone());
            Ok(move |context| {
                measure_run(&MeasureWork { context, begin, target, version, simulated });
            })
        })
    }

    fn begin_jobs(&mut self, begin: BeginJobs) -> Reply {
        self.start_run((begin.run.clone(), begin.members.group), |host| {
            let begin = host.allowed.admit_jobs(begin)?;
            let (name, allowed) = (host.name.clone(), host.allowed.clone());
            Ok(move |context| run_jobs(&JobsWork { context, begin, name, allowed }))
        })
    }

    /// Starts the work that `admit` gives, unless a run is going on.
    fn start_run<W: FnOnce(RunContext) + Send + 'static>(
        &mut self,
        (run, group): (RunName, u32),
        admit: impl FnOnce(&Self) -> Result<W, Refusal>,
    ) -> Reply {
        match &self.session {
            Some(session) if session.run == run => return Reply::Accepted,
            Some(session) if !session.is_over() => {
                return refusal(&format!("this agent is busy with run {}", session.run));
            }
            _ => {}
        }
        let work = match admit(self) {
            Ok(work) => work,
            Err(refusal) => return Reply::Refused(refusal),
        };
        let mailbox = Arc::new(Mailbox::new());
        let context = RunContext {
            labels: self.labels.clone(),
            mailbox: Arc::clone(&mailbox),
            spool: Arc::clone(&self.spool),
        };
        match AgentRun::begin((run, group), mailbox, move || work(context)) {
            Ok(session) => {
                self.session = Some(session);
                Reply::Accepted
            }
            Err(error) => refusal(&format!("cannot start a thread: {error}")),
        }
    }

    fn find_run(&mut self, order: &Order) -> Result<&mut AgentRun, Reply> {
        let run = order.run();
        match &mut self.session {
            Some(session) if Some(&session.run) == run => Ok(session),
            _ => {
                let name = run.map_or("", RunName::as_str);
                Err(refusal(&format!("there is no run {name} here: it ended, or never began")))
            }
        }
    }

    fn stop_run(&mut self, run: Option<&RunName>, cause: StopCause) -> Reply {
        if let Some(session) = &self.session
            && run.is_none_or(|run| *run == session.run)
        {
            session.end(cause.reason());
        }
        Reply::Accepted
    }

    fn fetch_piece(&self, run: &RunName, what: FetchItem, piece: u32) -> (Reply, Vec<u8>) {
        let session = self.session.as_ref().filter(|session| session.run == *run);
        let payload = match what {
            FetchItem::Readiness => session.and_then(|s| s.mailbox().readiness()).map(Ok),
            FetchItem::Cells { turn } => {
                session.and_then(|s| s.mailbox().measured_cells(turn)).map(Ok)
            }
            FetchItem::Record => self.spool.record_payload(run),
            FetchItem::Manifest => self.spool.manifest_payload(run),
        };
        match payload {
            None => (refusal(&format!("run {run} has nothing of that here")), Vec::new()),
            Some(Err(error)) => (refusal(&error), Vec::new()),
            Some(Ok(payload)) => match payload.piece(piece) {
                Some((reply, bytes)) => (reply, bytes.to_vec()),
                None => (refusal(&format!("there is no piece {piece}")), Vec::new()),
            },
        }
    }
}

fn refusal(what: &str) -> Reply {
    Reply::Refused(Refusal::new(ErrorKind::Failed, what, Some("see truedisk fleet list")))
}

/// No two starts of an agent, and no two coordinators, have the same.
pub(crate) fn random_number() -> std::io::Result<u64> {
    let mut bytes = [0; 8];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use method::LayoutBudget;
    use record::{FleetSpan, Plan};
    use units::{Bytes, Nanos, Seed};

    use super::*;
    use crate::connect::NatsServer;
    use crate::message::{Phase, RunMembers};

    fn host(room: &std::path::Path, read_only: bool) -> Host {
        let settings = AgentSettings {
            server: NatsServer::default(),
            name: "a".parse().unwrap(),
            labels: Vec::new(),
            allow: vec![room.join("data")],
            read_only,
            spool: room.join("spool"),
            version: "1.0".to_owned(),
            simulated: None,
        };
        std::fs::create_dir_all(room.join("data")).unwrap();
        let allowed = AllowList::new(&settings.allow, read_only).unwrap();
        let spool = Spool::open(&settings.spool, &settings.name).unwrap();
        Host::new(&settings, allowed, spool).unwrap()
    }

    fn begin(path: std::path::PathBuf, run: &str) -> Order {
        let plan: Plan = record::fixture::ssd_record().measured.plan;
        let setting = LayoutBudget {
            block_sizes: Vec::new(),
            size: Bytes::mib(16),
            layout: Nanos::secs(1),
            budget: Nanos::secs(10),
            measures_writes: false,
            known_writes: None,
            name: None,
        };
        Order::Begin(Box::new(BeginRun {
            run: run.parse().unwrap(),
            path,
            size: Some(Bytes::mib(16)),
            read_only: false,
            destroy: None,
            seed: Seed(7),
            command: record::CommandLine::default(),
            setting,
            plan,
            profile: None,
            stop_on: None,
            sharing: FleetSpan::Own,
            members: RunMembers { count: 1, names: vec!["a".parse().unwrap()], group: 0 },
        }))
    }

    fn refused(host: &mut Host, order: Order) -> (String, ErrorKind) {
        match host.execute(order).0 {
            Reply::Refused(refusal) => (refusal.what, refusal.kind),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_not_allowed_is_refused_and_leaves_nothing() {
        let room = tempfile::tempdir().unwrap();
        let mut host = host(room.path(), false);
        for outside in ["spool", "data/..", ""] {
            let (what, status) = refused(&mut host, begin(room.path().join(outside), "r1"));
            assert!(what.contains("not among the paths"), "{what}");
            assert_eq!(status, ErrorKind::Refused);
        }
        let run: RunName = "r1".parse().unwrap();
        let unknown = Order::Prepare { run: run.clone() };
        assert!(refused(&mut host, unknown).0.contains("there is no run r1"));
        let fetch = Order::Fetch { run, what: FetchItem::Record, piece: 0 };
        assert!(refused(&mut host, fetch).0.contains("nothing of that"));
        assert!(!host.is_busy() && host.agent_info().busy.is_none());
        assert_eq!(std::fs::read_dir(room.path().join("data")).unwrap().count(), 0);
    }

    #[test]
    fn an_agent_that_writes_nothing_refuses_a_folder() {
        let room = tempfile::tempdir().unwrap();
        let mut host = host(room.path(), true);
        let (what, status) = refused(&mut host, begin(room.path().join("data"), "r1"));
        assert!(what.contains("writes nothing") && status == ErrorKind::Refused, "{what}");
    }

    #[test]
    fn what_a_killed_agent_left_is_removed_by_the_next() {
        let room = tempfile::tempdir().unwrap();
        let (data, other) = (room.path().join("data"), room.path().join("other"));
        let host = host(room.path(), false);
        std::fs::create_dir(&other).unwrap();
        for folder in [&data, &other] {
            let left = folder.join(".truedisk-dead.tmp");
            std::fs::write(left, b"truedisk test file 1\nid dead\n").unwrap();
        }
        std::fs::write(data.join("mine"), b"x").unwrap();
        assert!(host.remove_leftovers().is_empty(), "it looks only where a run was");
        host.spool.mark_begun(&"r1".parse().unwrap(), &data).unwrap();
        host.spool.mark_begun(&"r2".parse().unwrap(), &other).unwrap();
        host.spool.mark_begun(&"r3".parse().unwrap(), &data).unwrap();
        host.spool.clear_begun(&"r3".parse().unwrap());
        let said = host.remove_leftovers();
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("removed a leftover") && said[0].contains(".truedisk-dead.tmp"));
        assert!(said[1].contains("not allowed any more"), "{said:?}");
        assert_eq!(std::fs::read_dir(&data).unwrap().count(), 1, "what is not ours stays");
        assert_eq!(std::fs::read_dir(&other).unwrap().count(), 1);
        assert!(host.remove_leftovers().is_empty(), "once is enough");
    }

    #[test]
    fn one_run_at_a_time_and_its_end_leaves_no_test_file() {
        let room = tempfile::tempdir().unwrap();
        let mut host = host(room.path(), false);
        let data = room.path().join("data");
        assert_eq!(host.execute(begin(data.clone(), "r1")).0, Reply::Accepted);
        assert_eq!(host.execute(begin(data.clone(), "r1")).0, Reply::Accepted, "said twice");
        assert!(refused(&mut host, begin(data.clone(), "r2")).0.contains("busy with run r1"));
        assert_eq!(
            host.execute(Order::Stop { run: None, cause: StopCause::StopCommand }).0,
            Reply::Accepted
        );
        let begun = Instant::now();
        while host.is_busy() {
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not end");
            std::thread::yield_now();
        }
        let (state, _, words) = host.run_state().unwrap();
        assert!(matches!(state.phase, Phase::Failed { .. }), "{state:?}");
        let words = words.unwrap();
        assert!(words.contains("it was stopped by truedisk fleet stop, before"), "{words}");
        assert_eq!(std::fs::read_dir(data).unwrap().count(), 0);
        assert!(host.agent_info().kept.is_empty(), "nothing was measured");
    }
}
