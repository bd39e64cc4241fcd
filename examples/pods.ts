import type { Manifest } from './manifest.ts';
import { addressOf, type Node, type Placement } from './placement.ts';
import type { Random } from './random.ts';
import { createPodStatus, isBound } from './status.ts';
import type { PodState, Revision, Workload } from './workloads/model.ts';

/** The grace period of terminating pods. They must still exist while examples/cluster/endpoints.yaml is recorded. */
const GRACE_SECONDS = 3600;
/** Each pod has been in its state for less than this time. */
const MAX_AGE_SECONDS = 5400;

interface Context {
  readonly namespace: string;
  readonly placement: Placement;
  readonly random: Random;
  /** The current time of the example cluster. */
  readonly at: Date;
}

/** Creates the pods of a workload as their owner and the kubelet would write them. */
export function createPods(workload: Workload, context: Context): Manifest[] {
  const pods: Manifest[] = [];
  for (const revision of workload.revisions) {
    for (const [state, count] of Object.entries(revision.pods) as [PodState, number][]) {
      for (let i = 0; i < count; i += 1) pods.push(createPod(workload, revision, state, pods.length, context));
    }
  }
  return pods;
}

function createPod(workload: Workload, revision: Revision, state: PodState, ordinal: number, context: Context): Manifest {
  const node = context.placement.nodeFor(workload.pool ?? 'worker', workload.node);
  const hostNetwork = workload.hostNetwork ?? false;
  const families = workload.families ?? '4';
  const name = createPodName(workload, revision, ordinal, context.random);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: context.namespace,
      labels: createPodLabels(workload, revision, name),
      ...(state === 'terminating' ? deletionFields(context.at) : {}),
    },
    spec: createPodSpec(workload, revision, name, isBound(state) ? node : undefined),
    status: createPodStatus({
      state,
      since: formatInstant(new Date(context.at.getTime() - context.random.below(MAX_AGE_SECONDS) * 1000)),
      hostIPs: [addressOf(node, false), addressOf(node, true)],
      podIPs: isBound(state) && state !== 'creating' ? context.placement.assignAddresses(node, families, hostNetwork) : [],
      container: workload.name,
      image: revision.image,
      isMinimal: workload.minimalStatus ?? false,
    }),
  };
}

function createPodName({ kind, name }: Workload, { hash }: Revision, ordinal: number, random: Random): string {
  if (kind === 'StatefulSet') return `${name}-${ordinal}`;
  return kind === 'Deployment' ? `${name}-${hash}-${random.suffix()}` : `${name}-${random.suffix()}`;
}

function createPodLabels({ kind, labels }: Workload, revision: Revision, name: string): Record<string, string> {
  const template: Record<Workload['kind'], Record<string, string>> = {
    Deployment: { 'pod-template-hash': revision.hash },
    StatefulSet: { 'controller-revision-hash': revision.hash, 'statefulset.kubernetes.io/pod-name': name },
    DaemonSet: { 'controller-revision-hash': revision.hash },
    Job: {},
  };
  return { ...labels, ...revision.labels, ...template[kind] };
}

function deletionFields(at: Date): { deletionTimestamp: string; deletionGracePeriodSeconds: number } {
  return { deletionTimestamp: formatInstant(new Date(at.getTime() + GRACE_SECONDS * 1000)), deletionGracePeriodSeconds: GRACE_SECONDS };
}

function createPodSpec(workload: Workload, revision: Revision, podName: string, node: Node | undefined): Record<string, unknown> {
  const { subdomain, hostNetwork, restartPolicy } = workload;
  const container = (name: string, ports: readonly string[] = [], fields: Record<string, unknown> = {}): Record<string, unknown> => ({
    name,
    image: name === workload.name ? revision.image : `${name}:1`,
    ...fields,
    ...(ports.length === 0 ? {} : { ports: ports.map((text) => parseContainerPort(text, hostNetwork ?? false)) }),
  });
  const sidecars = Object.entries(revision.sidecars ?? {}).map(([sidecar, ports]) =>
    container(sidecar, ports, { restartPolicy: 'Always' }),
  );
  const extraContainers = Object.entries(revision.extraContainers ?? {}).map(([extra, ports]) => container(extra, ports));
  return {
    ...(node === undefined ? {} : { nodeName: node.name }),
    ...(subdomain === undefined ? {} : { hostname: podName, subdomain }),
    ...(hostNetwork ? { hostNetwork } : {}),
    restartPolicy: restartPolicy ?? 'Always',
    ...(sidecars.length === 0 ? {} : { initContainers: sidecars }),
    containers: [container(workload.name, revision.ports), ...extraContainers],
  };
}

/** Parses a port such as "dns:53/UDP". */
function parseContainerPort(text: string, hostNetwork: boolean): Record<string, unknown> {
  const [, name, port, protocol] = /^([^:]+):(\d+)(?:\/(\w+))?$/.exec(text) ?? [];
  const number = Number(port);
  return { name, containerPort: number, ...(hostNetwork ? { hostPort: number } : {}), protocol: protocol ?? 'TCP' };
}

function formatInstant(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
