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
