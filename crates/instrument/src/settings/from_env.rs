//! What the `OTEL_*` variables say, over the defaults.

use super::environment::{Environment, invalid};
use crate::error::Error;
use crate::pipeline::Batching;
use crate::propagate::Propagators;
use crate::sampler::Sampler;
use crate::trace::Limits;
use std::time::Duration;

/// The largest queue that a variable may ask for: a span or two of memory each.
const MAX_QUEUE: u64 = 1_000_000;

/// `OTEL_BSP_*`.
pub(crate) fn batching(env: &Environment) -> Result<Batching, Error> {
    let mut batching = Batching::default();
    if let Some(queue) = env.number("OTEL_BSP_MAX_QUEUE_SIZE")? {
        batching.queue = bounded("OTEL_BSP_MAX_QUEUE_SIZE", queue)?;
    }
    if let Some(batch) = env.number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE")? {
        batching.batch = bounded("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", batch)?;
    }
    batching.batch = batching.batch.min(batching.queue);
    if let Some(delay) = env.milliseconds("OTEL_BSP_SCHEDULE_DELAY")? {
        batching.delay = delay.max(Duration::from_millis(1));
    }
    if let Some(timeout) = env.milliseconds("OTEL_BSP_EXPORT_TIMEOUT")? {
        batching.timeout = timeout;
    }
    for name in ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"] {
        if let Some(timeout) = env.milliseconds(name)? {
            batching.timeout = timeout;
            break;
        }
    }
    Ok(batching)
}

fn bounded(name: &str, value: u64) -> Result<usize, Error> {
    if value == 0 || value > MAX_QUEUE {
        return Err(invalid(name, &value.to_string(), format!("give a number from 1 to {MAX_QUEUE}")));
    }
    Ok(usize::try_from(value).unwrap_or(usize::MAX))
}

/// `OTEL_SPAN_*_LIMIT` and its relatives.
pub(crate) fn limits(env: &Environment) -> Result<Limits, Error> {
    let first = |names: &[&str]| -> Result<Option<usize>, Error> {
        for name in names {
            if let Some(number) = env.number(name)? {
                return Ok(Some(usize::try_from(number).unwrap_or(usize::MAX)));
            }
        }
        Ok(None)
    };
    let defaults = Limits::default();
    Ok(Limits {
        attributes: first(&["OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "OTEL_ATTRIBUTE_COUNT_LIMIT"])?
            .unwrap_or(defaults.attributes),
        value_length: first(&["OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT"])?
            .unwrap_or(defaults.value_length),
        events: first(&["OTEL_SPAN_EVENT_COUNT_LIMIT"])?.unwrap_or(defaults.events),
        links: first(&["OTEL_SPAN_LINK_COUNT_LIMIT"])?.unwrap_or(defaults.links),
        event_attributes: first(&["OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT"])?.unwrap_or(defaults.event_attributes),
        link_attributes: first(&["OTEL_LINK_ATTRIBUTE_COUNT_LIMIT"])?.unwrap_or(defaults.link_attributes),
    })
}

/// `OTEL_PROPAGATORS`.
pub(crate) fn propagators(env: &Environment) -> Result<Propagators, Error> {
    const NAME: &str = "OTEL_PROPAGATORS";
    let Some(value) = env.get(NAME) else { return Ok(Propagators::default()) };
    Propagators::parse(value).map_err(|unknown| {
        let known = "tracecontext, baggage, b3, b3multi, jaeger, none";
        invalid(NAME, value, format!("{unknown:?} is not known; known are {known}"))
    })
}

/// `OTEL_TRACES_SAMPLER` and its argument, for components without a `TracingConfiguration`.
pub(crate) fn sampler(env: &Environment) -> Result<Sampler, Error> {
    const ARGUMENT: &str = "OTEL_TRACES_SAMPLER_ARG";
    let argument = match env.get(ARGUMENT) {
        None => None,
        Some(text) => match text.parse::<f64>() {
            Ok(share) if (0.0..=1.0).contains(&share) => Some(share),
            _ => return Err(invalid(ARGUMENT, text, "give a number from 0 to 1")),
        },
    };
    let name = env.get("OTEL_TRACES_SAMPLER").unwrap_or("parentbased_always_on");
    Sampler::named(name, argument).ok_or_else(|| {
        let known = "always_on, always_off, traceidratio and the same with parentbased_ in front";
        invalid("OTEL_TRACES_SAMPLER", name, format!("known are {known}"))
    })
}

/// How often own metrics are sent: with `OTEL_METRICS_EXPORTER=otlp`, every `OTEL_METRIC_EXPORT_INTERVAL`.
pub(crate) fn metrics_interval(env: &Environment) -> Result<Option<Duration>, Error> {
    if env.get("OTEL_METRICS_EXPORTER") != Some("otlp") {
        return Ok(None);
    }
    let every = env.milliseconds("OTEL_METRIC_EXPORT_INTERVAL")?.unwrap_or(Duration::from_mins(1));
    Ok(Some(every.max(Duration::from_millis(100))))
}
