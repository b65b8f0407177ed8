//! A mutation fuzzer for everything that is read from the network: what is right is changed, cut
//! and joined at random; nothing may panic, take long, or take memory without end.
//!
//! `FLEET_FUZZ_SECONDS=600 cargo test -p fleet fuzz -- --nocapture` does it for ten minutes;
//! without it, each target is fuzzed for two seconds.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

/// The most of a processor that one case may take: a record of a mebibyte is judged in far less.
const CASE_MAX: Duration = Duration::from_secs(5);
/// A case that takes so long hangs: the process is ended, with what it hangs on.
const HANG: Duration = Duration::from_secs(120);
/// All the memory that the process may have: beyond it an allocation fails, and ends the test.
/// Twice what the largest parcel may unpack to, and some more.
const MEMORY_MAX: u64 = 4 << 30;

/// Jobs of fio as they travel: they touch nothing.
pub(crate) const JOBS: &str = r#"{"sources":[{"file":true,"stonewall":false,"defaults":[
    {"name":"ioengine","value":"null"},{"name":"size","value":"1m"},{"name":"numjobs","value":"2"}],
    "jobs":[{"name":"a","above":3,"own":[{"name":"rw","value":"randread"},
    {"name":"iodepth","value":"16"}]},{"name":"b","above":3,"own":[{"name":"stonewall"}]}]}]}"#;

/// What is put into messages: pieces of their syntax, and numbers at the edges of their types.
const TOKENS: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b":",
    b",",
    b"null",
    b"true",
    b"\\",
    b"\\u0000",
    b"\n",
    b"\0",
    b"\xff",
    b"\xc3\xa9",
    b"../",
    b"/",
    b"{}",
    b"[]",
    b"\"\"",
    b"*",
    b">",
    b".",
    b"[[[[[[[[",
    b"-",
];
const NUMBERS: &[&[u8]] = &[
    b"0",
    b"1",
    b"-1",
    b"2",
    b"511",
    b"4096",
    b"65536",
    b"4294967295",
    b"4294967296",
    b"9223372036854775807",
    b"9223372036854775808",
    b"18446744073709551615",
    b"1e18",
    b"1e308",
    b"-1e308",
    b"1e-308",
    b"-9223372036854775808",
    b"0.5",
    b"1000000000",
    b"3600000000000",
];

/// Numbers without a pattern (xorshift); the same in every run.
pub(crate) struct Random(u64);

impl Random {
    /// A number below `most`; 0 where there is none.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % most.max(1)
    }
}

/// Panics of threads that measure: they fail no test by themselves.
static PANICS: AtomicU64 = AtomicU64::new(0);

fn count_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let thread = std::thread::current();
            let is_worker = |name: &str| name.starts_with("truedisk-") || name == "measuring";
            if thread.name().is_some_and(is_worker) {
                PANICS.fetch_add(1, Ordering::SeqCst);
            }
            hook(info);
        }));
    });
}

/// Ends the process when a case does not end.
struct Watchdog {
    case: Arc<Mutex<(Instant, Vec<u8>)>>,
    done: Arc<AtomicBool>,
}

impl Watchdog {
    fn new(name: &str) -> Watchdog {
        let case = Arc::new(Mutex::new((Instant::now(), Vec::new())));
        let done = Arc::new(AtomicBool::new(false));
        let (of, case_of, done_of) = (name.to_owned(), Arc::clone(&case), Arc::clone(&done));
        std::thread::spawn(move || {
            while !done_of.load(Ordering::SeqCst) {
                // sleeps because a hang has no event
                std::thread::sleep(Duration::from_millis(200));
                let (begun, bytes) = case_of.lock().unwrap().clone();
                if begun.elapsed() > HANG && !done_of.load(Ordering::SeqCst) {
                    eprintln!("{of} hangs on {}", String::from_utf8_lossy(&bytes));
                    std::process::abort();
                }
            }
        });
        Watchdog { case, done }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.done.store(true, Ordering::SeqCst);
    }
}

/// What this thread has had of a processor: a busy host makes no case longer.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Changes `seeds` at random and gives each change to `one`, for as long as is asked. Says how
/// many there were.
pub(crate) fn fuzz(name: &str, seeds: &[Vec<u8>], one: &mut dyn FnMut(&mut Random, &[u8])) {
    count_panics();
    let watchdog = Watchdog::new(name);
    let limit = getrlimit(Resource::As);
    setrlimit(Resource::As, Rlimit { current: Some(MEMORY_MAX), ..limit }).unwrap();
    let seconds = std::env::var("FLEET_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(2));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut cases, mut longest) = (0_u64, Duration::ZERO);
    while Instant::now() < end {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        for _ in 0..1 + random.below(6) {
            mutate(&mut bytes, seeds, &mut random);
        }
        let begun = processor_time();
        *watchdog.case.lock().unwrap() = (Instant::now(), bytes.clone());
        let panics = PANICS.load(Ordering::SeqCst);
        one(&mut random, &bytes);
        let took = processor_time() - begun;
        longest = longest.max(took);
        let panics = PANICS.load(Ordering::SeqCst) - panics;
        assert_eq!(panics, 0, "{name}: a thread panicked at {}", String::from_utf8_lossy(&bytes));
        assert!(took < CASE_MAX, "{name}: {took:?} for {}", String::from_utf8_lossy(&bytes));
        cases += 1;
    }
    println!("{name}: {cases} cases, the longest {longest:?}");
    assert!(cases > 20, "{name}: only {cases} cases");
}

fn mutate(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    match random.below(12) {
        0 => bytes.truncate(at),
        1 => drop(bytes.splice(at..at, TOKENS[random.below(TOKENS.len())].iter().copied())),
        2 if at < bytes.len() => bytes[at] = random.below(256) as u8,
        3 => drop(bytes.drain(at..(at + random.below(20)).min(bytes.len()))),
        4 => {
            let other = &seeds[random.below(seeds.len())];
            let (from, to) = (random.below(other.len()), random.below(other.len()));
            let part = other[from.min(to)..from.max(to)].to_vec();
            drop(bytes.splice(at..at, part));
        }
        // Most of the time the message stays one, and a number in it is another.
        _ => another_number(bytes, at, NUMBERS[random.below(NUMBERS.len())]),
    }
}

/// Puts `number` in the place of the first number behind `at`.
fn another_number(bytes: &mut Vec<u8>, at: usize, number: &[u8]) {
    let is_part = |byte: &u8| byte.is_ascii_digit() || b".-+e".contains(byte);
    let Some(from) = bytes[at..].iter().position(u8::is_ascii_digit) else { return };
    let from = at + from;
    let length = bytes[from..].iter().position(|byte| !is_part(byte));
    let to = length.map_or(bytes.len(), |length| from + length);
    drop(bytes.splice(from..to, number.iter().copied()));
}

#[test]
fn a_number_is_replaced_where_one_is() {
    let mut bytes = b"{\"a\":12.5,\"b\":7}".to_vec();
    another_number(&mut bytes, 3, b"99");
    assert_eq!(bytes, b"{\"a\":99,\"b\":7}");
    another_number(&mut bytes, 12, b"0");
    assert_eq!(bytes, b"{\"a\":99,\"b\":0}");
    another_number(&mut bytes, 14, b"1");
    assert_eq!(bytes, b"{\"a\":99,\"b\":0}");
}
