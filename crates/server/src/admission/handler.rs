//! The webhook over HTTP.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::routing::post;
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clew_collect::live::{Contexts, Named, SourceHandle};
use clew_model::{TraceContext, TraceId};
use clew_weave::fact::{Admission, Kind};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use super::decide::{Asked, Decision, Operation, Settings, Why, decide};
use super::facts::AdmissionFacts;
use super::review::{Answer, Request, Review};
use super::{annotations, patch};
use crate::clock;

/// Objects and their former versions have at most 3 MiB each in the API server, and JSON is longer than what is stored.
const MAX_BODY: usize = 16 * 1024 * 1024;

/// What the webhook works with.
#[derive(Clone)]
pub struct Webhook {
    /// How it stamps.
    pub settings: Arc<Settings>,
    /// The contexts of owners: the watch's memory.
    pub contexts: Arc<Contexts>,
    /// Where it is told that a request was admitted; none to tell nobody.
    pub facts: Option<AdmissionFacts>,
    /// Where it says how it is.
    pub source: SourceHandle,
}

/// The route `POST /admission`.
pub fn router(webhook: Webhook) -> Router {
    Router::new().route("/admission", post(admit)).layer(DefaultBodyLimit::max(MAX_BODY)).with_state(webhook)
}

async fn admit(
    State(webhook): State<Webhook>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Answer>, (StatusCode, String)> {
    let review: Review = serde_json::from_slice(&body).map_err(|error| {
        webhook.source.dropped(1);
        (StatusCode::BAD_REQUEST, format!("the body is no AdmissionReview of v1 at column {}\n", error.column()))
    })?;
    webhook.source.up();
    webhook.source.seen(1);
    let caller = caller(&headers);
    webhook.tell(&review.request, caller.as_ref().map(|context| context.trace_id));
    Ok(Json(webhook.answer(review.request, caller.as_ref())))
}

/// The trace of the API server's own call.
fn caller(headers: &HeaderMap) -> Option<TraceContext> {
    let text = headers.get("traceparent")?.to_str().ok()?;
    TraceContext::parse_traceparent(text.trim()).ok()
}

impl Webhook {
    fn answer(&self, request: Request, caller: Option<&TraceContext>) -> Answer {
        let operation = match request.operation.as_str() {
            "CREATE" => Operation::Create,
            "UPDATE" => Operation::Update,
            _ => Operation::Other,
        };
        let asked = Asked {
            operation,
            group: &request.resource.group,
            resource: &request.resource.plural,
            subresource: &request.sub_resource,
            review: &request.uid,
            object: &request.object,
            old: &request.old_object,
            caller,
        };
        let decision = decide(&self.settings, &asked, |reference| self.owner(reference, &request.namespace));
        let mut answer = Answer::allowed(String::new());
        if decision == Decision::Leave(Why::RequesterSet)
            && let Some(own) = annotations::context(&self.settings.codec, &request.object)
        {
            self.give(&request, own.trace_id);
        }
        if let Decision::Stamp(stamp) = decision {
            self.give(&request, stamp.context.trace_id);
            let patch = patch::patch(self.settings.codec.key(), &request.object, &stamp);
            answer.response.patch_type = Some("JSONPatch");
            answer.response.patch = Some(STANDARD.encode(Value::Array(patch).to_string()));
            let traceparent = stamp.context.traceparent();
            answer.response.audit_annotations =
                Some(json!({"traceparent": traceparent, "origin": stamp.origin.as_str()}));
        }
        answer.response.uid = request.uid;
        answer
    }

    /// The context of an owner, which may have been made a moment ago.
    fn owner(&self, reference: &Value, namespace: &str) -> Option<TraceContext> {
        let text = |name: &str| reference.get(name).and_then(Value::as_str).unwrap_or_default();
        let group = text("apiVersion").rsplit_once('/').map_or("", |(group, _)| group);
        let named = |namespace: &str| Named {
            group: group.into(),
            kind: text("kind").into(),
            namespace: namespace.into(),
            name: text("name").into(),
        };
        let new = |namespace: &str| self.contexts.of_new(&named(namespace), text("uid"));
        self.contexts.of(text("uid")).or_else(|| new(namespace)).or_else(|| new(""))
    }

    /// What this object makes right away gets its context, also if the watch has not seen it by then. An object that is
    /// to be made gets its UID only after this.
    fn give(&self, request: &Request, trace: TraceId) {
        if request.dry_run {
            return;
        }
        match request.object.pointer("/metadata/uid").and_then(Value::as_str) {
            Some(uid) => self.contexts.give(uid, trace),
            None if request.name.is_empty() => {}
            None => self.contexts.give_new(named(request), trace),
        }
    }

    /// A dry run leaves no trace.
    fn tell(&self, request: &Request, trace: Option<TraceId>) {
        let Some(facts) = self.facts.as_ref().filter(|_| !request.dry_run) else { return };
        if !facts.tell(admission(request, trace)) {
            self.source.dropped(1);
        }
    }
}

fn named(request: &Request) -> Named {
    Named {
        group: request.resource.group.as_str().into(),
        kind: request.kind.kind.as_str().into(),
        namespace: request.namespace.as_str().into(),
        name: request.name.as_str().into(),
    }
}

/// What is kept of a request: which object it is about, and nothing of what the object holds.
fn admission(request: &Request, trace: Option<TraceId>) -> Admission {
    let uid = request.object.pointer("/metadata/uid").and_then(Value::as_str);
    Admission {
        review: request.uid.as_str().into(),
        time: clock::now(),
        kind: Kind {
            group: request.resource.group.as_str().into(),
            version: request.resource.version.as_str().into(),
            resource: request.resource.plural.as_str().into(),
            kind: request.kind.kind.as_str().into(),
        },
        namespace: request.namespace.as_str().into(),
        name: request.name.as_str().into(),
        uid: uid.map(Into::into),
        trace,
    }
}

#[cfg(test)]
#[path = "handler_tests.rs"]
mod tests;
