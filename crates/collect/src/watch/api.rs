//! The requests that a watch makes, raw: objects keep their bytes.

use std::path::Path;
use std::time::Duration;

use http_body_util::{BodyExt, Limited};
use kube::client::Body;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};

use crate::CollectError;

/// The largest answer to a list: some hundred objects of etcd's 1.5 MB each.
const MAX_ANSWER: usize = 256 * 1024 * 1024;
/// How long an answer to a list may take.
const ANSWER_WITHIN: Duration = Duration::from_mins(1);

/// A client for the cluster, from a kubeconfig or from where `kubectl` would look.
pub(crate) async fn client(kubeconfig: Option<&Path>, context: Option<&str>) -> Result<Client, CollectError> {
    connect(kubeconfig, context).await.map(|(_, client)| client)
}

/// The same, with the name of the context; in a pod there is none.
pub(crate) async fn connect(
    kubeconfig: Option<&Path>,
    context: Option<&str>,
) -> Result<(Option<String>, Client), CollectError> {
    // Where the lake is linked, too, rustls has two providers and must be told which; kube has no other way to tell it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (name, config) = config(kubeconfig, context).await?;
    let client = Client::try_from(config).map_err(|error| CollectError::Kubeconfig(error.to_string()))?;
    Ok((name, client))
}

async fn config(kubeconfig: Option<&Path>, context: Option<&str>) -> Result<(Option<String>, Config), CollectError> {
    let told = |error: &dyn std::error::Error| CollectError::Kubeconfig(error.to_string());
    let options = KubeConfigOptions { context: context.map(str::to_owned), ..KubeConfigOptions::default() };
    let read = kubeconfig.map_or_else(Kubeconfig::read, Kubeconfig::read_from);
    let read = match read {
        Ok(read) => read,
        // In a pod there is no kubeconfig; elsewhere its absence is what a person can mend.
        Err(error) if kubeconfig.is_none() && context.is_none() => {
            return Ok((None, Config::incluster().map_err(|_| told(&error))?));
        }
        Err(error) => return Err(told(&error)),
    };
    let name = options.context.clone().or_else(|| read.current_context.clone());
    let config = Config::from_custom_kubeconfig(read, &options).await.map_err(|error| told(&error))?;
    Ok((name, config))
}

/// The answer to a GET: its code, and its body as a stream.
pub(super) async fn get(client: &Client, uri: &str, accept: &str) -> Result<(u16, Body), kube::Error> {
    let request = http::Request::get(uri).header(http::header::ACCEPT, accept);
    let request = request.body(Body::empty()).map_err(kube::Error::HttpError)?;
    let response = client.send(request).await?;
    Ok((response.status().as_u16(), response.into_body()))
}

/// The answer to a GET, whole.
pub(super) async fn get_whole(client: &Client, uri: &str, accept: &str) -> Result<(u16, Vec<u8>), CollectError> {
    let what = || format!("GET {}", path_of(uri));
    let answer = async {
        let (code, body) = get(client, uri, accept)
            .await
            .map_err(|source| CollectError::Api { what: what(), source: Box::new(source) })?;
        let body = Limited::new(body, MAX_ANSWER).collect().await;
        let body = body.map_err(|_| CollectError::Answer { what: what() })?;
        Ok((code, body.to_bytes().to_vec()))
    };
    tokio::time::timeout(ANSWER_WITHIN, answer).await.unwrap_or_else(|_| Err(CollectError::Answer { what: what() }))
}

/// Without the query, whose tokens say nothing to a reader.
fn path_of(uri: &str) -> &str {
    uri.split('?').next().unwrap_or(uri)
}
