//! `ping`: request by request, as ioping does it.
//!
//! One requester per target works in the caller's own thread, so that between two requests there
//! is nothing but ioping's own steps. Where several are asked for (more targets, or a depth), each
//! has a thread, and the caller's listens.
//!
//! [`PingSettings`] are ioping's options, resolved. `ping_target` opens what is measured,
//! `requester` makes the requests, `collector` receives their completions, `request_tally` has
//! ioping's arithmetic, `statistics` sums up the requests of one target, and `record_builder` makes
//! a record of them for the truth checks.
//!
//! What it deliberately does not do: print, read arguments, open a device itself.
#![forbid(unsafe_code)]

mod collector;
mod error;
mod observer;
mod outcome;
mod ping_target;
mod random_stream;
mod record_builder;
mod request_tally;
mod requester;
mod run;
mod settings;
mod statistics;
mod stop;

pub use error::PingError;
pub use observer::{Announcer, PingObserver};
pub use outcome::{PingOutcome, PingRate};
pub use requester::RequestError;
pub use run::ping;
pub use settings::{
    FigureOptions, PingSettings, RequestOptions, RequestSchedule, WorkArea, Writes,
};
pub use stop::PingStop;
