//! A pipeline's service account: `ci:deployer`, with all rights and a token that the API server signed.

use serde_json::json;

use super::kubectl::Kubectl;
use crate::Result;
use crate::cluster::{Identity, Settings, kubeconfig};
use crate::folders::{RunDir, write};

/// Makes the account and writes its kubeconfig.
pub(crate) fn create(run: &RunDir, settings: &Settings, kubectl: &Kubectl) -> Result<()> {
    let objects = json!({"apiVersion": "v1", "kind": "List", "items": [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ci"}},
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "deployer", "namespace": "ci"}},
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
         "metadata": {"name": "ci-deployer"},
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
         "subjects": [{"kind": "ServiceAccount", "name": "deployer", "namespace": "ci"}]},
    ]});
    // Without the schemas: they take a busy machine longer to load than kubectl waits.
    kubectl.run_with_input(&["create", "--validate=false", "-f", "-"], &objects.to_string())?;
    let token = kubectl.run(&["create", "token", "deployer", "--namespace=ci", "--duration=24h"])?;
    let cluster = settings.options.name.as_str();
    let text = kubeconfig(cluster, settings.api_port, &run.pki("ca.crt"), Identity::Deployer, token.trim());
    write(&run.kubeconfig(Identity::Deployer), text)
}
