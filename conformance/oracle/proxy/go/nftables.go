package main

import (
	"sort"
	"strings"

	v1 "k8s.io/api/core/v1"
)

// nftablesRules returns the lines of a dump; each run of elements is sorted, because elements are a set.
func (n *node) nftablesRules(of v1.IPFamily) []string {
	kernel := fakeNftables(of)
	n.feed(n.nftablesProxier(of, kernel))
	lines := strings.Split(strings.TrimSpace(kernel.Dump()), "\n")
	for from := 0; from < len(lines); from++ {
		to := from
		for to < len(lines) && strings.HasPrefix(lines[to], "add element") {
			to++
		}
		if to > from {
			sort.Strings(lines[from:to])
			from = to - 1
		}
	}
	return lines
}
