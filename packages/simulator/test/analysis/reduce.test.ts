import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { reduceWorld, withoutOtherWorkloads } from '../../src/analysis/reduce.ts';
import { countPods, replicasOf } from '../../src/analysis/world.ts';

const metadata = (name: string): ApiObject['metadata'] => ({ name, namespace: 'default' });

const deployment = (name: string, replicas: number, strategy?: object): ApiObject => ({
  kind: 'Deployment',
  metadata: metadata(name),
  spec: { replicas, ...(strategy && { strategy }), template: { metadata: { labels: { app: name, tier: 'web' } } } },
});

const service = (name: string, selector?: Record<string, string>): ApiObject => ({
  kind: 'Service',
  metadata: metadata(name),
  spec: { ...(selector && { selector }) },
});

const node = (name: string, labels: Record<string, string> = {}, taints?: object[]): ApiObject => ({
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
  ...(taints && { spec: { taints } }),
});

const namesOf = (objects: readonly ApiObject[] = []): (string | undefined)[] => objects.map(({ metadata: { name } }) => name);

test('a reduced world has fewer replicas and nodes in proportion, and keeps at least eight replicas and three nodes', () => {
  const nodes = Array.from({ length: 50 }, (_, i) => node(`n${i}`));
  const world = {
    objects: [...nodes, deployment('web', 900), deployment('api', 92), deployment('db', 8)],
    change: [deployment('web', 900)],
  };
  const reduced = reduceWorld(world, 200);
  expect(reduced?.objects.filter(({ kind }) => kind === 'Node')).toHaveLength(10);
  const workloads = [...(reduced?.objects ?? []), ...(reduced?.change ?? [])].filter(({ kind }) => kind === 'Deployment');
  expect(workloads).toStrictEqual([deployment('web', 180), deployment('api', 18), deployment('db', 8), deployment('web', 180)]);
  expect(reduceWorld(world, 1)?.objects).toStrictEqual([
    ...nodes.slice(0, 3),
    deployment('web', 8),
    deployment('api', 8),
    deployment('db', 8),
  ]);
});

test('the pods of a change, of ReplicaSets and without a workload count, and invalid numbers do not', () => {
  const grown = { objects: [deployment('web', 2)], change: [deployment('web', 1000), deployment('new', 1000)] };
  expect(reduceWorld(grown, 400)?.change).toStrictEqual([deployment('web', 200), deployment('new', 200)]);
  const replicaSet = { ...deployment('set', 100), kind: 'ReplicaSet' };
  const pods = Array.from({ length: 100 }, (_, i): ApiObject => ({ kind: 'Pod', metadata: metadata(`p${i}`) }));
  expect(countPods({ objects: [replicaSet, ...pods], change: [] })).toBe(200);
  const invalid = { objects: [deployment('web', 1000), deployment('bad', 'x' as never), deployment('worse', -5)], change: [] };
  expect(reduceWorld(invalid, 100)?.objects.slice(1)).toStrictEqual(invalid.objects.slice(1));
});

test('a reduced world runs fewer pods of a Job at a time, unless it is indexed', () => {
  const job = (name: string, spec: object): ApiObject => ({ kind: 'Job', metadata: metadata(name), spec });
  const indexed = job('indexed', { parallelism: 100, completions: 100, completionMode: 'Indexed' });
  const { objects } = reduceWorld({ objects: [job('work', { parallelism: 100, completions: 500 }), indexed], change: [] }, 20) ?? {};
  expect(objects).toStrictEqual([job('work', { parallelism: 10, completions: 500 }), indexed]);
});

test.each([
  ['one without numbers', {}, 1],
  ['its parallelism', { parallelism: 5 }, 5],
  ['at most its completions', { parallelism: 5, completions: 3 }, 3],
  ['a suspended one', { parallelism: 5, suspend: true }, 0],
  ['an invalid number', { parallelism: 'x' }, 1],
])('the number of pods of a Job: %s', (_, spec, count) => {
  expect(replicasOf({ kind: 'Job', metadata: metadata('work'), spec })).toBe(count);
});

test('numbers of pods in strategies become smaller in proportion, but not zero, and percentages stay', () => {
  const world = { objects: [deployment('web', 100, { rollingUpdate: { maxSurge: 30, maxUnavailable: '25%' } })], change: [] };
  expect(reduceWorld(world, 10)?.objects).toStrictEqual([deployment('web', 10, { rollingUpdate: { maxSurge: 3, maxUnavailable: '25%' } })]);
  const careful = { objects: [deployment('web', 100, { rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } })], change: [] };
  expect(reduceWorld(careful, 10)?.objects).toStrictEqual([deployment('web', 10, { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } })]);
});

test('a reduced world has nodes of every kind', () => {
  const plain = Array.from({ length: 8 }, (_, i) => node(`n${i}`));
  const others = [node('gpu', { gpu: 'true' }), node('tainted', {}, [{ key: 'a', effect: 'NoSchedule' }])];
  const { objects } = reduceWorld({ objects: [...plain, ...others, deployment('web', 100)], change: [] }, 30) ?? {};
  expect(namesOf(objects)).toStrictEqual(['n0', 'gpu', 'tainted', 'web']);
});

describe('nodes with allocatable resources', () => {
  const withRequests = (name: string, replicas: number, cpu: string, template: object = {}): ApiObject => ({
    kind: 'Deployment',
    metadata: metadata(name),
    spec: { replicas, template: { spec: { containers: [{ resources: { requests: { cpu } }, ...template }] } } },
  });
  const nodesWith = (count: number, cpu: string): ApiObject[] =>
    Array.from({ length: count }, (_, i) => ({ ...node(`n${i}`), status: { allocatable: { cpu, memory: '64Gi' } } }));
  const cpusOf = (objects: readonly ApiObject[] = []): unknown[] =>
    objects.flatMap(({ status }) => (status as { allocatable?: { cpu?: string } } | undefined)?.allocatable?.cpu ?? []);

  test('keep them if there are as many fewer nodes as requests', () => {
    const { objects } = reduceWorld({ objects: [...nodesWith(50, '2'), withRequests('web', 100, '1')], change: [] }, 40) ?? {};
    expect(cpusOf(objects)).toStrictEqual(Array(20).fill('2'));
  });

  test('have fewer, in multiples of the largest request, if there are more nodes than that', () => {
    const { objects } = reduceWorld({ objects: [...nodesWith(4, '32'), withRequests('web', 100, '1')], change: [] }, 40) ?? {};
    // 40% of 128, on three nodes.
    expect(cpusOf(objects)).toStrictEqual(['17200m', '17000m', '17000m']);
  });

  test('have more if pods request more than their number is of all', () => {
    const pods = [withRequests('web', 400, '100m'), withRequests('db', 8, '4')];
    const { objects } = reduceWorld({ objects: [...nodesWith(40, '2'), ...pods], change: [] }, 40) ?? {};
    // 35.9 of the 72 requested CPUs of all 80.
    expect(cpusOf(objects)).toStrictEqual(Array(4).fill('9973m'));
  });

  test('do not have what workloads that are left out request', () => {
    const [web, others] = [withRequests('web', 4, '1'), withRequests('others', 7, '1')];
    const { objects } = withoutOtherWorkloads({ objects: [...nodesWith(3, '4'), web, others], change: [web] });
    expect(cpusOf(objects)).toStrictEqual(['2000m', '2000m', '1000m']);
  });

  test('are as many as pods that exclude each other need', () => {
    const world = { objects: [...nodesWith(200, '4'), withRequests('web', 100, '1', { ports: [{ hostPort: 80 }] })], change: [] };
    expect(reduceWorld(world, 40)?.objects.filter(({ kind }) => kind === 'Node')).toHaveLength(80);
  });
});

test('a world that is small enough, or cannot become smaller, has no reduced world', () => {
  expect(reduceWorld({ objects: [deployment('web', 10)], change: [] }, 10)).toBeUndefined();
  expect(reduceWorld({ objects: [node('a'), deployment('web', 8)], change: [] }, 1)).toBeUndefined();
});

test('workloads that share no Service with a changed one are left out', () => {
  const objects = [
    service('web', { app: 'web' }),
    service('all', { tier: 'web', app: 'web' }),
    service('none'),
    deployment('web', 2),
    deployment('other', 2),
  ];
  expect(namesOf(withoutOtherWorkloads({ objects, change: [deployment('web', 2)] }).objects)).toStrictEqual(['web', 'all', 'none', 'web']);
  const shared = [...objects, service('tier', { tier: 'web' })];
  expect(withoutOtherWorkloads({ objects: shared, change: [deployment('web', 2)] }).objects).toStrictEqual(shared);
});

test('no workload is left out if something else than workloads changes', () => {
  const objects = [deployment('web', 2), deployment('other', 2)];
  expect(withoutOtherWorkloads({ objects, change: [] }).objects).toStrictEqual(objects);
  expect(withoutOtherWorkloads({ objects, change: [deployment('web', 2), service('web', {})] }).objects).toStrictEqual(objects);
});
