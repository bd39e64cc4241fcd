package main

import (
	"errors"
	"reflect"
	"strings"
	"time"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/prober/results"
	"k8s.io/kubernetes/pkg/kubelet/status"
	"k8s.io/utils/exec"
)

// statuses is a status manager with one pod.
type statuses struct {
	status.Manager
	now *v1.PodStatus
}

func (s *statuses) GetPodStatus(types.UID) (v1.PodStatus, bool) {
	if s.now == nil {
		return v1.PodStatus{}, false
	}
	return *s.now, true
}

// script is the result of the next probe, and whether the probe was run.
type script struct {
	outcome string
	made    bool
}

func (s *script) run() ([]byte, error) {
	s.made = true
	switch s.outcome {
	case "success":
		return nil, nil
	case "failure":
		return nil, exec.CodeExitError{Err: errors.New("failed"), Code: 1}
	}
	return nil, errors.New("not made")
}

type resultManagers map[string]results.Manager

func newResultManagers() resultManagers {
	return resultManagers{"liveness": results.NewManager(), "readiness": results.NewManager(), "startup": results.NewManager()}
}

var kinds = map[string]int{"liveness": 0, "readiness": 1, "startup": 2}

func nameOf(result results.Result) string {
	for name, each := range stored {
		if each == result {
			return name
		}
	}
	return ""
}

func containerID(text string) kubecontainer.ContainerID {
	parts := strings.SplitN(text, "://", 2)
	return kubecontainer.ContainerID{Type: parts[0], ID: parts[len(parts)-1]}
}

// field is an unexported field of a struct behind a pointer; invalid if the release has no field of that name.
func field(pointer unsafe.Pointer, of reflect.Type, name string) (reflect.Value, bool) {
	known, there := of.FieldByName(name)
	if !there {
		return reflect.Value{}, false
	}
	return reflect.NewAt(known.Type, unsafe.Pointer(uintptr(pointer)+known.Offset)).Elem(), true
}

// started is a prober manager of a kubelet that started this many seconds ago; results that it sets itself replace the given ones.
func started(known *statuses, managers resultManagers, does *script, age int64) (interface{}, unsafe.Pointer) {
	manager := newProbeManager(known, managers, does)
	value := reflect.ValueOf(manager)
	pointer, of := unsafe.Pointer(value.Pointer()), value.Type().Elem()
	if start, there := field(pointer, of, "start"); there {
		start.Set(reflect.ValueOf(time.Now().Add(-time.Duration(age) * time.Second)))
	}
	for _, kind := range []string{"readiness", "startup"} {
		if own, there := field(pointer, of, kind+"Manager"); there {
			managers[kind] = own.Interface().(results.Manager)
		}
	}
	return manager, pointer
}

// probed returns the pod's status from a manager with the pod's workers and the stored results.
func probed(c *kubeletCase) answer {
	managers := newResultManagers()
	manager, pointer := started(&statuses{}, managers, &script{}, c.KubeletAge)
	for kind, byID := range c.Results {
		for id, result := range byID {
			managers[kind].Set(containerID(id), stored[result], c.Pod)
		}
	}
	// the workers would probe: only their existence matters
	addPod(manager, pointer, c.Pod)
	status := v1.PodStatus{ContainerStatuses: c.ContainerStatuses, InitContainerStatuses: c.InitContainerStatuses}
	aged(status.ContainerStatuses, 0)
	aged(status.InitContainerStatuses, 0)
	updatePodStatus(manager, c.Pod, &status)
	return answer{"containerStatuses": status.ContainerStatuses, "initContainerStatuses": status.InitContainerStatuses}
}

// aged sets when containers started: as many seconds ago as their restart count, or as given, and half a second.
func aged(list []v1.ContainerStatus, age int64) {
	for i := range list {
		if list[i].State.Running == nil {
			continue
		}
		seconds := age
		if seconds == 0 {
			seconds = int64(list[i].RestartCount)
		}
		since := time.Now().Add(-time.Duration(seconds)*time.Second - 500*time.Millisecond)
		list[i].State.Running.StartedAt = metav1.NewTime(since)
	}
}

// work runs one worker through ticks.
func work(c *kubeletCase) answer {
	managers := newResultManagers()
	known, does := &statuses{}, &script{}
	_, pointer := started(known, managers, does, c.KubeletAge)
	pod := c.Pod
	var container v1.Container
	for _, each := range append(append([]v1.Container{}, pod.Spec.Containers...), pod.Spec.InitContainers...) {
		if each.Name == c.Container {
			container = each
			break
		}
	}
	worker := newWorker(pointer, kinds[c.Kind], pod, container)
	told := []answer{}
	for i := range c.Ticks {
		now := &c.Ticks[i]
		known.now, *does = now.Status, script{outcome: now.Outcome}
		pod.DeletionTimestamp = nil
		if now.Deleted {
			pod.DeletionTimestamp = &metav1.Time{Time: time.Now()}
		}
		id := ""
		if now.Status != nil {
			aged(now.Status.ContainerStatuses, now.Age)
			aged(now.Status.InitContainerStatuses, now.Age)
		}
		goesOn := probeOnce(worker)
		one := answer{"made": does.made, "ended": !goesOn}
		if seen, there := field(worker, workerType(), "containerID"); there {
			last := seen.Interface().(kubecontainer.ContainerID)
			if id = last.String(); id != "" {
				if result, is := managers[c.Kind].Get(last); is {
					one["result"] = nameOf(result)
				}
			}
		}
		if run, there := field(worker, workerType(), "resultRun"); there {
			one["run"] = run.Int()
		}
		if hold, there := field(worker, workerType(), "onHold"); there {
			one["onHold"] = hold.Bool()
		}
		told = append(told, one)
		if !goesOn {
			break
		}
	}
	return answer{"ticks": told}
}

// workerType is the type of workers in the manager's map.
func workerType() reflect.Type {
	value := reflect.ValueOf(newProbeManager(&statuses{}, newResultManagers(), &script{})).Type().Elem()
	workers, _ := value.FieldByName("workers")
	return workers.Type.Elem().Elem()
}
