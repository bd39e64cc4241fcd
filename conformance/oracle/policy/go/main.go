// Engines of network policies over worlds of objects: reads one world per line from stdin and writes the verdicts of each engine for its
// probes to stdout, one line per world, in order. The argument "run" is the only mode.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"k8s.io/klog/v2"
)

type probeAnswer struct {
	Controller verdict `json:"controller"`
	Matcher    verdict `json:"matcher"`
}

type answer struct {
	ID     string        `json:"id"`
	Probes []probeAnswer `json:"probes"`
}

func main() {
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	engine := newController()
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var w world
		if err := json.Unmarshal(line, &w); err != nil {
			fmt.Fprintf(os.Stderr, "cannot read the world: %v\n", err)
			os.Exit(1)
		}
		setDefaults(&w)
		engine.load(&w)
		result := answer{ID: w.ID, Probes: []probeAnswer{}}
		for _, p := range w.Probes {
			result.Probes = append(result.Probes, probeAnswer{
				Controller: guard(func() verdict { return engine.evaluate(p) }),
				Matcher:    guard(func() verdict { return evaluateMatcher(&w, p) }),
			})
		}
		if err := out.Encode(result); err != nil {
			os.Exit(1)
		}
	}
}

// guard converts a panic to an error.
func guard(evaluate func() verdict) (result verdict) {
	defer func() {
		if reason := recover(); reason != nil {
			result = verdict{Error: fmt.Sprint(reason)}
		}
	}()
	return evaluate()
}
