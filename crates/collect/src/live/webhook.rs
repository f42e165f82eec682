//! Keeps the configuration of the admission webhook as it should be, with the authority that clew has now.

use serde_json::Value;

use super::ask::apply;
use super::connection::Connection;
use crate::CollectError;

const PATH: &str = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

/// Applies a `MutatingWebhookConfiguration`; what others added to it stays theirs.
///
/// Needs the right to patch this one object, and to create it if it is not there.
pub async fn apply_webhook(connection: &Connection, object: &Value) -> Result<(), CollectError> {
    let name = object.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    let path = format!("{PATH}/{name}");
    let failed = |reason: String| CollectError::Webhook { name: name.to_owned(), reason };
    let answer = apply(&connection.client, &path, object).await.map_err(failed)?;
    if answer.code < 300 {
        return Ok(());
    }
    Err(failed(answer.told()))
}
