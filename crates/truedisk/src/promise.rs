//! From the words of `--plan` and `--promise` to a promise with its numbers resolved.

use std::path::Path;

use message::{Message, label, messages};
use model::{BurstDuration, IoDirection, ModelError, Order, Plan};
use record::{Promise, Promised, PromisedWhat};
use units::{Bytes, Nanos};
use workload::{Bound, Direction, Statistic};

use crate::args::PromiseArgs;
use crate::exit::Failure;

/// What measuring itself may cost: a cap's interval has it inside or just above.
const DEFAULT_MARGIN: f64 = 0.02;

pub(crate) fn parse_promise(args: &PromiseArgs) -> Result<Option<Promise>, Failure> {
    if let Some(text) = &args.plan {
        let plan = find_plan(text)?;
        return promise_from_plan(text, &plan).map(Some);
    }
    args.promise.as_deref().map(parse_numbers).transpose()
}

/// A bound that never holds a load back: the search goes on until more depth gives no more.
const SATURATED: Bound = Bound { statistic: Statistic::Mean, limit: Nanos::secs(1) };

/// Its own latency bounds, and for a rate none in effect.
fn promised_bounds(promise: &Promise) -> Vec<Bound> {
    let bound = |item: &Promised| match item.what {
        PromisedWhat::Latency { bound } => bound,
        PromisedWhat::Iops | PromisedWhat::BytesPerSecond => SATURATED,
    };
    promise.items.iter().map(bound).collect()
}

pub(crate) fn all_bounds(asked: &[Bound], promise: Option<&Promise>) -> Vec<Bound> {
    let mut all = asked.to_vec();
    for bound in promise.into_iter().flat_map(promised_bounds) {
        if !all.contains(&bound) {
            all.push(bound);
        }
    }
    all
}

/// Finds a plan by its name, or in a file: `./plans.toml:NAME`.
pub(crate) fn find_plan(text: &str) -> Result<Plan, Failure> {
    let found = match text.rsplit_once(':').filter(|(file, _)| is_plan_file(file)) {
        Some((file, name)) => model::from_toml(file, &read_plan_file(file)?, name),
        None => model::find_plan(text),
    };
    found.map_err(|error| {
        let hint = match &error {
            ModelError::Unknown { .. } => "`truedisk model` lists the plans",
            _ => "`truedisk model PLAN` shows what a plan gives",
        };
        Failure::wrong(&error).hint(hint)
    })
}

fn is_plan_file(word: &str) -> bool {
    word.contains('/') || word.ends_with(".toml")
}

pub(crate) fn input_files(args: &PromiseArgs) -> Vec<&Path> {
    let (file, _) = args.plan.as_deref().and_then(|plan| plan.rsplit_once(':')).unzip();
    file.filter(|file| is_plan_file(file)).map(Path::new).into_iter().collect()
}

fn read_plan_file(file: &str) -> Result<String, Failure> {
    input::read_text(Path::new(file), input::TEXT_MAX)
        .map_err(|error| Failure::wrong(format_args!("cannot read the plans in {file}: {error}")))
}

fn promise_from_plan(asked: &str, plan: &Plan) -> Result<Promise, Failure> {
    let mut items = promised_rates(plan);
    if let Some(text) = &plan.latency {
        let bound: Bound =
            text.parse().map_err(|e| Failure::wrong(format_args!("{}: {e}", plan.name)))?;
        items.push(promised_latency(bound));
    }
    let (share, share_because) = match plan.tolerance {
        Some(t) if t.of_time < 1.0 => {
            let (share, of_time) = (t.share * 100.0, format_number(t.of_time * 100.0));
            let share = format!("{share:.0}");
            (t.share, ShareByProvider { share, of_time }.into())
        }
        Some(t) => (t.share, label("share-by-plan")),
        None => default_share(),
    };
    let lasts = plan.empties_after(SMALL_BLOCK, Order::Random, IoDirection::Read);
    Ok(Promise {
        asked: asked.to_owned(),
        title: Some(plan.title.clone()),
        items,
        share,
        share_because,
        io_unit: plan.accounting.unit,
        accounting: plan.accounting.describe(),
        burst_lasts: lasts.map(Nanos::from_secs_f64),
        only_limits: plan.only_limits,
        notes: plan.notes.clone(),
        sources: plan.sources.iter().map(|s| format!("{} ({})", s.url, s.date)).collect(),
    })
}

/// The blocks with which a check measures operations, and bytes.
const SMALL_BLOCK: Bytes = Bytes::kib(4);
const LARGE_BLOCK: Bytes = Bytes::mib(1);

fn default_share() -> (f64, Message) {
    let percent = format_number(DEFAULT_MARGIN * 100.0);
    (1.0 - DEFAULT_MARGIN, ShareForMeasuring { percent }.into())
}

/// At most three decimals.
fn format_number(number: f64) -> String {
    format!("{}", (number * 1000.0).round() / 1000.0)
}

/// Operations and bytes, each at its own block size, of both directions at once if they are the
/// same.
fn promised_rates(plan: &Plan) -> Vec<Promised> {
    let burst = |way: IoDirection| {
        plan.burst.as_ref().map(|burst| burst.caps.for_direction(way)).unwrap_or_default()
    };
    let (read, write) = (plan.base.read, plan.base.write);
    if read == write && burst(IoDirection::Read) == burst(IoDirection::Write) {
        return promised_rates_of(plan, None, IoDirection::Read);
    }
    let mut rates = promised_rates_of(plan, Some(Direction::Read), IoDirection::Read);
    rates.extend(promised_rates_of(plan, Some(Direction::Write), IoDirection::Write));
    rates
}

fn promised_rates_of(plan: &Plan, direction: Option<Direction>, way: IoDirection) -> Vec<Promised> {
    let cap = plan.base.for_direction(way);
    let paid =
        plan.burst.as_ref().is_some_and(|burst| matches!(burst.lasts, BurstDuration::Always));
    let item = |what, always: f64, most: Option<f64>| {
        let most = most.filter(|most| *most > always);
        // A burst that has no end is what there is always.
        let (always, burst) = if paid { (most.unwrap_or(always), None) } else { (always, most) };
        Promised { what, direction, always, burst }
    };
    let operations = cap.iops.is_some().then(|| {
        let most = plan.burst_rates(SMALL_BLOCK, Order::Random, way).map(|rates| rates.iops);
        item(PromisedWhat::Iops, plan.base_rates(SMALL_BLOCK, Order::Random, way).iops, most)
    });
    let bytes = cap.bytes_per_second.is_some().then(|| {
        let most = plan.burst_rates(LARGE_BLOCK, Order::Sequential, way);
        let always = plan.base_rates(LARGE_BLOCK, Order::Sequential, way).bytes_per_second;
        item(PromisedWhat::BytesPerSecond, always, most.map(|rates| rates.bytes_per_second))
    });
    [operations, bytes].into_iter().flatten().collect()
}

fn promised_latency(bound: Bound) -> Promised {
    let what = PromisedWhat::Latency { bound };
    Promised { what, direction: None, always: bound.limit.0 as f64, burst: None }
}

/// `iops=5000,mbps=200,latency=p99<10ms,tolerance=2%`.
fn parse_numbers(text: &str) -> Result<Promise, Failure> {
    let mut items: Vec<Promised> = Vec::new();
    let (mut share, mut share_because) = default_share();
    let refuse = |reason: String| {
        Failure::wrong(format_args!("promise '{text}' is not valid: {reason}"))
            .hint("write it like iops=5000,mbps=200,latency='p99<10ms'")
    };
    let mut seen: Vec<&str> = Vec::new();
    for word in text.split(',').map(str::trim) {
        let (key, value) =
            word.split_once('=').ok_or_else(|| refuse(format!("'{word}' is not NAME=NUMBER")))?;
        let (key, value) = (key.trim(), value.trim());
        if seen.contains(&key) {
            return Err(refuse(format!("{key} is given twice")));
        }
        seen.push(key);
        let number = || match value.parse::<f64>() {
            Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
            _ => Err(refuse(format!("{key} must be a number above 0, not '{value}'"))),
        };
        let rate = |what, always| Promised { what, direction: None, always, burst: None };
        match key {
            "iops" => items.push(rate(PromisedWhat::Iops, number()?)),
            "mbps" => items.push(rate(PromisedWhat::BytesPerSecond, number()? * 1e6)),
            "latency" => {
                items.push(promised_latency(value.parse().map_err(|e| refuse(format!("{e}")))?));
            }
            "tolerance" => {
                let percent = value.strip_suffix('%').unwrap_or(value).trim().parse::<f64>().ok();
                let odd = || refuse(format!("tolerance is 0 to 50 percent, not '{value}'"));
                let percent = percent.filter(|p| (0.0..=50.0).contains(p)).ok_or_else(odd)?;
                share = 1.0 - percent / 100.0;
                share_because = ShareAsked { percent: format_number(percent) }.into();
            }
            _ => {
                let reason = format!("unknown '{key}'; it takes iops, mbps, latency, tolerance");
                return Err(refuse(reason));
            }
        }
    }
    if items.is_empty() {
        return Err(refuse("it promises nothing".to_owned()));
    }
    Ok(Promise {
        asked: text.to_owned(),
        title: None,
        items,
        share,
        share_because,
        io_unit: None,
        accounting: model::Accounting::default().describe(),
        burst_lasts: None,
        only_limits: false,
        notes: Vec::new(),
        sources: Vec::new(),
    })
}

messages! {
    ShareByProvider = "share-by-provider" { share: String, of_time: String };
    ShareForMeasuring = "share-for-measuring" { percent: String };
    ShareAsked = "share-asked" { percent: String };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;

    fn numbers(promise: &Promise) -> Vec<(f64, Option<f64>)> {
        promise.items.iter().map(|item| (item.always, item.burst)).collect()
    }

    fn resolved(text: &str) -> Promise {
        promise_from_plan(text, &find_plan(text).unwrap()).unwrap()
    }

    #[test]
    fn a_plan_becomes_numbers() {
        let gp3 = resolved("aws:gp3:100GiB,iops=6000");
        assert_eq!(numbers(&gp3), [(6000.0, None), (125.0 * 1_048_576.0, None)]);
        assert_eq!((gp3.share, gp3.io_unit), (0.9, Some(Bytes::kib(256))));
        assert!(gp3.share_because.text().contains("90 % for 99 % of the time"), "{gp3:?}");
        let gp2 = resolved("aws:gp2:50GiB");
        assert_eq!(numbers(&gp2)[0], (150.0, Some(3000.0)));
        assert_eq!(gp2.burst_lasts.unwrap().as_secs_f64().round(), 1895.0);
        let standard = resolved("gcp:pd-standard:1000GiB");
        assert_eq!(standard.items.len(), 4, "reads and writes differ");
        assert_eq!(standard.share, 0.98);
        assert!(resolved("vultr:nvme").only_limits);
        assert_eq!(numbers(&resolved("azure:p30,bursting=on"))[0], (30_000.0, None));
    }

    #[test]
    fn a_promise_by_hand_becomes_numbers() {
        let promise = parse_numbers("iops=5000, mbps=200,latency=p99<10ms,tolerance=5%").unwrap();
        assert_eq!(numbers(&promise), [(5000.0, None), (200e6, None), (1e7, None)]);
        assert_eq!(promise.share, 0.95);
        let bounds: Vec<String> = promised_bounds(&promise).iter().map(Bound::to_string).collect();
        assert_eq!(bounds, ["mean<1s", "mean<1s", "p99<10ms"]);
    }

    #[test]
    fn bad_words_are_refused_with_what_and_why() {
        let check = |text: &str, words: &str| {
            let failure = parse_numbers(text).unwrap_err();
            assert_eq!(failure.exit, Exit::Error(units::ErrorKind::WrongRequest));
            assert!(failure.message.contains(words), "{text}: {}", failure.message);
        };
        check("", "'' is not NAME=NUMBER");
        check("5000", "is not NAME=NUMBER");
        check("iops=0", "must be a number above 0");
        check("iops=nan", "must be a number above 0");
        check("iops=5,iops=6", "iops is given twice");
        check("tolerance=5%", "it promises nothing");
        check("iops=5,tolerance=80%", "0 to 50 percent");
        check("latency=10ms", "statistic");
        check("speed=5", "it takes iops, mbps, latency, tolerance");
        let failure = find_plan("./none.toml:x").unwrap_err();
        assert!(failure.message.contains("cannot read the plans in ./none.toml"));
        let failure = find_plan("aws:gp4").unwrap_err();
        assert!(failure.message.contains("nearest: aws:gp"), "{}", failure.message);
        assert_eq!(failure.exit, Exit::Error(units::ErrorKind::WrongRequest));
    }
}
