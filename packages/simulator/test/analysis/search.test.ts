import { expect, test } from 'vitest';
import type { Workload } from '../../src/analysis/fixes.ts';
import { findFix, listFixes } from '../../src/analysis/search.ts';
import type { World } from '../../src/analysis/world.ts';

const deployment = (image: string, pod: Readonly<Record<string, unknown>> = {}): Workload => ({
  kind: 'Deployment',
  metadata: { namespace: 'shop', name: 'web' },
  spec: { template: { spec: { containers: [{ name: 'web', image, ports: [{ containerPort: 80 }] }], ...pod } } } as Workload['spec'] &
    object,
});
const other: Workload = { ...deployment('other:1'), metadata: { namespace: 'shop', name: 'other' } };
const world: World = { objects: [other, deployment('web:1')], change: [deployment('web:2')] };

interface Fields {
  readonly sleep: number;
  readonly minReady: number;
  readonly hasProbe: boolean;
}

/** Reads the fields that fixes set, from the Deployment before the change or in it. */
function read(world: World, part: keyof World): Fields {
  const { spec } = world[part].find(({ metadata }) => metadata.name === 'web') as Workload;
  const [container] = spec?.template?.spec?.containers ?? [];
  const sleep = container?.lifecycle?.preStop?.sleep?.seconds ?? 0;
  return { sleep, minReady: spec?.minReadySeconds ?? 0, hasProbe: container?.readinessProbe !== undefined };
}

const find = (isSafe: (world: World) => boolean, start = world): object[] | undefined =>
  findFix(start, isSafe)?.parts.map(({ name, value }) => ({ name, ...(value !== undefined && { value }) }));

test('finds the least value of a single field, in the pods before the change too', () => {
  let runs = 0;
  const found = findFix(world, (candidate) => {
    runs += 1;
    return read(candidate, 'objects').sleep >= 7;
  });
  expect(found?.parts).toStrictEqual([
    {
      name: 'preStopSleep',
      workloads: ['Deployment shop/web'],
      path: 'spec.template.spec.containers[].lifecycle.preStop.sleep.seconds',
      value: 7,
      summary: 'a preStop sleep of 7 s in Deployment shop/web',
      needsRollout: true,
    },
  ]);
  expect(read(found?.apply(world) as World, 'change').sleep).toBe(7);
  expect(found?.apply(world).objects[0]).toBe(other);
  // The strongest value first, then 1, 3 and 7, then a binary search among 3.
  expect(runs).toBeLessThanOrEqual(6);
});

test('begins with the values that a smaller world needs', () => {
  const smaller = findFix(world, (candidate) => read(candidate, 'objects').sleep >= 7);
  const tried: number[] = [];
  const isSafe = (candidate: World): boolean => {
    tried.push(read(candidate, 'objects').sleep);
    return read(candidate, 'objects').sleep >= 8;
  };
  expect(findFix(world, isSafe, smaller)?.parts).toMatchObject([{ name: 'preStopSleep', value: 8 }]);
  expect(tried.slice(1)).toStrictEqual([7, 9, 8]);
});

test('prefers the first single field in the order of the table', () => {
  expect(find((candidate) => read(candidate, 'change').hasProbe || read(candidate, 'change').minReady >= 5)).toStrictEqual([
    { name: 'minReadySeconds', value: 5 },
  ]);
});

test('finds fields that are enough only together, without any that can be removed', () => {
  expect(find((candidate) => read(candidate, 'objects').sleep >= 3 && read(candidate, 'change').hasProbe)).toStrictEqual([
    { name: 'preStopSleep', value: 3 },
    { name: 'readinessProbe' },
  ]);
});

test('sets fields that the running pods do not need in the change alone', () => {
  const found = findFix(world, (candidate) => read(candidate, 'change').minReady >= 1);
  expect(read(found?.apply(world) as World, 'objects').minReady).toBe(0);
});

test('keeps values that are large enough already', () => {
  const sleeping = (seconds: number): object => ({ name: `sleeps-${seconds}`, lifecycle: { preStop: { sleep: { seconds } } } });
  const web = deployment('web:2', { containers: [sleeping(0), sleeping(15)], terminationGracePeriodSeconds: 20 });
  const change = [web, { ...deployment('other:2', { terminationGracePeriodSeconds: 90 }), metadata: other.metadata }];
  const fieldsOf = ({ change: [first, second] }: World): readonly unknown[] => {
    const [webSpec, otherSpec] = [first, second].map((each) => (each as Workload).spec?.template?.spec);
    return [
      webSpec?.containers?.map(({ lifecycle }) => lifecycle?.preStop?.sleep?.seconds),
      webSpec?.terminationGracePeriodSeconds,
      otherSpec?.containers?.[0]?.lifecycle?.preStop?.sleep?.seconds,
      otherSpec?.terminationGracePeriodSeconds,
    ];
  };
  const isSafe = (candidate: World): boolean => {
    const [sleeps, grace] = fieldsOf(candidate) as [readonly number[], number];
    return (sleeps[0] as number) >= 3 && grace >= 40;
  };
  const found = findFix({ objects: [], change }, isSafe);
  expect(found?.parts).toMatchObject([
    { name: 'preStopSleep', value: 3, workloads: ['Deployment shop/web', 'Deployment shop/other'] },
    { name: 'gracePeriod', value: 40, workloads: ['Deployment shop/web'] },
  ]);
  expect(fieldsOf(found?.apply({ objects: [], change }) as World)).toStrictEqual([[3, 15], 40, 3, 90]);
});

test('sets what only the running pods lack, within their limits', () => {
  const containers = [{ name: 'web', lifecycle: { preStop: { sleep: { seconds: 5 } } } }];
  const start = { objects: [deployment('web:1', { terminationGracePeriodSeconds: 10 })], change: [deployment('web:2', { containers })] };
  expect(find((candidate) => read(candidate, 'objects').sleep >= 3, start)).toStrictEqual([{ name: 'preStopSleep', value: 3 }]);
  const found = findFix(start, (candidate) => read(candidate, 'objects').sleep >= 3);
  expect(read(found?.apply(start) as World, 'change').sleep).toBe(5);
  expect(found?.parts[0]?.workloads).toStrictEqual(['Deployment shop/web']);
  const tried: number[] = [];
  findFix(start, (candidate) => tried.push(read(candidate, 'objects').sleep) < 0);
  expect(Math.max(...tried)).toBe(8);
});

test('finds nothing if all fields together are not enough', () => {
  expect(find(() => false)).toBeUndefined();
});

test('lists what it tries for the workloads of the change', () => {
  expect(listFixes(world)).toStrictEqual([
    'a preStop sleep',
    'a longer termination grace period',
    'maxUnavailable: 0',
    'minReadySeconds',
    'a readiness probe',
  ]);
  expect(listFixes({ objects: [], change: [] })).toStrictEqual([]);
});

test('leaves time for the process after a sleep, and keeps hooks of other types', () => {
  const short = { objects: [], change: [deployment('web:2', { terminationGracePeriodSeconds: 5 })] };
  expect(find((candidate) => read(candidate, 'change').sleep === 3, short)).toStrictEqual([{ name: 'preStopSleep', value: 3 }]);
  const hook = deployment('web:2', { containers: [{ name: 'web', lifecycle: { preStop: { exec: { command: ['x'] } } } }] });
  expect(find((candidate) => read(candidate, 'change').sleep > 0, { objects: [], change: [hook] })).toBeUndefined();
  const sleeping = deployment('web:2', { containers: [{ name: 'web', lifecycle: { preStop: { exec: { command: ['sleep', '6'] } } } }] });
  const found = find((candidate) => read(candidate, 'change').sleep > 0, { objects: [], change: [sleeping] });
  expect(found).toStrictEqual([{ name: 'preStopSleep', value: 7 }]);
});
