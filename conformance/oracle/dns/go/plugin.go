package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/coredns/caddy"
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/plugin"
	"github.com/coredns/coredns/plugin/kubernetes"
	"github.com/miekg/dns"
	api "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// serial is the serial of every SOA, instead of the time of the last change.
const serial = 1767225600

// site is the plugin with a world in its stores. Its server is never started; the plugin looks up targets through it.
type site struct {
	plugin *kubernetes.Kubernetes
	server *dnsserver.Server
}

// newSite returns a panic as an error: old releases do not accept every object.
func newSite(w *world) (s *site, err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = fmt.Errorf("panic: %v", thrown)
		}
	}()
	reader := caddy.NewTestController("dns", stanza(w))
	reader.Next()
	k, err := kubernetes.ParseStanza(reader)
	if err != nil {
		return nil, err
	}
	if err := connect(k, w); err != nil {
		return nil, err
	}
	fieldOf(k, "localIPs").Set(reflect.ValueOf(w.LocalIPs))
	k.Next = outsideOf(w)
	config := &dnsserver.Config{Zone: ".", ListenHosts: []string{""}, Port: "53"}
	config.AddPlugin(func(plugin.Handler) plugin.Handler { return k })
	server, err := dnsserver.NewServer("dns://:53", []*dnsserver.Config{config})
	return &site{plugin: k, server: server}, err
}

// stanza formats the options as a Corefile. The API server is never called.
func stanza(w *world) string {
	zones := w.Zones
	if len(zones) == 0 {
		zones = []string{w.Zone, "in-addr.arpa", "ip6.arpa"}
	}
	lines := []string{"kubernetes " + strings.Join(zones, " ") + " {", "endpoint http://127.0.0.1:1"}
	add := func(wanted bool, words ...string) {
		if wanted {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	add(w.PodMode != "", "pods", w.PodMode)
	add(w.EndpointNameMode, "endpoint_pod_names")
	if w.TTL != nil {
		add(true, "ttl", fmt.Sprint(*w.TTL))
	}
	add(len(w.Namespaces) > 0, append([]string{"namespaces"}, w.Namespaces...)...)
	add(w.IgnoreEmptyService, "ignore", "empty_service")
	var some []string
	all := string(w.Fallthrough) == "true"
	if strings.HasPrefix(string(w.Fallthrough), "[") {
		must(json.Unmarshal(w.Fallthrough, &some))
	}
	add(all || len(some) > 0, append([]string{"fallthrough"}, some...)...)
	return strings.Join(append(lines, "}\n"), "\n")
}

// connections are cached, one per mode of pods, because the plugin takes long to create one.
var connections = map[string]*kubernetes.Kubernetes{}

// connect fills the stores of the plugin's connection with the world and marks it as synced.
func connect(k *kubernetes.Kubernetes, w *world) error {
	known := connections[w.PodMode]
	if known == nil {
		if err := createCaches(k); err != nil {
			return err
		}
		known = k
		connections[w.PodMode] = known
	}
	k.APIConn = known.APIConn
	c := &connection{of: k.APIConn}
	fill(c, "ns", w.Objects.Namespaces, convertNamespace)
	fill(c, "svc", w.Objects.Services, convertService)
	fillEndpoints(c, w)
	if w.PodMode == "verified" {
		fill(c, "pod", watched(w.Objects.Pods), convertPod)
	}
	modified := fieldOf(c.of, "modified")
	atomic.StoreInt64((*int64)(unsafe.Pointer(modified.UnsafeAddr())), serial)
	return nil
}

// watched returns the pods that the plugin's watch selects.
func watched(pods []*api.Pod) (some []*api.Pod) {
	for _, pod := range pods {
		switch pod.Status.Phase {
		case api.PodSucceeded, api.PodFailed, api.PodUnknown:
		default:
			some = append(some, pod)
		}
	}
	return some
}

type connection struct{ of interface{} }

// synced is an informer that never runs.
type synced struct{ cache.Controller }

func (synced) HasSynced() bool { return true }

// fill leaves out objects that the plugin rejects: for a terminating pod, convert returns an error or nil.
func fill[T any](c *connection, kind string, objects []T, convert func(T) (interface{}, error)) {
	store := fieldOf(c.of, kind+"Lister").Interface().(cache.Store)
	must(store.Replace(nil, ""))
	for _, each := range objects {
		if converted, err := convert(each); err == nil && converted != nil {
			must(store.Add(converted))
		}
	}
	fieldOf(c.of, kind+"Controller").Set(reflect.ValueOf(synced{}))
}

// fieldOf gives access to an unexported field.
func fieldOf(of interface{}, name string) reflect.Value {
	field := reflect.ValueOf(of).Elem().FieldByName(name)
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

// outside answers for all names outside of the plugin's zones.
type outside map[string][]dns.RR

func outsideOf(w *world) outside {
	records := outside{}
	for _, text := range w.Upstream {
		record, err := dns.NewRR(text)
		must(err)
		name := strings.ToLower(record.Header().Name)
		records[name] = append(records[name], record)
	}
	return records
}

func (outside) Name() string { return "outside" }

// ServeDNS follows aliases; a name without records does not exist.
func (o outside) ServeDNS(_ context.Context, w dns.ResponseWriter, asked *dns.Msg) (int, error) {
	reply := new(dns.Msg).SetRcode(asked, dns.RcodeNameError)
	name, wanted := strings.ToLower(asked.Question[0].Name), asked.Question[0].Qtype
	for hops := 0; hops < 8; hops++ {
		alias := ""
		for _, record := range o[name] {
			reply.Rcode = dns.RcodeSuccess
			if record.Header().Rrtype == wanted {
				reply.Answer = append(reply.Answer, record)
			} else if cname, ok := record.(*dns.CNAME); ok {
				reply.Answer = append(reply.Answer, record)
				alias = strings.ToLower(cname.Target)
			}
		}
		if alias == "" {
			break
		}
		name = alias
	}
	return reply.Rcode, w.WriteMsg(reply)
}
