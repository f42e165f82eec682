//! clew as a plugin of kubectl: under the name `kubectl-clew` it is `clew kubectl`.

use std::ffi::OsString;
use std::path::Path;

const PLUGIN: &str = "kubectl-clew";

/// The command line, with what the program's name means.
pub(crate) fn arguments(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = given.collect();
    let plugin = arguments.first().is_some_and(|name| Path::new(name).file_stem().is_some_and(|stem| stem == PLUGIN));
    if plugin {
        arguments.insert(1, "kubectl".into());
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::arguments;

    #[test]
    fn the_name_of_the_plugin_stands_for_a_command() {
        let line = |words: &[&str]| arguments(words.iter().map(Into::into));
        assert_eq!(
            line(&["/bin/kubectl-clew", "--wait", "apply"]),
            ["/bin/kubectl-clew", "kubectl", "--wait", "apply"]
        );
        assert_eq!(line(&["clew", "up"]), ["clew", "up"]);
    }
}
