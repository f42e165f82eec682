//! OTLP/JSON, one request a line: to a file or to standard output.

use super::exporter::{Batch, ExportError, ExportFuture, Exported, Exporter, Target};
use crate::otlp;
use crate::sync::lock;
use std::borrow::Cow;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// An exporter that writes lines.
pub(super) struct Lines {
    component: &'static str,
    out: Mutex<Box<dyn Write + Send>>,
}

impl Lines {
    /// Appends to a file.
    pub(super) fn file(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { component: "file_span_exporter", out: Mutex::new(Box::new(file)) })
    }

    /// Writes to standard output.
    pub(super) fn stdout() -> Self {
        Self { component: "stdout_span_exporter", out: Mutex::new(Box::new(io::stdout())) }
    }

    fn write(&self, batch: &Batch) -> Result<Exported, ExportError> {
        let mut line = serde_json::to_vec(&otlp::request(batch))
            .map_err(|error| ExportError::fatal("encoding", format!("encoding a batch failed: {error}")))?;
        line.push(b'\n');
        let mut out = lock(&self.out);
        // One write for the whole line, so that several processes can share a file.
        let written = out.write_all(&line).and_then(|()| out.flush());
        written.map_err(|error| ExportError::retryable("io", format!("writing spans failed: {error}")))?;
        Ok(Exported::default())
    }
}

impl Exporter for Lines {
    fn export(&self, batch: Arc<Batch>) -> ExportFuture {
        Box::pin(std::future::ready(self.write(&batch)))
    }

    fn target(&self) -> Target {
        Target { component: Cow::Borrowed(self.component), ..Target::default() }
    }
}
