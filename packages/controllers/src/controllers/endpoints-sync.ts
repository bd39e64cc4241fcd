import type { Plan } from 'kube-endpoints';
import { createReconcilerFor, type StringMap } from 'kube-endpoints/internal';
import { messageOf, splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, hasReason, resources, type SteadyClock } from 'kube-endpoints/port';
import type { Endpoints, EndpointsInput, Optional, Service } from 'kube-endpoints/types';
import type { Cache } from '../cache/cache.ts';
import { createReference } from '../events/event.ts';
import { defaultLimiter } from '../queue/index.ts';
import type { Job, SyncHandler } from './controller.ts';
import { classifyFailure, ignoreNotFound, StaleCacheError, UnplannableError } from './failures.ts';
import type { SyncContext } from './sync-context.ts';

export interface EndpointsSyncContext extends SyncContext {
  readonly endpoints: Cache<EndpointsInput>;
}

/** The sync handler, and a check whether Endpoints result from a create without an answer. */
export interface EndpointsHandler extends SyncHandler {
  mayHaveCreated(key: string, existing: EndpointsInput): boolean;
}

/**
 * Syncs the Endpoints of one Service.
 *
 * Mirrors syncService (Kubernetes 1.36, pkg/controller/endpoint/endpoints_controller.go), except that it deletes only Endpoints that it has
 * read, and only after the API server has confirmed that the Service does not exist.
 */
export function createEndpointsHandler(context: EndpointsSyncContext): EndpointsHandler {
  const { setup, services, endpoints, membership, expectations } = context;
  const unansweredCreations = createUnansweredCreations(setup.clock);
  const reconciler = createReconcilerFor(setup.settings, setup.maxEndpointsPerSlice);
  const forget = (key: string): void => {
    reconciler.forget(key);
    membership.forget('endpoints', key);
  };
  const createPlan = (key: string, service: Service | undefined, current: EndpointsInput | undefined): Plan => {
    try {
      return reconciler.reconcile({ key, service, pods: membership.takeFeed('endpoints', key), current });
    } catch (error) {
      forget(key);
      throw new UnplannableError(messageOf(error), { cause: error });
    }
  };
  return {
    name: 'endpoints',
    limiter: defaultLimiter(setup.clock),
    forget,
    mayHaveCreated: (key, existing) => unansweredCreations.matches(key, setup.workloadAdapter?.toApi(existing as Endpoints) ?? existing),
    async sync(job) {
      const { key } = job;
      const service = services.get(key);
      const current = endpoints.get(key);
      job.isServiceGone = !service;
      setup.workloadAdapter?.unconvertedWorkloads.check(service);
      if (!service && !current) await removeUnansweredCreation(job, unansweredCreations, context);
      const plan = createPlan(key, service, current);
      const { action } = plan;
      setup.onEvent?.({ kind: 'planned', controller: 'endpoints', key, ...plan });
      if (action === 'none') expectations.supersede(key);
      if (setup.dryRun || action === 'none') return;
      if (action === 'retry') throw new StaleCacheError(plan.reasons.map(({ message }) => message).join(' '));
      if (action === 'delete') await confirmServiceGone(context, key);
      expectations.begin(key);
      try {
        const response = action === 'delete' ? await remove(job, current, context) : await write(job, plan, unansweredCreations, context);
        if (response && action !== 'delete') reconciler.observe(response as EndpointsInput);
      } finally {
        if (expectations.end(key)) context.enqueueLater(key);
      }
    },
  };
}

/** Confirms with the API server that a Service is gone, because the Service cache may lag. @throws StaleCacheError if it exists */
async function confirmServiceGone({ executor }: EndpointsSyncContext, key: string): Promise<void> {
  try {
    await executor.read(key, (port, options) => port.get(resources.services, splitMetaNamespaceKey(key), options));
  } catch (error) {
    return ignoreNotFound(error);
  }
  throw new StaleCacheError(`The cache does not show the Service ${key} yet.`);
}

/**
 * Deletes Endpoints without a Service if they equal those of a create that had no answer, because such a create may take effect after its
 * Service was deleted. In releases without the managed-by label, nothing else identifies these Endpoints.
 */
async function removeUnansweredCreation(job: Job, unansweredCreations: UnansweredCreations, context: EndpointsSyncContext): Promise<void> {
  const { key } = job;
  if (!unansweredCreations.has(key)) return;
  const name = splitMetaNamespaceKey(key);
  const existing = await context.executor.read(key, (port, options) => port.get(resources.endpoints, name, options)).catch(ignoreNotFound);
  // The create may still take effect; `mayHaveCreated` then recognizes its event.
  if (!existing) return;
  if (!unansweredCreations.matches(key, existing as EndpointsInput)) return unansweredCreations.drop(key);
  await confirmServiceGone(context, key);
  await remove(job, existing as EndpointsInput, context);
  unansweredCreations.drop(key, existing as EndpointsInput);
}

async function write(
  job: Job,
  { action, object }: Plan,
  unansweredCreations: UnansweredCreations,
  context: EndpointsSyncContext,
): Promise<ApiObject | undefined> {
  const { executor, expectations, endpoints } = context;
  const { key } = job;
  const desired = context.setup.workloadAdapter?.toApi(object as Endpoints) ?? (object as Endpoints);
  try {
    const response = await executor[action === 'create' ? 'create' : 'update'](key, resources.endpoints, desired);
    job.writes++;
    const version = response.metadata.resourceVersion ?? '';
    expectations.recordWrite(key, response.metadata.name ?? '', version, endpoints.get(key)?.metadata?.resourceVersion === version);
    return response;
  } catch (error) {
    // A create that was cancelled because another replica took over may have reached the server, too.
    if (action === 'create' && ['outage', 'lost'].includes(classifyFailure(error))) unansweredCreations.add(key, desired);
    recordFailureEvent(error, action === 'create', desired, context);
    throw error;
  }
}

/** Deletes the Endpoints. Succeeds if they are already gone. */
async function remove(job: Job, current: EndpointsInput | undefined, { executor }: EndpointsSyncContext): Promise<undefined> {
  try {
    await executor.delete(job.key, resources.endpoints, current ?? {});
    job.writes++;
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}

/**
 * Records a Warning Event if the server refused the write or did not answer, in releases that record Events. Other failures, such as a
 * conflict, need no Event.
 */
function recordFailureEvent(error: unknown, isCreate: boolean, { metadata }: Endpoints, { recorder, setup }: EndpointsSyncContext): void {
  const kind = classifyFailure(error);
  if (!setup.settings.profile.failuresRecorded || (kind !== 'refused' && kind !== 'outage')) return;
  const { namespace, name } = metadata;
  const attempt = isCreate ? `create endpoint for service ${namespace}/${name}` : `update endpoint ${namespace}/${name}`;
  recorder?.record(
    createReference('Endpoints', metadata),
    'Warning',
    isCreate ? 'FailedToCreateEndpoint' : 'FailedToUpdateEndpoint',
    `Failed to ${attempt}: ${messageOf(error)}`,
  );
}

/** Creates of Endpoints that had no answer: they may have taken effect, or still take effect. */
export interface UnansweredCreations {
  add(key: string, desired: Endpoints): void;
  /** Forgets the creates that would have made exactly `existing`; all creates of the key if `existing` is undefined. */
  drop(key: string, existing?: EndpointsInput): void;
  /** Whether a create in the last 30 minutes had no answer. */
  has(key: string): boolean;
  /** Whether the Endpoints are exactly what a create without an answer would have made. */
  matches(key: string, existing: EndpointsInput): boolean;
}

/** Milliseconds for which a create is remembered. Dead connections are detected, and writes take effect, in less time. */
const retentionMs = 1_800_000;

/** Maximum number of creates remembered for one Service, which bounds the memory if a server never answers. */
const maxCreationsPerKey = 8;

interface Creation {
  readonly content: string;
  readonly sentAt: number;
}

export function createUnansweredCreations(clock: Pick<SteadyClock, 'elapsed'>): UnansweredCreations {
  const creations = new Map<string, readonly Creation[]>();
  const retain = (key: string, isRetained: (creation: Creation) => boolean): readonly Creation[] => {
    const storedCreations = creations.get(key) ?? [];
    const retained = storedCreations.filter((creation) => clock.elapsed() - creation.sentAt < retentionMs && isRetained(creation));
    if (retained.length === 0) creations.delete(key);
    else if (retained.length < storedCreations.length) creations.set(key, retained);
    return retained;
  };
  const findRecentCreations = (key: string): readonly Creation[] => retain(key, () => true);
  return {
    add(key, desired) {
      for (const otherKey of creations.keys()) findRecentCreations(otherKey);
      const content = contentOf(desired);
      const otherCreations = retain(key, (creation) => creation.content !== content);
      creations.set(key, [...otherCreations.slice(1 - maxCreationsPerKey), { content, sentAt: clock.elapsed() }]);
    },
    drop(key, existing) {
      const content = existing && contentOf(existing);
      retain(key, (creation) => content !== undefined && creation.content !== content);
    },
    has: (key) => findRecentCreations(key).length > 0,
    matches(key, existing) {
      const candidates = findRecentCreations(key);
      return candidates.length > 0 && candidates.some(({ content }) => content === contentOf(existing));
    },
  };
}

/** Returns the content of Endpoints as text, for comparison. Labels and annotations are sorted, because a server sorts them. */
const contentOf = ({ metadata, subsets = [] }: EndpointsInput): string =>
  JSON.stringify([sortEntries(metadata?.labels), sortEntries(metadata?.annotations), subsets]);

const sortEntries = (map: Optional<StringMap>): readonly unknown[] => Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
