# needs: flagger
# options: --sampling-rate-per-million 20000
# Flagger, which is not ours, in three quiet namespaces: analyses that a changed setting begins, a gate that someone opens elsewhere, releases that fail.
prepare() {
    definitions flagger
    config=$(account flagger-system flagger)
    KUBECONFIG="$config" behind flagger --kubeconfig "$config" --mesh-provider=kubernetes --control-loop-interval=5s --port=8097 --metrics-server=http://127.0.0.1:9 --log-level=info
    # Who may go on is asked here.
    mkdir -p "$SCENE_LOGS/gate"
    cat > "$SCENE_LOGS/gate.py" <<'Y'
import http.server, os, sys

class Gate(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200 if os.path.exists(os.path.join(sys.argv[1], self.path.strip("/"))) else 403)
        self.end_headers()

http.server.HTTPServer(("127.0.0.1", 8099), Gate).serve_forever()
Y
    behind python3 "$SCENE_LOGS/gate.py" "$SCENE_LOGS/gate"
    sleep 6
}
workload() {
    printf 'apiVersion: apps/v1\nkind: %s\nmetadata: {name: %s, namespace: %s}\nspec:\n' "$1" "$3" "$2"
    [ "$1" = DaemonSet ] || printf '  replicas: %s\n' "$4"
    printf '  selector: {matchLabels: {app: %s}}\n  template:\n    metadata: {labels: {app: %s}}\n    spec:\n      terminationGracePeriodSeconds: 1\n' "$3" "$3"
    printf '      containers: [{name: app, image: "clew/workload:1", env: [{name: RELEASE, value: "1"}]%s}]\n' "$5"
}
# canary KIND NAMESPACE NAME MORE ANALYSIS
canary() {
    printf 'apiVersion: flagger.app/v1beta1\nkind: Canary\nmetadata: {name: %s, namespace: %s}\n' "$3" "$2"
    printf 'spec:\n  provider: kubernetes\n  progressDeadlineSeconds: 15\n  targetRef: {apiVersion: apps/v1, kind: %s, name: %s}\n  service: {port: 80}\n' "$1" "$3"
    printf '%b  analysis: {interval: 10s, threshold: 1, iterations: 1%s}\n' "$4" "$5"
}
when() { admin get canary "$2" -n "$1" -o 'jsonpath={.status.lastTransitionTime}' 2> /dev/null; }
# Flagger looks every ten seconds, so that five seconds of silence say nothing.
settled() { sleep 11; quiet "$1"; }
# reached NAMESPACE NAME PHASE SINCE: the canary went on and came there.
reached() {
    until [ "$(when "$1" "$2")" != "$4" ] && [ "$(admin get canary "$2" -n "$1" -o 'jsonpath={.status.phase}' 2> /dev/null)" = "$3" ]; do sleep 0.5; done
    settled "$1"
}

shop() {
    alice create namespace shop
    quiet shop
    alice create configmap settings -n shop --from-literal=colour=green
    quiet shop
    workload Deployment shop web 2 ', envFrom: [{configMapRef: {name: settings}}]' | alice apply -f -
    rolled_out deployment/web -n shop
    quiet shop
    canary Deployment shop web '' '' | alice apply -f -
    reached shop web Initialized ''
    local since
    since=$(when shop web)
    bob set env deployment/web -n shop RELEASE=2
    reached shop web Succeeded "$since"
    since=$(when shop web)
    bob patch configmap settings -n shop --type=merge -p '{"data": {"colour": "blue"}}'
    reached shop web Succeeded "$since"
    alice delete service web-primary -n shop
    until admin get service web-primary -n shop > /dev/null 2>&1; do sleep 0.3; done
    settled shop
    bob scale deployment web-primary -n shop --replicas=3
    settled shop
    alice delete configmap settings-primary -n shop
    settled shop
    bob delete canary web -n shop
    while admin get deployment web-primary -n shop > /dev/null 2>&1; do sleep 0.5; done
    settled shop
}
bank() {
    sleep 1
    bob create namespace bank
    quiet bank
    workload Deployment bank api 1 '' | bob apply -f -
    rolled_out deployment/api -n bank
    quiet bank
    canary Deployment bank api '' ', webhooks: [{name: gate, type: confirm-rollout, url: "http://127.0.0.1:8099/bank"}]' | deployer apply -f -
    reached bank api Initialized ''
    local since
    since=$(when bank api)
    alice set env deployment/api -n bank RELEASE=2
    reached bank api Waiting "$since"
    since=$(when bank api)
    pushed "the gate of bank opens" bank
    touch "$SCENE_LOGS/gate/bank"
    reached bank api Succeeded "$since"
    since=$(when bank api)
    bob set image deployment/api -n bank app=clew/missing:1
    reached bank api Failed "$since"
    alice patch canary api -n bank --type=merge -p '{"spec": {"suspend": true}}'
    settled bank
    alice set image deployment/api -n bank app=clew/workload:1
    settled bank
    since=$(when bank api)
    alice set env deployment/api -n bank RELEASE=3
    settled bank
    bob patch canary api -n bank --type=merge -p '{"spec": {"suspend": false}}'
    reached bank api Succeeded "$since"
}
labs() {
    sleep 2
    deployer create namespace labs
    quiet labs
    deployer create secret generic token -n labs --from-literal=value=not-real
    quiet labs
    workload DaemonSet labs agent 1 ', envFrom: [{secretRef: {name: token}}]' | deployer apply -f -
    rolled_out daemonset/agent -n labs
    quiet labs
    canary DaemonSet labs agent '  skipAnalysis: true\n' '' | alice apply -f -
    reached labs agent Initialized ''
    local since
    since=$(when labs agent)
    alice set env daemonset/agent -n labs RELEASE=2
    reached labs agent Succeeded "$since"
    bob delete service agent-canary -n labs
    settled labs
    since=$(when labs agent)
    bob patch secret token -n labs --type=merge -p '{"stringData": {"value": "not-real-2"}}'
    reached labs agent Succeeded "$since"
    alice delete pod -n labs "$(admin get pods -n labs -l app=agent-primary -o 'jsonpath={.items[0].metadata.name}')"
    settled labs
    bob delete daemonset agent-primary -n labs
    until admin get daemonset agent-primary -n labs > /dev/null 2>&1; do sleep 0.5; done
    settled labs
    deployer delete namespace labs
    while admin get namespace labs > /dev/null 2>&1; do sleep 0.5; done
    quiet labs
}
scene() { together shop bank labs; }
