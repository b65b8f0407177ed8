//! Who hears how a run goes.

use message::Message;
use record::{PingFigures, PingRequest, PingTarget};

/// Says something to a person before the first request.
pub type Announcer = Option<fn(&Message)>;

/// Hears of every request, which other observers of this program do not.
pub trait PingObserver {
    /// All targets are ready; the first request is next.
    fn on_ready(&mut self);
    /// A request of the target with this number is done.
    fn on_request(&mut self, target: usize, place: &PingTarget, request: &PingRequest);
    fn on_window(&mut self, target: usize, place: &PingTarget, figures: &PingFigures);
    /// Nothing happens for a while: what was said should be heard by now.
    fn on_idle(&mut self);
    /// Something worth saying that is no result.
    fn on_warning(&mut self, text: &str);
    /// Says what is about to be written, and that a device is searched for data; `None` for nobody.
    fn announcer(&self) -> Announcer {
        None
    }
    /// How much of a device was searched before it is written; ioping does not search.
    fn on_scan(&mut self, _: &str) {}
}
