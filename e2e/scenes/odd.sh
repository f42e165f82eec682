# options: --sampling-rate-per-million 20000
# People do what controllers do, in quiet namespaces: they write status, own objects, hold a Lease, create Events, write in a loop; and then they
# go on as people. A controller is a shell script, and another has the account of a pipeline.
stage_of_odd=$(dirname "${BASH_SOURCE[0]}")/odd
# A controller that is a script: for each ConfigMap `kind=site` a Deployment of its own.
script() {
    while sleep 1; do
        kubectl get configmaps -n glass -l kind=site -o 'jsonpath={range .items[*]}{.metadata.name} {.data.replicas}{"\n"}{end}' |
            while read -r name replicas; do
                kubectl create deployment "$name" -n glass --image=clew/workload:1 --replicas="$replicas" --dry-run=client -o yaml | kubectl apply -f -
            done
        for name in $(kubectl get deployments -n glass -o 'jsonpath={.items[*].metadata.name}'); do
            kubectl get configmap "$name" -n glass > /dev/null 2>&1 || kubectl delete deployment "$name" -n glass
        done
    done
}
prepare() {
    config=$(account tools script)
    export -f script
    KUBECONFIG="$config" behind bash -c script
    KUBECONFIG="$KUBECONFIGS/deployer" behind python3 "$stage_of_odd/stamper.py"
    sleep 2
}
app() { # NAMESPACE REPLICAS RELEASE
    printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app, namespace: %s}\nspec:\n  replicas: %s\n' "$1" "$2"
    printf '  selector: {matchLabels: {app: app}}\n  template:\n    metadata: {labels: {app: app}}\n    spec:\n'
    printf '      terminationGracePeriodSeconds: 1\n      containers: [{name: app, image: "clew/workload:1", env: [{name: RELEASE, value: "%s"}]}]\n' "$3"
}
settings() { printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: %s%s}\ndata: {%s}\n' "$2" "$1" "$4" "$3"; }
# done_in NAMESPACE: the Deployment is as it should be, and nothing moves.
done_in() { rolled_out deployment/app -n "$1" > /dev/null; quiet "$1"; }

# Alice writes status, owns, leads and reports, and deploys in between.
lab() {
    alice create namespace lab
    quiet lab
    app lab 2 1 | alice apply -f -
    done_in lab
    alice patch deployment app -n lab --subresource=status --type=merge -p '{"status": {"readyReplicas": 1, "availableReplicas": 1, "unavailableReplicas": 1}}'
    quiet lab
    alice scale deployment app -n lab --replicas=3
    done_in lab
    settings lab mine 'a: b' ", ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: app, controller: true, uid: $(admin get deployment app -n lab -o 'jsonpath={.metadata.uid}')}]" |
        alice apply -f -
    quiet lab
    alice set env deployment/app -n lab RELEASE=2
    done_in lab
    printf 'apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: alice, namespace: lab}\nspec: {holderIdentity: alice, leaseDurationSeconds: 15}\n' | alice create -f -
    for turn in 1 2 3 4 5; do
        alice patch lease alice -n lab --type=merge -p "{\"spec\": {\"leaseTransitions\": $turn, \"renewTime\": \"$(date -u +%Y-%m-%dT%H:%M:%S.%6NZ)\"}}"
    done
    alice rollout restart deployment/app -n lab
    done_in lab
    printf 'apiVersion: v1\nkind: Event\nmetadata: {name: note, namespace: lab}\ntype: Normal\nreason: Reviewed\nmessage: looked at it\nsource: {component: alice}\nreportingComponent: alice\nreportingInstance: alice\ninvolvedObject: {apiVersion: apps/v1, kind: Deployment, name: app, namespace: lab}\n' | alice create -f -
    alice scale deployment app -n lab --replicas=1
    done_in lab
    alice delete deployment app -n lab
    quiet lab
}
# Bob uses every way in which kubectl writes.
desk() {
    sleep 1
    bob create namespace desk
    quiet desk
    app desk 2 1 | bob apply --server-side -f -
    done_in desk
    app desk 3 1 | bob apply --server-side --field-manager=desk-operator --force-conflicts -f -
    done_in desk
    admin get deployment app -n desk -o yaml | sed 's/replicas: 3/replicas: 2/' | bob replace -f -
    done_in desk
    KUBE_EDITOR="bash $stage_of_odd/editor.sh" bob edit deployment app -n desk
    done_in desk
    bob annotate deployment app -n desk reviewed-by=bob
    quiet desk
    bob label deployment app -n desk team=blue
    quiet desk
    bob patch pod -n desk "$(admin get pods -n desk -o 'jsonpath={.items[0].metadata.name}')" --subresource=status --type=merge -p '{"status": {"message": "bob was here"}}'
    quiet desk
    bob delete replicaset -n desk "$(admin get replicasets -n desk -l app=app -o 'jsonpath={range .items[?(@.spec.replicas>0)]}{.metadata.name}{end}')"
    done_in desk
    bob set env deployment/app -n desk RELEASE=2
    done_in desk
}
# A script of Bob's rewrites a ConfigMap every second; then he deploys.
loop() {
    sleep 2
    bob create namespace loop
    quiet loop
    app loop 1 1 | bob apply -f -
    done_in loop
    for turn in $(seq 10); do
        settings loop ticks "turn: \"$turn\"" "" | bob apply -f -
        sleep 1
    done
    quiet loop
    bob scale deployment app -n loop --replicas=3
    done_in loop
    bob rollout restart deployment/app -n loop
    done_in loop
    alice scale deployment app -n loop --replicas=1
    done_in loop
    bob delete configmap ticks -n loop
    quiet loop
}
# What the script of `prepare` makes.
glass() {
    alice create namespace glass
    quiet glass
    settings glass red 'replicas: "2"' ', labels: {kind: site}' | alice apply -f -
    until admin get deployment red -n glass > /dev/null 2>&1; do sleep 0.5; done
    rolled_out deployment/red -n glass > /dev/null
    quiet glass
    settings glass red 'replicas: "3"' ', labels: {kind: site}' | bob apply -f -
    until_is 3 admin get deployment red -n glass -o 'jsonpath={.status.readyReplicas}'
    quiet glass
    settings glass blue 'replicas: "1"' ', labels: {kind: site}' | deployer apply -f -
    until_is 1 admin get deployment blue -n glass -o 'jsonpath={.status.readyReplicas}'
    quiet glass
    alice delete deployment red -n glass
    until_is 3 admin get deployment red -n glass -o 'jsonpath={.status.readyReplicas}'
    quiet glass
    bob delete configmap red -n glass
    admin wait --for=delete deployment/red -n glass --timeout=60s
    quiet glass
}
# The pipeline's account is also that of a controller, which stamps ConfigMaps: told apart by its agent alone.
line() {
    sleep 1
    deployer create namespace line
    quiet line
    app line 2 1 | deployer apply -f -
    done_in line
    settings line order 'text: hello' ', labels: {stamp: wanted}' | deployer apply -f -
    until_is hello admin get configmap order-stamped -n line -o 'jsonpath={.data.text}'
    quiet line
    app line 3 2 | deployer apply -f -
    done_in line
    settings line order 'text: goodbye' ', labels: {stamp: wanted}' | alice apply -f -
    until_is goodbye admin get configmap order-stamped -n line -o 'jsonpath={.data.text}'
    quiet line
    deployer rollout restart deployment/app -n line
    done_in line
    bob scale deployment app -n line --replicas=1
    done_in line
}
scene() { together lab desk loop glass line; }
