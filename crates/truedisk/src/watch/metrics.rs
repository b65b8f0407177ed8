//! A watch as metrics: served to Prometheus, and kept in a file for node_exporter's textfile
//! collector.
//!
//! The measuring loop replaces the published figures as a whole once per interval; threads of
//! their own encode, send and write them.

mod catalogue;
mod figures;
mod server;
#[cfg(test)]
mod tests;
mod textfile;

use std::sync::{Arc, Mutex, PoisonError};

use ::output::Destinations;
use message::messages;
use watch::{DiskFacts, DiskJudgement, SourceKind, WatchSummary};

use crate::args::{ListenAddress, WatchArgs};
use crate::exit::Failure;
use crate::terminal;
use figures::Figures;
use server::Server;
use textfile::Textfile;

messages! {
    pub(crate) static MESSAGES;
    MetricsAt = "watch-metrics-at" { address: String };
}

/// The figures of the last interval, for those who read them at another time.
#[derive(Debug, Clone, Default)]
struct Published(Arc<Mutex<Arc<Figures>>>);

impl Published {
    fn replace(&self, figures: Figures) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(figures);
    }

    fn newest(&self) -> Arc<Figures> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Where the metrics of a watch go.
pub(super) struct MetricsExport {
    figures: Figures,
    published: Published,
    server: Option<Server>,
    textfile: Option<Textfile>,
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
        let published = Published::default();
        let bind = |address: ListenAddress| Server::bind(address.0, published.clone());
        let server = args.prometheus.map(bind).transpose()?;
        let open = |folder| Textfile::open(folder, destinations, published.clone());
        let textfile = args.textfile.as_deref().map(open).transpose()?;
        Ok(Some(Self { figures: Figures::default(), published, server, textfile }))
    }

    /// Begins to answer and to write, with the limits that are known before the first interval.
    pub(super) fn start(&mut self, source: SourceKind, facts: &[DiskFacts]) -> Result<(), Failure> {
        self.figures.source = source.name();
        self.figures.set_known_limits(facts);
        self.published.replace(self.figures.clone());
        if let Some(server) = &mut self.server {
            server.start()?;
            let address = format!("http://{}/metrics", server.address());
            terminal::eprint_line(terminal::tell(MetricsAt { address }))?;
        }
        self.textfile.as_mut().map_or(Ok(()), Textfile::start)
    }

    /// Adds an interval, and publishes the sums with those who waited longest in the whole watch.
    pub(super) fn add(
        &mut self,
        interval: &WatchSummary,
        whole: &WatchSummary,
        judged: &[DiskJudgement],
        facts: &[DiskFacts],
    ) -> Result<(), Failure> {
        self.figures.add(interval);
        self.figures.set_waiters(whole);
        self.figures.set_judgements(judged);
        self.figures.set_known_limits(facts);
        self.published.replace(self.figures.clone());
        self.textfile.as_mut().map_or(Ok(()), Textfile::check)
    }

    /// Publishes the verdicts of the whole watch, and writes the file for the last time.
    pub(super) fn finish(mut self, judged: &[DiskJudgement]) -> Result<(), Failure> {
        self.figures.set_judgements(judged);
        self.published.replace(self.figures);
        self.textfile.map_or(Ok(()), Textfile::finish)
    }
}
