/** The type of the queue, and the field of the controller that has the Service queue. */
export const queueWire = (minor: number): { readonly item: string; readonly serviceQueue: string } => ({
  item:
    minor < 10
      ? 'workqueue.DelayingInterface'
      : minor < 31
        ? 'workqueue.RateLimitingInterface'
        : 'workqueue.TypedRateLimitingInterface[string]',
  serviceQueue: minor < 10 ? 'workingQueue' : minor < 26 ? 'queue' : 'serviceQueue',
});

/** The cloud as the release declares it: up to 1.9, calls have no context; up to 1.15, no cloud can leave a Service to another controller. */
export function cloudWire(minor: number): string {
  const path = minor < 13 ? 'k8s.io/kubernetes/pkg/cloudprovider' : 'k8s.io/cloud-provider';
  const context = minor < 10 ? '' : 'context.Context, ';
  const elsewhere = minor < 16 ? 'errors.New("implemented by alternate to cloud provider")' : 'cloudprovider.ImplementedElsewhere';
  return `package main

import (
${minor < 10 ? '' : '\t"context"\n'}${minor < 16 ? '\t"errors"\n' : ''}
	v1 "k8s.io/api/core/v1"
	cloudprovider "${path}"
)

var implementedElsewhere = ${elsewhere}

type provider = cloudprovider.Interface

func (c *cloud) LoadBalancer() (cloudprovider.LoadBalancer, bool) { return c, true }

func (c *cloud) GetLoadBalancerName(${context}string, *v1.Service) string { return "balancer" }

func (c *cloud) GetLoadBalancer(${context}string, *v1.Service) (*v1.LoadBalancerStatus, bool, error) { return c.get() }

func (c *cloud) EnsureLoadBalancer(${context.replace('context', '_ context')}_ string, _ *v1.Service, nodes []*v1.Node) (*v1.LoadBalancerStatus, error) {
	return c.ensure(nodes)
}

func (c *cloud) UpdateLoadBalancer(${context.replace('context', '_ context')}_ string, _ *v1.Service, nodes []*v1.Node) error { return c.update(nodes) }

func (c *cloud) EnsureLoadBalancerDeleted(${context}string, *v1.Service) error { return c.remove() }
`;
}

/** Discards the logs of Kubernetes. Up to 1.9, a sync reports its failure only in the log. */
export function logWire(minor: number): string {
  if (minor < 13) return minor < 10 ? loggedFailures : `${silentGlog}\n${plainFailures}`;
  return `package main

import (
	"flag"
	"io"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"${minor < 19 ? 'k8s.io/klog' : 'k8s.io/klog/v2'}"
)

func silence() {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	klog.InitFlags(flags)
	must(flags.Set("logtostderr", "false"))
	must(flags.Set("stderrthreshold", "FATAL"))
	klog.SetOutput(io.Discard)
	utilruntime.ErrorHandlers = nil
	setGates()
}

${plainFailures}`;
}

const plainFailures = `// failure is the error of a sync.
func failure(err error) error { return err }

// readable is an Event's text without an order that differs between runs.
func readable(text string) string { return text }
`;

const silentGlog = `package main

import (
	"flag"
	"os"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

func silence() {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	must(err)
	os.Stderr = null
	must(flag.Set("logtostderr", "true"))
	utilruntime.ErrorHandlers = nil
	setGates()
}
`;

const loggedFailures = `package main

import (
	"flag"
	"os"
	"regexp"
	"sort"
	"strings"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/util/workqueue"
)

// undelayed drops the keys of failed syncs: the oracle retries them in the next step.
type undelayed struct{ workqueue.Interface }

func (undelayed) AddAfter(interface{}, time.Duration) {}

// retry is a failure that the controller retries.
type retry struct{ text, delay string }

func (r retry) Error() string { return r.text }

var retryPattern = regexp.MustCompile("Failed to process service \\\\S+ Retrying in (\\\\S+): (.*)")

// silence sends the log to a file that is read after each sync.
func silence() {
	file, err := os.CreateTemp("", "kube-endpoints-oracle-")
	must(err)
	must(os.Remove(file.Name()))
	os.Stderr = file
	must(flag.Set("logtostderr", "true"))
	utilruntime.ErrorHandlers = nil
	setGates()
}

// failure is the error of a sync: the one that the controller has logged as a reason to retry.
func failure(err error) error {
	must(err)
	log := make([]byte, 1<<16)
	n, _ := os.Stderr.ReadAt(log, 0)
	must(os.Stderr.Truncate(0))
	_, err = os.Stderr.Seek(0, 0)
	must(err)
	if found := retryPattern.FindSubmatch(log[:n]); found != nil {
		return retry{string(found[2]), string(found[1])}
	}
	return nil
}

var namesPattern = regexp.MustCompile("new hosts \\\\[([^]]*)\\\\]")

// readable is an Event's text, with the names of nodes sorted: 1.9 prints them in the random order of its cache.
func readable(text string) string {
	found := namesPattern.FindStringSubmatchIndex(text)
	if found == nil {
		return text
	}
	names := strings.Fields(text[found[2]:found[3]])
	sort.Strings(names)
	return text[:found[2]] + strings.Join(names, " ") + text[found[3]:]
}
`;
