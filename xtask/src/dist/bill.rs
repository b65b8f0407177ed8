//! The crates within the program, as CycloneDX 1.5 describes them.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

/// Of what `cargo metadata` prints, the crates that a build of `package` links.
pub(super) fn render_bill(metadata: &Value, package: &str) -> Result<Value> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let by_id = |values: &Value| -> BTreeMap<String, Value> {
        list(values).into_iter().map(|value| (text(&value["id"]), value)).collect()
    };
    let packages = by_id(&metadata["packages"]);
    let nodes = by_id(&metadata["resolve"]["nodes"]);
    let is_linked = |dependency: &Value| {
        list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null())
    };
    let linked = |id: &str| -> Vec<String> {
        let all = nodes.get(id).map(|node| list(&node["deps"])).unwrap_or_default();
        all.iter().filter(|d| is_linked(d)).map(|d| text(&d["pkg"])).collect()
    };
    let root = packages.iter().find(|(_, one)| one["name"] == package);
    let (root, described) = root.with_context(|| format!("no package {package}"))?;
    let mut found = BTreeSet::from([root.clone()]);
    let mut open = vec![root.clone()];
    while let Some(id) = open.pop() {
        open.extend(linked(&id).into_iter().filter(|id| found.insert(id.clone())));
    }
    let url = |id: &String| {
        let package = &packages[id];
        format!("pkg:cargo/{}@{}", text(&package["name"]), text(&package["version"]))
    };
    let component = |id: &String| {
        let package = &packages[id];
        // Older manifests separate licences by `/`.
        let license = text(&package["license"]).replace('/', " OR ");
        json!({
            "type": "library", "bom-ref": url(id), "purl": url(id),
            "name": package["name"], "version": package["version"],
            "licenses": [{ "expression": license }],
        })
    };
    let others: Vec<&String> = found.iter().filter(|id| *id != root).collect();
    let dependencies = found.iter().map(
        |id| json!({ "ref": url(id), "dependsOn": linked(id).iter().map(url).collect::<Vec<_>>() }),
    );
    Ok(json!({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": { "component": {
            "type": "application", "bom-ref": url(root), "purl": url(root),
            "name": described["name"], "version": described["version"],
        } },
        "components": others.into_iter().map(component).collect::<Vec<_>>(),
        "dependencies": dependencies.collect::<Vec<_>>(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_linked_is_listed() {
        let licence = "MIT/Apache-2.0";
        let package =
            |name: &str| json!({ "id": name, "name": name, "version": "1", "license": licence });
        let needs =
            |name: &str, kind: Value| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": (["app", "near", "far", "lab"].map(package)),
            "resolve": { "nodes": [
                { "id": "app", "deps": [needs("near", Value::Null), needs("lab", json!("dev"))] },
                { "id": "near", "deps": [needs("far", Value::Null)] },
            ] },
        });
        let bill = render_bill(&metadata, "app").unwrap();
        let names: Vec<_> = bill["components"].as_array().unwrap().iter().collect();
        let names: Vec<_> = names.iter().map(|one| one["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["far", "near"]);
        assert_eq!(bill["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(bill["metadata"]["component"]["purl"], "pkg:cargo/app@1");
        assert_eq!(bill["dependencies"][0]["dependsOn"], json!(["pkg:cargo/near@1"]));
        assert!(render_bill(&metadata, "none").is_err());
    }
}
