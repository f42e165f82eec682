# needs: prometheus-operator
# options: --sampling-rate-per-million 20000
# Prometheus Operator, which is not ours, in quiet namespaces: monitors that labels select across namespaces, configuration that it generates, and people who meddle.
prepare() {
    definitions operator
    config=$(account monitoring prometheus-operator)
    KUBECONFIG="$config" behind operator --web.listen-address=127.0.0.1:8098 --kubelet-service= --log-level=info --prometheus-config-reloader=clew/workload:1
    sleep 6
}
exists() { until admin get "$2" "$3" -n "$1" > /dev/null 2>&1; do sleep 0.3; done; }
gone() { while admin get "$2" "$3" -n "$1" > /dev/null 2>&1; do sleep 0.3; done; }
# ready NAMESPACE STATEFULSET COUNT: it has so many pods of its last revision, and none that goes.
ready() {
    until_is "$3/$3/$3" admin get statefulset "$2" -n "$1" -o 'jsonpath={.status.replicas}/{.status.readyReplicas}/{.status.updatedReplicas}'
    until [ "$(admin get pods -n "$1" -o 'jsonpath={range .items[*]}{.metadata.name} {.metadata.deletionTimestamp}{"\n"}{end}' 2> /dev/null | grep -c "^$2-.* $")" = "$3" ]; do sleep 0.5; done
}
# What runs in place of the real programs: it answers their probes.
container() { printf '{name: %s, command: [/workload], args: ["--serve", "%s"]}' "$1" "$2"; }
stand_ins() {
    printf 'image: "clew/workload:1", containers: [%s, %s], initContainers: [{name: init-config-reloader, command: [/workload], args: ["--exit", "0"]}]' "$(container "$1" "$2")" "$(container config-reloader 8080)"
}
uid() { admin get "$2" "$3" -n "$1" -o 'jsonpath={.metadata.uid}' 2> /dev/null; }
# renewed NAMESPACE RESOURCE NAME UID: another one has its place.
renewed() { until [ -n "$(uid "$1" "$2" "$3")" ] && [ "$(uid "$1" "$2" "$3")" != "$4" ]; do sleep 0.3; done; }

servicemonitor() {
    printf 'apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: %s, namespace: %s, labels: {team: %s}}\n' "$2" "$1" "$1"
    printf 'spec: {selector: {matchLabels: {app: %s}}, endpoints: [{port: http, interval: %s}]}\n' "$2" "$3"
}
rules() {
    printf 'apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata: {name: %s, namespace: %s}\n' "$2" "$1"
    printf 'spec: {groups: [{name: g, rules: [{alert: Down, expr: "up == 0", for: %s}]}]}\n' "$3"
}

# A Prometheus in one namespace, what it watches in another.
across() {
    concerns namespaces/teams teams central
    local name
    for name in web db; do concerns servicemonitors/$name teams central; done
    concerns prometheusrules/down teams central
    alice create namespace central
    quiet central
    bob create namespace teams
    quiet teams central
    cat <<Y | alice apply -f -
apiVersion: monitoring.coreos.com/v1
kind: Prometheus
metadata: {name: main, namespace: central}
spec: {replicas: 2, serviceMonitorSelector: {}, serviceMonitorNamespaceSelector: &of {matchLabels: {monitored: "yes"}},
  ruleSelector: {}, ruleNamespaceSelector: *of, $(stand_ins prometheus 9090)}
Y
    ready central prometheus-main 2
    quiet central teams
    servicemonitor teams web 30s | bob apply -f -
    quiet central teams
    bob label namespace teams monitored=yes
    quiet central teams
    servicemonitor teams db 15s | deployer apply -f -
    quiet central teams
    rules teams down 1m | bob apply -f -
    exists central configmap prometheus-main-rulefiles-0
    quiet central teams
    # Someone removes what the operator had generated.
    local old
    old=$(uid central secret prometheus-main)
    alice delete secret prometheus-main -n central
    renewed central secret prometheus-main "$old"
    quiet central teams
    bob patch prometheusrule down -n teams --type=json -p '[{"op": "replace", "path": "/spec/groups/0/rules/0/for", "value": "5m"}]'
    quiet central teams
    bob delete servicemonitor db -n teams
    quiet central teams
    alice patch prometheus main -n central --type=merge -p '{"spec": {"retention": "3d"}}'
    sleep 4
    ready central prometheus-main 2
    quiet central teams
    old=$(uid central statefulset prometheus-main)
    bob delete statefulset prometheus-main -n central
    renewed central statefulset prometheus-main "$old"
    ready central prometheus-main 2
    quiet central teams
    alice patch configmap prometheus-main-rulefiles-0 -n central --type=merge -p '{"data": {"mine.yaml": "groups: []"}}'
    quiet central teams
    bob label namespace teams monitored-
    quiet central teams
    alice delete prometheus main -n central
    gone central pod prometheus-main-0
    quiet central teams
}

# An Alertmanager, whose routes refer to secrets.
alerts() {
    sleep 1
    bob create namespace alerts
    quiet alerts
    bob create secret generic pager -n alerts --from-literal=key=not-real-1
    quiet alerts
    cat <<Y | bob apply -f -
apiVersion: monitoring.coreos.com/v1
kind: Alertmanager
metadata: {name: main, namespace: alerts}
spec: {replicas: 1, alertmanagerConfigSelector: {}, alertmanagerConfigMatcherStrategy: {type: None}, $(stand_ins alertmanager 9093)}
Y
    ready alerts alertmanager-main 1
    quiet alerts
    cat <<Y | alice apply -f -
apiVersion: monitoring.coreos.com/v1alpha1
kind: AlertmanagerConfig
metadata: {name: routes, namespace: alerts}
spec:
  route: {receiver: pager, groupBy: [job]}
  receivers: [{name: pager, pagerdutyConfigs: [{routingKey: {name: pager, key: key}}]}]
Y
    quiet alerts
    bob patch secret pager -n alerts --type=merge -p '{"stringData": {"key": "not-real-2"}}'
    quiet alerts
    alice scale statefulset alertmanager-main -n alerts --replicas=3
    sleep 4
    ready alerts alertmanager-main 1
    quiet alerts
    deployer patch alertmanager main -n alerts --type=merge -p '{"spec": {"replicas": 2}}'
    ready alerts alertmanager-main 2
    quiet alerts
    local old
    old=$(uid alerts service alertmanager-operated)
    bob delete service alertmanager-operated -n alerts
    sleep 4
    quiet alerts
    alice patch alertmanager main -n alerts --type=merge -p '{"spec": {"logLevel": "debug"}}'
    sleep 3
    ready alerts alertmanager-main 2
    quiet alerts
    bob delete pod alertmanager-main-0 -n alerts
    sleep 2
    ready alerts alertmanager-main 2
    quiet alerts
    old=$(uid alerts secret alertmanager-main-generated)
    alice delete secret alertmanager-main-generated -n alerts
    renewed alerts secret alertmanager-main-generated "$old"
    quiet alerts
    bob delete secret pager -n alerts
    sleep 3
    quiet alerts
    deployer delete alertmanagerconfig routes -n alerts
    sleep 2
    quiet alerts
    deployer delete namespace alerts
    gone '' namespace alerts
    quiet alerts
}

# An agent and a ruler in one namespace, and a pause.
edge() {
    sleep 2
    deployer create namespace edge
    quiet edge
    cat <<Y | deployer apply -f -
apiVersion: monitoring.coreos.com/v1alpha1
kind: PrometheusAgent
metadata: {name: agent, namespace: edge}
spec: {replicas: 1, podMonitorSelector: {}, probeSelector: {}, remoteWrite: [{url: "http://central.invalid/write"}], $(stand_ins prometheus 9090)}
Y
    ready edge prom-agent-agent 1
    quiet edge
    cat <<Y | alice apply -f -
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: jobs, namespace: edge}
spec: {selector: {matchLabels: {app: jobs}}, podMetricsEndpoints: [{port: http}]}
Y
    quiet edge
    rules edge slow 2m | alice apply -f -
    quiet edge
    cat <<Y | bob apply -f -
apiVersion: monitoring.coreos.com/v1
kind: ThanosRuler
metadata: {name: ruler, namespace: edge}
spec: {replicas: 1, ruleSelector: {}, queryEndpoints: ["http://query.invalid:9090"],
  image: "clew/workload:1", containers: [$(container thanos-ruler 10902), $(container config-reloader 8080)]}
Y
    ready edge thanos-ruler-ruler 1
    quiet edge
    alice patch prometheusrule slow -n edge --type=json -p '[{"op": "replace", "path": "/spec/groups/0/rules/0/for", "value": "9m"}]'
    quiet edge
    bob patch prometheusagent agent -n edge --type=merge -p '{"spec": {"paused": true}}'
    quiet edge
    bob patch prometheusagent agent -n edge --type=merge -p '{"spec": {"replicas": 2}}'
    quiet edge
    alice delete podmonitor jobs -n edge
    quiet edge
    bob patch prometheusagent agent -n edge --type=merge -p '{"spec": {"paused": false}}'
    ready edge prom-agent-agent 2
    quiet edge
    alice delete configmap thanos-ruler-ruler-rulefiles-0 -n edge
    exists edge configmap thanos-ruler-ruler-rulefiles-0
    quiet edge
    bob patch statefulset prom-agent-agent -n edge --type=json -p '[{"op": "add", "path": "/spec/template/metadata/annotations/mine", "value": "yes"}]'
    sleep 5
    ready edge prom-agent-agent 2
    quiet edge
    deployer delete thanosruler ruler -n edge
    gone edge pod thanos-ruler-ruler-0
    quiet edge
}
scene() { together across alerts edge; }
