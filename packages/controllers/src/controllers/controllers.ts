import { checkControllers } from '../base/checks.ts';
import { createEventRecorder, type EventRecorder } from '../events/index.ts';
import { type Caches, createCaches } from './caches.ts';
import { type ControllerStats, createController } from './controller.ts';
import type { ControllerName } from './controller-event.ts';
import { createEndpointsHandler } from './endpoints-sync.ts';
import { createExecutor, type Executor } from './executor.ts';
import { createLeftovers } from './leftovers.ts';
import { createMembership } from './membership.ts';
import { createMirrorEvents } from './mirror-events.ts';
import { createMirrorHandler } from './mirror-sync.ts';
import { createNodeWatch } from './node-watch.ts';
import { createSliceIndex, type SliceIndex } from './object-events.ts';
import { type ControllersOptions, createSetup, type Setup } from './options.ts';
import { createSlicesHandler } from './slices-sync.ts';
import { externalChangeDelayMs, type SyncContext } from './sync-context.ts';
import { connect, type EndpointsComponents, type MirrorComponents, type SlicesComponents, type Wiring } from './wiring.ts';
import { createWriteExpectations } from './write-expectations.ts';

/** The controllers of Endpoints, EndpointSlices and mirrored EndpointSlices. */
export interface Controllers {
  /** True if every cache is complete. */
  readonly ready: boolean;
  /** True if no key is waiting, delayed or being processed. False until the caches are complete. */
  readonly idle: boolean;
  /**
   * Fills the caches, then syncs keys until the signal is aborted. Finishes the waiting keys before it resolves. Call it only once.
   * @throws errors of callbacks such as `onEvent`, after everything has stopped
   */
  run(signal: AbortSignal): Promise<void>;
  stats(): ControllersStats;
}

export interface ControllersStats {
  /** Number of objects in each cache. */
  readonly objects: Readonly<Record<string, number>>;
  /** Number of pairs of a Service and a pod that it selects. */
  readonly pairs: number;
  readonly controllers: Readonly<Partial<Record<ControllerName, ControllerStats>>>;
}

/**
 * Creates the controllers. They do nothing until `run` is called.
 * @throws RangeError that names the invalid option
 */
export function createControllers(options: ControllersOptions): Controllers {
  checkControllers(options);
  const setup = createSetup(options);
  const assembly = assemble(setup);
  const { caches, wiring, components } = assembly;
  let hasStarted = false;
  let isWorking = false;
  return {
    get ready() {
      return caches.namedInformers.every(([, informer]) => informer.hasSynced);
    },
    get idle() {
      return (
        isWorking &&
        components.every(({ controller }) => controller.idle) &&
        (wiring.slices?.nodeWatch.idle ?? true) &&
        (wiring.endpoints?.leftovers.idle ?? true)
      );
    },
    async run(signal) {
      if (hasStarted) throw new Error('the controllers have already run: create new ones');
      hasStarted = true;
      const informersController = new AbortController();
      const informers = caches.namedInformers.map(([, informer]) => informer.run(informersController.signal));
      try {
        if (!(await waitForCacheSync(caches, signal))) return;
        isWorking = true;
        await runControllers(assembly, setup, signal);
      } finally {
        isWorking = false;
        informersController.abort();
        await Promise.all(informers);
      }
    },
    stats: () => ({
      objects: Object.fromEntries(caches.namedInformers.map(([name, { cache }]) => [name, cache.size])),
      pairs: wiring.membership.pairs,
      controllers: Object.fromEntries(components.map(({ controller }) => [controller.name, controller.stats()])),
    }),
  };
}

interface Assembly {
  readonly caches: Caches;
  readonly wiring: Wiring;
  readonly components: readonly (EndpointsComponents | SlicesComponents | MirrorComponents)[];
  readonly executors: readonly Executor[];
  readonly recorders: readonly EventRecorder[];
}

function assemble(setup: Setup): Assembly {
  const caches = createCaches(setup);
  const membership = createMembership({ profile: setup.settings.profile, getPod: caches.pods.get });
  const executors: Executor[] = [];
  const recorders: EventRecorder[] = [];
  /** Each controller has its own executor, recorder and write expectations. */
  const createContext = (component: string, enqueueLater: SyncContext['enqueueLater']): SyncContext => {
    const executor = createExecutor(setup);
    const recorder = setup.dryRun ? undefined : createEventRecorder({ ...setup, component });
    executors.push(executor);
    if (recorder) recorders.push(recorder);
    const expectations = createWriteExpectations();
    return { setup, services: caches.services.cache, membership, executor, expectations, recorder, enqueueLater };
  };
  const endpoints = createEndpointsComponents(setup, caches, createContext);
  const index = createSliceIndex();
  const slices = createSlicesComponents(setup, caches, index, createContext);
  const mirror = createMirrorComponents(setup, caches, index, createContext);
  const components = [endpoints, slices, mirror].filter((component) => component !== undefined);
  return { caches, wiring: { setup, caches, membership, endpoints, slices, mirror, index }, components, executors, recorders };
}

type CreateContext = (component: string, enqueueLater: SyncContext['enqueueLater']) => SyncContext;

function createEndpointsComponents(setup: Setup, caches: Caches, createContext: CreateContext): EndpointsComponents | undefined {
  if (!caches.endpoints || !setup.controllers.includes('endpoints')) return undefined;
  const { cache } = caches.endpoints;
  const context = createContext('endpoint-controller', (key) => controller.enqueue(key, externalChangeDelayMs(setup)));
  const handler = createEndpointsHandler({ ...context, endpoints: cache });
  const controller = createController(handler, setup);
  const leftovers = createLeftovers({
    setup,
    executor: context.executor,
    onMoreLeftovers() {
      for (const key of keysWithoutService(caches)) if (leftovers.includes(cache.get(key) ?? {})) controller.enqueue(key);
    },
  });
  return { controller, handler, expectations: context.expectations, leftovers };
}

function createSlicesComponents(
  setup: Setup,
  caches: Caches,
  index: SliceIndex,
  createContext: CreateContext,
): SlicesComponents | undefined {
  if (!caches.nodes) return undefined;
  const context = createContext('endpoint-slice-controller', (key) => controller.enqueue(key, externalChangeDelayMs(setup)));
  const nodeWatch = createNodeWatch({
    clock: setup.clock,
    delayMs: externalChangeDelayMs(setup),
    cache: caches.nodes.cache,
    pods: caches.pods.values,
    servicesFor: context.membership.servicesFor,
    overloadedServices: (allNodes) => handler.overloadedServices(allNodes),
    enqueue: (key) => controller.enqueue(key),
    // Endpoints from a workload adapter may have no nodeName. For these, the reconciler looks up a node with an empty name.
    extraNodes: setup.workloadAdapter ? [{ metadata: { name: '' } }] : [],
  });
  const handler = createSlicesHandler({ ...context, slices: index, getNodes: nodeWatch.getNodes });
  const controller = createController(handler, setup);
  return { controller, handler, expectations: context.expectations, nodeWatch };
}

function createMirrorComponents(
  setup: Setup,
  caches: Caches,
  index: SliceIndex,
  createContext: CreateContext,
): MirrorComponents | undefined {
  if (!caches.endpoints || !setup.controllers.includes('endpointslicemirroring')) return undefined;
  const { workers, batchPeriod } = setup.mirroring;
  const context = createContext('endpoint-slice-mirroring-controller', (key) =>
    controller.enqueue(key, externalChangeDelayMs({ batchPeriod })),
  );
  const handler = createMirrorHandler({ ...context, endpoints: caches.endpoints.cache, slices: index });
  const controller = createController(handler, { ...setup, workers });
  const { expectations } = context;
  return { controller, events: createMirrorEvents({ setup, controller, handler, expectations, index, services: caches.services.cache }) };
}

/** Returns false if the signal is aborted first. */
async function waitForCacheSync({ namedInformers }: Caches, signal: AbortSignal): Promise<boolean> {
  try {
    await Promise.all(namedInformers.map(([, informer]) => informer.synced(signal)));
    return !signal.aborted;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/** Runs all controllers from complete caches until the last sync has ended. */
async function runControllers(
  { caches, wiring, components, executors, recorders }: Assembly,
  setup: Setup,
  signal: AbortSignal,
): Promise<void> {
  const disconnect = connect(wiring);
  const adopt = (): void => {
    for (const executor of executors) executor.cancelUnowned();
    for (const { controller } of [wiring.endpoints, wiring.slices].filter((component) => component !== undefined))
      controller.adopt(caches.services.cache.keys());
    wiring.mirror?.controller.adopt(wiring.mirror.events.keys());
    wiring.endpoints?.leftovers.refresh();
  };
  const unsubscribe = setup.ownership.onChange(adopt);
  const shutDown = (): void => {
    for (const { controller } of components) controller.shutDown();
  };
  try {
    adopt();
    signal.addEventListener('abort', shutDown, { once: true });
    if (signal.aborted) shutDown();
    // If one controller throws, the others stop, too.
    const results = await Promise.allSettled(components.map(({ controller }) => controller.run().finally(shutDown)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  } finally {
    signal.removeEventListener('abort', shutDown);
    unsubscribe();
    wiring.slices?.nodeWatch.stop();
    wiring.endpoints?.leftovers.stop();
    disconnect();
    await Promise.all(recorders.map((recorder) => recorder.stop()));
  }
}

/** Keys of the Endpoints that have no Service in the cache. */
function* keysWithoutService({ services, endpoints }: Caches): Iterable<string> {
  for (const key of endpoints?.cache.keys() ?? []) if (!services.cache.get(key)) yield key;
}
