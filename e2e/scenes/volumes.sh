# Claims and volumes: static binding, a StatefulSet with claims, a claim that is deleted while it is used.
volume() {
    cat <<Y
apiVersion: v1
kind: PersistentVolume
metadata: {name: $1}
spec:
  capacity: {storage: $2}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: manual
  hostPath: {path: /run/volumes/$1, type: DirectoryOrCreate}
---
Y
}
scene() {
    alice create namespace data
    for n in 0 1 2; do volume "disk-$n" 1Gi; done | alice apply -f -
    cat <<Y | deployer apply -f -
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: ledger, namespace: data}
spec:
  serviceName: ledger
  replicas: 2
  selector: {matchLabels: {app: ledger}}
  template:
    metadata: {labels: {app: ledger}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: ledger, image: clew/workload:1, volumeMounts: [{name: data, mountPath: /data}]}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], storageClassName: manual, resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: backup, namespace: data}
spec: {accessModes: [ReadWriteOnce], storageClassName: manual, resources: {requests: {storage: 5Gi}}}
Y
    rolled_out statefulset/ledger -n data
    # The claim waits for a volume of its size; then a pod uses it.
    sleep 2
    volume disk-big 5Gi | bob apply -f -
    admin wait --for=jsonpath='{.status.phase}'=Bound pvc/backup -n data --timeout=60s
    cat <<Y | bob apply -f -
apiVersion: v1
kind: Pod
metadata: {name: backup, namespace: data}
spec:
  terminationGracePeriodSeconds: 1
  containers: [{name: backup, image: clew/workload:1, volumeMounts: [{name: data, mountPath: /data}]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: backup}}]
Y
    admin wait --for=condition=ready pod/backup -n data --timeout=60s
    # Protected while it is used: gone only when the pod is.
    alice delete pvc backup -n data --wait=false
    sleep 3
    bob delete pod backup -n data
    deployer scale statefulset ledger --replicas=3 -n data
    rolled_out statefulset/ledger -n data
    deployer delete statefulset ledger -n data
    sleep 3
    alice delete namespace data
    alice delete pv disk-0 disk-1 disk-2 disk-big
}
