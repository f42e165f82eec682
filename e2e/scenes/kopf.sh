# needs: kopf
# A Python operator that knows nothing of tracing: it makes a Deployment, a Service, a ConfigMap and a Secret that only its spec
# names, writes status, and holds deletion back with a finalizer.
here=$(dirname "${BASH_SOURCE[0]}")
site() {
    printf 'apiVersion: example.com/v1\nkind: Site\nmetadata: {name: %s, namespace: sites}\n' "$1"
    printf 'spec: {replicas: %s, text: "%s", secretName: %s-token}\n' "$2" "$3" "$1"
}
prepare() {
    admin apply -f "$here/kopf/crd.yaml"
    admin wait --for=condition=established crd/sites.example.com --timeout=30s
    admin apply -f "$here/kopf/account.yaml"
    token=$(admin create token site-operator -n operators --duration=2h)
    sed "s/\"token\": \".*\"/\"token\": \"$token\"/" "$KUBECONFIGS/admin" > "$SCENE_LOGS/site-operator"
    KUBECONFIG="$SCENE_LOGS/site-operator" behind kopf run --all-namespaces --liveness=http://127.0.0.1:8090/healthz \
        "$here/kopf/operator.py"
    sleep 5
}
scene() {
    alice create namespace sites
    site one 2 hello | alice apply -f -
    sleep 1
    site two 1 welcome | bob apply -f -
    sleep 6
    # Two changes to one site, one to another, while the first still rolls out.
    site one 3 "hello again" | alice apply -f -
    sleep 1
    bob patch site one -n sites --type=merge -p '{"spec":{"replicas":4}}'
    site two 2 welcome | bob apply -f -
    sleep 8
    # Someone deletes what the operator made: it does not mind, but the Deployment's controller does for pods.
    alice delete "$(admin get pods -n sites -l site=one -o name | head -1)" -n sites
    sleep 3
    alice label site two team=blue -n sites
    sleep 2
    alice delete site one -n sites
    bob delete site two -n sites
    sleep 4
    alice delete namespace sites
}
