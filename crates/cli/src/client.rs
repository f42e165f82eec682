//! Asking a clew that runs.

use std::path::PathBuf;

use anyhow::{Context, bail};
use bytes::Bytes;

/// Where a clew listens unless told otherwise.
const SERVER: &str = "http://127.0.0.1:2539";

/// The flags that say which clew is asked.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ServerArgs {
    /// The clew to ask [default: port 2539 of this machine].
    #[arg(long, value_name = "URL", env = "CLEW_SERVER")]
    pub(crate) server: Option<String>,
    /// A file with the bearer token that it wants.
    #[arg(long, value_name = "FILE", env = "CLEW_TOKEN_FILE")]
    server_token_file: Option<PathBuf>,
}

/// A clew that runs.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    server: String,
    token: Option<String>,
}

impl ServerArgs {
    /// The client for it.
    pub(crate) fn client(&self) -> anyhow::Result<Client> {
        let token = match &self.server_token_file {
            Some(path) => {
                let text = std::fs::read_to_string(path);
                Some(text.with_context(|| format!("cannot read the token in {}", path.display()))?.trim().to_owned())
            }
            None => None,
        };
        let server = self.server.as_deref().unwrap_or(SERVER).trim_end_matches('/').to_owned();
        let http = reqwest::Client::builder().no_proxy().build().context("cannot make an HTTP client")?;
        Ok(Client { http, server, token })
    }
}

impl Client {
    /// Where it is.
    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    /// The body of an answer.
    pub(crate) async fn bytes(&self, path: &str, query: &[(String, String)]) -> anyhow::Result<Bytes> {
        self.get(path, query).await?.bytes().await.with_context(|| format!("{} broke off", self.server))
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

    /// The answer, to be read as it comes.
    pub(crate) async fn get(&self, path: &str, query: &[(String, String)]) -> anyhow::Result<reqwest::Response> {
        let url = url::Url::parse_with_params(&format!("{}{path}", self.server), query)
            .with_context(|| format!("{} is no address of a clew", self.server))?;
        let mut request = self.http.get(url);
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let answer = request.send().await;
        let answer = answer.with_context(|| {
            format!("no clew answers at {}: start one with `clew up`, or name it with --server", self.server)
        })?;
        if answer.status().is_success() {
            return Ok(answer);
        }
        let (status, body) = (answer.status(), answer.bytes().await.unwrap_or_default());
        let told = serde_json::from_slice::<serde_json::Value>(&body).ok();
        match told.as_ref().and_then(|told| told["error"].as_str()) {
            Some(error) => bail!("{error}"),
            None => bail!("{} answered {status}", self.server),
        }
    }
}
