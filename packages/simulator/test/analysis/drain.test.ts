import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { completeWorld } from '../../src/analysis/complete-world.ts';
import { listFixes } from '../../src/analysis/search.ts';
import { checkDrain, type DrainOptions, type RolloutCheck } from '../../src/index.ts';

const deployment = (replicas: number, sleepSeconds: number, terminationGracePeriodSeconds = 30): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        terminationGracePeriodSeconds,
        containers: [
          {
            name: 'web',
            image: 'web:1',
            ports: [{ containerPort: 8080 }],
            readinessProbe: { tcpSocket: { port: 8080 } },
            ...(sleepSeconds > 0 && { lifecycle: { preStop: { sleep: { seconds: sleepSeconds } } } }),
          },
        ],
      },
    },
  },
});

const service: ApiObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
};

const budget = (minAvailable: number): ApiObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web' },
  spec: { minAvailable, selector: { matchLabels: { app: 'web' } } },
});

const drain = (objects: readonly ApiObject[], options: Partial<DrainOptions> = {}): RolloutCheck =>
  checkDrain({ objects: [service, ...objects], nodes: ['n1', 'n2'], seeds: 0, searchesFix: false, ...options });

test('a drain without a preStop hook drops requests', () => {
  const { verdict, worst } = drain([deployment(4, 0), budget(3)]);
  expect(verdict).toBe('drops');
  expect([...new Set(worst.drops.map(({ kind }) => kind))]).toStrictEqual(['closed']);
  const last = worst.timeline[worst.drops[0]?.causes.at(-1) as number];
  expect(last).toMatchObject({ actor: 'user', object: { kind: 'Pod' } });
});

test('a drain with a preStop hook and a budget is safe, and moves all pods', () => {
  expect(drain([deployment(4, 5), budget(3)])).toMatchObject({ verdict: 'safe' });
});

test('a drain of all nodes leaves a workload whose pods fit on none', () => {
  const { verdict, worst } = drain([deployment(2, 5)], { nodes: ['n1', 'n2', 'n3'] });
  expect(verdict).toBe('drops');
  expect(worst.unfinished).toStrictEqual(['Deployment default/web (0/3 nodes are available: 3 node(s) were unschedulable)']);
});

test('a budget that allows no eviction blocks the drain', () => {
  const { verdict, worst } = drain([deployment(3, 5), budget(3)]);
  expect({ verdict, unfinished: worst.unfinished }).toStrictEqual({ verdict: 'unfinished', unfinished: ['Node n1', 'Node n2'] });
});

test('a drain of all pods of a slow application needs a PodDisruptionBudget', () => {
  const ranges = { applicationStart: { min: 20_000, max: 20_000 } };
  const { verdict, worst, fix } = drain([deployment(2, 5, 10)], { searchesFix: true, ranges });
  expect(verdict).toBe('drops');
  expect(new Set(worst.drops.map(({ kind }) => kind))).toContain('noEndpoints');
  expect(fix?.check.verdict).toBe('safe');
  expect(fix?.parts).toStrictEqual([
    {
      name: 'podDisruptionBudget',
      workloads: ['Deployment default/web'],
      path: 'spec.maxUnavailable',
      creates: [
        {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { namespace: 'default', name: 'web-one-at-a-time' },
          spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } },
        },
      ],
      summary: 'a PodDisruptionBudget with maxUnavailable: 1 and the selector of Deployment default/web',
      needsRollout: false,
    },
  ]);
});

test.each([
  ['is tried for several replicas', [deployment(2, 5)], true],
  ['is not tried for one replica', [deployment(1, 5)], false],
  ['is not tried for pods that have one', [deployment(2, 5), budget(1)], false],
  [
    'is tried for pods that another one does not select',
    [deployment(2, 5), { ...budget(1), spec: { selector: { matchLabels: { app: 'x' } } } }],
    true,
  ],
])('a PodDisruptionBudget %s', (_, objects, isTried) => {
  expect(listFixes(completeWorld({ objects, change: [] })).includes('a PodDisruptionBudget')).toBe(isTried);
});

test('rejects unknown nodes', () => {
  expect(() => drain([], { nodes: ['n9'] })).toThrow(new RangeError('nodes: there is no node "n9": give n1, n2, n3'));
});

test.each<readonly [object: ApiObject, message: string]>([
  [
    { ...deployment(1, 0), spec: { replicas: '1' } },
    'Deployment.apps "web" is invalid: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [{ ...service, spec: { ports: [null] } }, 'Service "web" is invalid: spec.ports[0]: give a value instead of null'],
  [
    { apiVersion: 'batch/v1', kind: 'Job', metadata: { namespace: 'batch', name: 'once' }, status: { conditions: {} } },
    'Job.batch "once" is invalid: json: cannot unmarshal object into Go struct field JobStatus.status.conditions of type []v1.JobCondition',
  ],
])('an object with a field of a wrong type is refused: %#', (object, message) => {
  expect(() => checkDrain({ objects: [object], nodes: ['n1'] })).toThrow(new RangeError(message));
});

describe('the release of kube-proxy', () => {
  const options = (version: string): DrainOptions => ({
    ...{ objects: [service, deployment(1, 45, 60)], nodes: ['n1'], seeds: 0 },
    network: { kubeProxy: { version } },
  });

  test('without terminating endpoints as a fallback, requests to the only pod of a drained node fail; 1.26 has it', () => {
    const { verdict, worst, releaseFix, triedFixes } = checkDrain(options('1.24.3'));
    expect({ verdict, kinds: worst.drops.map(({ kind }) => kind) }).toStrictEqual({ verdict: 'drops', kinds: ['noEndpoints'] });
    expect([releaseFix?.version, releaseFix?.check.verdict]).toStrictEqual(['1.26', 'safe']);
    expect(triedFixes).toBeDefined();
  });

  test('with it, none fails, but there is no proof', () => {
    const { verdict, proof, releaseFix } = checkDrain(options('1.26'));
    expect({ verdict, releaseFix }).toStrictEqual({ verdict: 'safe', releaseFix: undefined });
    expect(proof).toMatchObject({
      holds: false,
      sentences: expect.arrayContaining(['the release of kube-proxy is 1.26: the bounds are those of the newest one']),
    });
  });

  test('it must be one that reads EndpointSlices', () => {
    expect(() => checkDrain(options('1.18'))).toThrow('network.kubeProxy.version: Kubernetes version "1.18" is not known: give "1.19" to ');
  });
});
