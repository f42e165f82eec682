# needs: trust-manager
# options: --sampling-rate-per-million 20000
# trust-manager, which is not ours: cluster-wide bundles that become ConfigMaps and Secrets in the namespaces that labels select, from sources in one other namespace.
prepare() {
    definitions trust-manager
    config=$(account trust trust-manager)
    local name
    mkdir -p "$SCENE_LOGS/tls"
    for name in tls one two three four; do
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj "/CN=$name" -keyout "$SCENE_LOGS/tls/$name.key" -out "$SCENE_LOGS/tls/$name.crt" 2> /dev/null
    done
    for name in grey white; do admin create namespace $name; done
    KUBECONFIG="$config" behind trust-manager --leader-elect=false --trust-namespace=trust --metrics-port=9403 --readiness-probe-port=6061 --webhook-host=127.0.0.1 --webhook-port=6444 \
        --webhook-certificate-dir="$SCENE_LOGS/tls" --secret-targets-enabled
    until curl -sf http://127.0.0.1:6061/readyz > /dev/null; do sleep 0.5; done
}
exists() { until admin get "$2" "$3" -n "$1" > /dev/null 2>&1; do sleep 0.3; done; }
gone() { while admin get "$2" "$3" -n "$1" > /dev/null 2>&1; do sleep 0.3; done; }
pem() { cat "$SCENE_LOGS/tls/$1.crt"; }
# How many certificates a namespace's copy has.
holds() { until [ "$(admin get configmap "$2" -n "$1" -o 'jsonpath={.data.bundle\.pem}' 2> /dev/null | grep -c BEGIN)" = "$3" ]; do sleep 0.3; done; }

# One bundle for two namespaces, in which somebody meddles.
corp() {
    concerns bundles/corp red green
    concerns configmaps/roots trust red green
    alice create configmap roots -n trust --from-literal=ca.crt="$(pem one)"
    quiet trust red green
    alice create namespace red
    quiet trust red green
    bob create namespace green
    quiet trust red green
    bob label namespace red corp=yes
    quiet trust red green
    cat <<Y | alice apply -f -
apiVersion: trust.cert-manager.io/v1alpha1
kind: Bundle
metadata: {name: corp}
spec:
  sources: [{configMap: {name: roots, key: ca.crt}}]
  target: {configMap: {key: bundle.pem}, namespaceSelector: {matchLabels: {corp: "yes"}}}
Y
    exists red configmap corp
    quiet trust red green
    bob label namespace green corp=yes
    exists green configmap corp
    quiet trust red green
    # A source that both copies are made of.
    alice create configmap roots -n trust --from-literal=ca.crt="$(pem one; pem two)" --dry-run=client -o yaml | alice replace -f -
    holds red corp 2
    holds green corp 2
    quiet trust red green
    bob delete configmap corp -n red
    exists red configmap corp
    quiet trust red green
    alice patch configmap corp -n green --type=merge -p '{"data": {"bundle.pem": "nothing"}}'
    holds green corp 2
    quiet trust red green
    deployer patch bundle corp --type=json -p "$(printf '[{"op": "add", "path": "/spec/sources/-", "value": {"inLine": "%s"}}]' "$(pem three | sed ':a;N;$!ba;s/\n/\\n/g')")"
    holds red corp 3
    holds green corp 3
    quiet trust red green
    bob label namespace red corp-
    gone red configmap corp
    quiet trust red green
    alice annotate configmap corp -n green mine=yes
    quiet trust red green
    deployer create namespace scratch
    quiet scratch
    deployer label namespace scratch note=none
    quiet scratch
    alice delete configmap roots -n trust
    quiet trust red green
    alice create configmap roots -n trust --from-literal=ca.crt="$(pem two)"
    holds green corp 2
    quiet trust red green
    bob delete bundle corp
    gone green configmap corp
    quiet trust red green
}
# A bundle out of a secret, into a secret and a ConfigMap; the namespaces are there before and go before it.
dev() {
    concerns bundles/dev grey white
    concerns secrets/dev-root trust grey white
    sleep 2
    deployer label namespace grey dev=yes
    quiet grey
    bob label namespace white dev=yes
    quiet white
    deployer create secret generic dev-root -n trust --from-literal=tls.crt="$(pem four)"
    quiet grey white
    cat <<Y | deployer apply -f -
apiVersion: trust.cert-manager.io/v1alpha1
kind: Bundle
metadata: {name: dev}
spec:
  sources: [{secret: {name: dev-root, key: tls.crt}}]
  target: {configMap: {key: bundle.pem}, namespaceSelector: {matchLabels: {dev: "yes"}}}
Y
    exists grey configmap dev
    exists white configmap dev
    quiet grey white
    cat <<Y | alice apply -f -
apiVersion: apps/v1
kind: Deployment
metadata: {name: app, namespace: grey}
spec:
  selector: {matchLabels: {app: app}}
  template:
    metadata: {labels: {app: app}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: app, image: "clew/workload:1", volumeMounts: [{name: trust, mountPath: /trust}]}]
      volumes: [{name: trust, configMap: {name: dev}}]
Y
    rolled_out deployment/app -n grey
    quiet grey white
    alice delete configmap dev -n white
    exists white configmap dev
    quiet grey white
    bob create secret generic dev-root -n trust --from-literal=tls.crt="$(pem three; pem one)" --dry-run=client -o yaml | bob replace -f -
    holds grey dev 2
    holds white dev 2
    quiet grey white
    bob label configmap dev -n grey trust.cert-manager.io/bundle-
    sleep 3
    quiet grey white
    alice delete namespace white
    quiet grey white
    deployer delete bundle dev
    gone grey configmap dev
    quiet grey
}
scene() { together corp dev; }
