//! What the tests of the API share: a small store in memory, filled from the repository's captures, and a client.
#![allow(dead_code, unused_imports, reason = "each test binary uses a part of it")]

mod ask;
mod memory;
mod statistics;

pub(crate) use ask::{Answer, ask, ask_with, body_of, pretty};
pub(crate) use memory::Memory;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use clew_collect::capture::{BadLines, Capture, ReadOptions};
use clew_collect::decode::Decoder;
use clew_collect::redact::Redactor;
use clew_collect::replay::{Replay, Replayed};
use clew_server::{App, router};

/// A capture of the repository, woven.
pub(crate) fn woven(capture: &str) -> Replayed {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../captures").join(capture);
    let capture = Capture::open(&folder).expect("a capture of the repository");
    let mut replay =
        Replay { options: ReadOptions::default(), cluster: "lab".to_owned(), keep_native: true, progress: &mut |_| {} };
    replay.run(&[capture], &Decoder::new(Redactor::new([7; 32])), &mut BadLines::default())
}

/// A store with what `captures/rollout` holds; weaving it once is enough for all tests of a process.
pub(crate) fn rollout() -> Arc<Memory> {
    static STORE: OnceLock<Arc<Memory>> = OnceLock::new();
    Arc::clone(STORE.get_or_init(|| Arc::new(Memory::of("lab", woven("rollout")))))
}

/// The app over `captures/rollout`.
pub(crate) fn app() -> App {
    App::new(rollout())
}

/// Asks the app over `captures/rollout`.
pub(crate) async fn get(path: &str) -> Answer {
    ask(router(app()), path).await
}
