//! kube-apiserver: audit of everything, tracing on demand, real TLS, tokens for each identity.

use serde_json::json;

use super::Component;
use super::flags::flags;
use crate::Result;
use crate::cluster::{Options, Settings};
use crate::folders::{RunDir, write};
use crate::node::address;
use crate::node::probe::Probe;

/// The audit log turns over after this many MiB; a test that writes more loses its oldest part.
const AUDIT_LOG_MIB: &str = "2048";

/// The API server, with its configuration files written.
pub(crate) fn api_server(run: &RunDir, settings: &Settings) -> Result<Component> {
    let mut arguments = basics(run, settings.api_port);
    arguments.extend(audit(run, &settings.options)?);
    arguments.extend(tracing(run, &settings.options)?);
    let program = settings.tools.kubernetes().join("kube-apiserver");
    Ok(Component { name: "kube-apiserver", program, arguments, probe: Probe::ApiServer(settings.api_port) })
}

fn basics(run: &RunDir, port: u16) -> Vec<String> {
    let service_accounts = run.pki("service-accounts.key");
    flags! {
        "etcd-servers": format!("http://127.0.0.1:{}", address::ETCD.0),
        "secure-port": port.to_string(),
        "bind-address": "0.0.0.0",
        "advertise-address": address::NODE,
        "cert-dir": run.state().join("apiserver"),
        "tls-cert-file": run.pki("apiserver.crt"),
        "tls-private-key-file": run.pki("apiserver.key"),
        "service-account-key-file": service_accounts,
        "service-account-signing-key-file": service_accounts,
        "service-account-issuer": "https://kubernetes.default.svc",
        "service-cluster-ip-range": address::SERVICES,
        "authorization-mode": "Node,RBAC",
        "enable-admission-plugins": "NodeRestriction",
        "token-auth-file": run.pki("tokens.csv"),
        "allow-privileged": "true",
        "kubelet-preferred-address-types": "InternalIP",
    }
}

fn audit(run: &RunDir, options: &Options) -> Result<Vec<String>> {
    let policy = json!({
        "apiVersion": "audit.k8s.io/v1",
        "kind": "Policy",
        "omitStages": ["RequestReceived"],
        "rules": [{"level": "RequestResponse"}],
    });
    write(&run.config("audit-policy.json"), policy.to_string())?;
    let mut arguments = flags! {
        "audit-policy-file": run.config("audit-policy.json"),
        "audit-log-path": run.audit_log(),
        "audit-log-maxsize": AUDIT_LOG_MIB,
        "audit-log-maxbackup": "1",
    };
    if let Some(url) = &options.audit_webhook {
        let config = json!({
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "sink", "cluster": {"server": url}}],
            "contexts": [{"name": "sink", "context": {"cluster": "sink", "user": ""}}],
            "current-context": "sink",
        });
        write(&run.config("audit-webhook.json"), config.to_string())?;
        // By default a batch waits for 30 s, and the first retry for 10 s: longer than most tests.
        arguments.extend(flags! {
            "audit-webhook-config-file": run.config("audit-webhook.json"),
            "audit-webhook-batch-max-wait": "1s",
            "audit-webhook-initial-backoff": "1s",
        });
    }
    Ok(arguments)
}

fn tracing(run: &RunDir, options: &Options) -> Result<Vec<String>> {
    let Some(endpoint) = &options.tracing_endpoint else {
        return Ok(Vec::new());
    };
    let config = json!({
        "apiVersion": "apiserver.config.k8s.io/v1",
        "kind": "TracingConfiguration",
        "endpoint": endpoint,
        "samplingRatePerMillion": options.sampling_rate_per_million,
    });
    write(&run.config("tracing.json"), config.to_string())?;
    Ok(flags! { "tracing-config-file": run.config("tracing.json") })
}
