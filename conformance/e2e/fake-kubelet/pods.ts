/** The fields of a pod that a scheduler and a kubelet read. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly ownerReferences?: readonly { readonly kind: string }[];
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly schedulerName?: string;
    readonly schedulingGates?: readonly unknown[];
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
  };
  readonly status?: { readonly phase?: string; readonly observedGeneration?: number };
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly restartPolicy?: string;
  readonly resources?: { readonly requests?: { readonly cpu?: string } };
}

/** The next request for a pod. A status is merged into the existing one. */
export type PodAction =
  | { readonly type: 'bind'; readonly node: string }
  | { readonly type: 'delete' }
  | { readonly type: 'report'; readonly status: object };

/** A node's name and the number of its CPUs. */
export interface NodeCapacity {
  readonly name: string;
  readonly cpus: number;
}

export interface Surroundings {
  readonly nodes: readonly NodeCapacity[];
  /** RFC 3339, with seconds. */
  readonly now: string;
  /** Returns the address of a pod, always the same one for the same UID. */
  readonly addressOf: (uid: string) => string;
}

/**
 * Returns what a scheduler or a kubelet does next with a pod; undefined if nothing. A pod is bound to the first node that it fits, in
 * the given order, and all its containers run and are ready at once; those of a Job succeed instead.
 */
export function nextAction(pod: Pod, { nodes, now, addressOf }: Surroundings): PodAction | undefined {
  const { metadata, spec, status = {} } = pod;
  if (spec.nodeName === undefined || spec.nodeName === '') {
    const node = metadata.deletionTimestamp === undefined ? findNode(pod, nodes) : undefined;
    return node && { type: 'bind', node: node.name };
  }
  if (!nodes.some(({ name }) => name === spec.nodeName)) return undefined;
  if (metadata.deletionTimestamp !== undefined) return { type: 'delete' };
  if ((status.phase ?? 'Pending') === 'Pending') return { type: 'report', status: createStatus(pod, now, addressOf(metadata.uid)) };
  const isOutdated = status.observedGeneration !== undefined && status.observedGeneration !== metadata.generation;
  return isOutdated ? { type: 'report', status: { observedGeneration: metadata.generation } } : undefined;
}

function findNode({ spec }: Pod, nodes: readonly NodeCapacity[]): NodeCapacity | undefined {
  if ((spec.schedulingGates ?? []).length > 0 || (spec.schedulerName ?? 'default-scheduler') !== 'default-scheduler') return undefined;
  const requestedCpus = spec.containers.map(({ resources }) => cpusOf(resources?.requests?.cpu ?? '0')).reduce((a, b) => a + b, 0);
  const hostname = spec.nodeSelector?.['kubernetes.io/hostname'];
  return nodes.find(({ name, cpus }) => requestedCpus <= cpus && (hostname === undefined || hostname === name));
}

const cpusOf = (quantity: string): number => Number.parseFloat(quantity) / (quantity.endsWith('m') ? 1000 : 1);

function createStatus({ metadata, spec }: Pod, now: string, ip: string): object {
  const succeeds = (metadata.ownerReferences ?? []).some(({ kind }) => kind === 'Job');
  const containerStatus = (container: Container, isRunning: boolean): object => ({
    name: container.name,
    image: container.image,
    imageID: container.image,
    containerID: `fake://${metadata.uid}/${container.name}`,
    restartCount: 0,
    started: isRunning,
    ready: isRunning,
    state: isRunning
      ? { running: { startedAt: now } }
      : { terminated: { exitCode: 0, reason: 'Completed', startedAt: now, finishedAt: now } },
  });
  const condition = (type: string, isTrue: boolean): object => ({ type, status: isTrue ? 'True' : 'False', lastTransitionTime: now });
  return {
    observedGeneration: metadata.generation,
    phase: succeeds ? 'Succeeded' : 'Running',
    hostIP: HOST_IP,
    hostIPs: [{ ip: HOST_IP }],
    podIP: ip,
    podIPs: [{ ip }],
    startTime: now,
    conditions: [
      condition('PodScheduled', true),
      condition('Initialized', true),
      condition('ContainersReady', !succeeds),
      condition('Ready', !succeeds),
    ],
    containerStatuses: spec.containers.map((container) => containerStatus(container, !succeeds)),
    ...(spec.initContainers && {
      initContainerStatuses: spec.initContainers.map((container) => containerStatus(container, container.restartPolicy === 'Always')),
    }),
  };
}

const HOST_IP = '10.250.0.1';
