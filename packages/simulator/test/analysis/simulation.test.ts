import { createOverrides } from '@kube-endpoints/overrides';
import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { keepOutRules } from '../../src/analysis/simulation/keep-out.ts';
import { checkRollout, checkSimulation } from '../../src/index.ts';

type Options = Parameters<typeof checkSimulation>[0];
type Check = ReturnType<typeof checkSimulation>;
type Entry = Check['worst']['timeline'][number];

const labels = { app: 'web' };
const lifecycle = { preStop: { sleep: { seconds: 10 } } };
const probe = { tcpSocket: { port: 8080 }, periodSeconds: 5 };

const template = (image: string, container: object = { lifecycle }): object => ({
  metadata: { labels },
  spec: { containers: [{ name: 'web', image, ports: [{ containerPort: 8080 }], readinessProbe: probe, ...container }] },
});

const deployment = (image: string, container?: object): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas: 2, selector: { matchLabels: labels }, template: template(image, container) },
});

const statefulSet: ApiObject = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'web' },
  spec: { replicas: 2, serviceName: 'web', selector: { matchLabels: labels }, template: template('web:1') },
};

const service: ApiObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
};

const budget: ApiObject = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web' },
  spec: { minAvailable: 1, selector: { matchLabels: labels } },
};

const objects = [service, deployment('web:1')];
const sets = [service, statefulSet];

const check = (options: Partial<Options>): Check => checkSimulation({ objects, seeds: 0, searchesFix: false, ...options });

const restart = { at: '10s', restart: { kind: 'Deployment', name: 'web' } };

/** The entries of the worst run since the start, with their times in seconds. */
const entriesOf = ({ worst: { timeline, since } }: Check): (Entry & { readonly seconds: number })[] =>
  timeline.filter(({ at }) => at >= since).map((entry) => ({ ...entry, seconds: (entry.at - since) / 1000 }));

/** What users write, as "seconds verb kind/name". */
const userWrites = (result: Check): string[] =>
  entriesOf(result).flatMap((entry) =>
    'object' in entry && entry.type !== 'event' && entry.actor === 'user'
      ? [`${entry.seconds} ${entry.type} ${entry.object.kind}/${entry.object.metadata.name}`]
      : [],
  );

const kindsOf = ({ worst }: Check): string[] => [...new Set(worst.drops.map(({ kind }) => kind))].sort();

describe('steps', () => {
  test('happen at their times, and the check lists them', () => {
    const result = check({
      steps: [
        {
          at: 0,
          apply: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'other' }, spec: { selector: labels, ports: [{ port: 80 }] } },
        },
        { at: '10s', scale: { kind: 'Deployment', name: 'web', replicas: 3 } },
        { at: '1m', setImage: { kind: 'Deployment', name: 'web', image: 'web:2' } },
        { at: '3m', restart: { kind: 'Deployment', name: 'web' } },
        { at: '5m', cordon: 'n1' },
        { at: '5m', uncordon: ['n1'] },
        { at: '5m', delete: { kind: 'Service', name: 'other' } },
      ],
    });
    expect(result.worst.drops).toMatchObject([{ kind: 'noEndpoints', service: 'default/other', isOngoing: true }]);
    expect(userWrites(result)).toStrictEqual([
      '0 create Service/other',
      '10 update Deployment/web',
      '60 update Deployment/web',
      '180 update Deployment/web',
      '300 update Node/n1',
      '300 update Node/n1',
      '300 delete Service/other',
    ]);
    expect(result.steps?.slice(0, 3)).toStrictEqual([
      { at: 0, summary: 'apply Service default/other' },
      { at: 10_000, summary: 'scale Deployment default/web to 3' },
      { at: 60_000, summary: 'set the image of Deployment default/web to web:2' },
    ]);
  });

  test('applied objects of kinds that are not simulated are left out', () => {
    const result = check({ steps: [{ at: 0, apply: [{ kind: 'ConfigMap', metadata: { name: 'a' } }] }, restart] });
    expect(result.steps?.[0]).toStrictEqual({ at: 0, summary: 'apply no object that is simulated' });
    expect(userWrites(result)).toStrictEqual(['10 update Deployment/web']);
  });

  test('a new image of a pod restarts its container in place', () => {
    const result = check({ objects: sets, steps: [{ at: '5s', setImage: { kind: 'Pod', name: 'web-0', image: 'web:2' } }] });
    expect(kindsOf(result)).toStrictEqual(['closed']);
    expect(userWrites(result)).toStrictEqual(['5 update Pod/web-0']);
    const restarted = entriesOf(result).filter(({ type, ...entry }) => type === 'container' && 'what' in entry && entry.what === 'started');
    expect(restarted).toMatchObject([{ pod: 'default/web-0' }]);
  });

  test('an eviction waits until the budget of its pods allows it', () => {
    const result = check({ objects: [...sets, budget], steps: [{ at: '0s', evict: { selector: labels } }] });
    expect(result.verdict).toBe('safe');
    const deletions = entriesOf(result).flatMap((entry) =>
      entry.type === 'update' && entry.object.metadata.deletionTimestamp && !entry.previous?.metadata.deletionTimestamp
        ? [entry.seconds]
        : [],
    );
    expect(deletions).toHaveLength(2);
    expect((deletions[1] as number) - (deletions[0] as number)).toBeGreaterThan(10);
  });

  test('a node that shuts down ends its pods, and is lost then', () => {
    const result = check({ steps: [{ at: '0s', shutDown: ['n1'] }] });
    const nodeEntries = entriesOf(result).flatMap((entry) => (entry.type === 'node' ? [`${entry.what} ${entry.node}`] : []));
    expect(nodeEntries).toStrictEqual(['shutdown n1', 'lost n1']);
    expect(() => check({ steps: [{ at: '0s', shutDown: ['n9'] }] })).toThrow('steps[0].shutDown: there is no node "n9"');
  });

  test('a drain that cannot end is not finished', () => {
    const { worst, verdict } = check({ objects: sets, steps: [{ at: '0s', drain: ['n1', 'n2', 'n3'] }] });
    expect({ verdict, unfinished: worst.unfinished }).toStrictEqual({
      verdict: 'drops',
      unfinished: ['StatefulSet default/web (0/3 nodes are available: 3 node(s) were unschedulable)'],
    });
  });

  test('a DaemonSet whose new pods do not become ready is not finished, although the old ones stay available', () => {
    const daemonSet = (image: string, type: string): ApiObject => ({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: labels },
        updateStrategy: { type, ...(type === 'RollingUpdate' && { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }) },
        template: template(image),
      },
    });
    const unfinished = (type: string): readonly string[] =>
      check({
        objects: [service, daemonSet('web:1', type)],
        steps: [{ at: 0, apply: daemonSet('web:2', type) }],
        faults: [{ from: '1s', failProbe: { selector: labels, image: 'web:2', probe: 'readiness' } }],
        ranges: { containerCreation: { min: 2000, max: 2000 } },
      }).worst.unfinished;
    expect(unfinished('RollingUpdate')).toStrictEqual(['DaemonSet default/web']);
    expect(unfinished('OnDelete')).toStrictEqual([]);
  });

  test('a drained node that gets pods again after it is uncordoned was drained', () => {
    const steps = [
      { at: 0, drain: 'n1' },
      { at: '1m', uncordon: 'n1' },
      { ...restart, at: '2m' },
    ];
    const result = check({ steps });
    const placed = entriesOf(result).some(
      (entry) =>
        entry.seconds > 120 && entry.type === 'update' && (entry.object['spec'] as { nodeName?: string } | undefined)?.nodeName === 'n1',
    );
    expect({ verdict: result.verdict, placed }).toStrictEqual({ verdict: 'safe', placed: true });
  });

  test('deregistered addresses return with the next change, or when they are registered', () => {
    const objects = [{ ...service, spec: { ...(service['spec'] as object), type: 'LoadBalancer' } }, statefulSet];
    const deregister = { at: '0s', deregister: { component: 'load-balancer/web', name: 'web-0' } };
    const routes = (steps: readonly unknown[]): (readonly [number, number])[] =>
      entriesOf(
        check({ objects, network: { loadBalancer: { targets: 'pods' } }, ranges: { balancerSync: { min: 0, max: 0 } }, steps }),
      ).flatMap((entry) =>
        entry.type === 'route' && entry.actor === 'load-balancer/web' ? [[Math.floor(entry.seconds), entry.addresses.length] as const] : [],
      );
    expect(routes([deregister])).toStrictEqual([[0, 1]]);
    expect(routes([deregister, { at: '20s', register: { component: 'load-balancer/web' } }])).toStrictEqual([
      [0, 1],
      [20, 2],
    ]);
    expect(routes([deregister, { at: '20s', delete: { kind: 'Pod', name: 'web-1' } }])[1]).toStrictEqual([20, 1]);
  });

  test('the rollout of an applied change drops the same requests as with checkRollout, and has the same fix', () => {
    const [before, after] = [{ readinessProbe: probe }, { readinessProbe: probe }].map((container, i) =>
      deployment(`web:${i + 1}`, container),
    ) as [ApiObject, ApiObject];
    const options = { objects: [service, before], seeds: 0 };
    const rollout = checkRollout({ ...options, change: [after] });
    const simulation = checkSimulation({ ...options, steps: [{ at: '0s', apply: after }] });
    expect(rollout.fix?.parts).toMatchObject([{ name: 'preStopSleep' }]);
    expect(simulation).toStrictEqual({ ...rollout, steps: [{ at: 0, summary: 'apply Deployment default/web' }] });
  });
});

describe('faults', () => {
  test('without a fault, the restart is safe', () => {
    expect(check({ steps: [restart] }).verdict).toBe('safe');
  });

  test.each([
    ['stallWatch', 'stall', 'go on'],
    ['reconnectWatch', 'are disconnected', 'list all objects again'],
  ])('%s: a proxy routes to pods that have ended until its watch goes on', (name, starts, ends) => {
    const { worst, steps } = check({ steps: [restart], faults: [{ from: '5s', to: '1m', [name]: { component: 'kube-proxy/n1' } }] });
    expect(worst.drops.map(({ kind, actors }) => ({ kind, actors }))).toStrictEqual([{ kind: 'closed', actors: ['kube-proxy/n1'] }]);
    expect(worst.drops[0]?.to).toBeGreaterThan(60_000);
    expect(worst.drops[0]?.to).toBeLessThan(65_000);
    expect(steps).toStrictEqual([
      { at: 5000, summary: `watches of kube-proxy/n1 ${starts}` },
      { at: 10_000, summary: 'restart Deployment default/web' },
      { at: 60_000, summary: `watches of kube-proxy/n1 ${ends}` },
    ]);
  });

  test.each<[string, readonly unknown[]]>([
    ['for all nodes and one', [{ from: '5s', to: '1m', stallWatch: { component: 'kube-proxy' } }]],
    ['of two kinds', [{ from: '5s', to: '50s', reconnectWatch: { component: 'kube-proxy/n1' } }]],
    ['and a slow watch', [{ from: '5s', to: '1m', slow: { delay: 'watch', component: 'kube-proxy', factor: 10 } }]],
  ])('faults of the same watch that overlap, %s, end with the last of them', (_, others) => {
    const fault = { from: '5s', to: '1m', stallWatch: { component: 'kube-proxy/n1' } };
    const { worst } = check({ steps: [restart], faults: [fault, ...others] });
    expect(worst.drops[0]?.to).toBeGreaterThan(60_000);
    expect(worst.drops[0]?.to).toBeLessThan(65_000);
  });

  test('stallRequests: a kubelet writes no status until its requests are answered', () => {
    const result = check({
      objects: sets,
      steps: [{ at: '10s', delete: { kind: 'Pod', selector: labels } }],
      faults: [{ from: '10s', to: '2m', stallRequests: { component: 'kubelet/n1' } }],
    });
    const writes = entriesOf(result).flatMap((entry) =>
      'actor' in entry && entry.actor === 'kubelet/n1' && entry.type !== 'event' ? [entry.seconds] : [],
    );
    expect(Math.min(...writes)).toBeGreaterThan(120);
    expect(result.worst.unfinished).toStrictEqual([]);
  });

  test('slow: a delay is longer for a component', () => {
    const request = { min: 50, max: 50 };
    const firstWrite = (faults: readonly unknown[]): number | undefined =>
      entriesOf(check({ steps: [restart], faults, ranges: { request } })).find(
        (entry) => 'actor' in entry && entry.type !== 'event' && entry.actor === 'replicaset-controller',
      )?.seconds;
    expect(Math.floor(firstWrite([]) as number)).toBe(10);
    expect(Math.floor(firstWrite([{ slow: { delay: 'request', component: 'replicaset-controller', factor: 400 } }]) as number)).toBe(30);
  });

  test('stopController: no slice is written while its controller is down, and then all pods are in it', () => {
    const result = check({ steps: [restart], faults: [{ from: '5s', to: '1m', stopController: { name: 'endpointslice-controller' } }] });
    expect(kindsOf(result)).toContain('closed');
    const slices = entriesOf(result).filter((entry) => 'object' in entry && entry.object.kind === 'EndpointSlice');
    expect(slices[0]?.seconds).toBeGreaterThan(60);
    const last = slices.at(-1);
    expect(last && 'object' in last && last.object).toMatchObject({
      endpoints: [{ conditions: { ready: true } }, { conditions: { ready: true } }],
    });
  });

  test('stopController: a controller that stays down leaves its work undone', () => {
    const { verdict, worst } = check({ steps: [restart], faults: [{ stopController: { name: 'deployment-controller' } }] });
    expect({ verdict, unfinished: worst.unfinished }).toStrictEqual({ verdict: 'unfinished', unfinished: ['Deployment default/web'] });
  });

  test('stopController: faults that overlap end with the last of them', () => {
    const stopController = { name: 'endpointslice-controller' };
    const faults = [
      { from: '5s', to: '1m', stopController },
      { from: '6s', to: '20s', stopController },
    ];
    const slices = entriesOf(check({ steps: [restart], faults })).filter(
      (entry) => 'object' in entry && entry.object.kind === 'EndpointSlice',
    );
    expect(slices[0]?.seconds).toBeGreaterThan(60);
  });

  const exits = (result: Check): number[] =>
    entriesOf(result).flatMap((entry) => (entry.type === 'container' && entry.what === 'exited' ? [entry.seconds] : []));

  test('crash: processes end, once or whenever they start', () => {
    const once = check({ objects: sets, faults: [{ from: '10s', crash: { name: 'web-0' } }] });
    expect(exits(once)).toStrictEqual([10]);
    expect(kindsOf(once)).toContain('cut');
    const loop = exits(check({ objects: sets, faults: [{ from: '10s', to: '1m', crash: { name: 'web-0' } }] }));
    expect(loop.length).toBeGreaterThan(2);
    expect(Math.max(...loop)).toBeLessThan(60);
  });

  test('failProbe: pods whose readiness probe fails leave the routes', () => {
    const result = check({ faults: [{ from: '10s', to: '1m', failProbe: { selector: labels, probe: 'readiness' } }] });
    expect(kindsOf(result)).toStrictEqual(['noEndpoints']);
    expect(result.worst.unfinished).toStrictEqual([]);
    expect(check({ faults: [{ from: '10s', to: '15s', failProbe: { selector: labels, probe: 'readiness' } }] }).verdict).toBe('safe');
  });

  test('loseNode: clients are routed to the pods of a lost node until it is restored', () => {
    const result = check({ faults: [{ from: '10s', to: '20s', loseNode: { node: 'n1' } }] });
    expect(kindsOf(result)).toStrictEqual(['cut', 'nodeLost']);
    const [drop] = result.worst.drops.filter(({ kind }) => kind === 'nodeLost');
    expect(drop).toMatchObject({ from: 10_000, to: 20_000, nodes: ['n1'] });
    expect(() => check({ faults: [{ loseNode: { node: 'n9' } }] })).toThrow('faults[0].loseNode: there is no node "n9"');
  });

  test('loseNode: a node that is restored can be lost at the same time, in any order of the faults', () => {
    const [first, second] = [
      { to: '10s', loseNode: { node: 'n1' } },
      { from: '10s', to: '20s', loseNode: { node: 'n1' } },
    ];
    const nodeEntries = (faults: readonly unknown[]): string[] =>
      entriesOf(check({ faults })).flatMap((entry) => (entry.type === 'node' ? [`${entry.seconds} ${entry.what}`] : []));
    const expected = ['0 lost', '10 restored', '10 lost', '20 restored'];
    expect(nodeEntries([first, second])).toStrictEqual(expected);
    expect(nodeEntries([second, first])).toStrictEqual(expected);
  });
});

describe('a run ends when nothing more can happen', () => {
  const slowProbe = { lifecycle, readinessProbe: { ...probe, failureThreshold: 20 } };
  const failProbe = { failProbe: { selector: labels, probe: 'readiness' } };
  const pod: ApiObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-0', labels },
    spec: (template('web:1', slowProbe) as { spec: object }).spec,
  };

  test.each([
    ['a Deployment', deployment('web:1', slowProbe)],
    ['a pod without a workload', pod],
  ])('waits for the failures of a probe of %s', (_, workload) => {
    const { worst } = check({ objects: [service, workload], faults: [failProbe] });
    expect(worst.drops).toMatchObject([{ kind: 'noEndpoints', isOngoing: true }]);
    expect(worst.drops[0]?.from).toBeGreaterThan(95_000);
  });

  test('waits for a delay that is longer than other waits', () => {
    const start = { min: 60_000, max: 60_000 };
    expect(check({ ranges: { applicationStart: start }, steps: [restart] }).verdict).toBe('safe');
    const { worst } = check({ steps: [restart], faults: [{ slow: { delay: 'proxySync', component: 'kube-proxy/n1', factor: 200 } }] });
    expect(worst.drops).toMatchObject([{ kind: 'closed', isOngoing: false }]);
    expect(worst.drops[0]?.to).toBeGreaterThan(120_000);
  });

  test('waits for the health checks of load balancers', () => {
    const balanced = { ...service, spec: { ...(service['spec'] as object), type: 'LoadBalancer', externalTrafficPolicy: 'Local' } };
    const { worst } = check({
      objects: [balanced, deployment('web:1')],
      network: { loadBalancer: { healthCheckIntervalMs: 30_000 } },
      steps: [{ at: '0s', scale: { kind: 'Deployment', name: 'web', replicas: 1 } }],
    });
    const [drop] = worst.drops.filter(({ kind }) => kind === 'noLocalEndpoints');
    expect(Math.round(((drop?.to ?? 0) - (drop?.from ?? 0)) / 1000)).toBe(90);
  });

  test('waits for the back-off of a container that crashed', () => {
    const { worst, verdict } = check({ faults: [{ to: '7m', crash: { selector: labels } }] });
    expect({ verdict, unfinished: worst.unfinished, ongoing: worst.drops.filter(({ isOngoing }) => isOngoing) }).toStrictEqual({
      verdict: 'drops',
      unfinished: [],
      ongoing: [],
    });
  });

  test('does not wait for a watch that stalls without end', () => {
    const { worst } = check({ steps: [restart], faults: [{ stallWatch: { component: 'kube-proxy/n1' } }] });
    expect(worst.drops).toMatchObject([{ kind: 'closed', isOngoing: true }]);
    expect(worst.drops[0]?.to).toBeLessThan(60_000);
  });
});

test('a rule for pods that a step takes out by their labels lasts until the end if no step restores them', () => {
  const run = (): void => {};
  const takesOut = { component: 'load-balancer/web', selector: { app: 'web', zone: 'a' } };
  const steps = [
    { at: 1500, plan: { summary: '', run, takesOut } },
    { at: 2000, plan: { summary: '', run, restores: 'load-balancer/other' } },
  ];
  expect(keepOutRules(steps)).toStrictEqual([
    { from: '1.5s', rule: { name: 'keep-out-1', addresses: { podLabels: 'app=web,zone=a' }, action: { keepOut: {} } } },
  ]);
});

test('there is no rule for pods that are taken out and restored at the same time', () => {
  const run = (): void => {};
  const steps = [
    { at: 1500, plan: { summary: '', run, takesOut: { component: 'load-balancer/web', name: ['web-0'] } } },
    { at: 1500, plan: { summary: '', run, restores: 'load-balancer/web' } },
  ];
  expect(keepOutRules(steps)).toStrictEqual([]);
});

describe('rules', () => {
  const keepOut = { name: 'batch', addresses: { podLabels: 'app=web' }, action: { keepOut: {} } };

  test('are in force at their times', () => {
    const result = check({ createOverrides, rules: [{ from: '10s', to: '1m', rule: keepOut }] });
    expect(kindsOf(result)).toStrictEqual(['noEndpoints']);
    const [drop] = result.worst.drops;
    expect(Math.floor((drop?.from ?? 0) / 1000)).toBeOneOf([10, 11]);
    expect(Math.floor((drop?.to ?? 0) / 1000)).toBeOneOf([60, 61, 62]);
  });

  test.each([
    [[{ rule: { ...keepOut, action: { keepOut: { as: 'x' } } } }], /^rules\[0\]\.rule\.action\.keepOut\.as: /],
    [[{ rule: 1 }], 'rules[0].rule: give an endpoint override rule with name and action'],
  ])('%j is rejected', (rules, message) => {
    expect(() => check({ createOverrides, rules })).toThrow(message);
  });
});

test('applications describes the processes of some containers', () => {
  const options = { objects: [service, deployment('web:1', {})], steps: [restart] };
  const applications = [{ selector: labels, container: 'web', application: { drainSeconds: 10, isReadyWhileDraining: false } }];
  expect(kindsOf(check(options))).toStrictEqual(['closed']);
  expect(check({ ...options, applications }).verdict).toBe('safe');
  const steps = [{ at: '10s', setImage: { kind: 'Deployment', name: 'web', image: 'web:2' } }];
  const withImage = (image: string): Check => check({ ...options, steps, applications: applications.map((row) => ({ ...row, image })) });
  expect(withImage('web:1').verdict).toBe('safe');
  expect(kindsOf(withImage('web:2'))).toStrictEqual(['closed']);
});

test('clients.components limits the judged clients', () => {
  const faults = [{ from: '5s', to: '1m', stallWatch: { component: 'kube-proxy/n1' } }];
  expect(check({ steps: [restart], faults, clients: { components: ['kube-proxy/n2'] } }).verdict).toBe('safe');
  expect(check({ steps: [restart], faults, clients: { components: ['kube-proxy'] } }).verdict).toBe('drops');
});

test('a long scenario ends', () => {
  expect(check({ steps: [{ ...restart, at: '6h' }] })).toMatchObject({ verdict: 'safe', steps: [{ at: 21_600_000 }] });
});

describe('errors name the field and what it accepts', () => {
  test.each<[Partial<Options>, string]>([
    [{ steps: [restart, { ...restart, at: '5s' }] }, 'steps[1].at: give a time that is not before the previous step, such as 10s'],
    [{ steps: [{ ...restart, at: 'soon' }] }, 'steps[0].at: give a time such as 30s or 1m30s, of at most 6h'],
    [{ steps: [{ ...restart, at: '7h' }] }, 'steps[0].at: give a time such as 30s or 1m30s, of at most 6h'],
    [{ steps: [{ restart: restart.restart }] }, 'steps[0].at: give a time such as 30s or 1m30s, of at most 6h'],
    [
      { steps: [{ at: '1s' }] },
      'steps[0]: give one of apply, delete, scale, setImage, restart, evict, cordon, uncordon, drain, shutDown, deregister, register',
    ],
    [{ steps: [{ ...restart, drain: ['n1'] }] }, 'steps[0]: give one of apply, '],
    [{ steps: [{ at: '1s', remove: {} }] }, 'steps[0].remove is unknown: give at, apply, '],
    [{ steps: [{ at: '1s', restart: { kind: 'Pod', name: 'web' } }] }, 'steps[0].restart.kind: give Deployment, StatefulSet'],
    [{ steps: [{ at: '1s', evict: {} }] }, 'steps[0].evict: give either name or selector, such as name: web-0 or selector: { app: web }'],
    [{ steps: [{ at: '1s', apply: { kind: 'Service' } }] }, 'steps[0].apply: give an object with kind and metadata.name'],
    [{ steps: [{ at: '1s', drain: ['n9'] }] }, 'steps[0].drain: there is no node "n9": give n1, n2, n3'],
    [{ steps: [{ at: '1s', evict: { name: 'web-9' } }] }, 'steps[0].evict: there is no Pod default/web-9 at this time'],
    [
      { steps: [{ at: '1s', delete: { kind: 'Pod', namespace: 'shop', selector: { a: 'b' } } }] },
      'steps[0].delete: there are no Pods of shop with a=b at this time',
    ],
    [
      { steps: [{ at: '1s', delete: { kind: 'Node', name: 'n1' } }] },
      'steps[0].delete.kind: give a kind whose objects have a namespace, such as Pod; drain or shutDown nodes instead',
    ],
    [
      { objects: [...sets, budget, { ...budget, metadata: { name: 'other' } }], steps: [{ at: '1s', evict: { name: 'web-0' } }] },
      'steps[0].evict: Pod default/web-0 cannot be evicted: This pod has more than one PodDisruptionBudget',
    ],
    [{ steps: [{ at: '1s', register: { component: 'x' } }] }, 'steps[0].register.component: "x" does not route: give one of kube-proxy/n1'],
    [
      { steps: [{ at: '1s', setImage: { kind: 'Deployment', name: 'web', container: 'x', image: 'y' } }] },
      'steps[0].setImage: there is no container "x": give web',
    ],
    [{ steps: Array(201).fill(restart) }, 'steps: give at most 200 items'],
    [{ faults: [{ from: '10s', to: '5s', slow: { delay: 'watch', factor: 2 } }] }, 'faults[0].to: give a time after faults[0].from (10s)'],
    [{ faults: [{ slow: { delay: 'wotch', factor: 2 } }] }, 'faults[0].slow.delay: give request, watch'],
    [{ faults: [{ slow: { delay: 'watch', factor: 1 } }] }, 'faults[0].slow.factor: give a whole number from 2 to 10000'],
    [{ faults: [{ stallWatch: { component: 'x' } }] }, 'faults[0].stallWatch.component: there is no "x": give one of coredns'],
    [
      { faults: [{ stopController: { name: 'endpoints' } }] },
      'faults[0].stopController.name: there is no controller "endpoints": give one of deployment-controller',
    ],
    [{ faults: {} as never }, 'faults: give a list'],
    [{ rules: [{ rule: {} }] }, 'rules: give createOverrides of @kube-endpoints/overrides, too'],
    [
      { applications: [{ selector: labels, application: { drain: 1 } }] },
      'applications[0].application.drain is unknown: give onTerminate, drainSeconds',
    ],
    [
      {
        applications: [
          { selector: labels, application: {} },
          { selector: { app: 'wbe' }, application: {} },
        ],
      },
      'applications[1]: no container of any run is selected: correct the namespace, name, labels or image',
    ],
    [
      { steps: [{ at: '1s', apply: { kind: 'Pod', metadata: { name: 'a', ownerReferences: 'x' } } }] } as never,
      'steps[0].apply: Pod "a" is invalid: ',
    ],
    [{ clients: { components: ['x'] } }, 'clients.components: "x" does not route: give one of kube-proxy/n1'],
    [
      { stepps: [] } as never,
      'stepps is unknown: give clients, ranges, network, application, objects, applications, steps, faults, rules, seeds',
    ],
    [{ seeds: -1 }, 'seeds: give a whole number from 0 to 1000'],
  ])('%j', (options, message) => {
    expect(() => check(options)).toThrow(message);
  });
});

test('readiness probes each second let a pod that is about to be deleted leave the routes in time', () => {
  // A hook that ends at once, beside which no sleep can be set.
  const hook = { lifecycle: { preStop: { exec: { command: ['true'] } } } };
  const versions = ['old', 'new'].map((version): ApiObject => {
    const { spec, ...object } = deployment('web:1', hook) as ApiObject & { readonly spec: { readonly template: object } };
    const both = { ...labels, version };
    const pods = { ...spec.template, metadata: { labels: both } };
    return { ...object, metadata: { name: version }, spec: { ...spec, replicas: 1, selector: { matchLabels: both }, template: pods } };
  });
  const { verdict, fix, worst } = check({
    objects: [service, ...versions],
    faults: [{ from: '0s', to: '12s', failProbe: { selector: { version: 'old' }, probe: 'readiness' } }],
    steps: [{ at: '12s', scale: { kind: 'Deployment', name: 'old', replicas: 0 } }],
    searchesFix: true,
  });
  expect({ verdict, kinds: kindsOf({ worst } as Check) }).toStrictEqual({ verdict: 'drops', kinds: ['closed'] });
  expect(fix?.check.verdict).toBe('safe');
  expect(fix?.parts.map(({ summary }) => summary)).toStrictEqual([
    'periodSeconds: 1 and failureThreshold: 1 of readiness probes in Deployment default/old, Deployment default/new',
  ]);
});
