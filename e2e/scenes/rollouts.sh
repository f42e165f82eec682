# needs: rollouts
# options: --sampling-rate-per-million 20000
# Argo Rollouts, a controller that is not ours, in three quiet namespaces: a canary that people promote, a blue-green, and one that goes wrong.
prepare() {
    definitions rollouts-controller
    config=$(account argo-rollouts argo-rollouts)
    KUBECONFIG="$config" behind rollouts-controller --kubeconfig "$config" --namespace= --instance-id= --metricsPort 8095 --healthzPort 8096
    sleep 6
}
rollout() {
    printf 'apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: %s, namespace: %s}\n' "$2" "$1"
    printf 'spec:\n  replicas: %s\n  revisionHistoryLimit: 2\n  selector: {matchLabels: {app: %s}}\n' "$3" "$2"
    printf '  template:\n    metadata: {labels: {app: %s}}\n    spec:\n      terminationGracePeriodSeconds: 1\n' "$2"
    printf '      containers: [{name: app, image: "clew/workload:1", env: [{name: RELEASE, value: "%s"}]}]\n  strategy: %s\n' "$4" "$5"
}
service() { printf 'apiVersion: v1\nkind: Service\nmetadata: {name: %s, namespace: %s}\nspec: {selector: {app: %s}, ports: [{port: 80}]}\n' "$2" "$1" "$3"; }
# The release is the only environment variable.
release() { printf '[{"op": "replace", "path": "/spec/template/spec/containers/0/env/0/value", "value": "%s"}]' "$1"; }
# What Argo Rollouts' kubectl plugin writes for promote, abort and retry.
status() { "$1" patch rollout "$3" -n "$2" --subresource=status --type=merge -p "{\"status\": $4}"; }
phase() { until_is "$3" admin get rollout "$2" -n "$1" -o 'jsonpath={.status.phase}'; quiet "$1"; }

canary() {
    local steps='{canary: {steps: [{setWeight: 25}, {pause: {}}, {setWeight: 50}, {pause: {duration: 3s}}]}}'
    alice create namespace shop
    quiet shop
    service shop web web | alice apply -f -
    quiet shop
    rollout shop web 4 1 "$steps" | alice apply -f -
    phase shop web Healthy
    alice patch rollout web -n shop --type=json -p "$(release 2)"
    phase shop web Paused
    status alice shop web '{"pauseConditions": null}'
    phase shop web Healthy
    bob patch rollout web -n shop --type=merge -p '{"spec": {"replicas": 6}}'
    phase shop web Healthy
    rollout shop web 6 3 "$steps" | deployer apply -f -
    phase shop web Paused
    status bob shop web '{"promoteFull": true}'
    phase shop web Healthy
    bob delete rollout web -n shop
    quiet shop
}
blue_green() {
    local strategy='{blueGreen: {activeService: active, previewService: preview, autoPromotionEnabled: false, scaleDownDelaySeconds: 4}}'
    sleep 1
    bob create namespace bank
    quiet bank
    service bank active api | bob apply -f -
    quiet bank
    service bank preview api | bob apply -f -
    quiet bank
    rollout bank api 2 1 "$strategy" | bob apply -f -
    phase bank api Healthy
    bob patch rollout api -n bank --type=json -p "$(release 2)"
    phase bank api Paused
    status bob bank api '{"pauseConditions": null}'
    phase bank api Healthy
    alice patch rollout api -n bank --type=merge -p "{\"spec\": {\"restartAt\": \"$(date -u +%Y-%m-%dT%H:%M:%SZ)\"}}"
    phase bank api Healthy
    alice scale rollout api -n bank --replicas=3
    phase bank api Healthy
    alice delete pod -n bank "$(admin get pods -n bank -o 'jsonpath={.items[0].metadata.name}')"
    phase bank api Healthy
    rollout bank api 3 3 "$strategy" | deployer apply -f -
    phase bank api Paused
    status alice bank api '{"promoteFull": true}'
    phase bank api Healthy
}
aborted() {
    local steps='{canary: {steps: [{setWeight: 50}, {pause: {}}]}}'
    sleep 2
    deployer create namespace labs
    quiet labs
    rollout labs job 2 1 "$steps" | deployer apply -f -
    phase labs job Healthy
    deployer patch rollout job -n labs --type=json -p "$(release 2)"
    phase labs job Paused
    status alice labs job '{"abort": true}'
    phase labs job Degraded
    status alice labs job '{"abort": false}'
    phase labs job Paused
    status bob labs job '{"abort": true}'
    phase labs job Degraded
    alice patch rollout job -n labs --type=json -p "$(release 1)"
    phase labs job Healthy
    bob annotate rollout job -n labs reviewed-by=bob
    quiet labs
    bob patch rollout job -n labs --type=merge -p '{"spec": {"paused": true}}'
    quiet labs
    bob patch rollout job -n labs --type=json -p "$(release 4)"
    quiet labs
    alice patch rollout job -n labs --type=merge -p '{"spec": {"paused": false}}'
    phase labs job Paused
    status alice labs job '{"pauseConditions": null, "currentStepIndex": 2}'
    phase labs job Healthy
    deployer delete namespace labs
    quiet labs
}
scene() { together canary blue_green aborted; }
