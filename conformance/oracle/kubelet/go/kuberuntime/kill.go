package kuberuntime

import (
	"context"
	"time"

	apitest "k8s.io/cri-api/pkg/apis/testing"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

// Kill answers a case of the mode "kill": what happens when a pod, or one of its containers, is killed, in virtual time.
func Kill(line []byte) map[string]any {
	var c struct {
		runtimeCase
		Override *int64 `json:"override"`
		// Absent if the whole pod is killed.
		Container *struct {
			ID      string              `json:"id"`
			Name    string              `json:"name"`
			Message string              `json:"message"`
			Reason  containerKillReason `json:"reason"`
		} `json:"container"`
		Behaviours map[string]behaviour `json:"behaviours"`
	}
	decode(line, &c)
	ctx := context.Background()
	service := &scriptedRuntime{FakeRuntimeService: apitest.NewFakeRuntimeService(), callLog: &callLog{}, behaviours: c.Behaviours}
	manager := newManager(ctx, &c.runtimeCase, service)
	manager.recorder = recorder{service.callLog}
	manager.runner = lifecycle.NewHandlerRunner(service, manager, manager, nil)
	var err error
	if c.Container != nil {
		err = manager.killContainer(ctx, c.Pod, containerID(c.Container.ID), c.Container.Name, c.Container.Message, c.Container.Reason, c.Override, nil)
	} else {
		running := kubecontainer.ConvertPodStatusToRunningPod(manager.runtimeName, c.Runtime.podStatus(c.Pod))
		err = manager.KillPod(ctx, c.Pod, running, c.Override)
	}
	// Hooks may last longer than the grace period.
	time.Sleep(time.Hour)
	return map[string]any{"calls": service.sorted(), "failed": err != nil}
}
