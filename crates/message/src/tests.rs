use units::{Iops, Nanos};

use crate::{Argument, Language, Message, Render, messages};

messages! {
    static MESSAGES;
    ListNames = "list-names";
    Unknown = "no-such-message" { after: Nanos, rate: Iops };
}

#[test]
fn a_message_is_stored_with_its_arguments_and_its_text() {
    let message = Message::from(Unknown { after: Nanos(5), rate: Iops(1.5) });
    assert_eq!(MESSAGES.len(), 2);
    let json = serde_json::to_value(&message).unwrap();
    let args = serde_json::json!({
        "after": {"nanoseconds": 5}, "rate": {"operations_per_second": 1.5},
    });
    assert_eq!(json["message"], serde_json::json!({"id": "no-such-message", "args": args}));
    assert_eq!(json["text"], "no-such-message", "a message without words says its id");
    assert_eq!(serde_json::from_value::<Message>(json).unwrap(), message);
    assert_eq!(message.argument("after"), Some(&Argument::Nanoseconds(Nanos(5))));
}

#[test]
fn the_text_of_an_older_record_is_the_same_in_every_language() {
    let message: Message = serde_json::from_str("\"nobody else used the disk\"").unwrap();
    for language in Language::ALL {
        assert_eq!((&message).render(language), "nobody else used the disk");
    }
    let newer = r#"{"message": {"id": "of-version-9", "args": {}}, "text": "as written"}"#;
    let message: Message = serde_json::from_str(newer).unwrap();
    assert_eq!(message.render(Language::Russian), "as written");
}

#[test]
fn a_known_message_has_its_words() {
    assert_eq!(Message::from(ListNames {}).text(), ", ");
}
