package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/util/iptables"
)

// recordingIptables is a fake that stores the input for iptables-restore.
type recordingIptables struct {
	iptables.Interface
	text string
}

func (r *recordingIptables) RestoreAll(data []byte, flush iptables.FlushFlag, counters iptables.RestoreCountersFlag) error {
	r.text += string(data)
	return r.Interface.RestoreAll(data, flush, counters)
}

// iptablesText is the unsorted input of iptables-restore at a proxier's first sync.
func (n *node) iptablesText(of v1.IPFamily) string {
	kernel := &recordingIptables{Interface: fakeIptables(of)}
	n.feed(n.iptablesProxier(of, kernel))
	return kernel.text
}
