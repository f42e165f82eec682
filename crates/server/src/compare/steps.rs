//! The steps of a journey: its spans under names that do not depend on one run.

use clew_model::Span;

/// The step that a span is part of; none for spans that are no step of their own.
pub(super) fn step(span: &Span) -> Option<String> {
    match span.attributes.get_str("clew.kind")? {
        "object" => Some(format!("{} converges", span.name.split(' ').next()?)),
        "phase" => Some(phase(&span.name).to_owned()),
        "gap" | "request" | "cri" => Some(span.name.to_string()),
        _ => None,
    }
}

/// What a pod's phase is called.
fn phase(name: &str) -> &str {
    match name {
        "queued" => "scheduling",
        "sandbox" => "pod sandbox",
        "image" => "image pull",
        "create" => "container create",
        "start" => "container start",
        "terminating" => "pod termination",
        other => other,
    }
}
