# needs: kyverno
# options: --sampling-rate-per-million 20000
# Kyverno, which is not ours, in quiet namespaces: policies that generate into new namespaces, copy a secret, and change what is there already.
prepare() {
    definitions kyverno
    local admission background name
    admission=$(account kyverno kyverno-admission-controller)
    background=$(account kyverno kyverno-background-controller)
    for name in kyverno kyverno-metrics; do admin create configmap $name -n kyverno; done
    admin create clusterrole kyverno:admission-controller --verb=get --resource=namespaces
    export KYVERNO_NAMESPACE=kyverno INIT_CONFIG=kyverno METRICS_CONFIG=kyverno-metrics KYVERNO_SVC=kyverno-svc KYVERNO_ROLE_NAME=kyverno:admission-controller
    export KYVERNO_DEPLOYMENT=kyverno-admission-controller
    local common=(--disableMetrics=true --controllerRuntimeMetricsAddress=0 --enableReporting= --omitEvents=PolicyApplied,PolicySkipped,PolicyViolation --v=2)
    local account=system:serviceaccount:kyverno
    KYVERNO_POD_NAME=kyverno-admission KYVERNO_SERVICEACCOUNT_NAME=kyverno-admission-controller behind kyverno --kubeconfig="$admission" --serverIP=127.0.0.1:9443 \
        --caSecretName=kyverno-svc.kyverno.svc.kyverno-tls-ca --tlsSecretName=kyverno-svc.kyverno.svc.kyverno-tls-pair --admissionReports=false --metricsPort=8003 \
        --backgroundServiceAccountName=$account:kyverno-background-controller --reportsServiceAccountName=$account:kyverno-reports-controller "${common[@]}"
    KYVERNO_POD_NAME=kyverno-background KYVERNO_SERVICEACCOUNT_NAME=kyverno-background-controller behind background-controller --kubeconfig="$background" --metricsPort=8004 "${common[@]}"
    until admin get validatingwebhookconfiguration kyverno-policy-validating-webhook-cfg > /dev/null 2>&1; do sleep 0.5; done
    sleep 5
    admin create namespace source
    admin create secret generic registry -n source --from-literal=password=not-real-1
    policies | admin apply -f -
    for name in defaults registry stamp; do until_is True admin get clusterpolicy $name -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}'; done
    sleep 6
}
policies() {
    cat <<'Y'
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: defaults}
spec:
  rules:
  - name: settings
    match: {any: [{resources: {kinds: [Namespace], selector: {matchLabels: {defaults: "yes"}}}}]}
    generate: {synchronize: true, apiVersion: v1, kind: ConfigMap, name: defaults, namespace: "{{request.object.metadata.name}}", data: {data: {region: north}}}
  - name: deny
    match: {any: [{resources: {kinds: [Namespace], selector: {matchLabels: {defaults: "yes"}}}}]}
    generate: {synchronize: true, apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, name: deny, namespace: "{{request.object.metadata.name}}", data: {spec: {podSelector: {}, policyTypes: [Ingress]}}}
---
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: registry}
spec:
  rules:
  - name: copy
    match: {any: [{resources: {kinds: [Namespace], selector: {matchLabels: {registry: "yes"}}}}]}
    generate: {synchronize: true, apiVersion: v1, kind: Secret, name: registry, namespace: "{{request.object.metadata.name}}", clone: {namespace: source, name: registry}}
---
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: stamp}
spec:
  rules:
  - name: stamp
    match: {any: [{resources: {kinds: [ConfigMap], names: [dictionary]}}]}
    mutate:
      mutateExistingOnPolicyUpdate: false
      targets: [{apiVersion: apps/v1, kind: Deployment, namespace: "{{request.object.metadata.namespace}}", name: app}]
      patchStrategicMerge: {spec: {template: {metadata: {annotations: {dictionary: "{{request.object.data.version}}"}}}}}
Y
}
namespace() { printf 'apiVersion: v1\nkind: Namespace\nmetadata: {name: %s, labels: {%s}}\n' "$1" "$2"; }
app() {
    printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app, namespace: %s}\nspec:\n  replicas: %s\n' "$1" "$2"
    printf '  selector: {matchLabels: {app: app}}\n  template:\n    metadata: {labels: {app: app}}\n    spec:\n'
    printf '      terminationGracePeriodSeconds: 1\n      containers: [{name: app, image: "clew/workload:1"}]\n'
}
exists() { until admin get "$2" "$3" -n "$1" > /dev/null 2>&1; do sleep 0.3; done; }
gone() { while admin get "$2" "$3" -n "$1" > /dev/null 2>&1; do sleep 0.3; done; }
region() { until_is "$2" admin get configmap defaults -n "$1" -o 'jsonpath={.data.region}'; }
password() { until [ "$(admin get secret registry -n "$1" -o 'jsonpath={.data.password}' 2> /dev/null | base64 -d)" = "$2" ]; do sleep 0.3; done; }
# Between a request and what the background controller makes of it, there is a silence of its own.
still() { sleep 4; quiet "$@"; }

# What is generated, in two namespaces, and put back.
generated() {
    concerns clusterpolicies/defaults red green
    namespace red 'defaults: "yes"' | alice apply -f -
    exists red configmap defaults
    exists red networkpolicy deny
    still red
    namespace green 'team: green' | bob apply -f -
    still red green
    bob label namespace green defaults=yes
    exists green configmap defaults
    exists green networkpolicy deny
    still red green
    bob delete configmap defaults -n red
    exists red configmap defaults
    still red green
    alice patch configmap defaults -n green --type=merge -p '{"data": {"region": "south"}}'
    region green north
    still red green
    deployer patch clusterpolicy defaults --type=json -p '[{"op": "replace", "path": "/spec/rules/0/generate/data/data/region", "value": "west"}]'
    region red west
    region green west
    still red green
    alice delete networkpolicy deny -n green
    exists green networkpolicy deny
    still red green
    bob label namespace green defaults-
    sleep 6
    still red green
    alice delete namespace red
    gone '' namespace red
    still red green
}
# A secret that is copied.
copied() {
    concerns secrets/registry source blue lime
    sleep 2
    namespace blue 'registry: "yes"' | bob apply -f -
    password blue not-real-1
    still blue
    namespace lime 'registry: "yes"' | deployer apply -f -
    password lime not-real-1
    still blue lime
    alice patch secret registry -n source --type=merge -p '{"stringData": {"password": "not-real-2"}}'
    password blue not-real-2
    password lime not-real-2
    still source blue lime
    app blue 1 | bob apply -f -
    rolled_out deployment/app -n blue
    still blue
    bob scale deployment app -n blue --replicas=2
    rolled_out deployment/app -n blue
    still blue
    deployer delete namespace lime
    gone '' namespace lime
    still source blue lime
}
# What is there already is changed when something else is.
stamped() {
    sleep 4
    alice create namespace grey
    still grey
    app grey 2 | alice apply -f -
    rolled_out deployment/app -n grey
    still grey
    bob create configmap dictionary -n grey --from-literal=version=1
    until_is 1 admin get deployment app -n grey -o 'jsonpath={.spec.template.metadata.annotations.dictionary}'
    rolled_out deployment/app -n grey
    still grey
    alice patch configmap dictionary -n grey --type=merge -p '{"data": {"version": "2"}}'
    until_is 2 admin get deployment app -n grey -o 'jsonpath={.spec.template.metadata.annotations.dictionary}'
    rolled_out deployment/app -n grey
    still grey
    bob scale deployment app -n grey --replicas=3
    rolled_out deployment/app -n grey
    still grey
    deployer patch configmap dictionary -n grey --type=merge -p '{"data": {"version": "3"}}'
    until_is 3 admin get deployment app -n grey -o 'jsonpath={.spec.template.metadata.annotations.dictionary}'
    rolled_out deployment/app -n grey
    still grey
    alice delete configmap dictionary -n grey
    still grey
    bob delete deployment app -n grey
    still grey
}
scene() { together generated copied stamped; }
