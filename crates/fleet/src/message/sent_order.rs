//! An order as it travels: to which start of an agent, and after which others.

use serde::{Deserialize, Serialize};

use super::order::Order;

/// An order on its way. No clock is needed to know an old one: an agent has another number after
/// every start, and counts what each coordinator has sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentOrder {
    /// The agent, as it said who it is: [`super::AgentInfo::instance`].
    pub instance: u64,
    /// Random; one for each connection of a coordinator.
    pub session: u64,
    /// Rises with every order of the session. One that is sent again, because no answer came, has
    /// the number that it had.
    pub number: u64,
    pub order: Order,
}
