//! The operators that are not ours: unmodified, each built from a small module of its own below `e2e/operators`.

use std::path::PathBuf;

use super::golang::{GoBuild, Manifests};
use crate::Result;

/// One of them.
#[derive(Debug)]
pub(super) struct Operator {
    /// Its folder below `e2e/operators`, and what a scene calls it.
    pub(super) name: &'static str,
    pub(super) packages: &'static [&'static str],
    /// The definitions of its resources, for those that a scene does not bring itself.
    pub(super) crds: Option<Manifests>,
    /// How long its build takes when nothing is cached.
    pub(super) minutes: &'static str,
}

const OPERATORS: [Operator; 11] = [
    Operator {
        name: "argo-cd",
        packages: &["github.com/argoproj/argo-cd/v3/cmd"],
        crds: Some(crds(&[("github.com/argoproj/argo-cd/v3", "manifests/crds")])),
        minutes: "about 10 minutes",
    },
    Operator {
        name: "certs",
        packages: &["github.com/cert-manager/cert-manager/cmd/controller"],
        crds: Some(crds(&[("github.com/cert-manager/cert-manager", "deploy/crds")])),
        minutes: "about 5 minutes",
    },
    Operator {
        name: "elastic",
        packages: &["github.com/elastic/cloud-on-k8s/v3/cmd"],
        crds: Some(crds(&[("github.com/elastic/cloud-on-k8s/v3", "config/crds/v1/all-crds.yaml")])),
        minutes: "about 4 minutes",
    },
    Operator {
        name: "flagger",
        packages: &["github.com/fluxcd/flagger/cmd/flagger"],
        crds: Some(crds(&[("github.com/fluxcd/flagger", "artifacts/flagger/crd.yaml")])),
        minutes: "about 3 minutes",
    },
    Operator {
        name: "flux",
        packages: &[
            "github.com/fluxcd/source-controller",
            "github.com/fluxcd/kustomize-controller",
            "github.com/fluxcd/helm-controller",
        ],
        crds: Some(crds(&[
            ("github.com/fluxcd/source-controller", "config/crd/bases"),
            ("github.com/fluxcd/kustomize-controller", "config/crd/bases"),
            ("github.com/fluxcd/helm-controller", "config/crd/bases"),
        ])),
        minutes: "about 10 minutes",
    },
    Operator {
        name: "kyverno",
        packages: &["github.com/kyverno/kyverno/cmd/kyverno", "github.com/kyverno/kyverno/cmd/background-controller"],
        crds: Some(crds(&[
            ("github.com/kyverno/kyverno", "config/crds/kyverno"),
            ("github.com/kyverno/kyverno", "config/crds/policies.kyverno.io"),
            ("github.com/kyverno/kyverno", "config/crds/policyreport"),
            ("github.com/kyverno/kyverno", "config/crds/reports"),
        ])),
        minutes: "about 10 minutes",
    },
    Operator {
        name: "prometheus-operator",
        packages: &["github.com/prometheus-operator/prometheus-operator/cmd/operator"],
        crds: Some(crds(&[("github.com/prometheus-operator/prometheus-operator", "example/prometheus-operator-crd")])),
        minutes: "about 4 minutes",
    },
    Operator {
        name: "rollouts",
        packages: &["github.com/argoproj/argo-rollouts/cmd/rollouts-controller"],
        crds: Some(crds(&[("github.com/argoproj/argo-rollouts", "manifests/crds")])),
        minutes: "about 5 minutes",
    },
    Operator {
        name: "sealed-secrets",
        packages: &[
            "github.com/bitnami-labs/sealed-secrets/cmd/controller",
            "github.com/bitnami-labs/sealed-secrets/cmd/kubeseal",
        ],
        crds: None,
        minutes: "about a minute",
    },
    Operator {
        name: "training-operator",
        packages: &["github.com/kubeflow/training-operator/cmd/training-operator.v1"],
        crds: Some(crds(&[("github.com/kubeflow/training-operator", "manifests/base/crds")])),
        minutes: "about 3 minutes",
    },
    Operator {
        name: "trust-manager",
        packages: &["github.com/cert-manager/trust-manager/cmd/trust-manager"],
        crds: Some(crds(&[("github.com/cert-manager/trust-manager", "deploy/crds")])),
        minutes: "about 3 minutes",
    },
];

const fn crds(sources: &'static [(&'static str, &'static str)]) -> Manifests {
    Manifests { file: "crds.yaml", sources }
}

/// The folder of an operator's binaries and its `crds.yaml`, built first if it is missing; `None` if there is no such operator.
pub(crate) fn operator(name: &str, tell: &mut dyn FnMut(&str)) -> Result<Option<PathBuf>> {
    let found = OPERATORS.iter().find(|operator| operator.name == name);
    found.map(|operator| GoBuild::operator(operator).ensure(tell)).transpose()
}

#[cfg(test)]
mod tests {
    use super::OPERATORS;
    use crate::folders::repository;

    #[test]
    fn every_operator_has_its_module_and_every_module_its_operator() {
        let modules = std::fs::read_dir(repository().join("e2e/operators")).unwrap().flatten();
        let mut modules: Vec<String> = modules.map(|entry| entry.file_name().into_string().unwrap()).collect();
        modules.sort();
        assert_eq!(modules, OPERATORS.map(|operator| operator.name));
    }
}
