//! Runs one side of a case in a folder of its own.

use std::fs;
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::case::{Case, Step};

/// Longer than any case may take; what still runs then is ended.
const LIMIT: Duration = Duration::from_secs(60);

/// Who runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The real fio.
    Real,
    /// The program under test.
    Ours,
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Exit status; 128 + n for signal n.
    pub status: i32,
    /// Standard output, its own folder's path replaced by `{dir}`.
    pub stdout: String,
    /// Standard error, likewise.
    pub stderr: String,
    /// The folder it ran in.
    pub dir: PathBuf,
    /// How long it took.
    pub seconds: f64,
}

impl Outcome {
    /// A file it left, as text; empty when there is none.
    pub fn text(&self, name: &str) -> String {
        fs::read(self.dir.join(name))
            .map(|bytes| String::from_utf8_lossy(&bytes).replace(&path_of(&self.dir), "{dir}"))
            .unwrap_or_default()
    }

    /// Both streams.
    pub fn words(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

/// The command of a side, with its first arguments.
///
/// # Errors
/// None today: both have defaults.
pub fn program(side: Side) -> Result<Vec<String>, String> {
    let text = match side {
        Side::Real => std::env::var("FIO_REAL").unwrap_or_else(|_| "/usr/bin/fio".to_string()),
        Side::Ours => std::env::var("TRUEDISK_FIO")
            .unwrap_or_else(|_| format!("{} fio", env!("CARGO_BIN_EXE_truedisk"))),
    };
    Ok(text.split_whitespace().map(str::to_string).collect())
}

/// Runs a case on one side below `root`.
///
/// # Errors
/// It could not be started or prepared, or a command before it failed.
pub fn run_case(side: Side, case: &Case, root: &Path) -> Result<Outcome, String> {
    // Names of one length: paths in the output are then as wide on both sides.
    let base = root.join(match side {
        Side::Real => "real",
        Side::Ours => "ours",
    });
    let dir = base.join("d");
    fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    for step in &case.steps {
        prepare(side, step, &dir)?;
    }
    let mut args = Vec::new();
    if let Some(format) = case.format {
        args.push(format!("--output-format={format}"));
    }
    if side == Side::Ours {
        args.extend(case.ours.iter().map(|word| (*word).to_owned()));
    }
    args.extend(words(&case.args.replace("{dir}", &path_of(&dir))));
    run(side, &args, &dir, case.stdin, &case.env)
}

fn prepare(side: Side, step: &Step, dir: &Path) -> Result<(), String> {
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.join(name);
        if let Some(parent) = path.parent() {
            let _ = fs::create_dir_all(parent);
        }
        fs::write(&path, bytes).map_err(|error| format!("{name}: {error}"))
    };
    match step {
        Step::Text(name, text) => write(name, text.replace("{dir}", &path_of(dir)).as_bytes()),
        Step::Noise(name, bytes) => write(name, &noise(*bytes)),
        Step::Folder(name) => {
            fs::create_dir_all(dir.join(name)).map_err(|error| format!("{name}: {error}"))
        }
        Step::Poke(name, place) => {
            let mut bytes = fs::read(dir.join(name)).map_err(|error| format!("{name}: {error}"))?;
            let byte = bytes.get_mut(*place).ok_or_else(|| format!("{name} is too short"))?;
            *byte = !*byte;
            write(name, &bytes)
        }
        Step::Command(args) => {
            let args = words(&args.replace("{dir}", &path_of(dir)));
            let outcome = run(side, &args, dir, None, &[])?;
            match outcome.status {
                0 => Ok(()),
                status => Err(format!("'{args:?}' before it: {status}\n{}", outcome.words())),
            }
        }
    }
}

/// Runs one command of a side in a folder.
///
/// # Errors
/// It could not be started.
pub fn run(
    side: Side,
    args: &[String],
    dir: &Path,
    stdin: Option<&str>,
    env: &[(&str, &str)],
) -> Result<Outcome, String> {
    let program = program(side)?;
    let (name, first) = program.split_first().ok_or("empty command")?;
    let mut command = Command::new(name);
    command.args(first).args(args).envs(env.iter().copied());
    run_command(command, dir, stdin)
}

/// Runs any command in a folder, its output in files so that none can block. They have no names:
/// several commands may run at the same time.
///
/// # Errors
/// It could not be started.
pub fn run_command(
    mut command: Command,
    dir: &Path,
    stdin: Option<&str>,
) -> Result<Outcome, String> {
    let nameless = || tempfile::tempfile().map_err(|error| error.to_string());
    let with = |file: &fs::File| file.try_clone().map_err(|error| error.to_string());
    let (out, err) = (nameless()?, nameless()?);
    command.current_dir(dir).stdout(with(&out)?).stderr(with(&err)?).env("LC_ALL", "C");
    command.stdin(Stdio::null());
    if let Some(text) = stdin {
        let mut input = nameless()?;
        let written = input.write_all(text.as_bytes()).and_then(|()| input.rewind());
        written.map_err(|error| error.to_string())?;
        command.stdin(input);
    }
    let started = Instant::now();
    let mut child = command.spawn().map_err(|error| {
        format!("{:?} cannot be started: {error}\nhint: apt-get install fio", command.get_program())
    })?;
    let status = wait(&mut child, started)?;
    let text = |mut file: fs::File| {
        let mut bytes = Vec::new();
        file.rewind().and_then(|()| file.read_to_end(&mut bytes)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).replace(&path_of(dir), "{dir}")
    };
    Ok(Outcome {
        status,
        stdout: text(out),
        stderr: text(err),
        dir: dir.to_path_buf(),
        seconds: started.elapsed().as_secs_f64(),
    })
}

fn wait(child: &mut Child, started: Instant) -> Result<i32, String> {
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            let signal = status.signal().map_or(-1, |signal| 128 + signal);
            return Ok(status.code().unwrap_or(signal));
        }
        if started.elapsed() > LIMIT {
            // fio's jobs are sessions of their own: no process group holds them all.
            for id in family(child.id()) {
                let _ = Command::new("kill").args(["-KILL", &id.to_string()]).status();
            }
            let _ = child.wait();
            return Err(format!("still ran after {} s", LIMIT.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5)); // sleeps because a program is waited for
    }
}

/// A process and all below it, found by their parents' numbers.
fn family(id: u32) -> Vec<u32> {
    let parent_of = |id: u32| -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
    };
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids: Vec<u32> =
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    let mut all = vec![id];
    let mut next = 0;
    while let Some(parent) = all.get(next).copied() {
        all.extend(ids.iter().filter(|id| parent_of(**id) == Some(parent)));
        next += 1;
    }
    all
}

/// A path as text.
pub fn path_of(dir: &Path) -> String {
    dir.to_string_lossy().into_owned()
}

/// Splits as a shell does, with single quotes only.
pub fn words(text: &str) -> Vec<String> {
    let (mut all, mut word, mut quoted, mut started) = (Vec::new(), String::new(), false, false);
    for letter in text.chars() {
        match letter {
            '\'' => {
                quoted = !quoted;
                started = true;
            }
            letter if letter.is_whitespace() && !quoted => {
                if started {
                    all.push(std::mem::take(&mut word));
                }
                started = false;
            }
            letter => {
                word.push(letter);
                started = true;
            }
        }
    }
    if started {
        all.push(word);
    }
    all
}

/// Bytes without a pattern, the same each time.
fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    (0..bytes)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 24) as u8
        })
        .collect()
}

#[test]
fn command_lines_are_split_as_a_shell_does() {
    let check = |text: &str, expected: &[&str]| assert_eq!(words(text), expected);
    check("a  b", &["a", "b"]);
    check("--x='a b' c", &["--x=a b", "c"]);
    check("'' a", &["", "a"]);
}
