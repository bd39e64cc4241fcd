// Command oracle answers cases with Kubernetes' own controllers, imported as a Go module.
//
//	oracle run                 the endpoints controller: a case a line on standard input; a result a line on standard output
//	oracle bench [MS]          the best of five timings, each of at least MS milliseconds, of one sync that creates
//	oracle slices              the EndpointSlice controller
//	oracle mirror              the EndpointSlice mirroring controller
//	oracle bench-slices [MS]   timings of the reconciler of EndpointSlices
//
// wire.go, written by build.ts for the release at hand, makes the controllers and names the modes that the release has.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"
	_ "time/tzdata" // so that TZ works on machines without a database of time zones
)

type syncFunc func(key string) error

// decodeFunc reads the next case.
type decodeFunc func(into interface{}) error

// answerFunc reads a case and gives what is printed for it.
type answerFunc func(decode decodeFunc) (interface{}, error)

func main() {
	if err := serve(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func serve(args []string, in io.Reader, out io.Writer) error {
	if len(args) == 0 {
		args = []string{"run"}
	}
	mode, ok := modes[args[0]]
	if !ok {
		return fmt.Errorf("this release has no mode %q", args[0])
	}
	answer, err := mode(args[1:])
	if err != nil {
		return err
	}
	cases, results := json.NewDecoder(bufio.NewReaderSize(in, 1<<16)), bufio.NewWriterSize(out, 1<<16)
	lines := json.NewEncoder(results)
	lines.SetEscapeHTML(false)
	for {
		result, err := answer(cases.Decode)
		if errors.Is(err, io.EOF) {
			return results.Flush()
		} else if err != nil {
			return fmt.Errorf("a case cannot be answered: %w", err)
		}
		if err := lines.Encode(result); err != nil {
			return err
		}
	}
}

// milliseconds reads how long a timing is to take at least.
func milliseconds(args []string) (time.Duration, error) {
	if len(args) == 0 {
		return 300 * time.Millisecond, nil
	}
	n, err := strconv.Atoi(args[0])
	return time.Duration(n) * time.Millisecond, err
}

// bestOf gives the best of five timings of a function, and how often it ran.
func bestOf(atLeast time.Duration, work func()) (best time.Duration, runs int) {
	for round := 0; round < 5; round++ {
		n, start := 0, time.Now()
		for n == 0 || time.Since(start) < atLeast {
			work()
			n++
		}
		if each := time.Since(start) / time.Duration(n); best == 0 || each < best {
			best = each
		}
		runs += n
	}
	return best, runs
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
