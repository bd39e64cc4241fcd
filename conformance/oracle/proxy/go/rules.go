package main

import (
	"net"
	"reflect"
	"sort"
	"strings"
	"time"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/kubernetes/pkg/proxy/healthcheck"
	proxyutiltesting "k8s.io/kubernetes/pkg/proxy/util/testing"
	utiliptables "k8s.io/kubernetes/pkg/util/iptables"
	iptablestesting "k8s.io/kubernetes/pkg/util/iptables/testing"
)

// proxier is the informer interface of both modes.
type proxier interface {
	OnServiceAdd(*v1.Service)
	OnServiceSynced()
	OnEndpointSliceAdd(*discovery.EndpointSlice)
	OnEndpointSliceUpdate(before, now *discovery.EndpointSlice)
	OnEndpointSlicesSynced()
	wiredProxier
}

// feed delivers all objects to a proxier, which syncs once at the end.
func (n *node) feed(p proxier) {
	for _, service := range n.Services {
		p.OnServiceAdd(service)
	}
	for _, slice := range n.EndpointSlices {
		p.OnEndpointSliceAdd(slice)
	}
	n.feedNode(p)
	p.OnServiceSynced()
	p.OnEndpointSlicesSynced()
}

// isolate prevents a proxier from changing the machine that it runs on.
func (n *node) isolate(p proxier) {
	loopback := []net.Addr{
		&net.IPNet{IP: net.IPv4(127, 0, 0, 1).To4(), Mask: net.CIDRMask(8, 32)},
		&net.IPNet{IP: net.IPv6loopback, Mask: net.CIDRMask(128, 128)},
	}
	own := []net.Addr{}
	for _, text := range n.NodeIPs {
		own = append(own, &net.IPNet{IP: net.ParseIP(text), Mask: net.CIDRMask(24, 128)})
	}
	network := proxyutiltesting.NewFakeNetwork()
	network.AddInterfaceAddr(&net.Interface{Index: 0, Name: "lo"}, loopback)
	network.AddInterfaceAddr(&net.Interface{Index: 1, Name: "eth0"}, own)
	fieldOf(p, "networkInterfacer").Set(reflect.ValueOf(network))
	isolateConntrack(p)
	fieldOf(p, "serviceHealthServer").Set(reflect.ValueOf(healthcheck.NewFakeServiceHealthServer()))
}

// fieldOf gives access to an unexported field.
func fieldOf(of interface{}, name string) reflect.Value {
	field := reflect.ValueOf(of).Elem().FieldByName(name)
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

// ip is a loopback address if the node has none, like detectNodeIPs of cmd/kube-proxy.
func (n *node) ip(of v1.IPFamily) net.IP {
	for _, text := range n.NodeIPs {
		if strings.Contains(text, ":") == (of == v1.IPv6Protocol) {
			return net.ParseIP(text)
		}
	}
	if of == v1.IPv6Protocol {
		return net.IPv6loopback
	}
	return net.IPv4(127, 0, 0, 1)
}

// portAddresses replaces "primary" by addresses, like newProxyServer of cmd/kube-proxy.
func (n *node) portAddresses() []string {
	if len(n.NodePortAddresses) != 1 || n.NodePortAddresses[0] != "primary" {
		return n.NodePortAddresses
	}
	addresses := []string{}
	for _, of := range []v1.IPFamily{v1.IPv4Protocol, v1.IPv6Protocol} {
		if ip := n.ip(of); !ip.IsLoopback() {
			addresses = append(addresses, ip.String()+map[v1.IPFamily]string{v1.IPv4Protocol: "/32", v1.IPv6Protocol: "/128"}[of])
		}
	}
	return addresses
}

func (n *node) bit() int {
	if n.MasqueradeBit == nil {
		return 14
	}
	return *n.MasqueradeBit
}

func (n *node) localDetector(of v1.IPFamily) detector {
	for _, cidr := range n.PodCIDRs {
		if strings.Contains(cidr, ":") == (of == v1.IPv6Protocol) {
			return newDetector(cidr)
		}
	}
	return noDetector()
}

const never = time.Hour

func fakeIptables(of v1.IPFamily) *iptablestesting.FakeIPTables {
	if of == v1.IPv6Protocol {
		return iptablestesting.NewIPv6Fake()
	}
	return iptablestesting.NewFake()
}

// unordered are the chains that the mode iptables fills in map order; the jump to the node ports is always last.
var unordered = map[utiliptables.Chain]bool{
	"KUBE-SERVICES": true, "KUBE-NODEPORTS": true, "KUBE-EXTERNAL-SERVICES": true, "KUBE-PROXY-FIREWALL": true,
}

type rulesByTable map[string]map[string][]string

func (n *node) iptablesRules(of v1.IPFamily) rulesByTable {
	kernel := fakeIptables(of)
	n.feed(n.iptablesProxier(of, kernel))
	return rulesOf(kernel, unordered)
}

func rulesOf(kernel *iptablestesting.FakeIPTables, unordered map[utiliptables.Chain]bool) rulesByTable {
	tables := rulesByTable{}
	for _, table := range kernel.Dump.Tables {
		chains := map[string][]string{}
		for _, chain := range table.Chains {
			rules := []string{}
			for _, rule := range chain.Rules {
				rules = append(rules, strings.TrimPrefix(rule.Raw, "-A "+string(chain.Name)+" "))
			}
			if unordered[chain.Name] {
				sort.Slice(rules, func(i, j int) bool {
					a, b := strings.HasSuffix(rules[i], "-j KUBE-NODEPORTS"), strings.HasSuffix(rules[j], "-j KUBE-NODEPORTS")
					return a != b && b || a == b && rules[i] < rules[j]
				})
			}
			chains[string(chain.Name)] = rules
		}
		tables[string(table.Name)] = chains
	}
	return tables
}
