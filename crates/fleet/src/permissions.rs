//! What a NATS server's configuration has to allow, and nothing more.

use std::fmt::Write as _;

use crate::message::{DISCOVERY_SUBJECT, KEPT_SUBJECTS, renewals_subject};
use crate::name::AgentName;
use crate::stream::STREAM_NAME;

/// Answers to requests.
const INBOXES: &str = "_INBOX.>";
const STREAM_CALLS: [&str; 4] = ["STREAM.INFO", "STREAM.CREATE", "STREAM.MSG.GET", "STREAM.PURGE"];

/// States of all hosts of all runs.
const STATES: &str = "truedisk.v1.run.*.progress.*.*";

/// The part `authorization` of the configuration: permissions of coordinators, of agents and of
/// relays, and users with nkeys to be filled in. Each named agent is held to its own name; without
/// names, all agents share a key, and one could speak for another.
pub fn nats_permissions(agents: &[AgentName], relays: &[AgentName]) -> String {
    let mut text = String::from("authorization {\n");
    let mut users = String::new();
    if agents.is_empty() {
        write_role(&mut text, "AGENT", &agent_subjects("*"));
        write_user(&mut users, "the agents", "AGENT");
    }
    for (number, name) in (1..).zip(agents) {
        let role = format!("AGENT_{number}");
        write_role(&mut text, &role, &agent_subjects(name.as_str()));
        write_user(&mut users, name.as_str(), &role);
    }
    for (number, name) in (1..).zip(relays) {
        let role = format!("RELAY_{number}");
        write_role(&mut text, &role, &relay_subjects(name));
        write_user(&mut users, name.as_str(), &role);
    }
    write_role(&mut text, "LEAD", &coordinator_subjects());
    write_user(&mut users, "the coordinator", "LEAD");
    let _ = write!(text, "  users: [\n{users}  ]\n}}\n");
    text
}

struct Subjects {
    publish: Vec<String>,
    subscribe: Vec<String>,
}

fn agent_subjects(name: &str) -> Subjects {
    let kept = KEPT_SUBJECTS.trim_end_matches('>');
    let kept = if name == "*" { format!("{kept}>") } else { format!("{kept}{name}.>") };
    Subjects {
        publish: vec![format!("truedisk.v1.run.*.progress.*.{name}"), kept, INBOXES.to_owned()],
        subscribe: vec![
            DISCOVERY_SUBJECT.to_owned(),
            format!("truedisk.v1.agent.{name}.*"),
            renewals_subject().to_owned(),
            INBOXES.to_owned(),
        ],
    }
}

/// A relay reads the clocks of agents, and gives them no other order.
fn relay_subjects(name: &AgentName) -> Subjects {
    Subjects {
        publish: vec![
            format!("truedisk.v1.run.*.relayed.{name}"),
            "truedisk.v1.agent.*.ping".to_owned(),
            INBOXES.to_owned(),
        ],
        subscribe: vec![
            DISCOVERY_SUBJECT.to_owned(),
            format!("truedisk.v1.agent.{name}.*"),
            renewals_subject().to_owned(),
            STATES.to_owned(),
            INBOXES.to_owned(),
        ],
    }
}

fn coordinator_subjects() -> Subjects {
    let calls = STREAM_CALLS.map(|call| format!("$JS.API.{call}.{STREAM_NAME}"));
    let own = [DISCOVERY_SUBJECT, "truedisk.v1.agent.*.*", renewals_subject()];
    Subjects {
        publish: own.map(str::to_owned).into_iter().chain(calls).collect(),
        subscribe: [STATES, "truedisk.v1.run.*.relayed.*", INBOXES].map(str::to_owned).into(),
    }
}

fn write_role(text: &mut String, role: &str, subjects: &Subjects) {
    let _ = writeln!(text, "  {role} = {{");
    for (what, subjects) in [("publish", &subjects.publish), ("subscribe", &subjects.subscribe)] {
        let _ = writeln!(text, "    {what}: [");
        for subject in subjects {
            let _ = writeln!(text, "      \"{subject}\"");
        }
        text.push_str("    ]\n");
    }
    text.push_str("  }\n");
}

fn write_user(text: &mut String, who: &str, role: &str) {
    let _ = writeln!(text, "    {{ nkey: \"<public nkey of {who}>\", permissions: ${role} }}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{
        Artifact, agent_orders_subject, artifact_subject, group_states_subject, order_subject,
        renewal_subject, report_subject, reports_subject, state_subject, states_subject,
    };
    use crate::name::RunName;

    fn is_covered(subject: &str, allowed: &[String]) -> bool {
        allowed.iter().any(|pattern| {
            let (mut tokens, mut words) = (pattern.split('.'), subject.split('.'));
            loop {
                match (tokens.next(), words.next()) {
                    (Some(">"), Some(_)) | (None, None) => return true,
                    (Some("*"), Some(_)) => {}
                    (Some(token), Some(word)) if token == word => {}
                    _ => return false,
                }
            }
        })
    }

    #[test]
    fn all_that_is_said_is_allowed_and_other_names_are_not() {
        let (run, name): (RunName, AgentName) = ("r1".parse().unwrap(), "db1".parse().unwrap());
        let kept = artifact_subject(&run, &name, Artifact::Record, 3);
        for of in ["db1", "*"] {
            let agent = agent_subjects(of);
            assert!(is_covered(&state_subject(&run, 0, &name), &agent.publish));
            assert!(is_covered(&kept, &agent.publish));
            assert!(is_covered(&agent_orders_subject(&name), &agent.subscribe));
            assert!(is_covered(DISCOVERY_SUBJECT, &agent.subscribe));
            assert!(is_covered(renewals_subject(), &agent.subscribe));
            assert!(!is_covered(&order_subject(&name, "begin"), &agent.publish));
        }
        let other = agent_subjects("db2");
        assert!(!is_covered(&state_subject(&run, 0, &name), &other.publish));
        assert!(!is_covered(&kept, &other.publish));
        assert!(!is_covered(&agent_orders_subject(&name), &other.subscribe));
        let lead = coordinator_subjects();
        assert!(is_covered(&order_subject(&name, "begin"), &lead.publish));
        assert!(is_covered(&renewal_subject(&run), &lead.publish));
        assert!(is_covered(&states_subject(&run), &lead.subscribe));
        assert!(is_covered(&reports_subject(&run), &lead.subscribe));
        assert!(!is_covered(&state_subject(&run, 0, &name), &lead.publish));
        let relay = relay_subjects(&"r9".parse().unwrap());
        assert!(is_covered(&report_subject(&run, &"r9".parse().unwrap()), &relay.publish));
        assert!(is_covered(&order_subject(&name, "ping"), &relay.publish));
        assert!(is_covered(&group_states_subject(&run, 3), &relay.subscribe));
        assert!(!is_covered(&order_subject(&name, "begin"), &relay.publish));
        assert!(!is_covered(&report_subject(&run, &name), &relay.publish));
    }

    #[test]
    fn the_documentation_shows_what_is_written() {
        let page = include_str!("../../../docs/agents.md");
        assert!(page.contains(&nats_permissions(&[], &[])), "{}", nats_permissions(&[], &[]));
    }
}
