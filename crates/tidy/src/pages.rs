//! Every crate and every module opens with a page that says what lives there.

use crate::sources::Source;

/// Rust files that do not open with `//!`; unit tests beside their code need no page of their own.
pub fn missing(sources: &[Source]) -> Vec<String> {
    let opens_with_page = |source: &Source| {
        let mut lines = source.text.lines().skip_while(|line| line.starts_with("#!") || line.trim().is_empty());
        lines.next().is_some_and(|line| line.starts_with("//! "))
    };
    sources
        .iter()
        .filter(|source| source.is_rust() && !source.path.ends_with("/tests.rs"))
        .filter(|source| !opens_with_page(source))
        .map(|source| format!("{}: open it with a //! line that says what lives there", source.path))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_page_is_a_fault() {
        let sources = [
            Source::new("a/src/lib.rs", "//! What lives here.\n"),
            Source::new("b/src/main.rs", "#![no_main]\n\n//! What lives here.\n"),
            Source::new("c/src/lib.rs", "// Nothing.\nfn main() {}\n"),
            Source::new("d/src/lib.rs", ""),
            Source::new("d/src/x/tests.rs", ""),
        ];
        let faults = missing(&sources);
        assert_eq!(faults.len(), 2);
        assert!(faults[0].starts_with("c/src/lib.rs: "));
    }
}
