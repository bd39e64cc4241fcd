package main

import (
	"kube-endpoints-oracle/kuberuntime"
	"kube-endpoints-oracle/nodeshutdown"
	kubelet "kube-endpoints-oracle/podworkers"
	"kube-endpoints-oracle/status"
	"kube-endpoints-oracle/termination"
)

var modes = map[string]mode{
	"actions":     kuberuntime.ComputeActions,
	"sync":        kuberuntime.SyncPod,
	"restart":     kuberuntime.Restart,
	"pull":        kuberuntime.Pull,
	"kill":        kuberuntime.Kill,
	"worker":      kubelet.Work,
	"status":      status.Sync,
	"shutdown":    nodeshutdown.ShutDown,
	"termination": termination.Terminate,
}
