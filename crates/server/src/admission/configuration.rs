//! The object that makes the API server call the webhook.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
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

/// How the API server knows that it is clew who answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// By these authorities, in PEM.
    Authorities(String),
    /// By the authority of this certificate of cert-manager's, as NAMESPACE/NAME: it fills them in.
    CertManager(String),
    /// By the authorities of the system that it runs on.
    System,
}

/// The `MutatingWebhookConfiguration`, as an object to apply.
///
/// Fails open within a second. What no journey is made of is not even asked about.
pub fn configuration(name: &str, reached: &Reached, trust: &Trust) -> Value {
    let mut object = called(name, reached);
    match trust {
        Trust::Authorities(authorities) => {
            object["webhooks"][0]["clientConfig"]["caBundle"] = STANDARD.encode(authorities).into();
        }
        Trust::CertManager(certificate) => {
            object["metadata"]["annotations"] = json!({"cert-manager.io/inject-ca-from": certificate});
        }
        Trust::System => {}
    }
    object
}

fn called(name: &str, reached: &Reached) -> Value {
    let client = match reached {
        Reached::Service { namespace, name, port } => {
            json!({"service": {"namespace": namespace, "name": name, "port": port, "path": "/admission"}})
        }
        Reached::Url(url) => json!({"url": format!("{}/admission", url.trim_end_matches('/'))}),
    };
    let mut left_alone = vec!["kube-system", "kube-node-lease"];
    if let Reached::Service { namespace, .. } = reached {
        left_alone.push(namespace);
    }
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
                {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": left_alone},
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
        let object = configuration("clew", &reached, &Trust::Authorities("pem".to_owned()));
        let webhook = &object["webhooks"][0];
        assert_eq!((webhook["failurePolicy"].as_str(), webhook["timeoutSeconds"].as_u64()), (Some("Ignore"), Some(1)));
        assert_eq!(webhook["clientConfig"]["url"], "https://127.0.0.1:9443/admission");
        assert_eq!(webhook["clientConfig"]["caBundle"], "cGVt");
    }

    #[test]
    fn cert_manager_fills_in_whom_to_trust() {
        let reached = Reached::Service { namespace: "tracing".to_owned(), name: "clew".to_owned(), port: 443 };
        let object = configuration("clew", &reached, &Trust::CertManager("tracing/clew".to_owned()));
        assert_eq!(object["metadata"]["annotations"]["cert-manager.io/inject-ca-from"], "tracing/clew");
        let webhook = &object["webhooks"][0];
        assert!(webhook["clientConfig"].get("caBundle").is_none(), "what is not applied stays cert-manager's");
        let left_alone = &webhook["namespaceSelector"]["matchExpressions"][0]["values"];
        assert_eq!(left_alone[2], "tracing", "clew must be able to start without clew");
    }
}
