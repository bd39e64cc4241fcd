package main

import (
	"reflect"
	"time"
	"unsafe"

	"k8s.io/client-go/tools/record"
)

// memory is what a controller remembers from sync to sync, with a copy of it to go back to. The fields are not exported,
// so that they are reached by reflection.
type memory struct {
	fields []reflect.Value
	saved  []reflect.Value
}

// remember copies what the named fields of a controller point to; fields that are nil are left out.
func remember(controller interface{}, names ...string) *memory {
	m := &memory{}
	for _, name := range names {
		field := open(reflect.ValueOf(controller).Elem().FieldByName(name))
		if !field.IsNil() {
			m.fields = append(m.fields, field.Elem())
		}
	}
	m.save()
	return m
}

// save makes the present state the one to go back to.
func (m *memory) save() {
	m.saved = m.saved[:0]
	for _, field := range m.fields {
		m.saved = append(m.saved, clone(field))
	}
}

// restore goes back to the state that was saved last, as often as is wished.
func (m *memory) restore() {
	for i, field := range m.fields {
		field.Set(clone(m.saved[i]))
	}
}

// replaceRecorders has a controller and its reconciler record their events with r.
func replaceRecorders(holder interface{}, r record.EventRecorder) {
	recorder := reflect.TypeOf((*record.EventRecorder)(nil)).Elem()
	v := reflect.ValueOf(holder).Elem()
	for i := 0; i < v.NumField(); i++ {
		if field := open(v.Field(i)); field.Type() == recorder {
			field.Set(reflect.ValueOf(r))
		} else if v.Type().Field(i).Name == "reconciler" {
			replaceRecorders(field.Interface(), r)
		}
	}
}

// open lifts the restriction on a field that is not exported; the struct must be addressable.
func open(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

// clone is a deep copy of maps, slices, structs and what pointers point to; anything else is shared.
func clone(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Ptr:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(clone(v.Elem()))
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
			for _, key := range v.MapKeys() {
				out.SetMapIndex(key, clone(v.MapIndex(key)))
			}
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := 0; i < v.Len(); i++ {
				out.Index(i).Set(clone(v.Index(i)))
			}
		}
	case reflect.Struct:
		if v.Type() != reflect.TypeOf(time.Time{}) {
			for i := 0; i < out.NumField(); i++ {
				field := open(out.Field(i))
				field.Set(clone(field))
			}
		}
	}
	return out
}
