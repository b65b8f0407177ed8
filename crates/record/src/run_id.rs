//! The form of a run's id.

pub const RUN_ID_EXAMPLE: &str = "20261121T020304Z-5f3a9c21";
/// Longest id: it becomes the name of a file, with an ending.
const RUN_ID_LENGTH_MAX: usize = 100;
/// The time in it: a 9 stands for any digit.
const TIME_FORMAT: &str = "99999999T999999Z-";

/// Whether a text is the id of a run: its time, a hyphen, and letters, digits, `-` and `_`, such
/// as [`RUN_ID_EXAMPLE`].
///
/// So an id is neither a path, nor an option, nor a word of the command line such as `latest`.
pub fn is_run_id(text: &str) -> bool {
    let Some((time, name)) = text.split_at_checked(TIME_FORMAT.len()) else { return false };
    let fits = |(form, byte): (u8, u8)| match form {
        b'9' => byte.is_ascii_digit(),
        form => byte == form,
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    TIME_FORMAT.bytes().zip(time.bytes()).all(fits)
        && !name.is_empty()
        && name.bytes().all(plain)
        && text.len() <= RUN_ID_LENGTH_MAX
}

/// An id without its time: short, and almost always unique.
pub fn short_id(id: &str) -> &str {
    if is_run_id(id) { &id[TIME_FORMAT.len()..] } else { id }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_time_and_a_plain_name() {
        for id in [RUN_ID_EXAMPLE, "20261121T020304Z-5f3a9c21-collected", "20261121T020304Z-0"] {
            assert!(is_run_id(id), "{id}");
        }
        assert_eq!((short_id(RUN_ID_EXAMPLE), short_id("b")), ("5f3a9c21", "b"));
        let long = format!("{RUN_ID_EXAMPLE}{}", "x".repeat(100));
        let wrong = [
            "",
            "latest",
            "before-upgrade",
            "-o",
            "../../x",
            ".hidden",
            "20261121T020304Z-",
            "20261121T020304Z-../x",
            "20261121T020304Z-a/b",
            "20261121T020304Z-a.b",
            "20261121T020304Z-a\n",
            "20261121T020304Zx5f3a9c21",
            "2026112éT020304Z-5f3a9c21",
            " 20261121T020304Z-5f3a9c21",
            &long,
        ];
        for text in wrong {
            assert!(!is_run_id(text), "{text:?}");
        }
    }
}
