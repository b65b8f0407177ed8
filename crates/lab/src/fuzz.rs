//! A mutation fuzzer for whatever reads foreign data: seeds are changed, cut and joined at random;
//! nothing may panic, take long, or take memory without end.
//!
//! [`Fuzzer::run`] does that within the process of the test, [`Fuzzer::run_in_child`] in a process
//! of its own, so that an abort is a finding too: the input is saved.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "how many cases there were is for the person who runs the test"
)]

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

/// Most time of a processor for one case.
const CASE_TIME_MAX: Duration = Duration::from_secs(5);
/// A case that takes so long waits for something that never comes.
const CASE_WAIT_MAX: Duration = Duration::from_secs(120);
const DEFAULT_SECONDS: u64 = 2;
/// Fewer cases have shown nothing, however long they took.
const CASES_MIN: u64 = 20;

/// For the child: the file that takes the input of the case.
const CHILD_VARIABLE: &str = "TRUEDISK_FUZZ_CHILD";
/// One input to be run instead of any other.
const INPUT: &str = "TRUEDISK_FUZZ_INPUT";

const EDGE_NUMBERS: &str = "0 1 -1 2 511 4096 65536 4294967295 4294967296 9223372036854775807 \
    9223372036854775808 18446744073709551615 1e18 1e308 -1e308 1e-308 -9223372036854775808 0.5 \
    1000000000 3600000000000";

/// Pieces of JSON, and of paths.
pub const JSON_TOKENS: &[&[u8]] = &[
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

/// Numbers without a pattern (xorshift); the same in every run.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// A number below `limit`; 0 where there is none.
    pub fn next_below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit.max(1)
    }
}

/// What is fuzzed, and within which limits.
#[derive(Debug, Clone, Copy)]
pub struct Fuzzer<'a> {
    pub name: &'a str,
    /// Inputs that are right, or that once were a finding. Each is run as it is first.
    pub seeds: &'a [Vec<u8>],
    /// Pieces of the target's syntax.
    pub tokens: &'a [&'a [u8]],
    /// The environment variable that says for how many seconds; 2 without it.
    pub seconds: &'a str,
    /// All the address space that the process may have, in bytes: beyond it an allocation fails.
    pub memory_max: u64,
}

impl Fuzzer<'_> {
    /// Gives seeds and changed seeds to `case`, and says how many there were.
    /// Panics when a case panics, or takes more than 5 s of a processor.
    pub fn run(&self, case: &mut dyn FnMut(&mut Random, &[u8])) {
        install_panic_counter();
        let limit = getrlimit(Resource::As);
        let limited = Rlimit { current: Some(self.memory_max), ..limit };
        if let Err(error) = setrlimit(Resource::As, limited) {
            self.fail(&format!("the memory cannot be limited: {error}"), b"");
        }
        let end = Instant::now() + Duration::from_secs(read_seconds(self.seconds));
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let (watchdog, longest) = (Watchdog::new(self.name), Duration::ZERO);
        let mut run = FuzzRun { fuzzer: self, watchdog, cases: 0, longest };
        if let Some(path) = std::env::var_os(INPUT) {
            match fs::read(&path) {
                Ok(bytes) => run.run_case(&bytes, &mut random, case),
                Err(error) => self.fail(&format!("cannot read {}: {error}", path.display()), b""),
            }
            return;
        }
        for seed in self.seeds {
            run.run_case(seed, &mut random, case);
        }
        while Instant::now() < end || run.cases < CASES_MIN {
            let mut bytes = self.seeds[random.next_below(self.seeds.len())].clone();
            for _ in 0..1 + random.next_below(6) {
                self.mutate(&mut bytes, &mut random);
            }
            run.run_case(&bytes, &mut random, case);
        }
        println!("{}: {} cases, the longest {:?}", self.name, run.cases, run.longest);
    }

    /// The same in a process of its own: this test program, called with the test `test` alone.
    /// Panics when that process panics, aborts, or is killed; the input is in `saved` then.
    pub fn run_in_child(&self, test: &str, saved: &Path, case: &mut dyn FnMut(&mut Random, &[u8])) {
        if std::env::var_os(CHILD_VARIABLE).is_some() {
            return self.run(case);
        }
        let (status, text, input) = match self.spawn_child(test) {
            Ok(ended) => ended,
            Err(error) => return self.fail(&format!("cannot start the process: {error}"), b""),
        };
        println!("{}", text.lines().filter(|line| line.contains(" cases, ")).collect::<String>());
        if status.success() {
            return;
        }
        let file = saved.join(format!("{}-{:016x}", self.name, fnv1a(&input)));
        let kept = fs::create_dir_all(saved).and_then(|()| fs::write(&file, &input));
        let lines: Vec<&str> = text.lines().collect();
        let tail = lines[lines.len().saturating_sub(20)..].join("\n");
        self.fail(
            &format!(
                "ended with {status}; the input is in {} ({kept:?}), to repeat it:\n\
                 {INPUT}={} cargo test -p truedisk --test fuzz {test}\n{}",
                file.display(),
                file.display(),
                tail
            ),
            b"",
        );
    }

    fn spawn_child(&self, test: &str) -> io::Result<(ExitStatus, String, Vec<u8>)> {
        let current = tempfile::NamedTempFile::new()?;
        let output = Command::new(std::env::current_exe()?)
            .args([test, "--exact", "--nocapture", "--test-threads=1"])
            .env(CHILD_VARIABLE, current.path())
            // Each arena reserves 64 MiB of address space, which is what is limited.
            .env("MALLOC_ARENA_MAX", "1")
            .env("RUST_BACKTRACE", "0")
            .output()?;
        let text =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        Ok((output.status, text.into_owned(), read_noted_input(current.path())?))
    }

    fn mutate(&self, bytes: &mut Vec<u8>, random: &mut Random) {
        let at = random.next_below(bytes.len() + 1);
        match random.next_below(12) {
            0 => bytes.truncate(at),
            1 => {
                let token = self.tokens[random.next_below(self.tokens.len())];
                drop(bytes.splice(at..at, token.iter().copied()));
            }
            2 if at < bytes.len() => bytes[at] = random.next_below(256) as u8,
            3 => drop(bytes.drain(at..(at + random.next_below(20)).min(bytes.len()))),
            4 => {
                let other = &self.seeds[random.next_below(self.seeds.len())];
                let (from, to) = (random.next_below(other.len()), random.next_below(other.len()));
                let part = other[from.min(to)..from.max(to)].to_vec();
                drop(bytes.splice(at..at, part));
            }
            // Most of the time the input stays one, and a number in it is another.
            _ => {
                let numbers: Vec<&str> = EDGE_NUMBERS.split(' ').collect();
                replace_number(bytes, at, numbers[random.next_below(numbers.len())].as_bytes());
            }
        }
    }

    #[allow(clippy::panic, reason = "it fails a test")]
    fn fail(&self, what: &str, bytes: &[u8]) {
        let shown: String = String::from_utf8_lossy(bytes).chars().take(4000).collect();
        panic!("{}: {what} {shown}", self.name);
    }
}

struct FuzzRun<'a> {
    fuzzer: &'a Fuzzer<'a>,
    watchdog: Watchdog,
    cases: u64,
    longest: Duration,
}

impl FuzzRun<'_> {
    fn run_case(
        &mut self,
        bytes: &[u8],
        random: &mut Random,
        case: &mut dyn FnMut(&mut Random, &[u8]),
    ) {
        let begun = read_cpu_time(ClockId::ThreadCPUTime);
        self.watchdog.begin_case(bytes);
        let panics = PANICS.load(Ordering::SeqCst);
        case(random, bytes);
        let took = read_cpu_time(ClockId::ThreadCPUTime) - begun;
        self.longest = self.longest.max(took);
        if PANICS.load(Ordering::SeqCst) > panics {
            self.fuzzer.fail("a thread panicked at", bytes);
        }
        if took > CASE_TIME_MAX {
            self.fuzzer.fail(&format!("{took:?} for"), bytes);
        }
        self.cases += 1;
    }
}

/// Panics of threads that measure: they fail no test by themselves.
static PANICS: AtomicU64 = AtomicU64::new(0);

fn install_panic_counter() {
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

struct RunningCase {
    at: Instant,
    processor_time: Duration,
    bytes: Vec<u8>,
}

/// Ends the process when a case does not end, and notes the input of each for the parent.
struct Watchdog {
    case: Arc<Mutex<RunningCase>>,
    is_done: Arc<AtomicBool>,
    note: Option<File>,
}

impl Watchdog {
    fn new(name: &str) -> Self {
        let (at, processor_time) = (Instant::now(), read_cpu_time(ClockId::ProcessCPUTime));
        let case = Arc::new(Mutex::new(RunningCase { at, processor_time, bytes: Vec::new() }));
        let is_done = Arc::new(AtomicBool::new(false));
        let (name, theirs, done) = (name.to_owned(), Arc::clone(&case), Arc::clone(&is_done));
        let is_child = std::env::var_os(CHILD_VARIABLE).is_some();
        std::thread::spawn(move || {
            while !done.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(200));
                let case = theirs.lock().unwrap_or_else(PoisonError::into_inner);
                let used = read_cpu_time(ClockId::ProcessCPUTime) - case.processor_time;
                // Other tests of this process use its processors too, unless it is a child.
                let hangs = is_child && used > 2 * CASE_TIME_MAX;
                if (hangs || case.at.elapsed() > CASE_WAIT_MAX) && !done.load(Ordering::SeqCst) {
                    eprintln!("{name} hangs on {}", String::from_utf8_lossy(&case.bytes));
                    std::process::abort();
                }
            }
        });
        let note = std::env::var_os(CHILD_VARIABLE)
            .and_then(|path| File::options().write(true).open(PathBuf::from(path)).ok());
        Self { case, is_done, note }
    }

    fn begin_case(&self, bytes: &[u8]) {
        if let Some(note) = &self.note {
            // Without it only the repetition of a finding is lost.
            let length = (bytes.len() as u64).to_le_bytes();
            let _ = note.write_all_at(&length, 0).and_then(|()| note.write_all_at(bytes, 8));
        }
        let mut case = self.case.lock().unwrap_or_else(PoisonError::into_inner);
        case.at = Instant::now();
        case.processor_time = read_cpu_time(ClockId::ProcessCPUTime);
        case.bytes.clear();
        case.bytes.extend_from_slice(bytes);
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::SeqCst);
    }
}

fn read_noted_input(path: &Path) -> io::Result<Vec<u8>> {
    let note = fs::read(path)?;
    let Some((length, bytes)) = note.split_first_chunk() else { return Ok(Vec::new()) };
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    Ok(bytes.get(..length).unwrap_or(bytes).to_vec())
}

/// What was had of a processor: a busy host makes no case longer.
fn read_cpu_time(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn read_seconds(variable: &str) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(DEFAULT_SECONDS)
}

fn fnv1a(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Puts `number` in the place of the first number behind `at`.
fn replace_number(bytes: &mut Vec<u8>, at: usize, number: &[u8]) {
    let is_part = |byte: &u8| byte.is_ascii_digit() || b".-+e".contains(byte);
    let Some(from) = bytes[at..].iter().position(u8::is_ascii_digit) else { return };
    let from = at + from;
    let length = bytes[from..].iter().position(|byte| !is_part(byte));
    let to = length.map_or(bytes.len(), |length| from + length);
    drop(bytes.splice(from..to, number.iter().copied()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_replaced_where_one_is() {
        let mut bytes = b"{\"a\":12.5,\"b\":7}".to_vec();
        replace_number(&mut bytes, 3, b"99");
        assert_eq!(bytes, b"{\"a\":99,\"b\":7}");
        replace_number(&mut bytes, 12, b"0");
        assert_eq!(bytes, b"{\"a\":99,\"b\":0}");
        replace_number(&mut bytes, 14, b"1");
        assert_eq!(bytes, b"{\"a\":99,\"b\":0}");
    }

    const NAME: &str = "fuzz::tests::an_abort_is_a_finding_with_its_input";

    #[test]
    fn an_abort_is_a_finding_with_its_input() {
        let saved = tempfile::tempdir().unwrap();
        let seeds = [b"good".to_vec(), b"bad".to_vec()];
        let fuzzer = Fuzzer {
            name: "trial",
            seeds: &seeds,
            tokens: JSON_TOKENS,
            seconds: "TRUEDISK_FUZZ_SECONDS",
            memory_max: 512 << 20,
        };
        let found = std::panic::catch_unwind(|| {
            fuzzer.run_in_child(NAME, saved.path(), &mut |_, bytes| {
                if bytes == b"bad" {
                    // More than the limit: the allocation fails, and that aborts.
                    std::hint::black_box(vec![1_u8; 1 << 30]);
                }
            });
        });
        let error = found.unwrap_err();
        let words = error.downcast_ref::<String>().unwrap();
        assert!(words.contains("to repeat it:\nTRUEDISK_FUZZ_INPUT="), "{words}");
        assert!(words.contains("memory allocation of 1073741824 bytes failed"), "{words}");
        let file = fs::read_dir(saved.path()).unwrap().next().unwrap().unwrap();
        assert_eq!(fs::read(file.path()).unwrap(), b"bad");
    }
}
