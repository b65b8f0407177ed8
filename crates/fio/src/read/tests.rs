//! What is read from what. Tables headed "as fio" were checked with Debian's fio 3.33
//! (JSON of the null engine, --showcmd); the others say why we differ.

use super::*;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::time::{Duration, Instant};

/// Files in memory; `dir/x` is next to `dir/y`.
#[derive(Default)]
struct Memory(BTreeMap<String, Vec<u8>>);

impl FileSource for Memory {
    fn read(&self, path: &str, from: Option<&str>) -> io::Result<FileText> {
        let next_to = from.and_then(|from| from.rsplit_once('/'));
        let next_to = next_to.map(|(dir, _)| format!("{dir}/{path}"));
        for path in [Some(path.to_owned()), next_to].into_iter().flatten() {
            if let Some(bytes) = self.0.get(&path) {
                return Ok(FileText { path, bytes: bytes.clone() });
            }
        }
        Err(io::Error::new(io::ErrorKind::NotFound, "no such file"))
    }
}

fn env(name: &str) -> Option<String> {
    Some(match name {
        "SIZE" => "8k".to_owned(),
        "OPTION" => "bs".to_owned(),
        "BOTH" => "bs=8k".to_owned(),
        "ODD" => "x;y#z ${SIZE}".to_owned(),
        "EMPTY" => String::new(),
        "LONG" => "x".repeat(1000),
        _ => return None,
    })
}

fn read_with(args: &[&str], files: &[(&str, &[u8])]) -> Result<ParsedCommand, ReadError> {
    let files = files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec()));
    let files = Memory(files.collect());
    let stdin = || Ok(files.0.get("-").cloned().unwrap_or_default());
    let keywords = Keywords { page_size: 4096, memory_mib: 24103, cpus: 2 };
    let world = ReadEnvironment { files: &files, env: &env, keywords, stdin: &stdin };
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    read_command(&args, &world)
}

fn list<'a>(options: impl IntoIterator<Item = &'a RawOption>) -> String {
    let word = |option: &RawOption| match option.evaluated_value() {
        Some(value) => format!("{}={value}", option.name),
        None => option.name.to_owned(),
    };
    options.into_iter().map(word).collect::<Vec<_>>().join(" ")
}

/// `title(globals | own)` for each job, `//` before a group that waits; or the error.
fn outline(result: Result<ParsedCommand, ReadError>) -> String {
    let reading = match result {
        Ok(reading) => reading,
        Err(error) => return error.to_string(),
    };
    let mut words = Vec::new();
    for group in &reading.groups {
        words.extend(group.stonewall.then(|| "//".to_owned()));
        words.extend(group.sections.iter().map(|section| {
            let globals = section.globals();
            format!("{}({} | {})", section.title(), list(globals), list(&section.own))
        }));
    }
    words.join(" ")
}

fn file(text: &str) -> String {
    outline(read_with(&["t.fio"], &[("t.fio", text.as_bytes())]))
}

fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(file(text), *expected, "{text}");
    }
}

/// The last option of this name: the one that counts.
fn last_option<'a>(section: &'a RawSection, name: &str) -> Option<&'a RawOption> {
    section.options().filter(|option| option.name == name).last()
}

#[test]
fn job_files_as_fio() {
    check(&[
        ("", ""),
        ("; only\n# comments\n\n", ""),
        ("[a]\nbs=4k\n", "a( | bs=4k)"),
        ("[a]\nblocksize=4k", "a( | bs=4k)"),
        ("[a]\nbs=8k # c\n  ; x\n\tthread\n", "a( | bs=8k thread)"),
        ("[a]\r\nbs=4k\r\nthread\r\n", "a( | bs=4k thread)"),
        (" [a] ; comment\nrw\t=read\n", "a( | rw=read)"),
        ("[a]\nrw =read\n", "a( | rw=read)"),
        ("[a]\n\u{b}bs=8k\n\u{c}\n", "a( | bs=8k)"),
        ("[a]\nbs=8k bs=16k\n", "a( | bs=8k bs=16k)"),
        ("[a]\ndescription=a b  c=d \n", "a( | description=a b  c=d)"),
        ("[a]\ndescription=\"a # b\"\n", "a( | description=\"a)"),
        ("[a]\ndescription=x\\#y\n", "a( | description=x\\)"),
        ("[a]\ndescription==\n", "a( | description==)"),
        ("[a]\ndescription=http://x;y\n", "a( | description=http://x)"),
        ("[a/b c:d]\n", "a/b c:d( | )"),
        ("[a]]\n", "a]( | )"),
        ("[Global]\nbs=4k\n[b]\n", "Global( | bs=4k) b( | )"),
        ("[a]\n[a]\nname=zz\n", "a( | ) zz( | name=zz)"),
        ("[x]\nname=y1\nname=y2\n", "y2( | name=y1 name=y2)"),
        ("[a]\nbs=4k\nbs=16k\n", "a( | bs=4k bs=16k)"),
        ("[a]\nfilename=/x:/y\nfilename=/z\n", "a( | filename=/x:/y filename=/z)"),
        ("[a]\nthread\ntime_based=0\n", "a( | thread time_based=0)"),
        ("[a]\nwrite_bw_log\n", "a( | write_bw_log)"),
        ("[global]\nname=gg\nbs=1k\n[a]\n", "a(name=gg bs=1k | )"),
        (
            "[a]\n[global]\nbs=8k\n[b]\n[globalz]\nbs=16k\n[c]\nsize=1m\n",
            "a( | ) b(bs=8k | ) c(bs=8k bs=16k | size=1m)",
        ),
        ("[a]\ndescription=x\\\n", "a( | description=x\\)"),
        ("[a]\nbs=8k\n[${SIZE}]\n", "a( | bs=8k) ${SIZE}( | )"),
    ]);
}

/// Intended: blanks after `=` are dropped (fio drops the unit of the number then), a bare flag
/// is 1, a BOM is skipped, blanks in brackets are dropped, any number of blanks after include.
#[test]
fn job_files_better_than_fio() {
    check(&[
        ("[a]\nbs = 8k\nrw= read\n", "a( | bs=8k rw=read)"),
        ("[a]\ndirect\n", "a( | direct)"),
        ("\u{feff}[a]\nbs=4k\n", "a( | bs=4k)"),
        ("[ global ]\nbs=4k\n[ b ]\n", "b(bs=4k | )"),
        (
            "[a]\ninclude_me=1\n",
            "t.fio:2:1: unknown option 'include_me'; --cmdhelp=all lists all options",
        ),
        ("[a]\ndescription=ö ; \u{1}\n", "a( | description=ö)"),
    ]);
    let latin_comment = read_with(&["t.fio"], &[("t.fio", b"[a]\nbs=4k ; \xe9t\xe9\n")]);
    assert_eq!(outline(latin_comment), "a( | bs=4k)");
}

#[test]
fn errors_of_job_files() {
    let outside = "outside of a section; start one above it, with [global] or [job-name]";
    let alone = "does not end with ']'; write [name] alone on a line";
    let long = format!("[{}]", "a".repeat(256));
    check(&[
        ("bs=4k\n[a]\n", &format!("t.fio:1:1: option 'bs' {outside}")),
        ("\n  bs=4k\n[a]\n", &format!("t.fio:2:3: option 'bs' {outside}")),
        ("include x\n", &format!("t.fio:1:1: include 'x' {outside}")),
        ("[a\n", &format!("t.fio:1:1: the section '[a' {alone}")),
        ("[a]x\n", &format!("t.fio:1:1: the section '[a]x' {alone}")),
        (
            "[a;b]\n",
            "t.fio:1:1: the section '[a' does not end with ']'; \
             ';' and '#' start a comment, in names too",
        ),
        ("[]\n", "t.fio:1:1: a job needs a name; write name=a or, in a job file, [a]"),
        (&long, "t.fio:1:1: the name of a job may have at most 255 bytes; it has 256"),
        ("[a]\nbs\n", "t.fio:2:1: option 'bs' needs a value; write bs=4k"),
        ("[a]\n bs = ; 4k\n", "t.fio:2:2: option 'bs' needs a value; write bs=4k"),
        ("[a]\ntime_based=\n", "t.fio:2:1: option 'time_based' needs a value; write time_based=1"),
        ("[a]\nruntime\n", "t.fio:2:1: option 'runtime' needs a value; write runtime=10s"),
        ("[a]\n=4\n", "t.fio:2:1: unknown option ''; --cmdhelp=all lists all options"),
        ("[a]\nBS=8k\n", "t.fio:2:1: unknown option 'BS'; did you mean bs?"),
        ("[a]\nblocksiz=8k\n", "t.fio:2:1: unknown option 'blocksiz'; did you mean blocksize?"),
        ("[a]\ntime_bas\n", "t.fio:2:1: unknown option 'time_bas'; did you mean time_based?"),
        ("[a]\n--bs=8k\n", "t.fio:2:1: unknown option '--bs'; write bs=8k"),
        ("[a]\n--thread\n", "t.fio:2:1: unknown option '--thread'; write thread"),
        ("[a]\ntime_based 1\n", "t.fio:2:1: unknown option 'time_based 1'; write time_based=1"),
        ("[a]\nbs 8k\n", "t.fio:2:1: unknown option 'bs 8k'; write bs=8k"),
        ("[a]\n// x\n", "t.fio:2:1: unknown option '// x'; --cmdhelp=all lists all options"),
        (
            "[a]\nsize=$pagesize/0\n",
            "t.fio:2:1: size=$pagesize/0: division by zero; \
             write a number, or an expression like (2*4k)",
        ),
        (
            "[a]\nruntime=(4q)\n",
            "t.fio:2:1: runtime=(4q): unknown unit 'q'; \
             write a number of seconds, or an expression like (2*30s)",
        ),
    ]);
}

#[test]
fn garbage_is_one_error_with_its_place() {
    let hint = "job files are text; is this the right file?";
    let cases: &[(&[u8], String)] = &[
        (b"\x00\x01\xff[a]\n", format!("t.fio:1:1: a control character (U+0000); {hint}")),
        (b"[a]\nab\x00c\n", format!("t.fio:2:3: a control character (U+0000); {hint}")),
        (b"[a]\n\xc3\xb6=\xff\xfe\n", format!("t.fio:2:3: bytes that are not UTF-8 text; {hint}")),
        (b"[a]\n\x7fELF\n", format!("t.fio:2:1: a control character (U+007F); {hint}")),
    ];
    for (bytes, expected) in cases {
        assert_eq!(outline(read_with(&["t.fio"], &[("t.fio", bytes)])), *expected);
    }
}

#[test]
fn environment_as_fio() {
    check(&[
        ("[a]\nbs=${SIZE}\n", "a( | bs=8k)"),
        ("[a]\ndescription=${SIZE}x${SIZE}${UNSET}\n", "a( | description=8kx8k)"),
        ("[a]\ndescription=$SIZE ${SIZE\n", "a( | description=$SIZE ${SIZE)"),
        ("[a]\n${OPTION}=8k\n", "a( | bs=8k)"),
        ("[a]\n${BOTH}\n", "a( | bs=8k)"),
        ("[a]\ndescription=${ODD}\n", "a( | description=x;y#z ${SIZE})"),
        ("[a]\ndescription=a\\${SIZE}b\n", "a( | description=a\\8kb)"),
        (
            "[a]\nbs=${UNSET}\n",
            "t.fio:2:1: option 'bs' needs a value; \
             the environment variable 'UNSET' is empty or not set",
        ),
        (
            "[a]\nbs=${EMPTY}\n",
            "t.fio:2:1: option 'bs' needs a value; \
             the environment variable 'EMPTY' is empty or not set",
        ),
        (
            "[a]\n${UNSET}\n",
            "t.fio:2:1: unknown option ''; the environment variable 'UNSET' is empty or not set",
        ),
    ]);
    let much = format!("[a]\ndescription={}\n", "${LONG}".repeat(70));
    assert_eq!(file(&much), "t.fio:2:1: longer than 64 KiB with its variables");
    // Not on the command line, where the shell has done it.
    let words = ["--name=x", "--description=${SIZE}"];
    assert_eq!(outline(read_with(&words, &[])), "x( | name=x description=${SIZE})");
}

#[test]
fn keywords_and_expressions() {
    check(&[
        ("[a]\nbs = $pagesize * 2\n", "a( | bs=8192)"),
        ("[a]\nfilename=$jobname.$jobnum\n", "a( | filename=$jobname.$jobnum)"),
        ("[a]\nsize=(4*1024)k\nruntime=(10*3)\n", "a( | size=4194304 runtime=30us)"),
        ("[a]\nsize=(1k)\nkb_base=1000\n[b]\nsize=(1k)\n", {
            "a( | size=1000 kb_base=1000) b( | size=1024)"
        }),
        (
            "[global]\nsize=(1k)\n[a]\n[global]\nkb_base=1000\n[b]\nbs=(1k)\n",
            "a(size=1000 | ) b(size=1000 kb_base=1000 | bs=1000)",
        ),
    ]);
    // HOWTO: also on the command line (Debian's fio does not do it there).
    let words = ["--bs=$pagesize", "--name=x", "--size=2*$pagesize"];
    assert_eq!(outline(read_with(&words, &[])), "x(bs=4096 | name=x size=8192)");
    // The JSON shows what was written.
    let reading = read_with(&["--name=x", "--size=(4*1k)"], &[]).unwrap();
    let size = reading.sections().next().and_then(|section| last_option(section, "size")).unwrap();
    assert_eq!((size.value.as_deref(), size.evaluated_value()), (Some("(4*1k)"), Some("4096")));
}

#[test]
fn includes() {
    let run = |main: &str, files: &[(&str, &str)]| {
        let all = std::iter::once(("d/m.fio", main)).chain(files.iter().copied());
        let all: Vec<_> = all.map(|(name, text)| (name, text.as_bytes())).collect();
        outline(read_with(&["d/m.fio"], &all))
    };
    let i = [("i", "bs=1k\nthread\n")];
    assert_eq!(run("[global]\ninclude i\n[a]\n", &i), "a(bs=1k thread | )");
    assert_eq!(run("[a]\n  include   i  ; c\nbs=8k\n", &i), "a( | bs=1k thread bs=8k)");
    assert_eq!(run("[a]\ninclude=i\n", &i), "a( | bs=1k thread)");
    // The current folder first, next to the including file then.
    assert_eq!(run("[a]\ninclude j\n", &[("d/j", "bs=2k")]), "a( | bs=2k)");
    assert_eq!(run("[a]\ninclude j\n", &[("d/j", "bs=2k"), ("j", "bs=3k")]), "a( | bs=3k)");
    let nested = [("s/k", "include l"), ("s/l", "bs=5k")];
    assert_eq!(run("[a]\ninclude s/k\n", &nested), "a( | bs=5k)");
    for (main, files, expected) in [
        ("[a]\ninclude x", vec![], "d/m.fio:2:1: cannot include 'x': no such file"),
        ("[a]\ninclude", vec![], "d/m.fio:2:1: include needs the name of a file"),
        ("[a]\ninclude i", vec![("i", "bad=1")], "i:1:1: unknown option 'bad'; did you mean ba?"),
        (
            "[a]\ninclude i",
            vec![("i", "bs=1k\n[b]\n")],
            "i:2:1: an included file may not start a section; \
             leave its options, and start the section in the file that includes it",
        ),
        (
            "[a]\ninclude i",
            vec![("i", "bs=1k\ninclude i")],
            "i:2:1: 'i' includes itself; remove this include",
        ),
        (
            "[a]\ninclude i",
            vec![("i", "include j"), ("j", " include i")],
            "j:1:2: 'i' includes itself; remove this include",
        ),
        ("[a]\ninclude d/m.fio", vec![], {
            "d/m.fio:2:1: 'd/m.fio' includes itself; remove this include"
        }),
    ] {
        assert_eq!(run(main, &files), expected);
    }
    let chain: Vec<_> = (0..20).map(|n| (format!("f{n}"), format!("include f{}", n + 1))).collect();
    let chain: Vec<_> = chain.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let deep = "f15:1:1: includes nest deeper than 16; does a file include itself?";
    assert_eq!(run("[a]\ninclude f0\n", &chain), deep);
}

#[test]
fn disk_files_look_next_to_the_including_file() {
    let folder = std::env::temp_dir().join(format!("fioread-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("inner.inc"), "bs=1k").unwrap();
    let main = folder.join("main.fio");
    let found = DiskFiles.read("inner.inc", main.to_str()).unwrap();
    let missing = DiskFiles.read("inner.inc", None).unwrap_err().kind();
    let directory = DiskFiles.read(folder.to_str().unwrap(), None).is_err();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(found.bytes, b"bs=1k");
    assert_eq!((missing, directory), (io::ErrorKind::NotFound, true));
}

fn line(words: &str) -> String {
    let files: &[(&str, &[u8])] = &[
        ("a.fio", b"[global]\nbs=8k\n[x]\n[y]\ndirect=1\n"),
        ("b.fio", b"[z]\nsize=1m\n"),
        ("bad.fio", b"[y]\nbadopt=3\ninclude nofile\n[x]\nsize=1m\n"),
        ("--bs=8k", b"[dash]\n"),
        ("-", b"[in]\n"),
    ];
    let words: Vec<_> = words.split_whitespace().collect();
    outline(read_with(&words, files))
}

#[test]
fn command_lines_as_fio() {
    for (words, expected) in [
        ("", ""),
        ("--bs=1k", ""),
        ("--bs=1k --name=a", "a(bs=1k | name=a)"),
        ("--name=a --direct=1", "a( | name=a direct=1)"),
        ("--name a --bs 8k --direct 1", "a( | name=a bs=8k direct=1)"),
        ("-name a -bs 8k", "a( | name=a bs=8k)"),
        ("-name=a -bs=8k", "a( | name=a bs=8k)"),
        ("--nam=a --time_bas --desc=8", "a( | name=a time_based description=8)"),
        ("--name=a --blocksize=1k", "a( | name=a bs=1k)"),
        ("--name=a --thread=1 --time_based=0", "a( | name=a thread=1 time_based=0)"),
        ("--name=a --description --bs=8k", "a( | name=a description=--bs=8k)"),
        ("--name=a --bs=1k --bs=2k", "a( | name=a bs=1k bs=2k)"),
        (
            "--size=1m --name=a --bs=8k --name=global --bs=16k --name=b",
            "a(size=1m | name=a bs=8k) b(size=1m name=global bs=16k | name=b)",
        ),
        ("--name=globalx --bs=1k --name=b", "b(name=globalx bs=1k | name=b)"),
        // Job files after the jobs of the command line, each but the first after a stonewall.
        ("a.fio b.fio", "x(bs=8k | ) y(bs=8k | direct=1) // z( | size=1m)"),
        ("b.fio b.fio", "z( | size=1m) // z( | size=1m)"),
        ("b.fio --name=q --bs=2k", "q( | name=q bs=2k) z( | size=1m)"),
        ("--name=q --bs=2k b.fio", "q( | name=q bs=2k) z( | size=1m)"),
        ("- b.fio", "in( | ) // z( | size=1m)"),
        // Defaults of the command line lose against the file's, and end with the first file.
        ("--bs=16k a.fio", "x(bs=16k bs=8k | ) y(bs=16k bs=8k | direct=1)"),
        ("b.fio --bs=16k b.fio", "z(bs=16k | size=1m) // z( | size=1m)"),
        (
            "--name=q --bs=2k --name=global --bs=32k b.fio b.fio",
            "q( | name=q bs=2k) z(name=global bs=32k | size=1m) // z( | size=1m)",
        ),
        // --
        ("--name=a -- --bs=8k", "a( | name=a) dash( | )"),
        ("-- --bs=8k -", "dash( | ) // in( | )"),
        // --section
        ("--section=x a.fio", "x(bs=8k | )"),
        ("--section=x --section=y a.fio", "x(bs=8k | ) y(bs=8k | direct=1)"),
        ("--section=x,y a.fio", ""),
        ("--section=zz a.fio", ""),
        ("-x x bad.fio", "x( | size=1m)"),
        ("-xx bad.fio", "x( | size=1m)"),
        ("--section=x --name=q a.fio", "x(bs=8k | )"),
        ("--name=a --name=b --section=b", "a( | name=a) b( | name=b)"),
    ] {
        assert_eq!(line(words), expected, "{words}");
    }
}

/// Intended: a bare flag is 1 on the command line too, and takes only numbers as its
/// value (fio takes any word for some flags); names that begin so but mean one option are not
/// ambiguous.
#[test]
fn command_lines_better_than_fio() {
    for (words, expected) in [
        ("--direct --name=a", "a(direct | name=a)"),
        ("--name=a --direct b.fio", "a( | name=a direct) z( | size=1m)"),
        ("--name=a --blocksize_r=1k-2k", "a( | name=a bsrange=1k-2k)"),
    ] {
        assert_eq!(line(words), expected, "{words}");
    }
    let spaced = read_with(&["--name=a", "--bs= 8k"], &[]);
    assert_eq!(outline(spaced), "a( | name=a bs=8k)");
}

#[test]
fn errors_of_command_lines() {
    for (words, expected) in [
        (
            "--name=a --nosuch=3",
            "command line, word 2: unknown option '--nosuch'; --cmdhelp=all lists all options",
        ),
        (
            "--name=a --iodepths=3",
            "command line, word 2: unknown option '--iodepths'; did you mean iodepth?",
        ),
        (
            "--name=a --iodept=3",
            "command line, word 2: '--iodept' is ambiguous; write one of iodepth, iodepth_batch, \
             iodepth_batch_complete_min, iodepth_batch_complete_max, iodepth_low",
        ),
        ("--name=a --bs", "command line, word 2: option '--bs' needs a value; write --bs=4k"),
        ("--name=", "command line, word 1: option '--name' needs a value; write --name=..."),
        (
            "--eta",
            "command line, word 1: '--eta' needs a value; --help says which values there are",
        ),
        ("-o", "command line, word 1: '-o' needs a value; --help says which values there are"),
        ("--minimal=3", "command line, word 1: '--minimal' takes no value; write --minimal"),
        ("--=8k", "command line, word 1: unknown option '--'; --cmdhelp=all lists all options"),
        ("---bs=8k", "command line, word 1: unknown option '---bs'; write bs"),
        ("-q", "command line, word 1: unknown option '-q'; --cmdhelp=all lists all options"),
        ("-my", "command line, word 1: unknown option '-my'; --cmdhelp=all lists all options"),
        ("--output_format=terse", {
            "command line, word 1: unknown option '--output_format'; did you mean --output-format?"
        }),
        ("--section=global", {
            "command line, word 1: --section=global: no job is called so; \
             defaults always apply; name a job"
        }),
        ("none.fio", "command line, word 1: cannot open job file 'none.fio': no such file"),
        ("--name=a --time_based 1", {
            "command line, word 3: cannot open job file '1': no such file; \
             a flag takes its value with '=', as in --time_based=1"
        }),
    ] {
        assert_eq!(line(words), expected, "{words}");
    }
}

#[test]
fn switches() {
    let switches = |words: &str| {
        let words: Vec<_> = words.split_whitespace().collect();
        let reading = read_with(&words, &[("b.fio", b"[z]\n")]).unwrap();
        let show = |switch: &RawSwitch| match &switch.value {
            Some(value) => format!("{}={value}@{}", switch.name, switch.place.line),
            None => format!("{}@{}", switch.name, switch.place.line),
        };
        reading.switches.iter().map(show).collect::<Vec<_>>().join(" ")
    };
    for (words, expected) in [
        ("--output-format=json --output o", "output-format=json@1 output=o@2"),
        ("b.fio --minimal --showc", "minimal@2 showcmd@3"),
        ("-m", "minimal@1"),
        ("-mP", "minimal@1 parse-only@1"),
        ("-mofile", "minimal@1 output=file@1"),
        ("-F json", "output-format=json@1"),
        ("--vers none.fio", "version@1"),
        ("-h none.fio", "help@1"),
        ("--cmdhelp bs", "cmdhelp@1"),
        ("--cmdhelp=bs", "cmdhelp=bs@1"),
        ("-cbs -v", "cmdhelp=bs@1 version@2"),
        ("--eta-n=1 -eta=never", "eta-newline=1@1 eta=never@2"),
    ] {
        assert_eq!(switches(words), expected, "{words}");
    }
}

#[test]
fn global_options_are_those_of_the_last_source() {
    let a: &[u8] = b"[global]\nbs=8k\n[x]\n[global]\nthread\n";
    let files = [("a.fio", a), ("b.fio", b"[z]\n")];
    for (words, expected) in [
        (vec!["--bs=1k", "--name=a"], "bs=1k"),
        (vec!["--bs=1k", "a.fio"], "bs=1k bs=8k thread"),
        (vec!["--bs=1k", "b.fio"], "bs=1k"),
        (vec!["--bs=1k", "a.fio", "b.fio"], ""),
        (vec!["--bs=1k", "b.fio", "a.fio"], "bs=8k thread"),
    ] {
        assert_eq!(list(read_with(&words, &files).unwrap().global_options()), expected);
    }
}

#[test]
fn a_name_among_the_defaults_names_no_job() {
    let reading = read_with(&["t"], &[("t", b"[global]\nname=g\nbs=1k\n[a]\nbs=2k\n")]).unwrap();
    let section = reading.sections().next().unwrap();
    assert_eq!((section.title(), list(section.options())), ("a", "bs=1k bs=2k".to_owned()));
    let origins: Vec<_> = section.options().map(|option| option.origin).collect();
    assert_eq!(origins, [Origin::Global, Origin::Own]);
    let bs = last_option(section, "bs").unwrap();
    assert_eq!((bs.value.as_deref(), bs.place.to_string()), (Some("2k"), "t:5:1".to_owned()));
}

#[test]
fn show_command_as_fio() {
    let show = |words: &[&str], text: &str| {
        let files: &[(&str, &[u8])] = &[("c.fio", text.as_bytes()), ("b.fio", b"[z]\nsize=1m\n")];
        show_command(&read_with(words, files).unwrap())
    };
    let file = "[global]\nbs=8k\nthread\n[x]\n[y]\ndescription=a b\n";
    let c = "fio --bs=8k --thread --name=x --name=y --description=\"a b\" \n";
    assert_eq!(show(&["--showcmd", "c.fio"], file), c);
    assert_eq!(show(&["c.fio", "b.fio"], file), format!("{c}fio --name=z --size=1m \n"));
    assert_eq!(show(&["--name=a"], ""), "");
    assert_eq!(show(&["--bs=1k", "b.fio"], ""), "fio --bs=1k --name=z --size=1m \n");
    // fio prints later defaults before the --name they follow, repeats earlier ones, starts a
    // second job for name=, and quotes descriptions only: what it prints there is another run.
    let file = "[x y]\nname=n\nrw=read\n[global]\nbs=2*$ncpus\n[w]\nfilename=it's\n";
    let c = r"fio --name=n --rw=read --name=global --bs=4 --name=w --filename='it'\''s' ";
    assert_eq!(show(&["c.fio"], file), format!("{c}\n"));
    assert_eq!(show(&["c.fio"], "[x y]\ndescription=\"$a"), {
        "fio --name='x y' --description=\"\\\"\\$a\" \n"
    });
}

#[test]
fn limits_end_large_input_quickly() {
    let started = Instant::now();
    let noise = (0..1_u32 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8);
    let noise: Vec<u8> = noise.collect();
    let one = |bytes: &[u8]| outline(read_with(&["t.fio"], &[("t.fio", bytes)]));
    assert!(one(&noise).starts_with("t.fio:1:"), "{}", one(&noise));
    let repeat = |text: &str| text.repeat((1 << 20) / text.len());
    let long = "t.fio:2:1: a line longer than 64 KiB";
    assert_eq!(one(format!("[a]\n{}", repeat("x")).as_bytes()), long);
    assert!(one(repeat("[a]\n").as_bytes()).contains("more than 16384 sections"));
    assert!(one(repeat("\n").as_bytes()).contains("more than 200000 lines"));
    let alternating = repeat("[global]\nthread\nthread\nthread\n[a]\nthread\n");
    assert!(one(alternating.as_bytes()).contains("more than 4000000 options"));
    assert!(one(&[b"[a]\n", repeat("${").as_bytes()].concat()).contains("64 KiB"));
    assert!(one(&[b"[a]\nsize=", "(".repeat(60_000).as_bytes()].concat()).contains("nest"));
    assert!(one(&vec![b'\n'; (4 << 20) + 1]).contains("larger than 4 MiB"));
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}
