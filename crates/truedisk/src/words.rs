//! The test of the words that the command says besides the reports.

use message::Declared;

/// What this crate says, and what those crates say that have no test of their own.
fn list_messages() -> Vec<Declared> {
    let own = [
        crate::fleet::LIST_MESSAGES,
        crate::history::words::MESSAGES,
        crate::model::MESSAGES,
        crate::output::MESSAGES,
        crate::preset::MESSAGES,
        crate::progress::MESSAGES,
        crate::promise::MESSAGES,
    ];
    let others = [fio::MESSAGES, method::MESSAGES, method::phase::MESSAGES, target::MESSAGES];
    own.into_iter().chain(others).flatten().copied().collect()
}

#[test]
fn every_message_has_its_words_in_every_language_whatever_its_arguments() {
    assert_eq!(message::list_faults(&list_messages()), [""; 0]);
}

#[test]
fn every_label_has_words() {
    check_folder(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
}

fn check_folder(folder: &std::path::Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            check_folder(&path);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for rest in text.split("say(\"").skip(1) {
            let id = rest.split('"').next().unwrap();
            assert!(message::Message::find(id).is_some(), "no message {id}");
        }
    }
}
