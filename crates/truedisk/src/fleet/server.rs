//! The NATS server that the arguments name.

use std::path::Path;

use fleet::{Coordinator, HostSelection, NatsServer};

use crate::args::{FleetArgs, ServerArgs};
use crate::exit::Failure;

pub(super) fn server_from_args(args: &ServerArgs) -> Result<NatsServer, Failure> {
    let Some(url) = server_url(args)? else {
        return Err(Failure::wrong("no NATS server was named")
            .hint("give one like --nats nats://host:4222"));
    };
    if args.tls_cert.is_some() != args.tls_key.is_some() {
        return Err(Failure::wrong("--tls-cert and --tls-key belong together").hint("give both"));
    }
    let tls_client = args.tls_cert.clone().zip(args.tls_key.clone());
    let (credentials, tls_ca) = (args.creds.clone(), args.tls_ca.clone());
    Ok(NatsServer { url, credentials, tls_ca, tls_client, insecure: args.insecure })
}

pub(super) fn server_url(args: &ServerArgs) -> Result<Option<String>, Failure> {
    let file = read_option_file("--nats-file", args.nats_file.as_deref())?;
    Ok(args.nats.clone().or_else(|| file.map(|text| text.trim().to_owned())))
}

pub(super) fn read_option_file(flag: &str, file: Option<&Path>) -> Result<Option<String>, Failure> {
    let read = |file: &Path| {
        input::read_text(file, input::TEXT_MAX).map_err(|error| {
            Failure::wrong(format_args!("cannot read {} of {flag}: {error}", file.display()))
                .hint("name a file that this user may read")
        })
    };
    file.map(read).transpose()
}

/// Marks the files of the connection as read: before any destination is opened.
pub(super) fn mark_files_read(args: &ServerArgs) {
    let files = [&args.nats_file, &args.creds, &args.tls_ca, &args.tls_cert, &args.tls_key];
    let found = files.into_iter().flatten().filter_map(|file| std::fs::metadata(file).ok());
    found.for_each(|file| input::remember_file(&file));
}

pub(super) fn connect(args: &FleetArgs) -> Result<Coordinator, Failure> {
    Ok(Coordinator::connect(&server_from_args(&args.server)?, env!("CARGO_PKG_VERSION"))?)
}

pub(super) fn host_selection(args: &FleetArgs) -> HostSelection {
    HostSelection { names: args.hosts.clone(), labels: args.label.clone() }
}
