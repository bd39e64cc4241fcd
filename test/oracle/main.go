// Command oracle answers cases with Kubernetes' own endpoints controller, imported as a Go module.
//
//	oracle run            a case a line on standard input; a result a line on standard output
//	oracle bench [MS]     the best of five timings, each of at least MS milliseconds, of one sync that creates
//
// wire.go, written by build.ts for the release at hand, makes the controller.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"
	_ "time/tzdata" // so that TZ works on machines without a database of time zones

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	k8stesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
)

// step is what changes before a sync; what is absent stays as it is.
type step struct {
	Service        *v1.Service   `json:"service"`
	ServiceDeleted bool          `json:"serviceDeleted"`
	Pods           *[]v1.Pod     `json:"pods"`
	Endpoints      *v1.Endpoints `json:"endpoints"`
}

// testCase is the state before the first sync and what changes before each further one.
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

// outcome is what one sync did.
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

// cluster stands in for the API server and the informers' caches, which are never behind.
type cluster struct {
	client          *fake.Clientset
	services        cache.Indexer
	pods            cache.Indexer
	endpoints       cache.Indexer
	resourceVersion int
	keep            bool // whether what is written goes to the cache and into the record
	record          []write
}

type syncFunc func(key string) error

func main() {
	if err := serve(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func serve(args []string, in io.Reader, out io.Writer) error {
	c, factory := newCluster()
	sync := newController(factory, c.client)
	answer := func(t *testCase) interface{} { return c.replay(sync, t) }
	if len(args) > 0 && args[0] == "bench" {
		atLeast := 300
		if len(args) > 1 {
			var err error
			if atLeast, err = strconv.Atoi(args[1]); err != nil {
				return err
			}
		}
		answer = func(t *testCase) interface{} { return c.bench(sync, t, time.Duration(atLeast)*time.Millisecond) }
	} else if len(args) > 0 && args[0] != "run" {
		return fmt.Errorf("mode %q is neither run nor bench", args[0])
	}
	cases, results := json.NewDecoder(bufio.NewReaderSize(in, 1<<16)), bufio.NewWriterSize(out, 1<<16)
	lines := json.NewEncoder(results)
	lines.SetEscapeHTML(false)
	for {
		t := &testCase{}
		if err := cases.Decode(t); errors.Is(err, io.EOF) {
			return results.Flush()
		} else if err != nil {
			return fmt.Errorf("a case cannot be read: %w", err)
		}
		if t.Service == nil {
			return fmt.Errorf("case %q has no service", t.ID)
		}
		if err := lines.Encode(answer(t)); err != nil {
			return err
		}
	}
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

// react answers every request as an API server would that accepts everything.
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

// forget empties the caches; a sync of a Service that is gone empties the controller's own memory.
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
	best, runs := time.Duration(0), 0
	for round := 0; round < 5; round++ {
		n, start := 0, time.Now()
		for n == 0 || time.Since(start) < atLeast {
			must(sync(key))
			c.client.ClearActions()
			n++
		}
		if each := time.Since(start) / time.Duration(n); best == 0 || each < best {
			best = each
		}
		runs += n
	}
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

// bare is an object as JSON has it, without what only an API server sets.
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

func must(err error) {
	if err != nil {
		panic(err)
	}
}
