# needs: flux
# options: --sampling-rate-per-million 20000
# Flux's helm-controller, which is not ours: a chart in Git becomes releases with a hook, is upgraded, drifts, fails, rolls back and goes.
stage_of_flux=$(dirname "${BASH_SOURCE[0]}")/flux
# shellcheck source=/dev/null
source "$stage_of_flux/lib.sh"
prepare() {
    definitions source-controller
    serve_git blog mart
    for name in blog mart; do
        cp -r "$(dirname "$stage_of_flux")/charts/shop" "$git_root/tree/$name/"
        publish "$name" begin
    done
    source_controller
    flux_controller helm-controller 8092
    for name in blog mart; do
        source_of "$name" | admin apply -f -
        concerns "gitrepositories/$name" "$name"
    done
    admin wait --for=condition=Ready gitrepository --all -n flux-system --timeout=60s
    concerns helmreleases/mart mart
}
# release NAMESPACE NAME CHART VALUES [MORE]: of the newest revision of the chart.
release() {
    printf 'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: %s, namespace: %s}\nspec:\n  interval: 10s\n' "$2" "$1"
    printf '  chart: {spec: {chart: ./shop, interval: 5s, reconcileStrategy: Revision, sourceRef: {kind: GitRepository, name: %s, namespace: flux-system}}}\n' "$3"
    printf '  releaseName: web\n  driftDetection: {mode: enabled}\n  values: %s\n%s\n' "$4" "${5:-}"
}
# ready NAMESPACE NAME VERSION QUIET...: this many revisions of the release, and the last is fine.
ready() {
    until_is "$3" admin get helmrelease "$2" -n "$1" -o 'jsonpath={.status.history[0].version}'
    until_is deployed admin get helmrelease "$2" -n "$1" -o 'jsonpath={.status.history[0].status}'
    until_is True admin get helmrelease "$2" -n "$1" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}'
    quiet "${@:4}"
}
replicas() { until_is "$2" admin get deployment web-web -n "$1" -o 'jsonpath={.status.readyReplicas}'; }

# The release is in the namespace that it makes.
blog() {
    alice create namespace blog
    quiet blog
    release blog blog blog '{replicas: 2, colour: green}' | alice apply -f -
    ready blog blog 1 blog
    release blog blog blog '{replicas: 3, colour: green}' | bob apply -f -
    ready blog blog 2 blog
    sed -i 's/targetPort: 8080/targetPort: 8081/' "$git_root/tree/blog/shop/templates/web.yaml"
    push blog "another port" blog
    ready blog blog 3 blog
    # A drift of a person's, which the controller puts back.
    alice scale deployment web-web -n blog --replicas=1
    replicas blog 3
    quiet blog
    bob patch helmrelease blog -n blog --type=merge -p '{"spec": {"suspend": true}}'
    quiet blog
    bob scale deployment web-web -n blog --replicas=2
    replicas blog 2
    quiet blog
    bob patch helmrelease blog -n blog --type=merge -p '{"spec": {"suspend": false}}'
    replicas blog 3
    quiet blog
    alice delete helmrelease blog -n blog
    quiet blog
}
# The release is elsewhere, in flux-system.
mart() {
    sleep 1
    bob create namespace mart
    quiet mart
    local more='  targetNamespace: mart
  storageNamespace: mart
  timeout: 8s
  upgrade: {remediation: {retries: 1, strategy: rollback}}'
    release flux-system mart mart '{replicas: 1, colour: red}' "$more" | deployer apply -f -
    ready flux-system mart 1 mart
    sed -i 's/colour: {{ .Values.colour }}/colour: {{ .Values.colour | upper }}/' "$git_root/tree/mart/shop/templates/web.yaml"
    push mart "colours are shouted" mart
    ready flux-system mart 2 mart
    release flux-system mart mart '{replicas: 2, colour: blue}' "$more" | alice apply -f -
    ready flux-system mart 3 mart
    bob delete configmap web-settings -n mart
    until admin get configmap web-settings -n mart > /dev/null 2>&1; do sleep 0.5; done
    quiet mart
    # An image that nobody has: the upgrade fails, is tried again, and is rolled back.
    release flux-system mart mart '{replicas: 2, colour: blue, image: "clew/none:1"}' "$more" | bob apply -f -
    until_is RetriesExceeded admin get helmrelease mart -n flux-system -o 'jsonpath={.status.conditions[?(@.type=="Stalled")].reason}'
    quiet mart
    release flux-system mart mart '{replicas: 1, colour: black}' "$more" | deployer apply -f -
    until_is 1 admin get deployment web-web -n mart -o 'jsonpath={.status.readyReplicas}'
    until_is True admin get helmrelease mart -n flux-system -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}'
    quiet mart
}
scene() { together blog mart; }
