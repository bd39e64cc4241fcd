import type { Fault } from '@kube-endpoints/controllers/clouds';
import { createRandom } from '../../model/random.ts';
import { inParallel, pathOf } from '../api.ts';
import { type Check, check } from '../compare.ts';
import type { ControlPlane } from '../takeover/control-plane.ts';
import { type Replica, startReplica, until } from '../takeover/replica.ts';
import { churn, excluded, refused } from './churn.ts';
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
const patience = 400_000;

/** The controller, restarted after every kill. */
interface Crew {
  replica: Replica;
  restart(): Promise<void>;
}

/** First regular lifecycles of Services, then kills, then churn with a failing cloud. */
export async function course(stage: Stage): Promise<Check[]> {
  const { plane, cloud } = stage;
  const { api } = plane;
  await api.post(pathOf('Namespace'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await inParallel([0, 1, 2, 3], async (n) => void (await api.post(pathOf('Node'), nodeManifest(`node-${n}`))));
  const crew = await createCrew(stage);
  try {
    const checks = [...(await lives(stage)), ...(await kills(stage, crew)), ...(await failing(stage, crew))];
    checks.push(...(await leave(stage)));
    checks.push(check('the controller', 'exit code', await crew.replica.stop(), 0));
    return checks;
  } finally {
    cloud.setFaults(() => undefined);
    crew.replica.kill('SIGKILL');
  }
}

async function createCrew({ plane, module }: Stage): Promise<Crew> {
  const start = (): Promise<Replica> => startReplica(plane.kubeconfig, ['--controllers', 'service-lb', '--cloud', module]);
  const crew: Crew = {
    replica: await start(),
    async restart() {
      crew.replica.kill('SIGKILL');
      crew.replica = await start();
    },
  };
  return crew;
}

/** Waits until cluster and cloud agree, and reports their differences. */
async function settled(title: string, { plane, cloud }: Stage): Promise<Check[]> {
  let checks: Check[] = [];
  const agree = async (): Promise<boolean> => {
    checks = await compareAll(plane.api, cloud);
    return checks.every(({ passed }) => passed);
  };
  await until(title, agree, patience).catch(() => undefined);
  return checks.map((each) => ({ ...each, what: `${title}: ${each.what}` }));
}

/** Create, change, classes, nodes, delete. */
async function lives(stage: Stage): Promise<Check[]> {
  const { api } = stage.plane;
  const create = (name: string, spec?: Readonly<Record<string, unknown>>) =>
    api.post(pathOf('Service', namespace), serviceManifest(name, spec));
  const node = (n: number): string => pathOf('Node', undefined, `node-${n}`);
  const off = { type: 'ClusterIP', ports: [{ name: 'http', port: 80, nodePort: null }] };
  const acts: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['created', () => inParallel(['a', 'b', 'c', 'd'], async (name) => void (await create(name)))],
    ['one of another class', () => create('foreign', { loadBalancerClass: 'example.com/other' })],
    ['other ports', () => api.merge(servicePath('a'), { spec: { ports: [{ name: 'http', port: 8080, appProtocol: 'http' }] } })],
    ['no load balancer any more', () => api.merge(servicePath('b'), { spec: off })],
    ['a load balancer again', () => api.merge(servicePath('b'), { spec: { type: 'LoadBalancer' } })],
    ['no load balancer any more, for a class', () => api.merge(servicePath('c'), { spec: off })],
    [
      'a class with the type',
      () => api.merge(servicePath('c'), { spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/other' } }),
    ],
    ['a node more', () => api.post(pathOf('Node'), nodeManifest('node-4'))],
    ['a node excluded', () => api.merge(node(0), { metadata: { labels: { [excluded]: '' } } })],
    ['a node less', () => api.delete(node(1))],
    ['deleted', () => api.delete(servicePath('d'))],
    ['deleted', () => api.delete(servicePath('a'))],
    ['made again', () => madeAgain(stage, 'a')],
  ];
  const checks: Check[] = [];
  for (const [title, act] of acts) {
    await act();
    checks.push(...(await settled(title, stage)));
  }
  return checks;
}

/** Waits until the name is free: the finalizer keeps the Service until its load balancer has been deleted. */
async function madeAgain({ plane: { api } }: Stage, name: string): Promise<void> {
  await until(`${name} is gone`, async () => (await api.get(servicePath(name))) === undefined);
  await api.post(pathOf('Service', namespace), serviceManifest(name));
}

/** Kills the controller after the cloud has executed a call and before the controller receives the response. */
async function kills(stage: Stage, crew: Crew): Promise<Check[]> {
  const { plane, cloud } = stage;
  const checks: Check[] = [];
  for (let n = 0; n < 5; n++) {
    const name = `killed-${n}`;
    let killed = false;
    cloud.setIntercept((call) => {
      if (killed || call.verb !== 'ensure' || call.reference?.name !== name) return undefined;
      killed = true;
      crew.replica.kill('SIGKILL');
      return 'drop';
    });
    await plane.api.post(pathOf('Service', namespace), serviceManifest(name));
    await until('the controller is killed', () => killed);
    const there = await plane.api.get(servicePath(name));
    const { status } = there as unknown as { readonly status?: { readonly loadBalancer?: object } };
    checks.push(check(name, 'killed before the status was written', status?.loadBalancer, {}));
    // Every other Service is deleted right away.
    if (n % 2 === 1) await plane.api.delete(servicePath(name));
    await crew.restart();
    checks.push(...(await settled(`killed between ensure and status, ${n + 1}`, stage)));
  }
  cloud.setIntercept(() => undefined);
  return checks;
}

/** Changes 200 Services while half of all cloud calls fail, and kills the controller now and then. */
async function failing(stage: Stage, crew: Crew): Promise<Check[]> {
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
    if (part === 1) await crew.restart();
  }
  const asked = (cloud.cloud.calls.at(-1)?.number ?? 0) - before;
  cloud.setFaults(() => undefined);
  console.log(`${changes} changes in ${seconds} s, ${asked} calls of the cloud, ${failed} of them failed`);
  // Five standard deviations of a fair coin, for any number of calls.
  const isHalf = Math.abs(failed - asked / 2) < 2.5 * Math.sqrt(asked);
  return [check('churn', 'about half of the calls failed', isHalf && asked > 100, true), ...(await settled('after the churn', stage))];
}

const faults: readonly Fault[] = [
  { fault: 'throw' },
  { fault: 'throw', error: new Error('the cloud is down') },
  { fault: 'retryAfter', milliseconds: 2000 },
  { fault: 'failsAfterEffect' },
  { fault: 'malformed' },
];

/** Deletes every Service: no load balancer and no finalizer may remain. */
async function leave(stage: Stage): Promise<Check[]> {
  const { api } = stage.plane;
  const list = async () => api.list(pathOf('Service', namespace));
  const names = (await list()).map(({ metadata }) => metadata.name ?? '');
  // Services that were being deleted may be gone by now.
  await inParallel(names, async (name) => api.delete(servicePath(name)).catch(refused));
  await until('all Services are gone', async () => (await list()).length === 0, patience).catch(() => undefined);
  return [
    check(
      'the end',
      'Services that are left',
      (await list()).map(({ metadata }) => metadata.name),
      [],
    ),
    check(
      'the end',
      'load balancers that are left',
      stage.cloud.cloud.held.map(({ reference }) => reference),
      [],
    ),
  ];
}
