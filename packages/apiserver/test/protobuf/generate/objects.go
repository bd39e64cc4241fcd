// Prints objects of all kinds in the table of types, one a line: in Kubernetes' protobuf encoding (base64) and as JSON. The first objects
// have every field, except that each type is filled once only; then follows an empty object of each kind.
// The argument N adds N objects of random kinds with random fields.
package main

import (
	"encoding/base64"
	"encoding/json"
	"math/rand"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"

	admission "k8s.io/api/admission/v1"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type sample struct {
	kind   schema.GroupVersionKind
	goType reflect.Type
}

// samples returns the kinds for which packages/apiserver/test/api-types/generate/types.go prints types.
func samples() []sample {
	types := runtime.NewScheme()
	must(scheme.AddToScheme(types))
	must(admission.AddToScheme(types))
	must(apiextensions.AddToScheme(types))
	must(apiregistration.AddToScheme(types))
	found := map[reflect.Type]sample{
		reflect.TypeOf(meta.APIGroupList{}):                  {schema.GroupVersionKind{Version: "v1", Kind: "APIGroupList"}, nil},
		reflect.TypeOf(meta.APIResourceList{}):               {schema.GroupVersionKind{Version: "v1", Kind: "APIResourceList"}, nil},
		reflect.TypeOf(meta.PartialObjectMetadata{}):         {meta.SchemeGroupVersion.WithKind("PartialObjectMetadata"), nil},
		reflect.TypeOf(apidiscovery.APIGroupDiscoveryList{}): {apidiscovery.SchemeGroupVersion.WithKind("APIGroupDiscoveryList"), nil},
	}
	for kind, each := range types.AllKnownTypes() {
		isOption := strings.HasSuffix(kind.Kind, "Options") && kind.String() != "/v1, Kind=DeleteOptions"
		isServed := kind.Version == "v1" || kind.Version == "v2"
		if isServed && !isOption && !strings.HasSuffix(kind.Kind, "List") && kind.Kind != "WatchEvent" {
			found[each] = sample{kind: kind}
		}
	}
	var list []sample
	for each, sample := range found {
		sample.goType = each
		list = append(list, sample)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].kind.String() < list[j].kind.String() })
	return list
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	empty := runtime.NewScheme()
	serializer := protobuf.NewSerializer(empty, empty)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	print := func(each sample, fill func(reflect.Value)) {
		value := reflect.New(each.goType)
		fill(value.Elem())
		object := value.Interface().(runtime.Object)
		object.GetObjectKind().SetGroupVersionKind(each.kind)
		bytes, err := runtime.Encode(serializer, object)
		must(err)
		must(out.Encode(map[string]any{"protobuf": base64.StdEncoding.EncodeToString(bytes), "json": object}))
	}
	kinds := samples()
	filler := filler{filled: map[reflect.Type]bool{}}
	for _, each := range kinds {
		print(each, filler.fill)
	}
	for _, each := range kinds {
		print(each, func(reflect.Value) {})
	}
	if len(os.Args) > 1 {
		count, err := strconv.Atoi(os.Args[1])
		must(err)
		filler.random = rand.New(rand.NewSource(1))
		for range count {
			print(kinds[filler.random.Intn(len(kinds))], filler.fill)
		}
	}
}

type filler struct {
	count int
	// The structs that were filled, which stay empty from then on.
	filled map[reflect.Type]bool
	// If set, fields are set at random.
	random *rand.Rand
	depth  int
}

func (f *filler) omits() bool { return f.random != nil && f.random.Intn(100) < 20+7*f.depth }

func (f *filler) text() string {
	if f.count%7 == 0 {
		return "täxt-\U0001F600<&>"
	}
	return "text-" + string(rune('a'+f.count%26))
}

// raw returns JSON as JSON.stringify writes it.
func (f *filler) raw() []byte {
	values := []string{`{"b":[1,"x",null,{"c":true}],"a":1.5}`, `"text"`, `[]`, `{}`, `false`, `{"kind":"None","apiVersion":"v1"}`}
	return []byte(values[f.count%len(values)])
}

// fill sets every field of a value.
func (f *filler) fill(v reflect.Value) {
	f.count++
	f.depth++
	defer func() { f.depth-- }()
	if set := f.opaque(v.Interface()); set != nil {
		v.Set(reflect.ValueOf(set))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.text())
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64:
		sign := int64(1 - 2*(f.count%2))
		v.SetInt(sign * int64(f.count))
	case reflect.Float64:
		v.SetFloat(float64(f.count) / 4)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(f.text()))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.fill(v.Index(0))
		f.fill(v.Index(1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, key := range []string{"one", "__proto__", "", "\uffff", "\U0001F600"} {
			item := reflect.New(v.Type().Elem()).Elem()
			f.fill(item)
			v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), item)
		}
	case reflect.Struct:
		f.fillStruct(v)
	default:
		panic(v.Type().String())
	}
}

func (f *filler) fillStruct(v reflect.Value) {
	isTypeMeta := v.Type() == reflect.TypeOf(meta.TypeMeta{})
	if isTypeMeta || f.random == nil && f.filled[v.Type()] || f.random != nil && f.depth > 12 {
		return
	}
	f.filled[v.Type()] = true
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() && !f.omits() {
			f.fill(v.Field(i))
		}
	}
}

// opaque returns a value of a type with its own JSON encoding; nil for other types.
func (f *filler) opaque(v any) any {
	switch v.(type) {
	case meta.Time:
		return meta.NewTime(time.Unix(1767323045+int64(f.count), 0).UTC())
	case meta.MicroTime:
		return meta.NewMicroTime(time.Unix(1767323045, int64(f.count)*1000).UTC())
	case resource.Quantity:
		return *resource.NewMilliQuantity(int64(f.count), resource.DecimalSI)
	case intstr.IntOrString:
		if f.count%2 == 0 {
			return intstr.FromInt32(int32(f.count))
		}
		return intstr.FromString("port")
	case meta.FieldsV1:
		return meta.FieldsV1{Raw: []byte(`{"f:metadata":{"f:labels":{}}}`)}
	case runtime.RawExtension:
		return runtime.RawExtension{Raw: f.raw()}
	case apiextensions.JSON:
		return apiextensions.JSON{Raw: f.raw()}
	case apiextensions.JSONSchemaPropsOrArray:
		if f.count%2 == 0 {
			return apiextensions.JSONSchemaPropsOrArray{JSONSchemas: []apiextensions.JSONSchemaProps{{Type: "string"}, f.schema()}}
		}
		schema := f.schema()
		return apiextensions.JSONSchemaPropsOrArray{Schema: &schema}
	case apiextensions.JSONSchemaPropsOrBool:
		if f.count%3 != 0 {
			return apiextensions.JSONSchemaPropsOrBool{Allows: f.count%3 == 1}
		}
		schema := f.schema()
		return apiextensions.JSONSchemaPropsOrBool{Allows: true, Schema: &schema}
	case apiextensions.JSONSchemaPropsOrStringArray:
		if f.count%2 == 0 {
			return apiextensions.JSONSchemaPropsOrStringArray{Property: []string{"one", f.text()}}
		}
		schema := f.schema()
		return apiextensions.JSONSchemaPropsOrStringArray{Schema: &schema}
	}
	return nil
}

func (f *filler) schema() apiextensions.JSONSchemaProps {
	schema := apiextensions.JSONSchemaProps{}
	f.fill(reflect.ValueOf(&schema).Elem())
	return schema
}
