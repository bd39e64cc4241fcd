import { createResyncScheduler } from '@kube-endpoints/controllers';
import type { ResyncEvent, ResyncScheduler } from '@kube-endpoints/controllers/internal';
import type { Logger } from '@kube-endpoints/controllers/operations';
import type { OverrideResult, Overrides } from '@kube-endpoints/overrides';
import type { ContextLookup, ReviewedRequest } from '@kube-endpoints/overrides/internal';
import type { WebhookMetrics } from '@kube-endpoints/overrides/webhook';
import { systemClock } from 'kube-endpoints/port';
import { type IO, UsageError } from '../../base/io.ts';
import type { ClusterFlags } from '../../flags/cluster.ts';
import { type Cluster, connect } from '../cluster.ts';
import { createLiveContext, type LiveContext } from './context.ts';
import { createRenewal, type RenewalOptions } from './renewal.ts';

/** The webhook's connection to a cluster: looks objects up, and resyncs Services when an override ends or rules change. */
export interface WebhookConnection {
  readonly ready: boolean;
  readonly lookUp: ContextLookup;
  readonly onResult: (request: ReviewedRequest, result: OverrideResult) => void;
  /** Starts to trigger syncs and reviews for these rules. */
  start(overrides: Overrides, metrics: Pick<WebhookMetrics, 'resynced' | 'renewed'>): void;
  /** Replaces the rules. Resyncs the Services that the old or the new rules affect. */
  replaceRules(before: Overrides, after: Overrides): void;
  close(): Promise<void>;
}

interface ConnectionFlags extends ClusterFlags {
  readonly inCluster: boolean;
}

/**
 * Connects to the cluster of a command line; returns undefined if the flags select no cluster.
 * @throws UsageError if the cluster is not configured
 */
export async function connectWebhook(
  flags: ConnectionFlags,
  io: Pick<IO, 'env' | 'version'>,
  logger: Logger,
): Promise<WebhookConnection | undefined> {
  const { kubeconfig, context, inCluster } = flags;
  if (!inCluster && kubeconfig === undefined && context === undefined) return undefined;
  const cluster = await connect(inCluster ? {} : flags, { version: io.version, env: inCluster ? createPodEnvironment(io.env) : io.env });
  logger.log('info', 'looking up objects in a cluster', { cluster: cluster.description });
  return createConnection(cluster, logger);
}

/** Returns an environment that configures only the pod's service account. @throws UsageError outside of a pod */
function createPodEnvironment({ KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT }: IO['env']): IO['env'] {
  if (!KUBERNETES_SERVICE_HOST) throw new UsageError('--in-cluster: this is no pod of a cluster; give --kubeconfig FILE or --context NAME');
  return { KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT, HOME: '/nonexistent' };
}

export function createConnection(
  { port, close }: Pick<Cluster, 'port' | 'close'>,
  logger: Logger,
  delays: RenewalDelays = {},
): WebhookConnection {
  const stop = new AbortController();
  const sharedOptions = { port, clock: systemClock, random: Math.random };
  const context = createLiveContext({ ...sharedOptions, onEvent: logger.observer, signal: stop.signal });
  const state: State = { resynced: () => undefined, renewed: () => undefined, wasReady: false, overrides: undefined };
  const resyncScheduler = createResyncScheduler({
    ...sharedOptions,
    onEvent: createResyncReporter(logger, (outcome) => state.resynced(outcome)),
  });
  const onEvent = createRenewalReporter(logger, (outcome) => state.renewed(outcome));
  const overrides = (): Overrides => state.overrides as Overrides;
  const renewal = createRenewal({ ...sharedOptions, ...delays, context, resyncScheduler, onEvent, overrides });
  const affectedServices = createAffectedServices();
  const tasks: Promise<unknown>[] = [resyncScheduler.run(stop.signal)];
  const applyChange = async (before: readonly Overrides[], after: Overrides): Promise<void> => {
    state.overrides = after;
    context.setRules(after);
    const recentlyAffected = affectedServices.drain();
    await resyncAll({ context, resyncScheduler, logger, rules: [...before, after], signal: stop.signal, recentlyAffected });
    renewal.scheduleSoon();
  };
  return {
    get ready() {
      // Stays true, because caches for new rules sync within a moment, and reviews wait for them.
      state.wasReady ||= context.ready;
      return state.wasReady;
    },
    lookUp: context.lookUp,
    onResult(request, result) {
      context.recordResult(request, result);
      const { namespace, serviceName } = request;
      const { changed, decisions, due } = result;
      if (serviceName === undefined) return;
      const key = `${namespace}/${serviceName}`;
      if (changed || decisions.length > 0) affectedServices.add(key);
      if (due !== undefined) resyncScheduler.at(key, due);
    },
    start(overrides, metrics) {
      Object.assign(state, { resynced: metrics.resynced, renewed: metrics.renewed });
      void applyChange([], overrides);
      tasks.push(renewal.run(stop.signal));
    },
    replaceRules: (before, after) => void applyChange([before], after),
    async close() {
      stop.abort();
      await Promise.all(tasks);
      close();
    },
  };
}

/** Delays before objects are reviewed again. */
type RenewalDelays = Pick<RenewalOptions, 'periodMs' | 'settlingMs'>;

interface State {
  resynced: WebhookMetrics['resynced'];
  renewed: WebhookMetrics['renewed'];
  wasReady: boolean;
  /** The rules in force; set by `start`. */
  overrides: Overrides | undefined;
}

const createResyncReporter =
  (logger: Logger, count: (outcome: string) => void) =>
  ({ key, outcome, error }: ResyncEvent): void => {
    count(outcome);
    if (error !== undefined) logger.fail(`could not trigger a sync of ${key}`, error);
  };

const createRenewalReporter =
  (logger: Logger, count: (outcome: string) => void): RenewalOptions['onEvent'] =>
  (outcome, key, error) => {
    count(outcome);
    if (error !== undefined) logger.fail(`could not trigger a new review of ${key}`, error);
  };

interface ResyncOptions {
  readonly context: LiveContext;
  readonly resyncScheduler: ResyncScheduler;
  readonly logger: Logger;
  readonly rules: readonly Overrides[];
  /** Services that rules affected since the last change of rules; stored endpoints do not show all of them. */
  readonly recentlyAffected: readonly string[];
  readonly signal: AbortSignal;
}

/** Resyncs the Services that rules affect: their controller then rewrites endpoints that differ from what it computes. */
async function resyncAll({ context, resyncScheduler, logger, rules, recentlyAffected, signal }: ResyncOptions): Promise<void> {
  try {
    await context.synced();
    const keys = new Set([...rules.flatMap((overrides) => [...findAffectedServices(overrides, context)]), ...recentlyAffected]);
    if (keys.size > 0) logger.log('info', 'triggering syncs of Services that rules affect', { services: keys.size });
    resyncScheduler.now(keys);
  } catch (error) {
    if (!signal.aborted) logger.fail('could not trigger syncs of the Services that rules affect', error);
  }
}

function* findAffectedServices(overrides: Overrides, context: LiveContext): Iterable<string> {
  for (const { service, result } of context.evaluate(overrides)) {
    const isAffected = result.changed || result.refused !== undefined || result.decisions.length > 0;
    if (isAffected && service !== undefined) yield service;
  }
}

/** Collects the Services that rules affected since the last change of rules. */
function createAffectedServices(): { add(key: string): void; drain(): readonly string[] } {
  const keys = new Set<string>();
  return {
    add(key) {
      if (keys.size < maxAffectedServices) keys.add(key);
    },
    drain() {
      const drainedKeys = [...keys];
      keys.clear();
      return drainedKeys;
    },
  };
}

const maxAffectedServices = 100_000;
