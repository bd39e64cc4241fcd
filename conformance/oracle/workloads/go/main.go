// The workload controllers of kube-controller-manager in virtual time: reads one case per line from stdin and writes one answer per line to
// stdout, in order. The argument is the name of the controller.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/retry"
	"k8s.io/klog/v2"
)

// started is a controller whose informers are registered but not started.
type started struct {
	run func(ctx context.Context)
	// nil if the controller records its Events elsewhere
	broadcaster record.EventBroadcaster
	// the receiver of Events of a controller without a broadcaster
	events *eventSink
}

type eventSink struct {
	receive func(kind, name, eventType, reason, message string)
}

type constructor func(ctx context.Context, client kubernetes.Interface, factory informers.SharedInformerFactory) started

// controllers has one row per controller; each is in its own file.
var controllers = map[string]constructor{}

func main() {
	// Virtual time is available to tests only. testing.Main parses the flags.
	testing.Main(
		func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "oracle", F: answerAll}}, nil, nil)
}

func answerAll(t *testing.T) {
	create := controllers[flag.Arg(0)]
	if create == nil {
		fail(fmt.Errorf("no controller %q", flag.Arg(0)))
	}
	klog.SetLogger(logr.Discard())
	// The default handlers sleep.
	utilruntime.ErrorHandlers = nil
	// A key that an event handler adds twice is then added once: the worker does not take it in between.
	runtime.GOMAXPROCS(1)
	// Without the random part of the delays.
	retry.DefaultRetry.Jitter, retry.DefaultBackoff.Jitter = 0, 0
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	stdout := bufio.NewWriter(os.Stdout)
	out := json.NewEncoder(stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var asked testCase
		must(json.Unmarshal(lines.Bytes(), &asked))
		var given answer
		synctest.Test(t, func(t *testing.T) { given = answerCase(&asked, create) })
		must(out.Encode(given))
		must(stdout.Flush())
	}
	must(lines.Err())
	must(stdout.Flush())
	// Not through testing, which prints a verdict.
	os.Exit(0)
}

func must(err error) {
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
