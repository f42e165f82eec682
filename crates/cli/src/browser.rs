//! The page in the user's browser.

use std::io::IsTerminal;
use std::process::{Command, Stdio};

/// Opens an address in the browser, if a person sits there and there is one; says nothing if not.
pub(crate) fn open(url: &str) {
    let graphical =
        cfg!(target_os = "macos") || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if !std::io::stdout().is_terminal() || !graphical {
        return;
    }
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = || Stdio::null();
    let _ = Command::new(opener).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
}
