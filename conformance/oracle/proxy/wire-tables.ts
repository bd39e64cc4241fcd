/** A Go file: a fake of iptables that keeps its tables, for releases whose own fake does not. */
export const createTables = (minor: number): string =>
  minor >= 18
    ? tables
    : // The fake of 1.17 has no family.
      `${tables.replace('type tables struct {', 'type tables struct {\n\tfamily v1.IPFamily').replace('tables{FakeIPTables', 'tables{family: of, FakeIPTables')}
func (t *tables) IsIpv6() bool { return t.family == v1.IPv6Protocol }
`;

const tables = `package main

import (
	"strings"

	v1 "k8s.io/api/core/v1"
	utiliptables "k8s.io/kubernetes/pkg/util/iptables"
	iptablestesting "k8s.io/kubernetes/pkg/util/iptables/testing"
)

type tableRule struct{ Raw string }

type tableChain struct {
	Name  utiliptables.Chain
	Rules []tableRule
}

type table struct {
	Name   utiliptables.Table
	Chains []*tableChain
}

type tables struct {
	*iptablestesting.FakeIPTables
	Dump struct{ Tables []*table }
}

var builtIn = map[utiliptables.Table][]utiliptables.Chain{
	"filter": {"INPUT", "FORWARD", "OUTPUT"},
	"nat":    {"PREROUTING", "INPUT", "OUTPUT", "POSTROUTING"},
	"mangle": {},
}

func newTables(of v1.IPFamily) *tables {
	t := &tables{FakeIPTables: fakeIptables(of)}
	for name, chains := range builtIn {
		t.Dump.Tables = append(t.Dump.Tables, &table{Name: name})
		for _, chain := range chains {
			t.chain(name, chain)
		}
	}
	return t
}

func (t *tables) chain(of utiliptables.Table, name utiliptables.Chain) *tableChain {
	for _, table := range t.Dump.Tables {
		if table.Name != of {
			continue
		}
		for _, chain := range table.Chains {
			if chain.Name == name {
				return chain
			}
		}
		chain := &tableChain{Name: name}
		table.Chains = append(table.Chains, chain)
		return chain
	}
	panic("no table " + string(of))
}

func (t *tables) EnsureChain(of utiliptables.Table, name utiliptables.Chain) (bool, error) {
	t.chain(of, name)
	return true, nil
}

func (t *tables) EnsureRule(position utiliptables.RulePosition, of utiliptables.Table, name utiliptables.Chain, args ...string) (bool, error) {
	chain := t.chain(of, name)
	rule := tableRule{Raw: "-A " + string(name) + " " + strings.Join(args, " ")}
	if position == utiliptables.Prepend {
		chain.Rules = append([]tableRule{rule}, chain.Rules...)
	} else {
		chain.Rules = append(chain.Rules, rule)
	}
	return true, nil
}

func (t *tables) RestoreAll(data []byte, flush utiliptables.FlushFlag, counters utiliptables.RestoreCountersFlag) error {
	var of utiliptables.Table
	for _, line := range strings.Split(string(data), "\\n") {
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "*"):
			of = utiliptables.Table(line[1:])
		case strings.HasPrefix(line, ":"):
			t.chain(of, utiliptables.Chain(words[0][1:])).Rules = nil
		case strings.HasPrefix(line, "-A "):
			chain := t.chain(of, utiliptables.Chain(words[1]))
			chain.Rules = append(chain.Rules, tableRule{Raw: line})
		}
	}
	return nil
}
`;
