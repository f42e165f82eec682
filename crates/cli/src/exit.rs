//! How a failure is told: the chain of causes once, on standard error, and exit code 1.

use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

/// Prints why the command failed; colours appear on a terminal only.
pub(crate) fn failed(error: &anyhow::Error) -> ExitCode {
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    anstream::eprintln!("{red}error:{red:#} {}", chain(error));
    ExitCode::FAILURE
}

/// Whether whoever read the output has read enough, as `head` does.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &(dyn std::error::Error + 'static)| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    };
    error.chain().any(broken)
}

/// Joins the causes with colons and leaves out a cause that its parent has already told.
fn chain(error: &anyhow::Error) -> String {
    let mut told = String::new();
    for cause in error.chain() {
        let text = cause.to_string();
        if told.contains(&text) {
            continue;
        }
        if !told.is_empty() {
            told.push_str(": ");
        }
        told.push_str(&text);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::chain;

    #[test]
    fn a_cause_is_told_once() {
        let error = anyhow::anyhow!("file is missing").context("cannot open: file is missing").context("cannot record");
        assert_eq!(chain(&error), "cannot record: cannot open: file is missing");
    }
}
