package main

import (
	"context"
	"strconv"

	v1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	discoveryclient "k8s.io/client-go/kubernetes/typed/discovery/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/endpointslice"
	"k8s.io/endpointslice/topologycache"
	"k8s.io/endpointslice/util"
	"k8s.io/klog/v2"
	"time"
)

// sliceBench is a Service with its pods. With a second list of pods, slices exist already, and each sync gets the other list; otherwise
// each sync creates slices.
type sliceBench struct {
	ID      string      `json:"id"`
	Max     int32       `json:"max"`
	Service *v1.Service `json:"service"`
	Nodes   []*v1.Node  `json:"nodes"`
	Pods    []*v1.Pod   `json:"pods"`
	Changed []*v1.Pod   `json:"changed"`
}

// keeper is a client without cost: on request, it stores the slices that it receives and returns them.
type keeper struct {
	kubernetes.Interface
	slices           []*discovery.EndpointSlice
	places           map[string]int
	creates, updates int
}

type keeperGroup struct {
	discoveryclient.DiscoveryV1Interface
	*keeper
}

type keeperSlices struct {
	discoveryclient.EndpointSliceInterface
	*keeper
}

func (k *keeper) DiscoveryV1() discoveryclient.DiscoveryV1Interface { return keeperGroup{keeper: k} }

func (g keeperGroup) EndpointSlices(string) discoveryclient.EndpointSliceInterface {
	return keeperSlices{keeper: g.keeper}
}

func (k keeperSlices) Create(_ context.Context, s *discovery.EndpointSlice, _ metav1.CreateOptions) (*discovery.EndpointSlice, error) {
	k.creates++
	if k.places == nil {
		return s, nil
	}
	s.Name = s.GenerateName + strconv.Itoa(k.creates)
	s.UID, s.Generation = types.UID(s.Name), 1
	k.places[s.Name] = len(k.keeper.slices)
	k.keeper.slices = append(k.keeper.slices, s)
	return s, nil
}

func (k keeperSlices) Update(_ context.Context, s *discovery.EndpointSlice, _ metav1.UpdateOptions) (*discovery.EndpointSlice, error) {
	k.updates++
	s.Generation++
	k.slices[k.places[s.Name]] = s
	return s, nil
}

// benchSlices returns the time of one call of the reconciler alone.
func benchSlices(args []string) (answerFunc, error) {
	atLeast, err := milliseconds(args)
	return func(decode decodeFunc) (interface{}, error) {
		b := &sliceBench{Max: 100}
		if err := decode(b); err != nil {
			return nil, err
		}
		return b.run(atLeast), nil
	}, err
}

func (b *sliceBench) run(atLeast time.Duration) interface{} {
	nodes := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	must(nodes.Replace(anyList(b.Nodes), ""))
	k := &keeper{}
	r := endpointslice.NewReconciler(k, corelisters.NewNodeLister(nodes), b.Max, util.NewEndpointSliceTracker(),
		topologycache.NewTopologyCache(), record.NewFakeRecorder(1), "endpointslice-controller.k8s.io")
	trigger := time.Unix(1767225600, 0)
	pods, n := [][]*v1.Pod{b.Pods}, 0
	if len(b.Changed) > 0 {
		pods = append(pods, b.Changed)
		k.places = map[string]int{}
		must(r.Reconcile(klog.Background(), b.Service, b.Pods, nil, trigger))
		k.creates = 0
	}
	best, runs := bestOf(atLeast, func() {
		n++
		must(r.Reconcile(klog.Background(), b.Service, pods[n%len(pods)], k.slices, trigger))
	})
	return map[string]interface{}{
		"id": b.ID, "us": float64(best.Nanoseconds()) / 1000,
		"creates": float64(k.creates) / float64(runs), "updates": float64(k.updates) / float64(runs),
	}
}
