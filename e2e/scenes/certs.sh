# needs: certs
# options: --sampling-rate-per-million 20000
# cert-manager, which is not ours, in three quiet namespaces: certificates are issued, renewed, changed, lost and replaced.
prepare() {
    # Its definitions are a template of its chart's: the labels with braces are no labels.
    sed '/{{/d' "$(dirname "$(command -v controller)")/crds.yaml" | admin apply --server-side -f - > /dev/null
    admin wait --for=condition=established crd --all --timeout=60s > /dev/null
    config=$(account cert-manager cert-manager)
    behind controller --kubeconfig "$config" --cluster-resource-namespace=cert-manager --leader-election-namespace=cert-manager --metrics-listen-address=127.0.0.1:9402
    printf 'apiVersion: cert-manager.io/v1\nkind: ClusterIssuer\nmetadata: {name: everybody}\nspec: {selfSigned: {}}\n' | admin apply -f -
    admin wait --for=condition=Ready clusterissuer/everybody --timeout=90s
    sleep 3
}
# issuer NAMESPACE NAME SPEC
issuer() { printf 'apiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: {name: %s, namespace: %s}\nspec: %s\n' "$2" "$1" "$3"; }
# certificate NAMESPACE NAME KIND/ISSUER DNS [MORE]
certificate() {
    printf 'apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: %s, namespace: %s}\nspec:\n' "$2" "$1"
    printf '  secretName: %s-tls\n  dnsNames: [%s]\n  privateKey: {algorithm: ECDSA, size: 256}\n  issuerRef: {kind: %s, name: %s}\n' "$2" "$4" "${3%/*}" "${3#*/}"
    printf '  duration: 2160h\n  renewBefore: 720h\n%s\n' "${5:-}"
}
# issued NAMESPACE NAME REVISION
issued() {
    until_is "$3" admin get certificate "$2" -n "$1" -o 'jsonpath={.status.revision}'
    until_is True admin get certificate "$2" -n "$1" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}'
    quiet "$1"
}
# What cmctl writes for `cmctl renew`.
renew() {
    "$1" patch certificate "$3" -n "$2" --subresource=status --type=json -p "[{\"op\": \"add\", \"path\": \"/status/conditions/-\", \"value\":
        {\"type\": \"Issuing\", \"status\": \"True\", \"reason\": \"ManuallyTriggered\", \"message\": \"Certificate re-issuance manually triggered\",
        \"lastTransitionTime\": \"$(date -u +%Y-%m-%dT%H:%M:%SZ)\"}}]"
}
web() {
    alice create namespace web
    quiet web
    issuer web own '{selfSigned: {}}' | alice apply -f -
    quiet web
    certificate web root Issuer/own root.example.com '  isCA: true' | alice apply -f -
    issued web root 1
    issuer web ca '{ca: {secretName: root-tls}}' | alice apply -f -
    quiet web
    certificate web site Issuer/ca www.example.com | bob apply -f -
    issued web site 1
    renew alice web site
    issued web site 2
    certificate web site Issuer/ca www.example.com,example.com | bob apply -f -
    issued web site 3
    bob delete secret site-tls -n web
    issued web site 4
    alice delete certificaterequest -n web "$(admin get certificaterequests -n web -o name | grep -o 'site-.*' | tail -1)"
    quiet web
    certificate web site Issuer/own www.example.com,example.com | deployer apply -f -
    issued web site 5
    alice delete certificate site -n web
    quiet web
    alice delete secret site-tls -n web
    quiet web
}
mail() {
    sleep 1
    bob create namespace mail
    quiet mail
    certificate mail smtp ClusterIssuer/everybody smtp.example.com | bob apply -f -
    issued mail smtp 1
    bob create deployment smtp --image=clew/workload:1 --replicas=2 -n mail
    quiet mail
    renew bob mail smtp
    issued mail smtp 2
    # Who has renewed by hand goes on as a person.
    bob set env deployment/smtp -n mail RELEASE=2
    rolled_out deployment/smtp -n mail
    quiet mail
    bob scale deployment smtp -n mail --replicas=3
    quiet mail
    bob patch certificate smtp -n mail --type=merge -p '{"spec": {"privateKey": {"rotationPolicy": "Always"}}}'
    quiet mail
    renew alice mail smtp
    issued mail smtp 3
    alice delete namespace mail
    quiet mail
}
pay() {
    sleep 2
    deployer create namespace pay
    quiet pay
    certificate pay api Issuer/own api.example.com | deployer apply -f -
    quiet pay
    # The issuer comes later, and the certificate with it.
    issuer pay own '{selfSigned: {}}' | deployer apply -f -
    issued pay api 1
    deployer delete certificate api -n pay
    quiet pay
    certificate pay api Issuer/own api.example.com,pay.example.com | deployer apply -f -
    issued pay api 1
    alice label certificate api -n pay team=blue
    quiet pay
    alice patch certificate api -n pay --type=merge -p '{"spec": {"secretName": "other-tls"}}'
    quiet pay
    bob annotate secret other-tls -n pay seen-by=bob
    quiet pay
    bob delete issuer own -n pay
    quiet pay
}
scene() { together web mail pay; }
