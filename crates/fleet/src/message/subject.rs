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

/// What the server's stream holds, of all runs and hosts.
pub(crate) const KEPT: &str = "truedisk.v1.run.*.kept.>";

/// Where a piece of what a host keeps of a run is put: one message each, and the last one counts.
pub(crate) fn kept(run: &RunName, host: &Name, what: Keepsake, piece: u32) -> String {
    format!("truedisk.v1.run.{run}.kept.{host}.{}.{piece}", what.word())
}

/// Everything that the stream holds of a run; of one host, where it is named.
pub(crate) fn kept_of(run: &RunName, host: Option<&Name>) -> String {
    match host {
        Some(host) => format!("truedisk.v1.run.{run}.kept.{host}.>"),
        None => format!("truedisk.v1.run.{run}.kept.>"),
    }
}

/// The messages that are there only of what is whole: the slip comes last.
pub(crate) fn kept_whole(run: Option<&RunName>) -> String {
    let run = run.map_or("*", RunName::as_str);
    format!("truedisk.v1.run.{run}.kept.*.{}.0", Keepsake::Slip.word())
}

/// Whose such a message is.
pub(crate) fn keeper(subject: &str) -> Option<(RunName, Name)> {
    let rest = subject.strip_prefix("truedisk.v1.run.")?;
    let mut tokens = rest.split('.');
    let run = tokens.next()?.parse().ok()?;
    let name = tokens.nth(1)?.parse().ok()?;
    Some((run, name))
}

/// What a host keeps of a run, in two parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keepsake {
    /// Its record.
    Record,
    /// What the record does not say.
    Slip,
}

impl Keepsake {
    const fn word(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Slip => "slip",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_says_whose_it_is() {
        let (run, host): (RunName, Name) = ("r1".parse().unwrap(), "h1".parse().unwrap());
        let subject = kept(&run, &host, Keepsake::Slip, 0);
        assert_eq!(subject, "truedisk.v1.run.r1.kept.h1.slip.0");
        assert_eq!(keeper(&subject), Some((run.clone(), host.clone())));
        assert!(subject.starts_with(kept_of(&run, Some(&host)).trim_end_matches('>')));
        assert_eq!(kept_whole(Some(&run)), "truedisk.v1.run.r1.kept.*.slip.0");
        for odd in ["", "truedisk.v1.run.r1", "truedisk.v1.run.r1.kept", "x.r1.kept.h1.slip.0"] {
            assert_eq!(keeper(odd), None, "{odd}");
        }
    }
}
