# A pipeline and two people at once: every kind of workload, overlapping changes, undo, a timer, a namespace deleted mid-way.
depot() {
    printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s, namespace: depot}\n' "$1"
    printf 'spec: {replicas: %s, selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}},\n' "$2" "$1" "$1"
    printf '  spec: {terminationGracePeriodSeconds: 1, containers: [{name: c, image: clew/workload:1}]}}}\n---\n'
}
everything() {
    depot cart 3
    depot stock 2
    cat <<Y
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: ledger, namespace: depot}
spec:
  replicas: 2
  serviceName: ledger
  selector: {matchLabels: {app: ledger}}
  template:
    metadata: {labels: {app: ledger}}
    spec: {terminationGracePeriodSeconds: 1, containers: [{name: c, image: clew/workload:1}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: probe, namespace: depot}
spec:
  selector: {matchLabels: {app: probe}}
  template:
    metadata: {labels: {app: probe}}
    spec: {terminationGracePeriodSeconds: 1, containers: [{name: c, image: clew/workload:1}]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: sweep, namespace: depot}
spec:
  schedule: "* * * * *"
  jobTemplate:
    spec:
      activeDeadlineSeconds: 2
      template:
        spec:
          terminationGracePeriodSeconds: 1
          restartPolicy: Never
          containers: [{name: c, image: clew/workload:1, args: ["--sleep", "30"]}]
---
apiVersion: v1
kind: Service
metadata: {name: cart, namespace: depot}
spec: {selector: {app: cart}, ports: [{port: 80}]}
Y
}
scene() {
    alice create namespace depot
    everything | deployer apply -f -
    rolled_out statefulset/ledger -n depot
    # A new revision of two Deployments by two, and another one with a scale before the first is done.
    deployer set env deployment/cart V=2 -n depot &
    alice set env deployment/stock V=2 -n depot &
    wait
    alice scale deployment/cart --replicas=6 -n depot
    deployer set env deployment/cart V=3 -n depot
    sleep 3
    alice delete pod ledger-0 -n depot --wait=false &
    admin scale statefulset/ledger --replicas=3 -n depot &
    wait
    sleep 2
    deployer rollout restart daemonset/probe -n depot &
    alice rollout undo deployment/cart -n depot &
    wait
    deployer create job load --image=clew/workload:1 -n depot
    sleep 2
    deployer delete job load -n depot &
    alice delete deployment stock -n depot
    alice create deployment stock --image=clew/workload:1 --replicas=2 -n depot
    wait
    # Until the timer has ticked at least once.
    for _ in $(seq 70); do
        admin get jobs -n depot -o name | grep -q sweep && break
        sleep 1
    done
    sleep 3
    deployer set env deployment/cart V=4 -n depot
    sleep 1
    alice delete namespace depot --wait=false
    admin wait --for=delete namespace/depot --timeout=120s
}
