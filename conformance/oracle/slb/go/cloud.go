package main

import (
	"encoding/json"
	"errors"
	"sort"

	v1 "k8s.io/api/core/v1"
)

// cloud has at most one load balancer, responds as the step requests, and records its calls. The generated methods call those below.
type cloud struct {
	provider
	outcomes map[string]string
	there    bool
	ingress  []v1.LoadBalancerIngress
	asked    []call
}

func (c *cloud) HasClusterID() bool   { return true }
func (c *cloud) ProviderName() string { return "kube-endpoints-oracle" }

func (c *cloud) get() (*v1.LoadBalancerStatus, bool, error) {
	err := c.ask("get", nil)
	return c.status(), c.there, err
}

func (c *cloud) ensure(nodes []*v1.Node) (*v1.LoadBalancerStatus, error) {
	if err := c.ask("ensure", nodes); err != nil {
		return nil, err
	}
	c.there = true
	return c.status(), nil
}

func (c *cloud) update(nodes []*v1.Node) error { return c.ask("update", nodes) }

func (c *cloud) remove() error {
	if err := c.ask("delete", nil); err != nil {
		return err
	}
	c.there = false
	return nil
}

func (c *cloud) status() *v1.LoadBalancerStatus { return &v1.LoadBalancerStatus{Ingress: c.ingress} }

func (c *cloud) ask(op string, nodes []*v1.Node) error {
	hosts := make([]string, 0, len(nodes))
	for _, node := range nodes {
		hosts = append(hosts, node.Name)
	}
	sort.Strings(hosts)
	c.asked = append(c.asked, call{Op: op, Hosts: hosts})
	how, told := c.outcomes[op]
	if !told {
		how = c.outcomes[""]
	}
	switch how {
	case "error":
		return errors.New("cloud is down")
	case "elsewhere":
		return implementedElsewhere
	case "retry":
		return laterError("slow down")
	}
	return nil
}

// prepare sets the cloud's behavior in a step.
func (c *cloud) prepare(s *step) {
	c.outcomes = map[string]string{}
	var one string
	if json.Unmarshal(s.CloudError, &one) == nil {
		c.outcomes[""] = one
	} else if len(s.CloudError) > 0 {
		must(json.Unmarshal(s.CloudError, &c.outcomes))
	}
	if s.Exists != nil {
		c.there = *s.Exists
	}
	c.ingress = s.Ingress
	if c.ingress == nil {
		c.ingress = []v1.LoadBalancerIngress{{IP: "203.0.113.1"}}
	}
}
