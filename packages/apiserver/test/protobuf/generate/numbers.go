// Prints the protobuf field numbers of Kubernetes' API types: one line per type, sorted.
//
//	core.ServicePort name=1 protocol=2 port=3
//	core.Volume name=1 @2=core.VolumeSource
//
// A struct that is embedded in Go is inlined in JSON, but is a message of its own in protobuf: "@NUMBER=TYPE".
package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	admission "k8s.io/api/admissionregistration/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var roots = []any{
	core.Namespace{}, core.Service{}, core.Pod{}, core.Endpoints{}, core.Node{}, core.Event{}, core.ConfigMap{}, core.Secret{},
	core.ServiceAccount{}, core.Binding{}, discovery.EndpointSlice{}, coordination.Lease{}, events.Event{},
	admission.MutatingWebhookConfiguration{}, admission.ValidatingWebhookConfiguration{}, meta.DeleteOptions{},
	autoscaling.Scale{}, policy.Eviction{},
}

var packages = map[string]string{
	"k8s.io/api/core/v1":                   "core",
	"k8s.io/api/discovery/v1":              "discovery",
	"k8s.io/api/coordination/v1":           "coordination",
	"k8s.io/api/events/v1":                 "events",
	"k8s.io/api/admissionregistration/v1":  "admission",
	"k8s.io/api/autoscaling/v1":            "autoscaling",
	"k8s.io/api/policy/v1":                 "policy",
	"k8s.io/apimachinery/pkg/apis/meta/v1": "meta",
}

func main() {
	lines := map[string]string{}
	for _, root := range roots {
		visit(reflect.TypeOf(root), lines)
	}
	names := make([]string, 0, len(lines))
	for name := range lines {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Println(lines[name])
	}
}

func visit(t reflect.Type, lines map[string]string) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		visit(t.Elem(), lines)
		return
	case reflect.Map:
		visit(t.Elem(), lines)
		return
	case reflect.Struct:
	default:
		return
	}
	prefix, known := packages[t.PkgPath()]
	name := prefix + "." + t.Name()
	if _, seen := lines[name]; !known || seen || t.Name() == "Time" || t.Name() == "MicroTime" || t.Name() == "FieldsV1" {
		return
	}
	lines[name] = ""
	text := name
	for i := range t.NumField() {
		field := t.Field(i)
		parts := strings.Split(field.Tag.Get("protobuf"), ",")
		if len(parts) < 2 {
			continue
		}
		json, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		visit(field.Type, lines)
		if field.Anonymous && json == "" {
			text += " @" + parts[1] + "=" + packages[field.Type.PkgPath()] + "." + field.Type.Name()
		} else {
			text += " " + json + "=" + parts[1]
		}
	}
	lines[name] = text
}
