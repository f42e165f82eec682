# Two people and a pipeline on the same objects at once.
scene() {
    alice create namespace team
    cat <<Y | alice create -f -
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: team}
data: {colour: green}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: app, namespace: team}
spec:
  replicas: 3
  selector: {matchLabels: {app: app}}
  template:
    metadata: {labels: {app: app}}
    spec:
      terminationGracePeriodSeconds: 1
      containers:
      - {name: app, image: clew/workload:1, envFrom: [{configMapRef: {name: settings}}]}
Y
    rolled_out deployment/app -n team
    # At the same moment: a new revision, another scale, a label, a pod deleted.
    alice set env deployment/app RELEASE=2 -n team &
    bob scale deployment/app --replicas=5 -n team &
    deployer label deployment/app tier=front -n team &
    wait
    bob delete "$(admin get pods -n team -o name | head -1)" -n team
    rolled_out deployment/app -n team
    # One field, two owners: the second is refused, then forces.
    replicas() { printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app, namespace: team}\nspec: {replicas: %s}\n' "$1"; }
    replicas 4 | alice apply --server-side --field-manager=alice --force-conflicts -f -
    replicas 6 | bob apply --server-side --field-manager=bob -f - || true
    replicas 6 | bob apply --server-side --field-manager=bob --force-conflicts -f -
    replicas 4 | alice apply --server-side --field-manager=alice --force-conflicts -f -
    rolled_out deployment/app -n team
    bob patch configmap settings -n team -p '{"data":{"colour":"blue"}}'
    bob rollout restart deployment/app -n team
    alice annotate deployment/app reviewed-by=alice -n team
    rolled_out deployment/app -n team
    # A no-op, a refusal and a deletion that another has asked for already.
    alice label deployment/app tier=front -n team
    bob create deployment app --image=clew/workload:1 -n team || true
    alice delete deployment app -n team --wait=false &
    bob delete deployment app -n team --wait=false || true
    wait
    sleep 4
    alice delete namespace team
}
