//! The test of the words that the command says besides the reports.

use message::Declared;

/// What this crate says, and what those crates say that have no test of their own.
fn list_messages() -> Vec<Declared> {
    let own = [
        crate::capture::MESSAGES,
        crate::config::MESSAGES,
        crate::fleet::LIST_MESSAGES,
        crate::history::words::MESSAGES,
        crate::model::MESSAGES,
        crate::output::MESSAGES,
        crate::site::WAVE_MESSAGES,
        crate::preset::MESSAGES,
        crate::preset::small_files::MESSAGES,
        crate::progress::MESSAGES,
        crate::promise::MESSAGES,
        crate::replay::plan::MESSAGES,
        crate::share::MESSAGES,
        crate::watch::metrics::MESSAGES,
        crate::watch::plain::MESSAGES,
        crate::watch::screen::disk_capture::MESSAGES,
        crate::watch::screen::draw::MESSAGES,
    ];
    let own = own.into_iter().chain([fio::MESSAGES]).flatten().copied();
    own.chain(method::list_messages()).chain(target::list_messages()).collect()
}

#[test]
fn every_message_has_its_words_in_every_language_whatever_its_arguments() {
    assert_eq!(message::list_faults(&list_messages()), [""; 0]);
}

#[test]
fn every_label_has_words() {
    let sources = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    assert_eq!(message::list_missing_labels(&sources).unwrap(), [""; 0]);
}
