package main

import (
	"context"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/kubernetes/pkg/controller/daemon"
)

func init() {
	controllers["daemonsets"] = func(ctx context.Context, client kubernetes.Interface, factory informers.SharedInformerFactory) started {
		// The delays are those of kube-controller-manager (cmd/kube-controller-manager/app/apps.go).
		c, err := daemon.NewDaemonSetsController(ctx, factory.Apps().V1().DaemonSets(), factory.Apps().V1().ControllerRevisions(),
			factory.Core().V1().Pods(), factory.Core().V1().Nodes(), client, flowcontrol.NewBackOff(time.Second, 15*time.Minute))
		must(err)
		return started{func(ctx context.Context) { c.Run(ctx, 1) }, field[record.EventBroadcaster](c, "eventBroadcaster"), nil}
	}
}
