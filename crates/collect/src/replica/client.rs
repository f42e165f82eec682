//! One connection to another replica.

use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use clew_store::Position;
use http::{HeaderMap, Request, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use hyper::client::conn::http1::SendRequest;

use super::agreement::Agreement;
use super::serve::{BEHIND, FIRST, HELLO, LAST, LOG};
use crate::CollectError;
use crate::dial::Dialer;

/// How long an answer may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);
/// The largest answer: one record of the log may have 64 MiB.
const MOST: usize = 72 << 20;

/// A piece of another replica's log.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) frames: Bytes,
    pub(super) last: Position,
    pub(super) first: Position,
    pub(super) behind: u64,
}

/// Asks one replica, over one connection at a time.
pub(super) struct Client {
    url: String,
    authorities: Option<PathBuf>,
    token: Option<String>,
    connection: Option<SendRequest<Body>>,
}

impl Client {
    /// Reads the settings; connects later.
    pub(super) fn new(url: &str, authorities: Option<&Path>, token: Option<String>) -> Result<Self, CollectError> {
        let bad = |reason: String| CollectError::Peer { url: url.to_owned(), reason };
        let client =
            Self { url: url.to_owned(), authorities: authorities.map(Path::to_owned), token, connection: None };
        client.dialer().map(|_| ()).map_err(bad)?;
        Ok(client)
    }

    /// What it says of itself.
    pub(super) async fn hello(&mut self) -> Result<Agreement, String> {
        let (_, body) = self.get(HELLO.to_owned()).await?;
        serde_json::from_slice(&body).map_err(|_| "it answers, but is no replica of clew".to_owned())
    }

    /// What it took itself after a position.
    pub(super) async fn log(&mut self, of: &str, me: &str, after: Position) -> Result<Piece, String> {
        let (headers, frames) = self.get(format!("{LOG}?of={of}&me={me}&after={}", after.0)).await?;
        let number = |name: &str| {
            let text = headers.get(name).and_then(|value| value.to_str().ok());
            text.and_then(|text| text.parse().ok()).ok_or_else(|| format!("its answer has no {name}"))
        };
        Ok(Piece { frames, last: Position(number(LAST)?), first: Position(number(FIRST)?), behind: number(BEHIND)? })
    }

    /// Made for each connection: authorities follow each other.
    fn dialer(&self) -> Result<Dialer, String> {
        Dialer::new(&self.url, self.authorities.as_deref())
    }

    async fn get(&mut self, path: String) -> Result<(HeaderMap, Bytes), String> {
        let asked = tokio::time::timeout(ANSWER_WITHIN, self.ask(path)).await;
        let asked = asked.unwrap_or_else(|_| Err(format!("no answer within {} s", ANSWER_WITHIN.as_secs())));
        if asked.is_err() {
            self.connection = None;
        }
        asked
    }

    async fn ask(&mut self, path: String) -> Result<(HeaderMap, Bytes), String> {
        let dialer = self.dialer()?;
        let mut request = Request::get(path).header(header::HOST, dialer.authority());
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Body::empty()).map_err(|error| error.to_string())?;
        let mut connection = match self.connection.take().filter(|connection| !connection.is_closed()) {
            Some(connection) => connection,
            None => dialer.connect().await?,
        };
        connection.ready().await.map_err(|error| error.to_string())?;
        let answer = connection.send_request(request).await.map_err(|error| error.to_string())?;
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, MOST).collect().await.map_err(|error| error.to_string())?.to_bytes();
        self.connection = Some(connection);
        match head.status {
            StatusCode::OK => Ok((head.headers, body)),
            StatusCode::UNAUTHORIZED => Err("it wants another token: give all replicas the same".to_owned()),
            StatusCode::NOT_FOUND => Err("it knows no replicas: give it --peer, too".to_owned()),
            other => {
                let told = String::from_utf8_lossy(&body[..body.len().min(200)]).trim().to_owned();
                Err(format!("it answered {other}: {told}"))
            }
        }
    }
}
