package main

import (
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "sigs.k8s.io/network-policy-api/apis/v1alpha1"
)

type world struct {
	ID                           string                               `json:"id"`
	Namespaces                   []*core.Namespace                    `json:"namespaces"`
	Pods                         []*core.Pod                          `json:"pods"`
	Nodes                        []*core.Node                         `json:"nodes"`
	NetworkPolicies              []*networking.NetworkPolicy          `json:"networkPolicies"`
	AdminNetworkPolicies         []*policy.AdminNetworkPolicy         `json:"adminNetworkPolicies"`
	BaselineAdminNetworkPolicies []*policy.BaselineAdminNetworkPolicy `json:"baselineAdminNetworkPolicies"`
	Probes                       []probe                              `json:"probes"`
}

type probe struct {
	From     end           `json:"from"`
	To       end           `json:"to"`
	Port     int           `json:"port"`
	Protocol core.Protocol `json:"protocol"`
}

// end is an end of a connection: an address, and its pod if any, as "namespace/name".
type end struct {
	Pod string `json:"pod"`
	IP  string `json:"ip"`
}

// verdict has an error instead of the directions if the engine panics.
type verdict struct {
	Egress  bool   `json:"egress"`
	Ingress bool   `json:"ingress"`
	Error   string `json:"error,omitempty"`
}

// setDefaults sets the defaults of an API server: SetDefaults_NetworkPolicy, SetDefaults_NetworkPolicyPort (pkg/apis/networking/v1), the
// protocol of container ports, the defaults of the CustomResourceDefinitions, and the label with the name of a namespace.
func setDefaults(w *world) {
	for _, each := range w.Namespaces {
		if each.Labels == nil {
			each.Labels = map[string]string{}
		}
		each.Labels[core.LabelMetadataName] = each.Name
	}
	for _, each := range w.Pods {
		for i := range each.Spec.Containers {
			setPortDefaults(each.Spec.Containers[i].Ports)
		}
		for i := range each.Spec.InitContainers {
			setPortDefaults(each.Spec.InitContainers[i].Ports)
		}
	}
	for _, each := range w.NetworkPolicies {
		setNetworkPolicyDefaults(&each.Spec)
	}
	for _, each := range w.AdminNetworkPolicies {
		for i := range each.Spec.Ingress {
			setAdminPortDefaults(each.Spec.Ingress[i].Ports)
		}
		for i := range each.Spec.Egress {
			setAdminPortDefaults(each.Spec.Egress[i].Ports)
		}
	}
	for _, each := range w.BaselineAdminNetworkPolicies {
		for i := range each.Spec.Ingress {
			setAdminPortDefaults(each.Spec.Ingress[i].Ports)
		}
		for i := range each.Spec.Egress {
			setAdminPortDefaults(each.Spec.Egress[i].Ports)
		}
	}
}

func setPortDefaults(ports []core.ContainerPort) {
	for i := range ports {
		if ports[i].Protocol == "" {
			ports[i].Protocol = core.ProtocolTCP
		}
	}
}

func setNetworkPolicyDefaults(spec *networking.NetworkPolicySpec) {
	if len(spec.PolicyTypes) == 0 {
		spec.PolicyTypes = []networking.PolicyType{networking.PolicyTypeIngress}
		if len(spec.Egress) != 0 {
			spec.PolicyTypes = append(spec.PolicyTypes, networking.PolicyTypeEgress)
		}
	}
	tcp := core.ProtocolTCP
	setProtocols := func(ports []networking.NetworkPolicyPort) {
		for i := range ports {
			if ports[i].Protocol == nil {
				ports[i].Protocol = &tcp
			}
		}
	}
	for _, rule := range spec.Ingress {
		setProtocols(rule.Ports)
	}
	for _, rule := range spec.Egress {
		setProtocols(rule.Ports)
	}
}

func setAdminPortDefaults(ports *[]policy.AdminNetworkPolicyPort) {
	if ports == nil {
		return
	}
	for _, port := range *ports {
		if port.PortNumber != nil && port.PortNumber.Protocol == "" {
			port.PortNumber.Protocol = core.ProtocolTCP
		}
		if port.PortRange != nil && port.PortRange.Protocol == "" {
			port.PortRange.Protocol = core.ProtocolTCP
		}
	}
}
