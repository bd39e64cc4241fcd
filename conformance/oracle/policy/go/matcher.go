package main

import (
	"github.com/mattfenwick/cyclonus/pkg/matcher"
	core "k8s.io/api/core/v1"
)

// evaluateMatcher asks the matcher of cyclonus, which knows NetworkPolicies only. Its caller resolves ports: the traffic is allowed if it
// is allowed with one of the names of the port on the target pod.
func evaluateMatcher(w *world, p probe) verdict {
	from, to := w.findPod(p.From), w.findPod(p.To)
	policies := matcher.BuildNetworkPolicies(false, w.NetworkPolicies)
	var result verdict
	for _, name := range namesOfPort(to, p) {
		allowed := policies.IsTrafficAllowed(&matcher.Traffic{
			Source:           w.toPeer(from, p.From.IP),
			Destination:      w.toPeer(to, p.To.IP),
			ResolvedPort:     p.Port,
			ResolvedPortName: name,
			Protocol:         p.Protocol,
		})
		result.Egress = result.Egress || allowed.Egress.IsAllowed()
		result.Ingress = result.Ingress || allowed.Ingress.IsAllowed()
	}
	return result
}

func (w *world) findPod(e end) *core.Pod {
	for _, pod := range w.Pods {
		if e.Pod != "" && pod.Namespace+"/"+pod.Name == e.Pod {
			return pod
		}
	}
	return nil
}

func (w *world) toPeer(pod *core.Pod, ip string) *matcher.TrafficPeer {
	if pod == nil {
		return &matcher.TrafficPeer{IP: ip}
	}
	internal := &matcher.InternalPeer{PodLabels: pod.Labels, Namespace: pod.Namespace}
	for _, namespace := range w.Namespaces {
		if namespace.Name == pod.Namespace {
			internal.NamespaceLabels = namespace.Labels
		}
	}
	return &matcher.TrafficPeer{Internal: internal, IP: ip}
}

// namesOfPort returns the names of a port, or an empty name if it has none.
func namesOfPort(pod *core.Pod, p probe) []string {
	names := []string{""}
	if pod == nil {
		return names
	}
	for _, container := range pod.Spec.Containers {
		for _, port := range container.Ports {
			if port.Name != "" && port.ContainerPort == int32(p.Port) && port.Protocol == p.Protocol {
				names = append(names, port.Name)
			}
		}
	}
	return names
}
