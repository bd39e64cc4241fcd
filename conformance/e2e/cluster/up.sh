#!/bin/bash
# Starts one part of a control plane on loopback. All files, including logs and process ids, are in DIR.
#   up.sh api DIR PORT [KUBERNETES_VERSION]          etcd on PORT and PORT+1, kube-apiserver on PORT+2
#   up.sh controllers DIR PORT [KUBERNETES_VERSION]  kube-controller-manager
# CONTROLLERS  names of the controllers to run; by default those of Endpoints, EndpointSlices and mirroring
# AUTHORIZATION_MODE  by default AlwaysAllow
# USERS  further users as lines of a token file: token,name,uid,"group,group"
# The API server is dual-stack, IPv4 first, accepts the token in DIR/token and allows it everything; its certificate is
# DIR/certs/apiserver.crt. Disabled parts: service accounts, and the API server's own endpoints.
# down.sh DIR stops these processes.
set -euo pipefail

part=${1:?api or controllers} dir=${2:?a folder} port=${3:?a port} version=${4:-1.36.3}
here=$(cd "$(dirname "$0")" && pwd)
bin=$("$here/build.sh" "$version")
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
etcd=http://127.0.0.1:$port
server=https://127.0.0.1:$((port + 2))

# start NAME COMMAND...: in the background, outside of this shell's process group so that Ctrl-C reaches down.sh first
start() {
  local name=$1
  shift
  setsid "$@" > "$dir/$name.log" 2>&1 < /dev/null &
  echo $! > "$dir/$name.pid"
}

# await NAME URL: waits until the URL answers, at most three minutes, and only while the process NAME runs
await() {
  for _ in $(seq 720); do
    if curl -ksf -o /dev/null -H "Authorization: Bearer $(cat "$dir/token")" "$2"; then return; fi
    kill -0 "$(cat "$dir/$1.pid")" 2> /dev/null || break
    sleep 0.25
  done
  echo "up.sh: $1 did not become ready:" >&2
  tail -n 5 "$dir/$1.log" >&2
  exit 1
}

api() {
  local peer=http://127.0.0.1:$((port + 1)) issuer=https://kubernetes.default.svc
  openssl genrsa -out "$dir/service-account.key" 2048 2> /dev/null
  od -An -N16 -tx1 /dev/urandom | tr -d ' \n' > "$dir/token"
  echo "$(cat "$dir/token"),admin,admin,system:masters" > "$dir/tokens.csv"
  [ -z "${USERS:-}" ] || echo "$USERS" >> "$dir/tokens.csv"
  start etcd "$bin/etcd" --data-dir "$dir/etcd" --unsafe-no-fsync \
    --listen-client-urls "$etcd" --advertise-client-urls "$etcd" \
    --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "default=$peer"
  # kube-apiserver gives up if etcd does not answer within 20 seconds.
  await etcd "$etcd/health"
  start kube-apiserver "$bin/kube-apiserver" --etcd-servers "$etcd" \
    --bind-address 127.0.0.1 --secure-port $((port + 2)) --cert-dir "$dir/certs" \
    --service-cluster-ip-range 10.96.0.0/16,fd00:10:96::/112 --endpoint-reconciler-type none \
    --authorization-mode "${AUTHORIZATION_MODE:-AlwaysAllow}" --token-auth-file "$dir/tokens.csv" --disable-admission-plugins ServiceAccount \
    --service-account-issuer "$issuer" --service-account-key-file "$dir/service-account.key" \
    --service-account-signing-key-file "$dir/service-account.key" --profiling=false
  await kube-apiserver "$server/readyz"
}

# The client's rate limit is raised so that a cluster's first sync takes seconds; it does not affect what is written.
controllers() {
  cat > "$dir/kubeconfig" << YAML
apiVersion: v1
kind: Config
clusters: [{name: loopback, cluster: {server: "$server", certificate-authority: "$dir/certs/apiserver.crt"}}]
users: [{name: admin, user: {token: "$(cat "$dir/token")"}}]
contexts: [{name: loopback, context: {cluster: loopback, user: admin}}]
current-context: loopback
YAML
  start kube-controller-manager "$bin/kube-controller-manager" --kubeconfig "$dir/kubeconfig" \
    --controllers "${CONTROLLERS:-endpoints-controller,endpointslice-controller,endpointslice-mirroring-controller}" --leader-elect=false --secure-port 0 \
    --kube-api-qps 500 --kube-api-burst 1000
}

case $part in
  api) api ;;
  controllers) controllers ;;
  *) echo "up.sh: api or controllers, not $part" >&2; exit 2 ;;
esac
