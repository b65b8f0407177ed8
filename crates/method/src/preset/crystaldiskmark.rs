//! CrystalDiskMark's presets, made from one file: what they share, and in what they differ.

use std::fmt::Write as _;

use serde::Deserialize;

const TEXT: &str = include_str!("../../presets/crystaldiskmark.toml");
pub(super) const NAMES: [&str; 17] = [
    "crystaldiskmark",
    "crystaldiskmark-mix",
    "crystaldiskmark-nvme",
    "crystaldiskmark-nvme-mix",
    "crystaldiskmark-nvme-peak",
    "crystaldiskmark-nvme-peak-mix",
    "crystaldiskmark-flash",
    "crystaldiskmark-flash-mix",
    "crystaldiskmark-peak",
    "crystaldiskmark-peak-mix",
    "crystaldiskmark-real",
    "crystaldiskmark-real-mix",
    "crystaldiskmark-demo",
    "crystaldiskmark-9",
    "crystaldiskmark-7",
    "crystaldiskmark-6",
    "crystaldiskmark-5",
];
/// Verb, mix and label of the rounds through all tests; the last only of a variant with a mix.
const MIXES: [(&str, &str, &str); 3] =
    [("read", "read", "read"), ("write", "write", "write"), ("mix", "70/30", "70 % reads")];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Family {
    sources: Vec<String>,
    notes: Vec<String>,
    variant: Vec<Variant>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    name: String,
    title: String,
    imitates: String,
    format: Option<String>,
    #[serde(default)]
    notes: Vec<String>,
    passes: Option<u32>,
    rest: Option<String>,
    time: Option<String>,
    /// `SEQ1M Q8T1`: block, queue depth of each thread, threads.
    tests: Vec<String>,
    #[serde(default)]
    mix: bool,
}

pub(super) fn render_text(name: &str) -> Option<String> {
    let family: Family = toml::from_str(TEXT).ok()?;
    let variant = family.variant.iter().find(|variant| variant.name == name)?;
    let mut text = String::new();
    let or = |text: &Option<String>, default: &str| text.as_deref().unwrap_or(default).to_owned();
    let sources: Vec<String> = family.sources.iter().map(|url| format!("\"{url}\"")).collect();
    let notes = variant.notes.iter().chain(&family.notes);
    let notes: String = notes.map(|note| format!("  \"{note}\",\n")).collect();
    let _ = write!(
        text,
        "title = \"{}\"\nimitates = \"{}\"\nsources = [{}]\nsize = \"1g\"\nformat = \"{}\"\n\
         notes = [\n{notes}]\n\n\
         [defaults]\npasses = {}\ndiscard = 1\nrest = \"{}\"\nscore = \"best\"\n\n\
         [defaults.job]\ntime = \"{}\"\n",
        variant.title,
        variant.imitates,
        sources.join(", "),
        or(&variant.format, "crystaldiskmark"),
        variant.passes.unwrap_or(5),
        or(&variant.rest, "5s"),
        or(&variant.time, "5s"),
    );
    for (verb, mix, label) in &MIXES[..if variant.mix { 3 } else { 2 }] {
        for test in &variant.tests {
            let id = test.to_lowercase().replace(' ', "-");
            let job = render_job(test)?;
            let _ = write!(
                text,
                "\n[[step]]\nname = \"{id}-{verb}\"\nlabel = \"{test}, {label}\"\n\
                 job = [{{ {} mix = \"{mix}\", {} }}]\n",
                job.0, job.1
            );
        }
    }
    Some(text)
}

fn render_job(test: &str) -> Option<(&'static str, String)> {
    let (block, queue) = test.split_once(" Q")?;
    let (depth, threads) = queue.split_once('T')?;
    let (depth, threads): (u32, u32) = (depth.parse().ok()?, threads.parse().ok()?);
    let (access, block) = match block.strip_prefix("SEQ") {
        Some(block) => ("access = \"sequential\",", block),
        None => ("access = \"random\",", block.strip_prefix("RND")?),
    };
    let workers = if threads > 1 { format!(", workers = {threads}") } else { String::new() };
    let block = block.to_lowercase();
    Some((access, format!("bs = \"{block}\", depth = {}{workers}", depth * threads)))
}
