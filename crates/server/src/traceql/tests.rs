//! Queries as people and Grafana write them, over a small trace.

use clew_model::{Span, SpanId, SpanKind, Status, Time, TraceId};
use clew_store::{AttributeScope, Column, Comparison, Field, Filter, Operand as StoreOperand};

use super::*;

/// apply(1) ─┬─ create pods(2) ── RunPodSandbox(3)
///           └─ create pods(4)          and a stranger(5) whose parent is elsewhere
fn trace() -> Vec<Span> {
    let span = |id: u8, parent: Option<u8>, name: &str, service: &str, millis: i64| {
        let start = Time::from_nanos(i64::from(id) * 1_000_000);
        let mut span = Span::new(TraceId::from_bytes([7; 16]), SpanId::from_bytes([id; 8]), name, start);
        span.parent = parent.map(|parent| SpanId::from_bytes([parent; 8]));
        span.end = Some(start.saturating_add(millis * 1_000_000));
        let mut resource = clew_model::Attributes::new();
        resource.insert("service.name", service);
        span.resource = resource.into();
        span
    };
    let mut spans = vec![
        span(1, None, "apply", "kubectl", 100),
        span(2, Some(1), "create pods", "apiserver", 20),
        span(3, Some(2), "RunPodSandbox", "kubelet", 50),
        span(4, Some(1), "create pods", "apiserver", 10),
        span(5, Some(9), "poll", "kubelet", 1),
    ];
    spans[1].kind = SpanKind::Server;
    spans[1].attributes.insert("http.status_code", 201);
    spans[2].status = Status::error("no such image");
    spans[2].attributes.insert("retry", true);
    spans
}

fn found(text: &str) -> Vec<u8> {
    let query = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let spans = trace();
    let view = TraceView::new(&spans);
    let groups = Evaluator::new(&query).groups(&view);
    groups.into_iter().flat_map(|group| group.spans).map(|place| view.spans[place].span_id.to_bytes()[0]).collect()
}

#[test]
fn conditions_choose_spans() {
    assert_eq!(found("{}"), [1, 2, 3, 4, 5]);
    assert_eq!(found("{ true }"), [1, 2, 3, 4, 5]);
    assert_eq!(found("{ false }"), [] as [u8; 0]);
    assert_eq!(found(r#"{ resource.service.name = "kubelet" }"#), [3, 5]);
    assert_eq!(found(r#"{ .service.name != "kubelet" && duration >= 20ms }"#), [1, 2]);
    assert_eq!(found("{ span.http.status_code > 200.5 }"), [2]);
    assert_eq!(found("{ span.http.status_code != 7 }"), [2], "what is missing is not unequal");
    assert_eq!(found("{ span.http.status_code != \"x\" }"), [] as [u8; 0], "a number is no text");
    assert_eq!(found("{ .http.status_code = nil }"), [1, 3, 4, 5]);
    assert_eq!(found("{ span.http.status_code != nil }"), [2]);
    assert_eq!(found("{ status = error }"), [3]);
    assert_eq!(found("{ kind = server }"), [2]);
    assert_eq!(found(r#"{ name =~ "create.*" }"#), [2, 4]);
    assert_eq!(found(r#"{ name =~ "reate" }"#), [] as [u8; 0], "an expression matches as a whole");
    assert_eq!(found(r#"{ name !~ "create.*|poll" }"#), [1, 3]);
    assert_eq!(found("{ .retry }"), [3]);
    assert_eq!(found("{ !(.retry = true) && !(status = unset) }"), [] as [u8; 0]);
    assert_eq!(found(r#"{ statusMessage = "no such image" }"#), [3]);
    assert_eq!(found(r#"{ rootName = "apply" && rootServiceName = `kubectl` && traceDuration > 99ms }"#).len(), 5);
    assert_eq!(found(r#"{ span:id = "0303030303030303" }"#), [3]);
}

#[test]
fn grafana_finds_the_roots() {
    assert_eq!(found("{nestedSetParent<0 && true}"), [1]);
    assert_eq!(found("{ nestedSetParent = -1 }"), [1]);
    assert_eq!(found("{ nestedSetParent > 0 }"), [2, 3, 4]);
}

/// What the query builder, Explore and Traces Drilldown send by themselves.
#[test]
fn what_grafana_sends_by_itself_is_understood() {
    for query in [
        "{}",
        "{resource.service.name=\"kubelet\" && name=~\"sync.*|kill.*\" && duration>100ms && span.http.status_code=200}",
        "{resource.service.name=~\"a|b\" && status=error && kind=server && traceDuration>1.5s}",
        "{nestedSetParent<0 && true} | rate() by(resource.service.name)",
        "{nestedSetParent<0 && true && status = error} | rate() with(sample=true)",
        "{nestedSetParent<0 && true} | histogram_over_time(duration) with(sample=true)",
        "{nestedSetParent<0 && true} | quantile_over_time(duration, 0.9) by (span.http.method)",
        "{nestedSetParent<0 && true && span.x != nil} | rate() by(span.x)",
        "({nestedSetParent<0 && true} &>> { kind = server }) | select(status, resource.service.name, name, \
         nestedSetParent, nestedSetLeft, nestedSetRight)",
        "{true} >> { status = error } | select(resource.service.name,name)",
        "{ resource.service.name != nil } | rate() by(resource.service.name)",
        "{ .\"with space\" = `raw \\ text` } || { span:statusMessage != \"\" }",
    ] {
        if let Err(error) = parse(query) {
            panic!("{query}: {error}");
        }
    }
}

#[test]
fn a_long_chain_is_a_flat_filter() {
    let chain = |how: &str| format!("{{ {} }}", vec!["span.x = 1"; 120].join(how));
    let Filter::And(all) = filter(&chain(" && ")).filter else { panic!("all of them") };
    let Filter::Or(any) = filter(&chain(" || ")).filter else { panic!("one of them") };
    assert_eq!((all.len(), any.len()), (120, 120));
}

#[test]
fn and_and_or_bind_alike_from_the_left_as_in_tempo() {
    assert_eq!(found("{ true || false && false }"), [] as [u8; 0]);
    assert_eq!(found("{ true || (false && false) }").len(), 5);
}

#[test]
fn structure_relates_sets() {
    assert_eq!(found(r#"{ name = "apply" } >> { status = error }"#), [3]);
    assert_eq!(found(r#"{ name = "apply" } > { status = error }"#), [] as [u8; 0]);
    assert_eq!(found(r#"{ name = "apply" } > { }"#), [2, 4]);
    assert_eq!(found("{ status = error } < { }"), [2]);
    assert_eq!(found("{ status = error } << { }"), [1, 2]);
    assert_eq!(found("{ kind = server } ~ { }"), [4]);
    assert_eq!(found(r#"{ name = "apply" } !>> { }"#), [1, 5]);
    assert_eq!(found(r#"{ name = "apply" } &>> { status = error }"#), [1, 3]);
    assert_eq!(found(r#"{ name = "apply" } && { name = "poll" }"#), [1, 5]);
    assert_eq!(found(r#"{ name = "apply" } && { name = "nothing" }"#), [] as [u8; 0]);
    assert_eq!(found(r#"{ name = "apply" } || { name = "nothing" }"#), [1]);
}

#[test]
fn stages_narrow_and_group() {
    assert_eq!(found(r#"{ name = "create pods" } | count() > 1"#), [2, 4]);
    assert_eq!(found(r#"{ name = "create pods" } | count() > 2"#), [] as [u8; 0]);
    assert_eq!(found("{} | by(resource.service.name) | count() > 1"), [2, 4, 3, 5]);
    assert_eq!(found("{} | by(name) | max(duration) >= 50ms"), [1, 3]);
    assert_eq!(found("{} | { status = error } | select(span.retry, name)"), [3]);
}

#[test]
fn a_circle_of_parents_ends() {
    let mut spans = trace();
    spans[0].parent = Some(spans[2].span_id);
    let view = TraceView::new(&spans);
    let query = parse("{ } >> { } || { } << { }").unwrap();
    assert_eq!(Evaluator::new(&query).groups(&view).len(), 0);
}

fn error(text: &str) -> String {
    parse(text).expect_err(text).to_string()
}

#[test]
fn what_is_not_known_is_named_with_its_place() {
    let cases = [
        ("", "position 1: a set of spans, `{ … }`, is expected, not the end"),
        ("{ duration > }", "position 14: a field or a value is expected, not `}`"),
        ("{ duration > traceDuration / 2 }", "position 28: arithmetic with `/` is not supported: compare with a value"),
        ("{ event.name = 1 }", "position 3: attributes of `event` are not supported: use `span.`, `resource.` or `.`"),
        ("{ foo = 1 }", "position 3: `foo` is not supported: write `.foo` for an attribute of that name"),
        ("{ link:traceID = 1 }", "position 3: `link:traceID` is not supported"),
        ("{ name =~ \"(\" }", "position 11: this is no regular expression that clew takes: unclosed group"),
        ("{ name =~ 5 }", "position 11: a regular expression is expected: a text in quotes"),
        ("{ } | compare({ })", "position 7: `| compare` is not supported"),
        ("{ } | quantile_over_time(duration, 7)", "position 36: a quantile is a number from 0 to 1"),
        ("({ } | count() > 1) && { }", "position 6: a pipeline inside brackets is not supported"),
        ("{ .ä = \"x }", "position 9: the text is not closed"),
        ("{ } ? { }", "position 5: `?` has no meaning here"),
        ("{ } { }", "position 5: `{` is not expected here"),
    ];
    for (text, expected) in cases {
        let error = error(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn size_and_depth_have_limits() {
    assert!(error(&format!("{{ {} }}", "(".repeat(10_000))).contains("nested deeper than 64"));
    assert!(error(&format!("{{ {}true }}", "!".repeat(10_000))).contains("at most 256 operators"));
    assert!(error(&format!("{{}} {}", "&& {} ".repeat(300))).contains("at most 256 operators"));
    assert!(error(&" ".repeat(17_000)).contains("longer than"));
}

fn filter(text: &str) -> Candidates {
    candidates(&parse(text).unwrap())
}

fn is(column: Column, how: Comparison, operand: StoreOperand) -> Filter {
    Filter::Compare(column.into(), how, operand)
}

#[test]
fn what_a_store_can_tell_is_asked_of_it() {
    let found = filter(r#"{ resource.service.name = "kubelet" && duration > 1s && span.x = nil }"#);
    let service = is(Column::Service, Comparison::Equal, StoreOperand::Text("kubelet".into()));
    let duration = is(Column::Duration, Comparison::Greater, StoreOperand::Int(1_000_000_000));
    let missing = Filter::Not(Box::new(Filter::Exists(Field::Attribute(AttributeScope::Span, "x".into()))));
    assert_eq!(found.filter, Filter::And(vec![service, duration, missing]));
    assert!(found.exact);
    let roots = Filter::Not(Box::new(Filter::Exists(Column::ParentId.into())));
    assert_eq!(filter("{nestedSetParent<0 && true}"), Candidates { filter: roots, exact: true });
}

#[test]
fn what_only_a_trace_tells_is_left_open() {
    let error = is(Column::Status, Comparison::Equal, StoreOperand::Text("error".into()));
    let found = filter("{ traceDuration > 1s && status = error }");
    assert_eq!(found, Candidates { filter: error.clone(), exact: false });
    assert_eq!(filter("{ traceDuration > 1s || status = error }").filter, Filter::All);
    assert_eq!(filter("{ !(traceDuration > 1s) }").filter, Filter::All);
    assert_eq!(filter("{ } >> { status = error }").filter, error);
    assert_eq!(filter("{ status = error } >> { }").filter, error);
    assert_eq!(filter("{ status = error } !>> { }").filter, Filter::All);
    let root = is(Column::SpanName, Comparison::Equal, StoreOperand::Text("apply".into()));
    assert_eq!(filter(r#"{ rootName = "apply" }"#).filter, root);
}
