package kuberuntime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sort"
	"strings"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	apitest "k8s.io/cri-api/pkg/apis/testing"
	"k8s.io/klog/v2"
)

// behaviour is what a container does when it is stopped. Durations are in milliseconds.
type behaviour struct {
	Hook      int64 `json:"hook"`
	HookFails bool  `json:"hookFails"`
	// How long the container runs after SIGTERM; forever if absent.
	ExitsAfter *int64 `json:"exitsAfter"`
	StopFails  bool   `json:"stopFails"`
}

// callLog records calls and events with their times.
type callLog struct {
	lock    sync.Mutex
	entries []map[string]any
}

func (t *callLog) add(entry map[string]any) {
	t.lock.Lock()
	defer t.lock.Unlock()
	entry["at"] = time.Since(start).Milliseconds()
	t.entries = append(t.entries, entry)
}

// sorted returns the entries by time, and those of one time by container: concurrent calls have no order.
func (t *callLog) sorted() []map[string]any {
	key := func(entry map[string]any) string {
		return fmt.Sprint(entry["id"], " ", entry["do"], " ", entry["reason"])
	}
	sort.SliceStable(t.entries, func(i, j int) bool {
		a, b := t.entries[i], t.entries[j]
		if a["at"] != b["at"] {
			return a["at"].(int64) < b["at"].(int64)
		}
		return key(a) < key(b)
	})
	return append([]map[string]any{}, t.entries...)
}

// scriptedRuntime is a container runtime whose containers behave as a case says.
type scriptedRuntime struct {
	*apitest.FakeRuntimeService
	*callLog
	// By container ID.
	behaviours map[string]behaviour
}

func (r *scriptedRuntime) ExecSync(_ context.Context, id string, _ []string, _ time.Duration) ([]byte, []byte, error) {
	return nil, nil, r.runHook(id)
}

func (r *scriptedRuntime) runHook(id string) error {
	r.add(map[string]any{"do": "hook", "id": id})
	does := r.behaviours[id]
	time.Sleep(time.Duration(does.Hook) * time.Millisecond)
	if does.HookFails {
		return errors.New("hook failed")
	}
	return nil
}

func (r *scriptedRuntime) StopContainer(_ context.Context, id string, timeout int64) error {
	r.add(map[string]any{"do": "stop", "id": id, "gracePeriod": timeout})
	does := r.behaviours[id]
	if does.StopFails {
		return errors.New("cannot be stopped")
	}
	lasts := time.Duration(timeout) * time.Second
	if does.ExitsAfter != nil {
		lasts = min(lasts, time.Duration(*does.ExitsAfter)*time.Millisecond)
	}
	time.Sleep(lasts)
	r.add(map[string]any{"do": "exit", "id": id})
	return nil
}

func (r *scriptedRuntime) StopPodSandbox(_ context.Context, id string) error {
	r.add(map[string]any{"do": "stopSandbox", "id": id})
	return nil
}

// Do sends the request of an HTTP hook, whose host is the ID of its container.
func (r *scriptedRuntime) Do(request *http.Request) (*http.Response, error) {
	return nil, r.runHook(request.URL.Hostname())
}

// recorder adds events to a log.
type recorder struct{ *callLog }

var _ record.EventRecorderLogger = recorder{}

func (r recorder) Event(object runtime.Object, eventtype, reason, message string) {
	_, name, _ := strings.Cut(object.(*v1.ObjectReference).FieldPath, "{")
	r.add(map[string]any{"do": "event", "id": strings.TrimSuffix(name, "}"), "type": eventtype, "reason": reason, "message": message})
}

func (r recorder) Eventf(object runtime.Object, eventtype, reason, format string, args ...any) {
	r.Event(object, eventtype, reason, fmt.Sprintf(format, args...))
}

func (r recorder) AnnotatedEventf(object runtime.Object, _ map[string]string, eventtype, reason, format string, args ...any) {
	r.Eventf(object, eventtype, reason, format, args...)
}

func (r recorder) WithLogger(klog.Logger) record.EventRecorderLogger { return r }
