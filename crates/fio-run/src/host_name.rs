//! The addresses of a host by its name.
//!
//! The system's resolver cannot be interrupted, and may take minutes. It runs on a thread of its
//! own, which is left behind when the answer is no longer waited for.

use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use engine::StopSignal;

/// How long an answer is waited for.
#[derive(Debug, Clone, Copy)]
struct Patience {
    /// Before it is said what is waited for.
    quiet: Duration,
    limit: Duration,
}

/// By default the resolver asks each of up to 3 servers twice for 5 s (resolv.conf(5)).
const PATIENCE: Patience =
    Patience { quiet: Duration::from_secs(1), limit: Duration::from_secs(30) };
/// Between two looks at the stop signal.
const POLL: Duration = Duration::from_millis(50);

/// The addresses of `name`. `say` gets what is waited for if it takes long.
/// Errors: those of the resolver; no answer in time; `stop` was raised.
pub(super) fn find_host(
    name: &str,
    stop: &StopSignal,
    say: &mut dyn FnMut(&str),
) -> io::Result<Vec<IpAddr>> {
    if let Ok(address) = name.parse() {
        return Ok(vec![address]);
    }
    let host = name.to_owned();
    let ask = move || (host.as_str(), 0).to_socket_addrs().map(|found| found.collect());
    let found = await_answer(ask, PATIENCE, stop, &mut |limit| {
        say(&format!("waits for the address of {name}, {} s at most", limit.as_secs()));
    })?;
    Ok(found.iter().map(SocketAddr::ip).collect())
}

fn await_answer(
    ask: impl FnOnce() -> io::Result<Vec<SocketAddr>> + Send + 'static,
    patience: Patience,
    stop: &StopSignal,
    say: &mut dyn FnMut(Duration),
) -> io::Result<Vec<SocketAddr>> {
    let (send, answer) = channel();
    let name = "host name".to_owned();
    std::thread::Builder::new().name(name).spawn(move || {
        // Nobody may wait any more.
        let _ = send.send(ask());
    })?;
    let (begin, mut said) = (Instant::now(), false);
    loop {
        match answer.recv_timeout(POLL.min(patience.limit)) {
            Ok(found) => return found,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(io::Error::other("the resolver gave no answer"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if stop.is_raised() {
            let text = "stopped while its address was looked up";
            return Err(io::Error::new(io::ErrorKind::Interrupted, text));
        }
        let waited = begin.elapsed();
        if waited >= patience.limit {
            let text = format!("the resolver gave no answer within {} s", patience.limit.as_secs());
            return Err(io::Error::new(io::ErrorKind::TimedOut, text));
        }
        if waited >= patience.quiet && !std::mem::replace(&mut said, true) {
            say(patience.limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    /// Asks a resolver that answers when the test ends.
    fn ask_dead_resolver(
        patience: Patience,
        stop: &StopSignal,
        say: &mut dyn FnMut(Duration),
    ) -> io::Error {
        let (end, ended) = channel::<()>();
        let ask = move || {
            let _ = ended.recv();
            Ok(Vec::new())
        };
        let error = await_answer(ask, patience, stop, say).unwrap_err();
        drop(end);
        error
    }

    #[test]
    fn a_resolver_without_an_answer_is_not_waited_for() {
        let patience = Patience { quiet: Duration::ZERO, limit: Duration::from_millis(120) };
        let mut said = 0;
        let error = ask_dead_resolver(patience, &StopSignal::default(), &mut |_| said += 1);
        assert_eq!((error.kind(), said), (io::ErrorKind::TimedOut, 1), "{error}");
    }

    #[test]
    fn the_stop_signal_ends_the_wait() {
        let stop = StopSignal::default();
        let patience = Patience { quiet: Duration::ZERO, limit: HOUR };
        let mut say = |limit| {
            assert_eq!(limit, HOUR);
            stop.raise();
        };
        let error = ask_dead_resolver(patience, &stop, &mut say);
        assert_eq!(error.kind(), io::ErrorKind::Interrupted, "{error}");
    }

    #[test]
    fn answers_are_taken_and_addresses_need_no_resolver() {
        let stop = StopSignal::default();
        let patience = Patience { quiet: HOUR, limit: HOUR };
        let mut silent = |_: Duration| panic!("an answer needs no words");
        let local: SocketAddr = ([127, 0, 0, 1], 0).into();
        let found = await_answer(move || Ok(vec![local]), patience, &stop, &mut silent);
        assert_eq!(found.unwrap(), [local]);
        let refused = || Err(io::Error::other("no such host"));
        let error = await_answer(refused, patience, &stop, &mut silent).unwrap_err();
        assert_eq!(error.to_string(), "no such host");
        for address in ["127.0.0.1", "::1"] {
            let found = find_host(address, &stop, &mut |_| panic!("{address} was looked up"));
            assert_eq!(found.unwrap(), [address.parse::<IpAddr>().unwrap()]);
        }
    }
}
