#!/bin/bash
# Builds programs of Kubernetes and etcd from their Go modules and prints the folder that holds them.
#   build.sh [KUBERNETES_VERSION [NAME...]]
# NAME                etcd, kube-apiserver, kube-controller-manager (by default, these three), kubectl, e2e.test
# KUBE_CLUSTER_CACHE  the folder of the binaries; by default ~/.cache/kube-endpoints-cluster/<version>
# ETCD_VERSION        the release of etcd
# Requires Go. The first build takes about ten minutes on two cores, and e2e.test as long again; existing binaries are not rebuilt.
set -euo pipefail

version=${1:-1.36.3}
shift || true
(($# > 0)) || set -- kube-apiserver kube-controller-manager etcd
etcd_version=${ETCD_VERSION:-3.6.16}
out=${KUBE_CLUSTER_CACHE:-$HOME/.cache/kube-endpoints-cluster/$version}

missing=()
for name in "$@"; do
  [ -x "$out/$name" ] || missing+=("$name")
done
if ((${#missing[@]} == 0)); then
  echo "$out"
  exit 0
fi
command -v go > /dev/null || { echo "build.sh: needs Go to build Kubernetes $version" >&2; exit 3; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out" "$work/kubernetes" "$work/etcd"
export GOFLAGS='-mod=mod -buildvcs=false -trimpath'

# k8s.io/kubernetes replaces its staging modules by local directories, which works only inside its own module.
# So the generated go.mod replaces each of them by its published version, v0.<minor>.<patch>.
kubernetes_mod() {
  local mod
  mod=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/^\t"GoMod": "\(.*\)",$/\1/p')
  printf 'module cluster\n\ngo %s\n\nrequire k8s.io/kubernetes v%s\n\n' "$(sed -n 's/^go //p' "$mod")" "$version"
  sed -n "s#^\t\(k8s\.io/[a-z-]*\) v0\.0\.0\$#replace \1 => \1 v0.${version#1.}#p" "$mod"
}

# build FOLDER NAME PACKAGE GO_COMMAND...: the binary appears under its name only when it is complete
build() {
  local folder=$1 name=$2 package=$3
  shift 3
  printf '//go:build tools\n\npackage tools\n\nimport _ "%s"\n' "$package" > "$folder/$name.go"
  (cd "$folder" && go "$@" -o "$work/$name" "$package") >&2
  mv "$work/$name" "$out/$name"
}

minor=${version#1.}
stamp=k8s.io/component-base/version
stamps="-X $stamp.gitVersion=v$version -X $stamp.gitMajor=1 -X $stamp.gitMinor=${minor%%.*}"

for name in "${missing[@]}"; do
  case $name in
    etcd)
      printf 'module cluster\n\ngo 1.24\n\nrequire go.etcd.io/etcd/server/v3 v%s\n' "$etcd_version" > "$work/etcd/go.mod"
      build "$work/etcd" etcd go.etcd.io/etcd/server/v3 build
      ;;
    *)
      [ -f "$work/kubernetes/go.mod" ] || kubernetes_mod > "$work/kubernetes/go.mod"
      if [ "$name" = e2e.test ]; then
        build "$work/kubernetes" e2e.test k8s.io/kubernetes/test/e2e test -c -vet=off -ldflags "$stamps"
      else
        build "$work/kubernetes" "$name" "k8s.io/kubernetes/cmd/$name" build -ldflags "$stamps"
      fi
      ;;
  esac
done

echo "$out"
