import type { ApiObject } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { planRuns } from '../../src/analysis/adversaries.ts';
import { completeWorld } from '../../src/analysis/complete-world.ts';
import { createDrainScenario } from '../../src/analysis/drain.ts';
import { earliestEnding, latestRoute } from '../../src/analysis/proof/bounds.ts';
import type { PodLike } from '../../src/analysis/proof/objects.ts';
import { createRolloutScenario } from '../../src/analysis/rollout.ts';
import { type Run, runScenario, startScenario } from '../../src/analysis/scenario.ts';
import type { Environment } from '../../src/index.ts';

const range = (max: number): fc.Arbitrary<{ min: number; max: number }> =>
  fc.tuple(fc.nat(max), fc.nat(max)).map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) }));

const environments: fc.Arbitrary<Environment> = fc.record({
  ranges: fc.record({
    ...{ watch: range(1000), request: range(100), sync: range(60), proxySync: range(1500), preStopHook: range(4000) },
    ...{ listenerClosing: range(100), applicationExit: range(3000), applicationStart: range(3000), resolverCache: range(6000) },
    ...{ probe: range(900), balancerSync: range(1500), imagePull: fc.constant({ min: 0, max: 0 }) },
  }),
  clients: fc.record({ requestMs: fc.constantFrom(100, 1000, 3000), keepAlive: fc.boolean(), retries: fc.constant(0) }),
  application: fc.record({
    onTerminate: fc.constantFrom('finish' as const, 'finish' as const, 'close' as const, 'ignore' as const),
    drainSeconds: fc.constantFrom(0, 0, 2, 6),
  }),
  network: fc.record({
    kubeProxy: fc.record({ minSyncPeriodMs: fc.constantFrom(0, 1000) }),
    loadBalancer: fc.oneof(
      fc.record({ targets: fc.constantFrom('nodes' as const, 'pods' as const) }),
      fc.record({
        targets: fc.constant('pods' as const),
        healthChecks: fc.boolean(),
        deregistrationDelayMs: fc.constantFrom(0, 1000, 5000, 300_000),
      }),
    ),
    ingresses: fc.constantFrom([], [{ name: 'nginx', services: ['default/web'] }]),
  }),
});

const strategies = fc.constantFrom<object>(
  {},
  { strategy: { type: 'Recreate' } },
  { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
  { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
  { strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 2 } } },
);

const pods = fc.record({
  terminationGracePeriodSeconds: fc.constantFrom(12, 15, 30),
  lifecycle: fc.constantFrom<object>(
    ...[0, 2, 4, 6, 8, 10].map((seconds) => ({ preStop: { sleep: { seconds } } })),
    {
      preStop: { exec: { command: ['sleep', '6'] } },
    },
    { preStop: { exec: { command: ['nginx', '-s', 'quit'] } } },
  ),
  periodSeconds: fc.constantFrom(1, 5),
});

const changes = fc.record({
  ...{ pod: pods, environment: environments, strategy: strategies },
  kind: fc.constantFrom('Deployment' as const, 'Deployment' as const, 'StatefulSet' as const, 'DaemonSet' as const),
  updateStrategy: fc.constantFrom<object>({}, { maxUnavailable: 2 }, { maxUnavailable: '100%' }, { maxSurge: 1, maxUnavailable: 0 }),
  ...{ replicas: fc.integer({ min: 1, max: 4 }), newReplicas: fc.integer({ min: 0, max: 4 }) },
  action: fc.constantFrom('rollout', 'scale', 'drain'),
  service: fc.constantFrom<object>({}, {}, { clusterIP: 'None' }, { type: 'LoadBalancer' }),
  budget: fc.constantFrom<readonly object[]>([], [{ minAvailable: 1 }], [{ maxUnavailable: 1 }]),
});

type Change = typeof changes extends fc.Arbitrary<infer T> ? T : never;

const labels = { app: 'web' };
const selector = { matchLabels: labels };

function createWorkload({ kind, strategy, updateStrategy, pod }: Change, image: string, replicas: number): ApiObject {
  const { periodSeconds, lifecycle, terminationGracePeriodSeconds } = pod;
  const readinessProbe = { httpGet: { port: 8080, path: '/' }, periodSeconds, failureThreshold: 1 };
  const containers = [{ name: 'web', image, ports: [{ containerPort: 8080 }], readinessProbe, lifecycle }];
  const template = { metadata: { labels }, spec: { terminationGracePeriodSeconds, containers } };
  const others = {
    Deployment: { replicas, ...strategy },
    StatefulSet: { replicas, serviceName: 'web' },
    DaemonSet: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: updateStrategy } },
  };
  return { apiVersion: 'apps/v1', kind, metadata: { name: 'web' }, spec: { selector, template, ...others[kind] } } as ApiObject;
}

function createObjects(change: Change): ApiObject[] {
  const metadata = { name: 'web' };
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }], ...change.service } },
    createWorkload(change, 'web:1', change.replicas),
    ...change.budget.map((spec) => ({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec: { selector, ...spec } })),
  ];
}

interface PodObject extends ApiObject {
  readonly status?: { readonly podIP?: string };
}

/** How long routes to pods lasted after their deletion at most, and after how long a listener closed at least, in milliseconds. */
function measure({ timeline }: Run): { readonly lasted: number; readonly closed: number } {
  const deleted = new Map<string, { readonly at: number; readonly address: string }>();
  const routed = new Map<string, readonly string[]>();
  const [lasts, closes]: [number[], number[]] = [[], []];
  for (const entry of timeline) {
    if (entry.type === 'update' && entry.object.kind === 'Pod') {
      const { uid = '', deletionTimestamp } = entry.object.metadata;
      const { podIP = '' } = (entry.object as PodObject).status ?? {};
      // A new pod may get the address of an old one.
      for (const [other, { address }] of deleted) if (other !== uid && address === podIP) deleted.delete(other);
      if (deletionTimestamp && !deleted.has(uid)) deleted.set(uid, { at: entry.at, address: podIP });
    } else if (entry.type === 'route') {
      const key = `${entry.actor} ${entry.service} ${entry.port}`;
      const removed = (routed.get(key) ?? []).filter((address) => !entry.addresses.includes(address));
      for (const { at, address } of deleted.values()) if (removed.includes(address)) lasts.push(entry.at - at);
      routed.set(key, entry.addresses);
    } else if (entry.type === 'listener' && entry.state !== 'open') {
      const found = deleted.get(entry.podUid);
      if (found) closes.push(entry.at - found.at);
    }
  }
  return { lasted: Math.max(0, ...lasts), closed: Math.min(Number.POSITIVE_INFINITY, ...closes) };
}

test('no run breaks a bound, and none drops requests of a change with a proof', () => {
  fc.assert(
    fc.property(changes, (change) => {
      const { environment, action, replicas, newReplicas } = change;
      const update = createWorkload(change, action === 'scale' ? 'web:1' : 'web:2', action === 'scale' ? newReplicas : replicas);
      const world = completeWorld({ objects: createObjects(change), change: action === 'drain' ? [] : [update] });
      const scenario = {
        ...(action === 'drain' ? createDrainScenario(['n1', 'n2'])(world) : createRolloutScenario(world)),
        ...environment,
      };
      const start = startScenario(scenario);
      const pod = start.objects.find(({ kind }) => kind === 'Pod') as PodLike;
      const proof = scenario.prove?.(start, scenario);
      // Without a ready endpoint, kube-proxy routes to terminating ones.
      const isAvailable = proof?.holds || proof?.shortMs !== undefined;
      const { at } = latestRoute(environment, { services: 1, slices: 2 }, ['kube-proxy', 'DNS', 'an ingress proxy', 'a load balancer']);
      const { closes } = earliestEnding(environment, pod.spec ?? {});
      for (const { name, choose } of planRuns(4)) {
        const run = runScenario(scenario, start, choose());
        const { lasted, closed } = measure(run);
        expect({ name, closed: closed >= closes ? 'in time' : `${closed} < ${closes}` }).toStrictEqual({ name, closed: 'in time' });
        if (isAvailable)
          expect({ name, lasted: lasted <= at ? 'in time' : `${lasted} > ${at}` }).toStrictEqual({ name, lasted: 'in time' });
        if (proof?.holds) expect({ name, drops: run.drops }).toStrictEqual({ name, drops: [] });
      }
    }),
    { numRuns: 6 },
  );
});
