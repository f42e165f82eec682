//! The object that makes the API server call the webhook.

use serde_json::{Value, json};

/// How the API server reaches the webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reached {
    /// Through a Service in the cluster.
    Service {
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
        /// Its port.
        port: u16,
    },
    /// At an address of its own: `https://HOST:PORT`.
    Url(String),
}

/// The `MutatingWebhookConfiguration`, as an object to apply; `authority` is the PEM of the certificate's authority.
///
/// Fails open within a second. What no journey is made of is not even asked about.
pub fn configuration(name: &str, reached: &Reached, authority: &[u8]) -> Value {
    use base64::Engine;
    let bundle = base64::engine::general_purpose::STANDARD.encode(authority);
    let client = match reached {
        Reached::Service { namespace, name, port } => json!({
            "service": {"namespace": namespace, "name": name, "port": port, "path": "/admission"},
            "caBundle": bundle,
        }),
        Reached::Url(url) => json!({"url": format!("{}/admission", url.trim_end_matches('/')), "caBundle": bundle}),
    };
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingWebhookConfiguration",
        "metadata": {"name": name, "labels": {"app.kubernetes.io/name": "clew"}},
        "webhooks": [{
            "name": "traceparent.clew.dev",
            "clientConfig": client,
            "rules": [{
                "apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"], "scope": "*",
                "operations": ["CREATE", "UPDATE"],
            }],
            "matchConditions": conditions(),
            "matchPolicy": "Equivalent",
            "failurePolicy": "Ignore",
            "reinvocationPolicy": "Never",
            "sideEffects": "None",
            "timeoutSeconds": 1,
            "admissionReviewVersions": ["v1"],
            // Never in the way of what clew itself, or the control plane, needs to start.
            "namespaceSelector": {"matchExpressions": [
                {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system", "kube-node-lease", "clew"]},
            ]},
        }],
    })
}

/// Asked by the API server itself: most writes are none that could be stamped, and cost no call.
fn conditions() -> Value {
    json!([
        {"name": "no-heartbeats", "expression": "!(request.resource.group in ['coordination.k8s.io', 'events.k8s.io', 'discovery.k8s.io', 'authentication.k8s.io', 'authorization.k8s.io'])"},
        {"name": "no-core-noise", "expression": "!(request.resource.group == '' && request.resource.resource in ['events', 'endpoints', 'nodes', 'bindings'])"},
        {"name": "asks-for-something", "expression": "request.operation == 'CREATE' || !has(object.spec) || !has(oldObject.spec) || object.spec != oldObject.spec"},
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_webhook_fails_open_within_a_second() {
        let reached = Reached::Url("https://127.0.0.1:9443/".to_owned());
        let object = configuration("clew", &reached, b"pem");
        let webhook = &object["webhooks"][0];
        assert_eq!((webhook["failurePolicy"].as_str(), webhook["timeoutSeconds"].as_u64()), (Some("Ignore"), Some(1)));
        assert_eq!(webhook["clientConfig"]["url"], "https://127.0.0.1:9443/admission");
        assert_eq!(webhook["clientConfig"]["caBundle"], "cGVt");
    }
}
