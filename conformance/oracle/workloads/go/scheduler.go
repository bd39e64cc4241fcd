package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	goruntime "runtime"
	"strings"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/utils/clock"
)

func init() {
	// Starts the goroutine of signals, which the scheduler's debugger would start in a bubble.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR2)
	controllers["placements"] = func(ctx context.Context, client kubernetes.Interface, factory informers.SharedInformerFactory) started {
		sink := &eventSink{receive: func(string, string, string, string, string) {}}
		sched, err := scheduler.New(ctx, client, factory, nil, func(string) events.EventRecorderLogger { return recorder{sink} },
			scheduler.WithClock(&uniqueClock{}))
		must(err)
		return started{sched.Run, nil, sink}
	}
}

// uniqueClock never gives two pods the same time, so that the queue has an order.
type uniqueClock struct {
	clock.RealClock
	calls time.Duration
}

func (c *uniqueClock) Now() time.Time {
	caller, _, _, _ := goruntime.Caller(1)
	name := goruntime.FuncForPC(caller).Name()
	if strings.HasSuffix(name, ".newQueuedPodInfo") || strings.HasSuffix(name, ".AddUnschedulableIfNotPresent") {
		c.calls++
		return c.RealClock.Now().Add(c.calls)
	}
	return c.RealClock.Now()
}

type recorder struct{ sink *eventSink }

func (r recorder) Eventf(regarding, related runtime.Object, eventType, reason, action, note string, args ...any) {
	object, err := meta.Accessor(regarding)
	must(err)
	r.sink.receive("Pod", object.GetName(), eventType, reason, fmt.Sprintf(note, args...))
}

func (r recorder) WithLogger(klog.Logger) events.EventRecorderLogger { return r }
