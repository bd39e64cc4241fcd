import type { Random } from '../../examples/random.ts';
import type { ContainerObject, ContainerStatusObject, PodObject } from './objects.ts';

/** A random source that also counts, for addresses. */
export interface Source extends Random {
  next(): number;
}

export interface PodOptions {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Record<string, string>;
  readonly node: string;
  readonly isDualStack: boolean;
  readonly port: { readonly name?: string; readonly containerPort: number; readonly protocol: string };
}

const portNames = ['http', 'grpc', 'serve', undefined] as const;

export function createPodPort(random: Random): { name?: string; containerPort: number; protocol: string } {
  const name = random.pick(portNames);
  return { ...(name && { name }), containerPort: 8000 + random.below(100), protocol: random.chance(0.1) ? 'UDP' : 'TCP' };
}

export const probes = {
  http: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 5 },
  tcp: { tcpSocket: { port: 8080 } },
  grpc: { grpc: { port: 9000 } },
  exec: { exec: { command: ['/bin/check'] } },
} as const;

export const createStatus = (name: string): ContainerStatusObject => ({
  name,
  ready: true,
  started: true,
  restartCount: 0,
  state: { running: { startedAt: '2026-05-01T03:00:00Z' } },
});

/** Creates a ready pod: sometimes with probes, a second container, an init container, a sidecar or a readiness gate. */
export function createPod({ namespace, name, labels, node, isDualStack, port }: PodOptions, random: Source): PodObject {
  const podCount = random.next();
  const ip = `10.244.${podCount >> 8}.${podCount & 255}`;
  const containers: ContainerObject[] = [{ name: 'app', ports: [{ ...port }] }];
  if (random.chance(0.3))
    containers[0] = { ...(containers[0] as ContainerObject), readinessProbe: random.chance(0.5) ? probes.http : probes.tcp };
  if (random.chance(0.2)) containers.push({ name: 'proxy' });
  const initContainers: ContainerObject[] = [];
  if (random.chance(0.15)) initContainers.push({ name: 'migrate' });
  if (random.chance(0.15)) initContainers.push({ name: 'mesh', restartPolicy: 'Always' });
  const hasGate = random.chance(0.1);
  const initStatuses = initContainers.map(({ name: container, restartPolicy }) =>
    restartPolicy ? createStatus(container) : { ...createStatus(container), state: { terminated: { exitCode: 0, reason: 'Completed' } } },
  );
  const restarted = random.chance(0.1) && { restartCount: 2, lastState: { terminated: { exitCode: 1, reason: 'Error' } } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, uid: `${namespace}-${name}-${podCount}`, labels: { ...labels, 'pod-template-hash': '7d4b9' } },
    spec: {
      nodeName: node,
      containers,
      ...(initContainers.length > 0 && { initContainers }),
      restartPolicy: 'Always',
      ...(hasGate && { readinessGates: [{ conditionType: 'example.com/gate' }] }),
    },
    status: {
      phase: 'Running',
      podIP: ip,
      podIPs: [{ ip }, ...(isDualStack ? [{ ip: `fd00::${podCount.toString(16)}` }] : [])],
      conditions: [
        { type: 'PodScheduled', status: 'True' },
        { type: 'Initialized', status: 'True' },
        { type: 'ContainersReady', status: 'True' },
        { type: 'Ready', status: 'True' },
        ...(hasGate ? [{ type: 'example.com/gate', status: 'True' }] : []),
      ],
      containerStatuses: containers.map(({ name: container }) => ({ ...createStatus(container), ...restarted })),
      ...(initStatuses.length > 0 && { initContainerStatuses: initStatuses }),
    },
  };
}
