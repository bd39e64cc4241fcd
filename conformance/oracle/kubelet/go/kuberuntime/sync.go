package kuberuntime

import (
	"context"
	"errors"
	"slices"
	"time"

	cadvisorapi "github.com/google/cadvisor/info/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/flowcontrol"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	apitest "k8s.io/cri-api/pkg/apis/testing"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
)

// syncRuntime records what SyncPod starts, stops and removes.
type syncRuntime struct {
	*scriptedRuntime
	// Names of containers that the runtime cannot create, and "sandbox".
	failing []string
	// IDs of containers that exist.
	existing map[string]bool
}

func (r *syncRuntime) StopContainer(_ context.Context, id string, timeout int64) error {
	r.add(map[string]any{"do": "stop", "id": id, "gracePeriod": timeout})
	return nil
}

func (r *syncRuntime) RemoveContainer(_ context.Context, id string) error {
	r.add(map[string]any{"do": "remove", "id": id})
	delete(r.existing, id)
	return nil
}

func (r *syncRuntime) ContainerStatus(_ context.Context, id string, _ bool) (*runtimeapi.ContainerStatusResponse, error) {
	if !r.existing[id] {
		return nil, errors.New("not found")
	}
	return &runtimeapi.ContainerStatusResponse{Status: &runtimeapi.ContainerStatus{Id: id}}, nil
}

func (r *syncRuntime) RunPodSandbox(ctx context.Context, config *runtimeapi.PodSandboxConfig, handler string) (string, error) {
	r.add(map[string]any{"do": "createSandbox", "attempt": config.Metadata.Attempt})
	if slices.Contains(r.failing, "sandbox") {
		return "", errors.New("failed")
	}
	return r.FakeRuntimeService.RunPodSandbox(ctx, config, handler)
}

func (r *syncRuntime) CreateContainer(
	ctx context.Context, sandboxID string, config *runtimeapi.ContainerConfig, sandboxConfig *runtimeapi.PodSandboxConfig,
) (string, error) {
	r.add(map[string]any{"do": "start", "id": config.Metadata.Name})
	if slices.Contains(r.failing, config.Metadata.Name) {
		return "", errors.New("failed")
	}
	return r.FakeRuntimeService.CreateContainer(ctx, sandboxID, config, sandboxConfig)
}

// SyncPod answers a case of the mode "sync": the calls of the container runtime by one sync.
func SyncPod(line []byte) map[string]any {
	var c struct {
		runtimeCase
		RestartAllContainers bool     `json:"restartAllContainers"`
		Failing              []string `json:"failing"`
		// Names of containers that were started five times in a row.
		Crashing []string `json:"crashing"`
	}
	decode(line, &c)
	ctx := context.Background()
	log := &callLog{}
	scripted := &scriptedRuntime{FakeRuntimeService: apitest.NewFakeRuntimeService(), callLog: log}
	service := &syncRuntime{scriptedRuntime: scripted, failing: c.Failing, existing: map[string]bool{}}
	for _, each := range c.Runtime.Containers {
		service.existing[containerID(each.ID).ID] = true
	}
	manager := newManager(ctx, &c.runtimeCase, service)
	manager.machineInfo = &cadvisorapi.MachineInfo{MemoryCapacity: 1 << 35}
	backOff := flowcontrol.NewBackOff(10*time.Second, 300*time.Second)
	for _, list := range [][]v1.Container{c.Pod.Spec.InitContainers, c.Pod.Spec.Containers} {
		for i := range list {
			for n := 0; n < 5 && slices.Contains(c.Crashing, list[i].Name); n++ {
				backOff.Next(GetBackoffKey(c.Pod, &list[i]), time.Now())
			}
		}
	}
	status := c.Runtime.podStatus(c.Pod)
	result := manager.SyncPod(ctx, c.Pod, status, nil, backOff, c.RestartAllContainers)
	for _, entry := range log.entries {
		delete(entry, "at")
	}
	failed := []string{}
	for _, each := range result.SyncResults {
		if each.Error != nil && each.Action == kubecontainer.StartContainer {
			failed = append(failed, each.Target.(string))
		}
	}
	return map[string]any{"calls": append([]map[string]any{}, log.entries...), "failed": failed}
}
