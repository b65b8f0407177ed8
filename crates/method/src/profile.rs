//! The profile of a live load: fitted to a stream of requests, and drawn from by seed.
//!
//! Both are streams: neither holds the requests. What a fit measures and what a draw uses are the
//! fields of [`record::profile::Profile`]; a profile that is fitted to drawn requests has the same
//! figures, within the luck of the draw.

mod choice;
mod draw;
mod draw_arrivals;
mod draw_kinds;
mod fit;
mod fit_arrivals;
mod fit_places;
mod numbers;
mod spacing_fit;
#[cfg(test)]
mod tests;

pub use draw::DrawnRequests;
pub use fit::ProfileBuilder;
pub use fit_places::{STREAMS, SequentialStreams};
