// Filters and sends packets between network namespaces: reads one scene per line from stdin, and writes what happened to the packets of its
// probes to stdout, one line per scene, in order. The first line of stdin describes the network.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/sirupsen/logrus"
	"k8s.io/klog/v2"
)

// network lists the namespaces by name: those that filter what they forward, and the addresses and ports that others listen on.
type network struct {
	Filters []string `json:"filters"`
	Hosts   []host   `json:"hosts"`
	Ports   []int    `json:"ports"`
}

type host struct {
	Namespace string   `json:"namespace"`
	Addresses []string `json:"addresses"`
}

// scene has the objects for the engine, and the packets to send.
type scene struct {
	World  world         `json:"world"`
	Probes []packetProbe `json:"probes"`
}

// packetProbe is a connection from an address of a namespace to an address of another one.
type packetProbe struct {
	Namespace string `json:"namespace"`
	From      string `json:"from"`
	To        string `json:"to"`
	Port      int    `json:"port"`
	Protocol  string `json:"protocol"`
}

// answer has a line per probe: the name of the namespace that replied, "rejected", or an error.
type answer struct {
	ID string `json:"id"`
	// Packets is the number of packets that the engine decided about.
	Packets int64    `json:"packets"`
	Results []string `json:"results"`
}

func main() {
	logrus.SetOutput(io.Discard)
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	in, out := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20)), json.NewEncoder(os.Stdout)
	var n network
	check(in.Decode(&n))
	filters := newFilters(n.Filters)
	workers := map[string]chan func(){}
	for _, h := range n.Hosts {
		workers[h.Namespace] = startWorker(h.Namespace)
		run(workers[h.Namespace], func() { listen(h, n.Ports) })
	}
	for {
		var s scene
		if err := in.Decode(&s); err == io.EOF {
			return
		} else {
			check(err)
		}
		setDefaults(&s.World)
		filters.load(&s.World)
		results := send(workers, s.Probes)
		check(out.Encode(answer{ID: s.World.ID, Packets: filters.packets.Swap(0), Results: results}))
	}
}

// send sends the packets of all probes: those of one namespace one after the other, those of several concurrently.
func send(workers map[string]chan func(), probes []packetProbe) []string {
	results := make([]string, len(probes))
	var pending sync.WaitGroup
	for i, p := range probes {
		pending.Add(1)
		workers[p.Namespace] <- func() {
			defer pending.Done()
			results[i] = p.send()
		}
	}
	pending.Wait()
	return results
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
