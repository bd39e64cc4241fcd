// Runs Kubernetes' own code for the built-in kinds: one case per line of stdin, one answer per line of stdout, with the id of the case.
// The argument is ignored; a case names its operation:
//
//	{operation: "default", object}            the object after decoding, defaulting and conversion through the internal version
//	{operation: "convert", object, version}   the same in another version of its group
//	{operation: "table", object}              the columns and the row of a Table
//	{operation: "create", object}             the object after the strategy's PrepareForCreate, or the causes of its validation
//	{operation: "update", object, old, subresource?}
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
	aggregator "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kube-aggregator/pkg/registry/apiservice/etcd"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/printers"
	"k8s.io/kubernetes/pkg/printers/internalversion"
)

type query struct {
	ID, Operation, Version, Subresource string
	Object, Old                         json.RawMessage
}

type answer map[string]any

var generator = printers.NewTableGenerator().With(internalversion.AddHandlers)

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var q query
		if err := json.Unmarshal(line, &q); err != nil {
			panic(err)
		}
		result, err := run(q)
		if err != nil {
			result = answer{"error": err.Error()}
		}
		result["id"] = q.ID
		if err := out.Encode(result); err != nil {
			panic(err)
		}
	}
}

func run(q query) (result answer, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("panic: %v", problem)
		}
	}()
	object, version, err := decode(q.Object)
	if err != nil {
		return nil, err
	}
	switch q.Operation {
	case "default":
		return encode(object, version.GroupVersion())
	case "convert":
		return encode(object, schema.GroupVersion{Group: version.Group, Version: q.Version})
	case "table":
		return printTable(object)
	}
	target, found := strategies[version.Group+"/"+version.Kind+subresourceSuffix(q.Subresource)]
	if !found {
		return nil, fmt.Errorf("no strategy of %s%s", version.Kind, subresourceSuffix(q.Subresource))
	}
	recorder := &warnings{list: []string{}}
	ctx := requestContext(object, version, q.Subresource, recorder)
	if q.Operation == "create" {
		err = rest.BeforeCreate(target.(rest.RESTCreateStrategy), ctx, object)
	} else {
		var old runtime.Object
		if old, _, err = decode(q.Old); err != nil {
			return nil, err
		}
		err = rest.BeforeUpdate(target.(rest.RESTUpdateStrategy), ctx, object, old)
	}
	if err == nil {
		result, err = encode(object, version.GroupVersion())
		if err == nil {
			result["warnings"] = recorder.list
		}
		return result, err
	}
	if status, ok := err.(errors.APIStatus); ok && errors.IsInvalid(err) {
		return answer{"causes": status.Status().Details.Causes}, nil
	}
	return nil, err
}

func subresourceSuffix(name string) string {
	if name == "" {
		return ""
	}
	return "/" + name
}

func codecs(group string) (*runtime.Scheme, serializer.CodecFactory) {
	if group == "apiregistration.k8s.io" {
		return aggregator.Scheme, aggregator.Codecs
	}
	return legacyscheme.Scheme, legacyscheme.Codecs
}

func decode(text []byte) (runtime.Object, schema.GroupVersionKind, error) {
	var types metav1.TypeMeta
	if err := json.Unmarshal(text, &types); err != nil {
		return nil, schema.GroupVersionKind{}, err
	}
	version := types.GroupVersionKind()
	_, factory := codecs(version.Group)
	object, err := runtime.Decode(factory.UniversalDecoder(), text)
	return object, version, err
}

func encode(object runtime.Object, version schema.GroupVersion) (answer, error) {
	scheme, factory := codecs(version.Group)
	var buffer bytes.Buffer
	writer := jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, scheme, scheme, jsonserializer.SerializerOptions{})
	if err := factory.EncoderForVersion(writer, version).Encode(object, &buffer); err != nil {
		return nil, err
	}
	return answer{"object": json.RawMessage(bytes.TrimSpace(buffer.Bytes()))}, nil
}

func printTable(object runtime.Object) (answer, error) {
	table, err := tableOf(object)
	if err != nil {
		return nil, err
	}
	return answer{"columns": table.ColumnDefinitions, "cells": table.Rows[0].Cells, "conditions": table.Rows[0].Conditions}, nil
}

// The kinds with the table of the generic registry (TableConvertor in pkg/registry).
var defaultTables = map[string]bool{"ClusterRole": true, "CSIStorageCapacity": true, "LimitRange": true, "Role": true}

func tableOf(object runtime.Object) (*metav1.Table, error) {
	kind := reflect.TypeOf(object).Elem().Name()
	if kind == "APIService" {
		return (&etcd.REST{}).ConvertToTable(context.Background(), object, nil)
	}
	if defaultTables[kind] {
		return rest.NewDefaultTableConvertor(schema.GroupResource{}).ConvertToTable(context.Background(), object, nil)
	}
	return generator.GenerateTable(object, printers.GenerateOptions{Wide: true})
}

type warnings struct{ list []string }

func (w *warnings) AddWarning(_, text string) { w.list = append(w.list, text) }

func requestContext(object runtime.Object, kind schema.GroupVersionKind, subresource string, recorder *warnings) context.Context {
	metadata, _ := meta.Accessor(object)
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	ctx := request.WithRequestInfo(context.Background(), &request.RequestInfo{
		IsResourceRequest: true, APIGroup: kind.Group, APIVersion: kind.Version, Resource: plural.Resource, Subresource: subresource,
	})
	ctx = request.WithUser(ctx, &user.DefaultInfo{Name: "admin", Groups: []string{"system:masters"}})
	return warning.WithWarningRecorder(request.WithNamespace(ctx, metadata.GetNamespace()), recorder)
}
