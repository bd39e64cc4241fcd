package main

import (
	"context"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle"
)

func init() {
	// Without the random part of the delays.
	controller.UpdateTaintBackoff.Jitter, controller.UpdateLabelBackoff.Jitter = 0, 0
	controllers["nodes"] = func(ctx context.Context, client kubernetes.Interface, factory informers.SharedInformerFactory) started {
		core := factory.Core().V1()
		// The options of the suite in suites.ts; the others are the defaults of kube-controller-manager.
		c, err := nodelifecycle.NewNodeLifecycleController(ctx, factory.Coordination().V1().Leases(), core.Pods(), core.Nodes(),
			factory.Apps().V1().DaemonSets(), client, 5000062500*time.Nanosecond, time.Minute, 50*time.Second, 0.1, 0.01, 5, 0.55)
		must(err)
		return started{c.Run, field[record.EventBroadcaster](c, "broadcaster"), nil}
	}
}
