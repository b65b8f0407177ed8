//! Subjects. Names in them are checked: none has a dot, a star or a space.

use crate::name::{AgentName, RunName};

pub(crate) const DISCOVERY_SUBJECT: &str = "truedisk.v1.hello";
/// A server answers at once that nobody listens there: no agent has such a name.
pub(crate) const NOBODY_SUBJECT: &str = "truedisk.v1.agent.$.ping";
const AGENT_PREFIX: &str = "truedisk.v1.agent.";

pub(crate) fn order_subject(name: &AgentName, verb: &str) -> String {
    format!("{AGENT_PREFIX}{name}.{verb}")
}

pub(crate) fn agent_orders_subject(name: &AgentName) -> String {
    format!("{AGENT_PREFIX}{name}.*")
}

pub(crate) fn last_token(subject: &str) -> &str {
    subject.rsplit('.').next().unwrap_or_default()
}

/// Hosts are in groups, each of which a relay can listen to.
pub(crate) fn state_subject(run: &RunName, group: u32, host: &AgentName) -> String {
    format!("truedisk.v1.run.{run}.progress.{group}.{host}")
}

pub(crate) fn group_states_subject(run: &RunName, group: u32) -> String {
    format!("truedisk.v1.run.{run}.progress.{group}.*")
}

pub(crate) fn states_subject(run: &RunName) -> String {
    format!("truedisk.v1.run.{run}.progress.*.*")
}

pub(crate) fn report_subject(run: &RunName, relay: &AgentName) -> String {
    format!("truedisk.v1.run.{run}.relayed.{relay}")
}

/// Whether a relay said it, and not a host; a run or a host may be called `relayed`.
pub(crate) fn is_report_subject(subject: &str) -> bool {
    subject.split('.').nth(4) == Some("relayed")
}

pub(crate) fn reports_subject(run: &RunName) -> String {
    format!("truedisk.v1.run.{run}.relayed.*")
}

pub(crate) fn renewal_subject(run: &RunName) -> String {
    format!("truedisk.v1.run.{run}.renew")
}

pub(crate) fn renewals_subject() -> &'static str {
    "truedisk.v1.run.*.renew"
}

pub(crate) const KEPT_SUBJECTS: &str = "truedisk.v1.run.*.kept.>";

/// The subject of one piece; the last message on it counts.
pub(crate) fn artifact_subject(
    run: &RunName,
    host: &AgentName,
    what: Artifact,
    piece: u32,
) -> String {
    format!("truedisk.v1.run.{run}.kept.{host}.{}.{piece}", what.token())
}

pub(crate) fn artifacts_subject(run: &RunName, host: Option<&AgentName>) -> String {
    match host {
        Some(host) => format!("truedisk.v1.run.{run}.kept.{host}.>"),
        None => format!("truedisk.v1.run.{run}.kept.>"),
    }
}

/// Matches complete uploads only: the manifest is sent last.
pub(crate) fn manifests_subject(run: Option<&RunName>) -> String {
    let run = run.map_or("*", RunName::as_str);
    format!("truedisk.v1.run.{run}.kept.*.{}.0", Artifact::Manifest.token())
}

pub(crate) fn parse_owner(subject: &str) -> Option<(RunName, AgentName)> {
    let rest = subject.strip_prefix("truedisk.v1.run.")?;
    let mut tokens = rest.split('.');
    let run = tokens.next()?.parse().ok()?;
    let name = tokens.nth(1)?.parse().ok()?;
    Some((run, name))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Artifact {
    Record,
    Manifest,
}

impl Artifact {
    const fn token(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Manifest => "slip",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_says_whose_it_is() {
        let (run, host): (RunName, AgentName) = ("r1".parse().unwrap(), "h1".parse().unwrap());
        let subject = artifact_subject(&run, &host, Artifact::Manifest, 0);
        assert_eq!(subject, "truedisk.v1.run.r1.kept.h1.slip.0");
        assert_eq!(parse_owner(&subject), Some((run.clone(), host.clone())));
        assert!(subject.starts_with(artifacts_subject(&run, Some(&host)).trim_end_matches('>')));
        assert_eq!(manifests_subject(Some(&run)), "truedisk.v1.run.r1.kept.*.slip.0");
        for odd in ["", "truedisk.v1.run.r1", "truedisk.v1.run.r1.kept", "x.r1.kept.h1.slip.0"] {
            assert_eq!(parse_owner(odd), None, "{odd}");
        }
    }
}
