//! Secrets are taken out of command lines and of text for people: passwords, tokens, keys.

use std::ffi::OsStr;
use std::ops::{Deref, Range};

use serde::{Deserialize, Deserializer, Serialize};
use units::JsonSchema;

/// What stands in the place of a secret.
const SECRET_MASK: &str = "***";

/// How the name of a secret ends, in lower case with underscores: `sslpassword`, `http_s3_key`.
/// Names of files (`tls_key`, `creds`) are not among them.
const SECRET_ENDINGS: [&str; 14] = [
    "password",
    "passwd",
    "passphrase",
    "_pass",
    "_pw",
    "pwd",
    "secret",
    "token",
    "jwt",
    "api_key",
    "apikey",
    "secret_key",
    "access_key",
    "s3_key",
];

/// Schemes whose user without a password is a login name. Elsewhere it may be a token, as NATS has.
const LOGIN_SCHEMES: [&str; 3] = ["ssh", "postgres", "postgresql"];

/// The option whose value may be an address without a scheme.
const NATS_OPTION: &str = "--nats";

/// Length of the seed of an nkey: `S`, a letter for its kind, and the key in base 32.
const NKEY_SEED_LENGTH: usize = 58;

/// A command line that may be kept and shown: no secret is in it.
///
/// Every way to make one redacts, reading a stored one too, so that no record holds a secret.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Vec<String>")]
#[schemars(inline)]
pub struct CommandLine(Vec<String>);

impl CommandLine {
    /// The words of a command line, without its secrets.
    pub fn new<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>) -> Self {
        let words = words.into_iter().map(|word| word.as_ref().to_string_lossy().into_owned());
        Self(redact_words(words.collect()))
    }
}

impl From<Vec<String>> for CommandLine {
    fn from(words: Vec<String>) -> Self {
        Self(redact_words(words))
    }
}

impl Deref for CommandLine {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

/// Text for people, such as an error that quotes an address, without its secrets.
pub fn redact_secrets(text: &str) -> String {
    let mut ranges = find_secret_values(text, |value| value.find(char::is_whitespace));
    let mut at = 0;
    for token in text.split_inclusive(char::is_whitespace) {
        let of_text = |range: Range<usize>| at + range.start..at + range.end;
        ranges.extend(find_user_infos(token.trim_end()).into_iter().map(of_text));
        if looks_like_key(token) {
            ranges.push(at..at + token.trim_end().len());
        }
        at += token.len();
    }
    mask_ranges(text, ranges)
}

/// Reads a text of a stored record without its secrets.
pub(crate) fn redact_text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    String::deserialize(from).map(|text| redact_secrets(&text))
}

/// Reads texts of a stored record without their secrets.
pub(crate) fn redact_texts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let texts = Vec::<String>::deserialize(from)?;
    Ok(texts.iter().map(|text| redact_secrets(text)).collect())
}

/// Addresses of servers as `--nats` takes them, also without a scheme, without their secrets.
pub fn redact_address(text: &str) -> String {
    redact_word(NATS_OPTION, text)
}

fn redact_words(words: Vec<String>) -> Vec<String> {
    let mut before = String::new();
    let mut redacted = Vec::with_capacity(words.len());
    for word in words {
        redacted.push(redact_word(&before, &word));
        before = word;
    }
    redacted
}

/// One word, behind the word `before` it.
fn redact_word(before: &str, word: &str) -> String {
    let is_value = before.starts_with('-') && !before.contains('=') && is_secret_name(before);
    if is_value || word.contains("-----BEGIN") || word.split_whitespace().any(looks_like_key) {
        return SECRET_MASK.to_owned();
    }
    let mut ranges = find_secret_values(word, find_value_end);
    ranges.extend(find_user_infos(word));
    let address =
        if before == NATS_OPTION { Some(0) } else { word.strip_prefix("--nats=").map(|_| 7) };
    if let Some(start) = address
        && !word.contains("://")
        && let Some(end) = word.rfind('@')
    {
        ranges.push(start..end);
    }
    mask_ranges(word, ranges)
}

/// Where an unquoted value ends that may have blanks in it: before the next `name=`.
fn find_value_end(value: &str) -> Option<usize> {
    let blanks = value.match_indices(char::is_whitespace).map(|(at, _)| at);
    let mut ends = blanks.filter(|at| {
        let name = value[*at..].trim_start().split('=').next().unwrap_or_default();
        value[*at..].contains('=') && !name.is_empty() && name.chars().all(is_name_char)
    });
    ends.next()
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

fn is_secret_name(name: &str) -> bool {
    let name = name.trim_start_matches('-').to_ascii_lowercase().replace('-', "_");
    matches!(&*name, "pass" | "pw") || SECRET_ENDINGS.iter().any(|end| name.ends_with(end))
}

/// A seed of an nkey, or a token of JSON (JWT).
fn looks_like_key(word: &str) -> bool {
    let word = word.trim();
    let is_seed = word.len() == NKEY_SEED_LENGTH
        && word.starts_with('S')
        && word.chars().all(|c| matches!(c, 'A'..='Z' | '2'..='7'));
    // `{"` in base 64, and three parts.
    is_seed || (word.starts_with("eyJ") && word.matches('.').count() == 2)
}

/// The values of `password=...` and its like; `end` says where one without quotes ends, beside `&`.
fn find_secret_values(text: &str, end: impl Fn(&str) -> Option<usize>) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    for (at, _) in text.match_indices('=') {
        let before = &text[..at];
        let name = before
            .rfind(|c| !is_name_char(c))
            .map_or(before, |last| before[last..].trim_start_matches(|c: char| !is_name_char(c)));
        let value = &text[at + 1..];
        if value.is_empty() || !is_secret_name(name) {
            continue;
        }
        let stop = match value.chars().next().filter(|c| matches!(c, '\'' | '"')) {
            Some(quote) => find_closing_quote(value, quote),
            None => [value.find('&'), end(value)].into_iter().flatten().min(),
        };
        ranges.push(at + 1..at + 1 + stop.unwrap_or(value.len()));
    }
    ranges
}

/// Behind the quote that ends a quoted value; a backslash takes the next character's meaning.
fn find_closing_quote(value: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in value.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The user information of addresses. It ends at the last `@`, since some readers allow `/`, `?`
/// and `@` in a password; several addresses stand with commas between them.
fn find_user_infos(text: &str) -> Vec<Range<usize>> {
    let schemes: Vec<(usize, usize)> = text
        .match_indices("://")
        .map(|(at, sign)| {
            let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-');
            let start = text[..at].trim_end_matches(is_scheme).len();
            (start, at + sign.len())
        })
        .collect();
    // One that follows a comma begins another address; any other may be part of a password.
    let is_next = |start: usize| text[..start].ends_with(',');
    let mut ranges = Vec::new();
    for (place, &(start, from)) in schemes.iter().enumerate() {
        let next = schemes[place + 1..].iter().find(|(start, _)| is_next(*start));
        let address = &text[from..next.map_or(text.len(), |(start, _)| *start)];
        let Some(end) = address.rfind('@').filter(|_| !address.starts_with('/')) else { continue };
        let scheme = text[start..from].trim_end_matches("://").to_ascii_lowercase();
        let is_login =
            LOGIN_SCHEMES.contains(&scheme.as_str()) && !address[..end].contains([':', '@']);
        if !is_login {
            ranges.push(from..from + end);
        }
    }
    ranges
}

fn mask_ranges(text: &str, mut ranges: Vec<Range<usize>>) -> String {
    ranges.sort_by_key(|range| range.start);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for range in ranges {
        if range.start > done || (range.start == done && !out.ends_with(SECRET_MASK)) {
            out.push_str(&text[done..range.start]);
            out.push_str(SECRET_MASK);
        }
        done = done.max(range.end);
    }
    out.push_str(&text[done..]);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn secrets_of_words_are_masked_and_nothing_else() {
        let check = |words: &str, expected: &str| {
            let line = CommandLine::new(words.split(' '));
            assert_eq!(line.join(" "), expected, "{words}");
            assert_eq!(CommandLine::new(line.iter()), line, "twice is once: {words}");
        };
        check(
            "fleet --nats nats://bob:PW@db1:4222 check",
            "fleet --nats nats://***@db1:4222 check",
        );
        check("--nats=nats://TOKEN@db1", "--nats=nats://***@db1");
        check("--nats nats://a:b@x,tls://c:d@y", "--nats nats://***@x,tls://***@y");
        check("--nats nats://a:b@x,nats://y:4222", "--nats nats://***@x,nats://y:4222");
        check("--nats bob:PW@db1:4222", "--nats ***@db1:4222");
        check("--nats=TOKEN@db1", "--nats=***@db1");
        check("--nats db1:4222", "--nats db1:4222");
        check("x://bob:p@ss/w?rd@h/a", "x://***@h/a");
        check("postgres://ann:PW@db/runs?sslmode=on", "postgres://***@db/runs?sslmode=on");
        check("postgres://ann@db/runs", "postgres://ann@db/runs");
        check("https://h/x?user=a&password=PW&b=c", "https://h/x?user=a&password=***&b=c");
        check("postgres://ann@db/r?sslpassword=PW", "postgres://ann@db/r?sslpassword=***");
        check("postgres://ann@db/r?password=p@w", "postgres://***");
        check("--ssh ssh://root@db1:22,db2", "--ssh ssh://root@db1:22,db2");
        check("--ssh ssh://root:PW@db1", "--ssh ssh://***@db1");
        check("--token X --password Y --seed 7", "--token *** --password *** --seed 7");
        check("--token=X -o token=Y", "--token=*** -o token=***");
        check("--http_s3_key=X --http_s3_keyid=id", "--http_s3_key=*** --http_s3_keyid=id");
        check("--creds /etc/nats.creds --tls-key k.pem", "--creds /etc/nats.creds --tls-key k.pem");
        check("/srv/a@b file:///a@b /srv/x=y bs=4k", "/srv/a@b file:///a@b /srv/x=y bs=4k");
        check("root@db1:/srv --bypass=1", "root@db1:/srv --bypass=1");
        check("", "");
        let seed = format!("SU{}", "A".repeat(56));
        check(&format!("--creds {seed}"), "--creds ***");
        check("--creds eyJhbGciOi.eyJqdGki.c2ln", "--creds ***");
    }

    #[test]
    fn mounts_of_stored_records_are_read_without_secrets() {
        let stored = r#"{"kind": "fuse", "source": "https://ann:PW@dav/x", "mount_point": "/m",
            "options": ["rw", "password=PW"], "size": 0, "free": 0, "block_size": 0,
            "read_only": false, "memory": false, "network": true}"#;
        let read: crate::FileSystem = serde_json::from_str(stored).unwrap();
        assert_eq!(read.source, "https://***@dav/x");
        assert_eq!(read.options, ["rw", "password=***"]);
    }

    #[test]
    fn words_with_blanks_are_masked_whole() {
        let check = |word: &str, expected: &str| {
            assert_eq!(CommandLine::new([word])[0], expected);
        };
        check("host=db password=two words user=ann", "host=db password=*** user=ann");
        check("host=db password='a b=c' user=ann", "host=db password=*** user=ann");
        check(r"password='it\'s' user=ann", "password=*** user=ann");
        check("nats://bob:two words@h", "nats://***@h");
        check("-----BEGIN NATS USER JWT-----\neyJ0\n", "***");
    }

    #[test]
    fn text_for_people_keeps_all_but_the_secret() {
        let check = |text: &str, expected: &str| assert_eq!(redact_secrets(text), expected);
        check(
            "cannot reach 'nats://bob:PW@h:4222': refused\n mail a@b",
            "cannot reach 'nats://***@h:4222': refused\n mail a@b",
        );
        check("cannot use password='a b' of x", "cannot use password=*** of x");
        check("plain, with 3 = 3 and x=y", "plain, with 3 = 3 and x=y");
        assert_eq!(redact_address("bob:p,w@db1"), "***@db1");
        assert_eq!(redact_address("nats://bob:p,w@db1"), "nats://***@db1");
    }

    #[test]
    fn stored_words_are_a_list_and_are_redacted_when_read() {
        let line: CommandLine = serde_json::from_str(r#"["t", "nats://a:PW@h"]"#).unwrap();
        assert_eq!(serde_json::to_string(&line).unwrap(), r#"["t","nats://***@h"]"#);
    }

    proptest! {
        #[test]
        fn no_secret_survives(
            head in "[a-zA-Z0-9]{8}",
            noise in "[ -%'-~é]{0,12}",
            tail in "[a-zA-Z0-9]{8}",
        ) {
            // A scheme behind a comma begins another address.
            let noise = noise.replace("://", "");
            let secret = format!("{head}{noise}{tail}");
            let bare: String = secret.chars().filter(|c| !c.is_whitespace()).collect();
            let quoted = secret.replace(['\'', '\\'], "");
            let lines = [
                vec!["--nats".to_owned(), format!("nats://bob:{secret}@h:4222")],
                vec![format!("--nats=nats://{secret}@h,nats://b")],
                vec!["--nats".to_owned(), format!("bob:{secret}@h")],
                vec![format!("postgres://ann:{secret}@db:5432/x?sslmode=on")],
                vec![format!("postgres://ann@db/x?a=b&password={bare}&c=d")],
                vec![format!("host=db password={bare} user=ann")],
                vec![format!("host=db password='{quoted}' user=ann")],
                vec!["--password".to_owned(), secret.clone()],
                vec![format!("--token={bare}")],
            ];
            for line in lines {
                let kept = CommandLine::new(&line).join(" ");
                prop_assert!(!kept.contains(&head) && !kept.contains(&tail), "{line:?}: {kept}");
                let text = line.join(" ");
                if !text.contains("--password ") && !text.contains("bob:") && secret == bare {
                    let told = redact_secrets(&text);
                    prop_assert!(!told.contains(&head) && !told.contains(&tail), "{told}");
                }
            }
        }
    }
}
