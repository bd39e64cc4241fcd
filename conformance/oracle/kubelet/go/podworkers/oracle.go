package kubelet

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/allocation"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
)

// NetworkNotReadyErrorMsg is that of pkg/kubelet/errors.go.
const NetworkNotReadyErrorMsg = "network is not ready"

// workerCase is a pod's updates, and what its syncs do. Times and durations are in milliseconds.
type workerCase struct {
	Updates []workerUpdate `json:"updates"`
	// The syncs of the pod, in order; later ones succeed at once.
	Syncs []scriptedSync `json:"syncs"`
	// Whether the container runtime has a running container of the pod.
	Running bool `json:"running"`
}

type workerUpdate struct {
	At int64 `json:"at"`
	// "create", "update", "sync" or "kill"; "known" or "forget": the kubelet cleans up, and the pod is or is not in its configuration.
	Type string  `json:"type"`
	Pod  *v1.Pod `json:"pod"`
	Kill *struct {
		Evict              bool   `json:"evict"`
		GracePeriodSeconds *int64 `json:"gracePeriodSeconds"`
	} `json:"kill"`
}

type scriptedSync struct {
	Duration int64 `json:"duration"`
	// "ok", "terminal", "error", "network" or "backOff".
	Result string `json:"result"`
	// How long a container must not start, for "backOff".
	BackOff int64 `json:"backOff"`
	// Whether the sync ignores its cancellation.
	Stubborn bool `json:"stubborn"`
}

var updateTypes = map[string]kubetypes.SyncPodType{
	"create": kubetypes.SyncPodCreate,
	"update": kubetypes.SyncPodUpdate,
	"sync":   kubetypes.SyncPodSync,
	"kill":   kubetypes.SyncPodKill,
}

// workerLog records what a worker does.
type workerLog struct {
	lock  sync.Mutex
	calls []map[string]any
	syncs []scriptedSync
}

var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func (l *workerLog) add(entry map[string]any) {
	l.lock.Lock()
	defer l.lock.Unlock()
	entry["at"] = time.Since(start).Milliseconds()
	l.calls = append(l.calls, entry)
}

// run is one sync. It ends early if it is cancelled.
func (l *workerLog) run(ctx context.Context, entry map[string]any) (scriptedSync, error) {
	l.add(entry)
	l.lock.Lock()
	script := scriptedSync{Result: "ok"}
	if len(l.syncs) > 0 {
		script, l.syncs = l.syncs[0], l.syncs[1:]
	}
	l.lock.Unlock()
	done := ctx.Done()
	if script.Stubborn {
		done = nil
	}
	timer := time.NewTimer(time.Duration(script.Duration) * time.Millisecond)
	select {
	case <-timer.C:
	case <-done:
		timer.Stop()
		return script, ctx.Err()
	}
	switch script.Result {
	case "error":
		return script, errors.New("failed")
	case "network":
		return script, errors.New(NetworkNotReadyErrorMsg)
	case "backOff":
		until := time.Now().Add(time.Duration(script.BackOff) * time.Millisecond)
		return script, kubecontainer.NewBackoffError(errors.New("back-off"), until)
	}
	return script, nil
}

func (l *workerLog) SyncPod(
	ctx context.Context, updateType kubetypes.SyncPodType, _ *v1.Pod, _ *v1.Pod, _ *kubecontainer.PodStatus,
) (bool, func(), error) {
	script, err := l.run(ctx, map[string]any{"do": "sync", "type": updateType.String()})
	return script.Result == "terminal", nil, err
}

func (l *workerLog) SyncTerminatingPod(
	ctx context.Context, _ *v1.Pod, _ *kubecontainer.PodStatus, gracePeriod *int64, _ func(*v1.PodStatus),
) error {
	entry := map[string]any{"do": "terminating"}
	if gracePeriod != nil {
		entry["gracePeriod"] = *gracePeriod
	}
	_, err := l.run(ctx, entry)
	return err
}

func (l *workerLog) SyncTerminatedPod(ctx context.Context, _ *v1.Pod, _ *kubecontainer.PodStatus) error {
	_, err := l.run(ctx, map[string]any{"do": "terminated"})
	return err
}

func (l *workerLog) SyncTerminatingRuntimePod(context.Context, *kubecontainer.Pod) error { return nil }

// Enqueue records a retry. The build replaces the jitter of delays by its factor.
func (l *workerLog) Enqueue(_ types.UID, delay time.Duration) {
	l.add(map[string]any{"do": "requeue", "delay": delay.Milliseconds()})
}

func (l *workerLog) GetWork() []types.UID { return nil }

// withoutJitter replaces wait.Jitter.
func withoutJitter(delay time.Duration, _ float64) time.Duration { return delay }

// cache has the same status of every pod.
type cache struct {
	kubecontainer.ROCache
	status *kubecontainer.PodStatus
}

func (c cache) Get(types.UID) (*kubecontainer.PodStatus, error) { return c.status, nil }

func (c cache) GetNewerThan(types.UID, time.Time) (*kubecontainer.PodStatus, error) {
	return c.status, nil
}

// allocateAll accepts the resources of every pod.
type allocateAll struct{ allocation.Manager }

func (allocateAll) UpdatePodFromAllocation(pod *v1.Pod) (*v1.Pod, bool) { return pod, false }

// Work answers a case of the mode "worker": the syncs of a pod and their retries.
func Work(line []byte) map[string]any {
	var c workerCase
	if err := json.Unmarshal(line, &c); err != nil {
		panic(err)
	}
	log := &workerLog{syncs: c.Syncs}
	status := &kubecontainer.PodStatus{}
	if c.Running {
		status.ContainerStatuses = []*kubecontainer.Status{{State: kubecontainer.ContainerStateRunning}}
	}
	workers := newPodWorkers(
		log, &record.FakeRecorder{}, log, time.Minute, 10*time.Second, cache{status: status}, allocateAll{}).(*podWorkers)
	states := []any{}
	for _, update := range c.Updates {
		time.Sleep(time.Until(start.Add(time.Duration(update.At) * time.Millisecond)))
		workers.update(update)
		synctest.Wait()
		states = append(states, workers.state("u1"))
	}
	time.Sleep(time.Hour)
	states = append(states, workers.state("u1"))
	// Ends the worker's goroutine.
	workers.podLock.Lock()
	workers.cleanupPodUpdates("u1")
	workers.podLock.Unlock()
	return map[string]any{"calls": append([]map[string]any{}, log.calls...), "states": states}
}

func (p *podWorkers) update(update workerUpdate) {
	switch update.Type {
	case "known":
		p.SyncKnownPods(klog.Background(), []*v1.Pod{{ObjectMeta: metav1.ObjectMeta{UID: "u1"}}})
		return
	case "forget":
		p.SyncKnownPods(klog.Background(), nil)
		return
	}
	options := UpdatePodOptions{UpdateType: updateTypes[update.Type], Pod: update.Pod}
	if update.Kill != nil {
		options.KillPodOptions = &KillPodOptions{
			Evict: update.Kill.Evict, PodTerminationGracePeriodSecondsOverride: update.Kill.GracePeriodSeconds,
		}
	}
	p.UpdatePod(context.Background(), options)
}

func (p *podWorkers) state(uid types.UID) map[string]any {
	return map[string]any{
		"knownTerminated":        p.IsPodKnownTerminated(uid),
		"couldRun":               p.CouldHaveRunningContainers(uid),
		"finished":               p.ShouldPodBeFinished(uid),
		"terminationRequested":   p.IsPodTerminationRequested(uid),
		"containersTerminating":  p.ShouldPodContainersBeTerminating(uid),
		"runtimeShouldBeRemoved": p.ShouldPodRuntimeBeRemoved(uid),
		"contentShouldBeRemoved": p.ShouldPodContentBeRemoved(uid),
	}
}
