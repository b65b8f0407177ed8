//! Records of schema 1, in the words of the newest.

use serde_json::{Value, json};

/// Turns the JSON of a record of schema 1 into that of [`crate::SCHEMA_VERSION`]; what it cannot
/// make sense of is left to the reader, who will say so.
pub(crate) fn upgrade(record: &mut Value) {
    let version = record.get("schema_version").and_then(Value::as_u64);
    if version == Some(1) {
        from_1(record);
        record["schema_version"] = crate::SCHEMA_VERSION.into();
    }
}

/// Version 1 had one bound, one cell for each point of a curve, and only checks.
fn from_1(record: &mut Value) {
    if let Some(plan) = record.get_mut("plan").and_then(Value::as_object_mut) {
        if let Some(effort) = plan.remove("effort") {
            plan.insert("purpose".to_owned(), json!({"kind": "check", "effort": effort}));
        }
        if let Some(bound) = plan.remove("bound") {
            plan.insert("bounds".to_owned(), json!([bound]));
        }
    }
    let curves = record.get_mut("curves").and_then(Value::as_array_mut);
    for curve in curves.into_iter().flatten().filter_map(Value::as_object_mut) {
        let bound = curve.remove("bound").unwrap_or_default();
        for point in curve.get_mut("points").and_then(Value::as_array_mut).into_iter().flatten() {
            let Some(point) = point.as_object_mut() else { continue };
            let cell = point.remove("cell").unwrap_or_default();
            let stand = json!({
                "statistic": point.remove("statistic"),
                "within": point.remove("within_bound"),
            });
            point.insert("cells".to_owned(), json!([cell]));
            point.insert("stands".to_owned(), json!([stand]));
        }
        let limits: Vec<Value> = curve.remove("limit").into_iter().collect();
        let limits = limits.into_iter().filter(|limit| !limit.is_null()).map(|mut limit| {
            // What is no object is left as it is.
            if let Some(limit) = limit.as_object_mut() {
                limit.insert("bound".to_owned(), bound.clone());
            }
            limit
        });
        let limits: Vec<Value> = limits.collect();
        curve.insert("limits".to_owned(), limits.into());
        curve.insert("bounds".to_owned(), json!([bound]));
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
            "curves": [{
                "bound": "p99<10ms",
                "points": [{"cell": "a", "statistic": 1, "within_bound": true}],
                "limit": {"depth": 1, "cell": "a"},
            }],
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
                upgrade(&mut document);
            }
        }
        let mut spoiled = plain.clone();
        spoiled["curves"][0]["limit"] = json!(7);
        upgrade(&mut spoiled);
        assert_eq!(spoiled["curves"][0]["limits"], json!([7]));
        assert!(serde_json::from_value::<crate::Record>(spoiled).is_err());
    }
}
