package main

import (
	"context"
	"runtime"
	"syscall"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/util/iptables"
	"sigs.k8s.io/knftables"
)

// cost is the best of several rounds, in milliseconds: elapsed time, and processor time on all cores.
type cost struct {
	Elapsed   float64 `json:"elapsed"`
	Processor float64 `json:"processor"`
}

// timing also includes the length of the input for nft or iptables-restore.
type timing struct {
	ID           string `json:"id"`
	Full         cost   `json:"full"`
	Unchanged    cost   `json:"unchanged"`
	Changed      cost   `json:"changed"`
	FullBytes    int    `json:"fullBytes"`
	ChangedBytes int    `json:"changedBytes"`
}

const rounds = 5

// paperNftables accepts transactions without running nft: only kube-proxy's own work is measured.
type paperNftables struct {
	*knftables.Fake
	bytes int
}

func (p *paperNftables) Run(_ context.Context, tx *knftables.Transaction) error {
	p.bytes = len(tx.String())
	return nil
}

type paperIptables struct {
	iptables.Interface
	bytes int
}

func (p *paperIptables) RestoreAll(data []byte, _ iptables.FlushFlag, _ iptables.RestoreCountersFlag) error {
	p.bytes = len(data)
	return nil
}

// bench times a proxier's first sync including the delivery of all objects, a repeated full sync, and a sync after each change of a slice.
func bench(n *node) interface{} {
	best := timing{ID: n.ID}
	for range rounds {
		p, bytes := n.onPaper(n.Rules[0])
		runtime.GC()
		best.Full.least(1, func() { n.feed(p) })
		best.FullBytes = *bytes
		// a change of the node's labels triggers a full sync
		p.OnTopologyChange(n.NodeLabels)
		best.Unchanged.least(1, p.OnServiceSynced)
		best.Changed.least(len(n.Changes), func() {
			for _, slice := range n.Changes {
				p.OnEndpointSliceUpdate(nil, slice)
				p.OnEndpointSlicesSynced()
			}
		})
		best.ChangedBytes = *bytes
	}
	return best
}

func (n *node) onPaper(mode string) (proxier, *int) {
	if mode == "iptables" {
		kernel := &paperIptables{Interface: fakeIptables(v1.IPv4Protocol)}
		return n.iptablesProxier(v1.IPv4Protocol, kernel), &kernel.bytes
	}
	kernel := &paperNftables{Fake: fakeNftables(v1.IPv4Protocol)}
	return n.nftablesProxier(v1.IPv4Protocol, kernel), &kernel.bytes
}

// least stores the minimum cost per piece.
func (c *cost) least(pieces int, work func()) {
	start, used := time.Now(), processorTime()
	work()
	keep := func(known *float64, took time.Duration) {
		milliseconds := took.Seconds() * 1000 / float64(pieces)
		if *known == 0 || milliseconds < *known {
			*known = milliseconds
		}
	}
	keep(&c.Elapsed, time.Since(start))
	keep(&c.Processor, processorTime()-used)
}

func processorTime() time.Duration {
	var used syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
