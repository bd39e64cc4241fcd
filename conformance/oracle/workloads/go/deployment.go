package main

import (
	"context"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/controller/deployment"
)

func init() {
	controllers["deployments"] = func(ctx context.Context, client kubernetes.Interface, factory informers.SharedInformerFactory) started {
		c, err := deployment.NewDeploymentController(ctx, factory.Apps().V1().Deployments(), factory.Apps().V1().ReplicaSets(), factory.Core().V1().Pods(), client)
		must(err)
		return started{func(ctx context.Context) { c.Run(ctx, 1) }, field[record.EventBroadcaster](c, "eventBroadcaster"), nil}
	}
}
