//! kube-controller-manager and kube-scheduler.

use super::Component;
use super::flags::flags;
use crate::cluster::{Identity, Settings};
use crate::folders::RunDir;
use crate::node::probe::Probe;

/// The built-in controllers, each with its own service account, so that audit tells them apart.
pub(crate) fn controller_manager(run: &RunDir, settings: &Settings) -> Component {
    let mut arguments = common(run, Identity::ControllerManager);
    arguments.extend(flags! {
        "service-account-private-key-file": run.pki("service-accounts.key"),
        "root-ca-file": run.pki("ca.crt"),
        "cluster-signing-cert-file": run.pki("ca.crt"),
        "cluster-signing-key-file": run.pki("ca.key"),
        "use-service-account-credentials": "true",
    });
    let program = settings.tools.kubernetes().join("kube-controller-manager");
    Component { name: "kube-controller-manager", program, arguments, probe: Probe::Port(10257) }
}

/// The scheduler.
pub(crate) fn scheduler(run: &RunDir, settings: &Settings) -> Component {
    let arguments = common(run, Identity::Scheduler);
    let program = settings.tools.kubernetes().join("kube-scheduler");
    Component { name: "kube-scheduler", program, arguments, probe: Probe::Port(10259) }
}

fn common(run: &RunDir, identity: Identity) -> Vec<String> {
    let kubeconfig = run.kubeconfig(identity);
    flags! {
        "kubeconfig": kubeconfig,
        "authentication-kubeconfig": kubeconfig,
        "authorization-kubeconfig": kubeconfig,
        "cert-dir": run.state().join(identity.to_string()),
        "bind-address": "127.0.0.1",
        "leader-elect": "false",
    }
}
