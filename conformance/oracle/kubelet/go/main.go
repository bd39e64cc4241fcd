// The kubelet's own code over cases: reads one case per line from stdin and writes one answer per line to stdout, in order.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"testing"
	"testing/synctest"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// A mode computes the answer to a case. It runs in a bubble of virtual time, which starts at midnight UTC 2000-01-01.
type mode func(line []byte) map[string]any

func main() {
	run, known := modes[os.Args[1]]
	if !known {
		fmt.Fprintln(os.Stderr, "unknown mode:", os.Args[1])
		os.Exit(2)
	}
	// The default handlers sleep until a millisecond after the last error, whose time is not in the bubble.
	utilruntime.ErrorHandlers = nil
	klog.SetOutput(io.Discard)
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	if err := flags.Parse([]string{"-logtostderr=false", "-stderrthreshold=10"}); err != nil {
		panic(err)
	}
	// testing.Main reads the command line, and prints "PASS" to stdout.
	out := os.Stdout
	os.Stdout, os.Args = os.Stderr, os.Args[:1]
	answerAll := func(t *testing.T) {
		if err := answerLines(t, run, out); err != nil {
			t.Fatal(err)
		}
	}
	matchAll := func(string, string) (bool, error) { return true, nil }
	testing.Main(matchAll, []testing.InternalTest{{Name: "oracle", F: answerAll}}, nil, nil)
}

func answerLines(t *testing.T, run mode, out io.Writer) error {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			var header struct {
				ID string `json:"id"`
			}
			if err := json.Unmarshal(line, &header); err != nil {
				return err
			}
			var answer map[string]any
			synctest.Test(t, func(*testing.T) { answer = run(line) })
			answer["id"] = header.ID
			if err := encoder.Encode(answer); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}
