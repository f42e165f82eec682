//! The last moments of a process: spans must be out before it ends, however it ends.

use crate::error::Error;
use crate::runtime::Core;
use crate::sync::lock;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::{Arc, Mutex, Once, Weak};
use std::time::{Duration, Instant};

/// The most tracings of one process that are remembered; the oldest is forgotten.
const MAX_REMEMBERED: usize = 64;
/// How long an end is held up for spans.
const WAIT: Duration = Duration::from_secs(5);

static ALL: Mutex<Vec<Weak<Core>>> = Mutex::new(Vec::new());

/// Remembers a tracing for the end of the process.
pub(crate) fn remember(core: &Arc<Core>) {
    let mut all = lock(&ALL);
    all.retain(|weak| weak.strong_count() > 0);
    if all.len() >= MAX_REMEMBERED {
        all.remove(0);
    }
    all.push(Arc::downgrade(core));
}

/// Exports the spans of all tracings of the process, at most `within` in all; says whether all are out.
pub fn flush_all(within: Duration) -> bool {
    let deadline = Instant::now() + within;
    let cores: Vec<Arc<Core>> = lock(&ALL).iter().filter_map(Weak::upgrade).collect();
    let mut out = true;
    for core in cores {
        out &= core.flush(deadline.saturating_duration_since(Instant::now()));
    }
    out
}

/// Ends the process with a code after its spans are out: use it in place of [`std::process::exit`], which runs no destructor.
pub fn exit(code: i32) -> ! {
    flush_all(WAIT);
    std::process::exit(code)
}

/// From now on a panic, also one that aborts, gets its spans out before anything else happens.
pub fn flush_on_panic() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            before(panic);
            // The export thread's own panics are caught where they happen; waiting for itself would only waste time.
            if std::thread::current().name() != Some("clew-export") {
                flush_all(WAIT);
            }
        }));
    });
}

/// From now on SIGTERM and SIGINT get the spans out, then do what they would have done: end the process.
///
/// For components without a shutdown of their own; others call [`Tracing::shutdown`](crate::Tracing::shutdown) in theirs.
pub fn flush_on_signals() -> Result<(), Error> {
    let mut signals = Signals::new([SIGTERM, SIGINT]).map_err(Error::Thread)?;
    std::thread::Builder::new()
        .name("clew-signals".to_owned())
        .spawn(move || {
            if let Some(signal) = signals.forever().next() {
                flush_all(WAIT);
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        })
        .map_err(Error::Thread)?;
    Ok(())
}
