package main

import (
	"context"

	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/plugin/kubernetes"
	"github.com/coredns/coredns/plugin/kubernetes/object"
	api "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
)

// The parts that differ between releases, for CoreDNS 1.11 and later.

type endpointSlice = discovery.EndpointSlice

func createCaches(k *kubernetes.Kubernetes) error {
	_, _, err := k.InitKubeCache(context.Background())
	return err
}

func withLoop(ctx context.Context) context.Context {
	return context.WithValue(ctx, dnsserver.LoopKey{}, 0)
}

func convertNamespace(namespace *api.Namespace) (interface{}, error) {
	return object.ToNamespace(namespace)
}

func convertService(service *api.Service) (interface{}, error) { return object.ToService(service) }

func convertPod(pod *api.Pod) (interface{}, error) { return object.ToPod(pod) }

func fillEndpoints(c *connection, w *world) {
	slices := w.Objects.EndpointSlices
	if w.NoEndpoints {
		slices = nil
	}
	fill(c, "ep", slices, convertSlice)
}

func convertSlice(slice *endpointSlice) (interface{}, error) {
	return object.EndpointSliceToEndpoints(slice)
}
