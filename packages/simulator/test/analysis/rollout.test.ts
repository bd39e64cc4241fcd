import type { ApiObject } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { checkRollout, type RolloutCheck, type RolloutOptions } from '../../src/index.ts';

interface Shape {
  readonly sleep?: number;
  readonly hasProbe?: boolean;
  readonly spec?: Readonly<Record<string, unknown>>;
}

const deployment = (image: string, { sleep, hasProbe = true, spec = {} }: Shape = {}): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    ...spec,
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'web',
            image,
            ports: [{ containerPort: 8080 }],
            ...(hasProbe && { readinessProbe: { httpGet: { port: 8080, path: '/' } } }),
            ...(sleep !== undefined && { lifecycle: { preStop: { sleep: { seconds: sleep } } } }),
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

const check = (shape: Shape, options: Partial<RolloutOptions> = {}): RolloutCheck =>
  checkRollout({
    objects: [service, deployment('web:1', shape)],
    change: [deployment('web:2', shape)],
    ...{ seeds: 1, searchesFix: false },
    ...options,
  });

test('a rollout without a preStop hook drops requests; the least sleep that prevents it is found and checked', () => {
  const { verdict, searched, runs, worst, fix } = check({}, { searchesFix: true });
  expect({ verdict, searched, runs: runs.length }).toStrictEqual({ verdict: 'drops', searched: 'bounds', runs: 9 });
  expect([...new Set(worst.drops.map(({ kind }) => kind))]).toStrictEqual(['closed']);
  expect(worst.sentences[0]).toMatch(
    /^\d+\.\d–\d+\.\d s: 1 of \d endpoints of default\/web still receives connections after closing its listener/,
  );
  for (const { causes } of worst.drops)
    expect(worst.timeline[causes.at(-1) as number]).toMatchObject({ type: 'update', actor: 'user', object: { kind: 'Deployment' } });
  expect(fix?.parts).toMatchObject([{ name: 'preStopSleep', needsRollout: true }]);
  expect(fix?.check).toMatchObject({ verdict: 'safe', searched: 'bounds', proof: { holds: true } });
  const sleep = fix?.parts[0]?.value ?? 0;
  expect(check({ sleep }).verdict).toBe('safe');
  expect(check({ sleep: sleep - 1 }).proof?.holds ?? false).toBe(false);
});

test('pods with init containers become ready after these have exited', () => {
  const withInit = (image: string): ApiObject => {
    const { spec, ...rest } = deployment(image, { sleep: 5 }) as ApiObject & { spec: { template: { spec: object } } };
    const { template } = spec;
    const initContainers = [
      { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' },
      { name: 'migrate', image: 'migrate:1' },
    ];
    return { ...rest, spec: { ...spec, template: { ...template, spec: { ...template.spec, initContainers } } } };
  };
  const { verdict, worst } = check({}, { objects: [service, withInit('web:1')], change: [withInit('web:2')] });
  expect({ verdict, unfinished: worst.unfinished }).toStrictEqual({ verdict: 'safe', unfinished: [] });
  const exited = worst.timeline.flatMap((entry) => (entry.type === 'container' && entry.what === 'exited' ? [entry.container] : []));
  expect(new Set(exited)).toStrictEqual(new Set(['migrate', 'web', 'proxy']));
});

test('a rollout of many pods is sampled, and its fix is found in a small world and confirmed in the whole one', () => {
  const { verdict, searched, reduced, runs, fix } = checkRollout({
    objects: [service, deployment('web:1', { spec: { replicas: 40 } })],
    change: [deployment('web:2', { spec: { replicas: 40 } })],
  });
  expect({ verdict, searched, reduced, runs: runs.length }).toStrictEqual({
    ...{ verdict: 'drops', searched: 'sampled' },
    ...{ reduced: undefined, runs: 1 },
  });
  expect(fix?.parts).toMatchObject([{ name: 'preStopSleep' }]);
  expect(fix?.check).toMatchObject({ verdict: 'safe', searched: 'sampled' });
  expect(fix?.check.runs.map(({ name }) => name)).toStrictEqual(['late routes', 'late slices', 'one late node', 'late listeners']);
  expect(fix?.check.worst.timeline.length).toBeGreaterThan(1100);
});

test('40 pods, and nodes in proportion, stand for more of them', () => {
  const nodes = Array.from({ length: 20 }, (_, i): ApiObject => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: `n${i}` } }));
  const spec = { replicas: 100 };
  const options = { objects: [...nodes, service, deployment('web:1', { spec })], change: [deployment('web:2', { spec })] };
  const { reduced, worst } = checkRollout({ ...options, searchesFix: false });
  expect(reduced).toStrictEqual({ pods: 40, nodes: 8, from: { pods: 100, nodes: 20 } });
  expect(worst.timeline.filter(({ type }) => type === 'listener').length).toBe(160);
});

test('of a large cluster, only the workloads run that share a Service with the change', () => {
  const labels = { app: 'other' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'other', image: 'other:1' }] } };
  const others = Array.from({ length: 60 }, (_, i) => ({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: `other-${i}` } },
    spec: { replicas: 10, selector: { matchLabels: labels }, template },
  }));
  const objects = [service, deployment('web:1'), ...others];
  const { reduced, verdict } = checkRollout({ objects, change: [deployment('web:2')], searchesFix: false });
  expect(reduced).toStrictEqual({ pods: 2, nodes: 3, from: { pods: 602, nodes: 3 } });
  expect(verdict).toBe('drops');
});

test('a rollout without a readiness probe sends connections to pods that do not listen yet', () => {
  const { worst, verdict } = check({ hasProbe: false, sleep: 10 });
  expect(verdict).toBe('drops');
  expect(worst.drops[0]).toMatchObject({ kind: 'notOpen', lacksReadinessProbe: true });
});

test('a rollout with the strategy Recreate leaves the Service without endpoints', () => {
  const { worst } = check({ sleep: 10, spec: { strategy: { type: 'Recreate' } } });
  expect(worst.drops.map(({ kind }) => kind)).toContain('noEndpoints');
});

test('the ranges decide: with fast routes and slow listeners a rollout is safe without a hook', () => {
  const fast = { min: 1, max: 1 };
  const ranges = { watch: fast, request: fast, sync: fast, proxySync: fast, listenerClosing: { min: 5000, max: 5000 } };
  expect(check({}, { ranges }).verdict).toBe('safe');
});

test('the same input gives the same result', () => {
  const [a, b] = [check({}), check({})];
  expect(JSON.stringify(a)).toBe(JSON.stringify(b));
});

test.each([
  [{ ranges: { watch: { min: 5, max: 1 } } }, 'ranges.watch: give min and max in milliseconds, such as {"min": 0, "max": 500}'],
  [{ ranges: { wotch: { min: 0, max: 1 } } }, /^ranges\.wotch is unknown: give request, watch, /],
  [{ network: { loadBalancer: { target: 'pods' } } }, /^network\.loadBalancer\.target is unknown: give targets, /],
  [
    { network: { loadBalancer: { healthChecks: true } } },
    'network.loadBalancer.healthChecks is only for pods: give network.loadBalancer.targets: pods, too, or leave it out',
  ],
  [
    { network: { loadBalancer: { targets: 'pods', readinessGate: true } } },
    'network.loadBalancer.readinessGate needs health checks: give network.loadBalancer.healthChecks: true, too, or leave it out',
  ],
  [
    { network: { loadBalancer: { targets: 'pods', deregistrationDelayMs: -1 } } },
    /^network\.loadBalancer\.deregistrationDelayMs: give a whole/,
  ],
  [{ network: { ingresses: [{ name: 'a' }] } }, 'network.ingresses[0].services: give a list'],
  [{ application: { onTerminate: 'stop' } }, 'application.onTerminate: give finish, close, ignore'],
  [{ application: { start: 5 } }, 'application.start: give min and max in milliseconds'],
  [{ clients: { retry: 1 } }, 'clients.retry is unknown: give requestMs, keepAlive, retries, components'],
])('rejects %j', (options, message) => {
  expect(() => check({}, options as Partial<RolloutOptions>)).toThrow(message);
});
