package main

import (
	"reflect"
	"time"
	"unsafe"

	"k8s.io/client-go/tools/record"
)

// memory is the state that a controller keeps between syncs, with a copy to restore. Its fields are not exported, so they are accessed by
// reflection.
type memory struct {
	fields []reflect.Value
	saved  []reflect.Value
}

// remember copies the values that the named fields of a controller point to; nil fields are ignored.
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

// save makes the present state the one to restore.
func (m *memory) save() {
	m.saved = m.saved[:0]
	for _, field := range m.fields {
		m.saved = append(m.saved, clone(field))
	}
}

// restore returns to the last saved state, any number of times.
func (m *memory) restore() {
	for i, field := range m.fields {
		field.Set(clone(m.saved[i]))
	}
}

// replaceRecorders makes a controller and its reconciler record their events with r.
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

// open makes an unexported field accessible; the struct must be addressable.
func open(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

// clone is a deep copy of maps, slices, structs and pointers; all other values are shared.
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
