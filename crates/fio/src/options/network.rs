//! Connections in place of files (`ioengine=net`).

use super::spec::*;

/// The other end of a job's connection, and how it is reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NetworkOptions {
    pub hostname: Option<String>,
    /// 0: not given.
    pub port: u16,
    pub protocol: Protocol,
    pub listen: bool,
    pub pingpong: bool,
    pub nodelay: bool,
    /// Bytes of the connection's buffer; 0: the system's choice.
    pub window_size: u64,
}

type O = NetworkOptions;

const NET: &[&str] = &["net", "netsplice"];
const OTHERS: &str = "an agent opens no connections for jobs; run it there with truedisk fio";

pub(super) const TABLE: &[Entry<O>] = &[
    text("hostname", "", "Name of the other host; of a listening job, the own address.")
        .of(&["net", "netsplice", "rdma"])
        .sets(Local(OTHERS), |o: &mut O| &mut o.hostname),
    int("port", "", "Port of the other host; each further instance of the job has the next.")
        .range(1, 65535)
        .of(&["net", "netsplice", "rdma", "libhdfs"])
        .reads(Local(OTHERS), |o: &mut O, reader| {
            o.port = u16::try_from(reader.read_whole(1, 65535)?).unwrap_or(0);
            Ok(())
        }),
    choice("protocol", "tcp", "Protocol of the connection.")
        .alias(&["proto"])
        .of(NET)
        .without(&[("vsock", "sockets of virtual machines are not run; use tcp")])
        .sets(Local(OTHERS), |o: &mut O| &mut o.protocol),
    flag("nodelay", "", "Send small packets at once.")
        .any()
        .of(NET)
        .reads(Local(OTHERS), |o: &mut O, reader| {
            reader.read_flag().map(|value| o.nodelay = value)
        }),
    switch("listen", "", "Wait for the other end to connect; of TCP.")
        .of(NET)
        .sets(Local(OTHERS), |o: &mut O| &mut o.listen),
    switch("pingpong", "", "Answer each block with one of the same size.")
        .of(NET)
        .sets(Local(OTHERS), |o: &mut O| &mut o.pingpong),
    text("interface", "", "Card to send multicasts with.")
        .of(NET)
        .refused("multicasts are not sent; leave it out"),
    int("ttl", "1", "Hops that a multicast may take.")
        .any()
        .of(NET)
        .refused("multicasts are not sent; leave it out"),
    size("window_size", "", "Buffer of the connection.")
        .of(NET)
        .sets(Local(OTHERS), |o: &mut O| &mut o.window_size),
    int("mss", "", "Largest segment of TCP.")
        .any()
        .of(NET)
        .refused("the system chooses the segments; leave it out"),
];

/// `protocol`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Protocol {
    #[default]
    Tcp,
    TcpV6,
    Udp,
    UdpV6,
    Unix,
}

impl Choice for Protocol {
    const CHOICES: &'static [(&'static str, &'static str, Self)] = &[
        ("tcp", "TCP", Self::Tcp),
        ("tcpv6", "TCP over IPv6", Self::TcpV6),
        ("udp", "UDP", Self::Udp),
        ("udpv6", "UDP over IPv6", Self::UdpV6),
        ("unix", "a socket file", Self::Unix),
    ];
}

impl Protocol {
    pub const fn is_tcp(self) -> bool {
        matches!(self, Self::Tcp | Self::TcpV6)
    }

    pub const fn has_datagrams(self) -> bool {
        matches!(self, Self::Udp | Self::UdpV6)
    }

    pub const fn is_v6(self) -> bool {
        matches!(self, Self::TcpV6 | Self::UdpV6)
    }
}
