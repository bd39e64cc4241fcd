package main

import (
	"context"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/tainteviction"
)

func init() {
	controllers["taints"] = func(ctx context.Context, client kubernetes.Interface, factory informers.SharedInformerFactory) started {
		pods := factory.Core().V1().Pods()
		must(controller.AddPodNodeNameIndexer(pods.Informer()))
		c, err := tainteviction.New(ctx, client, pods, factory.Core().V1().Nodes(), "taint-eviction-controller")
		must(err)
		return started{c.Run, field[record.EventBroadcaster](c, "broadcaster"), nil}
	}
}
