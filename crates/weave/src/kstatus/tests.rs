use super::*;

fn assess_json(group: &str, resource: &str, generation: i64, spec: &str, status: &str) -> Progress {
    let kind = Kind { group: group.into(), resource: resource.into(), ..Kind::default() };
    let spec = serde_json::from_str(spec).unwrap();
    let status = serde_json::from_str(status).unwrap();
    assess(Subject { kind: &kind, generation, deleting: false }, &spec, &status)
}

fn word(progress: &Progress) -> &str {
    match progress {
        Progress::Unknown => "unknown",
        Progress::Current => "current",
        Progress::InProgress(reason) | Progress::Failed(reason) => reason.reason.as_str(),
    }
}

/// Group, resource, spec, status, and the word for how far it is.
const WORKLOADS: &[(&str, &str, &str, &str, &str)] = &[
    ("apps", "deployments", r#"{"replicas":2}"#, "{}", "NotObserved"),
    (
        "apps",
        "deployments",
        r#"{"replicas":2}"#,
        r#"{"observedGeneration":1,"updatedReplicas":1,"replicas":1}"#,
        "LessUpdated",
    ),
    (
        "apps",
        "deployments",
        r#"{"replicas":2}"#,
        r#"{"observedGeneration":1,"updatedReplicas":2,"replicas":3}"#,
        "OldReplicas",
    ),
    (
        "apps",
        "deployments",
        r#"{"replicas":2}"#,
        r#"{"observedGeneration":1,"updatedReplicas":2,"replicas":2,"availableReplicas":1}"#,
        "LessAvailable",
    ),
    (
        "apps",
        "deployments",
        r#"{"replicas":2}"#,
        r#"{"observedGeneration":1,"updatedReplicas":2,"replicas":2,"availableReplicas":2}"#,
        "current",
    ),
    ("apps", "deployments", r#"{"replicas":0}"#, r#"{"observedGeneration":1}"#, "current"),
    (
        "apps",
        "deployments",
        r#"{"replicas":1}"#,
        r#"{"observedGeneration":1,"conditions":[{"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded"}]}"#,
        "ProgressDeadlineExceeded",
    ),
    (
        "apps",
        "replicasets",
        r#"{"replicas":1}"#,
        r#"{"observedGeneration":1,"conditions":[{"type":"ReplicaFailure","status":"True","reason":"FailedCreate"}]}"#,
        "FailedCreate",
    ),
    (
        "apps",
        "statefulsets",
        r#"{"replicas":1}"#,
        r#"{"observedGeneration":1,"replicas":1,"updatedReplicas":1,"readyReplicas":1,"currentRevision":"a","updateRevision":"b"}"#,
        "RollingUpdate",
    ),
    (
        "apps",
        "statefulsets",
        r#"{"replicas":1}"#,
        r#"{"observedGeneration":1,"replicas":1,"updatedReplicas":1,"readyReplicas":1,"currentRevision":"b","updateRevision":"b"}"#,
        "current",
    ),
    (
        "apps",
        "daemonsets",
        "{}",
        r#"{"observedGeneration":1,"desiredNumberScheduled":1,"currentNumberScheduled":1,"updatedNumberScheduled":1}"#,
        "LessAvailable",
    ),
    ("apps", "daemonsets", "{}", r#"{"observedGeneration":1}"#, "current"),
    ("batch", "jobs", "{}", r#"{"active":1}"#, "Running"),
    ("batch", "jobs", "{}", r#"{"conditions":[{"type":"Complete","status":"True"}]}"#, "current"),
    (
        "batch",
        "jobs",
        "{}",
        r#"{"conditions":[{"type":"Failed","status":"True","reason":"BackoffLimitExceeded"}]}"#,
        "BackoffLimitExceeded",
    ),
    ("", "persistentvolumeclaims", "{}", r#"{"phase":"Pending"}"#, "Pending"),
    ("", "persistentvolumeclaims", "{}", r#"{"phase":"Bound"}"#, "current"),
    ("", "services", r#"{"type":"LoadBalancer"}"#, r#"{"loadBalancer":{}}"#, "NoLoadBalancer"),
    ("", "services", r#"{"type":"ClusterIP"}"#, "{}", "current"),
    (
        "demo.example.com",
        "heads",
        "{}",
        r#"{"conditions":[{"type":"Ready","status":"False","reason":"Building"}]}"#,
        "Building",
    ),
    (
        "demo.example.com",
        "heads",
        "{}",
        r#"{"conditions":[{"type":"Stalled","status":"True","reason":"Lost"}]}"#,
        "Lost",
    ),
    ("demo.example.com", "heads", "{}", r#"{"observedGeneration":0}"#, "NotObserved"),
    ("demo.example.com", "heads", "{}", "{}", "current"),
    ("", "configmaps", "{}", "{}", "current"),
    (
        "apiextensions.k8s.io",
        "customresourcedefinitions",
        "{}",
        r#"{"conditions":[{"type":"Established","status":"True"}]}"#,
        "current",
    ),
];

#[test]
fn each_workload_is_current_only_when_all_it_asked_for_is_there() {
    for (group, resource, spec, status, expected) in WORKLOADS {
        assert_eq!(word(&assess_json(group, resource, 1, spec, status)), *expected, "{resource} {spec} {status}");
    }
}

#[test]
fn a_pod_says_what_it_waits_for_in_the_words_of_who_holds_it() {
    let cases = [
        (r#"{"phase":"Pending"}"#, "NotScheduled"),
        (
            r#"{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/1 nodes"}]}"#,
            "Unschedulable",
        ),
        (
            r#"{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"True"}],"containerStatuses":[{"name":"c","state":{"waiting":{"reason":"ImagePullBackOff","message":"m"}}}]}"#,
            "ImagePullBackOff",
        ),
        (
            r#"{"phase":"Running","conditions":[{"type":"PodScheduled","status":"True"},{"type":"Ready","status":"False","reason":"ContainersNotReady"}]}"#,
            "ContainersNotReady",
        ),
        (
            r#"{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"}]}"#,
            "current",
        ),
        (r#"{"phase":"Succeeded"}"#, "current"),
        (r#"{"phase":"Failed","reason":"Evicted"}"#, "Evicted"),
        (
            r#"{"phase":"Failed","containerStatuses":[{"name":"c","state":{"terminated":{"exitCode":3,"reason":"Error"}}}]}"#,
            "Error",
        ),
    ];
    for (status, expected) in cases {
        assert_eq!(word(&assess_json("", "pods", 0, "{}", status)), expected, "{status}");
    }
}

#[test]
fn what_is_being_deleted_is_not_current() {
    let kind = Kind::default();
    let subject = Subject { kind: &kind, generation: 1, deleting: true };
    assert_eq!(word(&assess(subject, &SpecView::default(), &StatusView::default())), "Terminating");
}
