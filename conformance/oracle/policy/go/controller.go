package main

import (
	"context"
	"fmt"
	"net"
	_ "unsafe" // for go:linkname

	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/kube-network-policies/pkg/networkpolicy"
	policy "sigs.k8s.io/network-policy-api/apis/v1alpha1"
	policyinformers "sigs.k8s.io/network-policy-api/pkg/client/informers/externalversions"
)

// controller is the controller of kube-network-policies, which decides about packets by their addresses. Its stores are filled directly.
type controller struct {
	*networkpolicy.Controller
	pods, namespaces, nodes, networkPolicies, admin, baseline cache.Store
	podsByKey                                                  map[string]*core.Pod
	podsByIP                                                   map[string]*core.Pod
}

func newController() *controller {
	client, err := kubernetes.NewForConfig(&rest.Config{Host: "http://127.0.0.1:1"})
	if err != nil {
		panic(err)
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	policies := policyinformers.NewSharedInformerFactory(nil, 0).Policy().V1alpha1()
	netpols := factory.Networking().V1().NetworkPolicies()
	namespaces, pods, nodes := factory.Core().V1().Namespaces(), factory.Core().V1().Pods(), factory.Core().V1().Nodes()
	admin, baseline := policies.AdminNetworkPolicies(), policies.BaselineAdminNetworkPolicies()
	c, err := networkpolicy.NewController(client, netpols, namespaces, pods, nodes, nil, admin, baseline, networkpolicy.Config{
		AdminNetworkPolicy:         true,
		BaselineAdminNetworkPolicy: true,
		NodeName:                   "node",
	})
	if err != nil {
		panic(err)
	}
	return &controller{
		Controller:      c,
		pods:            pods.Informer().GetStore(),
		namespaces:      namespaces.Informer().GetStore(),
		nodes:           nodes.Informer().GetStore(),
		networkPolicies: netpols.Informer().GetStore(),
		admin:           admin.Informer().GetStore(),
		baseline:        baseline.Informer().GetStore(),
	}
}

func (c *controller) load(w *world) {
	replace(c.pods, w.Pods)
	replace(c.namespaces, w.Namespaces)
	replace(c.nodes, w.Nodes)
	replace(c.networkPolicies, w.NetworkPolicies)
	replace(c.admin, w.AdminNetworkPolicies)
	replace(c.baseline, w.BaselineAdminNetworkPolicies)
	c.podsByIP = map[string]*core.Pod{}
	for _, pod := range w.Pods {
		if pod.Spec.HostNetwork {
			continue
		}
		for _, ip := range pod.Status.PodIPs {
			if other := c.podsByIP[ip.IP]; other == nil || pod.Status.Phase == core.PodRunning {
				c.podsByIP[ip.IP] = pod
			}
		}
	}
}

func replace[T any](store cache.Store, objects []T) {
	list := make([]interface{}, len(objects))
	for i, object := range objects {
		list[i] = object
	}
	if err := store.Replace(list, ""); err != nil {
		panic(err)
	}
}

// evaluate calls the functions that evaluatePacket calls, one direction at a time, and checks that evaluatePacket agrees.
func (c *controller) evaluate(p probe) verdict {
	srcIP, dstIP := net.ParseIP(p.From.IP), net.ParseIP(p.To.IP)
	if srcIP == nil || dstIP == nil {
		return verdict{Error: "an end has no address"}
	}
	src, dst := c.podsByIP[srcIP.String()], c.podsByIP[dstIP.String()]
	result := verdict{Egress: c.evaluateEgress(src, dst, dstIP, p), Ingress: c.evaluateIngress(src, dst, srcIP, p)}
	whole := evaluatePacket(c.Controller, context.Background(), packet{srcIP: srcIP, dstIP: dstIP, proto: p.Protocol, srcPort: 40000, dstPort: p.Port})
	if whole != (result.Egress && result.Ingress) {
		panic(fmt.Sprintf("evaluatePacket returns %v, its parts %v", whole, result))
	}
	return result
}

func (c *controller) evaluateEgress(src, dst *core.Pod, dstIP net.IP, p probe) bool {
	ctx := context.Background()
	switch evaluateAdminEgress(c.Controller, adminPoliciesForPod(c.Controller, ctx, src), dst, dstIP, p.Port, p.Protocol) {
	case policy.AdminNetworkPolicyRuleActionDeny:
		return false
	case policy.AdminNetworkPolicyRuleActionAllow:
		return true
	}
	policies := policiesForPod(c.Controller, src)
	if !evaluator(c.Controller, ctx, policies, networking.PolicyTypeEgress, src, 40000, dst, dstIP, p.Port, p.Protocol) {
		return false
	}
	if len(policies) > 0 {
		return true
	}
	baseline := baselinePoliciesForPod(c.Controller, ctx, src)
	return evaluateBaselineEgress(c.Controller, baseline, dst, dstIP, p.Port, p.Protocol) != policy.BaselineAdminNetworkPolicyRuleActionDeny
}

func (c *controller) evaluateIngress(src, dst *core.Pod, srcIP net.IP, p probe) bool {
	ctx := context.Background()
	switch evaluateAdminIngress(c.Controller, adminPoliciesForPod(c.Controller, ctx, dst), src, p.Port, p.Protocol) {
	case policy.AdminNetworkPolicyRuleActionDeny:
		return false
	case policy.AdminNetworkPolicyRuleActionAllow:
		return true
	}
	if policies := policiesForPod(c.Controller, dst); len(policies) > 0 {
		return evaluator(c.Controller, ctx, policies, networking.PolicyTypeIngress, dst, p.Port, src, srcIP, 40000, p.Protocol)
	}
	baseline := baselinePoliciesForPod(c.Controller, ctx, dst)
	return evaluateBaselineIngress(c.Controller, baseline, src, p.Port, p.Protocol) != policy.BaselineAdminNetworkPolicyRuleActionDeny
}

// packet has the layout of the engine's type of that name.
type packet struct {
	id      uint32
	family  core.IPFamily
	srcIP   net.IP
	dstIP   net.IP
	proto   core.Protocol
	srcPort int
	dstPort int
	payload []byte
}

//go:linkname evaluatePacket sigs.k8s.io/kube-network-policies/pkg/networkpolicy.(*Controller).evaluatePacket
func evaluatePacket(c *networkpolicy.Controller, ctx context.Context, p packet) bool

//go:linkname policiesForPod sigs.k8s.io/kube-network-policies/pkg/networkpolicy.(*Controller).getNetworkPoliciesForPod
func policiesForPod(c *networkpolicy.Controller, pod *core.Pod) []*networking.NetworkPolicy

//go:linkname evaluator sigs.k8s.io/kube-network-policies/pkg/networkpolicy.(*Controller).evaluator
func evaluator(c *networkpolicy.Controller, ctx context.Context, policies []*networking.NetworkPolicy, direction networking.PolicyType,
	srcPod *core.Pod, srcPort int, dstPod *core.Pod, dstIP net.IP, dstPort int, proto core.Protocol) bool

//go:linkname adminPoliciesForPod sigs.k8s.io/kube-network-policies/pkg/networkpolicy.(*Controller).getAdminNetworkPoliciesForPod
func adminPoliciesForPod(c *networkpolicy.Controller, ctx context.Context, pod *core.Pod) []*policy.AdminNetworkPolicy

//go:linkname evaluateAdminEgress sigs.k8s.io/kube-network-policies/pkg/networkpolicy.(*Controller).evaluateAdminEgress
func evaluateAdminEgress(c *networkpolicy.Controller, policies []*policy.AdminNetworkPolicy, pod *core.Pod, ip net.IP, port int,
	proto core.Protocol) policy.AdminNetworkPolicyRuleAction

//go:linkname evaluateAdminIngress sigs.k8s.io/kube-network-policies/pkg/networkpolicy.(*Controller).evaluateAdminIngress
func evaluateAdminIngress(c *networkpolicy.Controller, policies []*policy.AdminNetworkPolicy, pod *core.Pod, port int,
	proto core.Protocol) policy.AdminNetworkPolicyRuleAction

//go:linkname baselinePoliciesForPod sigs.k8s.io/kube-network-policies/pkg/networkpolicy.(*Controller).getBaselineAdminNetworkPoliciesForPod
func baselinePoliciesForPod(c *networkpolicy.Controller, ctx context.Context, pod *core.Pod) []*policy.BaselineAdminNetworkPolicy

//go:linkname evaluateBaselineEgress sigs.k8s.io/kube-network-policies/pkg/networkpolicy.(*Controller).evaluateBaselineAdminEgress
func evaluateBaselineEgress(c *networkpolicy.Controller, policies []*policy.BaselineAdminNetworkPolicy, pod *core.Pod, ip net.IP, port int,
	proto core.Protocol) policy.BaselineAdminNetworkPolicyRuleAction

//go:linkname evaluateBaselineIngress sigs.k8s.io/kube-network-policies/pkg/networkpolicy.(*Controller).evaluateBaselineAdminIngress
func evaluateBaselineIngress(c *networkpolicy.Controller, policies []*policy.BaselineAdminNetworkPolicy, pod *core.Pod, port int,
	proto core.Protocol) policy.BaselineAdminNetworkPolicyRuleAction
