// The kubelet's own code over cases of readiness: reads one case per line from stdin and writes one answer per line to stdout, in order.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	v1 "k8s.io/api/core/v1"
)

// kubeletCase is the input of all modes; an absent list is Go's nil, an empty one is empty.
type kubeletCase struct {
	ID     string       `json:"id"`
	Pod    *v1.Pod      `json:"pod"`
	Former v1.PodStatus `json:"former"`
	Status v1.PodStatus `json:"status"`

	ContainerStatuses     []v1.ContainerStatus `json:"containerStatuses"`
	InitContainerStatuses []v1.ContainerStatus `json:"initContainerStatuses"`
	Phase                 v1.PodPhase          `json:"phase"`

	Eviction *eviction `json:"eviction"`
	PodIPs   []string  `json:"podIPs"`
	HostIP   string    `json:"hostIP"`

	Finished    bool `json:"finished"`
	Initialized bool `json:"initialized"`
	Running     bool `json:"running"`

	// stored probe results: kind, then container ID
	Results    map[string]map[string]string `json:"results"`
	Kind       string                       `json:"kind"`
	Container  string                       `json:"container"`
	KubeletAge int64                        `json:"kubeletAge"`
	Ticks      []tick                       `json:"ticks"`
}

type eviction struct {
	Evict   bool   `json:"evict"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// tick is one time of a probe: the kubelet's state, the container's running time in seconds, and the probe's result.
type tick struct {
	Status  *v1.PodStatus `json:"status"`
	Deleted bool          `json:"deleted"`
	Age     int64         `json:"age"`
	Outcome string        `json:"outcome"`
}

type answer map[string]interface{}

func main() {
	answerTo, known := modes[os.Args[1]]
	if !known {
		fmt.Fprintln(os.Stderr, "no such mode:", os.Args[1])
		os.Exit(2)
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			var c kubeletCase
			if e := json.Unmarshal(line, &c); e != nil {
				fmt.Fprintln(os.Stderr, "bad case:", e)
				os.Exit(1)
			}
			found := answerTo(&c)
			found["id"] = c.ID
			if e := out.Encode(found); e != nil {
				panic(e)
			}
		}
		if err == io.EOF {
			return
		}
	}
}
