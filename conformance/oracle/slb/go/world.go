package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
)

// world is the Service in the API server and in the controller's cache, the cloud and the controller.
type world struct {
	stored     *v1.Service
	key        string
	version    int
	refusal    string
	patches    []json.RawMessage
	updates    []json.RawMessage
	patched    []json.RawMessage
	failed     bool
	cloud      *cloud
	client     *fake.Clientset
	informers  informers.SharedInformerFactory
	events     *record.FakeRecorder
	controller *controller
}

func newWorld() *world {
	w := &world{cloud: &cloud{}, client: &fake.Clientset{}, events: record.NewFakeRecorder(512)}
	w.client.AddReactor("patch", "services", func(action clienttesting.Action) (bool, runtime.Object, error) {
		service, err := w.patch(action.(clienttesting.PatchAction))
		if err != nil {
			return true, nil, err
		}
		return true, service, nil
	})
	w.client.AddReactor("update", "services", func(action clienttesting.Action) (bool, runtime.Object, error) {
		service, err := w.updateStatus(action.(clienttesting.UpdateAction).GetObject().(*v1.Service))
		if err != nil {
			return true, nil, err
		}
		return true, service, nil
	})
	w.informers = informers.NewSharedInformerFactory(w.client, 0)
	w.controller = begin(w)
	return w
}

func (w *world) services() cache.Indexer {
	return w.informers.Core().V1().Services().Informer().GetIndexer()
}
func (w *world) nodes() cache.Indexer { return w.informers.Core().V1().Nodes().Informer().GetIndexer() }

// shown is the Service in the controller's cache.
func (w *world) shown() *v1.Service {
	if object, is, _ := w.services().GetByKey(w.key); is {
		return object.(*v1.Service)
	}
	return nil
}

func (w *world) put(service *v1.Service) {
	w.version++
	service.ResourceVersion = strconv.Itoa(w.version)
	w.stored = service
}

// refused is the API server's error to a write; nil if it accepts the write.
func (w *world) refused(name string) error {
	resource := schema.GroupResource{Resource: "services"}
	if w.refusal == "conflict" {
		return apierrors.NewConflict(resource, name, errors.New("it changed"))
	}
	if w.refusal == "notfound" || w.stored == nil {
		return apierrors.NewNotFound(resource, name)
	}
	return nil
}

func (w *world) patch(action clienttesting.PatchAction) (*v1.Service, error) {
	w.patches = append(w.patches, append(json.RawMessage{}, action.GetPatch()...))
	if err := w.refused(action.GetName()); err != nil {
		return nil, err
	}
	before, err := json.Marshal(w.stored)
	must(err)
	after, err := strategicpatch.StrategicMergePatch(before, action.GetPatch(), v1.Service{})
	must(err)
	patched := &v1.Service{}
	must(json.Unmarshal(after, patched))
	return w.accept(patched), nil
}

// updateStatus replaces the status, as in releases before patches. The Service is stored as JSON, which omits empty lists.
func (w *world) updateStatus(updated *v1.Service) (*v1.Service, error) {
	status, err := json.Marshal(updated.Status.LoadBalancer)
	must(err)
	w.updates = append(w.updates, status)
	if err := w.refused(updated.Name); err != nil {
		return nil, err
	}
	stored, err := json.Marshal(w.stored)
	must(err)
	service := &v1.Service{}
	must(json.Unmarshal(stored, service))
	service.Status = *updated.Status.DeepCopy()
	return w.accept(service), nil
}

func (w *world) accept(service *v1.Service) *v1.Service {
	w.put(service)
	stored, err := json.Marshal(service)
	must(err)
	w.patched = append(w.patched, stored)
	return service.DeepCopy()
}

// write is a user's write: absent finalizers and status are preserved, unless it is another Service.
func (w *world) write(text json.RawMessage) *v1.Service {
	if string(text) == "null" {
		w.stored = nil
		return nil
	}
	service, before := &v1.Service{}, w.stored
	must(json.Unmarshal(text, service))
	w.key = service.Namespace + "/" + service.Name
	if before != nil && before.UID == service.UID {
		if service.Finalizers == nil {
			service.Finalizers = before.Finalizers
		}
		if service.Status.LoadBalancer.Ingress == nil {
			service.Status.LoadBalancer = before.Status.LoadBalancer
		}
	}
	w.put(service)
	return service
}

// show updates the store and calls the handler, like a watch.
func (w *world) show() {
	if w.stored != nil && w.stored.DeletionTimestamp != nil && len(w.stored.Finalizers) == 0 {
		w.stored = nil
	}
	before := w.shown()
	if w.stored == nil {
		if before != nil {
			must(w.services().Delete(before))
			w.controller.services.OnDelete(before)
		}
		return
	}
	now := w.stored.DeepCopy()
	if before == nil {
		must(w.services().Add(now))
		w.controller.added(w.controller.services, now)
	} else if before.ResourceVersion != now.ResourceVersion {
		must(w.services().Update(now))
		w.controller.services.OnUpdate(before, now)
	}
}

func (w *world) changeNodes(next []*v1.Node) {
	stays := map[string]bool{}
	for _, node := range next {
		stays[node.Name] = true
	}
	for _, object := range w.nodes().List() {
		if !stays[object.(*v1.Node).Name] {
			must(w.nodes().Delete(object))
			w.controller.nodes.OnDelete(object)
		}
	}
	for _, node := range next {
		before, is, _ := w.nodes().GetByKey(node.Name)
		must(w.nodes().Update(node))
		if is {
			w.controller.nodes.OnUpdate(before, node)
		} else {
			w.controller.added(w.controller.nodes, node)
		}
	}
}

func (w *world) restart() {
	w.controller.end()
	w.controller, w.failed = begin(w), false
	for _, object := range w.nodes().List() {
		w.controller.added(w.controller.nodes, object)
	}
	for _, object := range w.services().List() {
		w.controller.added(w.controller.services, object)
	}
}

// take executes a step: restarts the controller, changes nodes and the Service, syncs the Service, then the nodes.
func (w *world) take(s *step) outcome {
	o := outcome{Syncs: []doing{}}
	w.cloud.prepare(s)
	w.refusal = s.APIError
	if s.Restart {
		w.restart()
	}
	if s.Nodes != nil {
		w.changeNodes(s.Nodes)
	}
	before := w.shown()
	if s.Service != nil {
		if service := w.write(s.Service); service != nil {
			is := cleanupNeeded(service)
			o.NeedsCleanup = &is
		}
		before = w.shown()
		w.show()
	} else if s.Resync && w.stored != nil && before != nil {
		w.controller.services.OnUpdate(before, before)
	}
	o.Events = w.told()
	if s.Service != nil && before != nil && w.stored != nil {
		is := w.controller.updateNeeded(before, w.stored)
		o.NeedsUpdate = &is
		w.told()
	}
	o.Enqueued = w.controller.emptyQueue()
	o.Syncs = append(o.Syncs, w.sync(o.Enqueued || w.failed)...)
	if w.controller.look() {
		done := w.done(nil)
		o.NodeSync = &done
		o.Syncs = append(o.Syncs, w.sync(w.controller.emptyQueue())...)
	}
	if w.stored != nil {
		o.Service = &left{
			Finalizers: append([]string{}, w.stored.Finalizers...),
			Ingress:    append([]v1.LoadBalancerIngress{}, w.stored.Status.LoadBalancer.Ingress...),
		}
	}
	o.Retry = w.failed
	return o
}

// sync repeats until no immediate work is left, at most five times; delays count as elapsed before the next step.
func (w *world) sync(due bool) []doing {
	all := []doing{}
	for ; due && len(all) < 5; due = w.controller.emptyQueue() {
		err := w.attempt()
		w.failed = err != nil
		done := w.done(err)
		w.show()
		done.Events = append(done.Events, w.told()...)
		all = append(all, done)
	}
	return all
}

func (w *world) attempt() (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	return w.controller.sync(w.key)
}

func (w *world) done(err error) doing {
	d := doing{
		Calls:   append([]call{}, w.cloud.asked...),
		Patches: append([]json.RawMessage{}, w.patches...),
		Updates: w.updates,
		Patched: w.patched,
		Events:  w.told(),
	}
	w.cloud.asked, w.patches, w.updates, w.patched = nil, nil, nil, nil
	if err != nil {
		d.Error, d.RetryAfter = err.Error(), delayOf(err)
	}
	return d
}

func (w *world) told() []string {
	texts := []string{}
	for len(w.events.Events) > 0 {
		texts = append(texts, readable(<-w.events.Events))
	}
	return texts
}

// fieldOf gives access to an unexported field, which can be set.
func fieldOf(structure interface{}, name string) reflect.Value {
	field := reflect.ValueOf(structure).Elem().FieldByName(name)
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}
