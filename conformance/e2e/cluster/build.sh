#!/bin/bash
# Builds programs of Kubernetes and etcd from their Go modules and prints the folder that holds them.
#   build.sh [KUBERNETES_VERSION [NAME...]]
# NAME                etcd, kube-apiserver, kube-controller-manager (by default, these three), or another key of `packages`
# KUBE_CLUSTER_CACHE  the folder of the binaries; by default ~/.cache/kube-endpoints-cluster/<version>
# ETCD_VERSION        the release of etcd
# Requires Go. The first build takes about ten minutes on two cores, and e2e.test as long again; existing binaries are not rebuilt.
set -euo pipefail

version=${1:-1.36.3}
shift || true
(($# > 0)) || set -- kube-apiserver kube-controller-manager etcd
etcd_version=${ETCD_VERSION:-3.6.16}
out=${KUBE_CLUSTER_CACHE:-$HOME/.cache/kube-endpoints-cluster/$version}

declare -A packages=(
  [etcd]=go.etcd.io/etcd/server/v3
  [kube-apiserver]=k8s.io/kubernetes/cmd/kube-apiserver
  [kube-controller-manager]=k8s.io/kubernetes/cmd/kube-controller-manager
  [kubectl]=k8s.io/kubernetes/cmd/kubectl
  [e2e.test]=k8s.io/kubernetes/test/e2e
  [leader-election]=k8s.io/client-go/examples/leader-election
  [workqueue]=k8s.io/client-go/examples/workqueue
  [protobuf-client]=cluster/protobuf-client
)
# Programs of this repository, which are built again when their source has changed.
declare -A sources=([protobuf-client]=$(cd "$(dirname "$0")/../clients/protobuf" && pwd)/main.go)
missing=()
for name in "$@"; do
  if [ ! -x "$out/$name" ] || { [ -n "${sources[$name]:-}" ] && [ "${sources[$name]}" -nt "$out/$name" ]; }; then missing+=("$name"); fi
done
if ((${#missing[@]} == 0)); then
  echo "$out"
  exit 0
fi
command -v go > /dev/null || { echo "build.sh: needs Go to build Kubernetes $version" >&2; exit 3; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out" "$work/bin" "$work/kubernetes" "$work/etcd"
export GOFLAGS='-mod=mod -buildvcs=false -trimpath'

# k8s.io/kubernetes replaces its staging modules by local directories, which works only inside its own module.
# So the generated go.mod replaces each of them by its published version, v0.<minor>.<patch>.
kubernetes_mod() {
  local mod
  mod=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/^\t"GoMod": "\(.*\)",$/\1/p')
  printf 'module cluster\n\ngo %s\n\nrequire k8s.io/kubernetes v%s\n\n' "$(sed -n 's/^go //p' "$mod")" "$version"
  sed -n "s#^\t\(k8s\.io/[a-z-]*\) v0\.0\.0\$#replace \1 => \1 v0.${version#1.}#p" "$mod"
}

# build FOLDER NAME GO_COMMAND...: the binary appears under its name only when it is complete
build() {
  local folder=$1 name=$2 package=${packages[$2]}
  shift 2
  if [ -n "${sources[$name]:-}" ]; then
    mkdir -p "$folder/$name"
    cp "${sources[$name]}" "$folder/$name/"
  else
    printf '//go:build tools\n\npackage tools\n\nimport _ "%s"\n' "$package" > "$folder/$name.go"
  fi
  (cd "$folder" && go "$@" -o "$work/bin/$name" "$package") >&2
  mv "$work/bin/$name" "$out/$name"
}

minor=${version#1.}
stamp=k8s.io/component-base/version
stamps="-X $stamp.gitVersion=v$version -X $stamp.gitMajor=1 -X $stamp.gitMinor=${minor%%.*}"

for name in "${missing[@]}"; do
  if [ "$name" = etcd ]; then
    printf 'module cluster\n\ngo 1.24\n\nrequire go.etcd.io/etcd/server/v3 v%s\n' "$etcd_version" > "$work/etcd/go.mod"
    build "$work/etcd" etcd build
    continue
  fi
  [ -f "$work/kubernetes/go.mod" ] || kubernetes_mod > "$work/kubernetes/go.mod"
  case $name in
    # Without vet, which would check all dependencies as well.
    *.test) build "$work/kubernetes" "$name" test -c -vet=off -ldflags "$stamps" ;;
    *) build "$work/kubernetes" "$name" build -ldflags "$stamps" ;;
  esac
done

echo "$out"
