//! Two replicas from the same manifests: each follows the other, and either answers alone.

use clew_e2e::{Cluster, Identity, Options};
use serde_json::{Value, json};

use crate::harness::{eventually, name, turn, up};
use crate::pod::{Installed, make_volume};

/// The addresses of services that the test gives to the two pods: this cluster has no server of names.
const ADDRESSES: [&str; 2] = ["10.96.25.10", "10.96.25.11"];

#[test]
fn two_replicas_follow_each_other_and_either_answers_when_the_other_is_gone() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let cluster = up(Options::new(name("two")));
    make_volume(&cluster, "one");
    make_volume(&cluster, "other");
    let clew = Installed::with(&cluster, folder.path(), &["--set", "replicas=2"], named);
    for (number, address) in ADDRESSES.iter().enumerate() {
        expose(&cluster, number, address);
    }
    for address in ADDRESSES {
        eventually("each replica to follow the other", || follows(&clew, address));
    }
    let holder = clew.admin(&["-n", "clew", "get", "lease", "clew", "-o", "jsonpath={.spec.holderIdentity}"]);
    assert!(holder.starts_with("clew-"), "{holder}");

    clew.admin(&["create", "namespace", "shop"]);
    clew.admin(&["-n", "shop", "create", "deployment", "web", "--image=clew/workload:1"]);
    let web = clew.converged("shop", "web");

    for number in 0..2 {
        let pod = format!("clew-{number}");
        clew.admin(&["-n", "clew", "delete", "pod", &pod, "--force", "--grace-period=0"]);
        let left = clew.ask_at(&at(ADDRESSES[1 - number]), "/api/v1/journeys?namespace=shop&name=web&form=weave");
        let left = left.expect("the other one answers at once");
        assert!(has(&left, &web), "{pod} is gone: {left}");
        clew.wait_until_ready();
        eventually("it to follow again", || follows(&clew, ADDRESSES[number]));
        eventually("it to know what was", || {
            let path = "/api/v1/journeys?namespace=shop&name=web&form=weave";
            clew.ask_at(&at(ADDRESSES[number]), path).filter(|answer| has(answer, &web))
        });
    }
}

fn has(answer: &Value, journey: &Value) -> bool {
    answer["journeys"].as_array().unwrap().iter().any(|other| other["journey"] == journey["journey"])
}

fn at(address: &str) -> String {
    format!("{address}:2539")
}

/// Whether the replica at an address knows itself, and follows the other one.
fn follows(clew: &Installed<'_>, address: &str) -> Option<()> {
    let status = clew.ask_at(&at(address), "/api/v1/status")?;
    let sources = status["sources"].as_array()?;
    let replicas: Vec<&Value> = sources.iter().filter(|source| source["kind"] == "replica").collect();
    println!("{address}: {replicas:?}");
    (replicas.len() == 2 && replicas.iter().all(|source| source["state"] == "up")).then_some(())
}

/// What a server of names would answer, written into the pods.
fn named(manifests: &str) -> String {
    let aliases: Vec<Value> = ADDRESSES
        .iter()
        .enumerate()
        .map(|(number, ip)| json!({"ip": ip, "hostnames": [format!("clew-{number}.clew-pods.clew.svc")]}))
        .collect();
    let account = "      serviceAccountName: clew\n";
    assert!(manifests.contains(account));
    manifests.replace(account, &format!("{account}      hostAliases: {}\n", Value::from(aliases)))
}

fn expose(cluster: &Cluster, number: usize, address: &str) {
    let service = json!({
        "apiVersion": "v1", "kind": "Service", "metadata": {"name": format!("clew-{number}"), "namespace": "clew"},
        "spec": {
            "clusterIP": address, "publishNotReadyAddresses": true,
            "selector": {"statefulset.kubernetes.io/pod-name": format!("clew-{number}")},
            "ports": [{"port": 2539, "targetPort": "https"}],
        },
    });
    let applied = cluster.kubectl_with(Identity::Admin, &["apply", "-f", "-"], &service.to_string());
    applied.unwrap_or_else(|error| panic!("{error}"));
}
