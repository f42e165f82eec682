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
    # An image that nobody has: the upgrade fails, and is rolled back by hand.
    release upgrade shop "$chart" --set image=clew/missing:9 --wait --timeout 6s || true
    release rollback shop 2 --wait --timeout 60s
    sleep 1
    release uninstall shop --wait --timeout 60s
    sleep 2
    alice delete namespace store
}
