package main

import (
	"context"

	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/plugin/kubernetes"
	"github.com/coredns/coredns/plugin/kubernetes/object"
	api "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
)

// The parts that differ between releases, for CoreDNS 1.8.6 to 1.10.1.

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

// fillEndpoints reads Endpoints if the cluster does not offer the API of EndpointSlices.
func fillEndpoints(c *connection, w *world) {
	if w.NoEndpoints {
		fill(c, "ep", nil, convertSlice)
	} else if w.EndpointSliceAPI != nil && !*w.EndpointSliceAPI {
		fill(c, "ep", w.Objects.Endpoints, func(each *api.Endpoints) (interface{}, error) { return object.ToEndpoints(each) })
	} else {
		fill(c, "ep", w.Objects.EndpointSlices, convertSlice)
	}
}

func convertSlice(slice *endpointSlice) (interface{}, error) {
	return object.EndpointSliceToEndpoints(slice)
}
