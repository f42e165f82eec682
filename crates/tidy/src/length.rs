//! Files have one subject, functions fit a screen.

use crate::exceptions::Exceptions;
use crate::sources::Source;

/// A longer file has more than one subject.
pub const MAX_FILE: usize = 400;
/// A longer function does not fit a screen.
pub const MAX_FUNCTION: usize = 70;
/// Most files are shorter than this.
pub const USUAL_FILE: usize = 150;

/// Files that are too long, and exceptions that are no longer needed.
pub fn files(sources: &[Source], exceptions: &Exceptions) -> Vec<String> {
    let mut faults = Vec::new();
    for source in sources.iter().filter(|source| source.is_code()) {
        let lines = source.text.lines().count();
        let exception = exceptions.file.iter().find(|exception| exception.path == source.path);
        let limit = exception.map_or(MAX_FILE, |exception| exception.lines);
        if lines > limit {
            faults.push(format!(
                "{}: {lines} lines, limit {limit}: split it by subject, or name it in crates/tidy/exceptions.toml with its reason",
                source.path
            ));
        }
        if exception.is_some() && lines <= MAX_FILE {
            faults.push(format!("{}: short enough again: remove its exception", source.path));
        }
    }
    let gone = |path: &str| !sources.iter().any(|source| source.path == path);
    let stale = exceptions.file.iter().filter(|exception| gone(&exception.path));
    faults.extend(stale.map(|exception| format!("{}: is gone: remove its exception", exception.path)));
    faults
}

/// Says so when most Rust files are longer than is usual.
pub fn most_files(sources: &[Source]) -> Vec<String> {
    let rust: Vec<_> = sources.iter().filter(|source| source.is_rust()).collect();
    let long = rust.iter().filter(|source| source.text.lines().count() > USUAL_FILE).count();
    if 2 * long <= rust.len() {
        return Vec::new();
    }
    vec![format!("{long} of {} Rust files are longer than {USUAL_FILE} lines: split some by subject", rust.len())]
}

/// Functions that are too long, and exceptions that are no longer needed.
pub fn functions(sources: &[Source], exceptions: &Exceptions) -> Vec<String> {
    let mut faults = Vec::new();
    let mut used = vec![false; exceptions.function.len()];
    for source in sources.iter().filter(|source| source.is_rust()) {
        for (name, lines) in functions_of(&source.text).into_iter().filter(|(_, lines)| *lines > MAX_FUNCTION) {
            let place = exceptions.function.iter().position(|e| e.path == source.path && e.name == name);
            let limit = place.map_or(MAX_FUNCTION, |place| exceptions.function[place].lines);
            if let Some(place) = place {
                used[place] = true;
            }
            if lines > limit {
                faults.push(format!(
                    "{}: fn {name} has {lines} lines, limit {limit}: take a part out, or name it in crates/tidy/exceptions.toml with its reason",
                    source.path
                ));
            }
        }
    }
    let stale = exceptions.function.iter().zip(used).filter(|(_, used)| !used);
    faults.extend(stale.map(|(exception, _)| {
        format!("{}: fn {} is short enough or gone: remove its exception", exception.path, exception.name)
    }));
    faults
}

/// Each function with a body and its length, as rustfmt lays it out: it ends at the brace below its beginning.
fn functions_of(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut functions = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let signature_end = lines[start..].iter().position(|line| line.ends_with(['{', ';', '}']));
        let Some(body) = signature_end.filter(|end| lines[start + end].ends_with('{')) else {
            continue;
        };
        let indent = &line[..line.len() - line.trim_start().len()];
        let closing = format!("{indent}}}");
        let end = lines[start + body..].iter().position(|line| *line == closing);
        functions.push((name.to_owned(), end.map_or(0, |end| body + end + 1)));
    }
    functions
}

/// The name of the function that the line begins.
pub(crate) fn function_name(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    while let Some(word) = ["pub ", "pub(crate) ", "pub(super) ", "const ", "async ", "unsafe "]
        .iter()
        .find(|word| rest.starts_with(**word))
    {
        rest = &rest[word.len()..];
    }
    let name = rest.strip_prefix("fn ")?;
    name.split(['(', '<']).next().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exceptions::{LongFile, LongFunction};

    fn function(lines: usize) -> String {
        format!(
            "impl X {{\n    pub async fn long(\n        &self,\n    ) {{\n{}    }}\n}}\n",
            "        x();\n".repeat(lines - 4)
        )
    }

    #[test]
    fn a_long_file_is_a_fault_until_it_is_excepted() {
        let sources = [Source::new("a.rs", "x\n".repeat(401)), Source::new("a.md", "x\n".repeat(401))];
        assert_eq!(files(&sources, &Exceptions::default()).len(), 1);
        let exception = |lines| LongFile { path: "a.rs".into(), lines, reason: String::new() };
        let with = |lines| Exceptions { file: vec![exception(lines)], ..Exceptions::default() };
        assert_eq!(files(&sources, &with(410)), Vec::<String>::new());
        assert_eq!(files(&sources, &with(400)).len(), 1);
    }

    #[test]
    fn an_exception_that_is_not_needed_is_a_fault() {
        let exception = |path: &str| LongFile { path: path.into(), lines: 500, reason: String::new() };
        let exceptions =
            Exceptions { file: vec![exception("short.rs"), exception("gone.rs")], ..Exceptions::default() };
        let faults = files(&[Source::new("short.rs", "x\n")], &exceptions);
        assert_eq!(faults.len(), 2, "{faults:?}");
    }

    #[test]
    fn a_long_function_is_a_fault_until_it_is_excepted() {
        let short = [Source::new("a.rs", function(70))];
        assert_eq!(functions(&short, &Exceptions::default()), Vec::<String>::new());
        let long = [Source::new("a.rs", function(71))];
        let faults = functions(&long, &Exceptions::default());
        assert!(faults[0].starts_with("a.rs: fn long has 71 lines, limit 70"), "{faults:?}");

        let exception = LongFunction { path: "a.rs".into(), name: "long".into(), lines: 80, reason: String::new() };
        let exceptions = Exceptions { function: vec![exception], ..Exceptions::default() };
        assert_eq!(functions(&long, &exceptions), Vec::<String>::new());
        assert_eq!(functions(&short, &exceptions).len(), 1);
    }

    #[test]
    fn functions_without_a_body_have_no_length() {
        let text = "trait X {\n    fn a(&self);\n    fn b() {}\n}\nconst fn c() {\n    1\n}\n";
        assert_eq!(functions_of(text), [("c".to_owned(), 3)]);
    }

    #[test]
    fn most_files_are_short() {
        let (long, short) = ("x\n".repeat(151), "x\n");
        let sources = [Source::new("a.rs", long.clone()), Source::new("b.rs", short)];
        assert_eq!(most_files(&sources), Vec::<String>::new());
        assert_eq!(most_files(&[Source::new("a.rs", long)]).len(), 1);
    }
}
