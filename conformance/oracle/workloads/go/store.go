package main

import (
	"reflect"
	"sort"
	"unsafe"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// orderStores makes the informers list objects in the order of their keys: one of the orders in which Go may iterate over their maps.
func orderStores(factory informers.SharedInformerFactory) {
	for _, informer := range field[map[reflect.Type]cache.SharedIndexInformer](factory, "informers") {
		storage := reflect.ValueOf(informer.GetIndexer()).Elem().FieldByName("cacheStorage")
		slot := (*cache.ThreadSafeStore)(unsafe.Pointer(storage.UnsafeAddr()))
		*slot = orderedStore{(*slot).(cache.ThreadSafeStoreWithTransaction)}
	}
}

type orderedStore struct {
	cache.ThreadSafeStoreWithTransaction
}

func (s orderedStore) List() []any { return inOrder(s.ThreadSafeStoreWithTransaction.List()) }

func (s orderedStore) Index(name string, object any) ([]any, error) {
	list, err := s.ThreadSafeStoreWithTransaction.Index(name, object)
	return inOrder(list), err
}

func (s orderedStore) ByIndex(name, value string) ([]any, error) {
	list, err := s.ThreadSafeStoreWithTransaction.ByIndex(name, value)
	return inOrder(list), err
}

func inOrder(list []any) []any {
	sort.Slice(list, func(i, j int) bool { return storeKey(list[i]) < storeKey(list[j]) })
	return list
}

func storeKey(o any) string {
	key, err := cache.MetaNamespaceKeyFunc(o)
	must(err)
	return key
}
