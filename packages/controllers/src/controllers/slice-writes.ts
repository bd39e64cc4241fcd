import type { Reconciler, SlicePlan } from 'kube-endpoints';
import { type Reader, serviceNameLabel, sliceController, sliceManagedByLabel } from 'kube-endpoints/internal';
import { type ApiObject, type CallOptions, hasReason, resources } from 'kube-endpoints/port';
import type { EndpointSlice, EndpointSliceInput } from 'kube-endpoints/types';
import type { Job } from './controller.ts';
import { classifyFailure, PartialFailure } from './failures.ts';
import type { SlicesTools } from './tools.ts';
import { deletionVersion } from './write-expectations.ts';

const { endpointSlices } = resources;

/**
 * Carries out a plan: for each address type first creates, then updates, then deletes, up to the first write that fails. The other address
 * type is written nevertheless.
 *
 * Mirrors Reconcile and finalize (1.36, staging/src/k8s.io/endpointslice/reconciler.go).
 * @throws the error of the failed write, PartialFailure if there are several, OwnershipLost; none if the namespace is being deleted
 */
export async function writeSlices(job: Job, plan: SlicePlan, tools: SlicesTools, reconciler: Reconciler): Promise<void> {
  const failures: unknown[] = [];
  for (const writes of byType(plan, tools.slices.of(job.key))) {
    try {
      for (const slice of writes.create) await put(job, 'create', slice, tools, reconciler);
      for (const slice of writes.update) await put(job, 'update', slice, tools, reconciler);
      for (const slice of writes.delete) await remove(job, slice, tools, reconciler);
    } catch (error) {
      const kind = classifyFailure(error);
      if (kind === 'lost') throw error;
      if (kind !== 'terminating') failures.push(error);
    }
  }
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new PartialFailure(failures);
}

/** Whether the cache has the same slices of a Service as the API server, so that waiting for the cache is pointless. */
export async function isCacheComplete(
  port: Reader,
  key: string,
  cached: readonly EndpointSliceInput[],
  options: CallOptions = {},
): Promise<boolean> {
  const [namespace = '', name = ''] = key.split('/');
  const labelSelector = `${serviceNameLabel}=${name},${sliceManagedByLabel}=${sliceController}`;
  const { items } = await port.list(endpointSlices, { namespace, labelSelector, ...options });
  const versions = new Map(cached.map(({ metadata }) => [metadata?.name, metadata?.resourceVersion]));
  return items.length === versions.size && items.every(({ metadata }) => versions.get(metadata.name) === metadata.resourceVersion);
}

interface Writes {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly delete: EndpointSliceInput[];
}

function byType(plan: SlicePlan, current: readonly EndpointSliceInput[]): Iterable<Writes> {
  const types = new Map<string, Writes>();
  const writesOf = (type: string): Writes => {
    const writes = types.get(type) ?? { create: [], update: [], delete: [] };
    types.set(type, writes);
    return writes;
  };
  const existing = new Map(current.map((slice) => [slice.metadata?.name, slice]));
  for (const slice of plan.create) writesOf(slice.addressType).create.push(slice);
  for (const slice of plan.update) writesOf(slice.addressType).update.push(slice);
  for (const reference of plan.delete) {
    const slice = existing.get(reference.metadata.name);
    if (slice) writesOf(slice.addressType ?? '').delete.push(slice);
  }
  return types.values();
}

async function put(
  job: Job,
  verb: 'create' | 'update',
  slice: EndpointSlice,
  { executor, expectations, slices }: SlicesTools,
  reconciler: Reconciler,
): Promise<void> {
  const { key } = job;
  const answer: ApiObject = await executor[verb](key, endpointSlices, slice);
  job.writes++;
  reconciler.observe(answer as EndpointSliceInput);
  const { name = '', resourceVersion = '' } = answer.metadata;
  const isCached = slices.of(key).some(({ metadata }) => metadata?.name === name && metadata.resourceVersion === resourceVersion);
  expectations.wrote(key, name, resourceVersion, isCached);
}

/** Succeeds if the slice is gone already. */
async function remove(
  job: Job,
  slice: EndpointSliceInput,
  { executor, expectations, slices }: SlicesTools,
  reconciler: Reconciler,
): Promise<void> {
  const { key } = job;
  try {
    await executor.delete(key, endpointSlices, slice);
    job.writes++;
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
  const uid = slice.metadata?.uid ?? '';
  const isCacheUpdated = !slices.of(key).some(({ metadata }) => (metadata?.uid ?? '') === uid);
  if (!isCacheUpdated) reconciler.expectDeletion(slice);
  expectations.wrote(key, slice.metadata?.name ?? '', deletionVersion(uid), isCacheUpdated);
}
