//! The whole life of a cluster, on each version of Kubernetes.

use clew_e2e::{Cluster, Identity, Options, Version};
use clew_testkit::otlp::Sink;
use serde_json::Value;

use crate::audit_sink::AuditSink;
use crate::footprint::{Footprint, Machine};
use crate::harness::{deploy, eventually, name, phases, turn, up};
use crate::spans::seen;

#[test]
fn a_deployment_runs_and_is_traced_and_audited_on_v1_34() {
    live_and_leave_nothing("life-34", Version::V1_34_4);
}

#[test]
fn a_deployment_runs_and_is_traced_and_audited_on_v1_36() {
    live_and_leave_nothing("life-36", Version::V1_36_1);
}

fn live_and_leave_nothing(called: &str, version: Version) {
    let _turn = turn();
    let name = name(called);
    let before = (Footprint::clean(&name), Machine::now());
    let (sink, audit) = (Sink::start().unwrap(), AuditSink::start());
    let cluster = up(Options {
        kubernetes: version,
        tracing_endpoint: Some(sink.address().to_string()),
        audit_webhook: Some(format!("http://127.0.0.1:{}/audit", audit.port())),
        reach: vec![sink.address().port(), audit.port()],
        ..Options::new(name.clone())
    });
    let status = cluster.status().unwrap();
    assert!(status.ready);
    assert!(status.ready_after_ms.unwrap() < 60_000, "{}", status.table());
    deploy(&cluster, Identity::Alice, "web", 2);
    assert_eq!(phases(&cluster), ["Running", "Running"]);

    let create = audited_create(&cluster);
    assert_eq!(create["user"]["username"], "alice@example.com");
    let audit_id = create["auditID"].as_str().unwrap();
    eventually("the audit event at the webhook", || {
        audit.events().iter().find(|it| it["auditID"] == audit_id).cloned()
    });
    eventually("the API server's span of the same request", || {
        seen(&sink).into_iter().find(|span| span.service == "apiserver" && span.attribute("audit-id") == audit_id)
    });
    let uid = cluster.kubectl(Identity::Admin, &["get", "pods", "-o", "jsonpath={.items[0].metadata.uid}"]).unwrap();
    eventually("the kubelet's span of a pod", || {
        let of_pod = |span: &crate::spans::Seen| span.name == "syncPod" && span.attribute("k8s.pod.uid") == uid;
        seen(&sink).into_iter().find(|span| span.service == "kubelet" && of_pod(span))
    });

    assert!(Footprint::of(&name).processes().len() > 8, "the components were not seen");
    drop(cluster);
    assert_eq!((Footprint::of(&name), Machine::now()), before);
}

/// The audited create of the Deployment, from the audit log.
fn audited_create(cluster: &Cluster) -> Value {
    eventually("the create of the Deployment in the audit log", || {
        let log = std::fs::read_to_string(cluster.folder().audit_log()).ok()?;
        let events = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let creates = events.filter(|event| event["verb"] == "create");
        creates.into_iter().find(|event| event["objectRef"]["resource"] == "deployments")
    })
}
