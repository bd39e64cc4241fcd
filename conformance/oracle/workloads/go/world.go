package main

import (
	"context"
	"encoding/json"
	"reflect"
	"testing/synctest"
	"time"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// The fields of a case and of its answer are documented in case.ts.
type testCase struct {
	ID           string   `json:"id"`
	Objects      []object `json:"objects"`
	GracefulPods bool     `json:"gracefulPods"`
	Steps        []step   `json:"steps"`
}

type step struct {
	AdvanceMs int64     `json:"advanceMs"`
	Changes   []change  `json:"changes"`
	Failures  []failure `json:"failures"`
	Hold      []string  `json:"hold"`
}

type change struct {
	Put    object    `json:"put"`
	Merge  *target   `json:"merge"`
	Bind   *target   `json:"bind"`
	Settle *settling `json:"settle"`
	Delete *target   `json:"delete"`
}

type settling struct {
	Nth         int     `json:"nth"`
	Unready     float64 `json:"unready"`
	Unavailable float64 `json:"unavailable"`
	Terminating float64 `json:"terminating"`
}

type target struct {
	Kind      string          `json:"kind"`
	Namespace string          `json:"namespace"`
	Name      string          `json:"name"`
	Nth       *int            `json:"nth"`
	Patch     json.RawMessage `json:"patch"`
}

type answer struct {
	ID    string       `json:"id"`
	Steps []stepAnswer `json:"steps"`
}

type stepAnswer struct {
	Writes []write         `json:"writes"`
	Events []recordedEvent `json:"events"`
}

type recordedEvent struct {
	At      int64  `json:"at"`
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func answerCase(asked *testCase, create constructor) answer {
	// At whole seconds, the ReplicaSet controller of 1.36 panics if it deletes Pods in the millisecond in which another one was created
	// (reportSortingDeletionAgeRatioMetric divides by its age).
	time.Sleep(startOffset)
	start := time.Now()
	server := newServer(start, asked.GracefulPods)
	for _, each := range asked.Objects {
		server.put(each)
	}
	server.undelivered = nil
	client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://server", QPS: -1, Transport: server, ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
	ctx, cancel := context.WithCancel(context.Background())
	factory := informers.NewSharedInformerFactory(client, 0)
	controller := create(ctx, client, factory)
	orderStores(factory)
	factory.Start(ctx.Done())
	w := &world{server: server}
	w.runUntil(start)
	var events []recordedEvent
	if controller.broadcaster != nil {
		controller.broadcaster.StartEventWatcher(func(e *v1.Event) {
			events = append(events, recordedEvent{time.Since(start).Milliseconds(), e.InvolvedObject.Kind, e.InvolvedObject.Name, e.Type, e.Reason, e.Message})
		})
	}
	if controller.events != nil {
		controller.events.receive = func(kind, name, eventType, reason, message string) {
			events = append(events, recordedEvent{time.Since(start).Milliseconds(), kind, name, eventType, reason, message})
		}
	}
	done := make(chan struct{})
	go func() { controller.run(ctx); close(done) }()
	given := answer{ID: asked.ID, Steps: []stepAnswer{}}
	for _, each := range asked.Steps {
		server.failures, server.held = each.Failures, map[string]bool{}
		for _, kind := range each.Hold {
			server.held[kind] = true
		}
		for _, change := range each.Changes {
			server.apply(change)
		}
		ended := w.runUntil(time.Now().Add(time.Duration(each.AdvanceMs) * time.Millisecond))
		given.Steps = append(given.Steps, stepAnswer{append([]write{}, server.writes...), append([]recordedEvent{}, events...)})
		server.writes, events = nil, nil
		if !ended {
			break
		}
	}
	cancel()
	server.close()
	server.serveUntil(done)
	factory.Shutdown()
	// Goroutines of the scheduler that look for the end from time to time.
	time.Sleep(time.Minute)
	return given
}

// startOffset is the difference between startTime of case.ts and the start of virtual time.
const startOffset = 251 * time.Millisecond

// maxWrites is the number of writes after which a step does not end, and its case ends. Some histories make a controller create Pods without end,
// for example if the UID of a DaemonSet changes and its revision has the old one.
const maxWrites = 2000

type world struct {
	server *server
}

// runUntil runs the controller until it is idle at a time, and returns whether it became idle. Requests and watch events are handled one at a time, each after all goroutines have
// stopped, so that the order of their effects is defined.
func (w *world) runUntil(end time.Time) bool {
	for {
		synctest.Wait()
		if len(w.server.writes) > maxWrites {
			return false
		}
		if w.server.serveNext() || w.server.deliverNext() {
			continue
		}
		if !time.Now().Before(end) {
			return true
		}
		timer := time.NewTimer(time.Until(end))
		select {
		case <-w.server.arrived:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// field returns an unexported field of a controller.
func field[T any](controller any, name string) T {
	value := reflect.ValueOf(controller).Elem().FieldByName(name)
	return *(*T)(unsafe.Pointer(value.UnsafeAddr()))
}

type object = map[string]any

func copyOf(o object) object {
	var result object
	bytes, err := json.Marshal(o)
	must(err)
	must(json.Unmarshal(bytes, &result))
	return result
}
