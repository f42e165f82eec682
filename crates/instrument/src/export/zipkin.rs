//! Zipkin's v2 JSON, by OpenTelemetry's rules for the translation.

use super::exporter::{Batch, ExportError, ExportFuture, Exported, Exporter, Target};
use super::http_client::HttpClient;
use crate::attribute::{Attribute, Value};
use crate::config::Endpoint;
use crate::net::{Connector, Dialer, TlsFiles, client_config};
use crate::trace::{Kind, SpanRecord, Status};
use bytes::Bytes;
use http::{Request, header};
use http_body_util::Full;
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Zipkin's own address.
pub(super) const DEFAULT: &str = "http://localhost:9411/api/v2/spans";

/// An exporter to a Zipkin server.
pub(super) struct Zipkin {
    client: HttpClient,
    endpoint: Endpoint,
    path: String,
}

impl Zipkin {
    /// Reads the URL of the spans' endpoint.
    pub(super) fn new(url: &str, dialer: Dialer) -> Result<Self, String> {
        let (scheme, rest) = url.split_once("://").ok_or("give a URL like http://localhost:9411/api/v2/spans")?;
        let (authority, path) = rest.split_once('/').unwrap_or((rest, "api/v2/spans"));
        let tls = match scheme {
            "http" => None,
            "https" => Some(client_config(&TlsFiles::default(), b"http/1.1")?),
            _ => return Err(format!("the scheme {scheme} is not known: give http or https")),
        };
        let endpoint = Endpoint::authority(authority, if tls.is_some() { 443 } else { 9411 })?;
        let connector = Connector { dialer, to: endpoint.clone(), tls };
        Ok(Self { client: HttpClient::new(connector), endpoint, path: format!("/{path}") })
    }
}

impl Exporter for Zipkin {
    fn export(&self, batch: Arc<Batch>) -> ExportFuture {
        let body = Bytes::from(Json::from(spans(&batch)).to_string());
        let request = Request::post(format!("http://{}{}", self.endpoint, self.path))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(body))
            .map_err(|error| ExportError::fatal("encoding", error.to_string()));
        let client = self.client.clone();
        Box::pin(async move {
            client.send(request?).await?;
            Ok(Exported::default())
        })
    }

    fn target(&self) -> Target {
        Target {
            component: Cow::Borrowed("zipkin_http_span_exporter"),
            address: Some(self.endpoint.host().to_owned()),
            port: self.endpoint.port(),
        }
    }
}

fn spans(batch: &Batch) -> Vec<Json> {
    let service = batch.resource.iter().find(|attribute| attribute.key == "service.name");
    let service = service.map(|attribute| attribute.value.to_string()).unwrap_or_default();
    batch.spans.iter().map(|span| one(span, &service)).collect()
}

fn one(span: &SpanRecord, service: &str) -> Json {
    let mut tags = tags(&span.attributes);
    if let Status::Error(why) = &span.status {
        tags.insert("error".to_owned(), json!(why));
        tags.insert("otel.status_code".to_owned(), json!("ERROR"));
    }
    let took = span.end.duration_since(span.start).unwrap_or_default().as_micros();
    let mut json = json!({
        "traceId": span.context.trace_id().to_string(),
        "id": span.context.span_id().to_string(),
        "name": span.name,
        "timestamp": micros(span.start),
        // Zipkin takes a duration of 0 for an unknown one.
        "duration": took.max(1),
        "localEndpoint": { "serviceName": service },
        "tags": tags,
    });
    let Json::Object(fields) = &mut json else { return json };
    if let Some(parent) = span.parent {
        fields.insert("parentId".to_owned(), json!(parent.to_string()));
    }
    match span.kind {
        Kind::Server => drop(fields.insert("kind".to_owned(), json!("SERVER"))),
        Kind::Client => drop(fields.insert("kind".to_owned(), json!("CLIENT"))),
        Kind::Internal => {}
    }
    let annotations: Vec<Json> = span
        .events
        .iter()
        .map(|event| {
            let value = if event.attributes.is_empty() {
                event.name.to_string()
            } else {
                format!("{:?}: {}", event.name, Json::Object(tags_of_event(&event.attributes)))
            };
            json!({ "timestamp": micros(event.time), "value": value })
        })
        .collect();
    if !annotations.is_empty() {
        fields.insert("annotations".to_owned(), Json::from(annotations));
    }
    json
}

fn tags(attributes: &[Attribute]) -> Map<String, Json> {
    // Zipkin's tags are texts.
    let text = |value: &Value| match value {
        Value::Texts(texts) => json!(texts).to_string(),
        other => other.to_string(),
    };
    attributes.iter().map(|attribute| (attribute.key.to_string(), Json::from(text(&attribute.value)))).collect()
}

fn tags_of_event(attributes: &[Attribute]) -> Map<String, Json> {
    let value = |value: &Value| match value {
        Value::Bool(value) => json!(value),
        Value::Int(value) => json!(value),
        Value::Float(value) => json!(value),
        Value::Text(value) => json!(value),
        Value::Texts(values) => json!(values),
    };
    attributes.iter().map(|attribute| (attribute.key.to_string(), value(&attribute.value))).collect()
}

fn micros(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}
