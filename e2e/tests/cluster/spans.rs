//! Reading the spans that the sink of the testkit received.

use clew_testkit::otlp::Sink;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;

/// A span as these tests look at it.
pub(crate) struct Seen {
    pub(crate) service: String,
    pub(crate) name: String,
    attributes: Vec<KeyValue>,
}

impl Seen {
    pub(crate) fn attribute(&self, key: &str) -> &str {
        text(&self.attributes, key)
    }
}

/// All spans so far, with the service that sent each.
pub(crate) fn seen(sink: &Sink) -> Vec<Seen> {
    let mut found = Vec::new();
    for received in sink.received() {
        for resource_spans in received.request.resource_spans {
            let resource = resource_spans.resource.unwrap_or_default();
            let service = text(&resource.attributes, "service.name").to_owned();
            let spans = resource_spans.scope_spans.into_iter().flat_map(|scope| scope.spans);
            found.extend(spans.map(|span| Seen {
                service: service.clone(),
                name: span.name,
                attributes: span.attributes,
            }));
        }
    }
    found
}

fn text<'a>(attributes: &'a [KeyValue], key: &str) -> &'a str {
    let value = attributes.iter().find(|attribute| attribute.key == key);
    match value.and_then(|attribute| attribute.value.as_ref()).and_then(|value| value.value.as_ref()) {
        Some(Value::StringValue(text)) => text,
        _ => "",
    }
}
