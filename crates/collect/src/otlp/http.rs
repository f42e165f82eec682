//! OTLP over HTTP: protobuf or JSON, posted to `/v1/traces`.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use prost::Message;
use tokio::net::TcpListener;

use super::keep::keep;
use crate::http::{MAX_BODY, plain_body};
use crate::record::Context;

const PROTOBUF: &str = "application/x-protobuf";
const JSON: &str = "application/json";

/// Serves the receiver until it is aborted.
pub(crate) async fn serve(listener: TcpListener, context: Context) {
    let app = Router::new()
        .route("/v1/traces", post(take))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(context.clone());
    if let Err(error) = axum::serve(listener, app).await {
        context.notice(format!("the HTTP receiver ended: {error}"));
    }
}

async fn take(
    State(context): State<Context>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, (StatusCode, String)> {
    let body = plain_body(&headers, body, MAX_BODY)?;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    let decoded = match kind {
        PROTOBUF => ExportTraceServiceRequest::decode(body).ok(),
        JSON => serde_json::from_slice(&body).ok(),
        _ => {
            let text = format!("content type must be {PROTOBUF} or {JSON}\n");
            return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
        }
    };
    let Some(request) = decoded else {
        context.queue.count_bad(1);
        return Err((StatusCode::BAD_REQUEST, "the body is no ExportTraceServiceRequest\n".to_owned()));
    };
    let kept = keep(&context, &request).await;
    kept.map_err(|stopped| (StatusCode::SERVICE_UNAVAILABLE, format!("{stopped}\n")))?;
    Ok(answer(kind))
}

/// The answer in the form of the question, as OTLP asks for.
fn answer(kind: &str) -> Response {
    if kind == JSON {
        return ([(header::CONTENT_TYPE, JSON)], "{}").into_response();
    }
    let body = ExportTraceServiceResponse::default().encode_to_vec();
    ([(header::CONTENT_TYPE, PROTOBUF)], body).into_response()
}
