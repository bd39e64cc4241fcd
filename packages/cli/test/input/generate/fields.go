// Prints the fields of the types that users write: one line per struct, sorted, for packages/cli/src/input/known-fields-table.ts.
//
//	core.ServicePort name protocol port targetPort
//	core.ServiceSpec ports:core.ServicePort selector clusterIP
//
// A colon precedes the struct of a field, or of the items of a list. Fields of embedded structs are listed in place.
// Left out are the fields that only a server writes: status and managedFields.
package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	gateway "sigs.k8s.io/gateway-api/apis/v1"
)

var roots = []any{
	core.Service{}, core.Pod{}, core.Endpoints{}, core.Namespace{}, core.ReplicationController{}, discovery.EndpointSlice{},
	apps.Deployment{}, apps.ReplicaSet{}, apps.StatefulSet{}, apps.DaemonSet{}, batch.Job{}, batch.CronJob{},
	networking.NetworkPolicy{}, networking.Ingress{}, networking.IngressClass{}, policy.PodDisruptionBudget{},
	gateway.Gateway{}, gateway.GatewayClass{}, gateway.HTTPRoute{}, gateway.GRPCRoute{},
}

// Types whose JSON is not an object with these fields.
var opaque = map[string]bool{"resource.Quantity": true, "intstr.IntOrString": true, "v1.Time": true, "v1.MicroTime": true, "v1.FieldsV1": true}

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
		fmt.Println(name + lines[name])
	}
}

// describe adds the line of a struct, and returns its name; empty for other types.
func describe(t reflect.Type, lines map[string]string) string {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return describe(t.Elem(), lines)
	case reflect.Struct:
	default:
		return ""
	}
	name := nameOf(t)
	if opaque[shortName(t)] {
		return ""
	}
	if _, seen := lines[name]; !seen {
		lines[name] = ""
		lines[name] = fieldsOf(t, lines)
	}
	return name
}

func fieldsOf(t reflect.Type, lines map[string]string) string {
	var text strings.Builder
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() {
			continue
		}
		if field.Anonymous && name == "" {
			text.WriteString(fieldsOf(field.Type, lines))
			continue
		}
		text.WriteString(" " + name)
		if name == "status" || name == "managedFields" {
			continue
		}
		if structName := describe(field.Type, lines); structName != "" {
			text.WriteString(":" + structName)
		}
	}
	return text.String()
}

func shortName(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")
	return parts[len(parts)-1] + "." + t.Name()
}

// nameOf returns "core.ServiceSpec" for k8s.io/api/core/v1, and "gateway.HTTPRoute" for sigs.k8s.io/gateway-api/apis/v1.
func nameOf(t reflect.Type) string {
	path := strings.TrimSuffix(t.PkgPath(), "/v1")
	if strings.HasPrefix(path, "sigs.k8s.io/gateway-api") {
		return "gateway." + t.Name()
	}
	parts := strings.Split(path, "/")
	return parts[len(parts)-1] + "." + t.Name()
}
