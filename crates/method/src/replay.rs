//! `replay`: the requests of a captured load, on another disk.

mod load;

pub use load::{LoadError, LoadFormat};
