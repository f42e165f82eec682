//! Running other programs: one way to do it, with errors that say what they printed.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Error, Result};

/// The end of a failed program's output that an error repeats.
const OUTPUT_LIMIT: usize = 2000;

/// Runs `command` to its end and returns what it printed.
pub(crate) fn run(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().map_err(start_error(command))?;
    finish(command, &output)
}

/// Runs `command` with `input` on its standard input and returns what it printed.
pub(crate) fn run_with_input(command: &mut Command, input: &str) -> Result<String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(start_error(command))?;
    let written = child.stdin.take().map_or(Ok(()), |mut pipe| pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().map_err(start_error(command))?;
    let text = finish(command, &output)?;
    written.map_err(start_error(command))?;
    Ok(text)
}

/// Runs `command` to its end with its output in sight of the person who waits.
pub(crate) fn run_visibly(command: &mut Command) -> Result<()> {
    // Standard output belongs to the lines that a shell may evaluate.
    command.stdin(Stdio::null()).stdout(std::io::stderr());
    let status = command.status().map_err(start_error(command))?;
    if status.success() {
        return Ok(());
    }
    Err(Error::Failed {
        program: shown(command),
        status: status.to_string(),
        output: "see its output above".to_owned(),
    })
}

/// The last `lines` lines of a file, or a note that there are none.
pub(crate) fn tail(path: &Path, lines: usize) -> String {
    let text = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let all: Vec<&str> = text.trim_end().lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

fn finish(command: &Command, output: &std::process::Output) -> Result<String> {
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let mut text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if text.is_empty() {
        String::from_utf8_lossy(&output.stdout).trim().clone_into(&mut text);
    }
    Err(Error::Failed { program: shown(command), status: output.status.to_string(), output: end_of(&text) })
}

/// The last characters of a text, as many as an error repeats.
fn end_of(text: &str) -> String {
    let skipped = text.chars().count().saturating_sub(OUTPUT_LIMIT);
    text.chars().skip(skipped).collect()
}

fn start_error(command: &Command) -> impl Fn(std::io::Error) -> Error {
    let program = command.get_program().to_string_lossy().into_owned();
    move |source| Error::Start { program: program.clone(), source }
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args()).take(5);
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_repeats_what_the_program_said() {
        let error = run(Command::new("sh").args(["-c", "echo why >&2; exit 3"])).unwrap_err().to_string();
        assert!(error.contains("why") && error.contains('3'), "{error}");
    }

    #[test]
    fn a_missing_program_says_how_to_get_it() {
        let error = run(&mut Command::new("no-such-program")).unwrap_err().to_string();
        assert!(error.contains("no-such-program") && error.contains("cargo xtask setup"), "{error}");
    }

    #[test]
    fn input_reaches_the_program() {
        assert_eq!(run_with_input(&mut Command::new("cat"), "thread").unwrap(), "thread");
    }
}
