//! The disk and the environment of a run, for the appendix.

use record::{Environment, Layer, Record};

use crate::words::layer_words;

pub(super) struct LayerView {
    pub(super) words: String,
    pub(super) details: Vec<String>,
}

pub(super) fn build_layer_view(layer: &Layer) -> LayerView {
    let mut details = Vec::new();
    let mut say = |name: &str, value: Option<String>| {
        details.extend(value.map(|value| format!("{name} {value}")));
    };
    say("serial", layer.serial.clone());
    say("firmware", layer.firmware.clone());
    let yes_or_no = |is: bool| if is { "yes" } else { "no" }.to_owned();
    say("rotational (as claimed)", layer.rotational.map(yes_or_no));
    if let Some(queue) = &layer.queue {
        say("scheduler", queue.scheduler.clone());
        say("sector", queue.logical_block_size.map(|b| b.to_string()));
        say("physical sector", queue.physical_block_size.map(|b| b.to_string()));
        say("write cache:", queue.write_cache.clone());
        say("requests", queue.nr_requests.map(|n| n.to_string()));
        say("largest request", queue.max_request.map(|b| b.to_string()));
        say("hardware queues", queue.hardware_queues.map(|n| n.to_string()));
    }
    if let Some(link) = &layer.link {
        let most = link.max.as_ref().map(|m| format!(" of {m}")).unwrap_or_default();
        let words = format!("{} {}{most}, carries {}", link.kind, link.current, link.ceiling);
        say("link", Some(words));
    }
    say("file", layer.backing_file.clone());
    say("bypasses the cache of that file:", layer.backing_direct.map(yes_or_no));
    LayerView { words: layer_words(layer), details }
}

fn processor_words(environment: &Environment) -> String {
    match (environment.cpus, environment.cpu_model.as_deref()) {
        (0, None) => String::new(),
        (0, Some(model)) => model.to_owned(),
        (count, model) => format!("{count} x {}", model.unwrap_or("?")),
    }
}

pub(super) fn run_facts(record: &Record) -> Vec<(&'static str, String)> {
    let environment = &record.measured.environment;
    let calibration = &record.measured.calibration;
    // Another tool did not look.
    let unseen = if record.measured.imported.is_some() { "" } else { "none seen" };
    let host = if record.measured.fleet.is_some() { "coordinator" } else { "host" };
    let user = environment.root.map(|is_root| if is_root { "root" } else { "not root" });
    let io_uring = environment.io_uring.as_ref();
    let io_uring = io_uring.map(|ring| ring.reason.as_deref().unwrap_or("available"));
    let container = environment.container.as_ref().map_or(unseen, |of| of.kind.as_str());
    let virtualisation = environment.virtualisation.as_deref().unwrap_or(unseen);
    let mut facts = vec![
        ("run", record.measured.id.clone()),
        ("started", record.measured.started.to_string()),
        ("command", record.measured.command.join(" ")),
        (host, environment.hostname.clone().unwrap_or_default()),
        ("system", environment.os.clone().unwrap_or_default()),
        ("kernel", format!("{} {}", environment.kernel, environment.arch).trim().to_owned()),
        ("processor", processor_words(environment)),
        ("memory", environment.memory.map(|m| m.to_string()).unwrap_or_default()),
        ("virtualisation", virtualisation.to_owned()),
        ("container", container.to_owned()),
        ("user", user.unwrap_or_default().to_owned()),
        ("io_uring", io_uring.unwrap_or_default().to_owned()),
    ];
    if let Some(imported) = &record.measured.imported {
        facts.push(("measured by", imported.version.clone()));
        facts.push(("known of it", imported.notes.join("; ")));
    } else {
        facts.push(("seed", record.measured.plan.seed.0.to_string()));
        facts.push(("span", record.measured.plan.span.to_string()));
        let clock =
            format!("{:?}, {:.0} ns a reading", calibration.clock, calibration.clock_read_ns);
        facts.push(("clock", clock));
    }
    if let (Some(one), Some(many)) = (calibration.nop_iops_depth_1, calibration.nop_iops_depth_32) {
        let words = format!("{one}/s at depth 1, {many}/s at depth 32, on no-operations");
        facts.push(("generator", words));
    }
    for limit in &environment.io_limits {
        let words = format!("{} {} on {}", limit.cgroup, limit.file, limit.device);
        facts.push(("control group", words));
    }
    facts.retain(|fact| !fact.1.is_empty());
    facts
}
