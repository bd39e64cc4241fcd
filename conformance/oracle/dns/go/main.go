// CoreDNS' kubernetes plugin over worlds of objects: reads one case per line from stdin and writes one answer per line to stdout, in order.
// The first argument is the mode: "run" answers the questions, "bench" measures answers per second.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"os"

	api "k8s.io/api/core/v1"
)

// world is one cluster, the plugin's options, and the questions.
type world struct {
	ID                 string   `json:"id"`
	Zone               string   `json:"zone"`
	Zones              []string `json:"zones"`
	PodMode            string   `json:"podMode"`
	EndpointNameMode   bool     `json:"endpointNameMode"`
	TTL                *int     `json:"ttl"`
	Namespaces         []string `json:"namespaces"`
	IgnoreEmptyService bool     `json:"ignoreEmptyService"`
	NoEndpoints        bool     `json:"noEndpoints"`
	// false if the cluster has Endpoints only; default: true
	EndpointSliceAPI *bool `json:"endpointSliceApi"`
	// true for all zones, or a list of zones
	Fallthrough json.RawMessage `json:"fallthrough"`
	LocalIPs    []net.IP        `json:"localIPs"`
	// records outside the cluster, in presentation form
	Upstream  []string   `json:"upstream"`
	Objects   objects    `json:"objects"`
	Queries   []question `json:"queries"`
	Transfers []string   `json:"transfers"`
}

type objects struct {
	Services       []*api.Service   `json:"services"`
	Endpoints      []*api.Endpoints `json:"endpoints"`
	EndpointSlices []*endpointSlice `json:"endpointSlices"`
	Pods           []*api.Pod       `json:"pods"`
	Namespaces     []*api.Namespace `json:"namespaces"`
}

type question struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

func main() {
	log.SetOutput(io.Discard)
	mode := run
	if len(os.Args) > 1 && os.Args[1] == "bench" {
		mode = bench
	}
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		line, end := lines.ReadBytes('\n')
		if len(line) > 1 {
			var asked world
			if err := json.Unmarshal(line, &asked); err != nil {
				fmt.Fprintln(os.Stderr, "bad case:", err)
				os.Exit(1)
			}
			must(out.Encode(mode(&asked)))
		}
		if end == io.EOF {
			return
		}
		must(end)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
