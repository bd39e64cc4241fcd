package status

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
)

// statusCase is what happens to one pod over time.
type statusCase struct {
	Pod    *v1.Pod       `json:"pod"`
	Events []statusEvent `json:"events"`
}

type statusEvent struct {
	// Milliseconds since the start.
	At int64 `json:"at"`
	// "set", "ready", "started" and "terminate" call the manager. "change" replaces the pod in the API server, without "pod" removes it.
	// "watch" shows the kubelet the pod of the API server. "fail" makes the next calls of the API server fail.
	Do string `json:"do"`

	Status    v1.PodStatus `json:"status"`
	Container string       `json:"container"`
	Value     bool         `json:"value"`
	Pod       *v1.Pod      `json:"pod"`
	Calls     int          `json:"calls"`
	// Whether containers of the pod may run from now on.
	Running bool `json:"running"`
}

// server is an API server with one pod, and the kubelet's view of it.
type server struct {
	stored, known *v1.Pod
	running       bool
	failures      int
	calls         []map[string]any
}

func (s *server) GetPodByUID(types.UID) (*v1.Pod, bool) { return s.known, s.known != nil }

func (s *server) GetMirrorPodByPod(*v1.Pod) (*v1.Pod, bool) { return nil, false }

func (s *server) TranslatePodUID(uid types.UID) kubetypes.ResolvedPodUID {
	return kubetypes.ResolvedPodUID(uid)
}

func (s *server) GetUIDTranslations() (
	map[kubetypes.ResolvedPodUID]kubetypes.MirrorPodUID, map[kubetypes.MirrorPodUID]kubetypes.ResolvedPodUID,
) {
	return nil, nil
}

func (s *server) PodCouldHaveRunningContainers(*v1.Pod) bool { return s.running }

func (s *server) RecordStatusUpdated(*v1.Pod) {}

func (s *server) DeletePodStartupState(types.UID) {}

func (s *server) record(name string, fields map[string]any) {
	fields["at"], fields["do"] = time.Since(start).Milliseconds(), name
	s.calls = append(s.calls, fields)
}

func (s *server) react(action clienttesting.Action) (bool, runtime.Object, error) {
	name := action.GetVerb()
	if s.failures > 0 {
		s.failures--
		s.record(name, map[string]any{"fails": true})
		return true, nil, errors.New("failed")
	}
	if s.stored == nil {
		s.record(name, map[string]any{"found": false})
		return true, nil, apierrors.NewNotFound(v1.Resource("pods"), "p")
	}
	switch action := action.(type) {
	case clienttesting.PatchAction:
		s.stored = patched(s.stored, action.GetPatch())
		s.record(name, map[string]any{"status": s.stored.Status})
	case clienttesting.DeleteAction:
		s.record(name, map[string]any{})
		s.stored = nil
		return true, nil, nil
	default:
		s.record(name, map[string]any{})
	}
	return true, s.stored.DeepCopy(), nil
}

func patched(pod *v1.Pod, patch []byte) *v1.Pod {
	before, err := json.Marshal(pod)
	if err != nil {
		panic(err)
	}
	after, err := strategicpatch.StrategicMergePatch(before, patch, v1.Pod{})
	if err != nil {
		panic(err)
	}
	result := &v1.Pod{}
	if err := json.Unmarshal(after, result); err != nil {
		panic(err)
	}
	return result
}

var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Sync answers a case of the mode "status": the calls of the API server.
func Sync(line []byte) map[string]any {
	var c statusCase
	if err := json.Unmarshal(line, &c); err != nil {
		panic(err)
	}
	s := &server{stored: c.Pod, known: c.Pod.DeepCopy(), running: true}
	client := &fake.Clientset{}
	client.AddReactor("*", "*", s.react)
	m := NewManager(client, s, s, s).(*manager)
	caches := []any{}
	for _, event := range c.Events {
		m.syncUntil(event.At)
		m.apply(s, event)
		select {
		case <-m.podStatusChannel:
			m.syncBatch(context.Background(), false)
		default:
		}
		cached, has := m.GetPodStatus(c.Pod.UID)
		caches = append(caches, map[string]any{"has": has, "phase": cached.Phase})
	}
	return map[string]any{"calls": append([]map[string]any{}, s.calls...), "caches": caches}
}

// syncUntil does what Start does: it syncs all statuses every syncPeriod.
func (m *manager) syncUntil(milliseconds int64) {
	until := start.Add(time.Duration(milliseconds) * time.Millisecond)
	for {
		next := time.Now().Truncate(syncPeriod).Add(syncPeriod)
		if next.After(until) {
			break
		}
		time.Sleep(time.Until(next))
		m.syncBatch(context.Background(), true)
	}
	time.Sleep(time.Until(until))
}

func (m *manager) apply(s *server, event statusEvent) {
	logger := klog.Background()
	s.running = event.Running
	kind, id := "containerd", event.Container
	switch event.Do {
	case "set":
		if s.known != nil {
			m.SetPodStatus(logger, s.known, event.Status)
		}
	case "ready":
		m.SetContainerReadiness(logger, "u1", kubecontainer.ContainerID{Type: kind, ID: id}, event.Value)
	case "started":
		m.SetContainerStartup(logger, "u1", kubecontainer.ContainerID{Type: kind, ID: id}, event.Value)
	case "terminate":
		if s.known != nil {
			m.TerminatePod(logger, s.known)
		}
	case "change":
		s.stored = event.Pod
	case "delete":
		if s.stored != nil {
			now := metav1.Now().Rfc3339Copy()
			s.stored.DeletionTimestamp = &now
		}
	case "watch":
		s.known = nil
		if s.stored != nil && s.stored.UID == "u1" {
			s.known = s.stored.DeepCopy()
		}
	case "fail":
		s.failures = event.Calls
	}
}
