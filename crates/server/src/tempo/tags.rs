//! The names that can be asked for.

use axum::Json;
use clew_store::Filter;
use serde_json::{Value, json};

use crate::app::App;
use crate::trace::{Asked, Fault};
use crate::viewed::Viewed;

/// Names of an answer, if the caller does not say, and at most.
const NAMES: (usize, usize) = (1_000, 10_000);
/// What Grafana offers beside the attributes.
const INTRINSICS: [&str; 18] = [
    "duration",
    "kind",
    "name",
    "nestedSetParent",
    "rootName",
    "rootServiceName",
    "span:duration",
    "span:id",
    "span:kind",
    "span:name",
    "span:status",
    "span:statusMessage",
    "status",
    "statusMessage",
    "trace:duration",
    "trace:rootName",
    "trace:rootService",
    "traceDuration",
];

struct Names {
    span: Vec<String>,
    resource: Vec<String>,
    intrinsic: Vec<String>,
}

/// `/api/v2/search/tags`.
pub(super) async fn names_v2(Viewed(app): Viewed, asked: Asked) -> Result<Json<Value>, Fault> {
    let names = names(&app, &asked).await?;
    let scopes = [("span", names.span), ("resource", names.resource), ("intrinsic", names.intrinsic)];
    let scopes = scopes.into_iter().filter(|(_, tags)| !tags.is_empty());
    let scopes: Vec<Value> = scopes.map(|(name, tags)| json!({"name": name, "tags": tags})).collect();
    Ok(Json(json!({"scopes": scopes, "metrics": {"completedJobs": 1, "totalJobs": 1}})))
}

/// `/api/search/tags`.
pub(super) async fn names_v1(Viewed(app): Viewed, asked: Asked) -> Result<Json<Value>, Fault> {
    let names = names(&app, &asked).await?;
    let mut all: Vec<String> = names.span.into_iter().chain(names.resource).collect();
    if asked.get("scope") == Some("intrinsic") {
        all = names.intrinsic;
    }
    all.sort();
    all.dedup();
    Ok(Json(json!({"tagNames": all})))
}

async fn names(app: &App, asked: &Asked) -> Result<Names, Fault> {
    let limit = asked.limit("limit", NAMES.0, NAMES.1)?;
    let scope = asked.get("scope").filter(|scope| *scope != "none");
    if let Some(scope) =
        scope.filter(|scope| !["span", "resource", "intrinsic", "event", "link", "instrumentation"].contains(scope))
    {
        return Err(Fault::bad_request(format!("parameter scope: {scope:?} is not span, resource or intrinsic")));
    }
    let (span, resource) = app.store.keys(asked.range()?, &Filter::All, limit).await?;
    let texts = |keys: Vec<compact_str::CompactString>| keys.into_iter().map(String::from).collect::<Vec<_>>();
    let wanted = |name: &str| scope.is_none_or(|scope| scope == name);
    Ok(Names {
        span: if wanted("span") { texts(span) } else { Vec::new() },
        resource: if wanted("resource") { texts(resource) } else { Vec::new() },
        intrinsic: if wanted("intrinsic") { INTRINSICS.map(str::to_owned).to_vec() } else { Vec::new() },
    })
}
