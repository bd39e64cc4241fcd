#!/bin/bash
# Prints the table of Kubernetes' API types; needs Go.
#   fields.sh [VERSION]    VERSION of k8s.io/api
set -euo pipefail

version=${1:-0.36.3}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/fields.go" "$work/main.go"
cd "$work"
printf 'module fields\n\ngo 1.25\n\nrequire (\n\tk8s.io/api v%s\n\tk8s.io/apimachinery v%s\n)\n' "$version" "$version" > go.mod
go run -mod=mod .
