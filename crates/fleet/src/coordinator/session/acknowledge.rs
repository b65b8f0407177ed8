//! The copies of records: in the server's stream and on the hosts.

use super::fleet_session::{FleetSession, ORDER_TIMEOUT};
use super::remote_host::RemoteHost;
use crate::coordinator::link::join_fetches;
use crate::message::Order;
use crate::name::AgentName;
use crate::stream;

impl FleetSession<'_> {
    /// Creates the server's stream; a note if the server refuses.
    pub(super) fn prepare_stream(&mut self) -> Option<String> {
        match self.link.block_on(stream::ensure_stream(&self.link.client)) {
            Ok(streamed) => {
                self.has_stream = streamed;
                None
            }
            Err(error) => Some(format!(
                "the NATS server has streams, but none for finished records: {error}; they are \
                 kept on the hosts, as without"
            )),
        }
    }

    /// Lets the agents and the server's stream remove their copies; an error where the records
    /// were not kept here.
    pub fn acknowledge(&self) -> Result<(), &str> {
        if let Some(why) = &self.unsaved {
            return Err(why);
        }
        let order = Order::Acknowledge { run: self.run.clone() };
        let gave: Vec<&AgentName> =
            self.hosts.iter().filter(|remote| remote.has_result).map(RemoteHost::name).collect();
        self.link.send_to_all(gave.iter().copied(), &order, ORDER_TIMEOUT);
        if !self.has_stream {
            return Ok(());
        }
        let (client, run) = (&self.link.client, &self.run);
        if gave.len() == self.hosts.len() {
            let _ = self.link.block_on(stream::purge(client, run, None));
        } else {
            let clear = gave.iter().map(|name| stream::purge(client, run, Some(*name)));
            let _ = self.link.block_on(join_fetches(clear));
        }
        Ok(())
    }
}
