package main

import (
	"sort"

	"github.com/miekg/dns"
)

// transfer requests a zone's records if there is exactly one name server. Otherwise, releases repeat address records, and 1.12.2 to 1.14.4
// close their channel several times or never.
func (s *site) transfer(zone string) transfer {
	if len(s.ask(question{dns.Fqdn(zone), "NS"}).Extra) != 1 {
		return transfer{zone, nil}
	}
	batches, err := s.plugin.Transfer(dns.Fqdn(zone), 0)
	if err != nil {
		return transfer{zone, nil}
	}
	records := []string{}
	for batch := range batches {
		records = append(records, texts(batch)...)
	}
	sort.Strings(records)
	return transfer{zone, records}
}
