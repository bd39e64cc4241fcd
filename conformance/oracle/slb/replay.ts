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
import type { CloudOp, CloudOutcome, SlbAnswer, SlbCase, SlbStep, SlbStepAnswer, SlbSync } from './case.ts';

/**
 * The library's answer to a case, without clock or promises. A patch gives the Service that the original's API server stored;
 * without an original, the result of our own strategic merge.
 */
export function replaySlb(version: string, asked: SlbCase, theirs?: SlbAnswer): SlbAnswer {
  const patched = theirs?.steps.flatMap(({ syncs }) => syncs.flatMap((sync) => sync.patched ?? []));
  const world = { ...newWorld(version), ...(patched && { patched }) };
  return { id: asked.id, steps: asked.steps.map((step) => takeStep(world, step)) };
}

/** The stored Service, the Service that the controller has seen, the cloud, and the controller. */
interface World {
  readonly version: string;
  /** The Services after the original's remaining patches. */
  readonly patched?: BalancedService[];
  planner: LoadBalancerPlanner;
  stored: BalancedService | undefined;
  shown: BalancedService | undefined;
  nodes: readonly BalancedNode[];
  key: string;
  resourceVersion: number;
  exists: boolean;
  step: SlbStep;
  /** Whether the queue has the key, the last sync failed, and a node sync is due. */
  queued: boolean;
  pending: boolean;
  looking: boolean;
  readonly seen: { calls: { op: CloudOp; hosts?: string[] }[]; patches: unknown[]; events: string[] };
}

const newWorld = (version: string): World => ({
  version,
  planner: createLoadBalancerPlanner({ version }),
  stored: undefined,
  shown: undefined,
  nodes: [],
  key: '',
  resourceVersion: 1,
  exists: false,
  step: {},
  queued: false,
  pending: false,
  looking: false,
  seen: { calls: [], patches: [], events: [] },
});

function takeStep(world: World, step: SlbStep): SlbStepAnswer {
  world.step = step;
  world.exists = step.exists ?? world.exists;
  if (step.restart) restart(world);
  if (step.nodes) changeNodes(world, step.nodes);
  const former = world.shown;
  const told = step.service === undefined ? undefined : changeService(world, step.service);
  if (step.service === undefined && step.resync && world.stored && former) handle(world, former, former);
  const events = takeEvents(world);
  const enqueued = world.queued;
  world.queued ||= world.pending;
  const syncs = drain(world);
  const nodeSync = lookAtNodes(world);
  if (nodeSync) syncs.push(...drain(world));
  return {
    needsUpdate: null,
    needsCleanup: null,
    ...told,
    enqueued,
    events,
    syncs,
    nodeSync,
    service: keptOf(world),
    retry: world.pending,
  };
}

function restart(world: World): void {
  world.planner = createLoadBalancerPlanner({ version: world.version });
  world.pending = false;
  for (const node of world.nodes) world.looking ||= world.planner.nodeChanged(undefined, node);
  if (world.shown) handle(world, undefined, world.shown);
}

function changeNodes(world: World, nodes: readonly BalancedNode[]): void {
  const find = (list: readonly BalancedNode[], node: BalancedNode): BalancedNode | undefined =>
    list.find(({ metadata }) => metadata?.name === node.metadata?.name);
  for (const node of world.nodes) if (!find(nodes, node)) world.looking = world.planner.nodeChanged(node, undefined) || world.looking;
  for (const node of nodes) world.looking = world.planner.nodeChanged(find(world.nodes, node), node) || world.looking;
  world.nodes = nodes;
}

function changeService(world: World, service: BalancedService | null): Pick<SlbStepAnswer, 'needsUpdate' | 'needsCleanup'> {
  const former = world.shown;
  const cleanup = service ? store(world, service) : undefined;
  if (!service) world.stored = undefined;
  show(world);
  const { stored, version } = world;
  return {
    needsUpdate: former && stored ? needsUpdate(former, stored, { version }) : null,
    needsCleanup: cleanup ?? null,
  };
}

/** Stores a Service with the fields that a user does not write; returns whether it needs cleanup. */
function store(world: World, service: BalancedService): boolean {
  const { stored } = world;
  const isSame = stored?.metadata?.uid === service.metadata?.uid;
  const finalizers = service.metadata?.finalizers ?? (isSame ? stored?.metadata?.finalizers : undefined);
  const ingress = service.status?.loadBalancer?.ingress;
  const loadBalancer = ingress || !isSame ? service.status?.loadBalancer : stored?.status?.loadBalancer;
  world.key = `${service.metadata?.namespace}/${service.metadata?.name}`;
  put(world, {
    ...service,
    metadata: { ...service.metadata, ...(finalizers && { finalizers }) },
    status: { loadBalancer: loadBalancer ?? {} },
  });
  return needsCleanup(world.stored as BalancedService);
}

function put(world: World, service: BalancedService): void {
  world.resourceVersion++;
  world.stored = { ...service, metadata: { ...service.metadata, resourceVersion: String(world.resourceVersion) } };
}

/** Delivers the Service as a watch event. */
function show(world: World): void {
  const { stored, shown } = world;
  if (stored?.metadata?.deletionTimestamp && !stored.metadata.finalizers?.length) world.stored = undefined;
  world.shown = world.stored;
  if (!world.stored || shown?.metadata?.resourceVersion === world.stored.metadata?.resourceVersion) return;
  handle(world, shown, world.stored);
}

function handle(world: World, old: BalancedService | undefined, service: BalancedService): void {
  const { due, events } = world.planner.serviceChanged(old, service);
  world.queued ||= due;
  for (const event of events) world.seen.events.push(printed(event));
}

/** Syncs until the queue is empty. */
function drain(world: World): SlbSync[] {
  const syncs: SlbSync[] = [];
  while (world.queued && syncs.length < 5) {
    world.queued = false;
    const error = run(world, world.planner.sync(world.key, world.shown, world.nodes));
    world.pending = error !== undefined;
    const sync = taken(world, error);
    show(world);
    syncs.push({ ...sync, events: [...sync.events, ...takeEvents(world)] });
  }
  return syncs;
}

function lookAtNodes(world: World): SlbSync | null {
  const { planner, nodes } = world;
  if (planner.nodeSyncPeriod === undefined && !world.looking) return null;
  world.looking = false;
  for (const key of planner.servicesToUpdate(nodes)) {
    const steps = planner.syncNodes(key, nodes);
    const error = run(world, steps, (isFailed) => {
      world.queued ||= isFailed && planner.failuresToQueue;
    });
    if (error) throw error;
  }
  return taken(world, undefined);
}

/** Runs steps to their end, as a controller does; returns the error, if any. */
function run<Result>(world: World, steps: Steps<Result>, ended: (result: Result) => void = () => {}): SyncError | undefined {
  try {
    let step = steps.next();
    while (!step.done) {
      const effect: Effect = step.value;
      let answer: unknown;
      try {
        answer = carryOut(world, effect);
      } catch (error) {
        step = steps.throw(error);
        continue;
      }
      step = steps.next(answer);
    }
    ended(step.value);
    return undefined;
  } catch (error) {
    if (error instanceof SyncError) return error;
    throw error;
  }
}

function carryOut(world: World, effect: Effect): unknown {
  if (effect.do === 'event') {
    world.seen.events.push(printed(effect));
    return undefined;
  }
  if (effect.do === 'patch') return patch(world, effect.patch);
  const hosts = 'nodes' in effect ? effect.nodes.map(({ metadata }) => metadata?.name ?? '') : [];
  world.seen.calls.push({ op: effect.do, ...(hosts.length > 0 && { hosts }) });
  const { cloudError = 'none', ingress = [{ ip: '203.0.113.1' }] } = world.step;
  const outcome = typeof cloudError === 'string' ? cloudError : (cloudError[effect.do] ?? 'none');
  if (outcome !== 'none') throw cloudErrors[outcome]();
  if (effect.do === 'get') return world.exists ? { ingress } : undefined;
  if (effect.do !== 'update') world.exists = effect.do === 'ensure';
  return effect.do === 'ensure' ? { ingress } : undefined;
}

const cloudErrors: Readonly<Record<Exclude<CloudOutcome, 'none'>, () => Error>> = {
  error: () => new Error('cloud is down'),
  elsewhere: () => new CloudError('Elsewhere', 'implemented by alternate to cloud provider'),
  retry: () => new CloudError('RetryAfter', 'slow down', { retryAfter: 7000 }),
};

function patch(world: World, body: Readonly<Record<string, unknown>>): unknown {
  world.seen.patches.push(body);
  const name = JSON.stringify(world.key.split('/')[1]);
  if (world.step.apiError === 'conflict') throw apiError('Conflict', `Operation cannot be fulfilled on services ${name}: it changed`);
  if (world.step.apiError === 'notfound' || !world.stored) throw apiError('NotFound', `services ${name} not found`);
  put(world, world.patched ? nextPatched(world.patched) : merged(world.stored, body));
  return world.stored;
}

function nextPatched(patched: BalancedService[]): BalancedService {
  const next = patched.shift();
  if (!next) throw new Error('the library patches the Service more often than the original controller');
  return next;
}

const merged = (stored: BalancedService, body: Readonly<Record<string, unknown>>): BalancedService =>
  asWritten(applyStrategicMergePatch(stored as Record<string, unknown>, body, builtInType('Service') as TypeRef));

/** As Go serializes it, without empty lists and maps of strings. */
function asWritten({ metadata, spec, ...rest }: BalancedService): BalancedService {
  const isEmpty = ([name, value]: [string, unknown]): boolean =>
    Array.isArray(value) ? value.length === 0 : (name === 'annotations' || name === 'labels') && Object.keys(value ?? {}).length === 0;
  const filled = <T extends object>(fields: T): T => Object.fromEntries(Object.entries(fields).filter((each) => !isEmpty(each))) as T;
  return { ...rest, ...(metadata && { metadata: filled(metadata) }), ...(spec && { spec: filled(spec) }) };
}

const apiError = (reason: string, message: string): Error => Object.assign(new Error(message), { reason });

const printed = ({ type, reason, message }: EventEffect): string => `${type} ${reason} ${message}`;

function taken({ seen }: World, error: SyncError | undefined): SlbSync {
  const { calls, patches, events } = seen;
  Object.assign(seen, { calls: [], patches: [], events: [] });
  const retryAfter = error?.retryAfter;
  return {
    calls,
    patches,
    events,
    ...(error && { error: error.message }),
    ...(retryAfter !== undefined && { retryAfter: `${retryAfter / 1000}s` }),
  };
}

const takeEvents = ({ seen }: World): string[] => seen.events.splice(0);

const keptOf = ({ stored }: World): SlbStepAnswer['service'] =>
  stored ? { finalizers: stored.metadata?.finalizers ?? [], ingress: stored.status?.loadBalancer?.ingress ?? [] } : null;
