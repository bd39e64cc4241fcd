import type { ApiObject } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { planRuns } from '../../src/analysis/adversaries.ts';
import { completeWorld } from '../../src/analysis/complete-world.ts';
import { createRolloutScenario } from '../../src/analysis/rollout.ts';
import { runScenario, startScenario } from '../../src/analysis/scenario.ts';
import { checkRollout, checkSimulation, type Environment, type RolloutCheck } from '../../src/index.ts';
import type { LoadBalancerSettings } from '../../src/network/load-balancer.ts';

interface Shape {
  /** The seconds of a preStop sleep. */
  readonly sleep?: number;
  readonly hasGate?: boolean;
  readonly spec?: Readonly<Record<string, unknown>>;
}

const deployment = (image: string, { sleep = 20, hasGate = false, spec = {} }: Shape): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    ...spec,
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        terminationGracePeriodSeconds: sleep + 30,
        ...(hasGate && { readinessGates: [{ conditionType: 'target-health.elbv2.k8s.aws/web' }] }),
        containers: [
          {
            name: 'web',
            image,
            ports: [{ containerPort: 8080 }],
            lifecycle: { preStop: { sleep: { seconds: sleep } } },
            readinessProbe: { httpGet: { port: 8080, path: '/' }, periodSeconds: 1 },
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
  spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
};

interface Options extends Environment, Shape {
  readonly loadBalancer?: Partial<LoadBalancerSettings>;
  readonly searchesFix?: boolean;
}

/** A rollout behind a load balancer of pods. */
const check = ({ loadBalancer, sleep, hasGate = false, spec, ...options }: Options): RolloutCheck => {
  const shape = { hasGate, ...(sleep !== undefined && { sleep }), ...(spec && { spec }) };
  return checkRollout({
    objects: [service, deployment('web:1', shape)],
    change: [deployment('web:2', shape)],
    network: { loadBalancer: { targets: 'pods', ...loadBalancer } },
    ...{ seeds: 1, searchesFix: false },
    ...options,
  });
};

test('a rollout that is safe without health checks leaves the balancer without a target that has passed its own', () => {
  expect(check({}).verdict).toBe('safe');
  const { verdict, worst } = check({ loadBalancer: { healthChecks: true } });
  expect({ verdict, unfinished: worst.unfinished }).toStrictEqual({ verdict: 'drops', unfinished: [] });
  expect(worst.sentences).toStrictEqual([
    expect.stringMatching(
      /^(\d+\.\d)–(\d+\.\d) s: the load balancer web has no endpoint of default\/web, so that every connection fails, because no target had passed its health checks until \2 s\.$/,
    ),
  ]);
  expect(worst.drops).toMatchObject([{ kind: 'noEndpoints', share: 1, isOngoing: false }]);
});

test('the least minReadySeconds is found that lets new targets pass their checks before old ones leave', () => {
  const { fix } = check({ loadBalancer: { healthChecks: true }, searchesFix: true });
  expect(fix?.parts).toMatchObject([{ name: 'minReadySeconds' }]);
  expect(fix?.check).toMatchObject({ verdict: 'safe', proof: { holds: false } });
  const minReadySeconds = fix?.parts[0]?.value ?? 0;
  expect(check({ loadBalancer: { healthChecks: true }, spec: { minReadySeconds } }).verdict).toBe('safe');
  expect(check({ loadBalancer: { healthChecks: true }, spec: { minReadySeconds: minReadySeconds - 1 } }).verdict).toBe('drops');
});

test('the least minReadySeconds is enough at any time of a second', () => {
  const loadBalancer = { targets: 'pods', healthChecks: true, healthCheckIntervalMs: 9500 } as const;
  const least = check({ loadBalancer, searchesFix: true }).fix?.parts[0]?.value ?? 0;
  const findUnsafePhases = (minReadySeconds: number): number[] => {
    const [before, after] = ['web:1', 'web:2'].map((image) => deployment(image, { spec: { minReadySeconds } })) as [ApiObject, ApiObject];
    const scenario = {
      ...createRolloutScenario(completeWorld({ objects: [service, before], change: [after] })),
      network: { loadBalancer },
    };
    const start = startScenario(scenario);
    return [0, 200, 400, 600, 800].filter((phaseMs) =>
      planRuns(0).some(({ choose }) => runScenario(scenario, start, choose(), phaseMs).drops.length > 0),
    );
  };
  expect(findUnsafePhases(least)).toStrictEqual([]);
  // Later in a second, a change needs one second more than at its start.
  expect(findUnsafePhases(least - 1)).toStrictEqual([400, 600, 800]);
});

test('a run ends when no health check can change a target any more, however long the checks take', () => {
  const { worst } = check({ loadBalancer: { healthChecks: true, healthCheckIntervalMs: 60_000, healthyThreshold: 5 } });
  expect(worst.drops).toMatchObject([{ kind: 'noEndpoints', isOngoing: false }]);
  const [drop] = worst.drops;
  expect((drop?.to ?? 0) - (drop?.from ?? 0)).toBeGreaterThan(280_000);
  const last = worst.timeline.filter(({ type }) => type === 'target').at(-1);
  expect((worst.timeline.at(-1)?.at ?? 0) - (last?.at ?? 0)).toBeLessThan(400_000);
});

test('a pod on a lost node leaves the load balancer after the unhealthy threshold', () => {
  const { worst } = checkSimulation({
    objects: [service, deployment('web:1', {})],
    network: { loadBalancer: { targets: 'pods', healthChecks: true, healthCheckIntervalMs: 5000, unhealthyThreshold: 2 } },
    clients: { components: ['load-balancer'] },
    faults: [{ from: '10s', loseNode: { node: 'n1' } }],
    ...{ seeds: 1, searchesFix: false },
  });
  const [lost] = worst.drops.filter(({ kind }) => kind === 'nodeLost');
  expect(lost).toMatchObject({ from: 10_000, to: 20_000, isEndedByChecks: true });
  expect(worst.sentences.join()).toContain('n1 stopped answering, and its health checks have not failed often enough yet');
});

test('requests that last longer than the deregistration delay are cut although the pod still serves', () => {
  const cut = { kind: 'cut', isDeregistered: true, actors: ['load-balancer/web'] };
  const options = { sleep: 40, clients: { requestMs: 5000 } };
  expect(check({ ...options, loadBalancer: { deregistrationDelayMs: 5000 } }).verdict).toBe('safe');
  expect(check({ ...options, loadBalancer: { deregistrationDelayMs: 4000 } }).worst.drops).toMatchObject([cut]);
  expect(check({ sleep: 40, loadBalancer: { deregistrationDelayMs: 0 } }).worst.drops[0]).toMatchObject(cut);
});

test('a connection to a pod that is taken out of the load balancer is cut at the end of the deregistration delay', () => {
  const { worst } = checkSimulation({
    objects: [service, deployment('web:1', {})],
    network: { loadBalancer: { targets: 'pods', deregistrationDelayMs: 300_000 } },
    clients: { keepAlive: true },
    steps: [{ at: '0s', deregister: { component: 'load-balancer/web', selector: { app: 'web' } } }],
    ...{ seeds: 0, searchesFix: false },
  });
  expect(worst.drops).toMatchObject([
    { kind: 'noEndpoints', from: 0, isOngoing: true },
    { kind: 'cut', from: 300_000, to: 300_000, isDeregistered: true },
  ]);
});

test('with readiness gates, a rollout waits until new targets are healthy', () => {
  const options = { sleep: 30, loadBalancer: { healthChecks: true, readinessGate: true } };
  expect(check(options).verdict).toBe('drops');
  const { verdict, worst } = check({ ...options, hasGate: true });
  expect({ verdict, unfinished: worst.unfinished }).toStrictEqual({ verdict: 'safe', unfinished: [] });
  const { timeline, since } = worst;
  const [before, after] = [timeline.filter(({ at }) => at < since), timeline.filter(({ at }) => at >= since)];
  const isCondition = (entry: (typeof timeline)[number]): boolean => entry.type === 'update' && entry.actor === 'load-balancers';
  expect(before.filter(isCondition)).toStrictEqual([]);
  // Each new pod: its target is healthy, then its condition is set, and then an old pod is deleted.
  const steps = after.flatMap((entry) => {
    if (entry.type === 'target' && entry.state === 'healthy') return ['healthy'];
    if (isCondition(entry)) return ['condition'];
    const isDeletion = entry.type === 'update' && entry.object.kind === 'Pod' && !entry.previous?.metadata.deletionTimestamp;
    return isDeletion && entry.object.metadata.deletionTimestamp ? ['deleted'] : [];
  });
  expect(steps).toStrictEqual(['healthy', 'condition', 'deleted', 'healthy', 'condition', 'deleted']);
});

test('pods with readiness gates that no load balancer opens never become ready', () => {
  const { verdict, worst } = check({ hasGate: true, loadBalancer: { healthChecks: true } });
  expect({ verdict, unfinished: worst.unfinished }).toStrictEqual({ verdict: 'unfinished', unfinished: ['Deployment default/web'] });
});
