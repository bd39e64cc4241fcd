package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strconv"

	discovery "k8s.io/api/discovery/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	k8stesting "k8s.io/client-go/testing"
)

// react responds to a request like an API server that accepts everything except existing names.
func (c *sliceCluster) react(action k8stesting.Action) (bool, runtime.Object, error) {
	store := c.stores["slices"]
	carrier, carries := action.(interface{ GetObject() runtime.Object })
	if !carries {
		name := action.(interface{ GetName() string }).GetName()
		c.writes = append(c.writes, sliceWrite{Verb: action.GetVerb(), Name: name})
		if there, ok, _ := store.GetByKey(action.GetNamespace() + "/" + name); ok {
			c.deleted = append(c.deleted, there.(*discovery.EndpointSlice))
			must(store.Delete(there))
		}
		return true, nil, nil
	}
	written := carrier.GetObject().(*discovery.EndpointSlice)
	text, err := json.Marshal(written)
	must(err)
	c.writes = append(c.writes, sliceWrite{Verb: action.GetVerb(), Object: text})
	if _, taken, _ := store.GetByKey(action.GetNamespace() + "/" + written.Name); taken && action.GetVerb() == "create" {
		return true, nil, apierrors.NewAlreadyExists(discovery.Resource("endpointslices"), written.Name)
	}
	c.count++
	stored := written.DeepCopy()
	stored.Namespace = action.GetNamespace()
	stored.ResourceVersion = strconv.Itoa(c.count)
	if stored.Name == "" {
		stored.Name = stored.GenerateName + strconv.Itoa(c.count)
	}
	stored.UID, stored.Generation = types.UID("uid-"+stored.Name), 1
	if there, ok, _ := store.GetByKey(stored.Namespace + "/" + stored.Name); ok {
		was := there.(*discovery.EndpointSlice)
		stored.UID, stored.Generation = was.UID, was.Generation
		if !apiequality.Semantic.DeepEqual(was.Endpoints, stored.Endpoints) || !apiequality.Semantic.DeepEqual(was.Ports, stored.Ports) {
			stored.Generation++
		}
	}
	must(store.Add(stored))
	return true, stored, nil
}

// list returns the slices sorted by name.
func (c *sliceCluster) list() []*discovery.EndpointSlice {
	all := []*discovery.EndpointSlice{}
	for _, each := range c.stores["slices"].List() {
		all = append(all, each.(*discovery.EndpointSlice))
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Namespace+"/"+all[i].Name < all[j].Namespace+"/"+all[j].Name })
	return all
}

func (c *sliceCluster) setSlices(slices []*discovery.EndpointSlice) {
	must(c.stores["slices"].Replace(anyList(slices), ""))
}

func (c *sliceCluster) remove(store, key string) {
	if there, ok, _ := c.stores[store].GetByKey(key); ok {
		must(c.stores[store].Delete(there))
	}
}

// Event, Eventf and AnnotatedEventf make the cluster the event recorder of its controller.
func (c *sliceCluster) Event(_ runtime.Object, eventType, reason, message string) {
	c.events = append(c.events, event{eventType, reason, message})
}

func (c *sliceCluster) Eventf(o runtime.Object, eventType, reason, format string, args ...interface{}) {
	c.Event(o, eventType, reason, fmt.Sprintf(format, args...))
}

func (c *sliceCluster) AnnotatedEventf(o runtime.Object, _ map[string]string, eventType, reason, format string, args ...interface{}) {
	c.Eventf(o, eventType, reason, format, args...)
}

// PastEventf is part of the interface up to 1.18.
func (c *sliceCluster) PastEventf(o runtime.Object, _ metav1.Time, eventType, reason, format string, args ...interface{}) {
	c.Eventf(o, eventType, reason, format, args...)
}

// anyList returns the elements of a slice of any type.
func anyList(list interface{}) []interface{} {
	v := reflect.ValueOf(list)
	all := make([]interface{}, v.Len())
	for i := range all {
		all[i] = v.Index(i).Interface()
	}
	return all
}
