# needs: flux
# options: --sampling-rate-per-million 20000
# Flux, which is not ours: what is pushed to Git comes into quiet namespaces, is put back when a person drifts, is suspended, resumed and pruned.
stage_of_flux=$(dirname "${BASH_SOURCE[0]}")/flux
# shellcheck source=/dev/null
source "$stage_of_flux/lib.sh"
prepare() {
    definitions source-controller
    serve_git one two pair
    # A Kustomization without any object is not Ready.
    begin one | in_git one begin.yaml
    begin two | in_git two begin.yaml
    begin three | in_git pair three/begin.yaml
    begin four | in_git pair four/begin.yaml
    local name
    for name in one two pair; do publish $name begin; done
    source_controller
    flux_controller kustomize-controller 8092
    # All sources and the Kustomizations but the first's are there before the recording.
    for name in one two pair; do source_of $name | admin apply -f -; done
    admin wait --for=condition=Ready gitrepository --all -n flux-system --timeout=60s
    for name in one two; do concerns "gitrepositories/$name" $name; concerns "kustomizations/$name" $name; done
    concerns gitrepositories/pair three four
    kustomization two two ./ true | admin apply -f -
    kustomization three pair ./three true | admin apply -f -
    kustomization four pair ./four true | admin apply -f -
    concerns kustomizations/three three
    concerns kustomizations/four four
    for name in three four; do admin create namespace $name; done
    for name in two three four; do
        until_is True admin get kustomization $name -n flux-system -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}'
    done
}
# kustomization NAME SOURCE PATH PRUNE
kustomization() {
    printf 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: %s, namespace: flux-system}\n' "$1"
    printf 'spec: {interval: 10s, retryInterval: 3s, timeout: 60s, sourceRef: {kind: GitRepository, name: %s}, path: %s, prune: %s, wait: true}\n' "$2" "$3" "$4"
}
begin() { printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: begin-%s, namespace: flux-system}\n' "$1"; }
namespace() { printf 'apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n' "$1"; }
settings() { printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: %s}\ndata: {colour: %s}\n' "$1" "$2"; }
service() { printf 'apiVersion: v1\nkind: Service\nmetadata: {name: app, namespace: %s}\nspec: {selector: {app: app}, ports: [{port: 80}]}\n' "$1"; }
app() {
    printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app, namespace: %s}\nspec:\n  replicas: %s\n' "$1" "$2"
    printf '  selector: {matchLabels: {app: app}}\n  template:\n    metadata: {labels: {app: app}}\n    spec:\n'
    printf '      terminationGracePeriodSeconds: 1\n      containers: [{name: app, image: "clew/workload:1", env: [{name: RELEASE, value: "%s"}]}]\n' "$3"
}
# applied KUSTOMIZATION SOURCE NAMESPACE...: the head of the repository is in the cluster, and all is quiet.
applied() {
    local kind
    until [ "$(admin get kustomization "$1" -n flux-system -o 'jsonpath={.status.lastAppliedRevision}')" = "main@sha1:$(head_of "$2")" ]; do sleep 0.5; done
    until_is True admin get kustomization "$1" -n flux-system -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}'
    quiet "${@:3}"
}
replicas() { until_is "$2" admin get deployment app -n "$1" -o 'jsonpath={.spec.replicas}'; }

# A namespace that comes out of Git, a person who drifts, and a push that takes away.
one() {
    namespace one | in_git one namespace.yaml
    app one 2 1 | in_git one app.yaml
    service one | in_git one service.yaml
    settings one green | in_git one settings.yaml
    push one "an app of two with its service" one
    # Until the source has it, the Kustomization would apply the empty commit first.
    until_is "main@sha1:$(head_of one)" admin get gitrepository one -n flux-system -o 'jsonpath={.status.artifact.revision}'
    kustomization one one ./ true | alice apply -f -
    applied one one one
    app one 3 2 | in_git one app.yaml
    push one "release 2 with three replicas" one
    applied one one one
    alice scale deployment app -n one --replicas=5
    replicas one 5
    replicas one 3
    quiet one
    bob delete configmap settings -n one
    until admin get configmap settings -n one > /dev/null 2>&1; do sleep 0.5; done
    quiet one
    rm "$git_root/tree/one/service.yaml"
    push one "nobody needs the service" one
    applied one one one
    alice delete kustomization one -n flux-system
    admin wait --for=delete namespace/one --timeout=90s
    quiet one
}
# Someone suspends, changes by hand, and resumes.
two() {
    { namespace two; echo ---; app two 2 1; echo ---; settings two red; } | in_git two all.yaml
    push two "an app and its settings" two
    applied two two two
    bob patch kustomization two -n flux-system --type=merge -p '{"spec": {"suspend": true}}'
    quiet two
    bob set env deployment/app -n two RELEASE=hotfix
    rolled_out deployment/app -n two
    quiet two
    bob scale deployment app -n two --replicas=4
    rolled_out deployment/app -n two
    quiet two
    alice patch kustomization two -n flux-system --type=merge -p '{"spec": {"suspend": false}}'
    replicas two 2
    rolled_out deployment/app -n two
    quiet two
    { namespace two; echo ---; app two 3 2; echo ---; settings two blue; } | in_git two all.yaml
    push two "release 2, blue" two
    applied two two two
    alice label deployment app -n two team=blue
    # What kubectl has added goes at the next reconciliation.
    until_is "" admin get deployment app -n two -o 'jsonpath={.metadata.labels.team}'
    quiet two
    alice annotate kustomization two -n flux-system "reconcile.fluxcd.io/requestedAt=$(date +%s)" --overwrite
    quiet two
    bob rollout restart deployment/app -n two
    until_is "" admin get deployment app -n two -o 'jsonpath={.spec.template.metadata.annotations}'
    rolled_out deployment/app -n two
    quiet two
}
# One push, two Kustomizations, two namespaces.
pair() {
    { app three 1 1; echo ---; settings three grey; } | in_git pair three/all.yaml
    { app four 2 1; echo ---; service four; } | in_git pair four/all.yaml
    push pair "the same app for two teams" three four
    applied three pair three four
    applied four pair three four
    app three 2 2 | in_git pair three/all.yaml
    { app four 2 2; echo ---; service four; echo ---; settings four black; } | in_git pair four/all.yaml
    push pair "release 2 for both, other settings" three four
    applied three pair three four
    applied four pair three four
    # One person in each of the two, and Flux puts both back.
    alice scale deployment app -n three --replicas=1
    replicas three 2
    quiet three
    bob delete deployment app -n four
    until admin get deployment app -n four > /dev/null 2>&1; do sleep 0.5; done
    rolled_out deployment/app -n four
    quiet four
    app three 1 3 | in_git pair three/all.yaml
    push pair "release 3 for team three only" three
    applied three pair three four
}
scene() { together one two pair; }
