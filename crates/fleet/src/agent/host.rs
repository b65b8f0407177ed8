//! What an agent is and does, without a word about messages on the wire: orders in, replies out.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::sync::Arc;

use record::{Environment, IoUringStatus};
use target::Roots;
use tokio::sync::Notify;

use super::allow::Allowed;
use super::desk::Desk;
use super::session::Session;
use super::spool::Spool;
use super::work::Workplace;
use super::{Settings, labels};
use crate::error::FleetError;
use crate::message::{Begin, Introduction, Order, Reply, State, Version, What};
use crate::name::{Name, RunName};

/// Exit status of something that cannot be done now.
const FAILED: u8 = 1;

/// This host, as coordinators see it.
pub(super) struct Host {
    name: Name,
    instance: u64,
    labels: BTreeMap<String, String>,
    environment: Environment,
    version: Version,
    allowed: Allowed,
    spool: Arc<Spool>,
    session: Option<Session>,
    /// Never notified: for when there is no run.
    silence: Arc<Notify>,
}

impl Host {
    pub(super) fn new(
        settings: &Settings,
        allowed: Allowed,
        spool: Spool,
    ) -> Result<Self, FleetError> {
        let refusal = engine::io_uring_refusal();
        let io_uring = IoUringStatus { available: refusal.is_none(), reason: refusal };
        let instance = random().map_err(|error| {
            let what = format!("cannot read /dev/urandom: {error}");
            FleetError::failed(what, "it must be there for an agent to have an identity")
        })?;
        Ok(Self {
            name: settings.name.clone(),
            instance,
            labels: labels(&settings.labels),
            environment: target::environment(&Roots::host(), io_uring),
            version: Version::ours(&settings.version),
            allowed,
            spool: Arc::new(spool),
            session: None,
            silence: Arc::new(Notify::new()),
        })
    }

    pub(super) const fn name(&self) -> &Name {
        &self.name
    }

    pub(super) const fn version(&self) -> &Version {
        &self.version
    }

    pub(super) fn introduction(&self) -> Introduction {
        let running = self.session.as_ref().filter(|session| !session.is_over());
        Introduction {
            name: self.name.clone(),
            instance: self.instance,
            labels: self.labels.clone(),
            environment: self.environment.clone(),
            allow: self.allowed.words(),
            read_only: self.allowed.read_only(),
            busy: running.map(|session| session.run.clone()),
            kept: self.spool.kept(),
        }
    }

    /// Notified when something is to be told.
    pub(super) fn news(&self) -> Arc<Notify> {
        self.session.as_ref().map_or_else(|| Arc::clone(&self.silence), Session::news)
    }

    /// Whether a run goes on.
    pub(super) fn is_busy(&self) -> bool {
        self.session.as_ref().is_some_and(|session| !session.is_over())
    }

    /// The coordinator of a run was heard.
    pub(super) fn renew(&mut self, run: &str) {
        if let Some(session) = self.session.as_mut().filter(|s| s.run.as_str() == run) {
            session.renew();
        }
    }

    /// Ends the run that there is.
    pub(super) fn end(&mut self, reason: &str) {
        if let Some(session) = &self.session {
            session.end(reason);
        }
    }

    /// How the run goes; with words for people when it has just come to its end.
    pub(super) fn state(&mut self) -> Option<(State, Option<String>)> {
        self.session.as_mut().filter(|session| !session.is_past()).map(Session::state)
    }

    /// Looks after the run; words for people when it was ended.
    pub(super) fn look(&mut self) -> Option<String> {
        self.session.as_mut().and_then(Session::look)
    }

    /// Does what an order says, or says why not; with the bytes of a piece.
    pub(super) fn obey(&mut self, order: Order) -> (Reply, Vec<u8>) {
        if let Some(run) = order.run() {
            let run = run.to_string();
            self.renew(&run);
        }
        let reply = match order {
            Order::Fetch { run, what, piece } => return self.fetch(&run, what, piece),
            Order::Begin(begin) => self.begin(*begin),
            Order::Acknowledge { run } => {
                self.spool.remove(&run);
                Reply::Accepted
            }
            Order::Stop { run } => self.stop(run.as_ref()),
            Order::Ping => Reply::Pong { monotonic_ns: engine::monotonic_ns_now() },
            Order::Jobs(_) => refused("job files are not run by agents of this version"),
            order => match self.of_run(&order) {
                Ok(session) => session.obey(order),
                Err(reply) => reply,
            },
        };
        (reply, Vec::new())
    }

    fn begin(&mut self, begin: Begin) -> Reply {
        if let Some(session) = &self.session {
            if session.run == begin.run {
                return Reply::Accepted;
            }
            if !session.is_over() {
                return refused(&format!("this agent is busy with run {}", session.run));
            }
        }
        let admitted = match self.allowed.admit(begin) {
            Ok(admitted) => admitted,
            Err(reply) => return reply,
        };
        let workplace = Workplace {
            begin: admitted,
            version: self.version.program.clone(),
            labels: self.labels.clone(),
            desk: Arc::new(Desk::new()),
            spool: Arc::clone(&self.spool),
        };
        match Session::begin(workplace) {
            Ok(session) => {
                self.session = Some(session);
                Reply::Accepted
            }
            Err(error) => refused(&format!("cannot start a thread: {error}")),
        }
    }

    /// The session that an order is about.
    fn of_run(&mut self, order: &Order) -> Result<&mut Session, Reply> {
        let run = order.run();
        match &mut self.session {
            Some(session) if Some(&session.run) == run => Ok(session),
            _ => {
                let name = run.map_or("", RunName::as_str);
                Err(refused(&format!("there is no run {name} here: it ended, or never began")))
            }
        }
    }

    fn stop(&mut self, run: Option<&RunName>) -> Reply {
        if let Some(session) = &self.session
            && run.is_none_or(|run| *run == session.run)
        {
            session.end("it was stopped by truedisk fleet stop");
        }
        Reply::Accepted
    }

    fn fetch(&self, run: &RunName, what: What, piece: u32) -> (Reply, Vec<u8>) {
        let session = self.session.as_ref().filter(|session| session.run == *run);
        let parcel = match what {
            What::Readiness => session.and_then(|s| s.desk().readiness()).map(Ok),
            What::Cells { turn } => session.and_then(|s| s.desk().cells(turn)).map(Ok),
            What::Record => self.spool.record(run),
            What::Slip => self.spool.slip_of(run),
        };
        match parcel {
            None => (refused(&format!("run {run} has nothing of that here")), Vec::new()),
            Some(Err(error)) => (refused(&error), Vec::new()),
            Some(Ok(parcel)) => {
                let Some(bytes) = parcel.piece(piece) else {
                    return (refused(&format!("there is no piece {piece}")), Vec::new());
                };
                let sha256 = parcel.sha256().to_owned();
                (Reply::Piece { pieces: parcel.pieces(), sha256 }, bytes.to_vec())
            }
        }
    }
}

fn refused(what: &str) -> Reply {
    let hint = "see truedisk fleet list".to_owned();
    Reply::Refused { what: what.to_owned(), hint: Some(hint), status: FAILED }
}

fn random() -> std::io::Result<u64> {
    let mut bytes = [0; 8];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}
