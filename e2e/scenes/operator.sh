# needs: kopf
# An operator of three levels that knows nothing of tracing: a Head has a ChildA, which has a Deployment.
stage_of_operator=$(dirname "${BASH_SOURCE[0]}")/operator
head_of() {
    printf 'apiVersion: demo.example.com/v1\nkind: Head\nmetadata: {name: %s, namespace: tenant}\n' "$1"
    printf 'spec: {replicas: %s}\n' "$2"
}
ready() { admin wait --for=jsonpath='{.status.ready}'="$2" "head/$1" -n tenant --timeout=60s; }
prepare() {
    admin apply -f "$stage_of_operator/crds.yaml"
    admin wait --for=condition=established crd/heads.demo.example.com crd/childas.demo.example.com --timeout=30s
    admin apply -f "$stage_of_operator/account.yaml"
    token=$(admin create token demo-operator -n kube-system --duration=2h)
    sed "s/\"token\": \".*\"/\"token\": \"$token\"/" "$KUBECONFIGS/admin" > "$SCENE_LOGS/demo-operator"
    KUBECONFIG="$SCENE_LOGS/demo-operator" behind kopf run --all-namespaces --liveness=http://127.0.0.1:8091/healthz \
        "$stage_of_operator/operator.py"
    until curl -fsS http://127.0.0.1:8091/healthz > /dev/null 2>&1; do sleep 0.2; done
}
scene() {
    alice create namespace tenant
    head_of one 2 | alice apply -f -
    ready one 2
    head_of two 1 | alice apply -f -
    alice patch head one -n tenant --type=merge -p '{"spec":{"replicas":3}}'
    ready one 3
    ready two 1
    alice delete head one -n tenant
    sleep 4
}
