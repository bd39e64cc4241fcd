import { setTimeout as pause } from 'node:timers/promises';
import { startScheduler } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';
import type { Pod } from 'kube-endpoints/types';
import type { Http } from '../apiserver/target/http.ts';
import { type ClientReport, startClients } from './clients.ts';
import { createChoice } from './delays.ts';
import { drainNodes } from './drain.ts';
import { type Feed, startFeed } from './feed.ts';
import { startKubelet } from './kubelet.ts';
import { appName, defaultReplicas, nodeResources, type RowObjects, servicePort } from './manifests.ts';
import { buildRowNetwork, type NodeNetwork, removeRowNetwork } from './network.ts';
import { createProcesses, createProcessPool, type ProcessPool } from './processes.ts';
import { startProxy } from './proxy.ts';
import { createRealClock, type Lateness, type RealClock } from './real-clock.ts';
import { createRequests, mergePatch, pathOf, type Requests, strategicMergePatch } from './requests.ts';
import type { Row } from './rows.ts';

/** What happened to a row in reality. */
export interface Trial extends ClientReport {
  /** The time of the change, in milliseconds since the epoch. */
  readonly since: number;
  /** Milliseconds from the change until its end. */
  readonly duration: number;
  /** What the machine delayed most during the change. */
  readonly lateness: Lateness;
}

export interface TrialOptions {
  readonly row: Row;
  readonly objects: RowObjects;
  /** A number that no other running trial has, at most 150. */
  readonly index: number;
  /** The adversary whose delays are injected. */
  readonly adversary: string;
  /** Requests per second. */
  readonly rate: number;
}

interface Running {
  readonly clock: RealClock;
  readonly requests: Requests;
  readonly feed: Feed;
  readonly networks: readonly NodeNetwork[];
  /** By the position of the node. */
  readonly pools: readonly ProcessPool[];
  /** When rules were loaded last, in milliseconds since the epoch. */
  loadedAt: number;
  /** What the trial waits for. */
  stage: string;
}

/** A trial that has not ended after this time has failed, in milliseconds. */
const maxTrialMs = 300_000;

/** After this time without new rules, the proxies are at rest, in milliseconds. */
const quietMs = 3500;

/** Makes the change of a row with real objects, processes, rules and requests. @throws Error if a part fails, or the change does not end in time */
export async function runTrial(http: Http, options: TrialOptions): Promise<Trial> {
  const { row, objects, index, adversary } = options;
  const { promise: failure, reject } = Promise.withResolvers<never>();
  failure.catch(() => {});
  const networks = buildRowNetwork(index, objects.nodes);
  const clock = createRealClock(createChoice(adversary, 'none'));
  const requests = createRequests(http);
  await createNodes(requests, objects, networks);
  const feed = await startFeed(http, clock, objects.namespace, `row=${objects.namespace}`);
  const running: Running = {
    clock,
    requests,
    feed,
    networks,
    pools: objects.nodes.map(createProcessPool),
    loadedAt: Date.now(),
    stage: 'processes',
  };
  startComponents(running, row, reject);
  const timer = setTimeout(
    () => reject(new Error(`no end after ${maxTrialMs / 1000} s: waiting for ${running.stage}; ${describePods(feed)}`)),
    maxTrialMs,
  );
  try {
    return await Promise.race([changeAndCount(options, running), failure]);
  } finally {
    clearTimeout(timer);
    await stop(running, options);
  }
}

async function createNodes(requests: Requests, { namespace, nodes }: RowObjects, networks: readonly NodeNetwork[]): Promise<void> {
  await requests.send('POST', pathOf('Namespace'), { metadata: { name: namespace } });
  for (const [i, name] of nodes.entries()) {
    const labels = { 'kubernetes.io/hostname': name, row: namespace };
    await requests.send('POST', pathOf('Node'), { metadata: { name, labels } });
    const path = pathOf('Node', undefined, name);
    await requests.send('PATCH', path, { spec: { taints: null } }, mergePatch);
    const addresses = [{ type: 'InternalIP', address: networks[i]?.address }];
    const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: '' }];
    const status = { addresses, conditions, capacity: nodeResources, allocatable: nodeResources };
    await requests.send('PATCH', `${path}/status`, { status }, mergePatch);
  }
}

function startComponents(running: Running, { application = {} }: Row, onError: (error: unknown) => void): void {
  const { clock, feed, requests, networks, pools } = running;
  for (const [i, node] of networks.entries()) {
    const pool = pools[i] as ProcessPool;
    startKubelet({
      ...{ clock, feed, requests, node, onError },
      createApplications: (addressOf) => createProcesses({ clock, settings: application, pool, addressOf }),
    });
    const onLoaded = (): void => {
      running.loadedAt = Date.now();
    };
    startProxy({ clock, feed, node, onLoaded, onError });
  }
  startScheduler({
    clock,
    watches: feed.hub,
    answer(_actor, call) {
      if (call.do === 'bind') {
        const { namespace, name, uid, node } = call;
        const target = { apiVersion: 'v1', kind: 'Node', name: node };
        const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { namespace, name, uid }, target };
        requests.send('POST', `${pathOf('Pod', namespace, name)}/binding`, binding).catch(onError);
        return binding;
      }
      if (call.do !== 'patch') throw new Error(`the scheduler makes no call of the type ${call.do}`);
      const { namespace, name, patch } = call;
      requests.send('PATCH', `${pathOf('Pod', namespace, name)}/status`, patch as object, strategicMergePatch).catch(onError);
      return { kind: 'Pod', metadata: { namespace, name } };
    },
  });
}

async function changeAndCount({ row, objects, rate }: TrialOptions, running: Running): Promise<Trial> {
  const { clock, feed, requests, networks, pools } = running;
  const { namespace, change, drained } = objects;
  const fillPools = async (): Promise<void> => {
    await Promise.all(pools.map((pool) => pool.fill(row.replicas ?? defaultReplicas)));
  };
  await fillPools();
  for (const object of objects.objects) await requests.send('POST', pathOf(object.kind as string, namespace), object);
  running.stage = 'the first pods';
  await untilComplete(running, row, 1);
  running.stage = 'processes';
  await fillPools();
  const service = feed.list('Service')[0] as ApiObject & { readonly spec: { readonly clusterIP: string } };
  const { clusterIP: address } = service.spec;
  const clients = startClients({ nodes: networks, address, port: servicePort, rate, keepAlive: row.keepAlive ?? false });
  running.stage = 'requests that succeed';
  await clients.untilWarm();
  running.stage = 'the end of the change';
  clock.takeLateness();
  clock.catchUp();
  const since = Date.now();
  const before = clients.report();
  let generation = 1;
  for (const { kind = '', spec } of change as readonly (ApiObject & { readonly spec: object })[]) {
    const written = await requests.send('PATCH', pathOf(kind, namespace, appName), { spec }, mergePatch);
    generation = written?.metadata.generation ?? generation;
  }
  await drainNodes(drained, { feed, requests, clock });
  await untilComplete(running, row, generation);
  const lateness = clock.takeLateness();
  const duration = Date.now() - since;
  await clients.stop();
  const { sent, succeeded, failures } = clients.report();
  return {
    ...{ since, duration, lateness, sent: sent - before.sent, succeeded: succeeded - before.succeeded },
    failures: failures.filter(({ end }) => end >= since),
  };
}

/** Resolves when a generation of the workload is complete, all other pods are gone, and the proxies are at rest. */
async function untilComplete(running: Running, { kind = 'Deployment' }: Row, generation: number): Promise<void> {
  const { feed } = running;
  await feed.until(() => {
    const workload = feed.list(kind)[0];
    return workload !== undefined && isComplete(workload, generation) && feed.list('Pod').length === (workload as Workload).spec.replicas;
  });
  // The proxies may not have received the last change yet.
  running.loadedAt = Date.now();
  do await pause(100);
  while (Date.now() < running.loadedAt + quietMs);
}

const describePods = (feed: Feed): string =>
  feed
    .list('Pod')
    .map((pod) => `${pod.metadata.name} ${(pod as Pod).status?.phase}${pod.metadata.deletionTimestamp ? ', terminating' : ''}`)
    .join('; ');

interface Workload extends ApiObject {
  readonly spec: { readonly replicas: number };
  readonly status: { readonly observedGeneration?: number; readonly updatedReplicas?: number; readonly availableReplicas?: number };
}

/** Whether all replicas are updated and available, as `kubectl rollout status` decides. */
function isComplete(object: ApiObject, generation: number): boolean {
  const { spec, status } = object as Workload;
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  return observedGeneration >= generation && updatedReplicas >= spec.replicas && availableReplicas >= spec.replicas;
}

/** Ends the processes, and deletes the objects and the network. */
async function stop({ clock, feed, pools, requests, networks }: Running, { row, objects, index }: TrialOptions): Promise<void> {
  clock.stop();
  feed.stop();
  for (const process of pools.flatMap(({ running }) => [...running])) process.kill('SIGKILL');
  const { namespace, nodes } = objects;
  const forced = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, propagationPolicy: 'Background' };
  await requests.send('DELETE', pathOf(row.kind ?? 'Deployment', namespace, appName), forced);
  await requests.send('DELETE', pathOf('Service', namespace, appName));
  await requests.send('DELETE', pathOf('Pod', namespace), forced);
  for (const name of nodes) await requests.send('DELETE', pathOf('Node', undefined, name));
  removeRowNetwork(index, networks);
}
