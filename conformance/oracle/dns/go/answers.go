package main

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/plugin/test"
	"github.com/miekg/dns"
)

type answer struct {
	question
	Rcode  string   `json:"rcode"`
	AA     bool     `json:"aa"`
	Answer []string `json:"answer"`
	NS     []string `json:"ns"`
	Extra  []string `json:"extra"`
	Error  string   `json:"error,omitempty"`
}

// transfer holds a zone's records, null if the release never completes the transfer.
type transfer struct {
	Zone    string   `json:"zone"`
	Records []string `json:"records"`
}

type answers struct {
	ID        string     `json:"id"`
	Answers   []answer   `json:"answers,omitempty"`
	Transfers []transfer `json:"transfers,omitempty"`
	Error     string     `json:"error,omitempty"`
}

func run(w *world) interface{} {
	s, err := newSite(w)
	if err != nil {
		return answers{ID: w.ID, Error: err.Error()}
	}
	all := answers{ID: w.ID, Answers: []answer{}}
	for _, asked := range w.Queries {
		all.Answers = append(all.Answers, s.ask(asked))
	}
	for _, zone := range w.Transfers {
		all.Transfers = append(all.Transfers, s.transfer(zone))
	}
	return all
}

// taken stores the reply that the plugin writes.
type taken struct {
	test.ResponseWriter
	reply *dns.Msg
}

func (t *taken) WriteMsg(reply *dns.Msg) error {
	t.reply = reply
	return nil
}

func (s *site) context() context.Context {
	return withLoop(context.WithValue(context.Background(), dnsserver.Key{}, s.server))
}

func message(asked question) *dns.Msg {
	return new(dns.Msg).SetQuestion(asked.Name, typeOf(asked.Type))
}

func typeOf(name string) uint16 {
	if number, known := dns.StringToType[name]; known {
		return number
	}
	// The DNS library of old releases does not know this type.
	if name == "HTTPS" {
		return 65
	}
	var number uint16
	_, err := fmt.Sscanf(name, "TYPE%d", &number)
	must(err)
	return number
}

func (s *site) ask(asked question) (a answer) {
	a = answer{question: asked, Answer: []string{}, NS: []string{}, Extra: []string{}}
	defer func() {
		if thrown := recover(); thrown != nil {
			a.Error = fmt.Sprintf("panic: %v", thrown)
		}
	}()
	to := &taken{}
	code, err := s.plugin.ServeDNS(s.context(), to, message(asked))
	if err != nil {
		a.Error = err.Error()
	}
	a.Rcode = dns.RcodeToString[code]
	if reply := to.reply; reply != nil {
		a.Rcode, a.AA = dns.RcodeToString[reply.Rcode], reply.Authoritative
		a.Answer, a.NS, a.Extra = texts(reply.Answer), texts(reply.Ns), texts(reply.Extra)
	}
	return a
}

// texts returns records in presentation form, with single spaces, sorted.
func texts(records []dns.RR) []string {
	out := []string{}
	for _, record := range records {
		out = append(out, strings.ReplaceAll(record.String(), "\t", " "))
	}
	sort.Strings(out)
	return out
}
