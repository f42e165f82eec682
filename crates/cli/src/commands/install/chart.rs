//! The Helm chart, filled in without Helm: the little of its language that the chart uses.
//!
//! `{{ .Values.NAME }}` and `{{ .Release.Namespace }}` anywhere; `{{- if .Values.NAME }}`, `{{- if not .Values.NAME }}` and
//! `{{- end }}` on lines of their own. A test compares it with what Helm prints.

use std::collections::BTreeMap;

use anyhow::{Context, bail};

const NAMESPACE: &str = include_str!("../../../../../deploy/namespace.yaml");
const VALUES: &str = include_str!("../../../../../deploy/chart/values.yaml");
const TEMPLATES: [&str; 4] = [
    include_str!("../../../../../deploy/chart/templates/rights.yaml"),
    include_str!("../../../../../deploy/chart/templates/own.yaml"),
    include_str!("../../../../../deploy/chart/templates/serve.yaml"),
    include_str!("../../../../../deploy/chart/templates/network.yaml"),
];

/// What the chart is filled in with, by the names that it uses.
pub(super) struct Values(BTreeMap<String, String>);

impl Values {
    /// The values of the chart's own file.
    pub(super) fn defaults(namespace: &str) -> anyhow::Result<Self> {
        let is_fit = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if namespace.is_empty() || !namespace.bytes().all(is_fit) {
            bail!("{namespace:?} is no name of a namespace: use small letters, digits and hyphens");
        }
        let mut values = BTreeMap::from([(".Release.Namespace".to_owned(), namespace.to_owned())]);
        for line in VALUES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (name, value) = line.split_once(": ").with_context(|| format!("values.yaml: {line}"))?;
            values.insert(format!(".Values.{name}"), value.trim_matches('"').to_owned());
        }
        Ok(Self(values))
    }

    /// Sets one of them, given as `NAME=VALUE`.
    pub(super) fn set(&mut self, given: &str) -> anyhow::Result<()> {
        let (name, value) = given.split_once('=').with_context(|| format!("--set {given}: write NAME=VALUE"))?;
        if value.contains(|letter: char| letter.is_control() || " {}#'\"".contains(letter)) {
            bail!("--set {given}: a value is one plain word");
        }
        let Some(known) = self.0.get_mut(&format!(".Values.{name}")) else {
            let names: Vec<&str> = self.0.keys().filter_map(|name| name.strip_prefix(".Values.")).collect();
            bail!("there is no value {name}: there are {}", names.join(", "));
        };
        value.clone_into(known);
        Ok(())
    }

    /// The namespace and all objects in it, as `kubectl apply` takes them.
    pub(super) fn manifests(&self) -> anyhow::Result<String> {
        let texts = [NAMESPACE].into_iter().chain(TEMPLATES).map(|template| self.fill(template));
        Ok(texts.collect::<anyhow::Result<Vec<_>>>()?.join("---\n"))
    }

    fn fill(&self, template: &str) -> anyhow::Result<String> {
        let (mut text, mut shown) = (String::new(), Vec::new());
        for line in template.lines() {
            let word = line.trim().strip_prefix("{{- ").and_then(|line| line.strip_suffix(" }}"));
            match word.and_then(|word| word.strip_prefix("if ")) {
                Some(asked) => shown.push(self.holds(asked)?),
                None if word == Some("end") => drop(shown.pop()),
                None if shown.iter().all(|shown| *shown) => {
                    text.push_str(&self.line(line)?);
                    text.push('\n');
                }
                None => {}
            }
        }
        Ok(text)
    }

    /// As Helm does: what is empty or false does not hold.
    fn holds(&self, asked: &str) -> anyhow::Result<bool> {
        let (name, wanted) = asked.strip_prefix("not ").map_or((asked, true), |name| (name, false));
        let value = self.0.get(name).with_context(|| format!("the chart asks for {name}, which has no value"))?;
        Ok((!value.is_empty() && value != "false") == wanted)
    }

    fn line(&self, line: &str) -> anyhow::Result<String> {
        let mut text = line.to_owned();
        for (name, value) in &self.0 {
            text = text.replace(&format!("{{{{ {name} }}}}"), value);
        }
        if text.contains("{{") {
            bail!("the chart has a line that cannot be filled in: {line}");
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifests(set: &[&str]) -> anyhow::Result<String> {
        let mut values = Values::defaults("tracing")?;
        set.iter().try_for_each(|given| values.set(given))?;
        values.manifests()
    }

    #[test]
    fn every_value_is_filled_in_and_what_was_not_asked_for_is_left_out() {
        let text = manifests(&["storageClass=fast", "image=registry.example/clew:1"]).expect("manifests");
        for there in
            ["storageClassName: fast", "image: registry.example/clew:1", "--webhook=tracing/clew", "--tls-own="]
        {
            assert!(text.contains(there), "{there}");
        }
        assert!(!text.contains("{{") && !text.contains("--tls-cert"));
        let text = manifests(&["webhook=false", "certificate=clew-tls"]).expect("manifests");
        assert!(!text.contains("MutatingWebhookConfiguration") && !text.contains("--tls-own"));
        assert!(text.contains("--webhook-ca-from=tracing/clew-tls") && text.contains("secretName: clew-tls"));
    }

    #[test]
    fn clew_may_ask_about_users_only_if_they_may_look() {
        let text = manifests(&[]).expect("manifests");
        assert!(text.contains("system:auth-delegator") && text.contains("--access=kubernetes"));
        let text = manifests(&["users=false"]).expect("manifests");
        assert!(!text.contains("system:auth-delegator") && text.contains("--access=own"));
    }

    #[test]
    fn a_value_that_nobody_asks_for_or_that_would_change_the_text_is_refused() {
        let error = manifests(&["imgae=x"]).expect_err("unknown").to_string();
        assert!(error.contains("storageClass"), "{error}");
        for wrong in ["image", "image=a b", "image=x\n  privileged: true", "storage={{ .Values.image }}"] {
            assert!(manifests(&[wrong]).is_err(), "{wrong}");
        }
        assert!(Values::defaults("a b").is_err());
    }
}
