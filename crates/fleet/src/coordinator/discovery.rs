//! Selection of hosts.

use crate::error::FleetError;
use crate::message::{AgentInfo, Version};
use crate::name::{AgentName, Label};

#[derive(Debug, Clone, Default)]
pub struct HostSelection {
    /// These hosts; all must be present.
    pub names: Vec<AgentName>,
    /// Hosts with all of these labels.
    pub labels: Vec<Label>,
}

/// An answer to the discovery.
#[derive(Debug, Clone)]
pub struct FoundAgent {
    /// The agent, or why it cannot be used.
    pub agent: Result<AgentInfo, IncompatibleAgent>,
}

/// An agent of another version.
#[derive(Debug, Clone)]
pub struct IncompatibleAgent {
    /// Its name; `?` if unreadable.
    pub name: String,
    pub version: Version,
}

impl FoundAgent {
    pub fn name(&self) -> &str {
        match &self.agent {
            Ok(agent) => agent.name.as_str(),
            Err(other) => &other.name,
        }
    }

    fn has_name(&self, name: &AgentName) -> bool {
        self.name() == name.as_str()
    }
}

const SHOWN_MAX: usize = 8;
const START_HINT: &str = "start one on each host: truedisk agent --nats URL --allow PATH";

pub(super) fn select_hosts(
    found: Vec<FoundAgent>,
    who: &HostSelection,
    ours: &Version,
) -> Result<Vec<AgentInfo>, FleetError> {
    let mut chosen = Vec::new();
    for found in filter_agents(found, who)? {
        match found.agent {
            Ok(agent) => chosen.push(agent),
            Err(other) => {
                let what = format!("agent {} is {}, this is {ours}", other.name, other.version);
                return Err(FleetError::wrong_request(what, "install one version on all hosts"));
            }
        }
    }
    if chosen.is_empty() {
        let what =
            if who.labels.is_empty() { "no agent is there" } else { "no agent has that label" };
        return Err(FleetError::failed(what, START_HINT));
    }
    if let Some(pair) = chosen.windows(2).find(|pair| pair[0].name == pair[1].name) {
        let hosts = pair.iter().filter_map(|agent| agent.environment.hostname.as_deref());
        let hosts = match hosts.collect::<Vec<_>>()[..] {
            [a, b] if a != b => format!(", on {a} and {b}"),
            [_, b] => format!(", both on {b}"),
            _ => String::new(),
        };
        return Err(name_collision(&format!("two agents are called {}{hosts}", pair[0].name)));
    }
    if let Some((name, run)) = chosen.iter().find_map(|a| Some((&a.name, a.busy.as_ref()?))) {
        let what = format!("agent {name} is busy with run {run}");
        let hint = format!("wait for it, or end it: truedisk fleet stop {run}");
        return Err(FleetError::failed(what, hint));
    }
    Ok(chosen)
}

/// Orders to an agent would reach a relay of its name.
pub(super) fn check_names_of_relays(
    relays: &[AgentName],
    hosts: &[AgentInfo],
) -> Result<(), FleetError> {
    if let Some(pair) = relays.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(name_collision(&format!("two relays are called {}", pair[0])));
    }
    match relays.iter().find(|relay| hosts.iter().any(|host| host.name == **relay)) {
        Some(name) => Err(name_collision(&format!("an agent and a relay are called {name}"))),
        None => Ok(()),
    }
}

fn name_collision(what: &str) -> FleetError {
    FleetError::wrong_request(what, "give each its own: truedisk agent --name NAME")
}

/// Labels of another version are unreadable: such an agent counts only if no label is asked for.
fn is_selected(found: &FoundAgent, who: &HostSelection) -> bool {
    let named = who.names.is_empty() || who.names.iter().any(|name| found.has_name(name));
    let labelled = match &found.agent {
        Ok(agent) => {
            who.labels.iter().all(|label| agent.labels.get(&label.key) == Some(&label.value))
        }
        Err(_) => who.labels.is_empty() || !who.names.is_empty(),
    };
    named && labelled
}

/// The selected agents; an error if a named one is not among them.
pub(super) fn filter_agents(
    found: Vec<FoundAgent>,
    who: &HostSelection,
) -> Result<Vec<FoundAgent>, FleetError> {
    let known = list_names(found.iter().map(FoundAgent::name));
    let chosen: Vec<FoundAgent> =
        found.into_iter().filter(|found| is_selected(found, who)).collect();
    let is_missing = |name: &&AgentName| !chosen.iter().any(|found| found.has_name(name));
    let missing = list_names(who.names.iter().filter(is_missing).map(AgentName::as_str));
    if missing.is_empty() {
        return Ok(chosen);
    }
    let hint =
        if known.is_empty() { START_HINT.to_owned() } else { format!("known hosts: {known}") };
    Err(FleetError::wrong_request(format!("no agent answers to {missing}"), hint))
}

fn list_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    let shown = names.iter().take(SHOWN_MAX).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN_MAX) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use record::Environment;

    use super::*;

    fn agent(name: &str, rack: &str) -> FoundAgent {
        let agent = AgentInfo {
            name: name.parse().unwrap(),
            instance: 1,
            labels: BTreeMap::from([("rack".to_owned(), rack.to_owned())]),
            environment: Environment::default(),
            allow: Vec::new(),
            read_only: false,
            busy: None,
            relay: false,
            kept: Vec::new(),
        };
        FoundAgent { agent: Ok(agent) }
    }

    fn selection(names: &[&str], labels: &[&str]) -> HostSelection {
        HostSelection {
            names: names.iter().map(|name| name.parse().unwrap()).collect(),
            labels: labels.iter().map(|label| label.parse().unwrap()).collect(),
        }
    }

    #[test]
    fn agents_are_chosen_by_name_and_by_label() {
        let found = || vec![agent("a", "1"), agent("b", "2"), agent("c", "2")];
        let check = |names: &[&str], labels: &[&str], expected: Result<&str, &str>| {
            let came = select_hosts(found(), &selection(names, labels), &Version::current("1"));
            match (came, expected) {
                (Ok(agents), Ok(names)) => {
                    let of: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
                    assert_eq!(of.join(","), names);
                }
                (Err(error), Err(words)) => {
                    let hint = error.hint().unwrap();
                    assert!(format!("{error}; {hint}").contains(words), "{error}; {hint}");
                }
                (came, _) => panic!("{names:?} {labels:?}: {came:?}"),
            }
        };
        check(&[], &[], Ok("a,b,c"));
        check(&["c", "a"], &[], Ok("a,c"));
        check(&[], &["rack=2"], Ok("b,c"));
        check(&["a", "d"], &[], Err("no agent answers to d; known hosts: a, b, c"));
        check(&[], &["rack=9"], Err("no agent has that label"));
        check(&["a"], &["rack=2"], Err("no agent answers to a"));
    }

    #[test]
    fn what_cannot_be_led_is_refused() {
        let refused = |found: Vec<FoundAgent>| {
            select_hosts(found, &HostSelection::default(), &Version::current("2"))
                .unwrap_err()
                .to_string()
        };
        assert!(refused(Vec::new()).contains("no agent is there"));
        let nobody = filter_agents(vec![agent("a", "1")], &selection(&["nobody"], &[]));
        assert_eq!(nobody.unwrap_err().kind(), units::ErrorKind::WrongRequest);
        assert!(
            refused(vec![agent("a", "1"), agent("a", "2")]).contains("two agents are called a")
        );
        let on = |host: &str| {
            let mut found = agent("a", "1");
            found.agent.as_mut().unwrap().environment.hostname = Some(host.to_owned());
            found
        };
        assert_eq!(refused(vec![on("x"), on("y")]), "two agents are called a, on x and y");
        assert_eq!(refused(vec![on("x"), on("x")]), "two agents are called a, both on x");
        let other = IncompatibleAgent { name: "old".to_owned(), version: Version::current("1") };
        let words = refused(vec![agent("a", "1"), FoundAgent { agent: Err(other) }]);
        assert!(
            words.contains("agent old is truedisk 1") && words.contains("truedisk 2"),
            "{words}"
        );
        let mut busy = agent("a", "1");
        busy.agent.as_mut().unwrap().busy = Some("r7".parse().unwrap());
        assert!(refused(vec![busy]).contains("busy with run r7"));
    }

    #[test]
    fn a_relay_has_a_name_of_its_own() {
        let names = |names: &[&str]| -> Vec<AgentName> {
            names.iter().map(|name| name.parse().unwrap()).collect()
        };
        let hosts: Vec<AgentInfo> =
            [agent("a", "1")].into_iter().map(|a| a.agent.unwrap()).collect();
        let check = |relays: &[&str]| {
            let checked = check_names_of_relays(&names(relays), &hosts);
            checked.map_err(|error| error.to_string())
        };
        assert_eq!(check(&["r1", "r2"]), Ok(()));
        assert_eq!(check(&["a", "r2"]).unwrap_err(), "an agent and a relay are called a");
        assert_eq!(check(&["r1", "r1"]).unwrap_err(), "two relays are called r1");
    }
}
