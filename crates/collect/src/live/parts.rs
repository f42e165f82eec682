//! What every live source works with.

use std::path::PathBuf;
use std::sync::Arc;

use crate::intake::Intake;
use crate::redact::Redactor;

use super::contexts::Contexts;
use super::sources::Sources;

/// What every live source works with; cheap to clone.
#[derive(Clone)]
pub struct Parts {
    /// Where facts go.
    pub intake: Intake,
    /// What hides secrets; one key for the installation, kept outside the data.
    pub redactor: Redactor,
    /// Where each source says how it is.
    pub sources: Sources,
    /// The trace contexts that objects carry, for the admission webhook.
    pub contexts: Arc<Contexts>,
    /// The folder in which sources keep where they are, beside the data; none to begin anew each time.
    pub folder: Option<PathBuf>,
}
