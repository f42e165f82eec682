//! What a live source works with, over a store in memory.

use std::path::Path;
use std::sync::Arc;

use clew_collect::intake::Intake;
use clew_collect::live::{Contexts, Parts, Sources};
use clew_collect::redact::Redactor;
use clew_store::Store;
use tokio::sync::mpsc;

use super::memory_store::MemoryStore;

/// The parts, with somebody who takes what is to be woven.
pub(crate) fn parts(store: &Arc<MemoryStore>, folder: Option<&Path>) -> Parts {
    let (sender, mut weaving) = mpsc::channel(16);
    tokio::spawn(async move { while weaving.recv().await.is_some() {} });
    Parts {
        intake: Intake::new(Arc::clone(store) as Arc<dyn Store>, sender),
        redactor: Redactor::new([3; 32]),
        sources: Sources::default(),
        contexts: Arc::new(Contexts::default()),
        folder: folder.map(Path::to_owned),
    }
}
