"""The operator of the kopf scene: a Site becomes a ConfigMap, a Deployment, a Service and a Secret."""
import kopf
import kubernetes


def objects(name, namespace, spec):
    """What a Site stands for; the Secret is named by the spec and has no owner."""
    labels = {"site": name}
    meta = {"name": f"site-{name}", "namespace": namespace, "labels": labels}
    container = {"name": "site", "image": "clew/workload:1", "args": ["--serve", "8080"],
                 "env": [{"name": "TEXT", "value": spec["text"]}]}
    template = {"metadata": {"labels": labels},
                "spec": {"terminationGracePeriodSeconds": 1, "containers": [container]}}
    return {
        "configmap": {"metadata": dict(meta), "data": {"text": spec["text"]}},
        "deployment": {"metadata": dict(meta), "spec": {"replicas": spec["replicas"], "template": template,
                                                         "selector": {"matchLabels": labels}}},
        "service": {"metadata": dict(meta), "spec": {"selector": labels, "ports": [{"port": 80, "targetPort": 8080}]}},
        "secret": {"metadata": {"name": spec["secretName"], "namespace": namespace}, "stringData": {"token": "not-real"}},
    }


def clients():
    return kubernetes.client.CoreV1Api(), kubernetes.client.AppsV1Api()


@kopf.on.login()
def login(**_):
    return kopf.login_via_client(logger=_["logger"])


@kopf.on.create("example.com", "v1", "sites")
def create(name, namespace, spec, **_):
    core, apps = clients()
    made = objects(name, namespace, spec)
    kopf.adopt([made["configmap"], made["deployment"], made["service"]])
    core.create_namespaced_config_map(namespace, made["configmap"])
    core.create_namespaced_secret(namespace, made["secret"])
    apps.create_namespaced_deployment(namespace, made["deployment"])
    core.create_namespaced_service(namespace, made["service"])
    return {"phase": "made"}


@kopf.on.update("example.com", "v1", "sites", field="spec")
def update(name, namespace, spec, **_):
    core, apps = clients()
    made = objects(name, namespace, spec)
    core.patch_namespaced_config_map(f"site-{name}", namespace, {"data": made["configmap"]["data"]})
    apps.patch_namespaced_deployment(f"site-{name}", namespace, {"spec": made["deployment"]["spec"]})
    return {"phase": "updated"}


@kopf.on.delete("example.com", "v1", "sites")
def delete(namespace, spec, **_):
    core, _apps = clients()
    try:
        core.delete_namespaced_secret(spec["secretName"], namespace)
    except kubernetes.client.ApiException as error:
        if error.status != 404:
            raise


@kopf.on.event("apps", "v1", "deployments", labels={"site": kopf.PRESENT})
def follow(body, namespace, **_):
    """Copies how many replicas are available to the status of the Site that owns the Deployment."""
    status, name = body.get("status", {}), body["metadata"]["labels"]["site"]
    if body["metadata"].get("deletionTimestamp"):
        return
    patch = {"status": {"available": status.get("availableReplicas", 0)}}
    try:
        kubernetes.client.CustomObjectsApi().patch_namespaced_custom_object_status(
            "example.com", "v1", namespace, "sites", name, patch)
    except kubernetes.client.ApiException as error:
        if error.status != 404:
            raise
