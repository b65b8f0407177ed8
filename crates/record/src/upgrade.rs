//! What was measured in a record of schema 1, in the words of the newest.

use serde_json::{Value, json};

/// Turns the JSON of a record of schema 1 into that of [`crate::Measured`]; the reader refuses what
/// this leaves as it is.
///
/// Version 1 had one bound, and only checks.
pub(crate) fn upgrade_record(record: &mut Value) {
    let Some(plan) = record.get_mut("plan").and_then(Value::as_object_mut) else { return };
    if let Some(effort) = plan.remove("effort") {
        plan.insert("purpose".to_owned(), json!({"kind": "check", "effort": effort}));
    }
    if let Some(bound) = plan.remove("bound") {
        plan.insert("bounds".to_owned(), json!([bound]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value of a document, one after the other, replaced by `odd`.
    fn spoiled(value: &Value, odd: &Value) -> Vec<Value> {
        let mut all = vec![odd.clone()];
        match value {
            Value::Object(map) => {
                for (key, inner) in map {
                    all.extend(spoiled(inner, odd).into_iter().map(|inner| {
                        let mut map = map.clone();
                        map.insert(key.clone(), inner);
                        Value::Object(map)
                    }));
                }
            }
            Value::Array(items) => {
                for (place, inner) in items.iter().enumerate() {
                    all.extend(spoiled(inner, odd).into_iter().map(|inner| {
                        let mut items = items.clone();
                        items[place] = inner;
                        Value::Array(items)
                    }));
                }
            }
            _ => {}
        }
        all
    }

    #[test]
    fn odd_json_is_left_to_the_reader() {
        let plain = json!({
            "schema_version": 1,
            "plan": {"effort": "quick", "bound": "p99<10ms"},
        });
        let odd = [
            json!(null),
            json!(7),
            json!(-1.5),
            json!(true),
            json!("x"),
            json!([]),
            json!([1, "x", [], {}, null]),
            json!({}),
            json!({"limit": 1, "points": "x"}),
        ];
        for odd in &odd {
            for mut document in spoiled(&plain, odd) {
                upgrade_record(&mut document);
            }
        }
        let mut spoiled = plain.clone();
        spoiled["plan"] = json!(7);
        upgrade_record(&mut spoiled);
        assert_eq!(spoiled["plan"], json!(7));
    }
}
