import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { checkRollout, type RolloutCheck } from '../../src/index.ts';

interface Options {
  readonly name?: string;
  readonly replicas?: number;
  readonly requests?: object;
  readonly strategy?: object;
  readonly podSpec?: object;
  readonly container?: object;
}

const zone = 'topology.kubernetes.io/zone';

const createNode = (name: string, allocatable?: object, index = 0): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { [zone]: `z${index % 2}` } },
  ...(allocatable && { status: { allocatable, conditions: [{ type: 'Ready', status: 'True' }] } }),
});

const createNodes = (count: number, cpu: string): ApiObject[] =>
  Array.from({ length: count }, (_, i) => createNode(`n${i}`, { cpu, memory: '64Gi', pods: '110' }, i));

const createDeployment = (
  image: string,
  { name = 'web', replicas = 4, requests, strategy, podSpec, container }: Options = {},
): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    strategy: { rollingUpdate: strategy ?? { maxSurge: 1, maxUnavailable: 0 } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          {
            name: 'web',
            image,
            resources: { requests },
            readinessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 1 },
            ...container,
          },
        ],
        ...podSpec,
      },
    },
  },
});

const others = (count: number, requests: object): ApiObject[] =>
  Array.from({ length: count }, (_, i) => createDeployment('other:1', { name: `other-${i}`, replicas: 10, requests }));

const check = (nodes: readonly ApiObject[], options: Options, objects: readonly ApiObject[] = []): RolloutCheck =>
  checkRollout({
    objects: [...nodes, ...objects, createDeployment('web:1', options)],
    change: [createDeployment('web:2', options)],
    searchesFix: false,
  });

const unfinishedOf = ({ runs }: RolloutCheck): string[] => [...new Set(runs.flatMap(({ unfinished }) => unfinished))];

describe('a rollout', () => {
  test('is not complete if its surge fits on no node', () => {
    const full = check(createNodes(2, '2'), { requests: { cpu: '1' } });
    expect([full.verdict, unfinishedOf(full)]).toStrictEqual([
      'unfinished',
      ['Deployment default/web (0/2 nodes are available: 2 Insufficient cpu)'],
    ]);
    expect(check(createNodes(2, '3'), { requests: { cpu: '1' } }).verdict).toBe('safe');
    const strategy = { maxSurge: 0, maxUnavailable: 1 };
    expect(unfinishedOf(check(createNodes(2, '2'), { requests: { cpu: '1' }, strategy }))).toStrictEqual([]);
  });

  test('is not complete if its surge has no room in the smaller cluster as in the whole one', () => {
    const options = { replicas: 100, requests: { cpu: '1' }, strategy: { maxSurge: '10%', maxUnavailable: 0 } };
    const full = check(createNodes(50, '2'), options);
    expect(full.reduced).toMatchObject({ pods: 40, from: { pods: 100, nodes: 50 } });
    expect(full.verdict).toBe('unfinished');
    expect(check(createNodes(50, '3'), options).verdict).toBe('safe');
  });

  test('has the room that workloads leave which are not part of the smaller cluster', () => {
    const options = { requests: { cpu: '1' } };
    const objects = others(10, { cpu: '1' });
    expect(check(createNodes(26, '4'), options, objects).verdict).toBe('unfinished');
    expect(unfinishedOf(check(createNodes(40, '4'), options, objects))).toStrictEqual([]);
  });
});

describe('nodes that are not given', () => {
  test.each<[string, Options]>([
    ['many pods', { replicas: 30, requests: { cpu: '50', memory: '500Gi', 'ephemeral-storage': '2Ti' } }],
    ['extended resources', { container: { resources: { limits: { 'example.com/gpu': '2' } } } }],
    ['limits only', { container: { resources: { limits: { cpu: '100' } } } }],
    ['ports of the node', { container: { ports: [{ containerPort: 80, hostPort: 80 }] } }],
    [
      'anti-affinity',
      {
        podSpec: {
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
              ],
            },
          },
        },
      },
    ],
    [
      'zones',
      {
        podSpec: {
          topologySpreadConstraints: [
            { maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'web' } } },
          ],
        },
      },
    ],
  ])('have room for %s', (_, options) => {
    const strategy = { maxSurge: '100%', maxUnavailable: 0 };
    expect(unfinishedOf(check([], { ...options, strategy }))).toStrictEqual([]);
  });

  test('have room for many pods in the smaller cluster', () => {
    const container = { ports: [{ containerPort: 80, hostPort: 80 }] };
    expect(unfinishedOf(check([], { replicas: 60, container }))).toStrictEqual([]);
    expect(unfinishedOf(check([], { replicas: 1000, requests: { cpu: '7' } }))).toStrictEqual([]);
  });
});

test('a topology key that is no valid label is not made up', () => {
  const topologySpreadConstraints = [{ maxSkew: 1, topologyKey: 'a b', whenUnsatisfiable: 'DoNotSchedule' }];
  expect(unfinishedOf(check([], { podSpec: { topologySpreadConstraints } }))).toStrictEqual([
    "Deployment default/web (0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints (missing required label))",
  ]);
});

test.each([
  [{ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: 5 } } }, /^Deployment.apps "web" is invalid: /],
  [{ containers: 'none' }, /^Deployment.apps "web" is invalid: /],
])('an invalid field of a pod is an error of its workload: %j', (podSpec, message) => {
  expect(() => check([], { podSpec })).toThrow(message);
});

test('nodes without allocatable have room for all pods', () => {
  const requests = { cpu: '80', memory: '300Gi' };
  expect(unfinishedOf(check([createNode('a'), createNode('b')], { requests }))).toStrictEqual([]);
});

test('nodes with a capacity only have it to allocate, and those without a number of pods 110', () => {
  const node = { ...createNode('a'), status: { capacity: { cpu: '4', memory: '8Gi' }, conditions: [{ type: 'Ready', status: 'True' }] } };
  expect(unfinishedOf(check([node], { replicas: 3, requests: { cpu: '1' } }))).toStrictEqual([]);
  expect(unfinishedOf(check([node], { replicas: 4, requests: { cpu: '1' } }))).toStrictEqual([
    'Deployment default/web (0/1 nodes are available: 1 Insufficient cpu)',
  ]);
});
