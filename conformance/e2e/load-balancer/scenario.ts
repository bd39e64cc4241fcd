import type { Fault } from '@kube-endpoints/controllers/clouds';
import { createRandom } from '../../model/random.ts';
import { inParallel, pathOf } from '../api.ts';
import { type Check, check } from '../compare.ts';
import type { ControlPlane } from '../takeover/control-plane.ts';
import { type Replica, startReplica, until } from '../takeover/replica.ts';
import { churn, excluded, ignoreRefusal } from './churn.ts';
import type { CloudServer } from './cloud-server.ts';
import { compareAll, namespace, nodeManifest, serviceManifest, servicePath } from './world.ts';

export interface Stage {
  readonly plane: ControlPlane;
  readonly cloud: CloudServer;
  /** The path of the module for `--cloud`. */
  readonly module: string;
  readonly seconds: number;
  readonly seed: number;
}

/** Longer than the longest retry delay. */
const settleTimeoutMs = 400_000;

/** The controller, restarted after every kill. */
interface RestartableController {
  replica: Replica;
  restart(): Promise<void>;
}

/** First regular lifecycles of Services, then kills, then churn with a failing cloud. */
export async function runScenario(stage: Stage): Promise<Check[]> {
  const { plane, cloud } = stage;
  const { api } = plane;
  await api.post(pathOf('Namespace'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await inParallel([0, 1, 2, 3], async (n) => void (await api.post(pathOf('Node'), nodeManifest(`node-${n}`))));
  const controller = await createRestartableController(stage);
  try {
    const checks = [
      ...(await checkLifecycle(stage)),
      ...(await checkKills(stage, controller)),
      ...(await checkFailingCloud(stage, controller)),
    ];
    checks.push(...(await checkDeletion(stage)));
    checks.push(check('the controller', 'exit code', await controller.replica.stop(), 0));
    return checks;
  } finally {
    cloud.setFaults(() => undefined);
    controller.replica.kill('SIGKILL');
  }
}

async function createRestartableController({ plane, module }: Stage): Promise<RestartableController> {
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
async function checkSettled(title: string, { plane, cloud }: Stage): Promise<Check[]> {
  let checks: Check[] = [];
  const agree = async (): Promise<boolean> => {
    checks = await compareAll(plane.api, cloud);
    return checks.every(({ passed }) => passed);
  };
  await until(title, agree, settleTimeoutMs).catch(() => undefined);
  return checks.map((each) => ({ ...each, what: `${title}: ${each.what}` }));
}

/** Create, change, classes, nodes, delete. */
async function checkLifecycle(stage: Stage): Promise<Check[]> {
  const { api } = stage.plane;
  const create = (name: string, spec?: Readonly<Record<string, unknown>>) =>
    api.post(pathOf('Service', namespace), serviceManifest(name, spec));
  const node = (n: number): string => pathOf('Node', undefined, `node-${n}`);
  const off = { type: 'ClusterIP', ports: [{ name: 'http', port: 80, nodePort: null }] };
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['created', () => inParallel(['a', 'b', 'c', 'd'], async (name) => void (await create(name)))],
    ['Service of another class created', () => create('foreign', { loadBalancerClass: 'example.com/other' })],
    ['ports changed', () => api.merge(servicePath('a'), { spec: { ports: [{ name: 'http', port: 8080, appProtocol: 'http' }] } })],
    ['type changed from LoadBalancer', () => api.merge(servicePath('b'), { spec: off })],
    ['type changed back to LoadBalancer', () => api.merge(servicePath('b'), { spec: { type: 'LoadBalancer' } })],
    ['type changed from LoadBalancer, to set a class', () => api.merge(servicePath('c'), { spec: off })],
    [
      'class and type set together',
      () => api.merge(servicePath('c'), { spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/other' } }),
    ],
    ['node added', () => api.post(pathOf('Node'), nodeManifest('node-4'))],
    ['node excluded', () => api.merge(node(0), { metadata: { labels: { [excluded]: '' } } })],
    ['node deleted', () => api.delete(node(1))],
    ['first Service deleted', () => api.delete(servicePath('d'))],
    ['second Service deleted', () => api.delete(servicePath('a'))],
    ['Service recreated', () => recreate(stage, 'a')],
  ];
  const checks: Check[] = [];
  for (const [title, act] of steps) {
    await act();
    checks.push(...(await checkSettled(title, stage)));
  }
  return checks;
}

/** Waits until the name is free: the finalizer keeps the Service until its load balancer has been deleted. */
async function recreate({ plane: { api } }: Stage, name: string): Promise<void> {
  await until(`${name} is gone`, async () => (await api.get(servicePath(name))) === undefined);
  await api.post(pathOf('Service', namespace), serviceManifest(name));
}

/** Kills the controller after the cloud has executed a call and before the controller receives the response. */
async function checkKills(stage: Stage, controller: RestartableController): Promise<Check[]> {
  const { plane, cloud } = stage;
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
    await until('the controller is killed', () => killed);
    const service = await plane.api.get(servicePath(name));
    const { status } = service as unknown as { readonly status?: { readonly loadBalancer?: object } };
    checks.push(check(name, 'status at the kill', status?.loadBalancer, {}));
    // Every other Service is deleted right away.
    if (n % 2 === 1) await plane.api.delete(servicePath(name));
    await controller.restart();
    checks.push(...(await checkSettled(`killed between ensure and status, ${n + 1}`, stage)));
  }
  cloud.setIntercept(() => undefined);
  return checks;
}

/** Changes 200 Services while half of all cloud calls fail, and kills the controller now and then. */
async function checkFailingCloud(stage: Stage, controller: RestartableController): Promise<Check[]> {
  const { plane, cloud, seconds, seed } = stage;
  const random = createRandom(seed);
  const names = Array.from({ length: 200 }, (_, n) => `churn-${n}`);
  await inParallel(names, async (name) => void (await plane.api.post(pathOf('Service', namespace), serviceManifest(name))));
  let failed = 0;
  cloud.setFaults(() => {
    if (!random.chance(0.5)) return undefined;
    failed++;
    return random.pick(faults);
  });
  const before = cloud.cloud.calls.at(-1)?.number ?? 0;
  let changes = 0;
  for (const part of [1, 2]) {
    changes += await churn(plane.api, names, random, seconds / 2);
    if (part === 1) await controller.restart();
  }
  const asked = (cloud.cloud.calls.at(-1)?.number ?? 0) - before;
  cloud.setFaults(() => undefined);
  console.log(`${changes} changes in ${seconds} s, ${asked} cloud calls, ${failed} of them failed`);
  // Five standard deviations of a fair coin, for any number of calls.
  const isHalf = Math.abs(failed - asked / 2) < 2.5 * Math.sqrt(asked);
  return [check('churn', 'about half of the calls failed', isHalf && asked > 100, true), ...(await checkSettled('after the churn', stage))];
}

const faults: readonly Fault[] = [
  { fault: 'throw' },
  { fault: 'throw', error: new Error('the cloud is down') },
  { fault: 'retryAfter', milliseconds: 2000 },
  { fault: 'failsAfterEffect' },
  { fault: 'malformed' },
];

/** Deletes every Service: no load balancer and no finalizer may remain. */
async function checkDeletion(stage: Stage): Promise<Check[]> {
  const { api } = stage.plane;
  const list = async () => api.list(pathOf('Service', namespace));
  const names = (await list()).map(({ metadata }) => metadata.name ?? '');
  // Services that were being deleted may be gone by now.
  await inParallel(names, async (name) => api.delete(servicePath(name)).catch(ignoreRefusal));
  await until('all Services are gone', async () => (await list()).length === 0, settleTimeoutMs).catch(() => undefined);
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
      stage.cloud.cloud.held.map(({ reference }) => reference),
      [],
    ),
  ];
}
