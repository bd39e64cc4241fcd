// The service controller's own code over lives of one Service: a case a line on stdin, an answer a line on stdout, in order.
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

// step is what happens at once. A service that is left out stays, null is gone; a cloud error is one for all calls, or a map of them.
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

// doing is what a sync, or a look at the nodes, did.
type doing struct {
	Calls   []call            `json:"calls"`
	Patches []json.RawMessage `json:"patches"`
	// the Service after each patch that was not refused
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
