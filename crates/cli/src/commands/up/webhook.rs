//! Whether the API server calls clew, and what clew makes for itself to be called.

use anyhow::bail;
use clew_server::admission::Reached;
use serde::Deserialize;

/// The port of a Service that others call.
const PORT: u16 = 443;
const NAME: &str = "clew";

/// The admission webhook, and the certificate that it is called with.
#[derive(Debug, Clone, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(crate) struct WebhookSettings {
    /// Have the API server call clew at creates and changes: by a Service, NAMESPACE/NAME, or at https://HOST:PORT.
    #[arg(long, value_name = "WHERE", env = "CLEW_WEBHOOK")]
    pub(crate) webhook: Option<String>,
    /// The name of the webhook's configuration in the cluster [default: clew].
    #[arg(long, value_name = "NAME", env = "CLEW_WEBHOOK_NAME")]
    pub(crate) webhook_name: Option<String>,
    /// Let cert-manager say whom the API server trusts: its Certificate, NAMESPACE/NAME.
    #[arg(long, value_name = "CERTIFICATE", env = "CLEW_WEBHOOK_CA_FROM", requires = "tls_cert")]
    pub(crate) webhook_ca_from: Option<String>,
    /// Listen with a certificate of clew's own making, for these names and addresses and the webhook's.
    #[arg(long, value_name = "NAME", env = "CLEW_TLS_OWN", value_delimiter = ',', conflicts_with = "tls_cert")]
    pub(crate) tls_own: Vec<String>,
    /// Keep what clew makes for itself (authority, token, key) in this Secret of the pod's namespace, not in files.
    #[arg(long, value_name = "NAME", env = "CLEW_OWN_SECRET")]
    pub(crate) own_secret: Option<String>,
}

impl WebhookSettings {
    /// What the flags leave open is taken from the file.
    pub(super) fn or(self, file: Self) -> Self {
        Self {
            webhook: self.webhook.or(file.webhook),
            webhook_name: self.webhook_name.or(file.webhook_name),
            webhook_ca_from: self.webhook_ca_from.or(file.webhook_ca_from),
            tls_own: if self.tls_own.is_empty() { file.tls_own } else { self.tls_own },
            own_secret: self.own_secret.or(file.own_secret),
        }
    }

    /// Whether clew makes its certificate itself, unless files hold one.
    pub(crate) fn makes_own(&self) -> bool {
        self.webhook.is_some() || !self.tls_own.is_empty()
    }

    /// The name of the webhook's configuration.
    pub(crate) fn name(&self) -> &str {
        self.webhook_name.as_deref().unwrap_or(NAME)
    }

    /// How the API server reaches the webhook, if it is to.
    pub(crate) fn reached(&self) -> anyhow::Result<Option<Reached>> {
        let Some(text) = self.webhook.as_deref() else { return Ok(None) };
        if text.starts_with("https://") && url::Url::parse(text).is_ok_and(|url| url.host().is_some()) {
            return Ok(Some(Reached::Url(text.to_owned())));
        }
        match text.split_once('/') {
            Some((namespace, name)) if is_name(namespace) && is_name(name) => {
                Ok(Some(Reached::Service { namespace: namespace.to_owned(), name: name.to_owned(), port: PORT }))
            }
            _ => bail!("--webhook {text} is neither NAMESPACE/SERVICE nor https://HOST:PORT"),
        }
    }

    /// The names and addresses of a certificate of clew's own making.
    pub(crate) fn names(&self) -> anyhow::Result<Vec<String>> {
        let mut names = match self.reached()? {
            Some(Reached::Service { namespace, name, .. }) => {
                ["", ".cluster.local"].map(|end| format!("{name}.{namespace}.svc{end}")).to_vec()
            }
            Some(Reached::Url(text)) => url::Url::parse(&text)?.host().as_ref().map(host).into_iter().collect(),
            None => Vec::new(),
        };
        names.extend(self.tls_own.iter().cloned());
        names.extend(["localhost", "127.0.0.1", "::1"].map(str::to_owned));
        names.dedup();
        Ok(names)
    }
}

/// An address without the brackets that a URL puts around it.
fn host(host: &url::Host<&str>) -> String {
    match host {
        url::Host::Domain(name) => (*name).to_owned(),
        url::Host::Ipv4(address) => address.to_string(),
        url::Host::Ipv6(address) => address.to_string(),
    }
}

fn is_name(text: &str) -> bool {
    let is_fit = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.len() <= 63 && text.bytes().all(is_fit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(webhook: &str) -> WebhookSettings {
        WebhookSettings { webhook: Some(webhook.to_owned()), ..WebhookSettings::default() }
    }

    #[test]
    fn a_service_and_an_address_give_the_names_of_the_certificate() {
        let names = called("tracing/clew").names().expect("names");
        assert_eq!(names[..2], ["clew.tracing.svc", "clew.tracing.svc.cluster.local"]);
        assert_eq!(called("https://10.0.0.1:2539").names().expect("names")[0], "10.0.0.1");
        assert_eq!(called("https://[fd00::1]:2539").names().expect("names")[0], "fd00::1");
    }

    #[test]
    fn anything_else_is_refused() {
        for wrong in ["clew", "a/b/c", "http://127.0.0.1", "https://", "A/b", "/clew"] {
            assert!(called(wrong).reached().is_err(), "{wrong}");
        }
    }
}
