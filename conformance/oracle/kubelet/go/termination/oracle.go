// Package termination has the kubelet's methods that end a pod, which the build cuts from pkg/kubelet/kubelet.go, and a Kubelet with what they use.
package termination

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/utils/clock"
)

// Kubelet has what the methods use. Each of its parts is the log, which records the calls.
type Kubelet struct {
	*terminationLog
	tracer           trace.Tracer
	clock            clock.Clock
	recorder         *record.FakeRecorder
	cgroupsPerQOS    bool
	statusManager    *terminationLog
	probeManager     *terminationLog
	containerRuntime *terminationLog
	volumeManager    *terminationLog
	containerManager *terminationLog
	usernsManager    *terminationLog
	secretManager    *terminationLog
	configMapManager *terminationLog
}

type terminationCase struct {
	// The grace period that the pod worker hands over, if any.
	GracePeriod *int64 `json:"gracePeriod"`
	// Names of the steps that fail.
	Failing []string `json:"failing"`
	// Whether the runtime no longer has the pod after the kill.
	Removed bool `json:"removed"`
	// Durations in milliseconds.
	KillLasts    int64 `json:"killLasts"`
	VolumesExist int64 `json:"volumesExist"`
}

type terminationLog struct {
	terminationCase
	calls             []map[string]any
	volumesExistUntil time.Time
}

var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func (l *terminationLog) record(step string, fields map[string]any) error {
	fields["at"], fields["do"] = time.Since(start).Milliseconds(), step
	l.calls = append(l.calls, fields)
	if slices.Contains(l.Failing, step) {
		return errors.New("failed")
	}
	return nil
}

func (l *terminationLog) generateAPIPodStatus(
	_ context.Context, _ *v1.Pod, _ *kubecontainer.PodStatus, finished bool,
) v1.PodStatus {
	message := "running"
	if finished {
		message = "finished"
	}
	return v1.PodStatus{Message: message}
}

func (l *terminationLog) SetPodStatus(_ klog.Logger, _ *v1.Pod, status v1.PodStatus) (v1.PodStatus, bool) {
	_ = l.record("setStatus", map[string]any{"finished": status.Message == "finished"})
	return status, true
}

func (l *terminationLog) TerminatePod(klog.Logger, *v1.Pod) {
	_ = l.record("terminateStatus", map[string]any{})
}

func (l *terminationLog) StopLivenessAndStartup(*v1.Pod) {
	_ = l.record("stopLivenessAndStartupProbes", map[string]any{})
}

func (l *terminationLog) RemovePod(*v1.Pod) { _ = l.record("stopProbes", map[string]any{}) }

func (l *terminationLog) killPod(_ context.Context, _ *v1.Pod, _ kubecontainer.Pod, gracePeriod *int64) error {
	fields := map[string]any{}
	if gracePeriod != nil {
		fields["gracePeriodOverride"] = *gracePeriod
	}
	err := l.record("killPod", fields)
	time.Sleep(time.Duration(l.KillLasts) * time.Millisecond)
	return err
}

func (l *terminationLog) getRuntime() *terminationLog { return l }

func (l *terminationLog) Type() string { return "containerd" }

func (l *terminationLog) GetPod(context.Context, types.UID) (*kubecontainer.Pod, error) {
	if l.Removed {
		return nil, kubecontainer.ErrPodNotFound
	}
	return &kubecontainer.Pod{}, nil
}

func (l *terminationLog) GetPodStatus(context.Context, *kubecontainer.Pod) (*kubecontainer.PodStatus, error) {
	err := l.record("readRuntimeStatus", map[string]any{})
	status := &kubecontainer.PodStatus{}
	if slices.Contains(l.Failing, "end") {
		status.ContainerStatuses = []*kubecontainer.Status{{State: kubecontainer.ContainerStateRunning}}
	}
	return status, err
}

func (l *terminationLog) UnprepareDynamicResources(context.Context, *v1.Pod) error {
	return l.record("releaseResources", map[string]any{})
}

func (l *terminationLog) WaitForUnmount(context.Context, *v1.Pod) error {
	l.volumesExistUntil = time.Now().Add(time.Duration(l.VolumesExist) * time.Millisecond)
	return l.record("unmountVolumes", map[string]any{})
}

func (l *terminationLog) podVolumesExist(klog.Logger, types.UID) bool {
	return time.Now().Before(l.volumesExistUntil)
}

func (l *terminationLog) UnregisterPod(*v1.Pod) {}

func (l *terminationLog) NewPodContainerManager() *terminationLog { return l }

func (l *terminationLog) GetPodContainerName(*v1.Pod) (string, string) { return "", "" }

func (l *terminationLog) Destroy(klog.Logger, string) error {
	return l.record("removeCgroups", map[string]any{})
}

func (l *terminationLog) Release(klog.Logger, types.UID) {}

// Terminate answers a case of the mode "termination": the steps of the terminating and the terminated sync of a pod.
func Terminate(line []byte) map[string]any {
	log := &terminationLog{}
	if err := json.Unmarshal(line, &log.terminationCase); err != nil {
		panic(err)
	}
	kl := &Kubelet{
		terminationLog: log, tracer: noop.NewTracerProvider().Tracer(""), clock: clock.RealClock{}, recorder: &record.FakeRecorder{},
		cgroupsPerQOS: true, statusManager: log, probeManager: log, containerRuntime: log, volumeManager: log, containerManager: log,
		usernsManager: log, secretManager: log, configMapManager: log,
	}
	ctx, pod, status := context.Background(), &v1.Pod{}, &kubecontainer.PodStatus{}
	err := kl.SyncTerminatingPod(ctx, pod, status, log.GracePeriod, nil)
	if err == nil {
		log.calls = append(log.calls, map[string]any{"do": "terminated"})
		err = kl.SyncTerminatedPod(ctx, pod, status)
	}
	return map[string]any{"calls": log.calls, "failed": err != nil}
}
