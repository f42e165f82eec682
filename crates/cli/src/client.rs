//! Asking a clew that runs.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use bytes::Bytes;
use clew_collect::Dialer;
use tokio::time::timeout;
use url::{Position, Url};

/// Where a clew listens unless told otherwise.
const SERVER: &str = "http://127.0.0.1:2539";
/// How long an answer may take: longer than a server lets any question take.
const WITHIN: Duration = Duration::from_secs(330);
/// The largest answer.
const MOST: usize = 1 << 30;

/// The flags that say which clew is asked.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ServerArgs {
    // Not clap's own `env`: a variable that is always set must not contradict a flag that names a store or a capture.
    #[arg(long, value_name = "URL", help = "The clew to ask [env: CLEW_SERVER] [default: port 2539 of this machine]")]
    server: Option<String>,
    /// A file with the bearer token that it wants.
    #[arg(long, value_name = "FILE", env = "CLEW_TOKEN_FILE", visible_alias = "token-file")]
    server_token_file: Option<PathBuf>,
    /// The authority, in PEM, that signs its certificate [default: the system's].
    #[arg(long, value_name = "FILE", env = "CLEW_SERVER_CA", visible_alias = "ca")]
    server_ca: Option<PathBuf>,
}

/// A clew that runs.
pub(crate) struct Client {
    dialer: Dialer,
    server: String,
    token: Option<String>,
}

impl ServerArgs {
    /// The clew that was named, by a flag or by the environment.
    pub(crate) fn server(&self) -> Option<String> {
        let by_environment = || std::env::var("CLEW_SERVER").ok().filter(|server| !server.is_empty());
        self.server.clone().or_else(by_environment)
    }

    /// The client for it.
    pub(crate) fn client(&self) -> anyhow::Result<Client> {
        let token = match &self.server_token_file {
            Some(path) => {
                let text = std::fs::read_to_string(path);
                Some(text.with_context(|| format!("cannot read the token in {}", path.display()))?.trim().to_owned())
            }
            None => None,
        };
        let server = self.server().unwrap_or_else(|| SERVER.to_owned()).trim_end_matches('/').to_owned();
        let dialer = Dialer::new(&server, self.server_ca.as_deref());
        let dialer = dialer.map_err(|reason| anyhow!("cannot ask the clew at {server}: {reason}"))?;
        Ok(Client { dialer, server, token })
    }
}

impl Client {
    /// Where it is.
    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    /// The answer, read as JSON.
    pub(crate) async fn json<T: serde::de::DeserializeOwned>(
        &self,
        path: &str,
        query: &[(String, String)],
    ) -> anyhow::Result<T> {
        let body = self.bytes(path, query).await?;
        serde_json::from_slice(&body)
            .with_context(|| format!("{} answered in words that clew does not know", self.server))
    }

    /// The body of an answer.
    pub(crate) async fn bytes(&self, path: &str, query: &[(String, String)]) -> anyhow::Result<Bytes> {
        let url = Url::parse_with_params(&format!("{}{path}", self.server), query)
            .with_context(|| format!("{} is no address of a clew", self.server))?;
        let answered = timeout(WITHIN, self.ask(&url)).await;
        let (status, body) = answered
            .unwrap_or_else(|_| Err(anyhow!("{} did not answer within {} s", self.server, WITHIN.as_secs())))?;
        if status.is_success() {
            return Ok(body);
        }
        let told = serde_json::from_slice::<serde_json::Value>(&body).ok();
        match told.as_ref().and_then(|told| told["error"].as_str()) {
            Some(error) => bail!("{error}"),
            None => bail!("{} answered {status}", self.server),
        }
    }

    async fn ask(&self, url: &Url) -> anyhow::Result<(axum::http::StatusCode, Bytes)> {
        let mut connection = self.dialer.connect().await.map_err(|reason| self.away(&reason))?;
        let mut request = Request::get(&url[Position::BeforePath..Position::AfterQuery]);
        request = request.header(header::HOST, self.dialer.authority());
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Body::empty()).context("the token is no text that a header can hold")?;
        let broke_off = || format!("{} broke off", self.server);
        let answer = connection.send_request(request).await.with_context(broke_off)?;
        let (head, body) = answer.into_parts();
        let body = to_bytes(Body::new(body), MOST).await.with_context(broke_off)?;
        Ok((head.status, body))
    }

    fn away(&self, reason: &str) -> anyhow::Error {
        let advice = if reason.contains("certificate") {
            "name the authority that signs its certificate with --server-ca"
        } else {
            "start one with `clew up`, or name it with --server"
        };
        anyhow!("{reason}").context(format!("no clew answers at {}: {advice}", self.server))
    }
}
