//! A test's name is a sentence that is true.

use crate::length::function_name;
use crate::sources::Source;

/// Tests whose names are no sentences.
pub fn no_sentences(sources: &[Source]) -> Vec<String> {
    let mut faults = Vec::new();
    for source in sources.iter().filter(|source| source.is_rust()) {
        for name in tests_of(&source.text).into_iter().filter(|name| !is_sentence(name)) {
            faults.push(format!(
                "{}: test {name}: name it by a sentence that is true, such as late_audit_moves_nothing",
                source.path
            ));
        }
    }
    faults
}

fn is_sentence(name: &str) -> bool {
    name.split('_').count() >= 3 && !name.starts_with("test_")
}

fn tests_of(text: &str) -> Vec<&str> {
    let mut tests = Vec::new();
    let mut is_test = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("#[test]") || trimmed.starts_with("#[tokio::test") {
            is_test = true;
        } else if let Some(name) = function_name(line) {
            if is_test {
                tests.push(name);
            }
            is_test = false;
        }
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_no_sentence_is_a_fault() {
        let text = "#[test]\nfn parse() {}\n#[tokio::test(flavor = \"x\")]\n#[ignore]\nasync fn test_that_it_works() {}\n#[test]\nfn late_audit_moves_nothing() {}\nfn helper() {}\n";
        let faults = no_sentences(&[Source::new("a.rs", text)]);
        assert_eq!(faults.len(), 2, "{faults:?}");
    }
}
