import type { ApiObject } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { completeWorld } from '../../src/analysis/complete-world.ts';
import { earliestEnding, latestRoute } from '../../src/analysis/proof/bounds.ts';
import { proveChange } from '../../src/analysis/proof/proof.ts';
import { startScenario } from '../../src/analysis/scenario.ts';
import { checkDrain, checkRollout, type Environment } from '../../src/index.ts';

interface Shape {
  readonly sleep?: number;
  readonly hasProbe?: boolean;
  readonly port?: number;
  readonly spec?: Readonly<Record<string, unknown>>;
}

const deployment = (image: string, { sleep = 5, hasProbe = true, port = 8080, spec = {} }: Shape = {}): ApiObject => ({
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
            ports: [{ name: 'http', containerPort: port }],
            lifecycle: { preStop: { sleep: { seconds: sleep } } },
            ...(hasProbe && { readinessProbe: { httpGet: { port, path: '/' } } }),
          },
        ],
      },
    },
  },
});

const service = (spec: Readonly<Record<string, unknown>> = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }], ...spec },
});

const budget = (spec: Readonly<Record<string, unknown>>): ApiObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web' },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
});

const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };

/** A Deployment with a command as its preStop hook. */
function sleeping(image: string, command: readonly string[]): ApiObject {
  const object = deployment(image) as ApiObject & {
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly object[] } } };
  };
  const [container] = object.spec.template.spec.containers;
  const containers = [{ ...container, lifecycle: { preStop: { exec: { command } } } }];
  return { ...object, spec: { ...object.spec, template: { ...object.spec.template, spec: { containers } } } } as ApiObject;
}

/** A DaemonSet whose pods end like those of the Deployment. */
function daemonSet(image: string, spec: object = {}, podSpec: object = {}): ApiObject {
  const { spec: deployed } = deployment(image) as ApiObject & { readonly spec: { readonly template: { readonly spec: object } } };
  const template = { ...deployed.template, spec: { ...deployed.template.spec, ...podSpec } };
  const selector = { matchLabels: { app: 'web' } };
  return { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'web' }, spec: { selector, template, ...spec } } as ApiObject;
}

const onEachNode = [service(), daemonSet('web:1')];
const updating = (rollingUpdate: object): object => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });

interface Change {
  readonly objects?: readonly ApiObject[];
  readonly change?: readonly ApiObject[];
  readonly drained?: readonly string[];
  readonly environment?: Environment;
}

/** What is missing for a proof of a change; none if it holds. */
function missing({ objects = [service(), deployment('web:1')], change = [], drained = [], environment = {} }: Change): readonly string[] {
  const world = completeWorld({ objects, change });
  const start = startScenario({ objects: world.objects, actions: [], ...environment });
  const { holds, sentences } = proveChange({ objects: start.objects, change: world.change, drained }, environment);
  return holds ? [] : sentences;
}

const annotated = { ...service(), metadata: { name: 'web', annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } } };

const otherPort = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'other-port', labels: { app: 'web' } } },
  spec: { containers: [{ name: 'web', image: 'web:1', ports: [{ name: 'http', containerPort: 9090 }] }] },
};

/** A rollout behind a load balancer of pods. */
function balanced(loadBalancer: object, environment: Environment = {}): Change {
  return {
    objects: [service({ type: 'LoadBalancer' }), deployment('web:1', { sleep: 28 })],
    change: [deployment('web:2', { sleep: 28 })],
    environment: { ...environment, network: { loadBalancer: { targets: 'pods', ...loadBalancer } } },
  };
}

test('a rollout is proved if listeners close after the last route has ended; a second less is not enough', () => {
  expect(missing({ change: [deployment('web:2')] })).toStrictEqual([]);
  expect(missing({ objects: [service(), deployment('web:1', { sleep: 4 })], change: [deployment('web:2', { sleep: 4 })] })).toStrictEqual([
    'kube-proxy may route to a pod of Service default/web for 4.8 s after its deletion, and its listener may close after 4.0 s',
  ]);
});

test.each<[string, Change, RegExp]>([
  ['no readiness probe', { change: [deployment('web:2', { hasProbe: false })] }, /have no readiness probe/],
  ['another port number', { change: [deployment('web:2', { port: 9090 })] }, /serve different ports/],
  [
    'a preStop hook with a command that sleeps too short',
    { objects: [service(), sleeping('web:1', ['sleep', '4'])], change: [sleeping('web:2', ['sleep', '4'])] },
    /its listener may close after 4\.0 s/,
  ],
  ['the strategy Recreate', { change: [deployment('web:2', { spec: { strategy: { type: 'Recreate' } } })] }, /without a ready pod/],
  [
    'maxUnavailable of all replicas',
    { change: [deployment('web:2', { spec: { strategy: { rollingUpdate: { maxUnavailable: '100%' } } } })] },
    /without a ready pod/,
  ],
  ['no replicas', { change: [deployment('web:1', { spec: { replicas: 0 } })] }, /without a ready pod/],
  ['a changed Service', { change: [service({ publishNotReadyAddresses: true })] }, /the change applies Service default\/web/],
  [
    'node-local routes',
    { objects: [service({ internalTrafficPolicy: 'Local' }), deployment('web:1')], change: [deployment('web:2')] },
    /spec\.internalTrafficPolicy Local/,
  ],
  ['slow watches', { change: [deployment('web:2')], environment: { ranges: { watch: { min: 0, max: 5000 } } } }, /the delay watch/],
  ['slow probes', { change: [deployment('web:2')], environment: { ranges: { probe: { min: 0, max: 1500 } } } }, /timeoutSeconds/],
  [
    'cut requests',
    { change: [deployment('web:2')], environment: { application: { onTerminate: 'close' } } },
    /may end after 5\.0 s without ending its requests/,
  ],
  [
    'a pod that exits by itself',
    {
      objects: [service(), deployment('web:1'), { ...pod('web'), spec: { ...(pod('web')['spec'] as object), restartPolicy: 'Never' } }],
      change: [deployment('web:2')],
      environment: { application: { exitAfterSeconds: 60 } },
    },
    /processes of Service default\/web exit by themselves/,
  ],
  [
    'a DaemonSet that replaces all pods at once',
    { objects: onEachNode, change: [daemonSet('web:2', updating({ maxUnavailable: '100%' }))] },
    /the update of DaemonSet default\/web may leave Service default\/web without a ready pod/,
  ],
  [
    'a DaemonSet that may leave nodes',
    { objects: onEachNode, change: [daemonSet('web:2', {}, { nodeSelector: { disk: 'ssd' } })] },
    /the update of DaemonSet default\/web may leave Service default\/web without a ready pod/,
  ],
  ['all pods on drained nodes', { drained: ['n1', 'n2', 'n3'] }, /all ready pods of Service default\/web are on drained nodes/],
  [
    'a budget with maxUnavailable',
    { objects: [service(), deployment('web:1'), budget({ maxUnavailable: 1 })], drained: ['n1', 'n2', 'n3'] },
    /no PodDisruptionBudget with a number/,
  ],
  [
    'topology hints',
    { objects: [annotated, deployment('web:1')], change: [deployment('web:2')] },
    /the annotation service\.kubernetes\.io\/topology-mode/,
  ],
  [
    'health checks of a load balancer',
    balanced({ healthChecks: true }),
    /^the load balancer of Service default\/web checks the health of its targets: it may have no healthy one while the Service has ready endpoints$/,
  ],
  [
    'a deregistration delay below the longest request',
    balanced({ deregistrationDelayMs: 999 }),
    /^the load balancer of Service default\/web may cut connections 1\.0 s after it has removed their target$/,
  ],
  [
    'a deregistration delay and idle connections that stay open',
    balanced({ deregistrationDelayMs: 300_000 }, { clients: { keepAlive: true } }),
    /may cut connections 300\.0 s after it has removed their target$/,
  ],
  ['more than one EndpointSlice', { change: [deployment('web:2', { spec: { replicas: 99 } })] }, /more than one EndpointSlice/],
  [
    'untouched pods with other ports',
    { objects: [service(), deployment('web:1'), otherPort], change: [deployment('web:2')] },
    /serve different ports/,
  ],
  [
    'a budget of other pods as well',
    {
      objects: [service(), deployment('web:1'), { ...budget({ minAvailable: 1 }), spec: { selector: {}, minAvailable: 1 } }, pod('other')],
      drained: ['n1', 'n2', 'n3'],
    },
    /selects exactly its pods/,
  ],
])('%s: no proof', (_name, change, reason) => {
  expect(missing(change).join('; ')).toMatch(reason);
});

function pod(name: string): ApiObject {
  const container = { name: 'web', image: 'web:1', readinessProbe: { tcpSocket: { port: 8080 } } };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: name } }, spec: { containers: [container] } } as ApiObject;
}

test.each<[string, Change]>([
  ['a scale-down to one pod', { change: [deployment('web:1', { spec: { replicas: 1 } })] }],
  [
    'a Service whose pods do not change',
    { change: [{ ...deployment('web:2', { sleep: 0 }), metadata: { name: 'other' } }], objects: [service(), other(), deployment('web:1')] },
  ],
  [
    'an update from Recreate to RollingUpdate, with a budget',
    {
      objects: [service(), deployment('web:1', { spec: { strategy: { type: 'Recreate' } } })],
      change: [budget({ minAvailable: 1 }), deployment('web:2', { spec: { strategy: rolling } })],
    },
  ],
  [
    'a preStop hook with a command that sleeps',
    { objects: [service(), sleeping('web:1', ['sleep', '5'])], change: [sleeping('web:2', ['sh', '-c', 'sleep 5'])] },
  ],
  ['a DaemonSet that replaces one pod after another', { objects: onEachNode, change: [daemonSet('web:2')] }],
  ['a DaemonSet with two pods unavailable', { objects: onEachNode, change: [daemonSet('web:2', updating({ maxUnavailable: 2 }))] }],
  [
    'a DaemonSet with second pods',
    { objects: onEachNode, change: [daemonSet('web:2', updating({ maxSurge: '100%', maxUnavailable: 0 }))] },
  ],
  ['a DaemonSet that is updated by hand', { objects: onEachNode, change: [daemonSet('web:2', { updateStrategy: { type: 'OnDelete' } })] }],
  ['a drain of one node', { drained: ['n1'] }],
  ['a deregistration delay of the longest request', balanced({ deregistrationDelayMs: 1000 })],
  [
    'a drain of all nodes with a budget',
    { objects: [service(), deployment('web:1'), budget({ minAvailable: 1 })], drained: ['n1', 'n2', 'n3'] },
  ],
])('%s: proved', (_name, change) => {
  expect(missing(change)).toStrictEqual([]);
});

function other(): ApiObject {
  const labels = { app: 'other' };
  const { spec } = deployment('web:1', { sleep: 0 }) as ApiObject & { readonly spec: { readonly template: object } };
  const template = { ...spec.template, metadata: { labels } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'other' },
    spec: { ...spec, selector: { matchLabels: labels }, template },
  } as ApiObject;
}

test('when a pod ends: its hook, then SIGTERM, and SIGKILL at the end of the grace period', () => {
  const sleep = (seconds: number): object => ({ preStop: { sleep: { seconds } } });
  const end = (environment: Environment, lifecycle?: object, terminationGracePeriodSeconds = 30): object =>
    earliestEnding(
      { ranges: { watch: { min: 1, max: 100 } }, ...environment },
      {
        terminationGracePeriodSeconds,
        containers: [{ ...(lifecycle && { lifecycle }) }],
      },
    );
  expect(end({}, sleep(10))).toStrictEqual({ closes: 10_001 });
  expect(end({}, { preStop: { exec: {} } })).toStrictEqual({ closes: 1 });
  // The hook uses up the grace period: two seconds are left, which the process needs.
  expect(end({}, sleep(9), 10)).toStrictEqual({ closes: 9001 });
  expect(end({ application: { drainSeconds: 5 } }, sleep(9), 10)).toStrictEqual({ closes: 11_001, cuts: 11_001 });
  expect(end({ application: { onTerminate: 'ignore' } }, undefined, 20)).toStrictEqual({ closes: 20_001, cuts: 20_001 });
  expect(end({ application: { onTerminate: 'close' } }, sleep(3))).toStrictEqual({ closes: 3001, cuts: 3001 });
});

test('when routes end: the sum of all delays and waits on the way', () => {
  const ranges = { watch: { min: 0, max: 100 }, sync: { min: 0, max: 50 }, request: { min: 0, max: 50 }, proxySync: { min: 0, max: 500 } };
  const sizes = { services: 1, slices: 2 };
  // watch 100, the sync before 150, an older retry 100, the next one 2000, the sync before 150, the own sync 150; watch 100, sync 500, pause 1000, sync 500.
  expect(latestRoute({ ranges }, sizes, ['kube-proxy'])).toStrictEqual({ component: 'kube-proxy', at: 4750 });
  expect(latestRoute({ ranges }, { ...sizes, services: 6 }, ['kube-proxy']).at).toBe(5050);
  expect(
    latestRoute({ ranges, network: { ingresses: [{ name: 'nginx', services: [], minIntervalMs: 2000 }] } }, sizes, [
      'an ingress proxy',
      'kube-proxy',
    ]),
  ).toStrictEqual({ component: 'an ingress proxy', at: 6750 });
  expect(latestRoute({ ranges }, sizes, ['DNS'])).toStrictEqual({ component: 'DNS', at: 7750 });
});

test('a check has a proof if no run drops requests, and the fix lets pods end late enough for one', () => {
  const options = { objects: [service(), deployment('web:1')], seeds: 1 };
  expect(checkRollout({ ...options, change: [deployment('web:2')] }).proof).toStrictEqual({
    holds: true,
    sentences: [
      'Routes to a pod of Service default/web last 4.8 s after its deletion at most (kube-proxy), and its listener closes after 5.0 s at the earliest.',
      'Service default/web always has a ready endpoint: Deployment default/web keeps at least 2 ready.',
    ],
  });
  expect(checkDrain({ ...options, nodes: ['n1'] }).proof?.holds).toBe(true);
  const objects = [service(), deployment('web:1', { sleep: 0 })];
  const { verdict, proof, fix } = checkRollout({ objects, change: [deployment('web:2', { sleep: 0 })], seeds: 1 });
  expect({ verdict, proof }).toStrictEqual({ verdict: 'drops', proof: undefined });
  expect(fix?.parts).toMatchObject([{ name: 'preStopSleep', value: 5 }]);
  expect(fix?.check.proof?.holds).toBe(true);
});
