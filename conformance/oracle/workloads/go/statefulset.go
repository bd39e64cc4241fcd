package main

import (
	"context"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"
	// The controller compares revisions with the defaults of these kinds.
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/controller/statefulset"
)

func init() {
	controllers["statefulsets"] = func(ctx context.Context, client kubernetes.Interface, factory informers.SharedInformerFactory) started {
		c := statefulset.NewStatefulSetController(ctx, factory.Core().V1().Pods(), factory.Apps().V1().StatefulSets(),
			factory.Core().V1().PersistentVolumeClaims(), factory.Apps().V1().ControllerRevisions(), client)
		return started{func(ctx context.Context) { c.Run(ctx, 1) }, field[record.EventBroadcaster](c, "eventBroadcaster"), nil}
	}
}
