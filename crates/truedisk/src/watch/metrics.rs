//! A watch as metrics: served to Prometheus, and kept in a file for node_exporter's textfile
//! collector.
//!
//! The measuring loop publishes all samples once per interval; threads of their own encode, send
//! and write them.

mod catalogue;
mod samples;
mod server;
#[cfg(test)]
mod tests;
mod textfile;

use std::net::TcpListener;

use ::output::Destinations;
use message::messages;
use watch::{DiskFacts, DiskJudgement, SourceKind, WatchSummary};

use crate::args::WatchArgs;
use crate::exit::Failure;
use crate::terminal;
use samples::{LatestSamples, Sums, list_samples};
use textfile::{Writer, WriterThread};

messages! {
    MetricsAt = "watch-metrics-at" { address: String };
}

/// Where the metrics of a watch go: an address that is bound, a folder that is locked.
pub(super) struct BoundExport {
    listener: Option<TcpListener>,
    writer: Option<Writer>,
}

impl BoundExport {
    /// `None` where no metrics are wanted.
    pub(super) fn bind(
        args: &WatchArgs,
        destinations: &mut Destinations,
    ) -> Result<Option<Self>, Failure> {
        if args.prometheus.is_none() && args.textfile.is_none() {
            return Ok(None);
        }
        let listener = args.prometheus.map(|address| server::bind(address.0)).transpose()?;
        let open = |folder| Writer::open(folder, destinations);
        let writer = args.textfile.as_deref().map(open).transpose()?;
        Ok(Some(Self { listener, writer }))
    }

    /// Begins to answer and to write, with the limits that are known before the first interval.
    pub(super) fn start(
        self,
        source: SourceKind,
        facts: &[DiskFacts],
    ) -> Result<MetricsExport, Failure> {
        let (sums, latest) = (Sums::default(), LatestSamples::default());
        let mut export = MetricsExport { source: source.name(), sums, latest, thread: None };
        export.publish(&WatchSummary::default(), &[], facts);
        if let Some(listener) = self.listener {
            let address = server::start(listener, export.latest.clone())?;
            let address = format!("http://{address}/metrics");
            terminal::eprint_line(terminal::tell(MetricsAt { address }))?;
        }
        let start = |writer: Writer| writer.start(export.latest.clone());
        export.thread = self.writer.map(start).transpose()?;
        Ok(export)
    }
}

/// The metrics of a watch that goes on.
pub(super) struct MetricsExport {
    source: &'static str,
    sums: Sums,
    latest: LatestSamples,
    thread: Option<WriterThread>,
}

impl MetricsExport {
    pub(super) fn add(
        &mut self,
        interval: &WatchSummary,
        whole: &WatchSummary,
        judgements: &[DiskJudgement],
        facts: &[DiskFacts],
    ) -> Result<(), Failure> {
        self.sums.add(interval);
        self.publish(whole, judgements, facts);
        self.thread.as_mut().map_or(Ok(()), WriterThread::check)
    }

    /// Publishes the verdicts of the whole watch, and writes the file for the last time.
    pub(super) fn finish(
        mut self,
        whole: &WatchSummary,
        judgements: &[DiskJudgement],
        facts: &[DiskFacts],
    ) -> Result<(), Failure> {
        self.publish(whole, judgements, facts);
        self.thread.as_mut().map_or(Ok(()), WriterThread::join)
    }

    fn publish(&self, whole: &WatchSummary, judgements: &[DiskJudgement], facts: &[DiskFacts]) {
        self.latest.replace(list_samples(self.source, &self.sums, whole, judgements, facts));
    }
}
