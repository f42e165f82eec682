# needs: helm
# A pipeline installs a chart, upgrades it, breaks it, rolls it back and removes it; a person looks on and scales.
release() { as deployer helm "$@" -n store; }
chart=$(dirname "${BASH_SOURCE[0]}")/charts/shop
scene() {
    deployer create namespace store
    release install shop "$chart" --wait --timeout 60s
    sleep 1
    release upgrade shop "$chart" --set replicas=3 --set colour=blue --wait --timeout 60s
    alice scale deployment/shop-web --replicas=4 -n store
    rolled_out deployment/shop-web -n store
    # Refused, since the person owns the replicas now; then forced, with an image that nobody has, and rolled back by hand.
    release upgrade shop "$chart" --set colour=red --timeout 6s || true
    release upgrade shop "$chart" --set image=clew/missing:9 --force-conflicts --wait --timeout 6s || true
    release rollback shop 2 --force-conflicts --wait --timeout 60s
    sleep 1
    release uninstall shop --wait --timeout 60s
    sleep 2
    alice delete namespace store
}
