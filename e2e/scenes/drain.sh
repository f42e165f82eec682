# The one real node is drained and comes back: pods are evicted, wait, and run again.
prepare() {
    admin create namespace shop
    cat <<Y | admin apply -f -
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: web, image: clew/workload:1}]
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: shop}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: agent, image: clew/workload:1}]
Y
    rolled_out deployment/web -n shop
    rolled_out daemonset/agent -n shop
}
scene() {
    alice drain node1 --ignore-daemonsets --timeout=60s
    sleep 2
    # A change that must wait for the node.
    bob scale deployment/web --replicas=5 -n shop
    sleep 2
    alice uncordon node1
    rolled_out deployment/web -n shop
    # Everything without a toleration must go at once.
    alice taint node node1 maintenance=now:NoExecute
    sleep 5
    alice taint node node1 maintenance-
    rolled_out deployment/web -n shop
    rolled_out daemonset/agent -n shop
}
