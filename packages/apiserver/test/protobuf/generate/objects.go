// Prints one object per kind and line, first with every field set, then empty: in Kubernetes' protobuf encoding (base64) and as JSON.
package main

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"reflect"
	"time"

	admission "k8s.io/api/admissionregistration/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type sample struct {
	version schema.GroupVersion
	object  runtime.Object
}

var samples = []sample{
	{core.SchemeGroupVersion, &core.Namespace{}}, {core.SchemeGroupVersion, &core.Service{}}, {core.SchemeGroupVersion, &core.Pod{}},
	{core.SchemeGroupVersion, &core.Endpoints{}}, {core.SchemeGroupVersion, &core.Node{}}, {core.SchemeGroupVersion, &core.Event{}},
	{core.SchemeGroupVersion, &core.ConfigMap{}}, {core.SchemeGroupVersion, &core.Secret{}}, {core.SchemeGroupVersion, &core.ServiceAccount{}},
	{core.SchemeGroupVersion, &core.Binding{}}, {discovery.SchemeGroupVersion, &discovery.EndpointSlice{}},
	{coordination.SchemeGroupVersion, &coordination.Lease{}}, {events.SchemeGroupVersion, &events.Event{}},
	{admission.SchemeGroupVersion, &admission.MutatingWebhookConfiguration{}},
	{admission.SchemeGroupVersion, &admission.ValidatingWebhookConfiguration{}},
	{autoscaling.SchemeGroupVersion, &autoscaling.Scale{}}, {policy.SchemeGroupVersion, &policy.Eviction{}},
	{core.SchemeGroupVersion, &meta.DeleteOptions{}},
}

var count int

func main() {
	scheme := runtime.NewScheme()
	serializer := protobuf.NewSerializer(scheme, scheme)
	out := json.NewEncoder(os.Stdout)
	for _, full := range []bool{true, false} {
		for _, each := range samples {
			value := reflect.ValueOf(each.object).Elem()
			if full {
				fill(value)
			}
			each.object.GetObjectKind().SetGroupVersionKind(each.version.WithKind(value.Type().Name()))
			bytes, err := runtime.Encode(serializer, each.object)
			if err != nil {
				panic(err)
			}
			out.Encode(map[string]any{"protobuf": base64.StdEncoding.EncodeToString(bytes), "json": each.object})
			value.Set(reflect.Zero(value.Type()))
		}
	}
}

// fill sets every field. The API types have no recursive fields, so it ends.
func fill(v reflect.Value) {
	count++
	switch v.Interface().(type) {
	case meta.Time:
		v.Set(reflect.ValueOf(meta.NewTime(time.Unix(1767323045+int64(count), 0).UTC())))
		return
	case meta.MicroTime:
		v.Set(reflect.ValueOf(meta.NewMicroTime(time.Unix(1767323045, int64(count)*1000).UTC())))
		return
	case resource.Quantity:
		v.Set(reflect.ValueOf(*resource.NewMilliQuantity(int64(count), resource.DecimalSI)))
		return
	case intstr.IntOrString:
		if count%2 == 0 {
			v.Set(reflect.ValueOf(intstr.FromInt32(int32(count))))
		} else {
			v.Set(reflect.ValueOf(intstr.FromString("port")))
		}
		return
	case meta.FieldsV1:
		v.Set(reflect.ValueOf(meta.FieldsV1{Raw: []byte(`{"f:metadata":{"f:labels":{}}}`)}))
		return
	case meta.TypeMeta:
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("text-" + string(rune('a'+count%26)))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64:
		sign := int64(1 - 2*(count%2))
		v.SetInt(sign * int64(count))
	case reflect.Uint8:
		v.SetUint(uint64(count % 256))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, key := range []string{"one", "__proto__"} {
			item := reflect.New(v.Type().Elem()).Elem()
			fill(item)
			v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), item)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	}
}
