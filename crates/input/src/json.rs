//! How much a JSON text becomes in memory.

use std::io::{self, ErrorKind};

/// Refuses a JSON text with more than `limit` values: two bytes of text can become 80 bytes of
/// memory, so the size of the text alone is no bound.
///
/// Every value but the first follows a comma or an opening bracket, or belongs to a key that does.
/// Commas within strings are counted too, which costs an honest text little.
///
/// # Errors
/// When there are more.
pub fn check_json(text: &[u8], limit: usize) -> io::Result<()> {
    let opens_value = |byte: &&u8| matches!(byte, b',' | b'[' | b'{');
    let count = text.iter().filter(opens_value).count();
    if count <= limit {
        return Ok(());
    }
    let message = format!("it holds about {count} JSON values; at most {limit} are read");
    Err(io::Error::new(ErrorKind::FileTooLarge, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted() {
        let check = |text: &str, limit: usize, fits: bool| {
            assert_eq!(check_json(text.as_bytes(), limit).is_ok(), fits, "{text}");
        };
        check("", 0, true);
        check("7", 0, true);
        check("[1,2,3]", 3, true);
        check("[1,2,3]", 2, false);
        check("{\"a\":1,\"b\":{}}", 3, true);
        check("[[[[", 3, false);
    }
}
