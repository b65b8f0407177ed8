//! What errors do.

use super::parse::{ValueProblem, ValueResult};
use super::reader::ValueReader;
use super::spec::{Hosts::Any, *};

/// What errors do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorOptions {
    pub continue_on: ErrorSet,
    pub ignore: ErrorList,
    pub exitall_on_error: bool,
}

type O = ErrorOptions;

pub(super) const TABLE: &[Entry<O>] = &[
    choice("continue_on_error", "none", "After which errors the job goes on.")
        .sets(Any, |o: &mut O| &mut o.continue_on),
    special("ignore_error", "", "Errors that do not count: read, write, verify; names by colons.")
        .under("rw")
        .sets(Any, |o: &mut O| &mut o.ignore),
    flag("error_dump", "0", "Tell of each error, also of one that does not count.").checks(),
    switch("exitall_on_error", "", "When this job fails, end all jobs.")
        .sets(Any, |o: &mut O| &mut o.exitall_on_error),
];

/// Operations after whose errors a job goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ErrorSet {
    pub read: bool,
    pub write: bool,
    pub verify: bool,
}

const NONE: ErrorSet = ErrorSet { read: false, write: false, verify: false };
const ALL: ErrorSet = ErrorSet { read: true, write: true, verify: true };

impl Choice for ErrorSet {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("none", "none; the job ends", NONE),
        ("read", "errors of reads", Self { read: true, ..NONE }),
        ("write", "errors of writes", Self { write: true, ..NONE }),
        ("io", "errors of any operation", Self { verify: false, ..ALL }),
        ("verify", "data that is not as it was written", Self { verify: true, ..NONE }),
        ("all", "all errors", ALL),
        ("0", "the same as none", NONE),
        ("1", "the same as all", ALL),
    ];
}

/// `ignore_error=READ,WRITE,VERIFY`, as numbers of errors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorList {
    pub read: Vec<i32>,
    pub write: Vec<i32>,
    pub verify: Vec<i32>,
}

const LIST: &str = "errors for READ,WRITE,VERIFY, separated by colons within, such as \
                    EAGAIN,ENOSPC:122";

impl ReadValue for ErrorList {
    fn read(reader: &mut ValueReader<'_>, _: &OptionSpec) -> ValueResult<Self> {
        let mut lists = Vec::new();
        for list in reader.require_text(LIST)?.split(',') {
            let names = list.split(':').map(str::trim).filter(|name| !name.is_empty());
            lists.push(names.map(parse_errno).collect::<ValueResult<Vec<i32>>>()?);
        }
        if lists.len() > 3 || lists.iter().all(Vec::is_empty) {
            let what = "it is not a list for up to three kinds of errors";
            return Err(ValueProblem::new(what, LIST));
        }
        let mut lists = lists.into_iter();
        let mut next = || lists.next().unwrap_or_default();
        Ok(Self { read: next(), write: next(), verify: next() })
    }
}

/// Names of Linux's errors in the order of their numbers, from 1; `-`: there is no such number.
const ERROR_NAMES: &str = "\
    EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT \
    ENOTBLK EBUSY EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG \
    ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY \
    ELOOP - ENOMSG EIDRM ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH ENOCSI EL2HLT EBADE EBADR \
    EXFULL ENOANO EBADRQC EBADSLT - EBFONT ENOSTR ENODATA ETIME ENOSR ENONET ENOPKG EREMOTE \
    ENOLINK EADV ESRMNT ECOMM EPROTO EMULTIHOP EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD EREMCHG \
    ELIBACC ELIBBAD ELIBSCN ELIBMAX ELIBEXEC EILSEQ ERESTART ESTRPIPE EUSERS ENOTSOCK \
    EDESTADDRREQ EMSGSIZE EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT ESOCKTNOSUPPORT ENOTSUP \
    EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL ENETDOWN ENETUNREACH ENETRESET \
    ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS ETIMEDOUT \
    ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL \
    EISNAM EREMOTEIO EDQUOT ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY EKEYEXPIRED EKEYREVOKED \
    EKEYREJECTED EOWNERDEAD ENOTRECOVERABLE ERFKILL";

/// Further names of the same errors.
const ERROR_ALIASES: &[(&str, i32)] = &[("EWOULDBLOCK", 11), ("EDEADLOCK", 35), ("EOPNOTSUPP", 95)];

fn parse_errno(name: &str) -> ValueResult<i32> {
    let named = ERROR_NAMES.split(' ').zip(1..).chain(ERROR_ALIASES.iter().copied());
    let found = named.into_iter().find(|(known, _)| *known == name && name != "-");
    let number = found.map(|(_, number)| number).or_else(|| name.parse().ok());
    number
        .filter(|number| (1..4096).contains(number))
        .ok_or_else(|| ValueProblem::new(format!("{name} is not an error of the system"), LIST))
}
