use units::{Iops, Nanos};

use crate::{Argument, IntoArgument as _, Language, Message, Render, label};

#[test]
fn a_message_is_stored_with_its_arguments_and_its_text() {
    let arguments = [("after", Nanos(5).into_argument()), ("rate", Iops(1.5).into_argument())];
    let message = Message::new("no-such-message", arguments);
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
    assert_eq!(label("list-names").text(), ", ");
}
