import type { Fault } from '@kube-endpoints/controllers/clouds';
import { createRandom } from '../../model/random.ts';
import { inParallel, pathOf } from '../api.ts';
import { type Check, check } from '../compare.ts';
import type { ControlPlane } from '../takeover/control-plane.ts';
import { type Replica, startReplica, waitUntil } from '../takeover/replica.ts';
import { churn, excludeLabel, ignoreRejection } from './churn.ts';
import type { CloudServer } from './cloud-server.ts';
import { compareAll, namespace, nodeManifest, serviceManifest, servicePath } from './manifests.ts';

export interface ScenarioOptions {
  readonly plane: ControlPlane;
  readonly cloud: CloudServer;
  /** The path of the module for `--cloud`. */
  readonly module: string;
  readonly seconds: number;
  readonly seed: number;
}

/**
 * Faults before and after the restart each. Retry delays start at 5 s and double with each failure, so more faults would delay a Service for
 * minutes.
 */
const maxFaultsPerService = 3;

/** Longer than the maximum retry delay of five minutes. */
const settleTimeoutMs = 400_000;

/** The controller, restarted after every kill. */
interface RestartableController {
  replica: Replica;
  restart(): Promise<void>;
}

/** Checks the lifecycle of Services, kills of the controller, and random changes with a failing cloud. */
export async function runScenario(options: ScenarioOptions): Promise<Check[]> {
  const { plane, cloud } = options;
  const { api } = plane;
  await api.post(pathOf('Namespace'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await inParallel([0, 1, 2, 3], async (n) => void (await api.post(pathOf('Node'), nodeManifest(`node-${n}`))));
  const controller = await createRestartableController(options);
  try {
    const checks = [
      ...(await checkLifecycle(options)),
      ...(await checkKills(options, controller)),
      ...(await checkFailingCloud(options, controller)),
    ];
    checks.push(...(await checkDeletion(options)));
    checks.push(check('the controller', 'exit code', await controller.replica.stop(), 0));
    return checks;
  } finally {
    cloud.setFaults(() => undefined);
    controller.replica.kill('SIGKILL');
  }
}

async function createRestartableController({ plane, module }: ScenarioOptions): Promise<RestartableController> {
  const start = (): Promise<Replica> => startReplica(plane.kubeconfig, ['--controllers', 'service-lb', '--cloud', module]);
  const controller: RestartableController = {
    replica: await start(),
    async restart() {
      controller.replica.kill('SIGKILL');
      controller.replica = await start();
    },
  };
  return controller;
}

/** Waits until cluster and cloud agree, and reports their differences. */
async function checkSettled(title: string, { plane, cloud }: ScenarioOptions): Promise<Check[]> {
  let checks: Check[] = [];
  const isSettled = async (): Promise<boolean> => {
    checks = await compareAll(plane.api, cloud);
    return checks.every(({ passed }) => passed);
  };
  await waitUntil(title, isSettled, settleTimeoutMs).catch(() => undefined);
  return checks.map((each) => ({ ...each, what: `${title}: ${each.what}` }));
}

/** Creates, changes and deletes Services and nodes step by step. */
async function checkLifecycle(options: ScenarioOptions): Promise<Check[]> {
  const { api } = options.plane;
  const create = (name: string, spec?: Readonly<Record<string, unknown>>) =>
    api.post(pathOf('Service', namespace), serviceManifest(name, spec));
  const node = (n: number): string => pathOf('Node', undefined, `node-${n}`);
  const clusterIPSpec = { type: 'ClusterIP', ports: [{ name: 'http', port: 80, nodePort: null }] };
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['created', () => inParallel(['a', 'b', 'c', 'd'], async (name) => void (await create(name)))],
    ['Service of another class created', () => create('foreign', { loadBalancerClass: 'example.com/other' })],
    ['ports changed', () => api.mergePatch(servicePath('a'), { spec: { ports: [{ name: 'http', port: 8080, appProtocol: 'http' }] } })],
    ['type changed from LoadBalancer', () => api.mergePatch(servicePath('b'), { spec: clusterIPSpec })],
    ['type changed back to LoadBalancer', () => api.mergePatch(servicePath('b'), { spec: { type: 'LoadBalancer' } })],
    ['type changed from LoadBalancer, to set a class', () => api.mergePatch(servicePath('c'), { spec: clusterIPSpec })],
    [
      'class and type set together',
      () => api.mergePatch(servicePath('c'), { spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/other' } }),
    ],
    ['node added', () => api.post(pathOf('Node'), nodeManifest('node-4'))],
    ['node excluded', () => api.mergePatch(node(0), { metadata: { labels: { [excludeLabel]: '' } } })],
    ['node deleted', () => api.delete(node(1))],
    ['first Service deleted', () => api.delete(servicePath('d'))],
    ['second Service deleted', () => api.delete(servicePath('a'))],
    ['Service recreated', () => recreate(options, 'a')],
  ];
  const checks: Check[] = [];
  for (const [title, step] of steps) {
    await step();
    checks.push(...(await checkSettled(title, options)));
  }
  return checks;
}

/** Waits until the name is free: the finalizer keeps the Service until its load balancer has been deleted. */
async function recreate({ plane: { api } }: ScenarioOptions, name: string): Promise<void> {
  await waitUntil(`${name} is gone`, async () => (await api.get(servicePath(name))) === undefined);
  await api.post(pathOf('Service', namespace), serviceManifest(name));
}

/** Kills the controller after the cloud has executed a call and before the controller receives the response. */
async function checkKills(options: ScenarioOptions, controller: RestartableController): Promise<Check[]> {
  const { plane, cloud } = options;
  const checks: Check[] = [];
  for (let n = 0; n < 5; n++) {
    const name = `killed-${n}`;
    let killed = false;
    cloud.setIntercept((call) => {
      if (killed || call.verb !== 'ensure' || call.reference?.name !== name) return undefined;
      killed = true;
      controller.replica.kill('SIGKILL');
      return 'drop';
    });
    await plane.api.post(pathOf('Service', namespace), serviceManifest(name));
    await waitUntil('the controller is killed', () => killed);
    const service = await plane.api.get(servicePath(name));
    const { status } = service as unknown as { readonly status?: { readonly loadBalancer?: object } };
    checks.push(check(name, 'status at the kill', status?.loadBalancer, {}));
    // Deletes every second Service immediately.
    if (n % 2 === 1) await plane.api.delete(servicePath(name));
    await controller.restart();
    checks.push(...(await checkSettled(`killed between ensure and status, ${n + 1}`, options)));
  }
  cloud.setIntercept(() => undefined);
  return checks;
}

/** Changes 200 Services at random while cloud calls fail, and kills the controller in between. */
async function checkFailingCloud(options: ScenarioOptions, controller: RestartableController): Promise<Check[]> {
  const { plane, cloud, seconds, seed } = options;
  const random = createRandom(seed);
  const names = Array.from({ length: 200 }, (_, n) => `churn-${n}`);
  await inParallel(names, async (name) => void (await plane.api.post(pathOf('Service', namespace), serviceManifest(name))));
  let [drawCount, failed] = [0, 0];
  const faultCounts = new Map<string, number>();
  cloud.setFaults(({ reference }) => {
    const name = reference?.name ?? '';
    const faultCount = faultCounts.get(name) ?? 0;
    if (faultCount === maxFaultsPerService) return undefined;
    drawCount++;
    if (!random.chance(0.5)) return undefined;
    faultCounts.set(name, faultCount + 1);
    failed++;
    return random.pick(faults);
  });
  const previousCalls = cloud.cloud.calls.at(-1)?.number ?? 0;
  const firstChanges = await churn(plane.api, names, random, seconds / 2);
  await controller.restart();
  faultCounts.clear();
  const changes = firstChanges + (await churn(plane.api, names, random, seconds / 2));
  const callCount = (cloud.cloud.calls.at(-1)?.number ?? 0) - previousCalls;
  cloud.setFaults(() => undefined);
  console.log(`${changes} changes in ${seconds} s, ${callCount} cloud calls, ${failed} of them failed`);
  return [
    check('churn', 'the cloud failed at least as often as there are Services', failed >= names.length, true),
    check('churn', 'the cloud failed in about half of the calls that could fail', isAboutHalf(failed, drawCount), true),
    ...(await checkSettled('after the churn', options)),
  ];
}

/** Whether a count is within five standard deviations of half of the draws. */
const isAboutHalf = (count: number, drawCount: number): boolean => Math.abs(count - drawCount / 2) < 2.5 * Math.sqrt(drawCount);

const faults: readonly Fault[] = [
  { fault: 'throw' },
  { fault: 'throw', error: new Error('the cloud is down') },
  { fault: 'retryAfter', milliseconds: 2000 },
  { fault: 'failsAfterEffect' },
  { fault: 'malformed' },
];

/** Deletes every Service: no load balancer and no finalizer may remain. */
async function checkDeletion(options: ScenarioOptions): Promise<Check[]> {
  const { api } = options.plane;
  const list = async () => api.list(pathOf('Service', namespace));
  const names = (await list()).map(({ metadata }) => metadata.name ?? '');
  // Services that were being deleted may be gone by now.
  await inParallel(names, async (name) => api.delete(servicePath(name)).catch(ignoreRejection));
  await waitUntil('all Services are gone', async () => (await list()).length === 0, settleTimeoutMs).catch(() => undefined);
  return [
    check(
      'cleanup',
      'remaining Services',
      (await list()).map(({ metadata }) => metadata.name),
      [],
    ),
    check(
      'cleanup',
      'remaining load balancers',
      options.cloud.cloud.held.map(({ reference }) => reference),
      [],
    ),
  ];
}
