import { type Cluster, type ClusterOptions, createCluster, createRandomChoice } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { type Fault, type FaultContext, faults } from './faults.ts';

/** A simulated cluster in which a Service was emptied by a fault. */
export interface World {
  readonly seed: number;
  readonly fault: Fault;
  readonly cluster: Cluster;
  /** When the fault began, in milliseconds since the epoch. */
  readonly faultAt: number;
  readonly start: number;
}

export const service = { namespace: 'shop', name: 'web' };

type StartApplication = ReturnType<NonNullable<ClusterOptions['startApplication']>>;

/** Runs a cluster until its pods are ready, injects the fault of the seed, ends it, and runs until all is well again. */
export function runWorld(seed: number): World {
  const choose = createRandomChoice(seed);
  const draw = (bound: number): number => choose({ name: 'sync', actor: 'test' }, { min: 0, max: bound - 1 });
  const fault = faults[seed % faults.length] as Fault;
  const start = Date.UTC(2026, 10, 30, 2, 10) + draw(1000);
  const behaviour: FaultContext['behaviour'] = { isFailing: false };
  const cluster: Cluster = createCluster({
    objects: [
      ...createNodes(1 + draw(3)),
      createService(),
      createDeployment(1 + draw(4), 1 + draw(5), fault.isOnOneNode ? 'n0' : undefined),
    ],
    seed,
    start,
    choose: (request, range) => behaviour.delayOf?.(request, cluster.clock.now()) ?? choose(request, range),
    startApplication: (clock) => createApplications(clock, behaviour),
  });
  const run = (milliseconds: number): void => cluster.runUntil(cluster.clock.now() + milliseconds);
  run(60_000);
  if (draw(2) === 0) scale(cluster, 1 + draw(4));
  run(60_000 + draw(1000));
  const faultAt = cluster.clock.now();
  fault.inject({ cluster, behaviour, run });
  run(120_000);
  return { seed, fault, cluster, faultAt, start };
}

const createNodes = (count: number): ApiObject[] =>
  Array.from({ length: count }, (_, i) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: `n${i}` } }));

const createService = (): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: service,
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] },
});

/** @param node the only node of its pods */
const createDeployment = (replicas: number, periodSeconds: number, node?: string): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: service,
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        ...(node && { nodeSelector: { 'kubernetes.io/hostname': node } }),
        containers: [
          {
            name: 'web',
            image: 'web:1',
            ports: [{ name: 'http', containerPort: 8080 }],
            readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds, failureThreshold: 1 },
          },
        ],
      },
    },
  },
});

function scale(cluster: Cluster, replicas: number): void {
  const deployment = cluster.get<ApiObject>('Deployment', service.namespace, service.name) as ApiObject;
  cluster.apply({ ...deployment, spec: { ...(deployment['spec'] as object), replicas } });
}

/** Processes that serve until they are terminated, and whose readiness probes fail while `isFailing` is set. */
const createApplications =
  (clock: Cluster['clock'], behaviour: FaultContext['behaviour']): StartApplication =>
  ({ image: _, ...container }, { onExit }) => {
    const actor = `${container.pod} ${container.container}`;
    let isOpen = false;
    const setOpen = (next: boolean): void => {
      if (isOpen !== next) clock.record({ type: 'listener', state: next ? 'open' : 'closed', ...container });
      isOpen = next;
    };
    const starting = clock.after({ name: 'applicationStart', actor }, () => setOpen(true));
    return {
      terminate: () => {
        starting.cancel();
        clock.after({ name: 'applicationExit', actor }, () => {
          setOpen(false);
          onExit(0);
        });
      },
      kill: () => setOpen(false),
      answers: (probe) => isOpen && !(probe === 'readiness' && behaviour.isFailing),
    };
  };
