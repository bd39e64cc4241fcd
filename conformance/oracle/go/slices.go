package main

import (
	"encoding/json"
	"fmt"

	v1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
)

// sliceStep is the changes before a sync; absent fields do not change.
type sliceStep struct {
	Service          *v1.Service                 `json:"service"`
	ServiceDeleted   bool                        `json:"serviceDeleted"`
	Pods             *[]*v1.Pod                  `json:"pods"`
	Nodes            *[]*v1.Node                 `json:"nodes"`
	Endpoints        *v1.Endpoints               `json:"endpoints"`
	EndpointsDeleted bool                        `json:"endpointsDeleted"`
	Slices           *[]*discovery.EndpointSlice `json:"slices"`
	Lag              bool                        `json:"lag"` // the cache shows the slices as they were before the last sync
}

// sliceCase is the state before the first sync and the changes before each further one.
type sliceCase struct {
	ID  string `json:"id"`
	Max int32  `json:"max"`
	Key string `json:"key"` // namespace/name
	sliceStep
	Steps []sliceStep `json:"steps"`
	// Repeat is the number of repetitions of each sync from the same state; later syncs continue from the last one.
	Repeat int `json:"repeat"`
}

type sliceWrite struct {
	Verb   string          `json:"verb"`
	Object json.RawMessage `json:"object,omitempty"`
	Name   string          `json:"name,omitempty"`
}

type event struct {
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// sliceOutcome is the result of one sync, and every slice after it.
type sliceOutcome struct {
	Writes []sliceWrite               `json:"writes"`
	Events []event                    `json:"events"`
	Error  string                     `json:"error,omitempty"`
	Panic  bool                       `json:"panic,omitempty"`
	Slices []*discovery.EndpointSlice `json:"slices"`
	Given  []*discovery.EndpointSlice `json:"given,omitempty"` // the slices that the case brought, as this release reads them
	Others []sliceOutcome             `json:"others,omitempty"`
}

type sliceResult struct {
	ID    string         `json:"id"`
	Syncs []sliceOutcome `json:"syncs"`
}

// wired is a release's controller, created by wire.go.
type wired struct {
	controller   interface{}
	sync         syncFunc
	nodesChanged func()
	sliceDeleted func(slice interface{})
	remembers    []string
}

type wireFunc func(f informers.SharedInformerFactory, client kubernetes.Interface, max int32) wired

// sliceCluster replaces the API server and the informers' caches.
type sliceCluster struct {
	wired
	memory  *memory
	client  *fake.Clientset
	stores  map[string]cache.Indexer
	count   int // of names given and of objects written, from which resourceVersions come
	writes  []sliceWrite
	events  []event
	deleted []*discovery.EndpointSlice
	before  []*discovery.EndpointSlice // the slices before the last sync
}

// sliceMode runs cases with the controller that wire creates, one per requested maximum.
func sliceMode(wire wireFunc, defaultMax int32) func([]string) (answerFunc, error) {
	return func([]string) (answerFunc, error) {
		clusters := map[int32]*sliceCluster{}
		return func(decode decodeFunc) (interface{}, error) {
			t := &sliceCase{Max: defaultMax, Repeat: 1}
			if err := decode(t); err != nil {
				return nil, err
			}
			c, ok := clusters[t.Max]
			if !ok {
				c = newSliceCluster(wire, t.Max)
				clusters[t.Max] = c
			}
			return c.replay(t), nil
		}, nil
	}
}

func newSliceCluster(wire wireFunc, max int32) *sliceCluster {
	c := &sliceCluster{client: &fake.Clientset{}}
	c.client.AddReactor("*", "endpointslices", c.react)
	f := informers.NewSharedInformerFactory(c.client, 0)
	c.stores = map[string]cache.Indexer{
		"services":  f.Core().V1().Services().Informer().GetIndexer(),
		"pods":      f.Core().V1().Pods().Informer().GetIndexer(),
		"nodes":     f.Core().V1().Nodes().Informer().GetIndexer(),
		"endpoints": f.Core().V1().Endpoints().Informer().GetIndexer(),
		"slices":    f.Discovery().V1().EndpointSlices().Informer().GetIndexer(),
	}
	c.wired = wire(f, c.client, max)
	replaceRecorders(c.controller, c)
	c.memory = remember(c.controller, c.remembers...)
	return c
}

func (c *sliceCluster) replay(t *sliceCase) sliceResult {
	for _, store := range c.stores {
		must(store.Replace(nil, ""))
	}
	fresh := *c.memory
	fresh.restore()
	c.memory = &memory{fields: fresh.fields}
	defer func() { c.memory = &fresh }()
	c.count = 1000
	r := sliceResult{ID: t.ID}
	for _, step := range append([]sliceStep{t.sliceStep}, t.Steps...) {
		c.apply(&step, t.Key)
		c.before = c.list()
		o := c.repeat(t.Key, t.Repeat)
		if step.Slices != nil {
			o.Given = c.before
		}
		r.Syncs = append(r.Syncs, o)
		// a panic may leave locks behind
		if o.Panic {
			break
		}
	}
	return r
}

func (c *sliceCluster) apply(s *sliceStep, key string) {
	if s.Service != nil {
		must(c.stores["services"].Add(s.Service))
	}
	if s.ServiceDeleted {
		c.remove("services", key)
	}
	if s.Endpoints != nil {
		must(c.stores["endpoints"].Add(s.Endpoints))
	}
	if s.EndpointsDeleted {
		c.remove("endpoints", key)
	}
	if s.Pods != nil {
		must(c.stores["pods"].Replace(anyList(*s.Pods), ""))
	}
	if s.Nodes != nil {
		must(c.stores["nodes"].Replace(anyList(*s.Nodes), ""))
		c.nodesChanged()
	}
	if s.Slices != nil {
		there := c.list()
		c.setSlices(*s.Slices)
		for _, slice := range there {
			if _, still, _ := c.stores["slices"].Get(slice); !still {
				c.sliceDeleted(slice)
			}
		}
	}
	if s.Lag {
		c.setSlices(c.before)
	}
}

// repeat syncs n times from the same state.
func (c *sliceCluster) repeat(key string, n int) sliceOutcome {
	before, count := c.list(), c.count
	c.memory.save()
	var others []sliceOutcome
	for i := 1; i < n; i++ {
		others = append(others, c.observe(key))
		c.setSlices(before)
		// iteration over a new map has another order
		must(c.stores["pods"].Replace(c.stores["pods"].List(), ""))
		c.count = count
		c.memory.restore()
	}
	o := c.observe(key)
	o.Others = others
	return o
}

func (c *sliceCluster) observe(key string) (o sliceOutcome) {
	c.writes, c.events, c.deleted = []sliceWrite{}, []event{}, nil
	defer func() {
		if r := recover(); r != nil {
			o.Panic, o.Error = true, fmt.Sprintf("panic: %v", r)
		} else {
			for _, slice := range c.deleted {
				c.sliceDeleted(slice)
			}
		}
		o.Writes, o.Events, o.Slices = c.writes, c.events, c.list()
		c.client.ClearActions()
	}()
	if err := c.sync(key); err != nil {
		o.Error = err.Error()
	}
	return o
}
