# What cannot work: an image that nobody has, a node that does not exist, a quota that is full; and a secret.
scene() {
    alice create namespace lab
    alice create deployment badimage --image=clew/missing:1 -n lab
    sleep 2
    alice create deployment good --image=clew/workload:1 -n lab
    rolled_out deployment/good -n lab
    alice patch deployment good -n lab -p '{"spec":{"template":{"spec":{"nodeSelector":{"disk":"nvme"}}}}}'
    sleep 2
    alice create quota q --hard=pods=3 -n lab
    sleep 1
    alice scale deployment good --replicas=6 -n lab
    sleep 4
    alice create secret generic api --from-literal=password=hunter2-do-not-store -n lab
    sleep 2
}
