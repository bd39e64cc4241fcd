package main

import (
	v1 "k8s.io/api/core/v1"
)

var modes = map[string]func(*kubeletCase) answer{
	"phase": func(c *kubeletCase) answer {
		all := append(append([]v1.ContainerStatus{}, c.ContainerStatuses...), c.InitContainerStatuses...)
		return answer{"phase": phase(c.Pod, all, c.Finished, c.Initialized)}
	},
}
