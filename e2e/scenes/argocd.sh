# needs: argo-cd
# options: --sampling-rate-per-million 20000
# Argo CD, which is not ours: what is pushed to Git comes into quiet namespaces by itself, by a person's sync with its hooks, and by an application of applications.
stage_of_flux=$(dirname "${BASH_SOURCE[0]}")/flux
# shellcheck source=/dev/null
source "$stage_of_flux/lib.sh"
# argo PROGRAM ARGS...: one of Argo CD's programs, which are all the same file.
argo() { ARGOCD_BINARY_NAME="argocd-$1" ARGOCD_FAKE_IN_CLUSTER=true ARGOCD_GPG_ENABLED=false ARGOCD_RECONCILIATION_TIMEOUT=6s KUBECONFIG="$config" TMPDIR="$HOME" behind cmd "${@:2}"; }
prepare() { argo_cd one two three; }
# argo_cd REPOSITORY...: Argo CD with its cache, and what it reads.
argo_cd() {
    definitions cmd || { sleep 3; definitions cmd; }
    config=$(account argocd argocd-application-controller)
    local name
    for name in argocd-cm argocd-rbac-cm argocd-gpg-keys-cm argocd-tls-certs-cm argocd-ssh-known-hosts-cm; do
        printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: argocd, labels: {app.kubernetes.io/part-of: argocd, app.kubernetes.io/name: %s}}\n---\n' $name $name
    done | admin apply -f -
    printf 'apiVersion: v1\nkind: Secret\nmetadata: {name: argocd-secret, namespace: argocd, labels: {app.kubernetes.io/part-of: argocd, app.kubernetes.io/name: argocd-secret}}\nstringData: {server.secretkey: not-real-not-real-not-real}\n' | admin apply -f -
    printf 'apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: default, namespace: argocd}\nspec: {sourceRepos: ["*"], destinations: [{namespace: "*", server: "*"}], clusterResourceWhitelist: [{group: "*", kind: "*"}]}\n' | admin apply -f -
    serve_git "$@"
    admin config set-context --current --namespace=argocd --kubeconfig="$config" > /dev/null
    behind redis-server --port 6379 --save '' --appendonly no --dir "$HOME"
    # What its image has beside it: it says what Git says of a commit's signature.
    mkdir -p "$SCENE_LOGS/bin"
    printf '#!/bin/sh\ngit verify-commit "$1" 2>&1 || true\n' > "$SCENE_LOGS/bin/git-verify-wrapper.sh"
    chmod +x "$SCENE_LOGS/bin/git-verify-wrapper.sh"
    export PATH="$SCENE_LOGS/bin:$PATH"
    argo repo-server --redis 127.0.0.1:6379 --port 8081 --metrics-port 8084 --disable-tls --client-ca-path=
    sleep 4
    argo application-controller --redis 127.0.0.1:6379 --repo-server 127.0.0.1:8081 --repo-server-plaintext --namespace argocd --app-resync 6 --app-resync-jitter 0 --self-heal-timeout-seconds 1 --metrics-port 8082
    sleep 8
}
# application NAME REPOSITORY PATH NAMESPACE MORE
application() {
    printf 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: %s, namespace: argocd, finalizers: [resources-finalizer.argocd.argoproj.io]}\n' "$1"
    printf 'spec:\n  project: default\n  source: {repoURL: "http://127.0.0.1:3000/%s.git", path: %s, targetRevision: main}\n  destination: {server: "https://kubernetes.default.svc", namespace: %s}\n%b' "$2" "$3" "$4" "$5"
}
settings() { printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {colour: %s}\n' "$1"; }
service() { printf 'apiVersion: v1\nkind: Service\nmetadata: {name: app}\nspec: {selector: {app: app}, ports: [{port: 80}]}\n'; }
app() {
    printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app}\nspec:\n  replicas: %s\n' "$1"
    printf '  selector: {matchLabels: {app: app}}\n  template:\n    metadata: {labels: {app: app}}\n    spec:\n'
    printf '      terminationGracePeriodSeconds: 1\n      containers: [{name: app, image: "clew/workload:1", env: [{name: RELEASE, value: "%s"}]}]\n' "$2"
}
hook() {
    printf 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: %s, annotations: {argocd.argoproj.io/hook: %s, argocd.argoproj.io/hook-delete-policy: BeforeHookCreation}}\n' "$1" "$2"
    printf 'spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: hook, image: "clew/workload:1", args: ["--sleep", "2"]}]}}}\n'
}
# synced APPLICATION REPOSITORY NAMESPACE...: the head of the repository is there and healthy, and all is quiet.
synced() {
    until_is "$(head_of "$2")/Succeeded" admin get application "$1" -n argocd -o 'jsonpath={.status.operationState.syncResult.revision}/{.status.operationState.phase}'
    until_is "Synced/Healthy" admin get application "$1" -n argocd -o 'jsonpath={.status.sync.status}/{.status.health.status}'
    quiet "${@:3}"
}
replicas() { until_is "$2" admin get deployment app -n "$1" -o 'jsonpath={.spec.replicas}'; }
# What the command line of Argo CD asks its server for.
sync() { "$1" patch application "$2" -n argocd --type=merge -p '{"operation": {"initiatedBy": {"username": "'"$1"'"}, "sync": {"prune": true, "revision": "main", "syncStrategy": {"hook": {}}}}}'; }
automated='  syncPolicy: {automated: {prune: true, selfHeal: true}, syncOptions: [CreateNamespace=true]}\n'

# By itself, with people who drift.
one() {
    concerns applications/one one
    app 2 1 | in_git one base/app.yaml
    service | in_git one base/service.yaml
    settings green | in_git one base/settings.yaml
    publish one begin
    application one one base one "$automated" | alice apply -f -
    synced one one one
    app 3 2 | in_git one base/app.yaml
    push one "release 2 with three replicas" one
    synced one one one
    alice scale deployment app -n one --replicas=5
    replicas one 5
    replicas one 3
    synced one one one
    bob delete configmap settings -n one
    until admin get configmap settings -n one > /dev/null 2>&1; do sleep 0.5; done
    synced one one one
    rm "$git_root/tree/one/base/service.yaml"
    settings blue | in_git one base/settings.yaml
    push one "nobody needs the service; blue" one
    synced one one one
    bob create configmap own -n one --from-literal=x=y
    quiet one
    alice patch application one -n argocd --type=json -p '[{"op": "remove", "path": "/spec/syncPolicy/automated"}]'
    quiet one
    alice delete deployment app -n one
    sleep 6
    quiet one
    alice patch application one -n argocd --type=merge -p '{"spec": {"syncPolicy": {"automated": {"prune": true, "selfHeal": true}}}}'
    until admin get deployment app -n one > /dev/null 2>&1; do sleep 0.5; done
    synced one one one
    bob delete application one -n argocd
    while admin get deployment app -n one > /dev/null 2>&1; do sleep 0.5; done
    quiet one
}
# Only when a person asks, with what runs before and after.
two() {
    concerns applications/two two
    app 1 1 | in_git two base/app.yaml
    settings red | in_git two base/settings.yaml
    hook before PreSync | in_git two base/before.yaml
    publish two begin
    sleep 1
    bob create namespace two
    quiet two
    application two two base two '' | bob apply -f -
    sleep 4
    quiet two
    sync alice two
    synced two two two
    { app 2 2; echo ---; service; } | in_git two base/app.yaml
    hook after PostSync | in_git two base/after.yaml
    push two "release 2 with a service" two
    sleep 12
    quiet two
    sync alice two
    synced two two two
    bob set env deployment/app -n two RELEASE=hotfix
    rolled_out deployment/app -n two
    quiet two
    bob label service app -n two team=bob
    quiet two
    sync deployer two
    sleep 4
    synced two two two
    settings black | in_git two base/settings.yaml
    rm "$git_root/tree/two/base/before.yaml"
    push two "black, nothing before" two
    sleep 12
    quiet two
    sync bob two
    synced two two two
    alice delete application two -n argocd
    while admin get deployment app -n two > /dev/null 2>&1; do sleep 0.5; done
    quiet two
}
# An application that holds another, which a person bends.
three() {
    concerns applications/parent three
    concerns applications/child three
    { app 1 1; echo ---; settings grey; } | in_git three base/all.yaml
    { app 2 canary; echo ---; settings yellow; } | in_git three other/all.yaml
    application child three base three "$automated" | in_git three apps/child.yaml
    publish three begin
    sleep 2
    application parent three apps argocd "$automated" | deployer apply -f -
    until admin get application child -n argocd > /dev/null 2>&1; do sleep 0.5; done
    synced child three three
    { app 2 2; echo ---; settings grey; } | in_git three base/all.yaml
    push three "release 2" three
    synced child three three
    bob patch application child -n argocd --type=merge -p '{"spec": {"source": {"path": "other"}}}'
    sleep 3
    until_is base admin get application child -n argocd -o 'jsonpath={.spec.source.path}'
    until_is grey admin get configmap settings -n three -o 'jsonpath={.data.colour}'
    synced child three three
    alice delete pod -n three "$(admin get pods -n three -l app=app -o 'jsonpath={.items[0].metadata.name}')"
    rolled_out deployment/app -n three
    sleep 3
    synced child three three
    alice patch configmap settings -n three --type=merge -p '{"data": {"mine": "yes", "colour": "pink"}}'
    until_is grey admin get configmap settings -n three -o 'jsonpath={.data.colour}'
    synced child three three
    application child three other three "$automated" | in_git three apps/child.yaml
    push three "the child takes the other folder" three
    until_is yellow admin get configmap settings -n three -o 'jsonpath={.data.colour}'
    synced child three three
    bob rollout restart deployment/app -n three
    rolled_out deployment/app -n three
    sleep 4
    synced child three three
    rm "$git_root/tree/three/apps/child.yaml"
    settings none | in_git three apps/settings.yaml
    push three "no child" three
    while admin get deployment app -n three > /dev/null 2>&1; do sleep 0.5; done
    quiet three
}
scene() { together one two three; }
