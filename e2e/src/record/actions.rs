//! What people and pipelines did, from the audit log: the roots that a correlator must find.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Those whose writes are roots; everyone else in a scene is a component or an operator.
const PEOPLE: [&str; 4] =
    ["alice@example.com", "bob@example.com", "kubernetes-admin", "system:serviceaccount:ci:deployer"];
const WRITES: [&str; 5] = ["create", "update", "patch", "delete", "deletecollection"];
/// Questions and streams that use a writing verb.
const NO_CHANGE: [&str; 11] = [
    "selfsubjectaccessreviews",
    "selfsubjectrulesreviews",
    "selfsubjectreviews",
    "subjectaccessreviews",
    "tokenreviews",
    "leases",
    "events",
    "token",
    "exec",
    "attach",
    "portforward",
];

/// How the agent of a controller begins that uses a pipeline's account: what it writes is no root.
const CONTROLLER: &str = "e2e-controller/";

/// The annotation with which clew's webhook marks what was changed.
const CONTEXT: &str = "tracing.k8s.io/traceparent";

/// One write of a person or a pipeline.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// When the request came.
    pub time: String,
    /// Its audit id.
    #[serde(rename = "auditID")]
    pub audit_id: String,
    /// Who asked.
    pub user: String,
    /// With what.
    pub agent: String,
    /// What was asked.
    pub verb: String,
    /// Of what.
    pub resource: String,
    /// The subresource, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subresource: Option<String>,
    /// The namespace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    #[serde(rename = "auditID")]
    audit_id: String,
    stage: String,
    verb: String,
    #[serde(rename = "requestURI")]
    request_uri: String,
    user: User,
    #[serde(default)]
    user_agent: String,
    object_ref: Option<Object>,
    response_status: Option<Answer>,
    request_received_timestamp: String,
    #[serde(default)]
    response_object: Value,
}

#[derive(Deserialize)]
struct User {
    username: String,
}

#[derive(Deserialize)]
struct Object {
    resource: String,
    subresource: Option<String>,
    namespace: Option<String>,
    name: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    code: u16,
}

/// The actions in an audit log, in the order in which their requests came.
pub fn actions(log: &str) -> Vec<Action> {
    let events = log.lines().filter_map(|line| serde_json::from_str::<Event>(line).ok());
    let mut events: Vec<Event> = events.filter(|event| WRITES.contains(&event.verb.as_str())).collect();
    events.sort_by(|one, other| one.request_received_timestamp.cmp(&other.request_received_timestamp));
    let mut known = Known::default();
    events.into_iter().filter(|event| known.is_changed_by(event)).filter_map(action).collect()
}

/// What the writes so far have made.
#[derive(Default)]
struct Known {
    versions: HashSet<(String, String)>,
    contents: HashMap<String, String>,
}

impl Known {
    /// Whether a write is a change: an apply of what is there already answers with a version that an earlier write made,
    /// and an update may take away no more than the context that the webhook had added.
    fn is_changed_by(&mut self, event: &Event) -> bool {
        let text = |key: &str| event.response_object["metadata"][key].as_str().unwrap_or_default().to_owned();
        let (uid, version) = (text("uid"), text("resourceVersion"));
        if uid.is_empty() || version.is_empty() {
            return true;
        }
        let is_new = self.versions.insert((uid.clone(), version));
        let is_part = event.object_ref.as_ref().is_some_and(|object| object.subresource.is_some());
        let content = content(&event.response_object);
        let is_other = is_part || self.contents.insert(uid, content.clone()) != Some(content);
        event.verb.starts_with("delete") || (is_new && is_other)
    }
}

/// An object without what makes no change.
fn content(object: &Value) -> String {
    let mut object = object.clone();
    object["status"] = Value::Null;
    for key in ["managedFields", "resourceVersion"] {
        object["metadata"][key] = Value::Null;
    }
    let annotations = object["metadata"]["annotations"].take();
    let kept = annotations.as_object().into_iter().flatten().filter(|(key, _)| *key != CONTEXT);
    object["metadata"]["annotations"] = Value::Object(kept.map(|(key, value)| (key.clone(), value.clone())).collect());
    object.to_string()
}

fn action(event: Event) -> Option<Action> {
    let object = event.object_ref?;
    let kind = object.subresource.as_deref().unwrap_or(&object.resource);
    let refused = event.response_status.is_none_or(|status| status.code >= 300);
    let dry = event.request_uri.contains("dryRun=");
    let person = PEOPLE.contains(&event.user.username.as_str()) && !event.user_agent.starts_with(CONTROLLER);
    let wanted = event.stage == "ResponseComplete" && person;
    if !wanted || refused || dry || NO_CHANGE.contains(&kind) || NO_CHANGE.contains(&object.resource.as_str()) {
        return None;
    }
    // A create by `generateName` has its name only in the answer.
    let answered = event.response_object["metadata"]["name"].as_str().map(str::to_owned);
    Some(Action {
        time: event.request_received_timestamp,
        audit_id: event.audit_id,
        user: event.user.username,
        agent: event.user_agent,
        verb: event.verb,
        resource: object.resource,
        subresource: object.subresource,
        namespace: object.namespace,
        name: object.name.or(answered),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::actions;

    fn event(user: &str, verb: &str, code: u16, time: &str) -> String {
        json!({
            "auditID": time, "stage": "ResponseComplete", "verb": verb, "requestURI": "/api/v1/namespaces/x/pods",
            "user": {"username": user}, "objectRef": {"resource": "pods", "namespace": "x", "name": "y"},
            "responseStatus": {"code": code}, "requestReceivedTimestamp": time,
        })
        .to_string()
    }

    #[test]
    fn only_what_people_changed_is_an_action_and_order_is_that_of_time() {
        let log = [
            event("bob@example.com", "delete", 200, "2"),
            event("alice@example.com", "create", 201, "1"),
            event("alice@example.com", "create", 409, "3"),
            event("alice@example.com", "get", 200, "4"),
            event("system:node:node1", "delete", 200, "5"),
            "not json".to_owned(),
        ];
        let found = actions(&log.join("\n"));
        let users: Vec<&str> = found.iter().map(|action| action.user.as_str()).collect();
        assert_eq!(users, ["alice@example.com", "bob@example.com"]);
    }

    #[test]
    fn a_write_that_changed_nothing_is_no_action() {
        let answered = |time: &str, verb: &str, version: &str, data: &str, annotations: serde_json::Value| {
            let mut event: serde_json::Value =
                serde_json::from_str(&event("alice@example.com", verb, 200, time)).unwrap();
            let metadata = json!({"uid": "u", "resourceVersion": version, "annotations": annotations});
            event["responseObject"] = json!({"metadata": metadata, "data": data});
            event.to_string()
        };
        let context = json!({"tracing.k8s.io/traceparent": "00-1"});
        let log = [
            answered("1", "create", "5", "a", context.clone()),
            answered("2", "patch", "5", "a", context.clone()),
            answered("3", "patch", "6", "b", context),
            answered("4", "update", "7", "b", serde_json::Value::Null),
            answered("5", "update", "8", "b", json!({"own": "x"})),
            answered("6", "delete", "8", "b", json!({"own": "x"})),
        ];
        let found: Vec<String> = actions(&log.join("\n")).into_iter().map(|action| action.time).collect();
        assert_eq!(found, ["1", "3", "5", "6"]);
    }
}
