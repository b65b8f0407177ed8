//! The disk and the environment of a run, for the appendix.

use message::{Language, Render as _, messages};
use record::{Environment, Layer, Record};
use units::Iops;

use crate::devices::Clauses;
use crate::words::{layer_words, say};

messages! {
    LayerDetail = "layer-detail" { name: String, value: String };
    Link = "layer-link-words" { kind: String, current: String, carries: String };
    LinkOf = "layer-link-of" { kind: String, current: String, most: String, carries: String };
    ClockWords = "fact-clock-words" { clock: String, reading: String };
    GeneratorWords = "fact-generator-words" { one: Iops, many: Iops };
}

pub(super) struct LayerView {
    pub(super) words: String,
    pub(super) details: Vec<String>,
}

/// A block device, with what a disk said of its health in the run.
pub(super) fn build_layer_view(layer: &Layer, record: &Record, language: Language) -> LayerView {
    let mut details = Vec::new();
    let mut add = |id: &str, value: Option<String>| {
        let name = say(id, language);
        details.extend(value.map(|value| LayerDetail { name, value }.render(language)));
    };
    add("layer-serial", layer.serial.clone());
    add("layer-firmware", layer.firmware.clone());
    let yes_or_no = |is: bool| match is {
        true => say("word-yes", language),
        false => say("word-no", language),
    };
    add("layer-rotational", layer.rotational.map(yes_or_no));
    if let Some(queue) = &layer.queue {
        add("layer-scheduler", queue.scheduler.clone());
        add("layer-sector", queue.logical_block_size.map(|b| b.to_string()));
        add("layer-physical-sector", queue.physical_block_size.map(|b| b.to_string()));
        add("layer-write-cache", queue.write_cache.clone());
        add("layer-requests", queue.nr_requests.map(|n| n.to_string()));
        add("layer-largest-request", queue.max_request.map(|b| b.to_string()));
        add("layer-hardware-queues", queue.hardware_queues.map(|n| n.to_string()));
    }
    if let Some(link) = &layer.link {
        let (kind, current) = (link.kind.to_string(), link.current.to_string());
        let carries = link.ceiling.to_string();
        let words = match &link.max {
            Some(most) => {
                LinkOf { kind, current, most: most.to_string(), carries }.render(language)
            }
            None => Link { kind, current, carries }.render(language),
        };
        add("layer-link", Some(words));
    }
    let mut runs = record.measured.health.iter();
    if let Some(run) = runs.find(|run| run.device == layer.name) {
        for (id, health) in [("layer-health-start", &run.start), ("layer-health-end", &run.end)] {
            let clauses = health.describe();
            let is_known = !clauses.is_empty();
            add(id, is_known.then(|| Clauses { clauses }.render(language)));
        }
    }
    add("layer-file", layer.backing_file.clone());
    add("layer-file-direct", layer.backing_direct.map(yes_or_no));
    LayerView { words: layer_words(layer).render(language), details }
}

fn processor_words(environment: &Environment) -> String {
    match (environment.cpus, environment.cpu_model.as_deref()) {
        (0, None) => String::new(),
        (0, Some(model)) => model.to_owned(),
        (count, model) => format!("{count} x {}", model.unwrap_or("?")),
    }
}

pub(super) fn run_facts(record: &Record, language: Language) -> Vec<(String, String)> {
    let measured = &record.measured;
    let mut facts =
        vec![("fact-run", measured.id.clone()), ("fact-started", measured.started.to_string())];
    facts.extend(host_facts(record, language));
    if let Some(imported) = &measured.imported {
        facts.push(("fact-measured-by", imported.version.clone()));
        let notes = Clauses { clauses: imported.notes.clone() };
        facts.push(("fact-known-of-it", notes.render(language)));
    } else if measured.watch.is_none() {
        facts.push(("fact-seed", measured.plan.seed.0.to_string()));
        facts.push(("fact-span", measured.plan.span.to_string()));
        let clock = format!("{:?}", measured.calibration.clock);
        let reading = format!("{:.0} ns", measured.calibration.clock_read_ns);
        facts.push(("fact-clock", ClockWords { clock, reading }.render(language)));
    }
    let calibration = &measured.calibration;
    if let (Some(one), Some(many)) = (calibration.nop_iops_depth_1, calibration.nop_iops_depth_32) {
        facts.push(("fact-generator", GeneratorWords { one, many }.render(language)));
    }
    for limit in &measured.environment.io_limits {
        let words = format!("{} {}: {}", limit.cgroup, limit.file, limit.device);
        facts.push(("fact-control-group", words));
    }
    facts.retain(|fact| !fact.1.is_empty());
    facts.into_iter().map(|(id, value)| (say(id, language), value)).collect()
}

fn host_facts(record: &Record, language: Language) -> Vec<(&'static str, String)> {
    let environment = &record.measured.environment;
    // Another tool did not look.
    let unseen = match record.measured.imported {
        Some(_) => String::new(),
        None => say("fact-none-seen", language),
    };
    let host = if record.measured.fleet.is_some() { "fact-coordinator" } else { "fact-host" };
    let user = environment.root.map(|is_root| match is_root {
        true => say("fact-root", language),
        false => say("fact-not-root", language),
    });
    let io_uring = environment.io_uring.as_ref().map(|ring| {
        ring.reason.as_ref().map_or_else(|| say("fact-available", language), ToString::to_string)
    });
    let container = environment.container.as_ref();
    vec![
        (host, environment.hostname.clone().unwrap_or_default()),
        ("fact-system", environment.os.clone().unwrap_or_default()),
        ("fact-kernel", format!("{} {}", environment.kernel, environment.arch).trim().to_owned()),
        ("fact-processor", processor_words(environment)),
        ("fact-memory", environment.memory.map(|m| m.to_string()).unwrap_or_default()),
        (
            "fact-virtualisation",
            environment.virtualisation.clone().unwrap_or_else(|| unseen.clone()),
        ),
        ("fact-container", container.map_or(unseen, |of| of.kind.to_string())),
        ("fact-user", user.unwrap_or_default()),
        ("fact-io-uring", io_uring.unwrap_or_default()),
    ]
}
