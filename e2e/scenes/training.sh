# needs: training-operator
# options: --sampling-rate-per-million 20000
# Kubeflow's training operator, which is not ours, in four quiet namespaces: pods and services without any workload between, jobs that end, wait, fail and are cleaned up.
# The operator looks again after five seconds, so that they are not enough.
quiet() { python3 "$(dirname "${BASH_SOURCE[0]}")/wait_for_quiet.py" "$SCENE_AUDIT" 9 "$@"; }
prepare() {
    definitions training-operator.v1
    config=$(account kubeflow training-operator)
    # It keeps its certificate in this secret and in this configuration, and waits for the kubelet to bring the files.
    admin create secret generic training-operator-webhook-cert -n kubeflow
    printf 'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: validator.training-operator.kubeflow.org}\nwebhooks: []\n' | admin apply -f -
    printf -- '- name: init-pytorch\n  image: {{.InitContainerImage}}\n  args: ["--sleep", "1"]\n' > "$SCENE_LOGS/init.yaml"
    KUBECONFIG="$config" behind training-operator.v1 --metrics-bind-address=127.0.0.1:8091 --health-probe-bind-address=127.0.0.1:8092 --webhook-server-port=9443 \
        --pytorch-init-container-image=clew/workload:1 --pytorch-init-container-template-file="$SCENE_LOGS/init.yaml" --mpi-kubectl-delivery-image=clew/workload:1 --controller-threads=2
    until [ -n "$(admin get secret training-operator-webhook-cert -n kubeflow -o 'jsonpath={.data.tls\.crt}')" ]; do sleep 0.5; done
    local certs=/tmp/k8s-webhook-server/serving-certs file
    mkdir -p "$certs"
    for file in tls.crt tls.key ca.crt ca.key; do
        admin get secret training-operator-webhook-cert -n kubeflow -o "jsonpath={.data.${file/./\\.}}" | base64 -d > "$certs/$file"
    done
    until curl -sf http://127.0.0.1:8092/readyz > /dev/null; do sleep 0.5; done
}
# replica CONTAINER COUNT POLICY ARGS
replica() {
    printf '{replicas: %s, restartPolicy: %s, template: {spec: {terminationGracePeriodSeconds: 1, containers: [{name: %s, image: "clew/workload:1", args: [%s]}]}}}' "$2" "$3" "$1" "$4"
}
# job KIND NAMESPACE NAME RUN_POLICY REPLICAS MORE
job() { printf 'apiVersion: kubeflow.org/v1\nkind: %s\nmetadata: {name: %s, namespace: %s}\nspec: {runPolicy: {%s}, %s: {%s}%s}\n' "$1" "$3" "$2" "$4" "$(key "$1")" "$5" "$6"; }
key() {
    case $1 in
        PyTorchJob) echo pytorchReplicaSpecs ;;
        TFJob) echo tfReplicaSpecs ;;
        XGBoostJob) echo xgbReplicaSpecs ;;
        PaddleJob) echo paddleReplicaSpecs ;;
        MPIJob) echo mpiReplicaSpecs ;;
    esac
}
# is NAMESPACE RESOURCE NAME CONDITION
is() { until_is True admin get "$2" "$3" -n "$1" -o "jsonpath={.status.conditions[?(@.type==\"$4\")].status}"; }
gone() { while admin get "$2" "$3" -n "$1" > /dev/null 2>&1; do sleep 0.3; done; }
running() { until [ "$(admin get pods -n "$1" -l "$2" -o name --field-selector=status.phase=Running 2> /dev/null | wc -l)" = "$3" ]; do sleep 0.5; done; }
uid() { admin get "$2" "$3" -n "$1" -o 'jsonpath={.metadata.uid}' 2> /dev/null; }
renewed() { until [ -n "$(uid "$1" "$2" "$3")" ] && [ "$(uid "$1" "$2" "$3")" != "$4" ]; do sleep 0.3; done; }

vision() {
    alice create namespace vision
    quiet vision
    job PyTorchJob vision short 'cleanPodPolicy: Running' "Master: $(replica pytorch 1 Never '"--sleep", "8"'), Worker: $(replica pytorch 2 Never '"--sleep", "6"')" '' | alice apply -f -
    is vision pytorchjob short Succeeded
    quiet vision
    job PyTorchJob vision long 'cleanPodPolicy: All' "Master: $(replica pytorch 1 OnFailure ''), Worker: $(replica pytorch 2 OnFailure '')" '' | bob apply -f -
    running vision training.kubeflow.org/job-name=long 3
    quiet vision
    local old
    old=$(uid vision pod long-worker-1)
    alice delete pod long-worker-1 -n vision
    renewed vision pod long-worker-1 "$old"
    running vision training.kubeflow.org/job-name=long 3
    quiet vision
    bob patch pytorchjob long -n vision --type=merge -p '{"spec": {"runPolicy": {"suspend": true}}}'
    gone vision pod long-master-0
    quiet vision
    alice patch pytorchjob long -n vision --type=merge -p '{"spec": {"runPolicy": {"suspend": false}}}'
    running vision training.kubeflow.org/job-name=long 3
    quiet vision
    old=$(uid vision service long-worker-0)
    bob delete service long-worker-0 -n vision
    renewed vision service long-worker-0 "$old"
    quiet vision
    alice delete pytorchjob short -n vision
    quiet vision
    bob delete pytorchjob long -n vision
    gone vision pod long-master-0
    quiet vision
}
speech() {
    sleep 1
    bob create namespace speech
    quiet speech
    job TFJob speech train 'cleanPodPolicy: All, ttlSecondsAfterFinished: 6' "Chief: $(replica tensorflow 1 Never '"--sleep", "10"'), PS: $(replica tensorflow 1 Never ''), Worker: $(replica tensorflow 2 Never '"--sleep", "5"')" '' | deployer apply -f -
    is speech tfjob train Succeeded
    gone speech tfjob train
    quiet speech
    job TFJob speech serve 'cleanPodPolicy: None' "Worker: $(replica tensorflow 2 Never '')" '' | bob apply -f -
    running speech training.kubeflow.org/job-name=serve 2
    quiet speech
    alice patch tfjob serve -n speech --type=json -p '[{"op": "replace", "path": "/spec/tfReplicaSpecs/Worker/replicas", "value": 3}]'
    running speech training.kubeflow.org/job-name=serve 3
    quiet speech
    alice label pod serve-worker-0 -n speech reviewed-by=alice
    quiet speech
    bob label service serve-worker-0 -n speech training.kubeflow.org/job-name-
    sleep 9
    quiet speech
    bob annotate tfjob serve -n speech note=two
    quiet speech
    alice delete tfjob serve -n speech
    gone speech pod serve-worker-0
    quiet speech
}
ranking() {
    sleep 2
    deployer create namespace ranking
    quiet ranking
    job XGBoostJob ranking broken 'cleanPodPolicy: None, backoffLimit: 1' "Master: $(replica xgboost 1 Never '"--sleep", "4", "--exit", "1"'), Worker: $(replica xgboost 1 Never '')" '' | alice apply -f -
    is ranking xgboostjob broken Failed
    quiet ranking
    bob delete xgboostjob broken -n ranking
    gone ranking pod broken-master-0
    quiet ranking
    job PaddleJob ranking final 'cleanPodPolicy: None' "Worker: $(replica paddle 2 ExitCode '"--sleep", "5", "--exit", "1"')" '' | bob apply -f -
    is ranking paddlejob final Failed
    quiet ranking
    alice delete paddlejob final -n ranking
    gone ranking paddlejob final
    quiet ranking
    job PaddleJob ranking waits 'suspend: true' "Worker: $(replica paddle 2 Never '"--sleep", "5"')" '' | bob apply -f -
    quiet ranking
    alice patch paddlejob waits -n ranking --type=merge -p '{"spec": {"runPolicy": {"suspend": false}}}'
    is ranking paddlejob waits Succeeded
    quiet ranking
    deployer delete namespace ranking
    gone '' namespace ranking
    quiet ranking
}
physics() {
    sleep 3
    alice create namespace physics
    quiet physics
    job MPIJob physics ring 'cleanPodPolicy: All' "Launcher: $(replica mpi 1 Never '"--sleep", "5"'), Worker: $(replica mpi 2 Never '')" ', slotsPerWorker: 1' | bob apply -f -
    # There is no MPI in these containers: the launcher fails.
    is physics mpijob ring Failed
    quiet physics
    alice delete configmap ring-config -n physics
    sleep 3
    quiet physics
    alice patch role ring-launcher -n physics --type=json -p '[{"op": "add", "path": "/metadata/labels/mine", "value": "yes"}]'
    sleep 2
    quiet physics
    bob annotate mpijob ring -n physics note=one
    sleep 2
    quiet physics
    job XGBoostJob physics fit 'cleanPodPolicy: All' "Master: $(replica xgboost 1 Never '"--sleep", "7"'), Worker: $(replica xgboost 1 Never '"--sleep", "5"')" '' | bob apply -f -
    is physics xgboostjob fit Succeeded
    quiet physics
    deployer delete mpijob ring -n physics
    gone physics role ring-launcher
    quiet physics
}
scene() { together vision speech ranking physics; }
