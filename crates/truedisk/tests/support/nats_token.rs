//! Credentials as NATS's own tools make them: an operator, an account and a user, each a key pair,
//! with a token of each that is signed by the one above.
#![allow(dead_code, clippy::unwrap_used)]

use nkeys::{KeyPair, KeyPairType};
use serde_json::{Value, json};

/// A server that only lets in who has these credentials.
pub struct Credentials {
    /// Lines of its configuration.
    pub server: String,
    /// The text of the credentials file (`.creds`).
    pub user: String,
}

impl Credentials {
    /// New ones.
    pub fn new() -> Credentials {
        let [operator, account, user] =
            [KeyPairType::Operator, KeyPairType::Account, KeyPairType::User].map(KeyPair::new);
        let body = json!({ "type": "operator", "version": 2 });
        let operator_token = token(&operator, &operator, &body);
        let account_token = token(&operator, &account, &account_body());
        let user_token = token(&account, &user, &user_body());
        let server = format!(
            "operator: \"{operator_token}\"\nresolver: MEMORY\n\
             resolver_preload: {{ {}: \"{account_token}\" }}\n",
            account.public_key()
        );
        Credentials { server, user: file(&user_token, &user.seed().unwrap()) }
    }
}

fn account_body() -> Value {
    json!({
        "type": "account", "version": 2,
        "limits": {
            "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1,
            "wildcards": true, "conn": -1, "leaf": -1,
        },
        "default_permissions": { "pub": {}, "sub": {} },
    })
}

fn user_body() -> Value {
    json!({
        "type": "user", "version": 2,
        "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1,
    })
}

/// A token (JWT) about `subject`, signed by `issuer`.
fn token(issuer: &KeyPair, subject: &KeyPair, body: &Value) -> String {
    let head = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let claims = json!({
        // Any name that no other token has.
        "jti": subject.public_key(),
        "iat": 1_700_000_000,
        "iss": issuer.public_key(),
        "sub": subject.public_key(),
        "name": "lab",
        "nats": body,
    });
    let part = |value: &Value| base64url(value.to_string().as_bytes());
    let signed = format!("{}.{}", part(&head), part(&claims));
    let signature = issuer.sign(signed.as_bytes()).unwrap();
    format!("{signed}.{}", base64url(&signature))
}

/// The file that NATS's tools make and its clients read.
fn file(token: &str, seed: &str) -> String {
    format!(
        "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    )
}

/// Base 64 of RFC 4648 for URLs, without padding.
fn base64url(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..=chunk.len() {
            let index = bits >> (18 - 6 * digit) & 63;
            text.push(char::from(DIGITS[index as usize]));
        }
    }
    text
}
