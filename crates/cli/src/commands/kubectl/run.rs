//! Running kubectl itself.

use std::io::Write;
use std::process::{ExitCode, ExitStatus};

use anyhow::Context;
use clew_collect::live::connect;
use clew_collect::live::proxy::{ProxiedWrite, Proxy};
use clew_model::{SpanId, TraceId};
use serde_json::json;

use super::Kubectl;

const NOT_FOUND: &str = "cannot run kubectl: is it on the PATH?";

impl Kubectl {
    /// As if clew were not there.
    pub(super) fn directly(&self) -> anyhow::Result<ExitCode> {
        let mut command = std::process::Command::new("kubectl");
        if let Some(kubeconfig) = &self.kubeconfig {
            command.env("KUBECONFIG", kubeconfig);
        }
        let context = self.context.iter().flat_map(|context| ["--context", context.as_str()]);
        let status = command.args(&self.command).args(context).status().context(NOT_FOUND)?;
        let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
        Ok(ExitCode::from(code))
    }

    /// Through a proxy that adds a trace; says what was written.
    pub(super) async fn proxied(&self) -> anyhow::Result<(ExitStatus, Vec<ProxiedWrite>)> {
        let connection = connect(self.kubeconfig.as_deref(), self.context.as_deref()).await;
        let client = connection.context("cannot reach the cluster")?.client;
        let namespace = client.default_namespace().to_owned();
        let (trace, span) = context()?;
        let proxy = Proxy::start(client, trace, span).await.context("cannot start the proxy on this machine")?;
        let mut kubeconfig = tempfile::NamedTempFile::new().context("cannot make a kubeconfig for the proxy")?;
        let text = to_proxy(&proxy, &namespace);
        kubeconfig.write_all(text.as_bytes()).context("cannot write a kubeconfig for the proxy")?;
        let mut command = tokio::process::Command::new("kubectl");
        command.args(&self.command).env("KUBECONFIG", kubeconfig.path());
        command.env("TRACEPARENT", format!("00-{trace}-{span}-01"));
        let status = command.status().await.context(NOT_FOUND)?;
        Ok((status, proxy.writes()))
    }
}

/// A kubeconfig with the proxy as its only cluster; the proxy brings the credentials.
fn to_proxy(proxy: &Proxy, namespace: &str) -> String {
    json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "clew", "cluster": {"server": format!("http://{}", proxy.address())}}],
        "users": [],
        "contexts": [{"name": "clew", "context": {"cluster": "clew", "user": "", "namespace": namespace}}],
        "current-context": "clew",
    })
    .to_string()
}

/// The command's own context: nothing caused it, so that nothing determines its ids.
fn context() -> anyhow::Result<(TraceId, SpanId)> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).context("cannot make the ids of a trace")?;
    let (trace, span) = bytes.split_at(16);
    let trace = TraceId::from_slice(trace).context("a trace id has 16 bytes")?;
    Ok((trace, SpanId::from_slice(span).context("a span id has 8 bytes")?))
}
