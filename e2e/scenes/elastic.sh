# needs: elastic
# options: --sampling-rate-per-million 20000
# Elastic's operator (ECK), which is not ours, in three quiet namespaces: configuration out of secrets that are only referred to, certificates and tokens that it makes, and people who meddle.
prepare() {
    definitions cmd || { sleep 3; definitions cmd; }
    config=$(account elastic-system elastic-operator)
    KUBECONFIG="$config" behind cmd manager --operator-namespace=elastic-system --enable-webhook=false --metrics-port=0 --disable-telemetry --log-verbosity=0 --development=false
    sleep 8
}
uid() { admin get "$2" "$3" -n "$1" -o 'jsonpath={.metadata.uid}' 2> /dev/null; }
renewed() { until [ -n "$(uid "$1" "$2" "$3")" ] && [ "$(uid "$1" "$2" "$3")" != "$4" ]; do sleep 0.3; done; }
gone() { while admin get "$2" "$3" -n "$1" > /dev/null 2>&1; do sleep 0.5; done; }
# up NAMESPACE WORKLOAD: there and rolled out.
up() {
    until admin get "$2" -n "$1" > /dev/null 2>&1; do sleep 0.3; done
    rolled_out "$2" -n "$1" > /dev/null
}
still() { python3 "$(dirname "${BASH_SOURCE[0]}")/wait_for_quiet.py" "$SCENE_AUDIT" 8 "$@"; }
# What runs in place of the real programs.
pod() { printf '{spec: {terminationGracePeriodSeconds: 1, containers: [{name: %s, command: [/workload], args: ["--serve", "%s"], readinessProbe: {tcpSocket: {port: %s}}}]}}' "$1" "$2" "$2"; }
beat() {
    printf 'apiVersion: beat.k8s.elastic.co/v1beta1\nkind: Beat\nmetadata: {name: collect, namespace: logs}\n'
    printf 'spec: {type: filebeat, version: 8.15.0, image: "clew/workload:1", %s, deployment: {replicas: %s, podTemplate: %s}}\n' "$2" "$1" "$(pod filebeat 5066)"
}
logs() {
    local old
    alice create namespace logs
    still logs
    bob create secret generic inputs -n logs --from-literal=beat.yml='output.console.enabled: true'
    still logs
    beat 2 'configRef: {secretName: inputs}' | bob apply -f -
    up logs deployment/collect-beat-filebeat
    still logs
    bob patch secret inputs -n logs --type=merge -p '{"stringData": {"beat.yml": "output.file.path: /tmp"}}'
    sleep 3
    up logs deployment/collect-beat-filebeat
    still logs
    old=$(uid logs secret collect-beat-filebeat-config)
    alice delete secret collect-beat-filebeat-config -n logs
    renewed logs secret collect-beat-filebeat-config "$old"
    still logs
    alice scale deployment collect-beat-filebeat -n logs --replicas=4
    sleep 3
    up logs deployment/collect-beat-filebeat
    still logs
    beat 1 'configRef: {secretName: inputs}' | deployer apply -f -
    sleep 3
    up logs deployment/collect-beat-filebeat
    still logs
    old=$(uid logs deployment collect-beat-filebeat)
    bob delete deployment collect-beat-filebeat -n logs
    renewed logs deployment collect-beat-filebeat "$old"
    up logs deployment/collect-beat-filebeat
    still logs
    bob delete secret inputs -n logs
    sleep 3
    still logs
    bob create secret generic inputs -n logs --from-literal=beat.yml='output.console.pretty: true'
    sleep 3
    up logs deployment/collect-beat-filebeat
    still logs
    alice delete beat collect -n logs
    gone logs deployment collect-beat-filebeat
    still logs
}
traces() {
    local old
    sleep 1
    bob create namespace traces
    still traces
    printf 'apiVersion: apm.k8s.elastic.co/v1\nkind: ApmServer\nmetadata: {name: main, namespace: traces}\nspec: {version: 8.15.0, image: "clew/workload:1", count: 1, podTemplate: %s}\n' "$(pod apm-server 8200)" | alice apply -f -
    up traces deployment/main-apm-server
    still traces
    bob patch apmserver main -n traces --type=merge -p '{"spec": {"config": {"apm-server.max_event_size": 1000}}}'
    sleep 3
    up traces deployment/main-apm-server
    still traces
    old=$(uid traces service main-apm-http)
    alice delete service main-apm-http -n traces
    renewed traces service main-apm-http "$old"
    still traces
    old=$(uid traces secret main-apm-http-certs-internal)
    bob delete secret main-apm-http-certs-internal -n traces
    renewed traces secret main-apm-http-certs-internal "$old"
    sleep 3
    up traces deployment/main-apm-server
    still traces
    old=$(uid traces secret main-apm-token)
    alice delete secret main-apm-token -n traces
    renewed traces secret main-apm-token "$old"
    sleep 3
    up traces deployment/main-apm-server
    still traces
    deployer patch apmserver main -n traces --type=merge -p '{"spec": {"count": 2, "http": {"service": {"metadata": {"labels": {"team": "traces"}}}}}}'
    sleep 3
    up traces deployment/main-apm-server
    still traces
    alice label service main-apm-http -n traces reviewed-by=alice
    still traces
    bob annotate apmserver main -n traces eck.k8s.elastic.co/managed=false
    still traces
    bob scale deployment main-apm-server -n traces --replicas=1
    up traces deployment/main-apm-server
    still traces
    alice annotate apmserver main -n traces eck.k8s.elastic.co/managed-
    sleep 3
    up traces deployment/main-apm-server
    still traces
    bob delete apmserver main -n traces
    gone traces deployment main-apm-server
    still traces
}
agent() { printf 'apiVersion: agent.k8s.elastic.co/v1alpha1\nkind: Agent\nmetadata: {name: host, namespace: hosts}\nspec: {version: 8.15.0, image: "clew/workload:1", config: {id: "%s"}, daemonSet: {podTemplate: %s}}\n' "$1" "$(pod agent 6791)"; }
hosts() {
    sleep 2
    deployer create namespace hosts
    still hosts
    agent one | deployer apply -f -
    up hosts daemonset/host-agent
    still hosts
    agent two | alice apply -f -
    sleep 3
    up hosts daemonset/host-agent
    still hosts
    bob delete pod -n hosts "$(admin get pods -n hosts -o 'jsonpath={.items[0].metadata.name}')"
    sleep 2
    up hosts daemonset/host-agent
    still hosts
    alice patch secret host-agent-config -n hosts --type=merge -p '{"stringData": {"agent.yml": "nothing"}}'
    sleep 3
    still hosts
    local old
    old=$(uid hosts daemonset host-agent)
    bob delete daemonset host-agent -n hosts
    renewed hosts daemonset host-agent "$old"
    up hosts daemonset/host-agent
    still hosts
    deployer delete namespace hosts
    gone '' namespace hosts
    still hosts
}
scene() { together logs traces hosts; }
