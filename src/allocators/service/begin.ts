import { newest } from '../../versions/index.ts';
import { type AllocatorSettings, type AllocatorVersion, allocatorSettings } from '../gates.ts';
import { releaseClusterIPs } from './cluster-ips.ts';
import { type Draft, draftOf, needsHealthCheck, withDraft } from './draft.ts';
import { defaultDraftOnRead } from './families.ts';
import { releaseAllNodePorts, releaseHealthCheck } from './node-ports.ts';
import { createPlural, updatePlural } from './plural.ts';
import { createSingular, releaseSingular, updateSingular } from './singular.ts';
import { startTransaction, type Transaction } from './transaction.ts';
import type { AllocatableService, Allocation, ServiceAllocators, ServiceFailure } from './types.ts';

export interface BeginOptions extends AllocatorVersion {
  readonly dryRun?: boolean;
}

/** A write of a Service with everything allocated; nothing is freed before `commit`. Call either `commit` or `rollback` to end it. */
export interface BegunWrite<T> {
  /** Shares unchanged parts with the given Service. */
  readonly service: Readonly<T>;
  readonly allocate: readonly Allocation[];
  readonly release: readonly Allocation[];
  readonly failure?: undefined;
  commit(): void;
  rollback(): void;
}

/** Or the failure, in which case nothing is allocated. */
export type Begun<T> = BegunWrite<T> | { readonly failure: ServiceFailure };

/** Allocates what a new Service needs. Defaulting and validating the Service is the caller's task. */
export function beginCreate<T extends AllocatableService>(
  service: T,
  allocators: ServiceAllocators,
  { version = newest, dryRun = false }: BeginOptions = {},
): Begun<T> {
  const settings = allocatorSettings(version);
  const draft = admitted(service, settings);
  const transaction = startTransaction(allocators, dryRun);
  const failure = settings.dualStackServices
    ? createPlural(draft, allocators, transaction, settings)
    : createSingular(draft, allocators, transaction, settings, dryRun);
  return end(service, draft, transaction, failure, true);
}

/**
 * Allocates and frees what an update changes, and preserves allocated values that it omits. Returns the Service to validate next: fields
 * that applied only to the previous type are cleared if the update did not change them.
 */
export function beginUpdate<T extends AllocatableService>(
  service: T,
  old: AllocatableService,
  allocators: ServiceAllocators,
  { version = newest, dryRun = false }: BeginOptions = {},
): Begun<T> {
  const settings = allocatorSettings(version);
  const draft = admitted(service, settings);
  const before = admitted(old, settings);
  const transaction = startTransaction(allocators, dryRun);
  const failure = settings.dualStackServices
    ? updatePlural(draft, before, allocators, transaction, settings)
    : updateSingular(draft, before, allocators, transaction, settings, dryRun);
  return end(service, draft, transaction, failure, draft.type === 'LoadBalancer');
}

/** Frees all allocations of a Service on `commit`. Mirrors releaseAllocatedResources (pkg/registry/core/service/storage, 1.17 and 1.36). */
export function beginDelete<T extends AllocatableService>(
  service: T,
  allocators: ServiceAllocators,
  { version = newest, dryRun = false }: BeginOptions = {},
): BegunWrite<T> {
  const settings = allocatorSettings(version);
  const draft = admitted(service, settings);
  const transaction = startTransaction(allocators, dryRun);
  if (settings.dualStackServices) {
    defaultDraftOnRead(draft, allocators.defaultFamily);
    releaseClusterIPs(draft, transaction);
  } else releaseSingular(draft, transaction);
  releaseAllNodePorts(draft, transaction);
  if (needsHealthCheck(draft) && draft.healthCheckNodePort > 0) releaseHealthCheck(draft, transaction);
  return begun<T>(withDraft(service, draft, true), transaction);
}

/**
 * A Service as read from storage, with defaults for ipFamilies and clusterIPs that older releases did not store. Shares unchanged parts
 * with the given Service, and returns it if nothing changes.
 */
export function defaultOnRead<T extends AllocatableService>(
  service: T,
  { defaultFamily }: Pick<ServiceAllocators, 'defaultFamily'>,
  { version = newest }: AllocatorVersion = {},
): Readonly<T> {
  const draft = draftOf(service);
  if (allocatorSettings(version).dualStackServices) defaultDraftOnRead(draft, defaultFamily);
  return withDraft(service, draft, true);
}

/** Ignores allocateLoadBalancerNodePorts in releases that always allocate node ports. */
function admitted(service: AllocatableService, { nodePortsOptional }: AllocatorSettings): Draft {
  const draft = draftOf(service);
  if (!nodePortsOptional) draft.allocateLoadBalancerNodePorts = undefined;
  return draft;
}

function end<T extends AllocatableService>(
  service: T,
  draft: Draft,
  transaction: Transaction,
  failure: ServiceFailure | undefined,
  keepsStatus: boolean,
): Begun<T> {
  if (!failure) return begun<T>(withDraft(service, draft, keepsStatus), transaction);
  transaction.rollback();
  return { failure };
}

const begun = <T>(service: Readonly<T>, transaction: Transaction): BegunWrite<T> => ({
  service,
  allocate: transaction.allocated(),
  release: transaction.released(),
  commit: transaction.commit,
  rollback: transaction.rollback,
});

export interface PlanInput<T> {
  /** The new state of the Service; absent for a deletion. */
  readonly service?: T;
  /** The current state of the Service; absent for a creation. */
  readonly old?: T;
}

/** What a write would allocate, free and store, as plain data. */
export type AllocationPlan<T> =
  | {
      readonly service?: Readonly<T>;
      readonly allocate: readonly Allocation[];
      readonly release: readonly Allocation[];
      readonly failure?: undefined;
    }
  | { readonly failure: ServiceFailure };

/** Plans a write without performing it: the allocators end unchanged. Randomly chosen values are only examples. */
export function planAllocation<T extends AllocatableService>(
  { service, old }: PlanInput<T>,
  allocators: ServiceAllocators,
  options: BeginOptions = {},
): AllocationPlan<T> {
  if (!service && !old) return { allocate: [], release: [] };
  const begun = service
    ? old
      ? beginUpdate(service, old, allocators, options)
      : beginCreate(service, allocators, options)
    : beginDelete(old as T, allocators, options);
  if (begun.failure) return { failure: begun.failure };
  begun.rollback();
  const { allocate, release } = begun;
  return service ? { service: begun.service, allocate, release } : { allocate, release };
}
