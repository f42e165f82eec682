//! The bare OpenTelemetry SDK, doing by hand what a component would do without this crate.
#![allow(dead_code, reason = "each benchmark takes what it needs")]

use http::{HeaderMap, Request};
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{Span, SpanKind, TraceContextExt, Tracer, TracerProvider};
use opentelemetry::{Context, ContextGuard, KeyValue};
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracer, SdkTracerProvider, SpanData, SpanExporter,
};
use std::hint::black_box;
use std::time::Duration;

/// An exporter that takes everything and keeps nothing.
#[derive(Debug)]
struct Nowhere;

impl SpanExporter for Nowhere {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        black_box(batch);
        Ok(())
    }
}

/// A provider with Kubernetes' sampler and the SDK's own batching.
pub(crate) struct Sdk {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    propagator: TraceContextPropagator,
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}

impl Sdk {
    pub(crate) fn sampled() -> Self {
        Self::new(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(1.0))), Duration::from_secs(5))
    }

    pub(crate) fn unsampled() -> Self {
        Self::new(Sampler::ParentBased(Box::new(Sampler::AlwaysOff)), Duration::from_secs(5))
    }

    /// One that exports nothing by itself, so that its queue fills.
    pub(crate) fn idle() -> Self {
        Self::new(Sampler::AlwaysOn, Duration::from_hours(1))
    }

    fn new(sampler: Sampler, delay: Duration) -> Self {
        let mut config = BatchConfigBuilder::default().with_max_queue_size(32_768).with_scheduled_delay(delay);
        if delay > Duration::from_mins(1) {
            config = config.with_max_queue_size(2048).with_max_export_batch_size(2048);
        }
        let processor = BatchSpanProcessor::builder(Nowhere).with_batch_config(config.build()).build();
        let provider = SdkTracerProvider::builder().with_sampler(sampler).with_span_processor(processor).build();
        let tracer = provider.tracer("bench");
        Self { provider, tracer, propagator: TraceContextPropagator::new() }
    }

    /// A server request: extract, start, make current, end.
    pub(crate) fn request(&self, request: &Request<()>) {
        let parent = self.propagator.extract_with_context(&Context::new(), &Headers(request.headers()));
        let span =
            self.tracer.span_builder("GET").with_kind(SpanKind::Server).start_with_context(&self.tracer, &parent);
        let context = parent.with_span(span);
        {
            let _current = context.clone().attach();
            black_box(request);
        }
        context.span().end();
    }

    /// A root span that is current while the guard lives.
    pub(crate) fn enter_root(&self) -> ContextGuard {
        let root = self.tracer.start_with_context("request", &Context::new());
        Context::new().with_span(root).attach()
    }

    /// One span as a component makes it: below the current one, four attributes, one event.
    pub(crate) fn span(&self) {
        let attributes = [
            KeyValue::new("a", "text"),
            KeyValue::new("b", 1),
            KeyValue::new("c", true),
            KeyValue::new("d", String::from("dynamic")),
        ];
        let mut span = self.tracer.span_builder("Create etcd3").with_attributes(attributes).start(&self.tracer);
        span.add_event("Txn call succeeded", vec![KeyValue::new("len", 5)]);
        span.end();
    }

    /// A root span with two attributes.
    pub(crate) fn root_span(&self) {
        let attributes = [KeyValue::new("a", "text"), KeyValue::new("b", 1)];
        let builder = self.tracer.span_builder("Create").with_attributes(attributes);
        builder.start_with_context(&self.tracer, &Context::new()).end();
    }

    pub(crate) fn flush(&self) {
        assert!(self.provider.force_flush().is_ok(), "the exporter takes everything");
    }
}
