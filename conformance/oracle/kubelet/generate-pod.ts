import {
  hashContainer,
  type KubeletContainer,
  type KubeletPod,
  type Resources,
  type RuntimeContainer,
  type RuntimeStatus,
} from '@kube-endpoints/simulator/internal';
import type { Random } from '../random.ts';
import { makePod, makeStatuses } from '../readiness/generate.ts';

/** Creates a pod with images, probes, resources and ephemeral containers. */
export function makeKubeletPod(random: Random): KubeletPod {
  const { metadata, spec, ...rest } = makePod(random, false);
  const complete = (container: KubeletContainer): KubeletContainer => makeContainer(random, container);
  const containerStatuses = makeStatuses(random, [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])], false, false);
  return {
    status: { ...rest.status, ...random.maybe(0.4, () => ({ containerStatuses })) },
    metadata: { ...metadata, ...(random.chance(0.08) && { deletionTimestamp: '2001-01-01T00:00:00Z' }) },
    spec: {
      ...spec,
      containers: (spec?.containers ?? []).map(complete),
      ...(spec?.initContainers && { initContainers: spec.initContainers.map(complete) }),
      ...random.maybe(0.15, () => ({ ephemeralContainers: [{ name: 'e0' }, { name: 'e1' }].slice(random.int(2)) })),
      ...random.maybe(0.1, () => ({ hostNetwork: true })),
      ...random.maybe(0.1, () => ({ hostUsers: false })),
      ...random.maybe(0.15, () => ({ resources: makeResources(random) })),
    },
  };
}

const images: readonly string[] = ['web', 'web:2', 'example.com/a<b>&c', 'née\u2028@sha256:0123', ''];

function makeContainer(random: Random, container: KubeletContainer): KubeletContainer {
  return {
    ...container,
    image: random.pick(images),
    ...random.maybe(0.3, () => ({ startupProbe: makeProbe(random) })),
    ...random.maybe(0.3, () => ({ livenessProbe: makeProbe(random) })),
    ...random.maybe(0.4, () => ({ resources: makeResources(random) })),
    ...random.maybe(0.2, () => ({
      resizePolicy: ['cpu', 'memory', 'cpu'].slice(random.int(3)).map((resourceName) => ({
        resourceName,
        restartPolicy: random.pick(['NotRequired', 'RestartContainer']),
      })),
    })),
  };
}

export const makeProbe = (random: Random): NonNullable<KubeletContainer['livenessProbe']> => ({
  httpGet: { port: 80 },
  ...random.maybe(0.5, () => ({ terminationGracePeriodSeconds: random.pick([1, 3, 10, 100]) })),
});

export function makeResources(random: Random): Resources {
  const quantities = (): Record<string, string> => ({
    ...random.maybe(0.6, () => ({ cpu: random.pick(['0', '100m', '0.1', '1', '1500u', '2']) })),
    ...random.maybe(0.6, () => ({ memory: random.pick(['0', '64Mi', '67108864', '1G', '100500m', '2Gi']) })),
  });
  return { ...random.maybe(0.7, () => ({ limits: quantities() })), ...random.maybe(0.7, () => ({ requests: quantities() })) };
}

/** Creates sandboxes and containers of a pod, most of which are as the pod's spec says. */
export function makeRuntime(random: Random, pod: KubeletPod): RuntimeStatus {
  const usesHostNetwork = !!pod.spec?.hostNetwork;
  const isUsual = random.chance(0.75);
  const count = isUsual ? 1 : random.int(3);
  const sandboxes = Array.from({ length: count }, (_, i) => ({
    id: `s${i}`,
    attempt: count - i - 1 + random.int(2),
    ready: isUsual || random.chance(0.6),
    hostNetwork: random.chance(isUsual ? 0 : 0.1) ? !usesHostNetwork : usesHostNetwork,
    ...random.maybe(0.8, () => ({ ip: isUsual || random.chance(0.7) ? '10.0.0.1' : '' })),
  }));
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const isInitialized = random.chance(0.6);
  return {
    sandboxes,
    containers: [
      ...(containers ?? []).flatMap((each) => (isInitialized ? makeRuntimeContainers(random, each) : [])),
      ...(initContainers ?? []).flatMap((each) => makeRuntimeContainers(random, each, isInitialized ? 0.8 : 0.5)),
      ...(ephemeralContainers ?? []).flatMap((each) => makeRuntimeContainers(random, each, 0.5)),
    ],
  };
}

/** Creates the container of the spec as the runtime has it, and sometimes its predecessors. */
function makeRuntimeContainers(random: Random, container: KubeletContainer, share = 0.9): RuntimeContainer[] {
  if (!random.chance(share)) return [];
  const isOneShot = random.chance(0.5);
  return Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, (_, i) => ({
    id: `containerd://${container.name}-${i}`,
    name: container.name ?? '',
    state: i > 0 || (isOneShot && random.chance(0.3)) ? 'exited' : random.pick(containerStates),
    hash: hashContainer(random.chance(0.9) ? container : { ...container, image: 'other' }),
    exitCode: random.pick([0, 0, 1, 42, 137]),
    ...random.maybe(0.1, () => ({ reason: 'OOMKilled' })),
    finishedAt: '1999-12-31T23:59:00Z',
  }));
}

const containerStates = ['running', 'running', 'running', 'running', 'exited', 'exited', 'created', 'unknown'] as const;
