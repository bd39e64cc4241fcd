package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	v1 "k8s.io/api/core/v1"
	ipsettesting "k8s.io/kubernetes/pkg/proxy/ipvs/ipset/testing"
	ipvstesting "k8s.io/kubernetes/pkg/proxy/ipvs/util/testing"
	utiliptables "k8s.io/kubernetes/pkg/util/iptables"
)

// ipvsRules lists everything that the mode ipvs writes, sorted, except the rules of a chain, which have numbers.
func (n *node) ipvsRules(of v1.IPFamily) []string {
	kernel, servers, sets := fakeIptables(of), ipvstesting.NewFake(), ipsettesting.NewFake("7.0")
	links := newLinks(of)
	must(links.SetLocalAddresses("lo", "127.0.0.1", "::1"))
	must(links.SetLocalAddresses("eth0", n.NodeIPs...))
	proxier := n.ipvsProxier(of, kernel, servers, sets)
	fieldOf(proxier, "netlinkHandle").Set(reflect.ValueOf(links))
	setLinks(proxier, links)
	n.feed(proxier)

	lines := []string{}
	add := func(format string, args ...interface{}) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for key, server := range servers.Services {
		add("server %s %s flags %d timeout %d", server, server.Scheduler, server.Flags, server.Timeout)
		for _, real := range servers.Destinations[key] {
			add("server %s real %s weight %d", server, real, real.Weight)
		}
	}
	bound, err := links.ListBindAddress("kube-ipvs0")
	must(err)
	for _, address := range bound {
		add("address %s", address)
	}
	for name, set := range sets.Sets {
		add("set %s %s %s", name, set.SetType, set.HashFamily)
		for entry := range sets.Entries[name] {
			add("set %s entry %s", name, entry)
		}
	}
	for table, chains := range rulesOf(kernel, map[utiliptables.Chain]bool{"KUBE-IPVS-OUT-FILTER": true}) {
		for chain, rules := range chains {
			for i, rule := range rules {
				add("%s %s %02d %s", table, chain, i, strings.TrimSpace(rule))
			}
		}
	}
	sort.Strings(lines)
	return lines
}
