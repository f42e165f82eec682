//! Everything that can fail here, with what to do about it.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why a source could not be used at all; what fails for a single line or file is counted instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CollectError {
    /// The path given could not be opened or looked into.
    #[error("cannot open capture {path}: {source}")]
    Open {
        /// What was to be opened.
        path: PathBuf,
        /// Why it could not.
        source: io::Error,
    },
    /// A folder or an archive without any of the files of a capture.
    #[error("no capture in {path}: it holds none of audit.log, watch.jsonl and otlp.jsonl (plain or .zst)")]
    NoCapture {
        /// What was looked into.
        path: PathBuf,
    },
    /// An archive that holds the same file in two folders.
    #[error("{path} holds several captures ({first} and {second}): unpack it and name one of its folders")]
    SeveralCaptures {
        /// The archive.
        path: PathBuf,
        /// One member.
        first: String,
        /// Another member of the same source.
        second: String,
    },
    /// A single file that is neither an audit log, nor a watch, nor OTLP.
    #[error("{path} is no part of a capture: its first line is no audit event, no watch line and no OTLP request")]
    UnknownFile {
        /// The file.
        path: PathBuf,
    },
    /// A name that is no source, in `--sources`.
    #[error("unknown source {name:?}: use audit, watch or otlp")]
    UnknownSource {
        /// What was given.
        name: String,
    },
    /// A line that is no JSON object, or repeats a name: it is not kept, since its secrets cannot be found.
    #[error("cannot redact a line that is no clear JSON object (column {column}): it is not kept")]
    NotRedactable {
        /// Where it stops being one; the text itself is not told, since it may be secret.
        column: usize,
    },
    /// The folder to record into holds a capture already.
    #[error("{path} is there already: record into another folder, or remove it")]
    Exists {
        /// The file that is there.
        path: PathBuf,
    },
    /// A cluster did not say who somebody is, or what they may read.
    #[error("the cluster does not answer {what}: {reason}")]
    Review {
        /// The review that was asked for.
        what: &'static str,
        /// Why there is no answer.
        reason: String,
    },
    /// The disk failed while a capture was written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A writer ended without saying why.
    #[error("a writer of the capture ended unexpectedly")]
    WriterEnded,
    /// None of the sources that were asked for could be had.
    #[error("nothing to record into {out}: none of the sources could be had")]
    NothingToRecord {
        /// The folder that was to become the capture.
        out: PathBuf,
    },
    /// An address that cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// An address that other machines reach, without TLS.
    #[error(
        "{address} can be reached by other machines, and spans would come in clear text: give a certificate and its key, or allow it with --insecure"
    )]
    ClearText {
        /// The address.
        address: SocketAddr,
    },
    /// A certificate or key that cannot be used.
    #[error("cannot use {path} for TLS: {reason}")]
    Tls {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// What clew makes for itself could not be kept.
    #[error("cannot keep what clew makes for itself in {place}: {reason}")]
    Keep {
        /// The folder or the Secret.
        place: String,
        /// Why not.
        reason: String,
    },
    /// An endpoint that journeys cannot be forwarded to.
    #[error("cannot forward to {url}: {reason}")]
    Endpoint {
        /// What was given.
        url: String,
        /// Why.
        reason: String,
    },
    /// Another replica that cannot be followed.
    #[error("cannot follow the replica {url}: {reason}")]
    Peer {
        /// What was given.
        url: String,
        /// Why.
        reason: String,
    },
    /// The cluster's configuration cannot be read.
    #[error("cannot find the cluster: {0}; name its kubeconfig with --kubeconfig")]
    Kubeconfig(String),
    /// The API server refused, or could not be reached.
    #[error("{what} failed: {source}")]
    Api {
        /// What was asked for.
        what: String,
        /// Why not.
        source: Box<kube::Error>,
    },
    /// The webhook's configuration could not be applied.
    #[error("cannot apply MutatingWebhookConfiguration {name}: {reason}; grant patch on it, or apply it by hand")]
    Webhook {
        /// Which.
        name: String,
        /// Why not.
        reason: String,
    },
    /// An answer of the API server that could not be read.
    #[error("{what} gave an answer that cannot be read")]
    Answer {
        /// What was asked for.
        what: String,
    },
}

impl CollectError {
    /// Leaves out the message, which may quote the line.
    pub(crate) fn not_redactable(error: &serde_json::Error) -> Self {
        Self::NotRedactable { column: error.column() }
    }
}
