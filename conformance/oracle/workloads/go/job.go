package main

import (
	"context"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/controller/job"
)

func init() {
	controllers["jobs"] = func(ctx context.Context, client kubernetes.Interface, factory informers.SharedInformerFactory) started {
		// The informers of workloads and pod groups belong to a feature gate that is off by default.
		c, err := job.NewController(ctx, client, factory.Core().V1().Pods(), factory.Batch().V1().Jobs(), nil, nil)
		must(err)
		return started{func(ctx context.Context) { c.Run(ctx, 1) }, field[record.EventBroadcaster](c, "broadcaster"), nil}
	}
}
