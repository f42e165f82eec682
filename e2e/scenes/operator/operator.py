"""The operator of the scene `operator`: a Head has a ChildA, a ChildA has a Deployment, and status goes back up."""
import kopf
import kubernetes

GROUP = "demo.example.com"


def custom():
    return kubernetes.client.CustomObjectsApi()


@kopf.on.login()
def login(**_):
    return kopf.login_via_client(logger=_["logger"])


def ensure(create, patch):
    """Makes what is missing, and changes what is there."""
    try:
        create()
    except kubernetes.client.ApiException as error:
        if error.status != 409:
            raise
        patch()


@kopf.on.create(GROUP, "v1", "heads")
@kopf.on.update(GROUP, "v1", "heads", field="spec")
def head(name, namespace, spec, **_):
    child = {"apiVersion": f"{GROUP}/v1", "kind": "ChildA", "metadata": {"name": f"{name}-a", "namespace": namespace},
             "spec": {"replicas": spec["replicas"]}}
    kopf.adopt(child)
    ensure(lambda: custom().create_namespaced_custom_object(GROUP, "v1", namespace, "childas", child),
           lambda: custom().patch_namespaced_custom_object(GROUP, "v1", namespace, "childas", f"{name}-a",
                                                           {"spec": child["spec"]}))
    return {"child": f"{name}-a"}


@kopf.on.create(GROUP, "v1", "childas")
@kopf.on.update(GROUP, "v1", "childas", field="spec")
def child_a(name, namespace, spec, **_):
    labels = {"app": name}
    container = {"name": "c", "image": "clew/workload:1"}
    template = {"metadata": {"labels": labels}, "spec": {"terminationGracePeriodSeconds": 1, "containers": [container]}}
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment",
                  "metadata": {"name": name, "namespace": namespace, "labels": {"child": name}},
                  "spec": {"replicas": spec["replicas"], "selector": {"matchLabels": labels}, "template": template}}
    kopf.adopt(deployment)
    apps = kubernetes.client.AppsV1Api()
    ensure(lambda: apps.create_namespaced_deployment(namespace, deployment),
           lambda: apps.patch_namespaced_deployment(name, namespace, {"spec": {"replicas": spec["replicas"]}}))


def tell_owner(plural, body, namespace, ready):
    """Writes how many are ready into the status of the object's owner, if it is still there."""
    owners = body["metadata"].get("ownerReferences", [])
    if not owners or body["metadata"].get("deletionTimestamp"):
        return
    try:
        custom().patch_namespaced_custom_object_status(GROUP, "v1", namespace, plural, owners[0]["name"],
                                                       {"status": {"ready": ready}})
    except kubernetes.client.ApiException as error:
        if error.status != 404:
            raise


@kopf.on.field("apps", "v1", "deployments", field="status.readyReplicas", labels={"child": kopf.PRESENT})
def deployment_ready(body, namespace, new, **_):
    tell_owner("childas", body, namespace, new or 0)


@kopf.on.field(GROUP, "v1", "childas", field="status.ready")
def child_ready(body, namespace, new, **_):
    tell_owner("heads", body, namespace, new or 0)
