import type { Reconciler, SlicePlan } from 'kube-endpoints';
import { createReconcilerFor } from 'kube-endpoints/internal';
import { messageOf } from 'kube-endpoints/internal/apimachinery';
import type { EndpointInput, EndpointSliceInput, Service } from 'kube-endpoints/types';
import { createReference } from '../events/event.ts';
import { combineLimiters, createBucketLimiter, createExponentialLimiter } from '../queue/index.ts';
import type { Job, SyncHandler } from './controller.ts';
import type { PlannedSlicesEvent } from './controller-event.ts';
import { classifyFailure, StaleCacheError, UnplannableError } from './failures.ts';
import { isManaged } from './object-events.ts';
import { groupByAddressType, matchesServer, writeSlices } from './slice-writes.ts';
import type { SlicesSyncContext } from './sync-context.ts';

/** The sync handler, and the functions of its reconciler that other modules call. */
export interface SlicesHandler extends SyncHandler, Pick<Reconciler, 'overloadedServices' | 'handleDeletion'> {}

/** Number of failures after which a lagging cache is compared with the API server. */
export const failuresBeforeRead = 3;

/**
 * Syncs the EndpointSlices of one Service.
 *
 * Mirrors syncService (Kubernetes 1.36, pkg/controller/endpointslice/endpointslice_controller.go). If a slice was created and deleted while
 * the watch was down, Kubernetes' tracker considers the cache stale forever. This handler detects that and drops the tracker's state.
 */
export function createSlicesHandler(context: SlicesSyncContext): SlicesHandler {
  const { setup, services, slices, membership, expectations } = context;
  const reconciler = createReconcilerFor(setup.settings, setup.maxEndpointsPerSlice);
  const forget = (key: string): void => {
    reconciler.forget(key);
    membership.forget('endpointslices', key);
  };
  const maxDelay = setup.settings.profile.sliceRetriesSlowed ? 1_000_000 : 100_000;
  const createPlan = (key: string, service: Service | undefined): SlicePlan => {
    try {
      const pods = membership.takeFeed('endpointslices', key);
      return reconciler.reconcileSlices({ key, service, pods, nodes: context.getNodes(), current: slices.slicesOf(key) });
    } catch (error) {
      forget(key);
      throw new UnplannableError(messageOf(error), { cause: error });
    }
  };
  return {
    name: 'endpointslices',
    limiter: combineLimiters(createExponentialLimiter({ base: 1000, max: maxDelay }), createBucketLimiter({ clock: setup.clock })),
    overloadedServices: reconciler.overloadedServices,
    handleDeletion: reconciler.handleDeletion,
    // The tracker must still know this replica's writes if a Service moves to another replica and back before the cache shows them.
    forget(key) {
      if (!services.get(key) || !expectations.isPending(key)) forget(key);
    },
    async sync(job) {
      const { key } = job;
      job.isServiceGone = !services.get(key);
      setup.workloadAdapter?.unconvertedWorkloads.check(services.get(key));
      let plan = createPlan(key, services.get(key));
      if (isStale(plan) && job.failures >= failuresBeforeRead && (await isCacheCurrent(key, context))) {
        forget(key);
        expectations.abandon(key);
        plan = createPlan(key, services.get(key));
      }
      reportPlan(key, plan, context);
      if (setup.dryRun) return;
      if (isStale(plan)) throw new StaleCacheError(plan.reasons.map(({ message }) => message).join(' '));
      await applyPlan(job, plan, context, reconciler);
    },
  };
}

/** Whether the cache has the same slices as the API server. */
const isCacheCurrent = (key: string, { executor, slices }: SlicesSyncContext): Promise<boolean> =>
  executor.read(key, (port, options) => matchesServer(port, key, slices.slicesOf(key).filter(isManaged), options));

async function applyPlan(job: Job, plan: SlicePlan, context: SlicesSyncContext, reconciler: Reconciler): Promise<void> {
  const { key } = job;
  const serviceReference = createReference('Service', context.services.get(key)?.metadata ?? {});
  for (const { type, reason, message } of plan.events) context.recorder?.record(serviceReference, type, reason, message);
  context.expectations.begin(key);
  try {
    await writeSlices(job, groupByAddressType(plan, context.slices.slicesOf(key)), context, reconciler);
  } catch (error) {
    const kind = classifyFailure(error);
    if (kind === 'refused' || kind === 'outage') {
      const message = `Error updating Endpoint Slices for Service ${key}: ${messageOf(error)}`;
      context.recorder?.record(serviceReference, 'Warning', 'FailedToUpdateEndpointSlices', message);
    }
    throw error;
  } finally {
    if (context.expectations.end(key)) context.enqueueLater(key);
  }
  // All possible writes are done. The remaining ones must wait until nodes change.
  if (plan.retry) throw new UnplannableError(plan.reasons.map(({ message }) => message).join(' '));
}

function reportPlan(key: string, plan: SlicePlan, { setup, slices, services }: SlicesSyncContext): void {
  if (!setup.onEvent) return;
  const distribution = services.get(key)?.spec?.trafficDistribution;
  setup.onEvent({
    kind: 'planned',
    controller: 'endpointslices',
    key,
    plan,
    ...computeSliceFigures(plan, slices.slicesOf(key).filter(isManaged), setup.maxEndpointsPerSlice),
    ...(distribution && { trafficDistribution: distribution }),
  });
}

export const isStale = ({ reasons }: SlicePlan): boolean => reasons.some(({ code }) => code === 'SlicesStale');

export type SliceFigures = Required<Pick<PlannedSlicesEvent, 'existing' | 'desired' | 'endpoints' | 'added' | 'removed'>>;

/** Computes the figures of the event `planned`. Reads every slice of the Service, and the endpoints of the slices that change. */
export function computeSliceFigures(plan: SlicePlan, current: readonly EndpointSliceInput[], maxEndpointsPerSlice = 100): SliceFigures {
  const changedNames = new Set([...plan.update, ...plan.delete].map(({ metadata }) => metadata.name));
  const unchangedSlices = current.filter(({ metadata }) => !changedNames.has(metadata?.name ?? ''));
  const idsBefore = identitiesOf(current.filter(({ metadata }) => changedNames.has(metadata?.name ?? '')));
  const idsAfter = identitiesOf([...plan.create, ...plan.update]);
  const endpointCountByGroup = new Map<string, number>();
  let endpoints = 0;
  for (const slice of [...unchangedSlices, ...plan.create, ...plan.update]) {
    const count = slice.endpoints?.length ?? 0;
    const group = groupOf(slice);
    endpoints += count;
    endpointCountByGroup.set(group, (endpointCountByGroup.get(group) ?? 0) + count);
  }
  let desired = 0;
  for (const count of endpointCountByGroup.values()) desired += Math.max(1, Math.ceil(count / maxEndpointsPerSlice));
  return { existing: current.length, desired, endpoints, added: countNotIn(idsBefore, idsAfter), removed: countNotIn(idsAfter, idsBefore) };
}

/** Returns the group of a slice. Slices of one group have the same address type and ports, so an endpoint can move between them. */
const groupOf = ({ addressType, ports }: EndpointSliceInput): string => {
  const texts = (ports ?? []).map(({ name, protocol, port, appProtocol }) => `${name ?? ''}/${protocol}/${port}/${appProtocol ?? ''}`);
  return `${addressType} ${texts.sort().join(' ')}`;
};

/** The identity of an endpoint, which stays the same if the endpoint moves to another slice or becomes ready. */
const identityOf = ({ addresses, targetRef, nodeName }: EndpointInput): string =>
  `${(addresses ?? []).join()} ${targetRef?.uid ?? targetRef?.name ?? ''} ${nodeName ?? ''}`;

const identitiesOf = (slices: readonly EndpointSliceInput[]): ReadonlySet<string> =>
  new Set(slices.flatMap(({ addressType, endpoints }) => (endpoints ?? []).map((endpoint) => `${addressType} ${identityOf(endpoint)}`)));

function countNotIn(excluded: ReadonlySet<string>, candidates: ReadonlySet<string>): number {
  let count = 0;
  for (const identity of candidates) if (!excluded.has(identity)) count++;
  return count;
}
