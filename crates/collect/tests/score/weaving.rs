//! Captures through the weaver, as the commands do it, without a process.

use clew_collect::capture::{BadLines, Capture, ReadOptions};
use clew_collect::decode::Decoder;
use clew_collect::redact::Redactor;
use clew_collect::replay::Replay;
use clew_weave::Journey;

use super::audit::Recording;

/// The journeys of a recording, from the named sources.
pub(crate) fn journeys(recording: &Recording, sources: &str) -> Vec<Journey> {
    let options = ReadOptions { sources: sources.parse().expect("sources"), ..ReadOptions::default() };
    let capture = Capture::open(&recording.path).expect("a capture");
    let mut bad = BadLines::default();
    let mut replay = Replay { options, cluster: "default".to_owned(), keep_native: false, progress: &mut |_| {} };
    let replayed = replay.run(&[capture], &Decoder::new(Redactor::new([7; 32])), &mut bad);
    assert!(bad.is_empty(), "{bad}");
    replayed.journeys
}
