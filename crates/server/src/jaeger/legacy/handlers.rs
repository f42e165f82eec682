//! The answers.

use axum::extract::Path;
use serde_json::json;

use super::answer::{Answer, Refused};
use super::parameters;
use crate::app::App;
use crate::clock;
use crate::jaeger::{dependencies as calls, names, traces};
use crate::trace::{Asked, Fault, load, trace_id};
use crate::viewed::Viewed;

/// Traces by id in one request at most.
const MAX_IDS: usize = 100;

/// `/api/services`.
pub(crate) async fn services(Viewed(app): Viewed) -> Result<Answer, Refused> {
    let services = names::services(&*app.store).await?;
    Answer::list(&services, services.len())
}

/// `/api/services/{service}/operations`.
pub(crate) async fn operation_names(Viewed(app): Viewed, Path(service): Path<String>) -> Result<Answer, Refused> {
    let mut names: Vec<String> =
        names::operations(&*app.store, &service, None).await?.into_iter().map(|operation| operation.name).collect();
    names.dedup();
    Answer::list(&names, names.len())
}

/// `/api/operations`.
pub(crate) async fn operations(Viewed(app): Viewed, asked: Asked) -> Result<Answer, Refused> {
    let Some(service) = asked.get("service") else {
        return Err(Fault::bad_request("parameter service: it is required").into());
    };
    let operations = names::operations(&*app.store, service, asked.get("spanKind")).await?;
    let told = operations.into_iter().map(|operation| json!({"name": operation.name, "spanKind": operation.kind}));
    let told: Vec<_> = told.collect();
    Answer::list(&told, told.len())
}

/// `/api/traces`.
pub(crate) async fn search(Viewed(app): Viewed, asked: Asked) -> Result<Answer, Refused> {
    if asked.get("traceID").is_some() {
        return by_ids(&app, &asked).await;
    }
    let query = parameters::search(&asked, clock::now())?;
    let found = traces::matching(&*app.store, &query).await?;
    Answer::traces(found, &[])
}

async fn by_ids(app: &App, asked: &Asked) -> Result<Answer, Refused> {
    let (raw, mut found, mut missing) = (asked.switch("raw")?, Vec::new(), Vec::new());
    for text in asked.all("traceID").take(MAX_IDS) {
        let id = trace_id(text)?;
        let spans = load(&*app.store, id, raw).await?.spans;
        if spans.is_empty() {
            missing.push(json!({"msg": "trace not found", "traceID": id}));
        } else {
            found.push(spans);
        }
    }
    Answer::traces(found, &missing)
}

/// `/api/traces/{id}`.
pub(crate) async fn trace(Viewed(app): Viewed, Path(id): Path<String>, asked: Asked) -> Result<Answer, Refused> {
    let id = trace_id(&id)?;
    let spans = load(&*app.store, id, asked.switch("raw")?).await?.spans;
    if spans.is_empty() {
        return Err(Fault::not_found(format!("no trace {id}: it never came, or is older than what is kept")).into());
    }
    Answer::traces(vec![spans], &[])
}

/// `/api/dependencies`.
pub(crate) async fn dependencies(Viewed(app): Viewed, asked: Asked) -> Result<Answer, Refused> {
    let range = parameters::dependencies(&asked, clock::now())?;
    let wanted = |caller: &str, callee: &str| asked.get("service").is_none_or(|one| one == caller || one == callee);
    let calls = calls::dependencies(&*app.store, range).await?;
    let calls = calls.into_iter().filter(|(caller, callee, _)| wanted(caller, callee));
    let told = calls.map(|(parent, child, calls)| json!({"parent": parent, "child": child, "callCount": calls}));
    // Jaeger tells no length here.
    Answer::list(&told.collect::<Vec<_>>(), 0)
}
