import { type Cluster, createCluster } from '@kube-endpoints/simulator/internal';
import { computeEndpointSlices } from 'kube-endpoints';
import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createDeployment, createNodes, createPodTemplate, createService, readyAddresses, rest, type ScheduledPod } from './objects.ts';

type Fact = Readonly<Record<string, unknown>> & { readonly id: number; readonly at: number };

/** The facts of a pod's processes and API object in short, for example "SIGTERM web" and "update kubelet/n0". */
const describeFacts = (cluster: Cluster, pod: string, from: number): string[] =>
  (cluster.timeline.slice(from) as unknown as Fact[])
    .filter((fact) => fact['pod'] === pod || `default/${(fact['object'] as ApiObject | undefined)?.metadata.name}` === pod)
    .map((fact) => [fact['type'], fact['what'] ?? fact['state'] ?? fact['succeeded'] ?? fact['reason'] ?? fact['actor']].join(' '));

const started = (objects: readonly ApiObject[], seed = 1): Cluster => {
  const cluster = createCluster({ objects, seed });
  rest(cluster);
  return cluster;
};

describe('the cluster', () => {
  it('removes the endpoints of a Deployment that is scaled down, and keeps one', () => {
    const cluster = started([...createNodes(2), createService('web'), createDeployment('web')]);
    cluster.apply(createDeployment('web', { replicas: 1 }));
    rest(cluster);
    expect(cluster.list('Pod')).toHaveLength(1);
    expect(readyAddresses(cluster, 'web')).toHaveLength(1);
    // Its creation, and the controller's change of its size.
    expect(cluster.list('ReplicaSet')[0]?.metadata.generation).toBe(2);
  });

  it('ends a pod in the order of the kubelet: hook, SIGTERM, exit, status, deletion', () => {
    const lifecycle = { preStop: { sleep: { seconds: 5 } } };
    const cluster = started([...createNodes(1), createDeployment('web', { replicas: 1, container: { lifecycle } })]);
    const [pod] = cluster.list('Pod') as [ApiObject];
    const from = cluster.timeline.length;
    cluster.delete('Pod', 'default', pod.metadata.name as string);
    rest(cluster);
    expect(describeFacts(cluster, `default/${pod.metadata.name}`, from).filter((fact) => !fact.startsWith('update'))).toStrictEqual([
      'event Killing',
      'preStop started',
      'preStop ended',
      'container SIGTERM',
      'listener draining',
      'listener closed',
      'container exited',
      'delete kubelet/n0',
    ]);
    const at = (type: string, what: string): number =>
      (cluster.timeline as unknown as Fact[]).find((fact) => fact['type'] === type && fact['what'] === what)?.at ?? 0;
    expect(at('container', 'SIGTERM') - at('preStop', 'started')).toBe(5000);
  });

  it('kills the process of a pod whose image changes while the pod is still ready', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'default', labels: { app: 'web' } } };
    const { spec } = createPodTemplate('web') as { spec: { containers: object[] } };
    const cluster = started([...createNodes(1), createService('web'), { ...pod, spec }]);
    const stored = cluster.get<ApiObject & { spec: { containers: object[] } }>('Pod', 'default', 'web');
    const from = cluster.timeline.length;
    const containers = stored?.spec.containers.map((container) => ({ ...container, image: 'web:2' }));
    cluster.apply({ ...stored, spec: { ...stored?.spec, containers } } as ApiObject);
    rest(cluster);
    const facts = describeFacts(cluster, 'default/web', from);
    expect(facts.indexOf('container SIGTERM')).toBeLessThan(facts.indexOf('container started'));
    expect(facts.slice(0, facts.indexOf('container SIGTERM'))).toStrictEqual(['update user', 'event Killing']);
    expect(readyAddresses(cluster, 'web')).toHaveLength(1);
  });

  it('starts and updates the pods of a StatefulSet one after another', () => {
    const set = (image: string): ApiObject => ({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db', namespace: 'default' },
      spec: { replicas: 3, serviceName: 'db', selector: { matchLabels: { app: 'db' } }, template: createPodTemplate('db', { image }) },
    });
    const cluster = started([...createNodes(2), set('db:1')]);
    const created = (from: number): unknown[] =>
      (cluster.timeline.slice(from) as unknown as Fact[])
        .filter(({ type, object }) => type === 'create' && (object as ApiObject).kind === 'Pod')
        .map(({ object }) => (object as ApiObject).metadata.name);
    expect(created(0)).toStrictEqual(['db-0', 'db-1', 'db-2']);
    const from = cluster.timeline.length;
    cluster.apply(set('db:2'));
    rest(cluster);
    expect(created(from)).toStrictEqual(['db-2', 'db-1', 'db-0']);
  });

  it('evicts a pod only if its PodDisruptionBudget allows it', () => {
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'default' },
      spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
    };
    const cluster = started([...createNodes(2), budget, createDeployment('web')]);
    const [first, second] = cluster.list('Pod').map(({ metadata }) => metadata.name as string) as [string, string];
    cluster.evict('default', first);
    expect(() => cluster.evict('default', second)).toThrow("Cannot evict pod as it would violate the pod's disruption budget.");
    rest(cluster);
    cluster.evict('default', second);
  });

  it('restarts a process that exits with the back-off of the kubelet', () => {
    const startApplication =
      () =>
      (_ref: unknown, { onExit }: { onExit(code: number): void }) => {
        cluster.clock.at(cluster.clock.now() + 1000, () => onExit(1));
        return { terminate: () => undefined, kill: () => undefined, answers: () => false };
      };
    const objects = [...createNodes(1), createDeployment('web', { replicas: 1 })];
    const cluster: Cluster = createCluster({ objects, startApplication });
    cluster.runUntil(cluster.clock.now() + 400_000);
    const times = (what: string): number[] =>
      (cluster.timeline as unknown as Fact[]).filter((fact) => fact['what'] === what).map(({ at }) => at);
    const exits = times('exited');
    const waits = times('started')
      .slice(1)
      .map((at, i) => (at - (exits[i] as number)) / 1000);
    for (const [i, least] of [0, 10, 20, 40, 80].entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(least);
      // The kubelet waits for up to half as long again, and then reads the runtime, creates the container, and looks for due pods.
      expect(waits[i]).toBeLessThan(least * 1.5 + 5);
    }
    expect(cluster.list<ScheduledPod & { status: { containerStatuses: unknown[] } }>('Pod')[0]?.status.containerStatuses).toMatchObject([
      { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { exitCode: 1 } }, restartCount: waits.length },
    ]);
  });

  it('deletes the dependents of a deleted Deployment', () => {
    const cluster = started([...createNodes(1), createService('web'), createDeployment('web')]);
    cluster.delete('Deployment', 'default', 'web');
    rest(cluster);
    expect(cluster.list('ReplicaSet')).toStrictEqual([]);
    expect(cluster.list('Pod')).toStrictEqual([]);
    expect(readyAddresses(cluster, 'web')).toStrictEqual([]);
  });
});

describe('a seed', () => {
  const run = (seed: number, replicas = 3): Cluster => {
    const strategy = { strategy: { rollingUpdate: {} } };
    const cluster = started([...createNodes(2), createService('web'), createDeployment('web', { replicas })], seed);
    cluster.apply(createDeployment('web', { replicas, image: 'web:2', spec: strategy }));
    rest(cluster);
    return cluster;
  };

  it('decides about the whole timeline', () => {
    const text = JSON.stringify(run(7).timeline);
    expect(JSON.stringify(run(7).timeline)).toBe(text);
    expect(JSON.stringify(run(8).timeline)).not.toBe(text);
  });

  it('leads to slices that equal those of the stored state', () => {
    const cluster = run(9, 40);
    const [service] = cluster.list('Service');
    const nodes = cluster.list('Node');
    const expected = computeEndpointSlices(service as never, cluster.list('Pod') as never, { nodes: nodes as never });
    const endpointsOf = (slices: readonly object[]): unknown[] =>
      (slices as { endpoints: { addresses: string[]; conditions: object; nodeName: string }[] }[])
        .flatMap(({ endpoints }) => endpoints)
        .map(({ addresses, conditions, nodeName }) => ({ addresses, conditions, nodeName }))
        .sort((a, b) => (a.addresses.join() < b.addresses.join() ? -1 : 1));
    expect(endpointsOf(cluster.list('EndpointSlice'))).toStrictEqual(endpointsOf(expected));
  });
});
