import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProgram, minorOf } from '../build.ts';
import { downloadSource } from '../build-old.ts';
import { featureGatesFile } from '../feature-gates.ts';

/** The only release that the simulator's kubelet follows. */
export const kubeletReleases: readonly string[] = ['1.36.3'];

/**
 * Builds the program, unless it is cached, and returns its path. Its packages are copies of the kubelet's packages with a file of ours that
 * exports what the modes call: go:linkname cannot reach unexported types.
 */
export async function buildKubeletOracle(version: string): Promise<string> {
  const source = await downloadSource(version, tmpdir());
  const files: Record<string, string> = featureGatesFile(minorOf(version));
  for (const name of copiedPackages) Object.assign(files, await readGoFiles(join(source, 'pkg/kubelet', name), name));
  files['podworkers/pod_workers.go'] = removeJitter(await readFile(join(source, 'pkg/kubelet/pod_workers.go'), 'utf8'));
  files['termination/methods.go'] = cutMethods(await readFile(join(source, 'pkg/kubelet/kubelet.go'), 'utf8'));
  for (const name of ['', 'podworkers', 'termination', ...copiedPackages])
    Object.assign(files, await readGoFiles(join(import.meta.dirname, 'go', name), name));
  return buildProgram('kubelet', version, files);
}

const copiedPackages: readonly string[] = ['kuberuntime', 'nodeshutdown', 'status'];

/** Returns the functions of the kubelet that end a pod, as a file of the package "termination". */
function cutMethods(source: string): string {
  const functions = ['(kl *Kubelet) SyncTerminatingPod', '(kl *Kubelet) SyncTerminatedPod', 'preserveDataFromBeforeStopping'].map(
    (name) => {
      const from = source.indexOf(`\nfunc ${name}(`);
      if (from < 0) throw new Error(`kubelet.go: cannot find ${name}: adapt cutMethods`);
      return source.slice(from, source.indexOf('\n}\n', from) + 3);
    },
  );
  return `package termination\n\nimport (\n${importsOfMethods.map((line) => `\t${line}\n`).join('')})\n${functions.join('\n')}`;
}

const importsOfMethods: readonly string[] = [
  '"context"',
  '"errors"',
  '"fmt"',
  '"sort"',
  '"time"',
  '"go.opentelemetry.io/otel/attribute"',
  '"go.opentelemetry.io/otel/codes"',
  'semconv "go.opentelemetry.io/otel/semconv/v1.12.0"',
  '"go.opentelemetry.io/otel/trace"',
  'v1 "k8s.io/api/core/v1"',
  '"k8s.io/apimachinery/pkg/util/wait"',
  'utilfeature "k8s.io/apiserver/pkg/util/feature"',
  '"k8s.io/klog/v2"',
  '"k8s.io/kubernetes/pkg/features"',
  'kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"',
  '"k8s.io/kubernetes/pkg/kubelet/events"',
];

/** Makes the pod workers' retries deterministic. */
function removeJitter(source: string): string {
  const result = source.replaceAll('wait.Jitter(', 'withoutJitter(').replace(/^.*apimachinery\/pkg\/util\/wait"\n/m, '');
  if (!result.includes('withoutJitter(')) throw new Error('pod_workers.go: cannot find the jitter: adapt removeJitter');
  return result;
}

/** Returns the sources of a package, without its tests, by their names in the program. */
async function readGoFiles(folder: string, name: string): Promise<Record<string, string>> {
  const fileNames = (await readdir(folder)).filter((file) => file.endsWith('.go') && !file.endsWith('_test.go'));
  const read = async (file: string): Promise<[string, string]> => [join(name, file), await readFile(join(folder, file), 'utf8')];
  return Object.fromEntries(await Promise.all(fileNames.map(read)));
}
