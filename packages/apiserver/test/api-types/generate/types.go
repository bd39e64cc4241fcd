// Prints the types of Kubernetes' built-in kinds for packages/apiserver/src/api-types: one line per type, sorted.
//
//	core.Protocol=string|SCTP|TCP|UDP
//	core.ServicePort name?:string#1 protocol?:core.Protocol#2="TCP" port:int32#3 targetPort?:intstr.IntOrString#4 nodePort?:int32#5
//
// parse.ts describes the notation.
package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"

	admission "k8s.io/api/admission/v1"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

// The versions that a server offers by default.
func isServed(version string) bool { return version == "v1" || version == "v2" }

// Answers that are not kinds of resources.
var otherRoots = []any{
	meta.APIGroupList{}, meta.APIResourceList{}, meta.PartialObjectMetadata{}, apidiscovery.APIGroupDiscoveryList{},
}

// Types with their own JSON encoding.
var opaque = map[string]bool{
	"meta.Time": true, "meta.MicroTime": true, "meta.FieldsV1": true, "resource.Quantity": true, "intstr.IntOrString": true,
	"runtime.RawExtension": true, "apiextensions.JSON": true, "apiextensions.JSONSchemaPropsOrArray": true,
	"apiextensions.JSONSchemaPropsOrBool": true, "apiextensions.JSONSchemaPropsOrStringArray": true,
}

type schema struct {
	Required    []string          `json:"required"`
	Properties  map[string]schema `json:"properties"`
	Default     json.RawMessage   `json:"default"`
	Enum        []string          `json:"enum"`
	Items       *schema           `json:"items"`
	ListType    string            `json:"x-kubernetes-list-type"`
	ListMapKeys []string          `json:"x-kubernetes-list-map-keys"`
	MapType     string            `json:"x-kubernetes-map-type"`
}

type generator struct {
	schemas map[string]schema
	lines   map[string]string
	enums   map[string][]string
}

func main() {
	g := generator{schemas: map[string]schema{}, lines: map[string]string{}, enums: map[string][]string{}}
	g.readDefinitions()
	types := runtime.NewScheme()
	must(scheme.AddToScheme(types))
	must(admission.AddToScheme(types))
	must(apiextensions.AddToScheme(types))
	must(apiregistration.AddToScheme(types))
	for kind, each := range types.AllKnownTypes() {
		isOption := strings.HasSuffix(kind.Kind, "Options") && kind.Kind != "DeleteOptions"
		if isServed(kind.Version) && !strings.HasSuffix(kind.Kind, "List") && !isOption && kind.Kind != "WatchEvent" {
			g.describe(each)
		}
	}
	for _, each := range otherRoots {
		g.describe(reflect.TypeOf(each))
	}
	names := make([]string, 0, len(g.lines))
	for name := range g.lines {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		line := g.lines[name]
		if values := g.enums[name]; values != nil {
			line += "|" + strings.Join(values, "|")
		}
		fmt.Println(line)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// readDefinitions reads the OpenAPI definitions of all types.
func (g *generator) readDefinitions() {
	for name, each := range openapi.GetOpenAPIDefinitions(func(path string) spec.Ref { return spec.MustCreateRef(path) }) {
		bytes, err := json.Marshal(each.Schema)
		must(err)
		var definition schema
		must(json.Unmarshal(bytes, &definition))
		g.schemas[name] = definition
	}
}

// describe returns the notation of a type, and adds the lines of the named types that it contains.
func (g *generator) describe(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Pointer:
		return "*" + g.describe(t.Elem())
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return "[]byte"
	case t.PkgPath() == "" && t.Kind() == reflect.Slice:
		return "[]" + g.describe(t.Elem())
	case t.PkgPath() == "" && t.Kind() == reflect.Map:
		return "map[" + g.describe(t.Key()) + "]" + g.describe(t.Elem())
	case t.PkgPath() == "":
		return t.Kind().String()
	}
	name := nameOf(t)
	if _, seen := g.lines[name]; seen || opaque[name] {
		return name
	}
	g.lines[name] = ""
	if t.Kind() == reflect.Struct {
		definition := g.schemas[definitionOf(t)]
		mark := ""
		if definition.MapType == "atomic" {
			mark = "!"
		}
		g.lines[name] = name + mark + g.fieldsOf(t, definition, "", true)
	} else {
		g.lines[name] = name + "=" + g.underlying(t)
	}
	return name
}

func (g *generator) underlying(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Map:
		return "map[" + g.describe(t.Key()) + "]" + g.describe(t.Elem())
	case reflect.Slice:
		return "[]" + g.describe(t.Elem())
	default:
		return t.Kind().String()
	}
}

// fieldsOf returns the fields of a struct; inMessage is false for a struct that is not part of the protobuf message.
func (g *generator) fieldsOf(t reflect.Type, definition schema, embedded string, inMessage bool) string {
	var text strings.Builder
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() {
			continue
		}
		if field.Anonymous && name == "" {
			number := numberOf(field)
			text.WriteString(g.fieldsOf(field.Type, definition, embedded+"@"+field.Name+number, number != ""))
			continue
		}
		number := ""
		if inMessage {
			number = numberOf(field)
		}
		property := definition.Properties[name]
		g.addEnum(field.Type, property)
		text.WriteString(" " + name + flags(options, name, definition) + ":" + g.describe(field.Type) + embedded + number +
			merging(property) + patch(field.Tag) + defaultOf(field.Type, options, property))
	}
	return text.String()
}

// addEnum records the values of a named string type.
func (g *generator) addEnum(t reflect.Type, property schema) {
	for t.Kind() == reflect.Pointer || t.PkgPath() == "" && t.Kind() == reflect.Slice {
		if t.Kind() == reflect.Slice {
			if property.Items == nil {
				return
			}
			property = *property.Items
		}
		t = t.Elem()
	}
	if t.Kind() == reflect.String && t.PkgPath() != "" && property.Enum != nil {
		g.enums[nameOf(t)] = property.Enum
	}
}

// numberOf returns "#" and the field number of protobuf.
func numberOf(field reflect.StructField) string {
	parts := strings.Split(field.Tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return ""
	}
	return "#" + parts[1]
}

// flags returns "?" for omitempty, "~" for omitzero, "!" if the document disagrees with these about whether the field is required.
func flags(options string, name string, definition schema) string {
	text := ""
	for _, option := range strings.Split(options, ",") {
		text += map[string]string{"omitempty": "?", "omitzero": "~"}[option]
	}
	required := false
	for _, each := range definition.Required {
		required = required || each == name
	}
	if definition.Properties != nil && required != (text == "") {
		text += "!"
	}
	return text
}

// merging returns how server-side apply merges a list or map that it does not treat as usual.
func merging(property schema) string {
	switch {
	case property.ListType == "map":
		return "%map(" + strings.Join(property.ListMapKeys, ",") + ")"
	case property.ListType == "set":
		return "%set"
	case property.MapType == "atomic":
		return "%atomic"
	default:
		return ""
	}
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

// defaultOf returns the default in the document, unless it is the zero value that follows from the type.
func defaultOf(t reflect.Type, options string, property schema) string {
	implied := ""
	if t.Kind() == reflect.Struct {
		implied = "{}"
	} else if !strings.Contains(options, "omit") {
		implied = map[reflect.Kind]string{reflect.String: `""`, reflect.Bool: "false", reflect.Int32: "0", reflect.Int64: "0", reflect.Float64: "0"}[t.Kind()]
	}
	if string(property.Default) == implied || property.Default == nil {
		return ""
	}
	return "=" + string(property.Default)
}

func nameOf(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")
	last := parts[len(parts)-1]
	switch last {
	case "v1":
		last = parts[len(parts)-2]
	case "v2":
		last = parts[len(parts)-2] + "/v2"
	}
	return last + "." + t.Name()
}

// definitionOf returns the name of a type's definition in OpenAPI documents.
func definitionOf(t reflect.Type) string {
	return strings.Replace(strings.ReplaceAll(t.PkgPath(), "/", "."), "k8s.io.", "io.k8s.", 1) + "." + t.Name()
}
