//! Records of older schemas, in the words of the newest.

use serde_json::{Value, json};

/// Turns the JSON of a record of an older schema into that of [`crate::SCHEMA_VERSION`]; what it
/// cannot make sense of is left to the reader, who will say so.
pub(crate) fn upgrade(record: &mut Value) {
    if record.get("schema_version").and_then(Value::as_u64) == Some(1) {
        from_1(record);
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
            limit["bound"] = bound.clone();
            limit
        });
        let limits: Vec<Value> = limits.collect();
        curve.insert("limits".to_owned(), limits.into());
        curve.insert("bounds".to_owned(), json!([bound]));
    }
    record["schema_version"] = crate::SCHEMA_VERSION.into();
}
