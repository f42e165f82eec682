# What the scenes with Flux share: a Git server, the controllers, and pushes with an author.
git_root=$HOME/git
export GIT_CONFIG_GLOBAL=$HOME/gitconfig

# serve_git NAME...: bare repositories, served on port 3000, and their work trees.
serve_git() {
    git config --global init.defaultBranch main
    git config --global user.name Carol
    git config --global user.email carol@example.com
    git config --global safe.directory '*'
    local name
    for name in "$@"; do
        git init -q --bare "$git_root/served/$name.git"
        git clone -q "$git_root/served/$name.git" "$git_root/tree/$name" 2> /dev/null
    done
    behind python3 "$stage_of_flux/git_server.py" "$git_root/served" 3000
}

# source_controller: the one that fetches, which every scene needs.
source_controller() {
    mkdir "$HOME/artifacts"
    flux_controller source-controller 8090 --storage-path="$HOME/artifacts" --storage-addr=127.0.0.1:9790 --storage-adv-addr=127.0.0.1:9790
}

# flux_controller PROGRAM PORT ARGS...: one of Flux's controllers, under its own account; PORT and the next are its metrics and health.
flux_controller() {
    local config
    config=$(account flux-system "$1")
    KUBECONFIG="$config" RUNTIME_NAMESPACE=flux-system TMPDIR="$HOME" behind "$1" --events-addr= \
        --metrics-addr=":$2" --health-addr=":$(($2 + 1))" "${@:3}"
}

# in_git REPOSITORY FILE: takes a file of a repository from the input.
in_git() {
    mkdir -p "$(dirname "$git_root/tree/$1/$2")"
    cat > "$git_root/tree/$1/$2"
}

# publish REPOSITORY MESSAGE: commits all that has changed and pushes it.
publish() {
    git -C "$git_root/tree/$1" add -A
    git -C "$git_root/tree/$1" commit -q -m "$2"
    git -C "$git_root/tree/$1" push -q origin HEAD:main
}

# push REPOSITORY MESSAGE NAMESPACE...: publishes as an action of the recording.
push() {
    pushed "$1: $2" "${@:3}"
    publish "$1" "$2"
}

head_of() { git -C "$git_root/tree/$1" rev-parse HEAD; }

source_of() {
    printf 'apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: %s, namespace: flux-system}\n' "$1"
    printf 'spec: {interval: 5s, url: "http://127.0.0.1:3000/%s.git", ref: {branch: main}}\n' "$1"
}
