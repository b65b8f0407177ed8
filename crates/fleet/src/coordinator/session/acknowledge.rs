//! Records that are in several places: made safe beforehand, and cleared away when they are here.

use futures_util::future::join_all;

use super::fleet_session::{FleetSession, ORDER_TIMEOUT};
use super::remote_host::RemoteHost;
use crate::coordinator::link::join_fetches;
use crate::message::Order;
use crate::name::AgentName;
use crate::stream;

impl FleetSession<'_> {
    /// Ensures the server's stream; a note where the server refuses it.
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

    /// Tells the agents that their records are safe here: neither they nor the server need keep
    /// them.
    pub fn acknowledge(&self) {
        let order = Order::Acknowledge { run: self.run.clone() };
        let gave: Vec<&AgentName> =
            self.hosts.iter().filter(|remote| remote.has_result).map(RemoteHost::name).collect();
        let told = gave.iter().map(|name| self.link.send_order(name, &order, ORDER_TIMEOUT));
        self.link.block_on(join_all(told));
        if !self.has_stream {
            return;
        }
        let (client, run) = (&self.link.client, &self.run);
        // What is left there, where the server does not do it, goes by its age.
        if gave.len() == self.hosts.len() {
            let _ = self.link.block_on(stream::purge(client, run, None));
        } else {
            let clear = gave.iter().map(|name| stream::purge(client, run, Some(*name)));
            let _ = self.link.block_on(join_fetches(clear));
        }
    }
}
