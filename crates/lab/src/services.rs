//! Servers that a fleet needs, made for one test: NATS, sshd, and their certificates.

mod authority;
pub(crate) mod daemon;
mod nats;
mod sshd;

pub use authority::{Certificate, CertificateAuthority, Validity};
pub use nats::{NatsOptions, NatsServer};
pub use sshd::Sshd;
