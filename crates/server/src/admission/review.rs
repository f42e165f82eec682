//! `admission.k8s.io/v1`, as far as it must be understood.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the API server sends.
#[derive(Debug, Deserialize)]
pub(super) struct Review {
    pub(super) request: Request,
}

/// A request to be admitted.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Request {
    pub(super) uid: String,
    pub(super) kind: Kind,
    pub(super) resource: Resource,
    pub(super) sub_resource: String,
    pub(super) name: String,
    pub(super) namespace: String,
    pub(super) operation: String,
    pub(super) object: Value,
    pub(super) old_object: Value,
    pub(super) dry_run: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Kind {
    pub(super) kind: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Resource {
    pub(super) group: String,
    pub(super) version: String,
    #[serde(rename = "resource")]
    pub(super) plural: String,
}

/// What the API server gets back.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer {
    pub(super) api_version: &'static str,
    pub(super) kind: &'static str,
    pub(super) response: Response,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response {
    pub(super) uid: String,
    /// Always: tracing never stands in the way.
    pub(super) allowed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) patch_type: Option<&'static str>,
    /// Base64 of the JSON patch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) patch: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) audit_annotations: Option<Value>,
}

impl Answer {
    pub(super) fn allowed(uid: String) -> Self {
        let response = Response { uid, allowed: true, patch_type: None, patch: None, audit_annotations: None };
        Self { api_version: "admission.k8s.io/v1", kind: "AdmissionReview", response }
    }
}
