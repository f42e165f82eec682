# options: --control-plane-only --kwok 3
# Three simulated nodes: a drain that a budget holds back, an eviction by hand, a node that is deleted.
prepare() {
    admin create namespace shop
    cat <<Y | admin apply -f -
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 6
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: clew/workload:1}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: store, namespace: shop}
spec:
  serviceName: store
  replicas: 3
  podManagementPolicy: Parallel
  selector: {matchLabels: {app: store}}
  template:
    metadata: {labels: {app: store}}
    spec: {containers: [{name: store, image: clew/workload:1}]}
Y
    rolled_out deployment/web -n shop
    rolled_out statefulset/store -n shop
}
scene() {
    deployer create poddisruptionbudget web --selector=app=web --min-available=6 -n shop
    sleep 2
    # Refused again and again, until the budget allows it.
    alice drain kwok-0 --timeout=60s &
    sleep 7
    bob patch poddisruptionbudget web -n shop --type=merge -p '{"spec":{"minAvailable":3}}'
    wait
    rolled_out deployment/web -n shop
    pod=$(admin get pods -n shop -l app=store -o jsonpath='{.items[0].metadata.name}')
    printf '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"%s","namespace":"shop"}}' "$pod" |
        bob create --raw "/api/v1/namespaces/shop/pods/$pod/eviction" -f -
    alice uncordon kwok-0
    alice taint node kwok-1 broken=yes:NoExecute
    sleep 4
    alice delete node kwok-1
    rolled_out deployment/web -n shop
    rolled_out statefulset/store -n shop
    sleep 2
}
