import type { Reconciler, SlicePlan } from 'kube-endpoints';
import { type Reader, serviceNameLabel, sliceController, sliceManagedByLabel } from 'kube-endpoints/internal';
import { splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, type CallOptions, hasReason, resources } from 'kube-endpoints/port';
import type { EndpointSlice, EndpointSliceInput } from 'kube-endpoints/types';
import type { Job } from './controller.ts';
import { classifyFailure, PartialFailureError } from './failures.ts';
import type { SliceWriteContext } from './sync-context.ts';
import { deletionVersion } from './write-expectations.ts';

const { endpointSlices } = resources;

/** Writes that depend on each other: if one fails, the remaining ones are skipped. */
export interface Writes {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly delete: EndpointSliceInput[];
}

/** Receives the answers to writes. */
export type WriteTracker = Pick<Reconciler, 'observe' | 'expectDeletion'>;

/**
 * Carries out groups of writes: for each group first creates, then updates, then deletes, up to the first write that fails. A failure does
 * not affect the other groups.
 *
 * Mirrors Reconcile and finalize (Kubernetes 1.36, staging/src/k8s.io/endpointslice/reconciler.go).
 * @throws the error of the failed write, PartialFailureError if there are several, OwnershipLostError; does not throw if the namespace is
 * being deleted
 */
export async function writeSlices(job: Job, groups: Iterable<Writes>, context: SliceWriteContext, tracker: WriteTracker): Promise<void> {
  const failures: unknown[] = [];
  for (const writes of groups) {
    try {
      for (const slice of writes.create) await createOrUpdate(job, 'create', slice, context, tracker);
      for (const slice of writes.update) await createOrUpdate(job, 'update', slice, context, tracker);
      for (const slice of writes.delete) await remove(job, slice, context, tracker);
    } catch (error) {
      const kind = classifyFailure(error);
      if (kind === 'lost') throw error;
      if (kind !== 'terminating') failures.push(error);
    }
  }
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new PartialFailureError(failures);
}

/** Whether the cached slices of a Service equal those of a controller in the API server. If so, waiting for the cache is pointless. */
export async function matchesServer(
  port: Reader,
  key: string,
  cachedSlices: readonly EndpointSliceInput[],
  options: CallOptions = {},
  controller: string = sliceController,
): Promise<boolean> {
  const { namespace, name } = splitMetaNamespaceKey(key);
  const labelSelector = `${serviceNameLabel}=${name},${sliceManagedByLabel}=${controller}`;
  const { items } = await port.list(endpointSlices, { namespace, labelSelector, ...options });
  const versions = new Map(cachedSlices.map(({ metadata }) => [metadata?.name, metadata?.resourceVersion]));
  return items.length === versions.size && items.every(({ metadata }) => versions.get(metadata.name) === metadata.resourceVersion);
}

/** Groups the writes of a plan by address type. */
export function groupByAddressType(plan: SlicePlan, current: readonly EndpointSliceInput[]): Iterable<Writes> {
  const writesByType = new Map<string, Writes>();
  const writesFor = (type: string): Writes => {
    const writes = writesByType.get(type) ?? { create: [], update: [], delete: [] };
    writesByType.set(type, writes);
    return writes;
  };
  const existingByName = new Map(current.map((slice) => [slice.metadata?.name, slice]));
  for (const slice of plan.create) writesFor(slice.addressType).create.push(slice);
  for (const slice of plan.update) writesFor(slice.addressType).update.push(slice);
  for (const reference of plan.delete) {
    const slice = existingByName.get(reference.metadata.name);
    if (slice) writesFor(slice.addressType ?? '').delete.push(slice);
  }
  return writesByType.values();
}

async function createOrUpdate(
  job: Job,
  verb: 'create' | 'update',
  slice: EndpointSlice,
  { executor, expectations, slices }: SliceWriteContext,
  tracker: WriteTracker,
): Promise<void> {
  const { key } = job;
  const response: ApiObject = await executor[verb](key, endpointSlices, slice);
  job.writes++;
  tracker.observe(response as EndpointSliceInput);
  const { name = '', resourceVersion = '' } = response.metadata;
  const isCached = slices.slicesOf(key).some(({ metadata }) => metadata?.name === name && metadata.resourceVersion === resourceVersion);
  expectations.recordWrite(key, name, resourceVersion, isCached);
}

/** Deletes a slice. Succeeds if it is already gone. */
async function remove(
  job: Job,
  slice: EndpointSliceInput,
  { executor, expectations, slices }: SliceWriteContext,
  tracker: WriteTracker,
): Promise<void> {
  const { key } = job;
  try {
    await executor.delete(key, endpointSlices, slice);
    job.writes++;
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
  const uid = slice.metadata?.uid ?? '';
  const isCacheUpdated = !slices.slicesOf(key).some(({ metadata }) => (metadata?.uid ?? '') === uid);
  if (!isCacheUpdated) tracker.expectDeletion(slice);
  expectations.recordWrite(key, slice.metadata?.name ?? '', deletionVersion(uid), isCacheUpdated);
}
