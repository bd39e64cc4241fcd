package main

import (
	"context"

	"github.com/coredns/coredns/plugin/kubernetes"
	"github.com/coredns/coredns/plugin/kubernetes/object"
	api "k8s.io/api/core/v1"
)

// The parts that differ between releases, for CoreDNS 1.7.0 to 1.8.0.

// endpointSlice is not decoded: these releases read Endpoints.
type endpointSlice struct{}

func createCaches(k *kubernetes.Kubernetes) error { return k.InitKubeCache(context.Background()) }

func withLoop(ctx context.Context) context.Context { return ctx }

func convertNamespace(namespace *api.Namespace) (interface{}, error) { return namespace, nil }

func convertService(service *api.Service) (interface{}, error) {
	return object.ToService(true)(service)
}

func convertPod(pod *api.Pod) (interface{}, error) { return object.ToPod(true)(pod) }

func fillEndpoints(c *connection, w *world) {
	endpoints := w.Objects.Endpoints
	if w.NoEndpoints {
		endpoints = nil
	}
	fill(c, "ep", endpoints, func(each *api.Endpoints) (interface{}, error) { return object.ToEndpoints(true)(each) })
}
