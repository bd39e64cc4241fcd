import { type Effect, type EventEffect, type Steps, SyncError } from 'kube-endpoints/internal';
import {
  type BalancedNode,
  type BalancedService,
  CloudError,
  createLoadBalancerPlanner,
  type LoadBalancerPlanner,
  needsCleanup,
  needsUpdate,
} from 'kube-endpoints/load-balancer';
import { applyStrategicMergePatch } from '../../../packages/apiserver/src/patch/index.ts';
import { builtInType } from '../../../packages/apiserver/src/patch/types/built-in.ts';
import type { TypeRef } from '../../../packages/apiserver/src/patch/types/type.ts';
import { optionsFor } from '../feature-gates.ts';
import type { CloudOp, CloudOutcome, SlbAnswer, SlbCase, SlbStep, SlbStepAnswer, SlbSync } from './case.ts';

/**
 * Returns the library's answer to a case, without clock or promises. After a patch, the stored Service is the one that the
 * original's API server stored, or without an original, the result of our own strategic merge.
 */
export function replaySlb(version: string, testCase: SlbCase, theirs?: SlbAnswer): SlbAnswer {
  const patched = theirs?.steps.flatMap(({ syncs }) => syncs.flatMap((sync) => sync.patched ?? []));
  const cluster = { ...newCluster(version), ...(patched && { patched }) };
  return { id: testCase.id, steps: testCase.steps.map((step) => runStep(cluster, step)) };
}

/** The API server's and the controller's Service, the cloud, and the controller. */
interface Cluster {
  readonly version: string;
  /** The Services after the original's remaining patches. */
  readonly patched?: BalancedService[];
  planner: LoadBalancerPlanner;
  stored: BalancedService | undefined;
  /** The Service in the controller's cache. */
  cached: BalancedService | undefined;
  nodes: readonly BalancedNode[];
  key: string;
  resourceVersion: number;
  /** Whether the cloud has a load balancer. */
  balancerExists: boolean;
  step: SlbStep;
  /** Whether the queue contains the key. */
  queued: boolean;
  /** Whether the last sync failed. */
  failed: boolean;
  nodeSyncDue: boolean;
  readonly recorded: { calls: { op: CloudOp; hosts?: string[] }[]; patches: unknown[]; updates: unknown[]; events: string[] };
}

const newCluster = (version: string): Cluster => ({
  version,
  planner: createLoadBalancerPlanner(optionsFor(version)),
  stored: undefined,
  cached: undefined,
  nodes: [],
  key: '',
  resourceVersion: 1,
  balancerExists: false,
  step: {},
  queued: false,
  failed: false,
  nodeSyncDue: false,
  recorded: { calls: [], patches: [], updates: [], events: [] },
});

function runStep(cluster: Cluster, step: SlbStep): SlbStepAnswer {
  cluster.step = step;
  cluster.balancerExists = step.exists ?? cluster.balancerExists;
  if (step.restart) restart(cluster);
  if (step.nodes) changeNodes(cluster, step.nodes);
  const previous = cluster.cached;
  const predicates = step.service === undefined ? undefined : changeService(cluster, step.service);
  if (step.service === undefined && step.resync && cluster.stored && previous) handleService(cluster, previous, previous);
  const events = takeEvents(cluster);
  const enqueued = cluster.queued;
  cluster.queued ||= cluster.failed;
  const syncs = drain(cluster);
  const nodeSync = syncNodes(cluster);
  if (nodeSync) syncs.push(...drain(cluster));
  return {
    needsUpdate: null,
    needsCleanup: null,
    ...predicates,
    enqueued,
    events,
    syncs,
    nodeSync,
    service: storedState(cluster),
    retry: cluster.failed,
  };
}

function restart(cluster: Cluster): void {
  cluster.planner = createLoadBalancerPlanner(optionsFor(cluster.version));
  cluster.failed = false;
  for (const node of cluster.nodes) cluster.nodeSyncDue ||= cluster.planner.nodeChanged(undefined, node);
  if (cluster.cached) handleService(cluster, undefined, cluster.cached);
}

function changeNodes(cluster: Cluster, nodes: readonly BalancedNode[]): void {
  const find = (list: readonly BalancedNode[], node: BalancedNode): BalancedNode | undefined =>
    list.find(({ metadata }) => metadata?.name === node.metadata?.name);
  const { planner } = cluster;
  for (const node of cluster.nodes)
    if (!find(nodes, node)) cluster.nodeSyncDue = planner.nodeChanged(node, undefined) || cluster.nodeSyncDue;
  for (const node of nodes) cluster.nodeSyncDue = planner.nodeChanged(find(cluster.nodes, node), node) || cluster.nodeSyncDue;
  cluster.nodes = nodes;
}

function changeService(cluster: Cluster, service: BalancedService | null): Pick<SlbStepAnswer, 'needsUpdate' | 'needsCleanup'> {
  const previous = cluster.cached;
  const { version } = cluster;
  const cleanup = service ? store(cluster, service) : undefined;
  if (!service) cluster.stored = undefined;
  deliver(cluster);
  const { stored } = cluster;
  return {
    needsUpdate: previous && stored ? needsUpdate(previous, stored, optionsFor(version)) : null,
    needsCleanup: cleanup ?? null,
  };
}

/** Stores a Service with the fields that a user does not write; returns whether it needs cleanup. */
function store(cluster: Cluster, service: BalancedService): boolean {
  const { stored } = cluster;
  const isSame = stored?.metadata?.uid === service.metadata?.uid;
  const finalizers = service.metadata?.finalizers ?? (isSame ? stored?.metadata?.finalizers : undefined);
  const ingress = service.status?.loadBalancer?.ingress;
  const loadBalancer = ingress || !isSame ? service.status?.loadBalancer : stored?.status?.loadBalancer;
  cluster.key = `${service.metadata?.namespace}/${service.metadata?.name}`;
  storeVersion(cluster, {
    ...service,
    metadata: { ...service.metadata, ...(finalizers && { finalizers }) },
    status: { loadBalancer: loadBalancer ?? {} },
  });
  return needsCleanup(cluster.stored as BalancedService, optionsFor(cluster.version));
}

function storeVersion(cluster: Cluster, service: BalancedService): void {
  cluster.resourceVersion++;
  cluster.stored = { ...service, metadata: { ...service.metadata, resourceVersion: String(cluster.resourceVersion) } };
}

/** Delivers the Service as a watch event. */
function deliver(cluster: Cluster): void {
  const { stored, cached } = cluster;
  if (stored?.metadata?.deletionTimestamp && !stored.metadata.finalizers?.length) cluster.stored = undefined;
  cluster.cached = cluster.stored;
  if (!cluster.stored && cached) handleService(cluster, cached, undefined);
  if (!cluster.stored || cached?.metadata?.resourceVersion === cluster.stored.metadata?.resourceVersion) return;
  handleService(cluster, cached, cluster.stored);
}

function handleService(cluster: Cluster, old: BalancedService | undefined, service: BalancedService | undefined): void {
  const { due, events } = cluster.planner.serviceChanged(old, service);
  cluster.queued ||= due;
  for (const event of events) cluster.recorded.events.push(formatEvent(event));
}

const maxSyncsPerStep = 5;

/** Syncs until the queue is empty, or the limit is reached; empties the queue then, like the original's program. */
function drain(cluster: Cluster): SlbSync[] {
  const syncs: SlbSync[] = [];
  while (cluster.queued && syncs.length < maxSyncsPerStep) {
    cluster.queued = false;
    const error = run(cluster, cluster.planner.sync(cluster.key, cluster.cached, cluster.nodes));
    cluster.failed = error !== undefined;
    const sync = takeSync(cluster, error);
    deliver(cluster);
    syncs.push({ ...sync, events: [...sync.events, ...takeEvents(cluster)] });
  }
  cluster.queued = false;
  return syncs;
}

function syncNodes(cluster: Cluster): SlbSync | null {
  const { planner, nodes } = cluster;
  if (planner.nodeSyncPeriod === undefined && !cluster.nodeSyncDue) return null;
  cluster.nodeSyncDue = false;
  for (const key of planner.servicesToUpdate(nodes)) {
    const steps = planner.syncNodes(key, nodes);
    const error = run(cluster, steps, (isFailed) => {
      cluster.queued ||= isFailed && planner.failuresToQueue;
    });
    if (error) throw error;
  }
  return takeSync(cluster, undefined);
}

/** Runs steps to their end, as a controller does; returns the error, if any. */
function run<Result>(cluster: Cluster, steps: Steps<Result>, onResult: (result: Result) => void = () => {}): SyncError | undefined {
  try {
    let step = steps.next();
    while (!step.done) {
      const effect: Effect = step.value;
      let answer: unknown;
      try {
        answer = perform(cluster, effect);
      } catch (error) {
        step = steps.throw(error);
        continue;
      }
      step = steps.next(answer);
    }
    onResult(step.value);
    return undefined;
  } catch (error) {
    if (error instanceof SyncError) return error;
    throw error;
  }
}

function perform(cluster: Cluster, effect: Effect): unknown {
  if (effect.do === 'event') {
    cluster.recorded.events.push(formatEvent(effect));
    return undefined;
  }
  if (effect.do === 'patch') {
    cluster.recorded.patches.push(effect.patch);
    return write(cluster, (stored) => mergePatch(stored, effect.patch));
  }
  if (effect.do === 'updateStatus') {
    cluster.recorded.updates.push(effect.status);
    return write(cluster, (stored) => ({ ...stored, status: { loadBalancer: effect.status } }));
  }
  const hosts = 'nodes' in effect ? effect.nodes.map(({ metadata }) => metadata?.name ?? '') : [];
  cluster.recorded.calls.push({ op: effect.do, ...(hosts.length > 0 && { hosts }) });
  const { cloudError = 'none', ingress = [{ ip: '203.0.113.1' }] } = cluster.step;
  const outcome = typeof cloudError === 'string' ? cloudError : (cloudError[effect.do] ?? 'none');
  if (outcome !== 'none') throw cloudErrors[outcome]();
  if (effect.do === 'get') return cluster.balancerExists ? { ingress } : undefined;
  if (effect.do !== 'update') cluster.balancerExists = effect.do === 'ensure';
  return effect.do === 'ensure' ? { ingress } : undefined;
}

const cloudErrors: Readonly<Record<Exclude<CloudOutcome, 'none'>, () => Error>> = {
  error: () => new Error('cloud is down'),
  elsewhere: () => new CloudError('Elsewhere', 'implemented by alternate to cloud provider'),
  retry: () => new CloudError('RetryAfter', 'slow down', { retryAfter: 7000 }),
};

function write(cluster: Cluster, change: (stored: BalancedService) => BalancedService): unknown {
  const name = JSON.stringify(cluster.key.split('/')[1]);
  if (cluster.step.apiError === 'conflict') throw apiError('Conflict', `Operation cannot be fulfilled on services ${name}: it changed`);
  if (cluster.step.apiError === 'notfound' || !cluster.stored) throw apiError('NotFound', `services ${name} not found`);
  storeVersion(cluster, cluster.patched ? nextPatched(cluster.patched) : change(cluster.stored));
  return cluster.stored;
}

function nextPatched(patched: BalancedService[]): BalancedService {
  const next = patched.shift();
  if (!next) throw new Error('the library writes the Service more often than the original controller');
  return next;
}

const mergePatch = (stored: BalancedService, body: Readonly<Record<string, unknown>>): BalancedService =>
  dropEmptyFields(applyStrategicMergePatch(stored as Record<string, unknown>, body, builtInType('Service') as TypeRef));

/** Removes empty lists and maps of strings from a Service, as Go does when it serializes one. */
function dropEmptyFields({ metadata, spec, ...rest }: BalancedService): BalancedService {
  const isEmpty = ([name, value]: [string, unknown]): boolean =>
    Array.isArray(value) ? value.length === 0 : (name === 'annotations' || name === 'labels') && Object.keys(value ?? {}).length === 0;
  const dropEmpty = <T extends object>(fields: T): T => Object.fromEntries(Object.entries(fields).filter((each) => !isEmpty(each))) as T;
  return { ...rest, ...(metadata && { metadata: dropEmpty(metadata) }), ...(spec && { spec: dropEmpty(spec) }) };
}

const apiError = (reason: string, message: string): Error => Object.assign(new Error(message), { reason });

const formatEvent = ({ type, reason, message }: EventEffect): string => `${type} ${reason} ${message}`;

function takeSync({ recorded }: Cluster, error: SyncError | undefined): SlbSync {
  const { calls, patches, updates, events } = recorded;
  Object.assign(recorded, { calls: [], patches: [], updates: [], events: [] });
  const retryAfter = error?.retryAfter;
  return {
    calls,
    patches,
    ...(updates.length > 0 && { updates }),
    events,
    ...(error && { error: error.message }),
    ...(retryAfter !== undefined && { retryAfter: formatDuration(retryAfter / 1000) }),
  };
}

/** As Go prints it: "40s", "1m20s". */
const formatDuration = (seconds: number): string => (seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`);

const takeEvents = ({ recorded }: Cluster): string[] => recorded.events.splice(0);

const storedState = ({ stored }: Cluster): SlbStepAnswer['service'] =>
  stored ? { finalizers: stored.metadata?.finalizers ?? [], ingress: stored.status?.loadBalancer?.ingress ?? [] } : null;
