//! `replay --as-fio` and `--as-preset`: a profile as a job of fio and as a preset. Both keep less
//! than the profile has, and say in their notes what.

use std::fmt::Write as _;
use std::path::PathBuf;

use record::RequestKind;
use record::profile::{Places, Profile};
use units::Bytes;

use crate::args::ReplayArgs;
use crate::exit::{Exit, Failure, Outcome};
use crate::output::{guarded_destinations, name_options, write_output};

/// Of a test file: the touched range may be as large as a disk.
const SIZE_MAX: u64 = Bytes::gib(4).0;
const SIZE_MIN: u64 = Bytes::mib(16).0;
const DEPTH_MIN: u64 = 16;
const DEPTH_MAX: u64 = 1024;
/// Equal parts of the file, each with its share of the requests.
const ZONES: usize = 10;
const SECONDS_MAX: u64 = 3600;

/// Writes the files that were asked for; measures nothing.
pub(super) fn export(args: &ReplayArgs) -> Outcome {
    let mut all = guarded_destinations([&args.load]);
    let mut open = |path: &Option<PathBuf>| path.as_deref().map(|path| all.open(path)).transpose();
    let fio = open(&args.as_fio)?;
    let preset = open(&args.as_preset)
        .map_err(|error| name_options(error, "--as-preset", &[("--as-fio", &fio)]))?;
    let shape = LoadShape::from_profile(&method::read_profile(&args.load)?)?;
    let source = args.load.display().to_string();
    for (file, text) in [(fio, shape.to_fio(&source)), (preset, shape.to_preset(&source))] {
        if let Some(file) = file {
            write_output(file, text.as_bytes())?;
        }
    }
    Ok(Exit::Done)
}

/// What both forms can say of a load.
struct LoadShape {
    read: Option<KindShape>,
    write: Option<KindShape>,
    /// Writes between two flushes.
    flush_every: Option<u64>,
    depth: u64,
    size: u64,
    seconds: u64,
    /// Percent of the requests in each tenth of the file.
    zones: Vec<u64>,
    /// What is not kept.
    lost: Vec<String>,
}

struct KindShape {
    /// Requests per second.
    rate: f64,
    /// Bytes, of the profile.
    mean_size: f64,
    /// In percent, the commonest first.
    sizes: Vec<(u64, u64)>,
    random_percent: u64,
}

impl LoadShape {
    fn from_profile(profile: &Profile) -> Result<Self, Failure> {
        let kind = |kind| {
            let of = profile.kinds.get(&kind)?;
            let places = of.places.as_ref().filter(|_| of.share > 0.0)?;
            Some(KindShape::new(profile.rate * of.share, places))
        };
        let (read, write) = (kind(RequestKind::Read), kind(RequestKind::Write));
        if read.is_none() && write.is_none() {
            return Err(Failure::wrong("the profile has neither reads nor writes")
                .hint("capture the disk while its load is there"));
        }
        let flush = profile.kinds.get(&RequestKind::Flush).filter(|_| write.is_some());
        let every = |between: &[(f64, f64)]| between.iter().map(|(share, mean)| share * mean).sum();
        let flush_every: Option<f64> = flush.map(|flush| every(&flush.between));
        let extent = profile.zones.zone_bytes.saturating_mul(profile.zones.touched.len() as u64);
        let size = extent.clamp(SIZE_MIN, SIZE_MAX).next_multiple_of(Bytes::MIB);
        let mut lost = list_lost(profile, extent, size);
        let rounded = flush_every.map(|every| (every.round() as u64).max(1));
        if let (Some(there), Some(here)) = (flush_every, rounded)
            && is_other(there, here as f64)
        {
            lost.push(format!("flushes: one after {there:.2} writes there, after {here} here"));
        }
        for (name, kind) in [("read", &read), ("write", &write)] {
            let Some(KindShape { mean_size: there, sizes, .. }) = kind else { continue };
            let here = sizes.iter().map(|(size, percent)| size * percent).sum::<u64>() / 100;
            if is_other(*there, here as f64) {
                let there = Bytes(*there as u64);
                lost.push(format!(
                    "sizes: the mean {name} has {there} there, {} here",
                    Bytes(here)
                ));
            }
        }
        Ok(Self {
            read,
            write,
            flush_every: rounded,
            depth: profile.outstanding.max.clamp(DEPTH_MIN, DEPTH_MAX),
            size,
            seconds: (profile.length_ns / 1_000_000_000).clamp(1, SECONDS_MAX),
            zones: zone_percents(profile),
            lost,
        })
    }

    fn read_percent(&self) -> u64 {
        let rate = |kind: &Option<KindShape>| kind.as_ref().map_or(0.0, |kind| kind.rate);
        let (read, write) = (rate(&self.read), rate(&self.write));
        ((100.0 * read / (read + write)).round() as u64).clamp(1, 99)
    }

    fn kinds(&self) -> impl Iterator<Item = &KindShape> {
        self.read.iter().chain(&self.write)
    }

    /// Both of one option, as fio takes them: reads before the comma.
    fn pair(&self, words: impl Fn(&KindShape) -> String) -> String {
        match (&self.read, &self.write) {
            (Some(read), Some(write)) => format!("{},{}", words(read), words(write)),
            (None, Some(write)) => format!("{0},{0}", words(write)),
            (Some(read), None) => words(read),
            (None, None) => String::new(),
        }
    }

    fn to_fio(&self, source: &str) -> String {
        let mut out = format!("# The load of {}, by truedisk replay --as-fio.\n", one_line(source));
        out.push_str("# What fio cannot express, or what is left out here:\n");
        for lost in &self.lost {
            let _ = writeln!(out, "# - {lost}");
        }
        out.push_str(
            "# fio makes its file load.0.0 in this folder; set filename= or directory=.\n",
        );
        let rw = match (&self.read, &self.write) {
            (Some(_), Some(_)) => format!("randrw\nrwmixread={}", self.read_percent()),
            (None, _) => "randwrite".to_owned(),
            (_, None) => "randread".to_owned(),
        };
        let _ = write!(
            out,
            "\n[load]\nioengine=libaio\ndirect=1\nsize={}\ntime_based\nruntime={}\niodepth={}\n\
             rw={rw}\n",
            self.size, self.seconds, self.depth
        );
        let _ = writeln!(out, "bssplit={}", self.pair(|kind| join_sizes(&kind.sizes)));
        let random = self.pair(|kind| kind.random_percent.to_string());
        let _ = writeln!(out, "percentage_random={random}");
        let rate = self.pair(|kind| (kind.rate.round() as u64).max(1).to_string());
        let _ = writeln!(out, "rate_iops={rate}\nrate_process=poisson");
        let part = 100 / ZONES;
        let zones: Vec<String> = self.zones.iter().map(|zone| format!("{zone}/{part}")).collect();
        let _ = writeln!(out, "random_distribution=zoned:{}", zones.join(":"));
        if let Some(every) = self.flush_every {
            let _ = writeln!(out, "fdatasync={every}");
        }
        out
    }

    fn to_preset(&self, source: &str) -> String {
        let mut notes = self.lost.clone();
        notes.push("zones: every place is as likely as the next".to_owned());
        if self.read.is_some() && self.write.is_some() {
            notes.push("reads and writes share one list of sizes and one random share".to_owned());
        }
        let rate: f64 = self.kinds().map(|kind| kind.rate).sum();
        // Of truedisk's own starts a flush takes one; fio's rates are those of reads and writes.
        let flushes = self.write.as_ref().zip(self.flush_every);
        let flush_rate = flushes.map_or(0.0, |(write, every)| write.rate / every as f64);
        let weight = |of: &dyn Fn(&KindShape) -> f64| {
            self.kinds().map(|kind| of(kind) * kind.rate).sum::<f64>() / rate.max(1e-9)
        };
        let random = (weight(&|kind| kind.random_percent as f64).round() as u64).min(100);
        let access = match random {
            100 => "random".to_owned(),
            0 => "sequential".to_owned(),
            random => format!("partly-random:{random}"),
        };
        let all = self.kinds().flat_map(|kind| {
            kind.sizes.iter().map(|(size, percent)| (*size, *percent as f64 * kind.rate))
        });
        let mix = match (&self.read, &self.write) {
            (Some(_), Some(_)) => {
                format!("{0}/{1}", self.read_percent(), 100 - self.read_percent())
            }
            (None, _) => "write".to_owned(),
            (_, None) => "read".to_owned(),
        };
        let sizes = match &list_sizes(all)[..] {
            [(size, _)] => size.to_string(),
            sizes => join_sizes(sizes),
        };
        let sync = self
            .flush_every
            .map(|every| format!(", sync = \"fdatasync\", sync-every = {every}"))
            .unwrap_or_default();
        let quote = |text: &str| toml::Value::String(one_line(text)).to_string();
        let notes: Vec<String> =
            notes.iter().map(|note| format!("    {},\n", quote(note))).collect();
        format!(
            "title = {}\nimitates = \"a captured load\"\nsize = \"{}\"\nnotes = [\n{}]\n\n\
             [[step]]\nname = \"load\"\nlabel = \"the load\"\njob = [{{ access = \"{access}\", \
             mix = \"{mix}\", bs = \"{sizes}\", depth = {}, rate = {:.1}, arrivals = \"poisson\", \
             time = \"{}s\"{sync} }}]\n",
            quote(&format!("the load of {source}")),
            self.size,
            notes.concat(),
            self.depth,
            (rate + flush_rate).max(0.1),
            self.seconds,
        )
    }
}

/// Whether rounding changed a figure by more than 5 %.
fn is_other(there: f64, here: f64) -> bool {
    (here / there.max(1e-9) - 1.0).abs() > 0.05
}

impl KindShape {
    fn new(rate: f64, places: &Places) -> Self {
        let share: f64 = places.sizes.iter().map(|(_, share)| share).sum();
        let bytes: f64 = places.sizes.iter().map(|(size, share)| f64::from(*size) * share).sum();
        let sizes = places.sizes.iter().map(|(size, share)| (u64::from(*size), *share));
        let random_percent = ((1.0 - places.sequential) * 100.0).round() as u64;
        Self {
            rate,
            mean_size: bytes / share.max(1e-9),
            sizes: list_sizes(sizes),
            random_percent: random_percent.min(100),
        }
    }
}

/// Sizes with whole percents that add up to 100; those of less than one are left out.
fn list_sizes(sizes: impl Iterator<Item = (u64, f64)>) -> Vec<(u64, u64)> {
    let mut all: Vec<(u64, f64)> = Vec::new();
    for (size, share) in sizes {
        match all.iter_mut().find(|known| known.0 == size) {
            Some(known) => known.1 += share,
            None => all.push((size, share)),
        }
    }
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let shares: Vec<f64> = all.iter().map(|(_, share)| *share).collect();
    let percents = to_percents(&shares);
    let sized = all.into_iter().zip(percents).map(|((size, _), percent)| (size, percent));
    sized.filter(|(_, percent)| *percent > 0).collect()
}

/// Whole percents that add up to 100: those are rounded up that lose most by rounding down.
fn to_percents(shares: &[f64]) -> Vec<u64> {
    let sum: f64 = shares.iter().sum();
    let exact: Vec<f64> = shares.iter().map(|share| share * 100.0 / sum.max(1e-9)).collect();
    let mut percents: Vec<u64> = exact.iter().map(|percent| percent.floor() as u64).collect();
    let left = 100_u64.saturating_sub(percents.iter().sum()) as usize;
    let mut order: Vec<usize> = (0..exact.len()).collect();
    order.sort_by(|a, b| exact[*b].fract().total_cmp(&exact[*a].fract()));
    order.iter().take(left).for_each(|place| percents[*place] += 1);
    percents
}

fn join_sizes(sizes: &[(u64, u64)]) -> String {
    let words: Vec<String> =
        sizes.iter().map(|(size, percent)| format!("{size}/{percent}")).collect();
    words.join(":")
}

/// The requests of the profile's zones, as tenths of the range.
fn zone_percents(profile: &Profile) -> Vec<u64> {
    let count = profile.zones.touched.len();
    let mut tenths = [0.0; ZONES];
    for kind in profile.kinds.values() {
        let Some(places) = &kind.places else { continue };
        for (zone, share) in places.zones.iter().enumerate() {
            tenths[(zone * ZONES / count.max(1)).min(ZONES - 1)] += share * kind.share;
        }
    }
    to_percents(&tenths)
}

fn list_lost(profile: &Profile, extent: u64, size: u64) -> Vec<String> {
    let mut lost = vec![
        "bursts and the rate over time: requests come independently of each other, at the mean \
         rate"
            .to_owned(),
        "shares in fractions of a percent, and lengths of sequential runs".to_owned(),
        "which request depends on which, and that a place is busy at a time".to_owned(),
    ];
    let has = |kind| profile.kinds.get(&kind).is_some_and(|of| of.share > 0.0);
    if has(RequestKind::Discard) {
        lost.push("discards".to_owned());
    }
    if has(RequestKind::Flush) && !has(RequestKind::Write) {
        lost.push("flushes, because nothing is written".to_owned());
    }
    if profile.kinds.values().any(|of| of.fua > 0.0) {
        lost.push("writes with FUA, which are plain ones here".to_owned());
    }
    if extent > size {
        let (extent, size) = (Bytes(extent), Bytes(size));
        lost.push(format!("the size: the load reaches over {extent}, and the file has {size}"));
    }
    lost
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_sizes_keep_their_mean() {
        let many = (1..=31).map(|size| (size * 16_384, 1.9));
        let all: Vec<(u64, f64)> = many.chain([(4096, 41.1)]).collect();
        let mean = all.iter().map(|(size, share)| *size as f64 * share).sum::<f64>() / 100.0;
        let rounded = list_sizes(all.into_iter());
        assert_eq!(rounded.iter().map(|(_, percent)| percent).sum::<u64>(), 100);
        let here = rounded.iter().map(|(size, percent)| size * percent).sum::<u64>() as f64 / 100.0;
        assert!(!is_other(mean, here), "{mean} {here}");
    }

    #[test]
    fn a_preset_starts_its_flushes_beside_its_writes() {
        let write = KindShape {
            rate: 200.0,
            mean_size: 4096.0,
            sizes: vec![(4096, 100)],
            random_percent: 100,
        };
        let shape = LoadShape {
            read: None,
            write: Some(write),
            flush_every: Some(1),
            depth: 16,
            size: SIZE_MIN,
            seconds: 10,
            zones: vec![10; ZONES],
            lost: Vec::new(),
        };
        let (fio, preset) = (shape.to_fio("load"), shape.to_preset("lo\u{a0}ad"));
        assert!(fio.contains("rate_iops=200,200\n"), "{fio}");
        assert!(preset.contains("rate = 400.0"), "{preset}");
        let read: toml::Table = preset.parse().unwrap();
        assert_eq!(read["title"].as_str(), Some("the load of lo\u{a0}ad"));
    }
}
