#!/bin/bash
# Prints the table of packages/cli/src/input/known-fields-table.ts; needs Go.
set -euo pipefail

api=0.36.3
gateway=1.4.0
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/fields.go" "$work/main.go"
cd "$work"
printf 'module fields\n\ngo 1.26\n\nrequire (\n\tk8s.io/api v%s\n\tk8s.io/apimachinery v%s\n\tsigs.k8s.io/gateway-api v%s\n)\n' "$api" "$api" "$gateway" > go.mod
go run -mod=mod .
