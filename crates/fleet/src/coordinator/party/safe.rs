//! Records that are in several places: made safe beforehand, and cleared away when they are here.

use futures_util::future::join_all;

use super::remote::Remote;
use super::{PATIENCE, Party};
use crate::coordinator::link::some_at_a_time;
use crate::message::Order;
use crate::name::Name;
use crate::stream;

impl Party<'_> {
    /// Sees to the server's stream; a word where it should be there and is not.
    pub(super) fn prepare_stream(&mut self) -> Option<String> {
        match self.link.wait(stream::prepare(&self.link.client)) {
            Ok(streamed) => {
                self.streamed = streamed;
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
        let gave: Vec<&Name> =
            self.remotes.iter().filter(|remote| remote.gathered).map(Remote::name).collect();
        let told = gave.iter().map(|name| self.link.order(name, &order, PATIENCE));
        self.link.wait(join_all(told));
        if !self.streamed {
            return;
        }
        let (client, run) = (&self.link.client, &self.run);
        // What is left there, where the server does not do it, goes by its age.
        if gave.len() == self.remotes.len() {
            let _ = self.link.wait(stream::clear(client, run, None));
        } else {
            let clear = gave.iter().map(|name| stream::clear(client, run, Some(*name)));
            let _ = self.link.wait(some_at_a_time(clear));
        }
    }
}
