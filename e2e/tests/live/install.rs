//! The manifests of `deploy/` on a real API server, and what the doctor says of the rights that they give.

use std::path::{Path, PathBuf};
use std::process::Command;

use clew_collect::live::doctor::{Allowed, CheckState, Findings, Running, examine, report};
use clew_collect::live::watch::Settings;
use clew_collect::live::{apply_webhook, connect};
use clew_collect::watch::Scope;
use clew_e2e::{Cluster, Identity, Options};
use clew_server::admission::{Reached, Trust, configuration};
use tokio::runtime::Runtime;

use crate::harness::{eventually, name, turn, up};

#[test]
fn the_manifests_are_taken_and_give_the_watch_its_rights_and_no_others() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let cluster = up(Options { control_plane_only: true, ..Options::new(name("live-install")) });
    let admin = |arguments: &[&str]| cluster.kubectl(Identity::Admin, arguments);
    let printed = Command::new(clew_e2e::images::clew_binary(&mut |_| {}).unwrap()).arg("install").output().unwrap();
    let manifests = folder.path().join("clew.yaml");
    std::fs::write(&manifests, printed.stdout).unwrap();
    let manifests = manifests.display().to_string();
    admin(&["create", "namespace", "clew"]).unwrap();
    let dry_run =
        ["apply", "--server-side", "--force-conflicts", "--dry-run=server", "--warnings-as-errors", "-f", &manifests];
    admin(&dry_run).unwrap_or_else(|error| panic!("{error}"));
    // Restricted pod security only speaks up for pods, and for what makes them, once the namespace asks for it.
    admin(&["apply", "--server-side", "--force-conflicts", "--warnings-as-errors", "-f", &manifests])
        .unwrap_or_else(|error| panic!("{error}"));
    eventually("the pod to be made, within the restrictions", || admin(&["-n", "clew", "get", "pod", "clew-0"]).ok());

    let account = kubeconfig_as(&cluster, folder.path(), "system:serviceaccount:clew:clew");
    let findings = examined(&account, &Settings::default());
    let refused: Vec<&str> = refused(&findings);
    assert_eq!(refused, ["secrets"], "all that a cluster has from the start, but no Secrets");
    let can = |verb: &str, resource: &str| {
        admin(&["auth", "can-i", verb, resource, "--as=system:serviceaccount:clew:clew", "--all-namespaces"]).is_ok()
    };
    assert!(can("watch", "pods") && !can("get", "secrets") && !can("create", "pods") && !can("delete", "pods"));
    let reviews = ["tokenreviews.authentication.k8s.io", "subjectaccessreviews.authorization.k8s.io"];
    assert!(reviews.iter().all(|review| can("create", review)), "who looks is known, and what they may read");
    let can_here = |verb: &str, resource: &str| {
        admin(&["auth", "can-i", verb, resource, "--as=system:serviceaccount:clew:clew", "-n", "clew"]).is_ok()
    };
    assert!(can_here("get", "secrets/clew") && can_here("patch", "secrets/clew"), "what it keeps for itself");
    assert!(!can_here("get", "secrets/another") && !can_here("list", "secrets") && !can_here("delete", "secrets/clew"));

    let service = Reached::Service { namespace: "clew".to_owned(), name: "clew".to_owned(), port: 443 };
    let trust = Trust::Authorities("an authority".to_owned());
    let webhook = configuration("clew", &service, &trust);
    Runtime::new().unwrap().block_on(async {
        let connection = connect(Some(&account), None).await.unwrap();
        apply_webhook(&connection, &webhook).await.unwrap_or_else(|error| panic!("{error}"));
        apply_webhook(&connection, &webhook).await.unwrap_or_else(|error| panic!("again: {error}"));
        let another = configuration("another", &service, &trust);
        let error = apply_webhook(&connection, &another).await.expect_err("only its own");
        assert!(error.to_string().contains("403"), "{error}");
    });
    let bundle = "jsonpath={.webhooks[0].clientConfig.caBundle}";
    let kept = admin(&["get", "mutatingwebhookconfiguration", "clew", "-o", bundle]).unwrap();
    assert_eq!(kept, "YW4gYXV0aG9yaXR5");

    admin(&["delete", "--wait=false", "-f", &manifests]).unwrap_or_else(|error| panic!("{error}"));
    assert!(admin(&["get", "clusterrole", "clew-watch"]).is_err());
}

#[test]
fn the_doctor_tells_an_administrator_from_a_reader_of_one_namespace() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let cluster = up(Options::new(name("live-doctor")));
    let all = examined(&cluster.kubeconfig(Identity::Admin), &Settings::default());
    let states: Vec<(&str, CheckState)> = report(&all).iter().map(|check| (check.check, check.state)).collect();
    println!("{states:?} skew {:?}", all.skew);
    assert_eq!(states[0], ("API server", CheckState::Ok));
    assert_eq!((states[1], states[2]), (("clock", CheckState::Ok), ("watch", CheckState::Ok)));
    assert_eq!(states[3], ("audit", CheckState::Missing), "no audit event has come to the clew that was asked");
    assert_eq!(states[5], ("admission webhook", CheckState::Missing));
    assert_eq!(states[6], ("kubelet's spans", CheckState::Missing), "an administrator may ask the kubelet");

    let bind = ["-n", "default", "create", "rolebinding", "reader", "--clusterrole=view", "--user=reader@example.com"];
    cluster.kubectl(Identity::Admin, &bind).unwrap();
    let reader = kubeconfig_as(&cluster, folder.path(), "reader@example.com");
    let everywhere = report(&examined(&reader, &Settings::default()));
    assert_eq!((everywhere[2].check, everywhere[2].state), ("watch", CheckState::Missing));
    let scope = Scope { namespaces: vec!["default".to_owned()], ..Scope::default() };
    let settings = Settings { scope, ..Settings::default() };
    // A young cluster gathers the rules of `view` bit by bit.
    let here = eventually("the reader's rights", || {
        let here = examined(&reader, &settings);
        let refused = refused(&here);
        let may = |resource: &str| !refused.contains(&resource);
        (may("pods in default") && may("deployments.apps in default")).then_some(here)
    });
    assert_eq!(report(&here)[2].state, CheckState::Partial);
    assert!(refused(&here).contains(&"secrets in default"));
}

fn refused(findings: &Findings) -> Vec<&str> {
    findings.rights.iter().filter(|it| it.allowed != Allowed::Yes).map(|it| it.resource.as_str()).collect()
}

fn examined(kubeconfig: &Path, settings: &Settings) -> Findings {
    Runtime::new().unwrap().block_on(async {
        let connection = connect(Some(kubeconfig), None).await.unwrap();
        examine(&connection, settings, Some(Running::default()), None).await
    })
}

/// The administrator's kubeconfig, acting as somebody else.
pub(crate) fn kubeconfig_as(cluster: &Cluster, folder: &Path, user: &str) -> PathBuf {
    let text = std::fs::read_to_string(cluster.kubeconfig(Identity::Admin)).unwrap();
    let mut config: serde_json::Value = serde_json::from_str(&text).unwrap();
    config["users"][0]["user"]["as"] = user.into();
    let path = folder.join("as");
    std::fs::write(&path, config.to_string()).unwrap();
    path
}
