import { checkControllers } from '../base/checks.ts';
import { createEventRecorder, type EventRecorder } from '../events/index.ts';
import { type Caches, createCaches } from './caches.ts';
import { type ControllerStats, createController } from './controller.ts';
import type { ControllerName } from './controller-event.ts';
import { createEndpointsHandler } from './endpoints-sync.ts';
import { createExecutor, type Executor } from './executor.ts';
import { createLeftovers } from './leftovers.ts';
import { createMembership } from './membership.ts';
import { createNodeWatch } from './node-watch.ts';
import { createSliceIndex } from './object-events.ts';
import { type ControllersOptions, createSetup, type Setup } from './options.ts';
import { createSlicesHandler } from './slices-sync.ts';
import { foreignDelay, type Tools } from './tools.ts';
import { connect, type EndpointsSide, type SlicesSide, type Wiring } from './wiring.ts';
import { createWriteExpectations } from './write-expectations.ts';

/** The endpoints controller and the EndpointSlice controller. */
export interface Controllers {
  /** True if every cache is complete. */
  readonly ready: boolean;
  /** True if no key is waiting, delayed or being processed. False until the caches are complete. */
  readonly idle: boolean;
  /**
   * Runs until the signal is aborted: fills the caches, then works; then finishes the waiting keys and resolves. Call it only once.
   * @throws what a callback of the options throws, such as `onEvent`; everything has stopped by then
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
  const { caches, wiring, sides } = assembly;
  let begun = false;
  let working = false;
  return {
    get ready() {
      return caches.all.every(([, informer]) => informer.hasSynced);
    },
    get idle() {
      return (
        working &&
        sides.every(({ controller }) => controller.idle) &&
        (wiring.slices?.nodes.idle ?? true) &&
        (wiring.endpoints?.leftovers.idle ?? true)
      );
    },
    async run(signal) {
      if (begun) throw new Error('the controllers have already run: create new ones');
      begun = true;
      const end = new AbortController();
      const informers = caches.all.map(([, informer]) => informer.run(end.signal));
      try {
        if (!(await waitForCacheSync(caches, signal))) return;
        working = true;
        await work(assembly, setup, signal);
      } finally {
        working = false;
        end.abort();
        await Promise.all(informers);
      }
    },
    stats: () => ({
      objects: Object.fromEntries(caches.all.map(([name, { cache }]) => [name, cache.size])),
      pairs: wiring.membership.pairs,
      controllers: Object.fromEntries(sides.map(({ controller }) => [controller.name, controller.stats()])),
    }),
  };
}

interface Assembly {
  readonly caches: Caches;
  readonly wiring: Wiring;
  readonly sides: readonly (EndpointsSide | SlicesSide)[];
  readonly executors: readonly Executor[];
  readonly recorders: readonly EventRecorder[];
}

function assemble(setup: Setup): Assembly {
  const caches = createCaches(setup);
  const membership = createMembership({ profile: setup.settings.profile, podOf: caches.pods.get });
  const executors: Executor[] = [];
  const recorders: EventRecorder[] = [];
  /** Each controller has its own executor, recorder and record of its writes. */
  const toolsFor = (component: string, enqueueLater: Tools['enqueueLater']): Tools => {
    const executor = createExecutor(setup);
    const recorder = setup.dryRun ? undefined : createEventRecorder({ ...setup, component });
    executors.push(executor);
    if (recorder) recorders.push(recorder);
    const expectations = createWriteExpectations();
    return { setup, services: caches.services.cache, membership, executor, expectations, recorder, enqueueLater };
  };
  const endpoints = endpointsSide(setup, caches, toolsFor);
  const slices = slicesSide(setup, caches, toolsFor);
  const sides = [endpoints, slices].filter((side) => side !== undefined);
  return { caches, wiring: { setup, caches, membership, endpoints, slices }, sides, executors, recorders };
}

type ToolsFor = (component: string, enqueueLater: Tools['enqueueLater']) => Tools;

function endpointsSide(setup: Setup, caches: Caches, toolsFor: ToolsFor): EndpointsSide | undefined {
  if (!caches.endpoints) return undefined;
  const { cache } = caches.endpoints;
  const tools = toolsFor('endpoint-controller', (key) => controller.enqueue(key, foreignDelay(setup)));
  const handler = createEndpointsHandler({ ...tools, endpoints: cache });
  const controller = createController(handler, setup);
  const leftovers = createLeftovers({
    setup,
    executor: tools.executor,
    onMore() {
      for (const key of keysWithoutService(caches)) if (leftovers.includes(cache.get(key) ?? {})) controller.enqueue(key);
    },
  });
  return { controller, handler, expectations: tools.expectations, leftovers };
}

function slicesSide(setup: Setup, caches: Caches, toolsFor: ToolsFor): SlicesSide | undefined {
  if (!caches.slices || !caches.nodes) return undefined;
  const tools = toolsFor('endpoint-slice-controller', (key) => controller.enqueue(key, foreignDelay(setup)));
  const index = createSliceIndex();
  const nodes = createNodeWatch({
    clock: setup.clock,
    delay: foreignDelay(setup),
    cache: caches.nodes.cache,
    pods: caches.pods.values,
    servicesFor: tools.membership.servicesFor,
    overloaded: (all) => handler.overloadedServices(all),
    enqueue: (key) => controller.enqueue(key),
    // Workloads need not run on a node: this node stands for an empty nodeName.
    extraNodes: setup.workloadAdapter ? [{ metadata: { name: '' } }] : [],
  });
  const handler = createSlicesHandler({ ...tools, slices: index, nodes: nodes.nodes });
  const controller = createController(handler, setup);
  return { controller, handler, expectations: tools.expectations, index, nodes };
}

/** Returns false if the signal is aborted first. */
async function waitForCacheSync({ all }: Caches, signal: AbortSignal): Promise<boolean> {
  try {
    await Promise.all(all.map(([, informer]) => informer.synced(signal)));
    return !signal.aborted;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/** Works from complete caches until the last sync has ended. */
async function work({ caches, wiring, sides, executors, recorders }: Assembly, setup: Setup, signal: AbortSignal): Promise<void> {
  const disconnect = connect(wiring);
  const adopt = (): void => {
    for (const executor of executors) executor.cancelUnowned();
    for (const { controller } of sides) controller.adopt(caches.services.cache.keys());
    wiring.endpoints?.leftovers.refresh();
  };
  const unsubscribe = setup.ownership.onChange(adopt);
  const close = (): void => {
    for (const { controller } of sides) controller.shutDown();
  };
  try {
    adopt();
    signal.addEventListener('abort', close, { once: true });
    if (signal.aborted) close();
    // If one controller fails with a defect, the other one stops too.
    const ends = await Promise.allSettled(sides.map(({ controller }) => controller.run().finally(close)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  } finally {
    signal.removeEventListener('abort', close);
    unsubscribe();
    wiring.slices?.nodes.stop();
    wiring.endpoints?.leftovers.stop();
    disconnect();
    await Promise.all(recorders.map((recorder) => recorder.stop()));
  }
}

/** Keys of the Endpoints that have no Service in the cache. */
function* keysWithoutService({ services, endpoints }: Caches): Iterable<string> {
  for (const key of endpoints?.cache.keys() ?? []) if (!services.cache.get(key)) yield key;
}
