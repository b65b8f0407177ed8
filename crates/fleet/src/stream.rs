//! The JetStream stream of finished records, for a run whose agents and coordinator are gone.
//!
//! Agents publish; a server without the stream answers at once. Coordinators create the stream,
//! read it and purge it. It is bounded in bytes and time, and drops nothing when full.

use std::error::Error as _;
use std::time::{Duration, Instant};

use async_nats::Client;
use async_nats::jetstream::context::{
    CreateStreamErrorKind, PublishError, PublishErrorKind, RequestError, RequestErrorKind,
};
use async_nats::jetstream::stream::{Config, DiscardPolicy, LastRawMessageErrorKind, Stream};
use async_nats::jetstream::{self, Context, ContextBuilder, ErrorCode};
use futures_util::TryStreamExt as _;

use crate::message::{self, Artifact, KEPT_SUBJECTS, MESSAGE_MAX, Reply, Version};
use crate::name::{AgentName, RunName};
use crate::payload::{self, PieceCollector};
use crate::spool::{Manifest, Spool};

pub(crate) const STREAM_NAME: &str = "truedisk-v1-kept";
/// Compressed records of some ten thousand hosts.
const BYTES_MAX: i64 = 512 << 20;
const AGE_MAX: Duration = Duration::from_secs(7 * 24 * 3600);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);
/// A server that restarts is back by then.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(60);
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

fn jetstream_context(client: &Client) -> Context {
    ContextBuilder::new().timeout(ANSWER_TIMEOUT).build(client.clone())
}

fn stream_config() -> Config {
    Config {
        name: STREAM_NAME.to_owned(),
        description: Some("finished records of truedisk, until a coordinator has them".to_owned()),
        subjects: vec![KEPT_SUBJECTS.to_owned()],
        max_bytes: BYTES_MAX,
        max_age: AGE_MAX,
        max_messages_per_subject: 1,
        max_message_size: MESSAGE_MAX as i32,
        discard: DiscardPolicy::New,
        num_replicas: 1,
        ..Config::default()
    }
}

/// Creates the stream; `false` on a server without streams.
pub(crate) async fn ensure_stream(client: &Client) -> Result<bool, String> {
    let Err(error) = jetstream_context(client).get_or_create_stream(stream_config()).await else {
        return Ok(true);
    };
    match error.kind() {
        CreateStreamErrorKind::JetStreamUnavailable => Ok(false),
        CreateStreamErrorKind::JetStream(error) if is_absent(&error) => Ok(false),
        _ => Err(error.to_string()),
    }
}

fn is_absent(error: &jetstream::Error) -> bool {
    [
        ErrorCode::STREAM_NOT_FOUND,
        ErrorCode::JETSTREAM_NOT_ENABLED,
        ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT,
    ]
    .contains(&error.error_code())
}

/// Uploads the record of a run; `false` if there is no stream, or a coordinator has the record.
/// The manifest comes last: it makes the upload complete.
pub(crate) async fn upload(
    client: &Client,
    version: &Version,
    host: &AgentName,
    run: &RunName,
    spool: &Spool,
) -> Result<bool, String> {
    let context = jetstream_context(client);
    for what in [Artifact::Record, Artifact::Manifest] {
        let payload = match what {
            Artifact::Record => spool.record_payload(run),
            Artifact::Manifest => spool.manifest_payload(run),
        };
        let Some(payload) = payload else { return Ok(false) };
        let payload = payload?;
        let pieces = (0..).map_while(|number| Some((number, payload.piece(number)?)));
        for (number, (reply, piece)) in pieces {
            let bytes =
                message::encode_with_piece(version, &reply, piece).map_err(|e| e.to_string())?;
            // The coordinator that acknowledged it purges the stream.
            if !spool.has_record(run) {
                return Ok(false);
            }
            if !upload_piece(&context, message::artifact_subject(run, host, what, number), bytes)
                .await?
            {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

async fn upload_piece(context: &Context, subject: String, bytes: Vec<u8>) -> Result<bool, String> {
    let until = Instant::now() + UPLOAD_TIMEOUT;
    loop {
        match publish_acknowledged(context, subject.clone(), bytes.clone()).await {
            Ok(()) => return Ok(true),
            Err(error) => match error.kind() {
                PublishErrorKind::StreamNotFound => return Ok(false),
                PublishErrorKind::TimedOut | PublishErrorKind::BrokenPipe
                    if Instant::now() < until =>
                {
                    tokio::time::sleep(RETRY_INTERVAL).await;
                }
                _ => return Err(error_text(&error)),
            },
        }
    }
}

async fn publish_acknowledged(
    context: &Context,
    subject: String,
    bytes: Vec<u8>,
) -> Result<(), PublishError> {
    context.publish(subject, bytes.into()).await?.await.map(|_| ())
}

fn error_text(error: &PublishError) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

async fn open_stream(client: &Client) -> Result<Stream<()>, String> {
    jetstream_context(client)
        .get_stream_no_info(STREAM_NAME)
        .await
        .map_err(|error| error.to_string())
}

/// Runs and hosts with complete records: of one run, or of all.
pub(crate) async fn list_owners(
    client: &Client,
    run: Option<&RunName>,
) -> Result<Vec<(RunName, AgentName)>, String> {
    let stream = open_stream(client).await?;
    let mut subjects = match stream.info_with_subjects(message::manifests_subject(run)).await {
        Ok(subjects) => subjects,
        Err(error) if is_absence(&error) => return Ok(Vec::new()),
        Err(error) => return Err(error.to_string()),
    };
    let mut keepers = Vec::new();
    while let Some((subject, _)) = subjects.try_next().await.map_err(|error| error.to_string())? {
        keepers.extend(message::parse_owner(&subject));
    }
    keepers.sort();
    Ok(keepers)
}

fn is_absence(error: &RequestError) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<jetstream::Error>());
    error.kind() == RequestErrorKind::NoResponders || cause.is_some_and(is_absent)
}

/// The manifest and the record that a host uploaded.
pub(crate) async fn download(
    client: &Client,
    version: &Version,
    run: &RunName,
    host: &AgentName,
) -> Result<(Manifest, record::Record), String> {
    let stream = open_stream(client).await?;
    let bytes = |what| download_artifact(&stream, version, run, host, what);
    let manifest: Manifest = payload::unpack_json(&bytes(Artifact::Manifest).await?)?;
    if manifest.run != *run {
        return Err(format!("it is of run {}", manifest.run));
    }
    Ok((manifest, payload::unpack_record(bytes(Artifact::Record).await?)?))
}

async fn download_artifact(
    stream: &Stream<()>,
    version: &Version,
    run: &RunName,
    host: &AgentName,
    what: Artifact,
) -> Result<Vec<u8>, String> {
    let mut pieces = PieceCollector::default();
    loop {
        let subject = message::artifact_subject(run, host, what, pieces.next_number());
        let message = stream.get_last_raw_message_by_subject(&subject).await;
        let message = message.map_err(|error| match error.kind() {
            LastRawMessageErrorKind::NoMessageFound => "a piece of it is not there".to_owned(),
            _ => error.to_string(),
        })?;
        let (reply, piece) = message::decode_with_piece::<Reply>(version, &message.payload)
            .map_err(|error| error.to_string())?;
        if let Some(bytes) = pieces.add(reply, piece)? {
            return Ok(bytes);
        }
    }
}

/// Removes the records of a run, of one host or of all.
pub(crate) async fn purge(
    client: &Client,
    run: &RunName,
    host: Option<&AgentName>,
) -> Result<(), String> {
    let purged =
        open_stream(client).await?.purge().filter(message::artifacts_subject(run, host)).await;
    purged.map(|_| ()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_holds_a_limited_amount_and_drops_nothing() {
        let config = stream_config();
        assert!(config.max_bytes > 0 && !config.max_age.is_zero());
        assert_eq!(config.discard, DiscardPolicy::New);
        // A message may have its head beside a piece, and both fit.
        assert!(config.max_message_size as usize > payload::PIECE_BYTES_MAX);
    }
}
