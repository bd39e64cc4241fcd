import { oldMergeWire, oldWire } from './wire-old.ts';

/**
 * The Go files of a release's readiness oracle. Parameters of kubelet functions differ between releases, and many functions are not
 * exported, so `wire.go` is generated for the release. The phase has its own program, because it imports the whole kubelet, which
 * takes minutes to build.
 */
export type ReadinessProgram = 'status' | 'phase';

export const copiedFiles: Readonly<Record<ReadinessProgram, readonly string[]>> = {
  status: ['main.go', 'status.go', 'probes.go'],
  phase: ['main.go', 'phase.go'],
};

/** An assembly file, even an empty one, allows functions without a body. */
export const generateFiles = (program: ReadinessProgram, version: string): Readonly<Record<string, string>> => ({
  'wire.go': program === 'phase' ? phaseWire(version) : statusWire(version),
  ...(program === 'status' && oldWire(minorIn(version))),
  'empty.s': '',
});

const minorIn = (version: string): number => Number(version.split('.')[1]);
const patchIn = (version: string): number => Number(version.split('.')[2]);

function phaseWire(version: string): string {
  const minor = minorIn(version);
  const parameters = [
    ...(minor >= 36 ? ['logger klog.Logger'] : []),
    minor >= 27 ? 'pod *v1.Pod' : 'spec *v1.PodSpec',
    'info []v1.ContainerStatus',
    ...(minor >= 27 ? ['finished bool'] : []),
    ...(minor >= 33 ? ['initialized bool'] : []),
  ];
  const values = [
    ...(minor >= 36 ? ['klog.Background()'] : []),
    minor >= 27 ? 'pod' : '&pod.Spec',
    'all',
    ...(minor >= 27 ? ['finished'] : []),
    ...(minor >= 33 ? ['initialized'] : []),
  ];
  return `package main

import (
	_ "unsafe" // for go:linkname

	v1 "k8s.io/api/core/v1"
${minor >= 36 ? '\t"k8s.io/klog/v2"\n' : ''}	_ "k8s.io/kubernetes/pkg/kubelet"
)

//go:linkname getPhase k8s.io/kubernetes/pkg/kubelet.getPhase
func getPhase(${parameters.join(', ')}) v1.PodPhase

func phase(pod *v1.Pod, all []v1.ContainerStatus, finished, initialized bool) v1.PodPhase {
	return getPhase(${values.join(', ')})
}
`;
}

function statusWire(version: string): string {
  const minor = minorIn(version);
  const hasLogger = minor >= 34;
  return `package main

import (
	"context"
${minor < 11 ? '\t"reflect"\n' : ''}	"time"
	"unsafe"

	v1 "k8s.io/api/core/v1"
${minor < 11 ? '\tmetav1 "k8s.io/apimachinery/pkg/apis/meta/v1"\n' : ''}	"k8s.io/apimachinery/pkg/types"
${minor < 11 ? '\t"k8s.io/client-go/kubernetes/fake"\n' : ''}	"k8s.io/client-go/tools/record"
${hasLogger ? '\t"k8s.io/klog/v2"\n' : ''}	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
${minor < 28 ? '\tkubepod "k8s.io/kubernetes/pkg/kubelet/pod"\n' : ''}	"k8s.io/kubernetes/pkg/kubelet/prober"
	"k8s.io/kubernetes/pkg/kubelet/status"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
)

var background = context.Background()

${conditionsWire(minor)}
${minor < 11 ? oldMergeWire : mergeWire(version, minor)}
${recordWire(minor, hasLogger)}
${probesWire(minor)}`;
}

function conditionsWire(minor: number): string {
  const podArguments = minor >= 33 ? 'pod, oldStatus' : '&pod.Spec';
  const [initStatuses, allStatuses] = minor >= 28 ? ['joined(inits, regular)', 'joined(inits, regular)'] : ['inits', 'regular'];
  if (minor < 11) return oldConditionsWire;
  return `func conditions(pod *v1.Pod, oldStatus *v1.PodStatus, podConditions []v1.PodCondition, inits, regular []v1.ContainerStatus, phase v1.PodPhase) []v1.PodCondition {
	return []v1.PodCondition{
		status.GeneratePodInitializedCondition(${podArguments}, ${initStatuses}, phase),
		status.GeneratePodReadyCondition(${podArguments}, podConditions, ${allStatuses}, phase),
		status.GenerateContainersReadyCondition(${podArguments}, ${allStatuses}, phase),
	}
}
`;
}

const oldConditionsWire = `func conditions(pod *v1.Pod, _ *v1.PodStatus, _ []v1.PodCondition, inits, regular []v1.ContainerStatus, phase v1.PodPhase) []v1.PodCondition {
	return []v1.PodCondition{
		status.GeneratePodInitializedCondition(&pod.Spec, inits, phase),
		status.GeneratePodReadyCondition(&pod.Spec, regular, phase),
	}
}
`;

/** The first patch releases of old minors that delay a terminal phase. */
const terminalPhaseDelayedSince: Readonly<Record<number, number>> = { 22: 9, 23: 6 };

function mergeWire(version: string, minor: number): string {
  const hasRunningParameter = minor >= 24 || patchIn(version) >= (terminalPhaseDelayedSince[minor] ?? Number.POSITIVE_INFINITY);
  const parameters = [
    ...(minor >= 33 ? ['pod *v1.Pod'] : []),
    'stored, next v1.PodStatus',
    ...(hasRunningParameter ? ['running bool'] : []),
  ];
  const values = [...(minor >= 33 ? ['pod'] : []), 'stored, next', ...(hasRunningParameter ? ['running'] : [])];
  return `//go:linkname mergePodStatus k8s.io/kubernetes/pkg/kubelet/status.mergePodStatus
func mergePodStatus(${parameters.join(', ')}) v1.PodStatus

func merge(pod *v1.Pod, stored, next v1.PodStatus, running bool) v1.PodStatus {
	return mergePodStatus(${values.join(', ')})
}
`;
}

function recordWire(minor: number, hasLogger: boolean): string {
  const more = [...(minor >= 26 ? ['nil'] : []), ...(minor >= 27 && minor < 33 ? ['""'] : [])];
  return `// pods is a pod manager that knows of no mirror pods.
type pods struct{ ${minor < 28 ? 'kubepod.Manager' : 'status.PodManager'} }

func (pods) GetMirrorPodByPod(*v1.Pod) (*v1.Pod, bool) { return nil, false }

func (pods) TranslatePodUID(uid types.UID) kubetypes.ResolvedPodUID { return kubetypes.ResolvedPodUID(uid) }

func newStatusManager() status.Manager {
	return status.NewManager(${['nil, pods{}, nil', ...more].join(', ')})
}

func setPodStatus(manager status.Manager, pod *v1.Pod, next v1.PodStatus) {
	manager.SetPodStatus(${hasLogger ? 'klog.Background(), ' : ''}pod, next)
}
`;
}

function probesWire(minor: number): string {
  const managers = (minor < 17 ? ['liveness'] : minor < 21 ? ['liveness', 'startup'] : ['liveness', 'readiness', 'startup'])
    .map((kind) => `managers["${kind}"]`)
    .join(', ');
  const references = minor < 19 ? 'kubecontainer.NewRefManager(), ' : '';
  const withContext = minor >= 26;
  const update = minor >= 35 ? 'background, pod, next' : minor >= 28 ? 'pod, next' : 'pod.UID, next';
  return `func (s *script) RunInContainer(${withContext ? '_ context.Context, ' : ''}_ kubecontainer.ContainerID, _ []string, _ time.Duration) ([]byte, error) {
	return s.run()
}

func newProbeManager(statusManager status.Manager, managers resultManagers, commandRunner *script) prober.Manager {
	return prober.NewManager(statusManager, ${managers}, commandRunner, ${references}&record.FakeRecorder{})
}

func updatePodStatus(manager interface{}, pod *v1.Pod, next *v1.PodStatus) {
	manager.(prober.Manager).UpdatePodStatus(${update})
}

func addPod(manager interface{}, _ unsafe.Pointer, pod *v1.Pod) {
	manager.(prober.Manager).AddPod(${minor >= 35 ? 'background, ' : ''}pod)
}

//go:linkname newWorker k8s.io/kubernetes/pkg/kubelet/prober.newWorker
func newWorker(manager unsafe.Pointer, kind int, pod *v1.Pod, container v1.Container) unsafe.Pointer

//go:linkname doProbe k8s.io/kubernetes/pkg/kubelet/prober.(*worker).doProbe
func doProbe(worker unsafe.Pointer${withContext ? ', ctx context.Context' : ''}) bool

func probeOnce(worker unsafe.Pointer) bool { return doProbe(worker${withContext ? ', background' : ''}) }
`;
}
