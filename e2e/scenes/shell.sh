# An operator that is a shell loop around kubectl: same agent as a person, no owner references, no status, only a label.
# Who is an operator can be told by what explains its writes, not by its name or agent.
operator() {
    while sleep 1; do
        kubectl get configmaps -n tenants -l kind=tenant -o 'jsonpath={range .items[*]}{.metadata.name} {.data.replicas}{"\n"}{end}' |
            while read -r name replicas; do
                have=$(kubectl get deployment "$name" -n tenants -o 'jsonpath={.spec.replicas}' 2> /dev/null || true)
                if [ -z "$have" ]; then
                    kubectl create deployment "$name" -n tenants --image=clew/workload:1 --replicas="$replicas"
                    kubectl label deployment "$name" -n tenants made-for="$name"
                elif [ "$have" != "$replicas" ]; then
                    kubectl scale deployment "$name" -n tenants --replicas="$replicas"
                fi
            done
        for name in $(kubectl get deployments -n tenants -l made-for -o 'jsonpath={.items[*].metadata.name}'); do
            kubectl get configmap "$name" -n tenants > /dev/null 2>&1 || kubectl delete deployment "$name" -n tenants
        done
    done
}
prepare() {
    admin create namespace tenants
    admin create serviceaccount shell-operator -n tenants
    admin create clusterrolebinding shell-operator --clusterrole=cluster-admin --serviceaccount=tenants:shell-operator
    token=$(admin create token shell-operator -n tenants --duration=2h)
    sed "s/\"token\": \".*\"/\"token\": \"$token\"/" "$KUBECONFIGS/admin" > "$SCENE_LOGS/shell-operator"
    export -f operator
    KUBECONFIG="$SCENE_LOGS/shell-operator" behind bash -c operator
    sleep 2
}
tenant() {
    printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: tenants, labels: {kind: tenant}}\n' "$1"
    printf 'data: {replicas: "%s"}\n' "$2"
}
scene() {
    tenant red 2 | alice apply -f -
    sleep 4
    tenant blue 1 | deployer apply -f -
    tenant green 1 | bob apply -f -
    sleep 6
    tenant red 3 | alice apply -f -
    # A person does by hand what the operator undoes.
    bob scale deployment blue --replicas=4 -n tenants
    sleep 6
    deployer create deployment other --image=clew/workload:1 -n tenants
    alice delete "$(admin get pods -n tenants -l app=green -o name | head -1)" -n tenants
    sleep 4
    bob delete configmap green -n tenants
    tenant blue 2 | deployer apply -f -
    sleep 8
    alice delete configmap red blue -n tenants
    deployer delete deployment other -n tenants
    sleep 6
}
