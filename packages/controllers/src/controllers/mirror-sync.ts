import type { Mirror, SlicePlan } from 'kube-endpoints';
import { computeMirrorFigures, createMirrorFor, findUnmirroredCode, mirroringController } from 'kube-endpoints/internal';
import { compareByName, messageOf, splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import { type Resource, resources } from 'kube-endpoints/port';
import type { EndpointSlice, Endpoints, EndpointsInput, Service } from 'kube-endpoints/types';
import type { Cache } from '../cache/cache.ts';
import { createReference } from '../events/event.ts';
import { combineLimiters, createBucketLimiter, createExponentialLimiter } from '../queue/index.ts';
import type { Job, SyncHandler } from './controller.ts';
import { ignoreNotFound, StaleCacheError, UnplannableError } from './failures.ts';
import { matchesServer, type Writes, writeSlices } from './slice-writes.ts';
import { failuresBeforeRead, isStale } from './slices-sync.ts';
import type { SliceWriteContext, SyncContext } from './sync-context.ts';

export interface MirrorSyncContext extends Omit<SyncContext, 'membership'>, SliceWriteContext {
  readonly endpoints: Cache<EndpointsInput>;
}

/** The sync handler, and the functions of its mirror that event handlers call. */
export interface MirrorHandler extends SyncHandler, Pick<Mirror, 'handleDeletion' | 'isTracked'> {}

/**
 * Syncs the mirrored EndpointSlices of one Service.
 *
 * Mirrors syncEndpoints (Kubernetes 1.36, pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go), except that it
 * deletes the slices of Endpoints that are not mirrored only after the API server has confirmed that they are not.
 */
export function createMirrorHandler(context: MirrorSyncContext): MirrorHandler {
  const { setup, services, slices, expectations } = context;
  const mirror = createMirrorFor(setup.settings, setup.mirroring.maxEndpointsPerSubset);
  const createPlan = (key: string): SlicePlan => {
    try {
      return mirror.mirror({ key, service: services.get(key), endpoints: endpointsOf(key, context), current: slices.slicesOf(key) });
    } catch (error) {
      mirror.forget(key);
      throw new UnplannableError(messageOf(error), { cause: error });
    }
  };
  return {
    name: 'endpointslicemirroring',
    limiter: combineLimiters(createExponentialLimiter({ base: 1000, max: 100_000 }), createBucketLimiter({ clock: setup.clock })),
    handleDeletion: mirror.handleDeletion,
    isTracked: mirror.isTracked,
    // The tracker must still know this replica's writes if a Service moves to another replica and back, or is deleted and created again,
    // before the cache shows them.
    forget(key) {
      if (!expectations.isPending(key)) mirror.forget(key);
    },
    async sync(job) {
      const { key } = job;
      job.isServiceGone = !services.get(key);
      let plan = createPlan(key);
      if (isStale(plan) && job.failures >= failuresBeforeRead && (await isCacheCurrent(key, context))) {
        mirror.forget(key);
        expectations.abandon(key);
        plan = createPlan(key);
      }
      reportPlan(key, plan, context);
      if (setup.dryRun) return;
      if (isStale(plan)) throw new StaleCacheError(plan.reasons.map(({ message }) => message).join(' '));
      await applyPlan(job, plan, context, mirror);
    },
  };
}

/** Returns the Endpoints as the API server has them: those of workloads are cached in another form. */
function endpointsOf(key: string, { setup, endpoints }: MirrorSyncContext): EndpointsInput | undefined {
  const cached = endpoints.get(key);
  return (cached && setup.workloadAdapter?.toApi(cached as Endpoints)) ?? cached;
}

/** Whether the cache has the same mirrored slices as the API server. */
const isCacheCurrent = (key: string, { executor, slices }: MirrorSyncContext): Promise<boolean> =>
  executor.read(key, (port, options) => matchesServer(port, key, slices.mirroredSlicesOf(key), options, mirroringController));

/** Whether the Endpoints are mirrored, according to the caches. */
const isMirrored = (key: string, { services, endpoints }: MirrorSyncContext): boolean =>
  findUnmirroredCode(services.get(key), endpoints.get(key)) === undefined;

async function applyPlan(job: Job, plan: SlicePlan, context: MirrorSyncContext, mirror: Mirror): Promise<void> {
  const { key } = job;
  const { endpoints, recorder, expectations } = context;
  const reference = createReference('Endpoints', endpoints.get(key)?.metadata ?? {});
  for (const { type, reason, message } of plan.events) recorder?.record(reference, type, reason, message);
  const hasWrites = plan.create.length + plan.update.length + plan.delete.length > 0;
  // A write that the cache does not show yet is not part of the plan, so its event must cause another sync.
  if (!hasWrites || !isMirrored(key, context)) expectations.supersede(key);
  if (!hasWrites) return;
  const groups = isMirrored(key, context) ? [toWrites(plan, context, key)] : await planDeletions(plan, context, key);
  expectations.begin(key);
  try {
    await writeSlices(job, groups, context, mirror);
  } finally {
    if (expectations.end(key)) context.enqueueLater(key);
  }
}

/** Returns the writes of a plan. Updates have the resourceVersion of the cached slice, so that no newer slice is replaced. */
function toWrites({ create, update, delete: toDelete }: SlicePlan, { slices }: MirrorSyncContext, key: string): Writes {
  const slicesByName = new Map(slices.mirroredSlicesOf(key).map((slice) => [slice.metadata?.name, slice]));
  const withVersion = (slice: EndpointSlice): EndpointSlice => {
    const resourceVersion = slicesByName.get(slice.metadata.name)?.metadata?.resourceVersion;
    return { ...slice, metadata: { ...slice.metadata, ...(resourceVersion && { resourceVersion }) } };
  };
  return {
    create,
    update: update.map(withVersion),
    delete: toDelete.flatMap(({ metadata }) => slicesByName.get(metadata.name) ?? []),
  };
}

/**
 * Plans to delete all mirrored slices, each regardless of the others. Mirrors deleteEndpoints (Kubernetes 1.36,
 * pkg/controller/endpointslicemirroring/reconciler.go).
 * @throws StaleCacheError if the API server has Endpoints that are mirrored
 */
async function planDeletions(plan: SlicePlan, context: MirrorSyncContext, key: string): Promise<readonly Writes[]> {
  const read = (resource: Resource) =>
    context.executor.read(key, (port, options) => port.get(resource, splitMetaNamespaceKey(key), options)).catch(ignoreNotFound);
  const [service, endpoints] = await Promise.all([read(resources.services), read(resources.endpoints)]);
  if (findUnmirroredCode(service as Service | undefined, endpoints as EndpointsInput | undefined) === undefined) {
    throw new StaleCacheError(`The caches do not show the latest Service or Endpoints ${key} yet.`);
  }
  return toWrites(plan, context, key).delete.map((slice) => ({ create: [], update: [], delete: [slice] }));
}

function reportPlan(key: string, plan: SlicePlan, context: MirrorSyncContext): void {
  const { setup, slices } = context;
  const endpoints = endpointsOf(key, context);
  const current = slices.mirroredSlicesOf(key);
  const figures =
    setup.onEvent && endpoints && isMirrored(key, context) && !isStale(plan)
      ? computeMirrorFigures(endpoints, current.toSorted(compareByName), setup.mirroring.maxEndpointsPerSubset, setup.settings.profile)
      : undefined;
  setup.onEvent?.({
    kind: 'planned',
    controller: 'endpointslicemirroring',
    key,
    plan,
    existing: current.length,
    ...(figures && { figures }),
  });
}
