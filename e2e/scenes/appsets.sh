# needs: argo-cd
# options: --sampling-rate-per-million 20000
# Argo CD's ApplicationSets, which are not ours: applications made of a list and of the folders of a repository, which come, are bent, come back and go.
# shellcheck source=/dev/null
source "$(dirname "${BASH_SOURCE[0]}")/argocd.sh"
prepare() {
    argo_cd list folders
    config=$(account argocd argocd-applicationset-controller)
    argo applicationset-controller --namespace argocd --argocd-repo-server 127.0.0.1:8081 --repo-server-plaintext --metrics-addr 127.0.0.1:8085 --probe-addr 127.0.0.1:8086 --webhook-addr 127.0.0.1:7000
    sleep 5
}
# set_of NAME REPOSITORY GENERATOR PATH
set_of() {
    printf 'apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: %s, namespace: argocd}\nspec:\n  goTemplate: true\n  generators: [%s]\n' "$1" "$3"
    printf '  template:\n    metadata: {name: "%s", finalizers: [resources-finalizer.argocd.argoproj.io]}\n    spec:\n      project: default\n' "$5"
    printf '      source: {repoURL: "http://127.0.0.1:3000/%s.git", path: "%s", targetRevision: main}\n      destination: {server: "https://kubernetes.default.svc", namespace: "%s"}\n' "$2" "$4" "$5"
    printf '      syncPolicy: {automated: {prune: true, selfHeal: true}, syncOptions: [CreateNamespace=true]}\n'
}
elements() { local name; printf '{list: {elements: ['; for name in "$@"; do printf '{team: %s}, ' "$name"; done; printf ']}}'; }
uid() { admin get "$2" "$3" -n "$1" -o 'jsonpath={.metadata.uid}' 2> /dev/null; }
# healthy NAME: the application and what it holds are there.
healthy() {
    until admin get deployment app -n "$1" > /dev/null 2>&1; do sleep 0.5; done
    until_is "Synced/Healthy" admin get application "$1" -n argocd -o 'jsonpath={.status.sync.status}/{.status.health.status}'
    rolled_out deployment/app -n "$1" > /dev/null
}
gone() { while admin get "$2" "$3" -n "$1" > /dev/null 2>&1; do sleep 0.5; done; }

listed() {
    local name old
    concerns applicationsets/teams ash birch cedar
    for name in ash birch cedar; do
        concerns applications/$name $name
        { app 1 1; echo ---; settings $name; } | in_git list teams/$name/all.yaml
        { app 1 other; echo ---; settings other; } | in_git list other/all.yaml
    done
    publish list begin
    set_of teams list "$(elements ash birch)" 'teams/{{.team}}' '{{.team}}' | alice apply -f -
    healthy ash
    healthy birch
    quiet ash birch cedar
    { app 2 2; echo ---; settings ash; } | in_git list teams/ash/all.yaml
    push list "release 2 for ash" ash
    synced ash list ash birch cedar
    # Deleted with all that it holds; the set makes it anew.
    old=$(uid birch deployment app)
    bob delete application birch -n argocd --wait=false
    until [ -n "$(uid birch deployment app)" ] && [ "$(uid birch deployment app)" != "$old" ]; do sleep 0.5; done
    healthy birch
    quiet ash birch cedar
    set_of teams list "$(elements ash birch cedar)" 'teams/{{.team}}' '{{.team}}' | alice apply -f -
    healthy cedar
    quiet ash birch cedar
    bob scale deployment app -n cedar --replicas=3
    until_is 1 admin get deployment app -n cedar -o 'jsonpath={.spec.replicas}'
    healthy cedar
    quiet ash birch cedar
    alice patch application ash -n argocd --type=merge -p '{"spec": {"source": {"path": "other"}}}'
    sleep 4
    until_is teams/ash admin get application ash -n argocd -o 'jsonpath={.spec.source.path}'
    until_is ash admin get configmap settings -n ash -o 'jsonpath={.data.colour}'
    healthy ash
    quiet ash birch cedar
    deployer delete configmap settings -n birch
    until admin get configmap settings -n birch > /dev/null 2>&1; do sleep 0.5; done
    quiet ash birch cedar
    set_of teams list "$(elements ash cedar)" 'teams/{{.team}}' '{{.team}}' | bob apply -f -
    gone birch deployment app
    quiet ash birch cedar
    { app 2 2; echo ---; settings cedar; echo ---; service; } | in_git list teams/cedar/all.yaml
    push list "release 2 for cedar" cedar
    synced cedar list ash birch cedar
    alice delete applicationset teams -n argocd
    gone ash deployment app
    gone cedar deployment app
    quiet ash birch cedar
}
folders() {
    concerns applicationsets/folders oak pine
    { app 1 1; echo ---; service; } | in_git folders apps/oak/all.yaml
    publish folders begin
    sleep 1
    set_of folders folders '{git: {repoURL: "http://127.0.0.1:3000/folders.git", revision: main, requeueAfterSeconds: 6, directories: [{path: apps/*}]}}' '{{.path.path}}' '{{.path.basename}}' | deployer apply -f -
    healthy oak
    quiet oak
    { app 2 1; echo ---; settings green; } | in_git folders apps/pine/all.yaml
    push folders "a new folder" pine
    healthy pine
    quiet oak pine
    bob rollout restart deployment/app -n oak
    rolled_out deployment/app -n oak
    sleep 2
    healthy oak
    quiet oak pine
    { app 3 2; echo ---; service; } | in_git folders apps/oak/all.yaml
    push folders "release 2 with three replicas for oak" oak
    synced oak folders oak pine
    alice delete service app -n oak
    until admin get service app -n oak > /dev/null 2>&1; do sleep 0.5; done
    healthy oak
    quiet oak pine
    rm -r "$git_root/tree/folders/apps/pine"
    push folders "no pine" pine
    gone pine deployment app
    quiet oak pine
    alice delete namespace pine
    quiet oak pine
    bob patch deployment app -n oak --type=json -p '[{"op": "replace", "path": "/spec/template/spec/containers/0/env/0/value", "value": "mine"}]'
    until_is 2 admin get deployment app -n oak -o 'jsonpath={.spec.template.spec.containers[0].env[0].value}'
    healthy oak
    quiet oak pine
}
scene() { together listed folders; }
