//! Where journeys go, and how.

use std::path::PathBuf;
use std::time::Duration;

use crate::replica::Leadership;

/// How journeys are forwarded.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Each gets every journey.
    pub endpoints: Vec<Endpoint>,
    /// The folder in which requests wait.
    pub folder: PathBuf,
    /// Bytes that may wait for one endpoint; what comes on top is dropped and counted.
    pub spool_bytes: u64,
    /// Spans of one request.
    pub batch: usize,
    /// How long after its end a journey goes out: its native spans come a little late.
    pub settle: Duration,
    /// How long an endpoint may take to answer.
    pub timeout: Duration,
    /// The pause after the first failure; each further one is twice as long.
    pub first_pause: Duration,
    /// The longest pause.
    pub longest_pause: Duration,
    /// Which of several replicas forwards; none for one that is alone.
    pub leadership: Option<Leadership>,
}

impl Settings {
    /// The usual settings, for these endpoints.
    pub fn new(endpoints: Vec<Endpoint>, folder: PathBuf) -> Self {
        Self {
            endpoints,
            folder,
            spool_bytes: 256 * 1024 * 1024,
            batch: 512,
            settle: Duration::from_secs(15),
            timeout: Duration::from_secs(10),
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(30),
            leadership: None,
        }
    }
}

/// An endpoint of OTLP/gRPC, or of OTLP/HTTP if its address has a path.
#[derive(Debug, Clone, Default)]
pub struct Endpoint {
    /// `http://HOST:PORT` for gRPC, `http://HOST:PORT/v1/traces` for HTTP; or `https://…`.
    pub url: String,
    /// Headers of each request, such as `authorization`.
    pub headers: Vec<(String, String)>,
    /// Whether requests are packed with gzip.
    pub gzip: bool,
    /// The authorities that sign the endpoint's certificate, in PEM; none for those of the system.
    pub authorities: Option<PathBuf>,
}
