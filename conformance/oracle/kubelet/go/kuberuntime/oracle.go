package kuberuntime

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	internalapi "k8s.io/cri-api/pkg/apis"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	apitest "k8s.io/cri-api/pkg/apis/testing"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	containertest "k8s.io/kubernetes/pkg/kubelet/container/testing"
	proberesults "k8s.io/kubernetes/pkg/kubelet/prober/results"

	"go.opentelemetry.io/otel/trace/noop"
)

// runtimeCase is what all modes read: a pod, and what the container runtime has of it, the newest first.
type runtimeCase struct {
	Pod     *v1.Pod       `json:"pod"`
	Runtime runtimeStatus `json:"runtime"`
	// Results of the probes by container ID.
	Liveness map[string]string `json:"liveness"`
	Startup  map[string]string `json:"startup"`
	Actuated *actuated         `json:"actuated"`
}

type runtimeStatus struct {
	Sandboxes  []sandbox   `json:"sandboxes"`
	Containers []container `json:"containers"`
}

type sandbox struct {
	ID      string `json:"id"`
	Attempt uint32 `json:"attempt"`
	Ready   bool   `json:"ready"`
	// Whether the sandbox uses the network of the node.
	HostNetwork bool `json:"hostNetwork"`
	// Absent if the runtime does not report the network.
	IP *string `json:"ip"`
}

type container struct {
	ID         string              `json:"id"`
	Name       string              `json:"name"`
	State      kubecontainer.State `json:"state"`
	Hash       uint64              `json:"hash"`
	ExitCode   int                 `json:"exitCode"`
	Reason     string              `json:"reason"`
	FinishedAt *metav1.Time        `json:"finishedAt"`
}

// actuated are the resources that the kubelet has last applied.
type actuated struct {
	Pod        *v1.ResourceRequirements           `json:"pod"`
	Containers map[string]v1.ResourceRequirements `json:"containers"`
}

func decode(line []byte, into any) {
	if err := json.Unmarshal(line, into); err != nil {
		panic(err)
	}
}

func (s runtimeStatus) podStatus(pod *v1.Pod) *kubecontainer.PodStatus {
	status := &kubecontainer.PodStatus{ID: pod.UID, Name: pod.Name, Namespace: pod.Namespace}
	for _, each := range s.Sandboxes {
		status.SandboxStatuses = append(status.SandboxStatuses, each.status())
	}
	for _, each := range s.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, each.status())
	}
	return status
}

func (s sandbox) status() *runtimeapi.PodSandboxStatus {
	state, network := runtimeapi.PodSandboxState_SANDBOX_NOTREADY, runtimeapi.NamespaceMode_POD
	if s.Ready {
		state = runtimeapi.PodSandboxState_SANDBOX_READY
	}
	if s.HostNetwork {
		network = runtimeapi.NamespaceMode_NODE
	}
	options := &runtimeapi.NamespaceOption{Network: network}
	status := &runtimeapi.PodSandboxStatus{
		Id:       s.ID,
		Metadata: &runtimeapi.PodSandboxMetadata{Attempt: s.Attempt},
		State:    state,
		Linux:    &runtimeapi.LinuxPodSandboxStatus{Namespaces: &runtimeapi.Namespace{Options: options}},
	}
	if s.IP != nil {
		status.Network = &runtimeapi.PodSandboxNetworkStatus{Ip: *s.IP}
	}
	return status
}

func (c container) status() *kubecontainer.Status {
	status := &kubecontainer.Status{
		ID:       containerID(c.ID),
		Name:     c.Name,
		State:    c.State,
		Hash:     c.Hash,
		ExitCode: c.ExitCode,
		Reason:   c.Reason,
	}
	if c.FinishedAt != nil {
		status.FinishedAt = c.FinishedAt.Time
	}
	return status
}

func containerID(text string) kubecontainer.ContainerID {
	kind, id, _ := strings.Cut(text, "://")
	return kubecontainer.ContainerID{Type: kind, ID: id}
}

var results = map[string]proberesults.Result{
	"success": proberesults.Success,
	"failure": proberesults.Failure,
	"unknown": proberesults.Unknown,
}

// newManager creates the kubelet's runtime manager for a case. A nil service is one that accepts all calls.
func newManager(ctx context.Context, c *runtimeCase, service internalapi.RuntimeService) *kubeGenericRuntimeManager {
	if service == nil {
		service = apitest.NewFakeRuntimeService()
	}
	tracer := noop.NewTracerProvider().Tracer("")
	manager, err := newFakeKubeRuntimeManager(
		ctx, service, apitest.NewFakeImageService(), nil, &containertest.FakeOS{}, &containertest.FakeRuntimeHelper{}, tracer)
	if err != nil {
		panic(err)
	}
	for id, result := range c.Liveness {
		manager.livenessManager.Set(containerID(id), results[result], c.Pod)
	}
	for id, result := range c.Startup {
		manager.startupManager.Set(containerID(id), results[result], c.Pod)
	}
	if c.Actuated != nil {
		for name, resources := range c.Actuated.Containers {
			must(manager.actuatedState.SetContainerResources(c.Pod.UID, name, resources))
		}
		if c.Actuated.Pod != nil {
			must(manager.actuatedState.SetPodLevelResources(c.Pod.UID, c.Actuated.Pod))
		}
	}
	return manager
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// start is when bubbles of virtual time start.
var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// at returns a time in milliseconds since the start.
func at(milliseconds int64) time.Time {
	return start.Add(time.Duration(milliseconds) * time.Millisecond)
}

// sleepUntil waits until a time in milliseconds since the start.
func sleepUntil(milliseconds int64) { time.Sleep(time.Until(at(milliseconds))) }
