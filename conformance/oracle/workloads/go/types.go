package main

import (
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func init() {
	if len(os.Args) > 1 && os.Args[1] == "pod-template-types" {
		printTypes(reflect.TypeOf(v1.PodTemplateSpec{}))
		os.Exit(0)
	}
}

// printTypes prints the Go types that a type consists of, one a line: structs with the names, JSON names and types of their fields, and other
// named types with the types that they are made of.
func printTypes(root reflect.Type) {
	lines := map[string]bool{}
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			if t.Name() != "" {
				lines[t.String()+" = "+strings.Replace(fmt.Sprintf("map[%v]%v", t.Key(), t.Elem()), "map[]", "[]", 1)] = true
			}
			visit(t.Elem())
			return
		case reflect.Struct:
		default:
			if t.Name() != t.Kind().String() {
				lines[t.String()+" = "+t.Kind().String()] = true
			}
			return
		}
		fields := []string{}
		for i := range t.NumField() {
			f := t.Field(i)
			name := strings.Split(f.Tag.Get("json"), ",")[0]
			fields = append(fields, fmt.Sprintf("%s,%s,%v", f.Name, name, f.Type))
		}
		line := t.String() + " { " + strings.Join(fields, " ")
		if lines[line] || t == reflect.TypeOf(metav1.Time{}) || t == reflect.TypeOf(resource.Quantity{}) || t == reflect.TypeOf(metav1.FieldsV1{}) {
			return
		}
		lines[line] = true
		for i := range t.NumField() {
			visit(t.Field(i).Type)
		}
	}
	visit(root)
	sorted := []string{}
	for line := range lines {
		sorted = append(sorted, line)
	}
	sort.Strings(sorted)
	fmt.Println(strings.Join(sorted, "\n"))
}
