# A Deployment's life: made, exposed, scaled, changed, deleted.
scene() {
    alice create namespace shop
    alice create deployment web --image=clew/workload:1 --replicas=3 -n shop
    rolled_out deployment/web -n shop
    alice expose deployment web --port=80 -n shop
    sleep 1
    alice scale deployment/web --replicas=5 -n shop
    rolled_out deployment/web -n shop
    alice set env deployment/web RELEASE=2 -n shop
    rolled_out deployment/web -n shop
    alice delete deployment web -n shop
    sleep 4
}
