//! The API server's own word: `TokenReview` says who, `SubjectAccessReview` says whether.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use tokio::sync::Mutex;

use super::authority::{Authority, Question, User};
use super::kinds::{Kinds, Named};
use crate::CollectError;
use crate::live::Connection;
use crate::live::ask::{Answer, post};
use crate::watch::{Scope, discover};

const TOKENS: &str = "/apis/authentication.k8s.io/v1/tokenreviews";
const ACCESS: &str = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
/// How long the names of a cluster's resources are good.
const NAMES: Duration = Duration::from_mins(5);
/// How soon they are asked for again when one is not among them.
const UNKNOWN: Duration = Duration::from_secs(10);

/// A cluster that is asked about its users.
pub struct Reviews {
    connection: Connection,
    kinds: RwLock<Option<(Instant, Arc<Kinds>)>>,
    asking: Mutex<()>,
}

impl Reviews {
    /// Asks this cluster, which never learns of other clusters' tokens.
    pub fn new(connection: Connection) -> Self {
        Self { connection, kinds: RwLock::default(), asking: Mutex::default() }
    }

    /// The names of its resources, with this one among them if the cluster has it.
    async fn kinds(&self, wanted: &str) -> Result<Arc<Kinds>, CollectError> {
        if let Some(kinds) = self.known(wanted) {
            return Ok(kinds);
        }
        let _turn = self.asking.lock().await;
        // Who waited for the turn finds what the one before asked for.
        if let Some(kinds) = self.known(wanted) {
            return Ok(kinds);
        }
        let kinds = Arc::new(Kinds::new(&discover(&self.connection.client, &Scope::default()).await?));
        let asked = Some((Instant::now(), Arc::clone(&kinds)));
        *self.kinds.write().unwrap_or_else(PoisonError::into_inner) = asked;
        Ok(kinds)
    }

    fn known(&self, wanted: &str) -> Option<Arc<Kinds>> {
        let known = self.kinds.read().unwrap_or_else(PoisonError::into_inner);
        let (asked, kinds) = known.as_ref()?;
        let good = if kinds.of(wanted).is_some() { NAMES } else { UNKNOWN };
        (asked.elapsed() < good).then(|| Arc::clone(kinds))
    }

    async fn review(&self, user: &User, attributes: (&str, Value)) -> Result<bool, CollectError> {
        let mut spec = serde_json::to_value(user).unwrap_or_default();
        spec[attributes.0] = attributes.1;
        let review = json!({"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec});
        let status = self.ask(ACCESS, &review).await?;
        Ok(status.get("allowed").and_then(Value::as_bool) == Some(true))
    }

    async fn ask(&self, path: &'static str, review: &Value) -> Result<Map<String, Value>, CollectError> {
        let failed = |reason: String| CollectError::Review { what: path.rsplit('/').next().unwrap_or(path), reason };
        let answer = post(&self.connection.client, path, review).await.map_err(failed)?;
        status(answer).map_err(failed)
    }
}

#[async_trait]
impl Authority for Reviews {
    fn cluster(&self) -> &str {
        &self.connection.cluster
    }

    async fn who(&self, token: &str) -> Result<Option<User>, CollectError> {
        let review = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": token}});
        Ok(user(&self.ask(TOKENS, &review).await?))
    }

    async fn may(&self, user: &User, question: &Question) -> Result<bool, CollectError> {
        let right = match question {
            Question::Everything => return self.review(user, resource(&everything(), "", "list", "")).await,
            Question::Metrics => {
                return self.review(user, ("nonResourceAttributes", json!({"path": "/metrics", "verb": "get"}))).await;
            }
            Question::Read(right) => right,
        };
        let kinds = self.kinds(&right.kind).await?;
        // Of what the cluster does not know (any more) only those may read who may read anything there.
        let unknown = [everything()];
        for named in kinds.of(&right.kind).unwrap_or(&unknown) {
            // Nobody lists namespaces within one: a Namespace is read by its name.
            let (verb, name) = if right.is_of_namespace() && !right.namespace.is_empty() {
                ("get", right.namespace.as_str())
            } else {
                ("list", "")
            };
            if !self.review(user, resource(named, &right.namespace, verb, name)).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn everything() -> Named {
    Named { group: "*".to_owned(), plural: "*".to_owned() }
}

/// To list tells all that an object holds, and that it is there; to get it tells the first only.
fn resource(named: &Named, namespace: &str, verb: &str, name: &str) -> (&'static str, Value) {
    let attributes = json!({
        "group": named.group, "resource": named.plural, "namespace": namespace, "verb": verb, "name": name,
    });
    ("resourceAttributes", attributes)
}

/// Whose token it is, if the API server says that it is somebody's.
fn user(status: &Map<String, Value>) -> Option<User> {
    let known = status.get("authenticated").and_then(Value::as_bool) == Some(true);
    let user: User = serde_json::from_value(status.get("user").filter(|_| known)?.clone()).ok()?;
    Some(user).filter(|user| !user.name.is_empty())
}

fn status(answer: Answer) -> Result<Map<String, Value>, String> {
    match answer {
        Answer { code: 200..=202, body: Value::Object(mut body), .. } => match body.remove("status") {
            Some(Value::Object(status)) => Ok(status),
            _ => Err("the answer has no status".to_owned()),
        },
        Answer { code: 401 | 403, .. } => {
            Err("clew itself may not ask: bind its account to the ClusterRole system:auth-delegator".to_owned())
        }
        Answer { code, .. } => Err(format!("the answer was {code}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(code: u16, body: Value) -> Result<Map<String, Value>, String> {
        status(Answer { code, headers: http::HeaderMap::new(), body })
    }

    fn object(value: Value) -> Map<String, Value> {
        let Value::Object(map) = value else { panic!("no object") };
        map
    }

    #[test]
    fn only_who_is_authenticated_is_somebody() {
        let named = json!({"username": "alice", "groups": ["dev"], "extra": {"a": ["b"]}});
        let yes = user(&object(json!({"authenticated": true, "user": named}))).expect("a user");
        assert_eq!((yes.name.as_str(), yes.groups.as_slice()), ("alice", ["dev".to_owned()].as_slice()));
        assert_eq!(serde_json::to_value(&yes).expect("JSON")["user"], "alice", "a review of access calls it so");
        assert_eq!(user(&object(json!({"authenticated": false, "user": named}))), None);
        assert_eq!(user(&object(json!({"user": named}))), None);
        assert_eq!(user(&object(json!({"authenticated": true, "user": {}}))), None);
        assert_eq!(user(&object(json!({"authenticated": true}))), None);
    }

    #[test]
    fn whatever_is_no_answer_is_an_error_that_says_what_to_do() {
        assert!(answer(201, json!({"status": {"allowed": true}})).is_ok());
        assert!(answer(201, json!({})).is_err());
        assert!(answer(500, json!({"status": {"allowed": true}})).is_err());
        let error = answer(403, json!({"status": "Failure"})).expect_err("refused");
        assert!(error.contains("system:auth-delegator"), "{error}");
    }
}
