# Sourced before a scene: who speaks, and how long to wait. Runs inside the cluster, bounded by the recorder.
set -euo pipefail

as() { KUBECONFIG="$KUBECONFIGS/$1" "${@:2}"; }
admin() { as admin kubectl "$@"; }
alice() { as alice kubectl "$@"; }
bob() { as bob kubectl "$@"; }
deployer() { as deployer kubectl "$@"; }

# rolled_out KIND/NAME -n NAMESPACE: waits without writing anything.
rolled_out() { admin rollout status --timeout=180s "$@"; }

# What a scene starts in the background (an operator) ends with the cluster.
behind() { nohup "$@" > "$SCENE_LOGS/$(basename "$1")-$RANDOM.log" 2>&1 < /dev/null & }

# account NAMESPACE NAME: makes a service account with all rights and prints where its kubeconfig is.
account() {
    admin create namespace "$1" --dry-run=client -o yaml | admin apply -f - > /dev/null
    admin create serviceaccount "$2" -n "$1" > /dev/null
    admin create clusterrolebinding "$2" --clusterrole=cluster-admin --serviceaccount="$1:$2" > /dev/null
    sed "s/\"token\": \".*\"/\"token\": \"$(admin create token "$2" -n "$1" --duration=2h)\"/" "$KUBECONFIGS/admin" > "$SCENE_LOGS/$2.kubeconfig"
    echo "$SCENE_LOGS/$2.kubeconfig"
}

# definitions PROGRAM: the resources of an operator, from the file beside its program.
definitions() {
    admin apply --server-side -f "$(dirname "$(command -v "$1")")/crds.yaml" > /dev/null
    admin wait --for=condition=established crd --all --timeout=60s > /dev/null
}

# until_is WANTED COMMAND...: waits until a command prints this.
until_is() {
    until [ "$("${@:2}" 2> /dev/null)" = "$1" ]; do sleep 0.5; done
}

# quiet NAMESPACE...: waits until nothing has been written there for five seconds: then only the next action can cause what follows.
quiet() { python3 "$(dirname "${BASH_SOURCE[0]}")/wait_for_quiet.py" "$SCENE_AUDIT" 5 "$@"; }

# pushed WHAT NAMESPACE...: notes an action that the audit log cannot show, just before it is done, and what it changes.
pushed() {
    printf '{"push": "%s", "time": "%s", "concerns": "%s"}\n' "$1" "$(date -u +%Y-%m-%dT%H:%M:%S.%6NZ)" "${*:2}" >> "$SCENE_NOTES/pushes.jsonl"
}

# concerns RESOURCE/NAME NAMESPACE...: notes which namespaces a resource elsewhere is about.
concerns() { printf '{"%s": "%s"}\n' "$1" "${*:2}" >> "$SCENE_NOTES/concerns.jsonl"; }

# together FUNCTION...: plays stories side by side.
together() {
    local stories=() story
    for story in "$@"; do
        "$story" &
        stories+=($!)
    done
    for story in "${stories[@]}"; do wait "$story"; done
}
