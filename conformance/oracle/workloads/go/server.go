package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
)

// server is a minimal API server behind a clientset. replay-server.ts does the same; what differs between the two is a mismatch.
type server struct {
	start        time.Time
	gracefulPods bool
	objects      map[string]object // by kind/namespace/name
	version      int
	names        int
	watches      map[string]*io.PipeWriter
	undelivered  []watchEvent
	held         map[string]bool
	failures     []failure
	writes       []write
	// requests that wait for an answer
	pending  []*request
	mutex    sync.Mutex
	arriving []*request
	arrived  chan struct{}
}

type watchEvent struct {
	kind, verb string
	object     object
}

// failure is the answer to the next matching writes.
type failure struct {
	Verb        string          `json:"verb"`
	Kind        string          `json:"kind"`
	Subresource string          `json:"subresource"`
	Name        string          `json:"name"`
	Skip        int             `json:"skip"`
	Times       int             `json:"times"`
	Status      json.RawMessage `json:"status"`
}

type write struct {
	At          int64           `json:"at"`
	Verb        string          `json:"verb"`
	Kind        string          `json:"kind"`
	Subresource string          `json:"subresource,omitempty"`
	Namespace   string          `json:"namespace,omitempty"`
	Name        string          `json:"name,omitempty"`
	Body        json.RawMessage `json:"body,omitempty"`
	Failed      string          `json:"failed,omitempty"`
}

type request struct {
	verb, kind, namespace, name, subresource, contentType, selector string
	// the name or the generateName in the body of a creation, and the node that a daemon Pod selects
	createdName string
	body        []byte
	answer      chan response
}

type response struct {
	code int
	body io.ReadCloser
}

func newServer(start time.Time, gracefulPods bool) *server {
	return &server{start: start, gracefulPods: gracefulPods, objects: map[string]object{}, version: 1, watches: map[string]*io.PipeWriter{},
		held: map[string]bool{}, arrived: make(chan struct{}, 1)}
}

var kindsByResource = func() map[string]schema.GroupVersionKind {
	result := map[string]schema.GroupVersionKind{}
	for gvk := range scheme.Scheme.AllKnownTypes() {
		plural, _ := meta.UnsafeGuessKindToResource(gvk)
		result[plural.Group+"/"+plural.Version+"/"+plural.Resource] = gvk
	}
	return result
}()

// kindGVK has the kinds of the cases, by name.
var kindGVK = func() map[string]schema.GroupVersionKind {
	result := map[string]schema.GroupVersionKind{}
	for _, group := range []string{"", "apps", "batch", "policy", "coordination.k8s.io"} {
		for kind := range scheme.Scheme.KnownTypes(schema.GroupVersion{Group: group, Version: "v1"}) {
			if _, known := result[kind]; !known {
				result[kind] = schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}
			}
		}
	}
	return result
}()

// RoundTrip enqueues a request for the main goroutine, which sees concurrent requests together.
func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	req := &request{contentType: r.Header.Get("Content-Type"), selector: r.URL.Query().Get("labelSelector"), answer: make(chan response, 1)}
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	group, version, rest := "", parts[1], parts[2:]
	if parts[0] == "apis" {
		group, version, rest = parts[1], parts[2], parts[3:]
	}
	if rest[0] == "namespaces" && len(rest) > 2 {
		req.namespace, rest = rest[1], rest[2:]
	}
	req.kind = kindsByResource[group+"/"+version+"/"+rest[0]].Kind
	if len(rest) > 1 {
		req.name = rest[1]
	}
	if len(rest) > 2 {
		req.subresource = rest[2]
	}
	req.verb = map[string]string{"GET": "get", "POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}[r.Method]
	if req.verb == "get" && req.name == "" {
		req.verb = "list"
		if r.URL.Query().Get("watch") != "" {
			req.verb = "watch"
		}
		if r.URL.Query().Get("sendInitialEvents") != "" {
			// Without streaming lists, informers list before they watch.
			return toResponse(r, *s.status(req, 400, "BadRequest", "sendInitialEvents is not supported")), nil
		}
	}
	if r.Body != nil {
		var err error
		if req.body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	if req.verb == "create" {
		var created struct{ Metadata struct{ Name, GenerateName string } }
		must(json.Unmarshal(req.body, &created))
		req.createdName = created.Metadata.Name + created.Metadata.GenerateName
		if req.kind == "Pod" {
			req.createdName += selectedNode(req.body)
		}
	}
	if req.kind == "Event" {
		return toResponse(r, response{201, io.NopCloser(bytes.NewReader(req.body))}), nil
	}
	s.mutex.Lock()
	s.arriving = append(s.arriving, req)
	s.mutex.Unlock()
	select {
	case s.arrived <- struct{}{}:
	default:
	}
	select {
	case given := <-req.answer:
		return toResponse(r, given), nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

func toResponse(r *http.Request, given response) *http.Response {
	return &http.Response{StatusCode: given.code, Body: given.body, Request: r, Header: http.Header{"Content-Type": {"application/json"}}, ProtoMajor: 1, ProtoMinor: 1}
}

// serveUntil answers the requests of a sync that runs when the controller is stopped.
func (s *server) serveUntil(done chan struct{}) {
	for {
		synctest.Wait()
		if s.serveNext() {
			continue
		}
		select {
		case <-done:
			return
		case <-s.arrived:
		}
	}
}

// serveNext answers one request: of those that arrived together the first one by verb, kind and name, and all of their successors before the
// requests that were there earlier.
func (s *server) serveNext() bool {
	s.mutex.Lock()
	arrived := s.arriving
	s.arriving = nil
	s.mutex.Unlock()
	sort.SliceStable(arrived, func(i, j int) bool { return arrived[i].key() < arrived[j].key() })
	s.pending = append(arrived, s.pending...)
	if len(s.pending) == 0 {
		return false
	}
	if os.Getenv("DEBUG") != "" {
		fmt.Fprintln(os.Stderr, time.Since(s.start), s.pending[0].key())
	}
	next := s.pending[0]
	s.pending = s.pending[1:]
	next.answer <- s.serve(next)
	return true
}

func (r *request) key() string {
	return r.verb + " " + kindGVK[r.kind].Group + "/" + r.kind + " " + r.namespace + "/" + r.name + r.createdName
}

func (s *server) serve(r *request) response {
	if r.verb == "watch" {
		reader, writer := io.Pipe()
		s.watches[r.kind] = writer
		return response{200, reader}
	}
	if r.verb == "list" {
		return toJSON(200, s.list(r))
	}
	if r.verb == "get" {
		if found := s.objects[r.objectKey()]; found != nil {
			return toJSON(200, found)
		}
		return s.notFound(r)
	}
	index := len(s.writes)
	s.writes = append(s.writes, s.recorded(r))
	given := s.failure(r)
	if given == nil {
		given = s.write(r)
	}
	if given.code >= 400 {
		text, _ := io.ReadAll(given.body)
		var status struct{ Reason string }
		must(json.Unmarshal(text, &status))
		s.writes[index].Failed = status.Reason
		given.body = io.NopCloser(bytes.NewReader(text))
	}
	return *given
}

func (r *request) objectKey() string { return r.kind + "/" + r.namespace + "/" + r.name }

func (s *server) recorded(r *request) write {
	w := write{At: time.Since(s.start).Milliseconds(), Verb: r.verb, Kind: r.kind, Subresource: r.subresource, Namespace: r.namespace, Name: r.name}
	if r.verb != "patch" {
		var body object
		if len(r.body) > 0 {
			must(json.Unmarshal(r.body, &body))
		}
		delete(body, "kind")
		delete(body, "apiVersion")
		prune(body)
		if m, ok := body["metadata"].(object); ok && r.verb == "create" {
			delete(m, "namespace")
			delete(body, "status")
		}
		if len(body) > 0 {
			bytes, err := json.Marshal(body)
			must(err)
			w.Body = bytes
		}
	} else {
		w.Body = r.body
	}
	return w
}

func (s *server) failure(r *request) *response {
	for i := range s.failures {
		f := &s.failures[i]
		if f.Times > 0 && f.Verb == r.verb && f.Kind == r.kind && f.Subresource == r.subresource && (f.Name == "" || f.Name == r.name) {
			if f.Skip > 0 {
				f.Skip--
				continue
			}
			f.Times--
			var status struct{ Code int }
			must(json.Unmarshal(f.Status, &status))
			return &response{status.Code, io.NopCloser(bytes.NewReader(f.Status))}
		}
	}
	return nil
}

func (s *server) list(r *request) object {
	keys, items := []string{}, []any{}
	for key := range s.objects {
		if strings.HasPrefix(key, r.kind+"/") && (r.namespace == "" || strings.HasPrefix(key, r.kind+"/"+r.namespace+"/")) {
			keys = append(keys, key)
		}
	}
	sort.Strings(keys)
	for _, key := range keys {
		items = append(items, s.objects[key])
	}
	gvk := kindGVK[r.kind]
	if r.selector != "" {
		selector, err := labels.Parse(r.selector)
		must(err)
		items = slices.DeleteFunc(items, func(item any) bool {
			set := labels.Set{}
			all, _ := metadataOf(item.(object))["labels"].(object)
			for name, value := range all {
				set[name] = value.(string)
			}
			return !selector.Matches(set)
		})
	}
	return object{"apiVersion": gvk.GroupVersion().String(), "kind": r.kind + "List", "metadata": object{"resourceVersion": strconv.Itoa(s.version)}, "items": items}
}

func (s *server) write(r *request) *response {
	if r.subresource == "binding" {
		return s.bind(r)
	}
	if r.verb == "create" {
		created := s.normalized(r.kind, r.body)
		m := metadataOf(created)
		if m["name"] == nil {
			s.names++
			m["name"] = fmt.Sprintf("%v%05d", m["generateName"], s.names)
		}
		m["namespace"] = r.namespace
		r.name = m["name"].(string)
		if s.objects[r.objectKey()] != nil {
			return s.status(r, 409, "AlreadyExists", fmt.Sprintf("%s %q already exists", s.resource(r), r.name))
		}
		m["uid"] = fmt.Sprintf("uid-%05d", s.version+1)
		m["creationTimestamp"] = now()
		m["generation"] = float64(1)
		delete(created, "status")
		if status := statusOfNew[r.kind]; status != nil {
			created["status"] = copyOf(status)
		}
		s.store("ADDED", created)
		return ptr(toJSON(201, created))
	}
	current := s.objects[r.objectKey()]
	if current == nil {
		return ptr(s.notFound(r))
	}
	switch r.verb {
	case "update":
		return s.replace(r, current, s.normalized(r.kind, r.body))
	case "patch":
		return s.replace(r, current, s.normalized(r.kind, s.patched(r, current)))
	default:
		return s.delete(r, current)
	}
}

// bind stores the node of a pod.
func (s *server) bind(r *request) *response {
	current := s.objects[r.objectKey()]
	if current == nil {
		return ptr(s.notFound(r))
	}
	var binding struct{ Target struct{ Name string } }
	must(json.Unmarshal(r.body, &binding))
	next := copyOf(current)
	next["spec"].(object)["nodeName"] = binding.Target.Name
	s.store("MODIFIED", next)
	return ptr(toJSON(201, object{"kind": "Status", "apiVersion": "v1", "status": "Success"}))
}

// statusOfNew is the status of new objects by kind: creations do not set it. StatefulSets and ReplicaSets always encode their replicas.
var statusOfNew = map[string]object{
	"Pod":         {"phase": "Pending"},
	"ReplicaSet":  {"replicas": 0},
	"StatefulSet": {"replicas": 0},
}

func (s *server) patched(r *request, current object) []byte {
	old, err := json.Marshal(current)
	must(err)
	if strings.Contains(r.contentType, "strategic") {
		typed, err := scheme.Scheme.New(kindGVK[r.kind])
		must(err)
		result, err := strategicpatch.StrategicMergePatch(old, r.body, typed)
		must(err)
		return result
	}
	if strings.Contains(r.contentType, "json-patch") {
		patch, err := jsonpatch.DecodePatch(r.body)
		must(err)
		result, err := patch.Apply(old)
		must(err)
		return result
	}
	result, err := jsonpatch.MergePatch(old, r.body)
	must(err)
	return result
}

// replace stores the spec and metadata of an object, or its status if that is the subresource.
func (s *server) replace(r *request, current, wanted object) *response {
	old, m := metadataOf(current), metadataOf(wanted)
	if version := m["resourceVersion"]; version != nil && version != old["resourceVersion"] {
		return s.status(r, 409, "Conflict", fmt.Sprintf("Operation cannot be fulfilled on %s %q: the object has been modified; please apply your changes to the latest version and try again", s.resource(r), r.name))
	}
	if uid := m["uid"]; uid != nil && uid != old["uid"] {
		return s.status(r, 409, "Conflict", fmt.Sprintf("Operation cannot be fulfilled on %s %q: Precondition failed: UID in precondition: %v, UID in object meta: %v", s.resource(r), r.name, uid, old["uid"]))
	}
	next := copyOf(wanted)
	if r.subresource == "status" {
		next = copyOf(current)
		next["status"] = wanted["status"]
		if r.kind == "Deployment" {
			metadataOf(next)["annotations"] = m["annotations"]
		}
	} else {
		next["status"] = current["status"]
		n := metadataOf(next)
		for _, name := range []string{"uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "resourceVersion"} {
			n[name] = old[name]
		}
		if !reflect.DeepEqual(next["spec"], current["spec"]) {
			n["generation"] = old["generation"].(float64) + 1
		}
	}
	prune(next)
	if reflect.DeepEqual(next, current) {
		return ptr(toJSON(200, current))
	}
	if s.isGone(next) {
		s.drop(next)
	} else {
		s.store("MODIFIED", next)
	}
	return ptr(toJSON(200, next))
}

func (s *server) delete(r *request, current object) *response {
	var options struct {
		Preconditions      struct{ UID string }
		GracePeriodSeconds *int
	}
	if len(r.body) > 0 {
		must(json.Unmarshal(r.body, &options))
	}
	m := metadataOf(current)
	if uid := options.Preconditions.UID; uid != "" && uid != m["uid"] {
		return s.status(r, 409, "Conflict", fmt.Sprintf("Operation cannot be fulfilled on %s %q: Precondition failed: UID in precondition: %v, UID in object meta: %v", s.resource(r), r.name, uid, m["uid"]))
	}
	immediate := options.GracePeriodSeconds != nil && *options.GracePeriodSeconds == 0
	graceful := r.kind == "Pod" && s.gracefulPods && !immediate
	if !graceful && m["finalizers"] == nil {
		next := copyOf(current)
		s.drop(next)
		return ptr(toJSON(200, next))
	}
	if m["deletionTimestamp"] == nil {
		next := copyOf(current)
		n := metadataOf(next)
		grace := 0
		if graceful {
			grace = 30
		}
		n["deletionTimestamp"] = time.Now().UTC().Add(time.Duration(grace) * time.Second).Format(time.RFC3339)
		n["deletionGracePeriodSeconds"] = float64(grace)
		s.store("MODIFIED", next)
	}
	return ptr(toJSON(200, s.objects[r.objectKey()]))
}

// isGone is true for an object whose last finalizer was removed during its deletion.
func (s *server) isGone(o object) bool {
	m := metadataOf(o)
	graceful := o["kind"] == "Pod" && m["deletionGracePeriodSeconds"] != float64(0)
	return m["deletionTimestamp"] != nil && m["finalizers"] == nil && !graceful
}

// put stores an object of the case as it is, except for its resourceVersion.
func (s *server) put(o object) {
	bytes, err := json.Marshal(o)
	must(err)
	next := s.normalized(o["kind"].(string), bytes)
	verb := "MODIFIED"
	if s.objects[keyOf(next)] == nil {
		verb = "ADDED"
	}
	s.store(verb, next)
}

// apply makes a change of the case.
func (s *server) apply(c change) {
	switch {
	case c.Delete != nil:
		if current := s.find(c.Delete); current != nil {
			s.drop(copyOf(current))
		}
	case c.Settle != nil:
		if current := s.find(&target{Kind: "ReplicaSet", Nth: &c.Settle.Nth}); current != nil {
			s.settle(current, c.Settle)
		}
	case c.Bind != nil:
		if current := s.find(c.Bind); current != nil {
			s.bindDaemonPod(current)
		}
	case c.Merge != nil:
		if current := s.find(c.Merge); current != nil {
			s.merge(current, c.Merge.Patch)
		}
	default:
		s.put(c.Put)
	}
}

func (s *server) find(t *target) object {
	if t.Nth == nil {
		return s.objects[t.Kind+"/"+t.Namespace+"/"+t.Name]
	}
	items := s.list(&request{kind: t.Kind})["items"].([]any)
	if len(items) == 0 {
		return nil
	}
	return items[*t.Nth%len(items)].(object)
}

// settle sets the status of a ReplicaSet as its controller does when all Pods exist.
func (s *server) settle(current object, c *settling) {
	next := copyOf(current)
	replicas := next["spec"].(object)["replicas"].(float64)
	status := object{"replicas": replicas, "fullyLabeledReplicas": replicas, "readyReplicas": max(replicas-c.Unready, 0),
		"availableReplicas": max(replicas-c.Unavailable, 0), "observedGeneration": metadataOf(next)["generation"]}
	for name, value := range status {
		if name != "replicas" && value == float64(0) {
			delete(status, name)
		}
	}
	status["terminatingReplicas"] = c.Terminating
	next["status"] = status
	if !reflect.DeepEqual(next, current) {
		s.store("MODIFIED", next)
	}
}

// bindDaemonPod binds a Pod, unless it is bound, to the node of its affinity.
func (s *server) bindDaemonPod(current object) {
	spec, _ := current["spec"].(object)
	text, err := json.Marshal(current)
	must(err)
	if node := selectedNode(text); node != "" && spec["nodeName"] == nil {
		patch, err := json.Marshal(object{"spec": object{"nodeName": node}})
		must(err)
		s.merge(current, patch)
	}
}

// selectedNode is the node that the affinity of a daemon Pod selects.
func selectedNode(text []byte) string {
	var pod v1.Pod
	if json.Unmarshal(text, &pod) != nil || pod.Spec.Affinity == nil || pod.Spec.Affinity.NodeAffinity == nil {
		return ""
	}
	required := pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if required == nil || len(required.NodeSelectorTerms) == 0 || len(required.NodeSelectorTerms[0].MatchFields) == 0 {
		return ""
	}
	return required.NodeSelectorTerms[0].MatchFields[0].Values[0]
}

func (s *server) merge(current object, patch []byte) {
	old, err := json.Marshal(current)
	must(err)
	text, err := jsonpatch.MergePatch(old, patch)
	must(err)
	next := s.normalized(current["kind"].(string), text)
	if reflect.DeepEqual(next, current) {
		return
	}
	if generation, ok := metadataOf(current)["generation"].(float64); ok && !reflect.DeepEqual(next["spec"], current["spec"]) {
		metadataOf(next)["generation"] = generation + 1
	}
	s.store("MODIFIED", next)
}

func (s *server) store(verb string, o object) {
	s.version++
	metadataOf(o)["resourceVersion"] = strconv.Itoa(s.version)
	s.objects[keyOf(o)] = o
	s.undelivered = append(s.undelivered, watchEvent{o["kind"].(string), verb, o})
}

func (s *server) drop(o object) {
	s.version++
	metadataOf(o)["resourceVersion"] = strconv.Itoa(s.version)
	delete(s.objects, keyOf(o))
	s.undelivered = append(s.undelivered, watchEvent{o["kind"].(string), "DELETED", o})
}

// deliverNext sends the oldest watch event whose kind is not held.
func (s *server) deliverNext() bool {
	for i, event := range s.undelivered {
		if s.held[event.kind] {
			continue
		}
		s.undelivered = append(append([]watchEvent{}, s.undelivered[:i]...), s.undelivered[i+1:]...)
		if stream := s.watches[event.kind]; stream != nil {
			line, err := json.Marshal(object{"type": event.verb, "object": event.object})
			must(err)
			_, err = stream.Write(append(line, '\n'))
			must(err)
		}
		return true
	}
	return false
}

func (s *server) close() {
	for _, stream := range s.watches {
		stream.Close()
	}
}

// normalized is an object as its Go type encodes it, without null and without empty structs.
func (s *server) normalized(kind string, text []byte) object {
	gvk := kindGVK[kind]
	typed, err := scheme.Scheme.New(gvk)
	must(err)
	must(json.Unmarshal(text, typed))
	typed.GetObjectKind().SetGroupVersionKind(gvk)
	encoded, err := json.Marshal(typed)
	must(err)
	var result object
	must(json.Unmarshal(encoded, &result))
	prune(result)
	return result
}

// emptyStructs are fields that Go encodes even if they are empty, and that mean the same if they are absent.
var emptyStructs = map[string]bool{"metadata": true, "spec": true, "status": true, "resources": true, "strategy": true, "updateStrategy": true, "lastState": true, "state": true, "template": true}

func prune(o object) {
	for name, value := range o {
		// The data of a ControllerRevision is compared byte by byte.
		if name == "data" {
			continue
		}
		switch value := value.(type) {
		case nil:
			delete(o, name)
		case object:
			prune(value)
			if len(value) == 0 && emptyStructs[name] {
				delete(o, name)
			}
		case []any:
			for _, item := range value {
				if item, ok := item.(object); ok {
					prune(item)
				}
			}
		}
	}
}

func keyOf(o object) string {
	m := metadataOf(o)
	namespace, _ := m["namespace"].(string)
	return o["kind"].(string) + "/" + namespace + "/" + m["name"].(string)
}

func metadataOf(o object) object { return o["metadata"].(object) }

func now() string { return time.Now().UTC().Format(time.RFC3339) }

func toJSON(code int, value any) response {
	text, err := json.Marshal(value)
	must(err)
	return response{code, io.NopCloser(bytes.NewReader(text))}
}

func (s *server) notFound(r *request) response {
	return *s.status(r, 404, "NotFound", fmt.Sprintf("%s %q not found", s.resource(r), r.name))
}

func (s *server) resource(r *request) string {
	plural, _ := meta.UnsafeGuessKindToResource(kindGVK[r.kind])
	return plural.GroupResource().String()
}

func (s *server) status(r *request, code int, reason, message string) *response {
	return ptr(toJSON(code, object{"kind": "Status", "apiVersion": "v1", "metadata": object{}, "status": "Failure", "code": code, "reason": reason, "message": message}))
}

func ptr[T any](value T) *T { return &value }
