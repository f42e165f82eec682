//! Recording over real sockets and files: the audit webhook, the audit log, OTLP over gRPC and HTTP.

mod common;

use std::fs;
use std::io::Write;
use std::time::Duration;

use clew_collect::CollectError;
use clew_collect::capture::Source;
use clew_collect::record::{AuditFrom, OtlpFrom, Plan};
use common::{Recording, gzip, plan, post};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};
use prost::Message;
use tonic::codec::CompressionEncoding;

const PASSWORD: &str = "hunter2-do-not-store";

fn with_webhook(plan: Plan) -> Plan {
    Plan { audit: Some(AuditFrom::Webhook(([127, 0, 0, 1], 0).into())), ..plan }
}

fn with_otlp(plan: Plan) -> Plan {
    let any = ([127, 0, 0, 1], 0).into();
    Plan { otlp: Some(OtlpFrom { grpc: any, http: any }), ..plan }
}

fn batch(items: &str) -> Vec<u8> {
    format!(r#"{{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[{items}]}}"#).into_bytes()
}

fn request(name: &str) -> ExportTraceServiceRequest {
    let span = Span { name: name.to_owned(), trace_id: vec![7; 16], span_id: vec![9; 8], ..Span::default() };
    let scope_spans = vec![ScopeSpans { spans: vec![span], ..ScopeSpans::default() }];
    ExportTraceServiceRequest { resource_spans: vec![ResourceSpans { scope_spans, ..ResourceSpans::default() }] }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_posted_batch_becomes_redacted_lines() {
    let recording = Recording::start(|out| with_webhook(plan(out)));
    let url = recording.told("webhook at http://", "/audit/").await;
    let secret = format!(
        r#"{{"auditID":"1","objectRef":{{"resource":"secrets"}},"requestObject":{{"stringData":{{"p":"{PASSWORD}"}}}}}}"#
    );
    let body = batch(&format!("{secret},\n{{\"auditID\":\"2\"}}"));
    assert_eq!(post(&url, "/audit/prod", &[], &body).await, 200);
    assert_eq!(post(&url, "/audit", &["Content-Encoding: gzip"], &gzip(&batch(r#"{"auditID":"3"}"#))).await, 200);
    assert_eq!(post(&url, "/elsewhere", &[], &body).await, 404);
    assert_eq!(post(&url, "/audit/prod", &[], b"{").await, 400);
    let (summary, lines) = recording.end().await;
    let audit = &lines[&Source::Audit];
    assert_eq!(audit.len(), 3);
    assert!(!audit[0].contains(PASSWORD) && audit[0].contains("redacted:hmac:"), "{}", audit[0]);
    assert!(audit[1].starts_with(r#"{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"2""#));
    assert_eq!((summary.files.len(), summary.bad), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_over_the_limit_is_refused() {
    let recording = Recording::start(|out| with_webhook(plan(out)));
    let url = recording.told("webhook at http://", "/audit/").await;
    let bomb = gzip(&vec![b' '; 65 * 1024 * 1024]);
    assert!(bomb.len() < 1_000_000);
    assert_eq!(post(&url, "/audit/prod", &["Content-Encoding: gzip"], &bomb).await, 413);
    let (_, lines) = recording.end().await;
    assert!(lines[&Source::Audit].is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_are_taken_over_grpc_and_http() {
    let recording = Recording::start(|out| with_otlp(plan(out)));
    let grpc = recording.told("gRPC at ", "").await;
    let http = recording.told("HTTP at http://", "/v1/traces").await;
    let client = TraceServiceClient::connect(format!("http://{grpc}")).await.expect("connect");
    let mut client = client.send_compressed(CompressionEncoding::Gzip);
    client.export(request("grpc")).await.expect("taken");
    client.export(ExportTraceServiceRequest::default()).await.expect("taken");
    let protobuf = request("http").encode_to_vec();
    let kind = "Content-Type: application/x-protobuf";
    assert_eq!(post(&http, "/v1/traces", &[kind], &protobuf).await, 200);
    assert_eq!(post(&http, "/v1/traces", &[kind, "Content-Encoding: gzip"], &gzip(&protobuf)).await, 200);
    let json = br#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"json","traceId":"","spanId":""}]}]}]}"#;
    assert_eq!(post(&http, "/v1/traces", &["Content-Type: application/json"], json).await, 200);
    assert_eq!(post(&http, "/v1/traces", &["Content-Type: text/plain"], json).await, 415);
    assert_eq!(post(&http, "/v1/traces", &[kind], b"\xff\xff").await, 400);
    // The client still holds its connection: the recording must end all the same.
    let (summary, lines) = recording.end().await;
    drop(client);
    let otlp = &lines[&Source::Otlp];
    assert_eq!((otlp.len(), summary.spans), (4, 4), "a request without spans is left out");
    let id = "07".repeat(16);
    assert!(
        otlp[0].contains(&format!(r#"{{"traceId":"{id}","spanId":"0909090909090909","name":"grpc"}}"#)),
        "{}",
        otlp[0]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_is_followed_through_rotation() {
    let folder = tempfile::tempdir().expect("folder");
    let log = folder.path().join("audit.log");
    fs::write(&log, "{\"auditID\":\"before\"}\n").expect("write");
    let followed = log.clone();
    let recording = Recording::start(|out| Plan { audit: Some(AuditFrom::Log(followed)), ..plan(out) });
    recording.wait_until(|recording| recording.out_has("audit.log.zst")).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let append = |text: &str| {
        let mut file = fs::OpenOptions::new().create(true).append(true).open(&log).expect("open");
        file.write_all(text.as_bytes()).expect("write");
    };
    append("{\"auditID\":\"1\"}\nno JSON\n{\"auditID\":");
    recording.wait_for_lines(Source::Audit, 1).await;
    append("\"2\"}\n");
    fs::rename(&log, folder.path().join("audit-1.log")).expect("rotate");
    append("{\"auditID\":\"3\"}\n");
    recording.wait_for_lines(Source::Audit, 3).await;
    let (summary, lines) = recording.end().await;
    assert_eq!(lines[&Source::Audit], [r#"{"auditID":"1"}"#, r#"{"auditID":"2"}"#, r#"{"auditID":"3"}"#]);
    assert_eq!(summary.bad, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_had_is_told_and_the_rest_is_recorded() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("bind").local_addr().expect("address");
    let held = std::net::TcpListener::bind(taken).expect("hold");
    let recording = Recording::start(|out| {
        let both = Some(OtlpFrom { grpc: taken, http: taken });
        Plan { otlp: both, ..with_webhook(plan(out)) }
    });
    recording.told("webhook at http://", "/audit/").await;
    recording.told("not recorded: cannot listen on ", ":").await;
    let (summary, _) = recording.end().await;
    assert_eq!(summary.files.len(), 1);
    assert_eq!(summary.not_recorded[0].source, Source::Otlp);
    drop(held);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_with_a_capture_is_not_written_over() {
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("watch.jsonl"), "").expect("write");
    let error = common::try_record(with_webhook(plan(folder.path()))).await.expect_err("a capture is there");
    assert!(matches!(error, CollectError::Exists { .. }), "{error}");
    let empty = tempfile::tempdir().expect("folder");
    let error = common::try_record(plan(empty.path())).await.expect_err("no source");
    assert!(matches!(error, CollectError::NothingToRecord { .. }), "{error}");
}
