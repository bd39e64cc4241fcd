import { type Cluster, createCluster } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createDeployment, createNodes, rest } from './objects.ts';

interface Pod extends ApiObject {
  readonly spec: { readonly nodeName?: string };
  readonly status: { readonly conditions?: readonly Condition[] };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

const createPod = (name: string, spec: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'web', image: 'web:1' }], ...spec },
});

const requesting = (requests: object): object => ({ containers: [{ name: 'web', image: 'web:1', resources: { requests } }] });

const createZones = (count: number, allocatable: object = { cpu: '4', memory: '8Gi', pods: '110' }): ApiObject[] =>
  createNodes(count).map((node, i) => ({
    ...node,
    metadata: { ...node.metadata, labels: { 'topology.kubernetes.io/zone': `z${i % 3}` } },
    status: { allocatable, conditions: [{ type: 'Ready', status: 'True' }] },
  }));

const started = (objects: readonly ApiObject[]): Cluster => {
  const cluster = createCluster({ objects, seed: 1 });
  rest(cluster);
  return cluster;
};

const podOf = (cluster: Cluster, name: string): Pod | undefined => cluster.get<Pod>('Pod', 'default', name);
const nodeOf = (cluster: Cluster, name: string): string | undefined => podOf(cluster, name)?.spec.nodeName;
const scheduledOf = (cluster: Cluster, name: string): Condition | undefined =>
  podOf(cluster, name)?.status.conditions?.find(({ type }) => type === 'PodScheduled');

/** The numbers of pods by node, sorted by node. */
const countByNode = (cluster: Cluster): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(cluster.list<Pod>('Pod'), ({ spec }) => spec.nodeName ?? 'none')].map(([node, pods]) => [node, pods.length]).sort(),
  );

describe('the scheduler of the cluster', () => {
  it('reports why a pod fits on no node', () => {
    const [first, ...others] = createZones(3) as [ApiObject, ApiObject, ApiObject];
    const cordoned = { ...first, spec: { unschedulable: true } };
    const cluster = started([cordoned, ...others, createPod('a', requesting({ cpu: '5' }))]);
    expect(nodeOf(cluster, 'a')).toBeUndefined();
    expect(scheduledOf(cluster, 'a')).toMatchObject({
      status: 'False',
      reason: 'Unschedulable',
      message:
        '0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu. no new claims to deallocate, preemption: ' +
        '0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    });
    expect(cluster.timeline.filter((entry) => entry.type === 'event' && entry.reason === 'FailedScheduling')).not.toHaveLength(0);
  });

  it('places a waiting pod when the pod that took its room is deleted', () => {
    const cluster = started([...createZones(1), createPod('a', requesting({ cpu: '3' }))]);
    cluster.apply(createPod('b', requesting({ cpu: '3' })));
    rest(cluster);
    expect([nodeOf(cluster, 'a'), nodeOf(cluster, 'b')]).toStrictEqual(['n0', undefined]);
    cluster.delete('Pod', 'default', 'a');
    rest(cluster);
    expect(nodeOf(cluster, 'b')).toBe('n0');
    expect(scheduledOf(cluster, 'b')).toMatchObject({ status: 'True' });
  });

  it('places a pod whose deleted predecessor is being bound', () => {
    const [short, long] = [
      { min: 100, max: 100 },
      { min: 500, max: 500 },
    ];
    const ranges = { watch: { min: 1, max: 1 }, schedule: short, request: long };
    const cluster = createCluster({ objects: createNodes(1), ranges });
    const run = (milliseconds: number): void => cluster.runUntil(cluster.clock.now() + milliseconds);
    cluster.apply(createPod('a'));
    run(50);
    cluster.delete('Pod', 'default', 'a');
    cluster.apply(createPod('a'));
    // The binding of the first pod fails after 601 ms, that of the second one starts after 201 ms.
    run(1050);
    expect(nodeOf(cluster, 'a')).toBeUndefined();
    run(1);
    expect(nodeOf(cluster, 'a')).toBe('n0');
  });

  it('places one pod after another, each in a delay of "schedule"', () => {
    const pods = Array.from({ length: 5 }, (_, i) => createPod(`p${i}`));
    const cluster = createCluster({
      objects: [...createNodes(2), ...pods],
      choose: (_, { max }) => max,
      ranges: { schedule: { min: 0, max: 1000 } },
    });
    const start = cluster.clock.now();
    cluster.runUntil(start + 20_000);
    const bound = cluster.timeline.filter((entry) => entry.type === 'update' && entry.actor === 'scheduler').map(({ at }) => at - start);
    expect(bound).toStrictEqual([1050, 2050, 3050, 4050, 5050]);
  });

  it('records the creation of a pod as the cause of its binding', () => {
    const cluster = started([...createZones(2), createDeployment('web', { replicas: 4 })]);
    const bindings = cluster.timeline.filter((entry) => entry.type === 'update' && entry.actor === 'scheduler');
    const causes = bindings.map(({ cause }) => cluster.timeline[cause as number]);
    expect(causes.map((entry) => entry?.type)).toStrictEqual(['create', 'create', 'create', 'create']);
    expect(causes.map((entry) => entry && 'object' in entry && entry.object.metadata.name)).toStrictEqual(
      bindings.map((entry) => 'object' in entry && entry.object.metadata.name),
    );
  });

  it('keeps required topology spread and anti-affinity in a rollout', () => {
    const labelSelector = { matchLabels: { app: 'web' } };
    const spread = { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector };
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'db' } } };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const create = (image: string): ApiObject[] => [
      createDeployment('web', {
        image,
        replicas: 6,
        podSpec: { topologySpreadConstraints: [{ ...spread, matchLabelKeys: ['pod-template-hash'] }] },
      }),
      createDeployment('db', { image, replicas: 3, podSpec: { affinity } }),
    ];
    const cluster = started([...createZones(6), ...create('web:1')]);
    for (const object of create('web:2')) cluster.apply(object);
    rest(cluster);
    const pods = cluster.list<Pod>('Pod');
    const zonesOf = (app: string): string[] =>
      pods
        .filter(({ metadata }) => metadata.labels?.['app'] === app)
        .map(({ spec }) => `z${Number(spec.nodeName?.slice(1)) % 3}`)
        .sort();
    expect(zonesOf('web')).toStrictEqual(['z0', 'z0', 'z1', 'z1', 'z2', 'z2']);
    const dbNodes = pods.filter(({ metadata }) => metadata.labels?.['app'] === 'db').map(({ spec }) => spec.nodeName);
    expect(new Set(dbNodes).size).toBe(3);
  });

  it('spreads equal pods evenly, and places the first ones in the order of the nodes', () => {
    const cluster = started([...createZones(3), createDeployment('web', { replicas: 7 })]);
    expect(countByNode(cluster)).toStrictEqual({ n0: 3, n1: 2, n2: 2 });
  });
});
