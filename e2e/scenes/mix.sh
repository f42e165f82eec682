# needs: kopf helm
# options: --kubernetes v1.36.1
# Five scenes at once, each in its own namespace: what belongs together must be told apart by more than time.
stage=$(dirname "${BASH_SOURCE[0]}")
part() {
    # shellcheck source=/dev/null
    source "$stage/$1.sh"
    "$2"
}
prepare() { (part kopf prepare); }
scene() {
    parts=()
    for name in people helm jobs kopf rollback; do
        (part "$name" scene) &
        parts+=($!)
    done
    for pid in "${parts[@]}"; do wait "$pid"; done
}
