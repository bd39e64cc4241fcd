package main

import (
	"fmt"
	"syscall"
	"time"

	"github.com/miekg/dns"
)

type speed struct {
	ID string `json:"id"`
	// the number of answers with a record
	Found int `json:"found"`
	// per second of elapsed time, and per second of processor time on all cores
	PerSecond float64 `json:"perSecond"`
	PerCore   float64 `json:"perCore"`
}

const (
	rounds = 5
	length = 300 * time.Millisecond
)

// bench asks prepared questions in sequence and returns the best round.
func bench(w *world) interface{} {
	s, err := newSite(w)
	must(err)
	messages := make([]*dns.Msg, len(w.Queries))
	result := speed{ID: w.ID}
	for i, asked := range w.Queries {
		messages[i] = message(asked)
		if a := s.ask(asked); a.Error != "" {
			panic(fmt.Sprintf("%s %s: %s", asked.Name, asked.Type, a.Error))
		} else if len(a.Answer) > 0 {
			result.Found++
		}
	}
	ctx, to := s.context(), &taken{}
	for range rounds {
		start, used, calls := time.Now(), processorTime(), 0
		for time.Since(start) < length {
			for range 64 {
				_, _ = s.plugin.ServeDNS(ctx, to, messages[calls%len(messages)])
				calls++
			}
		}
		result.PerSecond = max(result.PerSecond, float64(calls)/time.Since(start).Seconds())
		result.PerCore = max(result.PerCore, float64(calls)/(processorTime()-used).Seconds())
	}
	return result
}

func processorTime() time.Duration {
	var used syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
