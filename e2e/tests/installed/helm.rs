//! The Helm chart: the same objects as `clew install` prints, taken by a real API server, and gone after `helm uninstall`.

use std::path::Path;
use std::process::Command;

use clew_e2e::{Cluster, Identity, Options, folders, images, tools};

use crate::harness::{eventually, name, turn, up};
use crate::objects::objects;
use crate::pod::manifests;

/// Helm, with a home of its own.
struct Helm<'a> {
    program: std::path::PathBuf,
    home: &'a Path,
}

impl Helm<'_> {
    fn run(&self, cluster: Option<&Cluster>, arguments: &[&str]) -> String {
        let mut command = Command::new(&self.program);
        command.args(arguments).env("HOME", self.home);
        for (variable, folder) in
            [("HELM_CACHE_HOME", "cache"), ("HELM_CONFIG_HOME", "config"), ("HELM_DATA_HOME", "data")]
        {
            command.env(variable, self.home.join(folder));
        }
        if let Some(cluster) = cluster {
            command.env("KUBECONFIG", cluster.kubeconfig(Identity::Admin));
        }
        let output = command.output().unwrap();
        let (told, failed) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "helm {arguments:?}: {told}{failed}");
        told.into_owned()
    }
}

#[test]
fn the_chart_has_the_objects_that_clew_install_prints_and_helm_removes_them_all() {
    let _turn = turn();
    let home = tempfile::tempdir().unwrap();
    let helm = Helm { program: tools::helm(&mut |line| println!("{line}")).unwrap().join("helm"), home: home.path() };
    let chart = folders::repository().join("deploy/chart").display().to_string();
    helm.run(None, &["lint", "--strict", &chart]);
    let binary = images::clew_binary(&mut |_| {}).unwrap();
    for set in [&[][..], &["storageClass=fast", "replicas=2"], &["webhook=false", "certificate=clew-tls", "memory=2Gi"]]
    {
        let flags: Vec<&str> = set.iter().flat_map(|value| ["--set", value]).collect();
        let from_helm = helm.run(None, &[&["template", "clew", &chart, "--namespace", "clew"], &flags[..]].concat());
        let ours = documents(&manifests(&binary, &flags));
        let (namespace, ours): (Vec<String>, Vec<String>) =
            ours.into_iter().partition(|it| it.contains("kind: Namespace"));
        assert_eq!(namespace.len(), 1, "Helm makes the namespace itself");
        assert_eq!(ours, documents(&from_helm), "{set:?}");
    }

    let cluster = up(Options { control_plane_only: true, ..Options::new(name("installed-helm")) });
    cluster.kubectl(Identity::Admin, &["create", "namespace", "clew"]).unwrap();
    eventually("the namespace to be whole", || {
        cluster
            .kubectl(Identity::Admin, &["-n", "clew", "get", "serviceaccount/default", "configmap/kube-root-ca.crt"])
            .ok()
    });
    let before = objects(&cluster);
    let printed = helm.run(None, &["template", "clew", &chart, "--namespace", "clew"]);
    let dry_run = ["apply", "--server-side", "--dry-run=server", "--warnings-as-errors", "-f", "-"];
    cluster.kubectl_with(Identity::Admin, &dry_run, &printed).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(objects(&cluster), before, "a dry run leaves nothing");
    helm.run(Some(&cluster), &["install", "clew", &chart, "--namespace", "clew"]);
    eventually("the pod to be made", || cluster.kubectl(Identity::Admin, &["-n", "clew", "get", "pod", "clew-0"]).ok());
    helm.run(Some(&cluster), &["upgrade", "clew", &chart, "--namespace", "clew", "--set", "memory=2Gi"]);
    helm.run(Some(&cluster), &["uninstall", "clew", "--namespace", "clew"]);
    eventually("nothing to be left", || {
        let left: Vec<String> = objects(&cluster).symmetric_difference(&before).cloned().collect();
        println!("{} differ: {:?}", left.len(), left.iter().take(5).collect::<Vec<_>>());
        left.is_empty().then_some(())
    });
}

/// The documents of a text without comments, in an order of their own: Helm sorts them by kind.
fn documents(text: &str) -> Vec<String> {
    let is_content = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let document = |text: &str| text.lines().filter(is_content).collect::<Vec<_>>().join("\n");
    let text = text.strip_prefix("---\n").unwrap_or(text);
    let mut all: Vec<String> = text.split("\n---\n").map(document).filter(|text| !text.is_empty()).collect();
    all.sort();
    all
}
