package main

import "kube-endpoints-oracle/kuberuntime"

var modes = map[string]mode{
	"actions": kuberuntime.ComputeActions,
	"restart": kuberuntime.Restart,
	"pull":    kuberuntime.Pull,
	"kill":    kuberuntime.Kill,
}
