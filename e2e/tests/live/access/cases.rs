//! What is asked at each path, and what one's own token shows there. A path without a case fails the test.

use super::asked::Asked;
use super::scene::Side;

/// What the answer must be; whatever it is, nothing of the other side may be in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shows {
    /// Something of one's own.
    Mine,
    /// Nothing that could be told apart by a name: only the status counts.
    Status(u16),
}

/// One question at one path.
pub(crate) struct Case {
    /// The path as the router has it.
    pub(crate) path: String,
    pub(crate) asked: Asked,
    pub(crate) shows: Shows,
}

/// Everything that one side asks.
pub(crate) fn cases(me: &Side, other: &Side) -> Vec<Case> {
    let mut cases = own_api(me, other);
    for below in ["", "/tempo"] {
        cases.extend(tempo(below, me, other));
    }
    for below in ["", "/jaeger"] {
        cases.extend(jaeger(below, me, other));
    }
    cases.extend(grpc(me, other));
    cases
}

fn case(path: &str, asked: &str, shows: Shows) -> Case {
    Case { path: path.to_owned(), asked: Asked::get(asked), shows }
}

fn own_api(me: &Side, other: &Side) -> Vec<Case> {
    use Shows::{Mine, Status};
    let (journeys, one, otlp) = ("/api/v1/journeys", "/api/v1/journeys/{id}", "/api/v1/journeys/{id}/otlp");
    let (stats, values, objects) = ("/api/v1/stats", "/api/v1/values/{field}", "/api/v1/objects");
    let (compare, runs) = ("/api/v1/compare", "/api/v1/runs");
    let id = |id: &str, rest: &str| format!("/api/v1/journeys/{id}{rest}");
    vec![
        case(journeys, "/api/v1/journeys?limit=1000", Mine),
        case(journeys, "/api/v1/journeys?limit=1000&form=weave", Mine),
        case(journeys, "/api/v1/journeys?q=secret", Status(200)),
        case("/api/v1/journeys/stream", "/api/v1/journeys/stream", Status(200)),
        case(one, &id(&me.journey, ""), Mine),
        case(one, &id(&me.native, ""), Mine),
        case(one, &id(&me.native, "?raw=1"), Mine),
        case(one, &id(&other.journey, ""), Status(404)),
        case(one, &id(&other.native, ""), Status(404)),
        case(one, &id(&other.native, "?raw=1"), Status(404)),
        case(otlp, &id(&me.journey, "/otlp"), Mine),
        case(otlp, &id(&other.journey, "/otlp"), Status(404)),
        case("/api/v1/histogram", "/api/v1/histogram", Status(200)),
        case("/api/v1/heatmap", "/api/v1/heatmap", Status(200)),
        case(objects, &format!("/api/v1/objects?kind=Deployment&name={}", me.object), Mine),
        case(objects, &format!("/api/v1/objects?kind=Deployment&name={}", other.object), Status(404)),
        case(stats, "/api/v1/stats?by=namespace,name&limit=1000", Mine),
        case(stats, "/api/v1/stats?of=spans&by=span,namespace&limit=1000", Mine),
        case(stats, "/api/v1/stats?of=runs", Status(200)),
        case(compare, &format!("/api/v1/compare?a={0}&b={0}", me.journey), Mine),
        case(compare, &format!("/api/v1/compare?a={}&b={}", me.journey, other.journey), Status(404)),
        case(compare, "/api/v1/compare?a.kind=Deployment&b.kind=ConfigMap", Status(200)),
        case(runs, runs, Status(200)),
        case("/api/v1/runs/{id}", &format!("/api/v1/runs/{}", other.native), Status(404)),
        case(values, "/api/v1/values/namespace", Mine),
        case(values, "/api/v1/values/name?limit=1000", Mine),
        case(values, "/api/v1/values/span?limit=1000", Mine),
        case(values, "/api/v1/values/attr:k8s.namespace.name?limit=1000", Mine),
        case(values, "/api/v1/values/service", Status(200)),
        case("/api/v1/sql", "/api/v1/sql?query=select%20name%20from%20journeys", Status(403)),
        case("/api/v1/status", "/api/v1/status", Status(403)),
        case("/api/v1/openapi.json", "/api/v1/openapi.json", Status(200)),
        case("/healthz", "/healthz", Status(200)),
        case("/readyz", "/readyz", Status(200)),
        case("/metrics", "/metrics", Status(403)),
    ]
}

fn tempo(below: &str, me: &Side, other: &Side) -> Vec<Case> {
    use Shows::{Mine, Status};
    let at = |path: &str, asked: &str, shows| case(&format!("{below}{path}"), &format!("{below}{asked}"), shows);
    let of = |path: &str, id: &str| path.replace("{id}", id);
    let by = "q=%7B%7D%7Crate()by(span.k8s.namespace.name)";
    vec![
        at("/api/echo", "/api/echo", Status(200)),
        at("/api/status/buildinfo", "/api/status/buildinfo", Status(200)),
        at("/api/traces/{id}", &of("/api/traces/{id}", &me.journey), Mine),
        at("/api/traces/{id}", &of("/api/traces/{id}", &other.journey), Status(404)),
        at("/api/traces/{id}", &of("/api/traces/{id}", &other.native), Status(404)),
        at("/api/v2/traces/{id}", &of("/api/v2/traces/{id}", &me.journey), Mine),
        at("/api/v2/traces/{id}", &of("/api/v2/traces/{id}", &other.native), Status(404)),
        at("/api/search", "/api/search?limit=100&spss=100&q=%7B%7D", Mine),
        at("/api/search/tags", "/api/search/tags", Status(200)),
        at("/api/v2/search/tags", "/api/v2/search/tags", Status(200)),
        at("/api/search/tag/{tag}/values", "/api/search/tag/k8s.namespace.name/values", Mine),
        at("/api/v2/search/tag/{tag}/values", "/api/v2/search/tag/span.k8s.namespace.name/values", Mine),
        at("/api/v2/search/tag/{tag}/values", "/api/v2/search/tag/name/values", Mine),
        at("/api/metrics/query_range", &format!("/api/metrics/query_range?{by}&since=1h&step=60s"), Mine),
        at("/api/metrics/query", &format!("/api/metrics/query?{by}&since=1h"), Mine),
    ]
}

fn jaeger(below: &str, me: &Side, other: &Side) -> Vec<Case> {
    use Shows::{Mine, Status};
    let at = |path: &str, asked: &str, shows| case(&format!("{below}{path}"), &format!("{below}{asked}"), shows);
    let times = "query.startTimeMin=2020-01-01T00:00:00Z&query.startTimeMax=2099-01-01T00:00:00Z";
    let query = format!("query.serviceName=kubernetes&{times}");
    let body = r#"{"query": {"serviceName": "kubernetes", "startTimeMin": "2020-01-01T00:00:00Z", "startTimeMax": "2099-01-01T00:00:00Z"}}"#;
    let posted = |path: &str| Case {
        path: format!("{below}{path}"),
        asked: Asked::post(&format!("{below}{path}"), body),
        shows: Mine,
    };
    vec![
        at("/api/services", "/api/services", Status(200)),
        at("/api/services/{service}/operations", "/api/services/kubernetes/operations", Mine),
        at("/api/operations", "/api/operations?service=kubernetes", Mine),
        at("/api/traces", "/api/traces?service=kubernetes&limit=1000", Mine),
        at("/api/traces", "/api/traces?service=apiserver&limit=1000", Status(200)),
        at("/api/traces/{id}", &format!("/api/traces/{}", me.native), Mine),
        at("/api/traces/{id}", &format!("/api/traces/{}", other.journey), Status(404)),
        at("/api/dependencies", "/api/dependencies?endTs=4000000000000&lookback=4000000000000", Status(200)),
        at("/api/v3/services", "/api/v3/services", Status(200)),
        at("/api/v3/operations", "/api/v3/operations?service=kubernetes", Mine),
        at("/api/v3/traces", &format!("/api/v3/traces?{query}"), Mine),
        posted("/api/v3/traces"),
        at("/api/v3/traces/{id}", &format!("/api/v3/traces/{}", me.journey), Mine),
        at("/api/v3/traces/{id}", &format!("/api/v3/traces/{}", other.native), Status(404)),
        at("/api/v3/trace-summaries", &format!("/api/v3/trace-summaries?{query}"), Mine),
        posted("/api/v3/trace-summaries"),
        at("/api/v3/dependencies", "/api/v3/dependencies", Status(200)),
    ]
}

/// The same over gRPC, where a refusal has the status 200 and says the rest in a header.
fn grpc(me: &Side, other: &Side) -> Vec<Case> {
    use Shows::{Mine, Status};
    let text = |tag: u8, text: &str| [&[tag << 3 | 2, u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
    let moment = |tag: u8, seconds: u32| [&[tag << 3 | 2, 6, 8][..], &varint(seconds)].concat();
    let query = [text(1, "kubernetes"), moment(4, 1_600_000_000), moment(5, 4_000_000_000)].concat();
    let search = [&[10, u8::try_from(query.len()).unwrap()], query.as_slice()].concat();
    let call = |method: &str, message: &[u8], shows| {
        let path = format!("/jaeger.api_v3.QueryService/{method}");
        Case { asked: Asked::call(&path, message), path, shows }
    };
    vec![
        call("GetTrace", &text(1, &me.journey), Mine),
        call("GetTrace", &text(1, &other.journey), Status(200)),
        call("GetTrace", &text(1, &other.native), Status(200)),
        call("FindTraces", &search, Mine),
        call("FindTraceSummaries", &search, Mine),
        call("GetServices", &[], Status(200)),
        call("GetOperations", &text(1, "kubernetes"), Mine),
        call("GetDependencies", &[], Status(200)),
    ]
}

/// A number of more than 28 bits, as protobuf writes it: five bytes of seven bits each.
fn varint(number: u32) -> Vec<u8> {
    let septet = |place: u32| u8::try_from(number >> (7 * place) & 127).unwrap() | if place < 4 { 128 } else { 0 };
    (0..5).map(septet).collect()
}
