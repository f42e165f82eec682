# What stands in the way: a quota that is raised, a limit, a priority that pushes others out; and objects that run nothing.
scene() {
    alice create namespace limits
    cat <<Y | alice apply -f -
apiVersion: v1
kind: ResourceQuota
metadata: {name: small, namespace: limits}
spec: {hard: {pods: "3"}}
---
apiVersion: v1
kind: LimitRange
metadata: {name: defaults, namespace: limits}
spec: {limits: [{type: Container, defaultRequest: {cpu: 10m}, max: {cpu: "2"}}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: limits}
rules: [{apiGroups: [""], resources: [pods], verbs: [get, list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reader, namespace: limits}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: User, name: carol@example.com, apiGroup: rbac.authorization.k8s.io}]
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: closed, namespace: limits}
spec: {podSelector: {}, policyTypes: [Ingress]}
Y
    sleep 1
    # Five are wanted, three are allowed; the quota is raised later.
    deployer create deployment wide --image=clew/workload:1 --replicas=5 -n limits
    sleep 5
    bob patch resourcequota small -n limits --type=merge -p '{"spec":{"hard":{"pods":"20"}}}'
    rolled_out deployment/wide -n limits
    # Services that overlap on the same pods, one after the other.
    deployer expose deployment wide --port=80 --target-port=8080 -n limits
    bob create service nodeport open --tcp=80:8080 -n limits
    alice patch service open -n limits --type=merge -p '{"spec":{"selector":{"app":"wide"}}}'
    deployer autoscale deployment wide --min=2 --max=6 --cpu=80% -n limits
    sleep 2
    # The node is nearly full of something cheap when something dear comes.
    admin get node node1 -o jsonpath='{.status.allocatable.cpu}'
    alice create priorityclass dear --value=1000
    cat <<Y | bob apply -f -
apiVersion: apps/v1
kind: Deployment
metadata: {name: cheap, namespace: limits}
spec:
  replicas: 3
  selector: {matchLabels: {app: cheap}}
  template:
    metadata: {labels: {app: cheap}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: cheap, image: clew/workload:1, resources: {requests: {cpu: 600m}}}]
Y
    rolled_out deployment/cheap -n limits
    cat <<Y | alice apply -f -
apiVersion: v1
kind: Pod
metadata: {name: dear, namespace: limits}
spec:
  priorityClassName: dear
  terminationGracePeriodSeconds: 1
  containers: [{name: dear, image: clew/workload:1, resources: {requests: {cpu: 500m}}}]
Y
    admin wait --for=condition=ready pod/dear -n limits --timeout=90s
    sleep 3
    alice delete pod dear -n limits
    rolled_out deployment/cheap -n limits
    deployer delete hpa wide -n limits
    bob delete service open -n limits
    alice delete namespace limits
    alice delete priorityclass dear
}
