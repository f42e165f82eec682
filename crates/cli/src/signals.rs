//! Ending well when asked to.

use anyhow::Context;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Becomes true on Ctrl-C or SIGTERM; a second signal ends the process, should the first not be enough.
pub(crate) fn ended() -> anyhow::Result<watch::Receiver<bool>> {
    let (stop, stopped) = watch::channel(false);
    stop_on_signal(stop)?;
    Ok(stopped)
}

/// Tells on Ctrl-C or SIGTERM; a second signal ends the process, should the first not be enough.
pub(crate) fn stop_on_signal(stop: watch::Sender<bool>) -> anyhow::Result<()> {
    let told = "cannot wait for signals";
    let mut interrupt = signal(SignalKind::interrupt()).context(told)?;
    let mut terminate = signal(SignalKind::terminate()).context(told)?;
    tokio::spawn(async move {
        for code in [None, Some(1)] {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if let Some(code) = code {
                std::process::exit(code);
            }
            stop.send_replace(true);
        }
    });
    Ok(())
}
