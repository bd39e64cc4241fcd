package main

import (
	v1 "k8s.io/api/core/v1"
)

var modes = map[string]func(*kubeletCase) answer{
	"conditions": func(c *kubeletCase) answer {
		return answer{"conditions": conditions(c.Pod, &c.Former, c.Pod.Status.Conditions, c.InitContainerStatuses, c.ContainerStatuses, c.Phase)}
	},
	"merge": func(c *kubeletCase) answer {
		return answer{"status": merge(c.Pod, c.Former, c.Status, c.Running)}
	},
	"record": recorded,
	"probed": probed,
	"worker": work,
}

// joined appends both lists like the kubelet.
func joined(inits, regular []v1.ContainerStatus) []v1.ContainerStatus {
	return append(inits, regular...)
}

// recorded sets a pod's status in a new status manager; the API server has the former status.
func recorded(c *kubeletCase) answer {
	manager := newStatusManager()
	pod := c.Pod.DeepCopy()
	pod.Status = c.Former
	setPodStatus(manager, pod, c.Status)
	status, taken := manager.GetPodStatus(pod.UID)
	if !taken {
		return answer{"refused": true}
	}
	return answer{"status": status}
}
