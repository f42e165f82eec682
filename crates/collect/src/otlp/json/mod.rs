//! A request as one line of OTLP/JSON in the form of a capture: ids in hex, 64-bit numbers as strings, what is empty
//! left out.

mod request;
mod span;
mod value;
mod view;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use view::View;

/// The line.
pub(super) fn line(request: &ExportTraceServiceRequest) -> Result<String, serde_json::Error> {
    serde_json::to_string(&View(request))
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::path::Path;

    use super::*;
    use crate::capture::{BadLines, Capture, ReadOptions, Source, Sources};

    #[test]
    fn a_recorded_request_is_written_as_it_was_recorded() {
        let captures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../captures");
        let options = ReadOptions { sources: Sources::NONE.with(Source::Otlp), ..ReadOptions::default() };
        for (name, lines) in [("broken", 19), ("operator", 17)] {
            let capture = Capture::open(captures.join(name)).expect("a capture");
            let summary = capture.read(&options, &mut BadLines::default(), &mut |recorded, _| {
                let request: ExportTraceServiceRequest = serde_json::from_slice(recorded.bytes).expect("a request");
                let written = line(&request).expect("a line");
                assert!(written.as_bytes() == recorded.bytes, "{name}, line {}", recorded.number);
                ControlFlow::Continue(())
            });
            assert_eq!(summary.lines, lines);
        }
    }
}
