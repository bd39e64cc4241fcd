package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	k8stesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
)

// step is the changes before a sync; absent fields do not change.
type step struct {
	Service        *v1.Service   `json:"service"`
	ServiceDeleted bool          `json:"serviceDeleted"`
	Pods           *[]v1.Pod     `json:"pods"`
	Endpoints      *v1.Endpoints `json:"endpoints"`
}

// testCase is the state before the first sync and the changes before each further one.
type testCase struct {
	ID string `json:"id"`
	step
	Steps []step `json:"steps"`
}

type write struct {
	Verb   string                 `json:"verb"`
	Object map[string]interface{} `json:"object,omitempty"`
	Name   string                 `json:"name,omitempty"`
}

// outcome is the result of one sync.
type outcome struct {
	Endpoints []write `json:"endpoints"`
	Error     string  `json:"error,omitempty"`
	Panic     bool    `json:"panic,omitempty"`
}

type result struct {
	ID string `json:"id"`
	outcome
	Steps []outcome `json:"steps,omitempty"`
}

// cluster replaces the API server and the informers' caches, which are always up to date.
type cluster struct {
	client          *fake.Clientset
	services        cache.Indexer
	pods            cache.Indexer
	endpoints       cache.Indexer
	resourceVersion int
	keep            bool // whether what is written goes to the cache and into the record
	record          []write
}

// runEndpoints returns the writes of a case's syncs.
func runEndpoints([]string) (answerFunc, error) {
	c, factory := newCluster()
	sync := newController(factory, c.client)
	return func(decode decodeFunc) (interface{}, error) {
		t := &testCase{}
		if err := decode(t); err != nil {
			return nil, err
		}
		if t.Service == nil {
			return nil, fmt.Errorf("case %q has no service", t.ID)
		}
		return c.replay(sync, t), nil
	}, nil
}

// benchEndpoints returns the time of one sync that creates Endpoints.
func benchEndpoints(args []string) (answerFunc, error) {
	atLeast, err := milliseconds(args)
	if err != nil {
		return nil, err
	}
	c, factory := newCluster()
	sync := newController(factory, c.client)
	return func(decode decodeFunc) (interface{}, error) {
		t := &testCase{}
		if err := decode(t); err != nil {
			return nil, err
		}
		if t.Service == nil {
			return nil, fmt.Errorf("case %q has no service", t.ID)
		}
		return c.bench(sync, t, atLeast), nil
	}, nil
}

func newCluster() (*cluster, informers.SharedInformerFactory) {
	c := &cluster{client: &fake.Clientset{}, resourceVersion: 1000}
	c.client.AddReactor("*", "*", c.react)
	factory := informers.NewSharedInformerFactory(c.client, 0)
	core := factory.Core().V1()
	c.services = core.Services().Informer().GetIndexer()
	c.pods = core.Pods().Informer().GetIndexer()
	c.endpoints = core.Endpoints().Informer().GetIndexer()
	return c, factory
}

// react responds to every request like an API server that accepts everything.
func (c *cluster) react(action k8stesting.Action) (bool, runtime.Object, error) {
	// an update's action has GetObject too, which is why one interface serves both verbs
	carrier, carries := action.(interface{ GetObject() runtime.Object })
	if action.GetResource().Resource != "endpoints" {
		if carries {
			return true, carrier.GetObject(), nil
		}
		return true, nil, nil
	}
	if !carries {
		name := ""
		if d, ok := action.(interface{ GetName() string }); ok {
			name = d.GetName()
		}
		if c.keep {
			c.record = append(c.record, write{Verb: action.GetVerb(), Name: name})
			c.remove(c.endpoints, action.GetNamespace()+"/"+name)
		}
		return true, nil, nil
	}
	written := carrier.GetObject().(*v1.Endpoints)
	if !c.keep {
		return true, written, nil
	}
	c.record = append(c.record, write{Verb: action.GetVerb(), Object: bare(written)})
	stored := written.DeepCopy()
	stored.Namespace = action.GetNamespace()
	stored.ResourceVersion = c.nextVersion()
	must(c.endpoints.Add(stored))
	return true, stored, nil
}

func (c *cluster) replay(sync syncFunc, t *testCase) result {
	c.keep = true
	key := t.Service.Namespace + "/" + t.Service.Name
	r := result{ID: t.ID}
	c.apply(&t.step, key)
	r.outcome = c.observe(sync, key)
	for i := range t.Steps {
		c.apply(&t.Steps[i], key)
		r.Steps = append(r.Steps, c.observe(sync, key))
	}
	c.forget(sync, key)
	return r
}

func (c *cluster) apply(s *step, key string) {
	if s.Service != nil {
		must(c.services.Add(s.Service))
	}
	if s.ServiceDeleted {
		c.remove(c.services, key)
	}
	if s.Pods != nil {
		must(c.pods.Replace(pointers(*s.Pods), ""))
	}
	if s.Endpoints != nil {
		there := s.Endpoints.DeepCopy()
		if there.ResourceVersion == "" {
			there.ResourceVersion = "1"
		}
		must(c.endpoints.Add(there))
	}
}

func (c *cluster) observe(sync syncFunc, key string) (o outcome) {
	c.record = []write{}
	defer func() {
		o.Panic = recover() != nil
		o.Endpoints = c.record
	}()
	if err := sync(key); err != nil {
		o.Error = err.Error()
	}
	return o
}

// forget empties the caches; a sync of a deleted Service empties the controller's own memory.
func (c *cluster) forget(sync syncFunc, key string) {
	for _, store := range []cache.Indexer{c.services, c.pods, c.endpoints} {
		must(store.Replace(nil, ""))
	}
	c.observe(sync, key)
	c.client.ClearActions()
}

func (c *cluster) bench(sync syncFunc, t *testCase, atLeast time.Duration) interface{} {
	c.keep = false
	key := t.Service.Namespace + "/" + t.Service.Name
	c.apply(&step{Service: t.Service, Pods: t.Pods}, key)
	must(sync(key)) // the first sync is not counted: it fills the tracker of trigger times
	best, runs := bestOf(atLeast, func() {
		must(sync(key))
		c.client.ClearActions()
	})
	c.forget(sync, key)
	return map[string]interface{}{"id": t.ID, "us": float64(best.Nanoseconds()) / 1000, "runs": runs}
}

func (c *cluster) remove(store cache.Indexer, key string) {
	if there, ok, err := store.GetByKey(key); err == nil && ok {
		must(store.Delete(there))
	}
}

func (c *cluster) nextVersion() string {
	c.resourceVersion++
	return strconv.Itoa(c.resourceVersion)
}

// bare is an object as JSON, without fields that only an API server sets.
func bare(e *v1.Endpoints) map[string]interface{} {
	text, err := json.Marshal(e)
	must(err)
	object := map[string]interface{}{}
	must(json.Unmarshal(text, &object))
	metadata, _ := object["metadata"].(map[string]interface{})
	for _, field := range []string{"resourceVersion", "creationTimestamp", "namespace"} {
		delete(metadata, field)
	}
	return object
}

func pointers(pods []v1.Pod) []interface{} {
	all := make([]interface{}, len(pods))
	for i := range pods {
		all[i] = &pods[i]
	}
	return all
}
