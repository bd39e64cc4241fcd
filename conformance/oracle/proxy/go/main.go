// kube-proxy's own code over the Services and slices of a node: reads one case per line from stdin and writes one answer per line to
// stdout, in order.
// The first argument is the mode: "run" returns views and rules, "bench" times the syncs of the first kind of rules.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	v1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/klog/v2"
)

// node is the input of one kube-proxy.
type node struct {
	ID                 string                     `json:"id"`
	NodeName           string                     `json:"nodeName"`
	NodeLabels         map[string]string          `json:"nodeLabels"`
	NodeIPs            []string                   `json:"nodeIPs"`
	PodCIDRs           []string                   `json:"podCIDRs"`
	ServiceCIDRs       []string                   `json:"serviceCIDRs"`
	MasqueradeAll      bool                       `json:"masqueradeAll"`
	MasqueradeBit      *int                       `json:"masqueradeBit"`
	LocalhostNodePorts bool                       `json:"localhostNodePorts"`
	NodePortAddresses  []string                   `json:"nodePortAddresses"`
	Services           []*v1.Service              `json:"services"`
	EndpointSlices     []*discovery.EndpointSlice `json:"endpointSlices"`
	// "iptables", "nftables", "ipvs", "iptables-text"
	Rules []string `json:"rules"`
	// the number of repetitions, if the answer is random
	Tries int `json:"tries"`
	// slices that replace those of the same name, one after another; for bench
	Changes []*discovery.EndpointSlice `json:"changes"`
}

func main() {
	silence()
	defer pretendNft()()
	mode := run
	if len(os.Args) > 1 && os.Args[1] == "bench" {
		mode = benchMode
	}
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		line, end := lines.ReadBytes('\n')
		if len(line) > 1 {
			var asked node
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

// silence suppresses Kubernetes' log output.
func silence() {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	klog.InitFlags(flags)
	must(flags.Set("logtostderr", "false"))
	must(flags.Set("stderrthreshold", "FATAL"))
	klog.SetOutput(io.Discard)
}

// pretendNft puts an nft on the path that accepts everything: the proxier looks for one when it is created, and is then given a fake.
func pretendNft() (end func()) {
	dir, err := os.MkdirTemp("", "kube-endpoints-nft-")
	must(err)
	script := "#!/bin/sh\necho 'nftables v1.1.1 (Commodore Bullmoose #2)'\n"
	must(os.WriteFile(filepath.Join(dir, "nft"), []byte(script), 0o755))
	must(os.Setenv("PATH", dir+":"+os.Getenv("PATH")))
	// before 1.33, this variable enabled the check
	if skipsKernelCheck {
		must(os.Setenv("KUBE_PROXY_NFTABLES_SKIP_KERNEL_VERSION_CHECK", "1"))
	}
	return func() { _ = os.RemoveAll(dir) }
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
