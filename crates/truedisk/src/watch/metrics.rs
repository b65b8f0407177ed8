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
use samples::{Published, Sums, list_samples};
use textfile::{Writer, WriterThread};

messages! {
    pub(crate) static MESSAGES;
    MetricsAt = "watch-metrics-at" { address: String };
}

/// Where the metrics of a watch go.
#[derive(Default)]
pub(super) struct MetricsExport {
    source: &'static str,
    sums: Sums,
    published: Published,
    listener: Option<TcpListener>,
    writer: Option<Writer>,
    thread: Option<WriterThread>,
}

impl MetricsExport {
    /// Binds the address and opens the file; `None` where no metrics are wanted.
    pub(super) fn open(
        args: &WatchArgs,
        destinations: &mut Destinations,
    ) -> Result<Option<Self>, Failure> {
        if args.prometheus.is_none() && args.textfile.is_none() {
            return Ok(None);
        }
        let listener = args.prometheus.map(|address| server::bind(address.0)).transpose()?;
        let open = |folder| Writer::open(folder, destinations);
        let writer = args.textfile.as_deref().map(open).transpose()?;
        Ok(Some(Self { listener, writer, ..Self::default() }))
    }

    /// Begins to answer and to write, with the limits that are known before the first interval.
    pub(super) fn start(&mut self, source: SourceKind, facts: &[DiskFacts]) -> Result<(), Failure> {
        self.source = source.name();
        self.publish(&WatchSummary::default(), &[], facts);
        if let Some(listener) = self.listener.take() {
            let address = server::start(listener, self.published.clone())?;
            let address = format!("http://{address}/metrics");
            terminal::eprint_line(terminal::tell(MetricsAt { address }))?;
        }
        let start = |writer: Writer| writer.start(self.published.clone());
        self.thread = self.writer.take().map(start).transpose()?;
        Ok(())
    }

    pub(super) fn add(
        &mut self,
        interval: &WatchSummary,
        whole: &WatchSummary,
        judged: &[DiskJudgement],
        facts: &[DiskFacts],
    ) -> Result<(), Failure> {
        self.sums.add(interval);
        self.publish(whole, judged, facts);
        self.thread.as_mut().map_or(Ok(()), WriterThread::check)
    }

    /// Publishes the verdicts of the whole watch, and writes the file for the last time.
    pub(super) fn finish(
        mut self,
        whole: &WatchSummary,
        judged: &[DiskJudgement],
        facts: &[DiskFacts],
    ) -> Result<(), Failure> {
        self.publish(whole, judged, facts);
        self.thread.as_mut().map_or(Ok(()), WriterThread::join)
    }

    fn publish(&self, whole: &WatchSummary, judged: &[DiskJudgement], facts: &[DiskFacts]) {
        self.published.replace(list_samples(self.source, &self.sums, whole, judged, facts));
    }
}
