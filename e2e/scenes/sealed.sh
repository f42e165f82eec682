# needs: sealed-secrets
# A controller that is not ours, Sealed Secrets: what is sealed becomes a Secret, is changed, is put back, and goes.
stage_of_sealed=$(dirname "${BASH_SOURCE[0]}")/sealed
account=/var/run/secrets/kubernetes.io/serviceaccount
prepare() {
    admin apply -f "$stage_of_sealed/crd.yaml"
    admin wait --for=condition=established crd/sealedsecrets.bitnami.com --timeout=30s
    admin apply -f "$stage_of_sealed/account.yaml"
    # It knows no kubeconfig, so that it gets what a pod would have: a folder of the cluster's own.
    mkdir -p "$account"
    admin create token sealed-secrets -n kube-system --duration=2h > "$account/token"
    cp "$(admin config view -o jsonpath='{.clusters[0].cluster.certificate-authority}')" "$account/ca.crt"
    server=$(admin config view -o jsonpath='{.clusters[0].cluster.server}')
    KUBERNETES_SERVICE_HOST=127.0.0.1 KUBERNETES_SERVICE_PORT=${server##*:} POD_NAMESPACE=kube-system behind controller --key-renew-period=0
    until admin get secret -n kube-system -l sealedsecrets.bitnami.com/sealed-secrets-key -o name | grep -q secret; do sleep 0.5; done
    admin get secret -n kube-system -l sealedsecrets.bitnami.com/sealed-secrets-key -o 'jsonpath={.items[0].data.tls\.crt}' |
        base64 -d > "$SCENE_LOGS/sealed.crt"
}
sealed() {
    printf 'apiVersion: v1\nkind: Secret\nmetadata: {name: %s, namespace: vault}\nstringData: {password: "%s"}\n' "$1" "$2" |
        kubeseal --cert "$SCENE_LOGS/sealed.crt" --format yaml
}
is() {
    until [ "$(admin get secret "$1" -n vault -o 'jsonpath={.data.password}' 2> /dev/null | base64 -d)" = "$2" ]; do sleep 0.3; done
}
scene() {
    alice create namespace vault
    sealed one not-real-1 | alice apply -f -
    is one not-real-1
    sealed two not-real-2 | bob apply -f -
    sealed one not-real-3 | alice apply -f -
    is one not-real-3
    is two not-real-2
    sleep 1
    # Someone deletes what the controller made; it puts it back.
    bob delete secret one -n vault
    is one not-real-3
    sleep 1
    alice delete sealedsecret one -n vault
    admin wait --for=delete secret/one -n vault --timeout=60s
    sleep 1
}
