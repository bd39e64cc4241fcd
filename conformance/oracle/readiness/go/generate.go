package main

import (
	"errors"
	"net"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
)

func init() {
	modes["phase"] = func(c *kubeletCase) answer {
		all := append(append([]v1.ContainerStatus{}, c.ContainerStatuses...), c.InitContainerStatuses...)
		return answer{"phase": phase(&c.Pod.Spec, all)}
	}
	modes["generate"] = func(c *kubeletCase) answer {
		kubelet := &Kubelet{kubeClient: &struct{}{}, of: c}
		if c.Eviction != nil {
			kubelet.PodSyncHandlers = []evictor{{*c.Eviction}}
		}
		runtime := podIPs(c.PodIPs)
		return answer{"status": kubelet.generateAPIPodStatus(c.Pod, &runtime)}
	}
}

// Kubelet has what generateAPIPodStatus reads; the functions of the release are its methods.
type Kubelet struct {
	PodSyncHandlers []evictor
	probeManager    unprobed
	statusManager   unknown
	kubeClient      *struct{}
	of              *kubeletCase
}

type evictor struct{ result eviction }

func (e evictor) ShouldEvict(*v1.Pod) eviction { return e.result }

type unprobed struct{}

func (unprobed) UpdatePodStatus(types.UID, *v1.PodStatus) {}

type unknown struct{}

func (unknown) GetPodStatus(types.UID) (v1.PodStatus, bool) { return v1.PodStatus{}, false }

func (kl *Kubelet) convertToAPIContainerStatuses(_ *v1.Pod, _ *kubecontainer.PodStatus, _ []v1.ContainerStatus, _ []v1.Container, _, isInit bool) []v1.ContainerStatus {
	if isInit {
		return kl.of.InitContainerStatuses
	}
	return kl.of.ContainerStatuses
}

func (kl *Kubelet) getHostIPAnyWay() (net.IP, error) {
	if kl.of.HostIP == "" {
		return nil, errors.New("unknown")
	}
	return net.ParseIP(kl.of.HostIP), nil
}
