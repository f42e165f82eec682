//! A namespace with many pods, deleted at once.

use clew_collect::live::connect;
use clew_e2e::{Cluster, Identity, Options};
use kube::Client;
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::clew::{Clew, Sources};
use crate::harness::{eventually, name, turn, up};
use crate::told::told;

const PODS: usize = 2000;
const AT_ONCE: usize = 32;
/// What clew may take for all that; an unoptimized build takes no less than a release.
const MOST_MEMORY: u64 = 600 << 20;

#[test]
fn a_namespace_of_two_thousand_pods_is_deleted_in_one_journey() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let cluster = up(Options { control_plane_only: true, ..Options::new(name("scenes-many")) });
    let clew = Clew::up("many", Sources { watch: true, audit: true, spans: None }, &cluster, folder.path());
    cluster.kubectl(Identity::Alice, &["create", "namespace", "many"]).unwrap();
    // Pods are refused until their service account is there.
    let account = ["get", "serviceaccount", "default", "-n", "many"];
    eventually("the service account", || cluster.kubectl(Identity::Admin, &account).ok());
    make_pods(&cluster);
    let before = clew.memory();
    cluster.kubectl(Identity::Alice, &["delete", "namespace", "many", "--wait=false"]).unwrap();
    eventually("the namespace to be gone", || {
        cluster.kubectl(Identity::Admin, &["get", "namespace", "many"]).is_err().then_some(())
    });
    let is_gone = |journey: &Value| {
        let pods = journey["objects"].as_array().into_iter().flatten().filter(|object| object["kind"] == "Pod").count();
        journey["root"]["resource"] == "namespaces" && journey["state"] == "converged" && pods == PODS
    };
    eventually("the deletion to have converged with every pod", || {
        let named = clew.ask("/api/v1/journeys?name=many&form=weave");
        named["journeys"].as_array()?.iter().any(is_gone).then_some(())
    });
    let after = clew.memory();
    println!("{PODS} pods deleted; memory {} MiB before and {} MiB after", before >> 20, after >> 20);
    assert!(after < MOST_MEMORY, "{after} bytes");
    let journeys = told(&clew.journeys(), &["many"]);
    let deletions = journeys.values().filter(|journey| journey["root"]["verb"] == "delete").count();
    assert_eq!((deletions, journeys.len()), (1, PODS + 2), "one deletion; the namespace and each pod were asked for");
}

fn make_pods(cluster: &Cluster) {
    Runtime::new().unwrap().block_on(async {
        let client = connect(Some(&cluster.kubeconfig(Identity::Alice)), None).await.unwrap().client;
        let mut making = JoinSet::new();
        for number in 0..PODS {
            if making.len() >= AT_ONCE {
                making.join_next().await.unwrap().unwrap();
            }
            making.spawn(make(client.clone(), number));
        }
        making.join_all().await;
    });
}

async fn make(client: Client, number: usize) {
    let pod = serde_json::json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": format!("pod-{number}")},
        "spec": {"containers": [{"name": "c", "image": "clew/workload:1"}]},
    });
    let request = http::Request::post("/api/v1/namespaces/many/pods").header("Content-Type", "application/json");
    client.request::<Value>(request.body(pod.to_string().into_bytes()).unwrap()).await.unwrap();
}
