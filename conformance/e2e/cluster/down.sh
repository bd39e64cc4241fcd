#!/bin/bash
# Stops the processes that up.sh started in DIR and waits until they have ended; removes etcd's data and keeps the logs.
#   down.sh DIR
set -uo pipefail

dir=${1:?usage: down.sh DIR}
for name in kube-controller-manager kube-apiserver etcd; do
  [ -f "$dir/$name.pid" ] || continue
  pid=$(cat "$dir/$name.pid")
  kill "$pid" 2> /dev/null
  for _ in $(seq 40); do
    kill -0 "$pid" 2> /dev/null || break
    sleep 0.25
  done
  kill -KILL "$pid" 2> /dev/null
  rm -f "$dir/$name.pid"
done
rm -rf "$dir/etcd"
exit 0
