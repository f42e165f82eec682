//! The Secret in which clew keeps what it makes for itself, when it runs in a cluster.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kube::Client;
use serde_json::{Value, json};

use super::ask::{get, merge};
use super::connection::Connection;

/// How often somebody else may be faster.
const ATTEMPTS: usize = 5;

/// What makes the next content of an entry from the one that is kept, or leaves it.
pub(crate) type Change<'a> = dyn FnMut(Option<&[u8]>) -> Result<Option<Vec<u8>>, String> + Send + 'a;

/// A Secret of clew's own: it must be there, and clew may get and patch this one only.
#[derive(Clone)]
pub struct OwnSecret {
    client: Client,
    namespace: String,
    name: String,
}

impl OwnSecret {
    /// The Secret of this name, in the namespace of the pod or of the kubeconfig's context.
    pub fn new(connection: &Connection, name: &str) -> Self {
        let client = connection.client.clone();
        Self { namespace: client.default_namespace().to_owned(), client, name: name.to_owned() }
    }

    /// Changes an entry, unless somebody else changed the Secret meanwhile: then it is read again.
    pub(crate) async fn update(&self, entry: &str, change: &mut Change<'_>) -> Result<Vec<u8>, String> {
        let path = format!("/api/v1/namespaces/{}/secrets/{}", self.namespace, self.name);
        for _ in 0..ATTEMPTS {
            let answer = get(&self.client, &path).await?;
            if answer.code >= 300 {
                return Err(format!("reading it, {}", answer.told()));
            }
            let kept = answer.body.pointer("/data").and_then(|data| data.get(entry)).and_then(Value::as_str);
            let kept = kept.map(|text| STANDARD.decode(text)).transpose();
            let kept = kept.map_err(|error| format!("{entry} is no base64: {error}"))?;
            let Some(next) = change(kept.as_deref())? else { return Ok(kept.unwrap_or_default()) };
            let version = answer.body.pointer("/metadata/resourceVersion").cloned().unwrap_or_default();
            let changed = json!({"metadata": {"resourceVersion": version}, "data": {entry: STANDARD.encode(&next)}});
            let answer = merge(&self.client, &path, &changed).await?;
            match answer.code {
                0..300 => return Ok(next),
                409 => {}
                _ => return Err(format!("changing it, {}", answer.told())),
            }
        }
        Err("others change it all the time".to_owned())
    }
}

impl fmt::Display for OwnSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret {} in {}", self.name, self.namespace)
    }
}
