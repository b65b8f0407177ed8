//! `replay --plan`: whether a plan would carry a load, by arithmetic, before it is bought.

use message::{Message, messages};
use method::SurveyedLoad;
use method::profile::SequentialStreams;
use model::{Cap, IoDirection, LimitingFactor, Order, Plan, PlanAnswer, PlanLoad};
use record::{RequestKind, TraceRequest};
use report::Sheet;
use serde_json::{Value, json};
use units::{Bytes, ErrorKind, Iops, Nanos, Ratio};

use crate::args::ReplayArgs;
use crate::exit::{Exit, Failure, Outcome};
use crate::model::{Counting, figure, format_rate};
use crate::output::{self, open_json, write_json};
use crate::promise::find_plan;
use crate::terminal::{self, say, tell};

/// Reads the load and computes. The exit status is that of a promise.
pub(super) fn answer_plan(args: &ReplayArgs, name: &str) -> Outcome {
    let plan = find_plan(name)?;
    let json = open_json(&args.common.result.json)?;
    let seed = output::seed_or_random(args.common.extent.seed)?;
    let load = method::read_load(&args.load, seed)?;
    let answer = count_load(&plan, &load, args.speed)?.answer();
    match json {
        Some(file) => write_json(file, &plan_json(&plan, &answer, args.speed))?,
        None => {
            let title = Title { plan: plan.title.clone(), load: args.load.display().to_string() };
            let sheet = describe_answer(&tell(title), &plan, &load, &answer);
            terminal::print(&sheet.render(terminal::style()))?;
            Exit::Done
        }
    };
    Ok(if answer.carries { Exit::Done } else { Exit::Error(ErrorKind::NotMet) })
}

/// Plans count reads and writes; a request that continues one that has not ended may be merged.
fn count_load<'a>(
    plan: &'a Plan,
    load: &SurveyedLoad,
    speed: f64,
) -> Result<PlanLoad<'a>, Failure> {
    let scale = |at: u64| Nanos((at as f64 / speed) as u64);
    let mut counted = PlanLoad::new(plan, scale(load.load.length.0));
    let mut streams = [Streams::default(), Streams::default()];
    load.for_each_request(|request| {
        let (way, place) = match request.kind {
            RequestKind::Read => (IoDirection::Read, 0),
            RequestKind::Write => (IoDirection::Write, 1),
            RequestKind::Flush | RequestKind::Discard => return,
        };
        let is_next = streams[place].follow(request);
        let order = if is_next { Order::Sequential } else { Order::Random };
        let size = Bytes(u64::from(request.length));
        counted.add(scale(request.start_ns), (way, order), size, 1.0);
    })?;
    Ok(counted)
}

/// The streams of a direction, each with the time at which its last request was done where that is
/// known.
#[derive(Default)]
struct Streams(SequentialStreams<Option<u64>>);

impl Streams {
    /// Whether a request goes on where one of them ended. The operating system merges what waits;
    /// what begins after its predecessor was done it does not.
    fn follow(&mut self, request: &TraceRequest) -> bool {
        let before = self.0.take(request);
        let done_ns = request.latency_ns.map(|latency| request.start_ns.saturating_add(latency));
        self.0.push(request, done_ns);
        before.is_some_and(|(_, done_ns)| done_ns.is_none_or(|done| request.start_ns < done))
    }
}

fn plan_json(plan: &Plan, answer: &PlanAnswer, speed: f64) -> Value {
    json!({"plan": plan, "speed": speed, "answer": answer})
}

fn describe_answer(title: &str, plan: &Plan, load: &SurveyedLoad, answer: &PlanAnswer) -> Sheet {
    let mut sheet = Sheet::new(title);
    sheet.add_paragraph(&tell(headline(answer)));
    let step = Nanos::from_secs_f64(answer.step_seconds);
    let head = [
        String::new(),
        say("head-mean"),
        tell(Peak { step }),
        say("plan-load-always"),
        say("head-burst"),
    ];
    let operations = answer.operations_per_second;
    let bytes = answer.bytes_per_second;
    let iops = |rate: f64| figure(Iops(rate));
    let burst = plan.burst.as_ref().map(|burst| burst.caps);
    let most = |of: fn(&Cap) -> Option<f64>, words: &dyn Fn(f64) -> String| {
        let [always, burst] = [Some(plan.base), burst].map(|caps| {
            let caps = caps.map(|caps| [of(&caps.read), of(&caps.write)])?;
            let words = |rate: Option<f64>| rate.map_or_else(|| say("model-no-limit"), words);
            let [read, write] = caps.map(words);
            Some(if read == write { read } else { format!("{read} / {write}") })
        });
        [always, burst].map(|words| words.unwrap_or_else(|| "-".to_owned()))
    };
    let row = |name: &str, [mean, peak]: [String; 2], [always, burst]: [String; 2]| {
        vec![say(name), mean, peak, always, burst]
    };
    let rows = vec![
        row(
            "plan-load-operations",
            [operations.mean, operations.peak].map(iops),
            most(|cap| cap.iops, &iops),
        ),
        row(
            "plan-load-bytes",
            [bytes.mean, bytes.peak].map(format_rate),
            most(|cap| cap.bytes_per_second, &format_rate),
        ),
    ];
    sheet.add_table("", &head, rows, 1);
    if let (Some(lowest), Some(end)) = (answer.burst_lowest, answer.burst_end) {
        sheet.add_paragraph(&tell(BurstLeft { lowest: Ratio(lowest), end: Ratio(end) }));
    }
    let captured = &load.load;
    if captured.lost > 0 {
        sheet.add_paragraph(&tell(Lost { count: captured.lost }));
    }
    if captured.was_cut {
        sheet.add_paragraph(&tell(Cut { length: captured.length }));
    }
    sheet.add_paragraph(&tell(Counting { accounting: plan.accounting.describe() }));
    sheet.add_paragraph(&say("plan-load-assumed"));
    plan.notes.iter().for_each(|note| sheet.add_paragraph(&tell(note)));
    let sources: Vec<String> =
        plan.sources.iter().map(|s| format!("{} ({})", s.url, s.date)).collect();
    sheet.add_sources(&sources);
    sheet
}

fn headline(answer: &PlanAnswer) -> Message {
    let minutes = answer.throttled_minutes_per_day;
    let minutes =
        figure(if minutes < 10.0 { format!("{minutes:.1}") } else { format!("{minutes:.0}") });
    let wait = Nanos::from_secs_f64(answer.longest_wait_seconds);
    let limit = match answer.limited_by {
        LimitingFactor::Bytes => say("model-limit-bytes"),
        _ => say("model-limit-operations"),
    };
    let has_waits = answer.throttled_seconds > 0.0;
    match (answer.carries, has_waits) {
        (true, false) => Carries { wait: Nanos::from_secs_f64(answer.step_seconds) }.into(),
        (true, true) => CarriesThrottled { minutes, wait, limit }.into(),
        (false, false) => EndsInTheDay { minutes }.into(),
        (false, true) => {
            let served = Ratio(answer.served_share);
            NotCarried { served, minutes, wait, limit }.into()
        }
    }
}

messages! {
    Title = "plan-load-title" { plan: String, load: String };
    Carries = "plan-load-carries" { wait: Nanos };
    CarriesThrottled = "plan-load-carries-throttled" {
        minutes: String, wait: Nanos, limit: String,
    };
    EndsInTheDay = "plan-load-ends-in-the-day" { minutes: String };
    NotCarried = "plan-load-not-carried" {
        served: Ratio, minutes: String, wait: Nanos, limit: String,
    };
    Peak = "plan-load-peak" { step: Nanos };
    Lost = "plan-load-lost" { count: u64 };
    Cut = "plan-load-cut" { length: Nanos };
    BurstLeft = "plan-load-burst-left" { lowest: Ratio, end: Ratio };
}

#[cfg(test)]
mod tests {
    use method::profile::STREAMS;

    use super::*;

    #[test]
    fn streams_beside_each_other_are_all_followed_while_they_wait() {
        let mut streams = Streams::default();
        let mut follow = |number: u64, stream: u64, latency_ns| {
            streams.follow(&TraceRequest {
                start_ns: number * 1000,
                offset: (stream << 30) + number / 40 * 4096,
                length: 4096,
                kind: RequestKind::Write,
                is_fua: false,
                latency_ns,
            })
        };
        let count = |many: usize, follow: &mut dyn FnMut(u64, u64) -> bool| {
            let requests = (0..10).flat_map(|round| (0..many as u64).map(move |s| (round * 40, s)));
            requests.filter(|(number, stream)| follow(*number, *stream)).count()
        };
        // One after the other, each goes on where it ended.
        assert_eq!(count(STREAMS, &mut |number, s| follow(number, s, None)), 9 * STREAMS);
        // More than are followed: none is found again. What is done before the next begins is not
        // merged with it.
        assert_eq!(count(STREAMS + 8, &mut |number, s| follow(number, 100 + s, None)), 0);
        assert_eq!(count(2, &mut |number, s| follow(number, 200 + s, Some(10))), 0);
        assert_eq!(count(2, &mut |number, s| follow(number, 300 + s, Some(50_000))), 9 * 2);
    }
}
