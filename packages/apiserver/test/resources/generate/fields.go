// Prints the fields of Kubernetes' API types for the tables in packages/apiserver/src/resources/schema: one line per type, sorted.
//
//	core.Protocol=string
//	core.ServicePort name?:string protocol?:core.Protocol port:int32 targetPort?:intstr.IntOrString
//	core.Volume name:string hostPath?:*core.HostPathVolumeSource@VolumeSource
//
// A question mark stands for omitempty, a tilde for omitzero, an asterisk for a pointer. A caret precedes the strategy of strategic
// merge patches: ^merge(key), ^replace, ^retainKeys. Fields of an embedded struct are listed in place, with @ and its Go name.
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

// Types with their own JSON encoding.
var opaque = map[string]bool{
	"meta.Time": true, "meta.MicroTime": true, "meta.FieldsV1": true, "resource.Quantity": true, "intstr.IntOrString": true,
	"runtime.RawExtension": true,
}

func main() {
	lines := map[string]string{}
	for _, root := range roots {
		describe(reflect.TypeOf(root), lines)
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

// describe returns the notation of a type, and adds the lines of the named types that it contains.
func describe(t reflect.Type, lines map[string]string) string {
	switch {
	case t.Kind() == reflect.Pointer:
		return "*" + describe(t.Elem(), lines)
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return "[]byte"
	case t.PkgPath() == "" && t.Kind() == reflect.Slice:
		return "[]" + describe(t.Elem(), lines)
	case t.PkgPath() == "" && t.Kind() == reflect.Map:
		return "map[" + describe(t.Key(), lines) + "]" + describe(t.Elem(), lines)
	case t.PkgPath() == "":
		return t.Kind().String()
	}
	name := nameOf(t)
	if _, seen := lines[name]; seen || opaque[name] {
		return name
	}
	lines[name] = ""
	if t.Kind() == reflect.Struct {
		lines[name] = name + fieldsOf(t, "", lines)
	} else {
		lines[name] = name + "=" + underlying(t, lines)
	}
	return name
}

func underlying(t reflect.Type, lines map[string]string) string {
	switch t.Kind() {
	case reflect.Map:
		return "map[" + describe(t.Key(), lines) + "]" + describe(t.Elem(), lines)
	case reflect.Slice:
		return "[]" + describe(t.Elem(), lines)
	default:
		return t.Kind().String()
	}
}

func fieldsOf(t reflect.Type, embedded string, lines map[string]string) string {
	var text strings.Builder
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() {
			continue
		}
		if field.Anonymous && name == "" {
			text.WriteString(fieldsOf(field.Type, embedded+"@"+field.Name, lines))
			continue
		}
		text.WriteString(" " + name + flags(options) + ":" + describe(field.Type, lines) + embedded + patch(field.Tag))
	}
	return text.String()
}

func flags(options string) string {
	text := ""
	for _, option := range strings.Split(options, ",") {
		text += map[string]string{"omitempty": "?", "omitzero": "~"}[option]
	}
	return text
}

func patch(tag reflect.StructTag) string {
	strategy := tag.Get("patchStrategy")
	if strategy == "" {
		return ""
	}
	if key := tag.Get("patchMergeKey"); key != "" {
		return "^" + strategy + "(" + key + ")"
	}
	return "^" + strategy
}

func nameOf(t reflect.Type) string {
	prefix, known := packages[t.PkgPath()]
	if !known {
		prefix = t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:]
	}
	return prefix + "." + t.Name()
}
