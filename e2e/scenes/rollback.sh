# A rollback while a roll-out is stuck, and another while one is under way.
deployment() {
    cat <<Y
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 2
      containers:
      - name: web
        image: clew/workload:1
        args: ["--serve", "8080", "--unready-for", "$1"]
        readinessProbe: {httpGet: {path: /readyz, port: 8080}, periodSeconds: 1}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
Y
}
scene() {
    alice create namespace shop
    deployment 1 | alice apply -f -
    rolled_out deployment/web -n shop
    # An image that nobody has: the roll-out stops half-way, and is undone.
    alice set image deployment/web web=clew/missing:2 -n shop
    sleep 4
    alice rollout undo deployment/web -n shop
    rolled_out deployment/web -n shop
    # A good roll-out, undone and restarted while it runs.
    alice set env deployment/web RELEASE=3 -n shop
    sleep 1
    bob rollout undo deployment/web -n shop
    sleep 1
    alice rollout restart deployment/web -n shop
    sleep 1
    bob scale deployment/web --replicas=2 -n shop
    rolled_out deployment/web -n shop
    alice rollout pause deployment/web -n shop
    alice set env deployment/web RELEASE=4 -n shop
    sleep 2
    alice rollout resume deployment/web -n shop
    rolled_out deployment/web -n shop
    alice delete deployment,service web -n shop
    sleep 4
}
