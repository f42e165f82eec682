//! Which resources are watched: all but the excluded, or the included only.

use std::fmt;
use std::str::FromStr;

use super::resource::Resource;

/// A choice of resources by name.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Only these, unless empty.
    pub include: Vec<Pattern>,
    /// Never these.
    pub exclude: Vec<Pattern>,
}

/// The name of a resource or its kind: `pods`, `deployments.apps`, `Pod`, or `*.GROUP` for all of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(String);

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim().to_lowercase();
        let rest = text.strip_prefix("*.").unwrap_or(&text);
        if rest.is_empty() || rest.contains(['*', '/', ' ']) {
            return Err("name a resource as in `kubectl get`: pods, deployments.apps, *.apps".to_owned());
        }
        Ok(Self(text))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Pattern {
    fn matches(&self, plural: &str, group: &str) -> bool {
        match self.0.split_once('.') {
            None => self.0 == plural,
            Some(("*", wanted)) => wanted == group,
            Some((name, wanted)) => name == plural && wanted == group,
        }
    }
}

impl Pattern {
    /// Whether it names the resource, by its plural or by its kind.
    pub(super) fn names(&self, resource: &Resource) -> bool {
        let kind = resource.kind.to_lowercase();
        self.matches(&resource.plural, &resource.group) || self.matches(&kind, &resource.group)
    }
}

impl Selection {
    pub(super) fn selects(&self, resource: &Resource) -> bool {
        let any = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.names(resource));
        (self.include.is_empty() || any(&self.include)) && !any(&self.exclude)
    }

    /// Whether the resource is to be watched.
    pub fn takes(&self, plural: &str, group: &str) -> bool {
        let any = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(plural, group));
        (self.include.is_empty() || any(&self.include)) && !any(&self.exclude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(names: &[&str]) -> Vec<Pattern> {
        names.iter().map(|name| name.parse().expect("a pattern")).collect()
    }

    #[test]
    fn all_are_taken_unless_something_is_said() {
        assert!(Selection::default().takes("pods", ""));
        let selection = Selection { include: vec![], exclude: patterns(&["leases", "*.example.com"]) };
        assert!(selection.takes("pods", ""));
        assert!(!selection.takes("leases", "coordination.k8s.io"));
        assert!(!selection.takes("things", "example.com"));
    }

    #[test]
    fn only_the_included_are_taken() {
        let selection = Selection { include: patterns(&["Deployments.apps", "pods"]), exclude: vec![] };
        assert!(selection.takes("deployments", "apps"));
        assert!(!selection.takes("deployments", "example.com"));
        assert!(selection.takes("pods", "") && !selection.takes("secrets", ""));
    }

    #[test]
    fn a_pattern_that_cannot_match_is_refused() {
        for text in ["", "*", "*.", "a/b", "po*"] {
            assert!(text.parse::<Pattern>().is_err(), "{text}");
        }
    }
}
