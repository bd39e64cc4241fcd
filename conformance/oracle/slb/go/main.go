// The service controller's own code over lives of one Service: reads one case per line from stdin and writes one answer per line to stdout,
// in order.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	v1 "k8s.io/api/core/v1"
)

type life struct {
	ID    string `json:"id"`
	Steps []step `json:"steps"`
}

// step is a set of simultaneous changes. An absent service does not change, null is deleted; a cloud error applies to all calls, or is a
// map of them.
type step struct {
	Service    json.RawMessage          `json:"service"`
	Nodes      []*v1.Node               `json:"nodes"`
	CloudError json.RawMessage          `json:"cloudError"`
	Ingress    []v1.LoadBalancerIngress `json:"ingress"`
	Exists     *bool                    `json:"exists"`
	APIError   string                   `json:"apiError"`
	Restart    bool                     `json:"restart"`
	Resync     bool                     `json:"resync"`
}

type call struct {
	Op    string   `json:"op"`
	Hosts []string `json:"hosts,omitempty"`
}

// doing is the effects of a sync, or of a node sync.
type doing struct {
	Calls   []call            `json:"calls"`
	Patches []json.RawMessage `json:"patches"`
	// the load balancer statuses written by UpdateStatus
	Updates []json.RawMessage `json:"updates,omitempty"`
	// the Service after each accepted patch or update
	Patched    []json.RawMessage `json:"patched,omitempty"`
	Events     []string          `json:"events"`
	Error      string            `json:"error,omitempty"`
	RetryAfter string            `json:"retryAfter,omitempty"`
}

type left struct {
	Finalizers []string                 `json:"finalizers"`
	Ingress    []v1.LoadBalancerIngress `json:"ingress"`
}

type outcome struct {
	NeedsUpdate  *bool    `json:"needsUpdate"`
	NeedsCleanup *bool    `json:"needsCleanup"`
	Enqueued     bool     `json:"enqueued"`
	Events       []string `json:"events"`
	Syncs        []doing  `json:"syncs"`
	NodeSync     *doing   `json:"nodeSync"`
	Service      *left    `json:"service"`
	Retry        bool     `json:"retry"`
}

func main() {
	silence()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var asked life
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, "bad case:", err)
			os.Exit(1)
		}
		w, outcomes := newWorld(), []outcome{}
		for i := range asked.Steps {
			outcomes = append(outcomes, w.take(&asked.Steps[i]))
		}
		w.controller.end()
		must(out.Encode(map[string]interface{}{"id": asked.ID, "steps": outcomes}))
	}
	must(lines.Err())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
