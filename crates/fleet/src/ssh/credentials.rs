//! Credentials for one launch: an nkey, whose public half the server knows.

use nkeys::{KeyPair, KeyPairType};

use super::error::SshError;

#[derive(Debug, Clone)]
pub(super) struct Credentials {
    /// Configuration of a nats-server that admits the holder of the seed only.
    pub(super) server: String,
    /// Text of a file with the seed.
    pub(super) user: String,
}

impl Credentials {
    pub(super) fn new() -> Result<Credentials, SshError> {
        let user = KeyPair::new(KeyPairType::User);
        let seed = user.seed().map_err(SshError::Key)?;
        let server =
            format!("authorization: {{ users: [ {{ nkey: \"{}\" }} ] }}\n", user.public_key());
        Ok(Credentials { server, user: format!("{seed}\n") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_is_told_the_public_half_only() {
        let one = Credentials::new().unwrap();
        let pair = KeyPair::from_seed(one.user.trim()).unwrap();
        assert!(one.server.contains(&pair.public_key()));
        assert!(!one.server.contains(one.user.trim()));
        let two = Credentials::new().unwrap();
        assert_ne!(one.user, two.user, "two launches share nothing");
    }
}
