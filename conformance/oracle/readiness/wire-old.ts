/** Go files that depend on the type of probe results, the logger, and the sources of releases before 1.17. */
export const oldWire = (minor: number): Readonly<Record<string, string>> => ({
  'wire_results.go': resultsWire(minor),
  ...(minor < 13 && { 'wire_log.go': glogWire }),
  ...(minor < 11 && safefile),
});

/** The first minor release whose `generateAPIPodStatus` needs more of the kubelet than `go/generate.go` has. */
export const firstMinorWithoutGenerate = 18;

/** Packages that the functions may use, and their names in the file of the functions. */
const packages: Readonly<Record<string, string>> = {
  features: 'k8s.io/kubernetes/pkg/features',
  format: 'k8s.io/kubernetes/pkg/kubelet/util/format',
  glog: 'github.com/golang/glog',
  klog: 'k8s.io/klog',
  kubecontainer: 'k8s.io/kubernetes/pkg/kubelet/container',
  kubetypes: 'k8s.io/kubernetes/pkg/kubelet/types',
  podutil: 'k8s.io/kubernetes/pkg/api/v1/pod',
  status: 'k8s.io/kubernetes/pkg/kubelet/status',
  utilfeature: 'k8s.io/apiserver/pkg/util/feature',
  v1: 'k8s.io/api/core/v1',
  v1qos: 'k8s.io/kubernetes/pkg/apis/core/v1/helper/qos',
};

/** Returns a Go file with the functions of `kubelet_pods.go` that compute the phase and the status, so that nothing imports the complete kubelet. */
export function generateWire(kubeletPods: string, minor: number): string {
  const names = [minor < 10 ? 'GetPhase' : 'getPhase', 'generateAPIPodStatus', 'convertStatusToAPIStatus'];
  const functions = names.map((name) => {
    const text = new RegExp(`^func (?:\\(kl \\*Kubelet\\) )?${name}\\(.*?^}`, 'ms').exec(kubeletPods)?.[0];
    if (text === undefined) throw new Error(`kubelet_pods.go of 1.${minor} has no function ${name}`);
    return text;
  });
  const text = functions.join('\n\n');
  const imports = Object.entries(packages).filter(([name]) => new RegExp(`\\b${name}\\.`).test(text));
  return `package main

import (
${imports.map(([name, path]) => `\t${name} "${path}"\n`).join('')})

var phase = ${names[0]}

func podIPs(ips []string) (status kubecontainer.PodStatus) {
${minor < 16 ? '\tif len(ips) > 0 {\n\t\tstatus.IP = ips[0]\n\t}' : '\tstatus.IPs = ips'}
	return status
}

${text}
`;
}

/** Up to 1.16, a result is a boolean: every result but Success is Failure. */
const resultsWire = (minor: number): string => `package main

import "k8s.io/kubernetes/pkg/kubelet/prober/results"

var stored = map[string]results.Result{"success": results.Success, "failure": results.Failure${minor < 17 ? '' : ', "unknown": results.Unknown'}}
`;

/** Third-party modules of releases without go.mod: the interface of a command in `k8s.io/utils` had fewer methods up to 1.13. */
export function replacementsFor(minor: number): readonly string[] {
  if (minor > 13) return [];
  const utils = minor > 11 ? '20180726175726-66066c83e385' : minor > 10 ? '20180208044234-258e2a2fa645' : '20171122000934-aedf551cdb8b';
  return [`k8s.io/utils => k8s.io/utils v0.0.0-${utils}`, ...(minor > 10 ? [] : ['github.com/dchest/safefile => ./safefile'])];
}

/** A module that no longer exists. The kubelet writes checkpoints with it, which the programs do not. */
const safefile: Readonly<Record<string, string>> = {
  'safefile/go.mod': 'module github.com/dchest/safefile\n',
  'safefile/safefile.go': `package safefile

import "os"

func WriteFile(string, []byte, os.FileMode) error { panic("not implemented") }
`,
};

/** Discards the log, which glog would write to files. */
const glogWire = `package main

import (
	"flag"
	"os"
)

func init() {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	os.Stderr = null
	if err := flag.Set("logtostderr", "true"); err != nil {
		panic(err)
	}
}
`;

/** Up to 1.10, the kubelet does not merge statuses: it replaces the status in the API server. */
export const oldMergeWire = `// versioned has the layout of versionedPodStatus.
type versioned struct {
	status          v1.PodStatus
	version         uint64
	name, namespace string
}

//go:linkname syncPod k8s.io/kubernetes/pkg/kubelet/status.(*manager).syncPod
func syncPod(manager unsafe.Pointer, uid types.UID, next versioned)

func merge(pod *v1.Pod, stored, next v1.PodStatus, _ bool) v1.PodStatus {
	current := pod.DeepCopy()
	current.Status = stored
	client := fake.NewSimpleClientset(current)
	manager := status.NewManager(client, pods{}, nil)
	syncPod(unsafe.Pointer(reflect.ValueOf(manager).Pointer()), pod.UID, versioned{next, 1, pod.Name, pod.Namespace})
	written, err := client.CoreV1().Pods(pod.Namespace).Get(pod.Name, metav1.GetOptions{})
	if err != nil {
		panic(err)
	}
	return written.Status
}
`;
