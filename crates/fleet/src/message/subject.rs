//! Where messages go. Names in subjects are checked names: none has a dot, a star or a space.

use crate::name::{Name, RunName};

/// Who is there?
pub(crate) const HELLO: &str = "truedisk.v1.hello";
/// The orders of all agents begin like this.
const AGENTS: &str = "truedisk.v1.agent.";

/// An order for an agent.
pub(crate) fn agent(name: &Name, verb: &str) -> String {
    format!("{AGENTS}{name}.{verb}")
}

/// All orders for an agent.
pub(crate) fn of_agent(name: &Name) -> String {
    format!("{AGENTS}{name}.*")
}

/// The order in a subject of an agent.
pub(crate) fn order_of(subject: &str) -> &str {
    subject.rsplit('.').next().unwrap_or_default()
}

/// How an agent is getting on with a run.
pub(crate) fn state(run: &RunName, host: &Name) -> String {
    format!("truedisk.v1.run.{run}.progress.{host}")
}

/// How all agents of a run are getting on.
pub(crate) fn states(run: &RunName) -> String {
    format!("truedisk.v1.run.{run}.progress.*")
}

/// The coordinator of a run is there.
pub(crate) fn renewal(run: &RunName) -> String {
    format!("truedisk.v1.run.{run}.renew")
}

/// The coordinators of all runs.
pub(crate) fn renewals() -> &'static str {
    "truedisk.v1.run.*.renew"
}
