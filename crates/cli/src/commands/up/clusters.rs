//! Which clusters `clew up` follows, and what of them.

use std::path::PathBuf;

use anyhow::Context;
use clew_collect::live::watch::Settings as WatchSettings;
use clew_collect::live::{Connection, connect};
use clew_collect::watch::{Pattern, Scope, Selection};
use serde::Deserialize;

/// The clusters to follow; none without a kubeconfig, a context or a pod's account.
#[derive(Debug, Clone, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(crate) struct Clusters {
    /// A kubeconfig of a cluster to follow; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub(crate) kubeconfig: Vec<PathBuf>,
    /// A context of the kubeconfig; may be given several times.
    #[arg(long, value_name = "NAME")]
    context: Vec<String>,
    /// Follow objects in these namespaces only.
    #[arg(long, value_name = "NAMESPACE", value_delimiter = ',')]
    namespaces: Vec<String>,
    /// Follow only these resources: pods, deployments.apps, *.example.com.
    #[arg(long, value_name = "RESOURCE", value_delimiter = ',')]
    include: Vec<String>,
    /// Do not follow these resources.
    #[arg(long, value_name = "RESOURCE", value_delimiter = ',')]
    exclude: Vec<String>,
    /// Read whole Secrets, which are kept as keyed hashes; otherwise only their metadata are asked for.
    #[arg(long)]
    secrets: bool,
    /// The API server's audit log, followed through rotation.
    #[arg(long, value_name = "FILE")]
    pub(crate) audit_log: Option<PathBuf>,
}

impl Clusters {
    /// What the flags leave open is taken from the file.
    pub(super) fn or(self, file: Self) -> Self {
        let either = |flag: Vec<String>, file: Vec<String>| if flag.is_empty() { file } else { flag };
        Self {
            kubeconfig: if self.kubeconfig.is_empty() { file.kubeconfig } else { self.kubeconfig },
            context: either(self.context, file.context),
            namespaces: either(self.namespaces, file.namespaces),
            include: either(self.include, file.include),
            exclude: either(self.exclude, file.exclude),
            secrets: self.secrets || file.secrets,
            audit_log: self.audit_log.or(file.audit_log),
        }
    }

    /// The ways to the clusters. A pod follows the cluster that it runs in, unless told otherwise.
    pub(crate) async fn connections(&self, name: Option<&str>) -> anyhow::Result<Vec<Connection>> {
        let in_cluster = std::env::var_os("KUBERNETES_SERVICE_HOST").is_some();
        let contexts: Vec<Option<&str>> = match self.context.as_slice() {
            [] => vec![None],
            contexts => contexts.iter().map(|context| Some(context.as_str())).collect(),
        };
        let mut connections = Vec::new();
        for kubeconfig in &self.kubeconfig {
            for context in &contexts {
                connections.push(connect(Some(kubeconfig), *context).await.context("cannot reach a cluster")?);
            }
        }
        if self.kubeconfig.is_empty() && (in_cluster || !self.context.is_empty()) {
            for context in contexts {
                connections.push(connect(None, context).await.context("cannot reach a cluster")?);
            }
        }
        if let (Some(name), [only]) = (name, connections.as_mut_slice()) {
            only.cluster = name.into();
        }
        Ok(connections)
    }

    /// What of them is watched.
    pub(crate) fn watch(&self) -> anyhow::Result<WatchSettings> {
        let selection = Selection { include: patterns(&self.include)?, exclude: patterns(&self.exclude)? };
        let scope = Scope { namespaces: self.namespaces.clone(), ..Scope::from(selection) };
        Ok(WatchSettings { scope, secrets: self.secrets, ..WatchSettings::default() })
    }
}

fn patterns(texts: &[String]) -> anyhow::Result<Vec<Pattern>> {
    let parse = |text: &String| text.parse().map_err(|error| anyhow::anyhow!("{text} names no resources: {error}"));
    texts.iter().map(parse).collect()
}
