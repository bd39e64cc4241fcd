package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"sort"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/proxy"
)

// port is a Service's port as in the trackers, with the categories of its endpoints; null is Go's nil.
type port struct {
	Name                     string   `json:"name"`
	Protocol                 string   `json:"protocol"`
	ClusterIP                string   `json:"clusterIP"`
	Port                     int      `json:"port"`
	NodePort                 int      `json:"nodePort"`
	ExternalIPs              []string `json:"externalIPs"`
	LoadBalancerVIPs         []string `json:"loadBalancerVIPs"`
	LoadBalancerSourceRanges []string `json:"loadBalancerSourceRanges"`
	SessionAffinity          string   `json:"sessionAffinity"`
	StickyMaxAgeSeconds      int      `json:"stickyMaxAgeSeconds"`
	HealthCheckNodePort      int      `json:"healthCheckNodePort"`
	ExternalPolicyLocal      bool     `json:"externalPolicyLocal"`
	InternalPolicyLocal      bool     `json:"internalPolicyLocal"`
	ExternallyAccessible     bool     `json:"externallyAccessible"`
	UsesClusterEndpoints     bool     `json:"usesClusterEndpoints"`
	UsesLocalEndpoints       bool     `json:"usesLocalEndpoints"`
	// "10.0.0.1:8080 local ready serving terminating"; each word only if it applies
	Endpoints []string `json:"endpoints"`
	Cluster   []string `json:"cluster"`
	Local     []string `json:"local"`
	Reachable []string `json:"reachable"`
	HasAny    bool     `json:"hasAny"`
}

type family struct {
	Ports                []port                         `json:"ports"`
	HealthCheckNodePorts map[string]uint16              `json:"healthCheckNodePorts"`
	LocalReady           map[string]int                 `json:"localReady"`
	Iptables             rulesByTable      `json:"iptables,omitempty"`
	Ipvs                 []string          `json:"ipvs,omitempty"`
	Nftables             []string                       `json:"nftables,omitempty"`
	IptablesText         string                         `json:"iptablesText,omitempty"`
	Error                string                         `json:"error,omitempty"`
	// other answers, if it was repeated
	Others []family `json:"others,omitempty"`
}

type answer struct {
	ID       string            `json:"id"`
	Families map[string]family `json:"families"`
}

func run(n *node) interface{} {
	families := map[string]family{}
	for _, each := range []v1.IPFamily{v1.IPv4Protocol, v1.IPv6Protocol} {
		families[string(each)] = n.outcomes(each)
	}
	return answer{ID: n.ID, Families: families}
}

// outcomes repeats the case as often as the node requests, and returns each distinct answer once.
func (n *node) outcomes(of v1.IPFamily) family {
	first := n.familyOf(of)
	known := map[string]bool{textOf(first): true}
	for try := 1; try < n.Tries; try++ {
		n.shuffle()
		other := n.familyOf(of)
		if text := textOf(other); !known[text] {
			known[text] = true
			first.Others = append(first.Others, other)
		}
	}
	return first
}

// shuffle changes the order of objects: iteration over a small map starts anywhere, but continues in insertion order.
func (n *node) shuffle() {
	rand.Shuffle(len(n.EndpointSlices), func(i, j int) {
		n.EndpointSlices[i], n.EndpointSlices[j] = n.EndpointSlices[j], n.EndpointSlices[i]
	})
	rand.Shuffle(len(n.Services), func(i, j int) { n.Services[i], n.Services[j] = n.Services[j], n.Services[i] })
}

func textOf(f family) string {
	text, err := json.Marshal(f)
	must(err)
	return string(text)
}

func (n *node) familyOf(of v1.IPFamily) (f family) {
	defer func() {
		if thrown := recover(); thrown != nil {
			f.Error = fmt.Sprintf("panic: %v", thrown)
		}
	}()
	f = n.view(of)
	for _, kind := range n.Rules {
		switch kind {
		case "iptables":
			f.Iptables = n.iptablesRules(of)
		case "nftables":
			f.Nftables = n.nftablesRules(of)
		case "ipvs":
			f.Ipvs = n.ipvsRules(of)
		case "iptables-text":
			f.IptablesText = n.iptablesText(of)
		}
	}
	return f
}

func (n *node) view(of v1.IPFamily) family {
	serviceChanges := serviceTracker(of)
	for _, service := range n.Services {
		serviceChanges.Update(nil, service)
	}
	endpointChanges := n.endpointsTracker(of)
	for _, slice := range n.EndpointSlices {
		endpointChanges.EndpointSliceUpdate(slice, false)
	}
	services, endpoints := proxy.ServicePortMap{}, proxy.EndpointsMap{}
	services.Update(serviceChanges)
	endpoints.Update(endpointChanges)

	f := family{Ports: []port{}, HealthCheckNodePorts: map[string]uint16{}, LocalReady: map[string]int{}}
	for name, service := range services {
		f.Ports = append(f.Ports, n.portOf(name, service, endpoints[name]))
	}
	sort.Slice(f.Ports, func(i, j int) bool {
		a, b := &f.Ports[i], &f.Ports[j]
		return a.Name+" "+a.Protocol < b.Name+" "+b.Protocol
	})
	for name, number := range services.HealthCheckNodePorts() {
		f.HealthCheckNodePorts[name.String()] = number
	}
	for name, count := range endpoints.LocalReadyEndpoints() {
		f.LocalReady[name.String()] = count
	}
	return f
}

func (n *node) portOf(name proxy.ServicePortName, s proxy.ServicePort, endpoints []proxy.Endpoint) port {
	cluster, local, reachable, hasAny := n.categorize(endpoints, s)
	p := port{
		Name:                     name.String(),
		Protocol:                 string(s.Protocol()),
		ClusterIP:                s.ClusterIP().String(),
		Port:                     s.Port(),
		NodePort:                 s.NodePort(),
		ExternalIPs:              externalIPs(s),
		LoadBalancerVIPs:         loadBalancerVIPs(s),
		LoadBalancerSourceRanges: sourceRanges(s),
		SessionAffinity:          string(s.SessionAffinityType()),
		StickyMaxAgeSeconds:      s.StickyMaxAgeSeconds(),
		HealthCheckNodePort:      s.HealthCheckNodePort(),
		ExternalPolicyLocal:      s.ExternalPolicyLocal(),
		InternalPolicyLocal:      s.InternalPolicyLocal(),
		ExternallyAccessible:     s.ExternallyAccessible(),
		UsesClusterEndpoints:     s.UsesClusterEndpoints(),
		UsesLocalEndpoints:       s.UsesLocalEndpoints(),
		Endpoints:                []string{},
		Cluster:                  names(cluster),
		Local:                    names(local),
		Reachable:                names(reachable),
		HasAny:                   hasAny,
	}
	sort.Strings(p.Reachable)
	for _, endpoint := range endpoints {
		p.Endpoints = append(p.Endpoints, stateOf(endpoint))
	}
	return p
}

func stateOf(endpoint proxy.Endpoint) string {
	text := endpoint.String()
	add := func(is bool, word string) {
		if is {
			text += " " + word
		}
	}
	add(endpoint.IsLocal(), "local")
	add(endpoint.IsReady(), "ready")
	add(endpoint.IsServing(), "serving")
	add(endpoint.IsTerminating(), "terminating")
	return text
}

func names(endpoints []proxy.Endpoint) []string {
	if endpoints == nil {
		return nil
	}
	return texts(endpoints)
}

func texts[T fmt.Stringer](all []T) []string {
	out := []string{}
	for _, each := range all {
		out = append(out, each.String())
	}
	return out
}
