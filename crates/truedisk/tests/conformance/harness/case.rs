//! One case: a command line, what it finds, and what must come of it.

use crate::harness::gate::Company;
use crate::harness::run::Outcome;

/// A figure of the JSON output that must have this value on both sides.
#[derive(Debug, Clone)]
pub struct Figure {
    /// `jobs/0/read/total_ios`; `jobs/*/...` is the sum over the jobs.
    pub path: String,
    /// What it must be.
    pub value: f64,
    /// Share it may be off, 0 for exact.
    pub tolerance: f64,
}

/// How a run must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Exactly this status.
    Code(i32),
    /// Any status but 0, with an error in words.
    Failure,
}

/// Something done to the folder before the command.
#[derive(Debug, Clone)]
pub enum Step {
    /// A text file, such as a job file; `{dir}` in it is replaced.
    Text(&'static str, String),
    /// A file of this many bytes that no device can shorten.
    Noise(&'static str, usize),
    /// A folder.
    Folder(&'static str),
    /// The same side's program, which must end with 0.
    Command(&'static str),
    /// Turns over the byte at this place of a file.
    Poke(&'static str, usize),
}

/// What is compared besides the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// The whole of stdout, block by block.
    Blocks,
    /// Nothing: only what the case's own checks look at.
    Free,
}

/// A look at both sides: `Err` says what is wrong.
pub type Check = fn(&Outcome, &Outcome) -> Result<(), String>;

/// One case.
#[derive(Debug, Clone)]
pub struct Case {
    /// Unique over all groups.
    pub name: &'static str,
    /// Arguments as a shell splits them (single quotes only); `{dir}` is the side's fresh folder,
    /// which also is the working directory.
    pub args: String,
    /// Put before the arguments: the output format.
    pub format: Option<&'static str>,
    /// Done before.
    pub steps: Vec<Step>,
    /// Environment.
    pub env: Vec<(&'static str, &'static str)>,
    /// What stands on stdin.
    pub stdin: Option<&'static str>,
    /// How it ends.
    pub exit: Exit,
    /// What is compared.
    pub output: Output,
    /// Ends by the clock, or its figures hang on timing: counts are not compared.
    pub timed: bool,
    /// What it may run beside.
    pub company: Company,
    /// Compare which files are there afterwards, and their sizes.
    pub files: bool,
    /// Figures with values.
    pub figures: Vec<Figure>,
    /// Figures that must be near each other: path, share.
    pub near: Vec<(&'static str, f64)>,
    /// Files that hold output as stdout does.
    pub reads: Vec<&'static str>,
    /// Files that must be there afterwards, with their size if it is determined.
    pub leaves: Vec<(&'static str, Option<u64>)>,
    /// Files that must be gone.
    pub absent: Vec<&'static str>,
    /// Logs with as many lines on both sides, and this many columns.
    pub logs: Vec<(&'static str, Option<usize>)>,
    /// Own checks.
    pub checks: Vec<Check>,
    /// fio 3.33 does not know it, or fails at it now and then: only ours runs.
    pub added: bool,
    /// Switches that only ours has, put before the arguments.
    pub ours: &'static [&'static str],
}

/// A case with JSON output that must end with 0.
pub fn case(name: &'static str, args: &str) -> Case {
    Case {
        name,
        args: args.to_string(),
        format: Some("json"),
        steps: Vec::new(),
        env: Vec::new(),
        stdin: None,
        exit: Exit::Code(0),
        output: Output::Blocks,
        timed: false,
        company: Company::Any,
        files: true,
        figures: Vec::new(),
        near: Vec::new(),
        reads: Vec::new(),
        leaves: Vec::new(),
        absent: Vec::new(),
        logs: Vec::new(),
        checks: Vec::new(),
        added: false,
        ours: &[],
    }
}

/// As `case`, on the null engine: name `a`, 1 MiB, 256 operations of 4 KiB.
pub fn null(name: &'static str, args: &str) -> Case {
    case(name, &format!("--name=a --ioengine=null --size=1m {args}"))
}

/// As `case`, on file `f`: name `a`, psync, 1 MiB.
pub fn file(name: &'static str, args: &str) -> Case {
    case(name, &format!("--name=a --filename=f --ioengine=psync --size=1m {args}"))
}

/// A case whose only argument is the job file `t.fio` of this text.
pub fn job(name: &'static str, text: &str) -> Case {
    case(name, "t.fio").text("t.fio", text)
}

/// A case that must be refused.
pub fn refused(name: &'static str, args: &str) -> Case {
    case(name, args).plain().fails()
}

impl Case {
    /// Leaves the output format to the arguments; figures given before are dropped, as text has
    /// none to read.
    pub fn plain(mut self) -> Self {
        self.format = None;
        self.figures.clear();
        self
    }

    /// This output format.
    pub fn format(mut self, format: &'static str) -> Self {
        self.format = Some(format);
        self
    }

    /// Ends by the clock.
    pub fn timed(mut self) -> Self {
        self.timed = true;
        self
    }

    /// Nothing beside it; implies `timed`.
    pub fn alone(mut self) -> Self {
        self.company = Company::None;
        self.timed = true;
        self
    }

    /// Nothing beside it but what is paced too; implies `timed`.
    pub fn paced(mut self) -> Self {
        self.company = Company::Paced;
        self.timed = true;
        self
    }

    /// Must end with another status than 0.
    pub fn fails(mut self) -> Self {
        self.exit = Exit::Failure;
        self.output = Output::Free;
        self.files = false;
        self
    }

    /// Must end with exactly this status.
    pub fn exit(mut self, status: i32) -> Self {
        self.exit = Exit::Code(status);
        self
    }

    /// Stdout is not compared.
    pub fn free(mut self) -> Self {
        self.output = Output::Free;
        self
    }

    /// Files afterwards are not compared.
    pub fn no_files(mut self) -> Self {
        self.files = false;
        self
    }

    /// fio 3.33 does not know it, or hangs or breaks in one run of some: only ours runs.
    pub fn added(mut self) -> Self {
        self.added = true;
        self
    }

    /// Commands that jobs start are run.
    pub fn allows_exec(mut self) -> Self {
        self.ours = &["--allow-exec"];
        self
    }

    /// A text file.
    pub fn text(mut self, name: &'static str, text: &str) -> Self {
        self.steps.push(Step::Text(name, text.to_string()));
        self
    }

    /// A step before the command.
    pub fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// A file of incompressible bytes.
    pub fn noise(self, name: &'static str, bytes: usize) -> Self {
        self.step(Step::Noise(name, bytes))
    }

    /// A command of the same program before the one that counts.
    pub fn before(self, args: &'static str) -> Self {
        self.step(Step::Command(args))
    }

    /// A variable of the environment.
    pub fn env(mut self, name: &'static str, value: &'static str) -> Self {
        self.env.push((name, value));
        self
    }

    /// Text on stdin.
    pub fn stdin(mut self, text: &'static str) -> Self {
        self.stdin = Some(text);
        self
    }

    /// A figure that must have this value on both sides.
    pub fn eq(self, path: &str, value: u64) -> Self {
        self.about(path, value as f64, 0.0)
    }

    /// A figure that must be within a share of this value on both sides.
    pub fn about(mut self, path: &str, value: f64, tolerance: f64) -> Self {
        self.figures.retain(|figure| figure.path != path);
        self.figures.push(Figure { path: path.to_string(), value, tolerance });
        self
    }

    /// Operations of all jobs: reads, writes, trims.
    pub fn ios(mut self, counts: [u64; 3]) -> Self {
        for (way, count) in ["read", "write", "trim"].iter().zip(counts) {
            self = self.eq(&format!("jobs/*/{way}/total_ios"), count);
        }
        self
    }

    /// Bytes of all jobs: reads, writes, trims.
    pub fn bytes(mut self, counts: [u64; 3]) -> Self {
        for (way, count) in ["read", "write", "trim"].iter().zip(counts) {
            self = self.eq(&format!("jobs/*/{way}/io_bytes"), count);
        }
        self
    }

    /// A figure of both sides that must be near each other.
    pub fn near(mut self, path: &'static str, share: f64) -> Self {
        self.near.push((path, share));
        self
    }

    /// A file that holds output.
    pub fn reads(mut self, name: &'static str) -> Self {
        self.reads.push(name);
        self
    }

    /// A file that is there afterwards, of this size.
    pub fn leaves(mut self, name: &'static str, bytes: u64) -> Self {
        self.leaves.push((name, Some(bytes)));
        self
    }

    /// A file that is there afterwards.
    pub fn makes(mut self, name: &'static str) -> Self {
        self.leaves.push((name, None));
        self
    }

    /// A file that is not there afterwards.
    pub fn absent(mut self, name: &'static str) -> Self {
        self.absent.push(name);
        self
    }

    /// A log of this many lines.
    pub fn log(mut self, name: &'static str, lines: usize) -> Self {
        self.logs.push((name, Some(lines)));
        self
    }

    /// A log whose number of lines hangs on timing; there must be one at least.
    pub fn some_log(mut self, name: &'static str) -> Self {
        self.logs.push((name, None));
        self
    }

    /// An own check.
    pub fn check(mut self, check: Check) -> Self {
        self.checks.push(check);
        self
    }
}
