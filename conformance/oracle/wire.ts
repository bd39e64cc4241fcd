/**
 * Returns the Go files of a release's oracle, except go.mod: the names of files to copy, and the texts of generated files. Parameters of
 * constructors and syncs differ between releases, and syncs are not exported, so `wire.go` is generated for the release.
 */
export function sources(version: string): {
  readonly copiedNames: readonly string[];
  readonly generatedFiles: Readonly<Record<string, string>>;
} {
  const [, minor = 0, patch = 0] = version.split('.').map(Number);
  const hasSlices = minor >= firstSlices;
  const hasModule = minor >= firstSliceModule;
  return {
    copiedNames: [
      'main.go',
      'endpoints.go',
      'should.go',
      ...(hasSlices ? ['memory.go', 'slices.go', 'slice_store.go'] : []),
      ...(hasModule ? ['bench_slices.go'] : []),
    ],
    // an assembly file, even an empty one, allows functions without a body
    generatedFiles: {
      'wire.go': [endpointsWire(minor), modes(hasSlices, minor >= firstMirroring, hasModule)].join('\n'),
      'wire_should.go':
        minor >= 25 || patch >= (firstSharedPatches[minor] ?? Number.POSITIVE_INFINITY) ? sharedShould(hasModule) : ownShould,
      ...(hasSlices && slicesWire(minor)),
      'empty.s': '',
    },
  };
}

/** The first minor releases with the EndpointSlice controller, the mirroring controller, discovery.k8s.io/v1, and the reconciler as a module. */
const [firstSlices, firstMirroring, firstV1, firstSliceModule] = [17, 19, 21, 28];

/** Adapts a copied Go file to a release before discovery.k8s.io/v1. */
export const adaptSource = (text: string, minor: number): string =>
  minor >= firstV1
    ? text
    : text.replaceAll('k8s.io/api/discovery/v1"', 'k8s.io/api/discovery/v1beta1"').replaceAll('Discovery().V1()', 'Discovery().V1beta1()');

/** Patch releases from which both controllers share ShouldPodBeInEndpoints (#110255), by minor release. */
const firstSharedPatches: Readonly<Record<number, number>> = { 22: 11, 23: 8, 24: 2 };

const ownShould = `package main

import (
	_ "unsafe" // for go:linkname

	v1 "k8s.io/api/core/v1"
	_ "k8s.io/kubernetes/pkg/controller/endpoint"
)

//go:linkname ownShould k8s.io/kubernetes/pkg/controller/endpoint.shouldPodBeInEndpoints
func ownShould(pod *v1.Pod) bool

func shouldPodBeInEndpoints(pod *v1.Pod, _ bool) bool { return ownShould(pod) }
`;

const sharedShould = (hasModule: boolean): string => `package main

import util "${hasModule ? 'k8s.io/endpointslice/util' : 'k8s.io/kubernetes/pkg/controller/util/endpoint'}"

var shouldPodBeInEndpoints = util.ShouldPodBeInEndpoints
`;

function endpointsWire(minor: number): string {
  const type = minor < 20 ? 'EndpointController' : 'Controller';
  const context = minor < 23 ? '' : 'context.Background(), ';
  return `package main

import (
${minor < 23 ? '' : '\t"context"\n'}	_ "unsafe" // for go:linkname

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/controller/endpoint"
)

//go:linkname syncService k8s.io/kubernetes/pkg/controller/endpoint.(*${type}).syncService
func syncService(c *endpoint.${type}, ${minor < 23 ? '' : 'ctx context.Context, '}key string) error

func newController(f informers.SharedInformerFactory, client kubernetes.Interface) syncFunc {
	core := f.Core().V1()
	c := endpoint.NewEndpointController(${minor < 30 ? '' : context}core.Pods(), core.Services(), core.Endpoints(), client${minor < 16 ? '' : ', 0'})
	return func(key string) error { return syncService(c, ${context}key) }
}
`;
}

const modes = (hasSlices: boolean, hasMirroring: boolean, hasModule: boolean): string => `
var modes = map[string]func(args []string) (answerFunc, error){
	"run":    runEndpoints,
	"bench":  benchEndpoints,
	"should": runShould,
${hasSlices ? '\t"slices": sliceMode(newSliceController, 100),\n' : ''}${hasMirroring ? '\t"mirror": sliceMode(newMirrorController, 1000),\n' : ''}${hasModule ? '\t"bench-slices": benchSlices,\n' : ''}}
`;

function slicesWire(minor: number): Record<string, string> {
  const logs = minor >= 28;
  const logger = logs ? ', logger klog.Logger' : '';
  const context = logs ? 'context.Background(), ' : '';
  const background = logs ? 'klog.Background()' : '';
  const hasHints = minor >= firstV1;
  const batchPeriod = minor >= 18 ? ', 0' : '';
  const discovery = minor >= firstV1 ? 'V1' : 'V1beta1';
  const text = `package main

import (
${logs ? '\t"context"\n' : ''}	_ "unsafe" // for go:linkname

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
${logs ? '\t"k8s.io/klog/v2"\n' : ''}	"k8s.io/kubernetes/pkg/controller/endpointslice"
)

//go:linkname syncSlices k8s.io/kubernetes/pkg/controller/endpointslice.(*Controller).syncService
func syncSlices(c *endpointslice.Controller${logger}, key string) error

//go:linkname sliceGone k8s.io/kubernetes/pkg/controller/endpointslice.(*Controller).onEndpointSliceDelete
func sliceGone(c *endpointslice.Controller, slice interface{})
${
  hasHints
    ? `
//go:linkname checkNodes k8s.io/kubernetes/pkg/controller/endpointslice.(*Controller).checkNodeTopologyDistribution
func checkNodes(c *endpointslice.Controller${logger})
`
    : ''
}
func newSliceController(f informers.SharedInformerFactory, client kubernetes.Interface, max int32) wired {
	core := f.Core().V1()
	c := endpointslice.NewController(${context}core.Pods(), core.Services(), core.Nodes(), f.Discovery().${discovery}().EndpointSlices(), max, client${batchPeriod})
	return wired{
		controller:   c,
		sync:         func(key string) error { return syncSlices(c, ${background && `${background}, `}key) },
		nodesChanged: func() {${hasHints ? ` checkNodes(c${background && `, ${background}`}) ` : ''}},
		sliceDeleted: func(slice interface{}) { sliceGone(c, slice) },
		remembers:    []string{"endpointSliceTracker", "triggerTimeTracker"${hasHints ? ', "topologyCache"' : ''}},
	}
}
`;
  return { 'wire_slices.go': text, ...(minor >= firstMirroring && { 'wire_mirror.go': mirrorWire(minor, discovery) }) };
}

function mirrorWire(minor: number, discovery: string): string {
  const context = minor >= 28 ? 'context.Background(), ' : '';
  const mirrorSync =
    minor < 28 ? [] : minor < 36 ? ['logger klog.Logger', 'klog.Background()'] : ['ctx context.Context', 'context.Background()'];
  const [parameter = '', argument = ''] = mirrorSync.map((text) => `${text}, `);
  return `package main

import (
${minor >= 28 ? '\t"context"\n' : ''}	_ "unsafe" // for go:linkname

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
${minor >= 28 && minor < 36 ? '\t"k8s.io/klog/v2"\n' : ''}	"k8s.io/kubernetes/pkg/controller/endpointslicemirroring"
)

//go:linkname syncMirror k8s.io/kubernetes/pkg/controller/endpointslicemirroring.(*Controller).syncEndpoints
func syncMirror(c *endpointslicemirroring.Controller, ${parameter}key string) error

//go:linkname mirrorGone k8s.io/kubernetes/pkg/controller/endpointslicemirroring.(*Controller).onEndpointSliceDelete
func mirrorGone(c *endpointslicemirroring.Controller, slice interface{})

func newMirrorController(f informers.SharedInformerFactory, client kubernetes.Interface, max int32) wired {
	core := f.Core().V1()
	c := endpointslicemirroring.NewController(${context}core.Endpoints(), f.Discovery().${discovery}().EndpointSlices(), core.Services(), max, client, 0)
	return wired{
		controller:   c,
		sync:         func(key string) error { return syncMirror(c, ${argument}key) },
		nodesChanged: func() {},
		sliceDeleted: func(slice interface{}) { mirrorGone(c, slice) },
		remembers:    []string{"endpointSliceTracker"},
	}
}
`;
}
