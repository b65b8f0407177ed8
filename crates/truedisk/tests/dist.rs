//! What is handed out beside the program: the unit for systemd, the manifests for Kubernetes.
//! Their commands are those of this very program.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's helpers may fail the test")]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use lab::{Need, skip_unless};
use yaml_rust2::{Yaml, YamlLoader};

fn dist(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(dist(name)).unwrap()
}

/// Asserts that truedisk knows these arguments: with `--help` behind them it refuses what it does
/// not know, and otherwise does nothing.
fn assert_known(words: &[String]) {
    assert_eq!(words[0], "agent");
    let output = support::truedisk(words.iter().map(String::as_str).chain(["--help"])).output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{words:?}: {said}");
    let unknown = words.iter().map(String::as_str).chain(["--no-such-option", "--help"]);
    let refused = support::truedisk(unknown).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "or this test would prove nothing");
}

/// The only document of a manifest.
fn manifest(name: &str) -> Yaml {
    let mut documents = YamlLoader::load_from_str(&text(name)).unwrap();
    assert_eq!(documents.len(), 1, "{name}");
    documents.remove(0)
}

fn strings(list: &Yaml) -> Vec<String> {
    list.as_vec().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

/// What both manifests must hold.
fn check_manifest(name: &str, kind: &str) -> Yaml {
    let manifest = manifest(name);
    assert_eq!(manifest["kind"].as_str(), Some(kind), "{name}");
    assert_eq!(manifest["metadata"]["namespace"].as_str(), Some("truedisk"));
    let template = &manifest["spec"]["template"];
    let pod = &template["spec"];
    assert_eq!(pod["automountServiceAccountToken"].as_bool(), Some(false), "{name}");
    assert_eq!(pod["securityContext"]["runAsNonRoot"].as_bool(), Some(true), "{name}");
    let containers = pod["containers"].as_vec().unwrap();
    assert_eq!(containers.len(), 1, "{name}");
    let container = &containers[0];
    let context = &container["securityContext"];
    assert_eq!(context["allowPrivilegeEscalation"].as_bool(), Some(false), "{name}");
    assert_eq!(context["readOnlyRootFilesystem"].as_bool(), Some(true), "{name}");
    assert_eq!(strings(&context["capabilities"]["drop"]), ["ALL"], "{name}");
    // Kubernetes puts values for $(NAME); any plain one will do here.
    let words: Vec<String> =
        strings(&container["args"]).iter().map(|word| word.replace("$(INDEX)", "0")).collect();
    assert_known(&words);
    check_volumes(name, pod, container, &words);
    manifest["spec"].clone()
}

/// Every mount has its volume, and every path of the arguments lies on a mount.
fn check_volumes(name: &str, pod: &Yaml, container: &Yaml, words: &[String]) {
    let volumes = pod["volumes"].as_vec().unwrap();
    let mounts = container["volumeMounts"].as_vec().unwrap();
    let mut points = Vec::new();
    for mount in mounts {
        let volume = mount["name"].as_str().unwrap();
        let found = volumes.iter().any(|other| other["name"].as_str() == Some(volume));
        assert!(found, "{name}: no volume {volume}");
        points.push(mount["mountPath"].as_str().unwrap());
    }
    assert_eq!(volumes.len(), mounts.len(), "{name}: a volume that is not mounted");
    for word in words {
        let Some((_, path)) = word.split_once("=/") else { continue };
        let path = format!("/{path}");
        let inside = points.iter().any(|point| Path::new(&path).starts_with(point));
        assert!(inside, "{name}: {word} lies on no mount");
    }
}

#[test]
fn the_daemon_set_runs_an_agent_that_there_is() {
    let spec = check_manifest("kubernetes/daemonset.yaml", "DaemonSet");
    // The selector must choose the pods of the template, or the API refuses it.
    assert_eq!(spec["selector"]["matchLabels"], spec["template"]["metadata"]["labels"]);
}

#[test]
fn the_indexed_job_runs_as_many_agents_as_it_says() {
    let spec = check_manifest("kubernetes/indexed-job.yaml", "Job");
    assert_eq!(spec["completionMode"].as_str(), Some("Indexed"));
    assert_eq!(spec["completions"], spec["parallelism"], "all at once");
    assert!(spec["completions"].as_i64().is_some_and(|count| count > 1));
    assert!(spec["activeDeadlineSeconds"].as_i64().is_some(), "a session that is forgotten ends");
    let labels = &spec["template"]["metadata"]["labels"];
    let spread = &spec["template"]["spec"]["topologySpreadConstraints"][0];
    assert_eq!(&spread["labelSelector"]["matchLabels"], labels);
}

/// The value of the unit's only line of that name.
fn setting(unit: &str, name: &str) -> String {
    let found: Vec<&str> =
        unit.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix('=')).collect();
    assert_eq!(found.len(), 1, "{name}");
    found[0].to_owned()
}

#[test]
fn the_unit_runs_an_agent_that_there_is() {
    let unit = text("truedisk-agent.service");
    let line = setting(&unit, "ExecStart");
    // The values that the unit's own comments give as an example.
    let example = |name: &str| {
        let start = format!("# {name}=");
        unit.lines().find_map(|line| line.strip_prefix(&start)).unwrap().to_owned()
    };
    let line = line.replace("${NATS_URL}", &example("NATS_URL"));
    let line = line.replace("$OPTIONS", &example("OPTIONS"));
    let line = line.replace("%d", "/run/credentials/x").replace("%S", "/var/lib");
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    assert_eq!(words[0], "/usr/bin/truedisk");
    assert_known(&words[1..]);
    let user = setting(&unit, "User");
    assert!(
        text("truedisk-agent.sysusers").lines().any(|line| line.starts_with(&format!("u {user} ")))
    );
}

/// The settings that `docs/agents.md` adds to the unit for `--stop-on`.
fn stop_on_settings() -> String {
    let page = text("../docs/agents.md");
    let (_, rest) = page.split_once("### For `--stop-on`").unwrap();
    rest.split("```").nth(1).unwrap().to_owned()
}

#[test]
fn systemd_takes_the_unit_and_finds_it_hardened() {
    skip_unless!(Need::Program("systemd-analyze"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("truedisk-agent.service");
    let ours = text("truedisk-agent.service");
    // The program must be there.
    let there = ours.replace("/usr/bin/truedisk", env!("CARGO_BIN_EXE_truedisk"));
    std::fs::write(&path, &there).unwrap();
    let analyze = |words: &[&str]| {
        let output = Command::new("systemd-analyze").args(words).arg(&path).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (fine, said) = analyze(&["verify", "--man=no"]);
    assert!(fine && !said.contains("truedisk-agent.service"), "{said}");
    std::fs::write(&path, there.replace("Type=exec", "Typ=exec")).unwrap();
    let (_, said) = analyze(&["verify", "--man=no"]);
    assert!(said.contains("Typ"), "or this test would prove nothing: {said}");
    std::fs::write(&path, &there).unwrap();
    // In tenths of systemd's exposure; a unit without hardening has 9.6.
    let (fine, said) = analyze(&["security", "--offline=true", "--threshold=25", "--no-pager"]);
    assert!(fine, "{said}");
}

#[test]
fn systemd_takes_the_settings_for_stop_on_and_they_add_no_more_than_two_capabilities() {
    skip_unless!(Need::Program("systemd-analyze"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("truedisk-agent.service");
    let there = text("truedisk-agent.service");
    let there = there.replace("/usr/bin/truedisk", env!("CARGO_BIN_EXE_truedisk"));
    let verify = |settings: &str| {
        // As a drop-in, they come after those of the unit.
        std::fs::write(&path, format!("{there}\n{settings}")).unwrap();
        let mut command = Command::new("systemd-analyze");
        let output = command.args(["verify", "--man=no"]).arg(&path).output().unwrap();
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let settings = stop_on_settings();
    let said = verify(&settings);
    assert!(!said.contains("truedisk-agent.service"), "{said}");
    let said = verify(&settings.replace("AmbientCapabilities", "AmbientCapability"));
    assert!(said.contains("AmbientCapability"), "or this test would prove nothing: {said}");
    let capabilities = ["AmbientCapabilities", "CapabilityBoundingSet"];
    let given = capabilities.map(|name| setting(&settings, name));
    assert_eq!(given, ["CAP_BPF CAP_PERFMON"; 2]);
    assert_eq!(setting(&settings, "SystemCallFilter"), "bpf");
}
