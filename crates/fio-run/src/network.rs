//! The connections of `ioengine=net`.
//!
//! A job that listens does so before any job starts, and starts when the other end is there. The
//! others connect when they start. What begins and ends a connection is fio's.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use engine::{LINK_CLOSE, StopSignal, Target};
use fio::options::engine::Engine;
use fio::options::network::{NetworkOptions, Protocol};
use fio::plan::{Instance, Section};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, Shutdown, SocketAddrAny, SocketAddrUnix, SocketFlags,
    SocketType, accept_with, bind, connect, listen, recv, recvfrom, send, shutdown, socket_with,
    sockopt,
};
use units::Bytes;

use super::error::JobsError;
use super::host_name::find_host;
use super::request::JobsObserver;

const IN_USE: &str =
    "it is in use: remove a socket file that is left, or give another port or hostname";
/// What fio sends first where a connection is no stream.
const LINK_OPEN: [u8; 8] = *b"link\0\0\0\x98";
/// As in fio.
const CONNECTIONS_WAITING: i32 = 10;
/// What a job that received all its bytes takes of what comes after them.
const REST_MAX: usize = 64 << 10;

/// One end of a connection.
#[derive(Debug)]
pub(super) struct Link {
    socket: OwnedFd,
    /// Absent of an end that listens.
    peer: Option<SocketAddrAny>,
    options: NetworkOptions,
    sends: bool,
    pub(super) is_open: bool,
    /// When the job was first ready to start.
    pub(super) wanted_ns: Option<u64>,
    /// The socket file that the run made, its device and inode.
    made: Option<(PathBuf, (u64, u64))>,
}

impl Link {
    /// Listens, or finds the other end's address, which `stop` ends.
    pub(super) fn prepare(
        section: &Section,
        instance: &Instance,
        stop: &StopSignal,
        observer: &mut dyn JobsObserver,
    ) -> Result<Option<Self>, JobsError> {
        if section.options.engine.engine != Engine::Net {
            return Ok(None);
        }
        let options = &section.options.engine.network;
        let sends = section.options.pattern.rw.operation.writes();
        let listens = if options.protocol.is_tcp() { options.listen } else { !sends };
        let name = options.hostname.as_ref().or(section.options.target.filenames.first());
        let port = u32::from(options.port) + instance.clone;
        let mut find = |name: &str| {
            find_host(name, stop, &mut |text| {
                observer.on_note(&format!("job '{}': {text}", section.name));
            })
        };
        let link = find_address(options, name, port, listens, &mut find)
            .and_then(|address| Self::new(options.clone(), sends, listens, address));
        link.map(Some).map_err(|error| {
            let name = name.map_or("this host", String::as_str);
            let what = match options.protocol {
                Protocol::Unix => format!("ioengine=net: {name}: {error}"),
                _ => format!("ioengine=net: port {port} of {name}: {error}"),
            };
            let hint = match Errno::from_io_error(&error) {
                Some(Errno::ADDRINUSE) => IN_USE,
                _ if stop.is_raised() => "start again",
                _ => "give another hostname or port",
            };
            JobsError::file(&section.name, what, hint)
        })
    }

    fn new(
        options: NetworkOptions,
        sends: bool,
        listens: bool,
        address: SocketAddrAny,
    ) -> io::Result<Self> {
        let family = match options.protocol {
            Protocol::Unix => AddressFamily::UNIX,
            protocol if protocol.is_v6() => AddressFamily::INET6,
            _ => AddressFamily::INET,
        };
        let kind = match options.protocol.has_datagrams() {
            true => SocketType::DGRAM,
            false => SocketType::STREAM,
        };
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket = socket_with(family, kind, flags, None)?;
        let window = options.window_size as usize;
        if window > 0 && (listens || options.pingpong) {
            sockopt::set_socket_recv_buffer_size(&socket, window)?;
        }
        if window > 0 && (!listens || options.pingpong) {
            sockopt::set_socket_send_buffer_size(&socket, window)?;
        }
        let mut link = Self {
            socket,
            peer: Some(address),
            options,
            sends,
            is_open: false,
            wanted_ns: None,
            made: None,
        };
        if listens {
            link.listen()?;
        }
        Ok(link)
    }

    fn listen(&mut self) -> io::Result<()> {
        let Some(address) = self.peer.take() else { return Ok(()) };
        sockopt::set_socket_reuseaddr(&self.socket, self.options.protocol.is_tcp())?;
        bind(&self.socket, &address)?;
        if self.options.protocol == Protocol::Unix {
            let unix = SocketAddrUnix::try_from(address)?;
            let path = PathBuf::from(OsStr::from_bytes(unix.path_bytes().unwrap_or_default()));
            self.made = file_id(&path).map(|id| (path, id));
        }
        if !self.options.protocol.has_datagrams() {
            listen(&self.socket, CONNECTIONS_WAITING)?;
        }
        Ok(())
    }

    /// Connects, or looks whether the other end has; whether there is a connection now.
    pub(super) fn open(&mut self) -> io::Result<bool> {
        let datagrams = self.options.protocol.has_datagrams();
        let opened = match &self.peer {
            Some(peer) => connect(&self.socket, peer).map_err(io::Error::from),
            None if datagrams => self.receive_open(),
            None => self.accept(),
        };
        match opened.as_ref().map_err(Errno::from_io_error) {
            Err(Some(Errno::INPROGRESS | Errno::ALREADY | Errno::AGAIN)) => return Ok(false),
            _ => opened?,
        }
        if datagrams && self.peer.is_some() {
            send(&self.socket, &LINK_OPEN, SendFlags::NOSIGNAL)?;
        }
        if self.options.protocol.is_tcp() && self.options.nodelay {
            sockopt::set_tcp_nodelay(&self.socket, true)?;
        }
        self.is_open = true;
        Ok(true)
    }

    fn accept(&mut self) -> io::Result<()> {
        self.socket = accept_with(&self.socket, SocketFlags::CLOEXEC)?;
        Ok(())
    }

    fn receive_open(&self) -> io::Result<()> {
        let mut message = [0; 64];
        let (_, length, from) = recvfrom(&self.socket, &mut message[..], RecvFlags::empty())?;
        let Some(from) = from.filter(|_| message[..length.min(64)] == LINK_OPEN) else {
            return Err(io::Error::other("what came opens no connection of fio's"));
        };
        Ok(connect(&self.socket, &from)?)
    }

    pub(super) fn target(&self, size: Bytes) -> io::Result<Target> {
        let datagrams = self.options.protocol.has_datagrams();
        Target::from_socket(self.socket.try_clone()?, datagrams, size)
    }

    /// Tells the other end that this one is done. It may be gone.
    pub(super) fn close(&mut self) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        if self.sends {
            let _ = send(&self.socket, &LINK_CLOSE, SendFlags::NOSIGNAL);
            let _ = shutdown(&self.socket, Shutdown::Write);
            return;
        }
        // Closed with bytes unread, a connection fails at the other end.
        let _ = shutdown(&self.socket, Shutdown::Write);
        let (mut rest, mut taken) = ([0; 4096], 0);
        while taken < REST_MAX
            && let Ok((_, came @ 1..)) = recv(&self.socket, &mut rest[..], RecvFlags::empty())
        {
            taken += came;
        }
        let _ = shutdown(&self.socket, Shutdown::Both);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if let Some((path, id)) = &self.made
            && file_id(path).as_ref() == Some(id)
        {
            // It may be gone.
            let _ = fs::remove_file(path);
        }
    }
}

fn file_id(path: &Path) -> Option<(u64, u64)> {
    fs::symlink_metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

/// An end that listens and names no address does so for this host alone.
fn find_address(
    options: &NetworkOptions,
    name: Option<&String>,
    port: u32,
    listens: bool,
    find: &mut dyn FnMut(&str) -> io::Result<Vec<IpAddr>>,
) -> io::Result<SocketAddrAny> {
    let invalid = |text: &str| io::Error::new(io::ErrorKind::InvalidInput, text.to_owned());
    let protocol = options.protocol;
    if protocol == Protocol::Unix {
        let path = name.ok_or_else(|| invalid("no path is given"))?;
        return Ok(SocketAddrUnix::new(path.as_str())?.into());
    }
    let port = u16::try_from(port).map_err(|_| invalid("there is no such port"))?;
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        let own: SocketAddr = match protocol.is_v6() {
            _ if !listens => return Err(invalid("no host is given")),
            true => (Ipv6Addr::LOCALHOST, port).into(),
            false => (Ipv4Addr::LOCALHOST, port).into(),
        };
        return Ok(own.into());
    };
    let found = find(name)?.into_iter().find(|address| address.is_ipv6() == protocol.is_v6());
    let address = found.ok_or_else(|| invalid("the host has no address of this protocol"))?;
    Ok(SocketAddr::from((address, port)).into())
}
